(** Routings on tori, meshes, hypercubes and the like that names stand for: what they are, and the test that a routing is
    one of them. *)

Require Import List Bool Arith NArith PArith ZArith QArith Lqa Setoid Morphisms Lia Permutation.
From Routeproof Require Import Sums Network Flows Symmetry Order Checker Grids Named.
Import ListNotations.
Local Open Scope Q_scope.

(** * What they are *)

(** Where both directions of a ring are as short: both, with probability 1/2 each, or + alone. *)
Inductive ties := Split | Plus.

(** The dimensions in this order, or those along which the packet moves in a uniformly random one. *)
Inductive ordering := InOrder (l : list nat) | InRandomOrder.

Inductive rule :=
  | DimensionOrder (t : ties) (o : ordering)
  | Valiant (t : ties) (o : ordering)
  | Romm (union : bool) (o o' : ordering).

(** A list of (probability, what happens); [A], and then what follows from it. *)
Definition choice (A : Type) := list (Q * A).
Definition always {A} (a : A) : choice A := [(1, a)].
Definition uniformly {A} (l : list A) : choice A := map (fun a => (1 / inject_Z (Z.of_nat (length l)), a)) l.
Definition and_then {A B} (c : choice A) (f : A -> choice B) : choice B :=
  flat_map (fun a => map (fun b => (fst a * fst b, snd b)) (f (snd a))) c.

Section On_grid.
  Variable g : grid.

  (** A way from coordinate y to z of k: what is added to the coordinate, modulo k, step by step. *)
  Definition ways (t : ties) (k y z : N) : choice (list N) :=
    let ahead := ((z + (k - y)) mod k)%N in
    let plus n := repeat 1%N (N.to_nat n) in
    let minus n := repeat (k - 1)%N (N.to_nat n) in
    match g with
    | Complete _ | HyperX _ => always (if N.eqb ahead 0 then [] else [ahead])
    | Mesh _ => always (if N.leb y z then plus (z - y)%N else minus (y - z)%N)
    | Ring _ | Torus _ | Hypercube _ =>
        if N.eqb (2 * ahead) k && N.ltb 2 k
        then match t with Split => uniformly [plus ahead; minus ahead] | Plus => always (plus ahead) end
        else always (if N.leb (2 * ahead) k then plus ahead else minus (k - ahead)%N)
    end.

  (** By a way to any coordinate, each with probability 1/k, and on by a way. *)
  Definition by_any (t : ties) (k y z : N) : choice (list N * list N) :=
    and_then (uniformly (below k)) (fun n => let w := ((y + n) mod k)%N in
      and_then (ways t k y w) (fun one => and_then (ways t k w z) (fun two => always (one, two)))).

  (** A way, and on it a coordinate, both ends included; [union]: by any coordinate where there are two ways. *)
  Definition by_between (union : bool) (k y z : N) : choice (list N * list N) :=
    if union && Nat.eqb (length (ways Split k y z)) 2 then by_any Split k y z
    else and_then (ways Split k y z) (fun w =>
      and_then (uniformly (seq 0 (S (length w)))) (fun n => always (firstn n w, skipn n w))).

  (** Independently in all dimensions. *)
  Fixpoint in_each {A} (f : N -> N -> N -> choice A) (l x z : list N) : choice (list A) :=
    match l, x, z with
    | k :: l, y :: x, w :: z => and_then (f k y w) (fun a => and_then (in_each f l x z) (fun rest => always (a :: rest)))
    | _, _, _ => always []
    end.

  (** A step: the dimension, and what is added. *)
  Definition path_in_order (ws : list (list N)) (o : list nat) : list (nat * N) := flat_map (fun m => map (pair m) (nth m ws [])) o.

  Fixpoint inserted (a : nat) (l : list nat) : list (list nat) :=
    match l with [] => [[a]] | b :: rest => (a :: l) :: map (cons b) (inserted a rest) end.
  Fixpoint orders (l : list nat) : list (list nat) := match l with [] => [[]] | a :: l => flat_map (inserted a) (orders l) end.

  Definition moving (ws : list (list N)) : list nat :=
    filter (fun m => match nth m ws [] with [] => false | _ => true end) (seq 0 (length ws)).

  Definition phase (o : ordering) (ws : list (list N)) : choice (list (nat * N)) :=
    match o with
    | InOrder l => always (path_in_order ws l)
    | InRandomOrder => and_then (uniformly (orders (moving ws))) (fun l => always (path_in_order ws l))
    end.

  Definition two_phases (o o' : ordering) (ws : list (list N * list N)) : choice (list (nat * N)) :=
    and_then (phase o (map fst ws)) (fun one => and_then (phase o' (map snd ws)) (fun two => always (one ++ two))).

  (** The paths from x to z, and how likely each is. *)
  Definition paths_by (r : rule) (x z : list N) : choice (list (nat * N)) :=
    match r with
    | DimensionOrder t o => and_then (in_each (ways t) (radices g) x z) (phase o)
    | Valiant t o => and_then (in_each (by_any t) (radices g) x z) (two_phases o o)
    | Romm union o o' => and_then (in_each (by_between union) (radices g) x z) (two_phases o o')
    end.

  Fixpoint moved (l x : list N) (m : nat) (n : N) : list N :=
    match l, x, m with
    | k :: l, y :: x, O => ((y + n) mod k)%N :: x
    | k :: l, y :: x, S m => y :: moved l x m n
    | _, _, _ => x
    end.

  (** From node to node. *)
  Definition arc := (positive * positive)%type.

  Fixpoint walked (x : list N) (path : list (nat * N)) : list arc :=
    match path with
    | [] => []
    | (m, n) :: path => let y := moved (radices g) x m n in (node_number g x, node_number g y) :: walked y path
    end.

  Definition defined_paths (r : rule) (x z : list N) : choice (list arc) :=
    map (fun p => (fst p, walked x (snd p))) (paths_by r x z).
End On_grid.

Definition same_arc (a b : arc) : bool := Key.eqb (fst a) (fst b) && Key.eqb (snd a) (snd b).

(** How much these paths carry from node to node. *)
Definition carried (ps : choice (list arc)) (a : arc) : Q :=
  sum (fun p => sum (fun b => when (same_arc b a) (fst p)) (snd p)) ps.

Definition ends (c : channel) : arc := (tail c, head c).

(** Terminals and their nodes' coordinates. *)
Definition placed (g : grid) (net : network) : list (terminal * list N) := combine (terminals net) (nodes (radices g)).

(** Every channel carries what the rule makes of all pairs. *)
Definition follows_rule (g : grid) (r : rule) (net : network) (R : routing) : Prop :=
  is_grid g net /\ forall i x j z, In (i, x) (placed g net) -> In (j, z) (placed g net) -> source i <> sink j ->
  forall c, In c (channels net) -> R i j (number c) == carried (defined_paths g r x z) (ends c).

(** The same of paths. *)
Fixpoint same_numbers (x y : list positive) : bool :=
  match x, y with [], [] => true | a :: x, b :: y => Key.eqb a b && same_numbers x y | _, _ => false end.

Fixpoint same_arcs (x y : list arc) : bool :=
  match x, y with [], [] => true | a :: x, b :: y => same_arc a b && same_arcs x y | _, _ => false end.

(** How much takes just these channels; how likely just these arcs are. *)
Definition along (ps : list (list positive * Q)) (q : list positive) : Q := sum (fun p => when (same_numbers (fst p) q) (snd p)) ps.
Definition likely (ps : choice (list arc)) (w : list arc) : Q := sum (fun p => when (same_arcs (snd p) w) (fst p)) ps.

(** Every path takes what the rule says. *)
Definition paths_follow_rule (g : grid) (r : rule) (net : network) (b : kind_of_pairs) (l : list path) : Prop :=
  is_grid g net /\ forall i x j z, In (i, x) (placed g net) -> In (j, z) (placed g net) -> source i <> sink j ->
  forall cs, (forall c, In c cs -> In c (channels net)) ->
  along (paths_of l (sends_as b i) (receives_as b j)) (map number cs) == likely (defined_paths g r x z) (map ends cs).

(** * The test, by loads *)

Definition arc_load := (arc * Q)%type.
Definition at_arc (l : list arc_load) (a : arc) : Q := sum (fun x => when (same_arc (fst x) a) (snd x)) l.

Definition all_zero (l : list arc_load) : bool :=
  all_groups2 (fun x => fst (fst x)) (fun x => snd (fst x)) (fun _ _ part => Qeq_bool (total snd part) 0) l.

Lemma all_zero_correct l a : all_zero l = true -> at_arc l a == 0.
Proof.
  intros H.
  transitivity (sum snd (select (fun x : arc_load => fst (fst x)) (fun x => snd (fst x)) (fst a) (snd a) l)); [symmetry; apply sum_select|].
  destruct (all_groups2_correct _ _ _ _ H (fst a) (snd a)) as [G|G]; [|match type of G with ?s = _ => change (sum snd s == 0) end; rewrite G; reflexivity].
  apply Qeq_bool_iff in G. rewrite total_correct in G. exact G.
Qed.

Definition arc_of (chans : Map.t channel) (e : entry) : arc_load :=
  (match Map.find (on e) chans with Some c => ends c | None => (1, 1)%positive end, amount e).

Definition items_of (ps : choice (list arc)) : list arc_load := flat_map (fun p => map (fun b => (b, - fst p)) (snd p)) ps.

(** How much the arcs carry for which w says so. *)
Definition weighed (w : arc -> bool) (ps : choice (list arc)) : Q := sum (fun p => sum (fun b => when (w b) (fst p)) (snd p)) ps.

Lemma items_of_correct w ps : sum (fun x => when (w (fst x)) (snd x)) (items_of ps) == - weighed w ps.
Proof.
  unfold items_of, weighed. induction ps as [|p ps IH]; simpl; [reflexivity|]. rewrite sum_app, IH, sum_map. simpl.
  assert (E : sum (fun x => when (w x) (- fst p)) (snd p) == - sum (fun b => when (w b) (fst p)) (snd p)).
  { generalize (snd p). induction l as [|b l IHl]; simpl; [reflexivity|]. rewrite IHl. unfold when. destruct (w b); ring. }
  rewrite E. ring.
Qed.

(** ** Paths that carry the same *)

Lemma same_arc_correct a b : same_arc a b = true -> a = b.
Proof. destruct a, b. intros H. apply andb_prop in H. destruct H as [S D]. apply Key.eqb_eq in S, D. simpl in *. congruence. Qed.

(** What is 0 on every arc is 0 on all arcs of a kind. *)
Lemma zero_on_all (w : arc -> bool) n : forall l, (length l <= n)%nat -> (forall a, at_arc l a == 0) ->
  sum (fun x => when (w (fst x)) (snd x)) l == 0.
Proof.
  induction n as [|n IH]; intros [|x l] L Z; try reflexivity; [simpl in L; lia|].
  set (same := fun y : arc_load => same_arc (fst y) (fst x)). set (rest := filter (fun y => negb (same y)) l).
  assert (S : sum (fun y => when (w (fst y)) (snd y)) (x :: l) ==
    when (w (fst x)) (at_arc (x :: l) (fst x)) + sum (fun y => when (w (fst y)) (snd y)) rest).
  { assert (R : same_arc (fst x) (fst x) = true) by (unfold same_arc; rewrite !Key.eqb_refl; reflexivity).
    unfold rest, at_arc. rewrite sum_filter. simpl sum. rewrite R. simpl (when true _).
    assert (E : sum (fun y => when (w (fst y)) (snd y)) l == when (w (fst x)) (sum (fun y => when (same y) (snd y)) l) +
      sum (fun y => when (negb (same y)) (when (w (fst y)) (snd y))) l).
    { clear. induction l as [|y l IH]; simpl; [destruct (w (fst x)); reflexivity|]. rewrite IH. destruct (same y) eqn:E; simpl.
      - apply same_arc_correct in E. rewrite E. destruct (w (fst x)); simpl; ring.
      - destruct (w (fst x)), (w (fst y)); simpl; ring. }
    rewrite E. change (fun x0 => when (same_arc (fst x0) (fst x)) (snd x0)) with (fun y : arc_load => when (same y) (snd y)).
    destruct (w (fst x)); simpl; unfold arc_load; ring. }
  assert (W : when (w (fst x)) (at_arc (x :: l) (fst x)) == 0) by (destruct (w (fst x)); [exact (Z _)|reflexivity]).
  rewrite S, W, IH.
  - ring.
  - unfold rest. simpl in L. assert (F : forall f m, (length (@filter arc_load f m) <= length m)%nat).
    { intros f. induction m as [|y m IHm]; simpl; [lia|]. destruct (f y); simpl; lia. }
    specialize (F (fun y => negb (same y)) l). lia.
  - intros a. specialize (Z a). unfold at_arc, rest in *. rewrite sum_filter. simpl in Z.
    destruct (same_arc (fst x) a) eqn:E.
    + apply same_arc_correct in E. apply sum_zero. intros y _. unfold same. rewrite E. destruct (same_arc (fst y) a); reflexivity.
    + rewrite <- Z. simpl. rewrite Qplus_0_l. apply sum_ext. intros y _. destruct (same y) eqn:F; [|reflexivity].
      apply same_arc_correct in F. rewrite F, E. reflexivity.
Qed.

Definition carry_the_same (ps qs : choice (list arc)) : bool :=
  all_zero (rev_append (items_of ps) (map (fun x => (fst x, - snd x)) (items_of qs))).

Lemma carry_the_same_correct ps qs w : carry_the_same ps qs = true -> weighed w ps == weighed w qs.
Proof.
  intros H. pose proof (zero_on_all w _ _ (le_n _) (fun a => all_zero_correct _ a H)) as Z.
  rewrite sum_rev_append, sum_map in Z. simpl in Z. rewrite items_of_correct in Z.
  assert (N : sum (fun x : arc_load => when (w (fst x)) (- snd x)) (items_of qs) == - sum (fun x => when (w (fst x)) (snd x)) (items_of qs)).
  { generalize (items_of qs). induction l as [|x l IH]; simpl; [reflexivity|]. rewrite IH. unfold when. destruct (w (fst x)); ring. }
  rewrite N, items_of_correct in Z. lra.
Qed.

(** Each arc once. *)
Definition gathered (ps : choice (list arc)) : choice (list arc) :=
  flat_map (fun e => map (fun e' => (- total snd (snd e'), [(fst e, fst e')])) (Map.elements (snd e)))
    (Map.elements (group2 (fun x => fst (fst x)) (fun x => snd (fst x)) (items_of ps))).

Definition moved_arc (h : relabelling) (a : arc) : arc := (image (of_nodes h) (fst a), image (of_nodes h) (snd a)).

Definition as_defined (chans : Map.t channel) (part : list entry) (ps : choice (list arc)) : bool :=
  all_zero (rev_append (map (arc_of chans) part) (items_of ps)).

Lemma arcs_once net c c' : distinct2 tail head (channels net) = true -> In c (channels net) -> In c' (channels net) ->
  same_arc (ends c) (ends c') = true -> c = c'.
Proof.
  intros D C C' S. apply andb_prop in S. destruct S as [T J]. apply Key.eqb_eq in T, J. simpl in T, J.
  destruct (all_groups_correct tail _ _ D (tail c')) as [G|G].
  - apply distinct_correct in G. apply (same_by_key head _ _ _ G); [| |exact J]; apply filter_In; (split; [assumption|]).
    + apply Key.eqb_eq. exact T.
    + apply Key.eqb_refl.
  - assert (X : In c' (filter (fun x => Key.eqb (tail x) (tail c')) (channels net))) by (apply filter_In; split; [exact C'|apply Key.eqb_refl]).
    rewrite G in X. contradiction.
Qed.

Lemma as_defined_correct net part ps c : NoDup (map number (channels net)) -> distinct2 tail head (channels net) = true ->
  (forall e, In e part -> Map.mem (on e) (find_by number (channels net)) = true) -> In c (channels net) ->
  as_defined (find_by number (channels net)) part ps = true -> flow_of part (number c) == carried ps (ends c).
Proof.
  intros U D On C H. apply all_zero_correct with (a := ends c) in H. unfold at_arc in H. rewrite sum_rev_append in H.
  rewrite (items_of_correct (fun b => same_arc b (ends c))), sum_map in H. change (weighed _ ps) with (carried ps (ends c)) in H.
  assert (E : sum (fun e => when (same_arc (fst (arc_of (find_by number (channels net)) e)) (ends c)) (snd (arc_of (find_by number (channels net)) e))) part
    == flow_of part (number c)); [|lra].
  unfold flow_of. apply sum_ext. intros e I. specialize (On e I). rewrite Map.mem_find in On. unfold arc_of. simpl.
  destruct (Map.find (on e) _) as [c'|] eqn:F; [|discriminate]. apply find_by_correct in F. destruct F as [C' N].
  destruct (Key.eqb_spec (on e) (number c)) as [K|K].
  - rewrite K in N. rewrite (same_by_key number _ _ _ U C' C N). unfold same_arc. rewrite !Key.eqb_refl. reflexivity.
  - destruct (same_arc (ends c') (ends c)) eqn:S; [|reflexivity]. exfalso. apply K. rewrite <- N. f_equal.
    apply (arcs_once net); assumption.
Qed.

(** * Maps *)

Definition moved_paths (h : relabelling) (ps : choice (list arc)) : choice (list arc) :=
  map (fun p => (fst p, map (moved_arc h) (snd p))) ps.

Lemma moved_paths_weighed h ps a : carried (moved_paths h ps) a == weighed (fun b => same_arc (moved_arc h b) a) ps.
Proof. unfold carried, moved_paths, weighed. rewrite sum_map. apply sum_ext. intros p _. simpl. rewrite sum_map. reflexivity. Qed.

Lemma carried_moved h ps c : injective (of_nodes h) -> carried (moved_paths h ps) (ends (moved_channel h c)) == carried ps (ends c).
Proof.
  intros J. unfold carried, moved_paths. rewrite sum_map. apply sum_ext. intros p _. simpl. rewrite sum_map. apply sum_ext. intros b _.
  assert (E : forall x y, Key.eqb (image (of_nodes h) x) (image (of_nodes h) y) = Key.eqb x y).
  { intros x y. destruct (Key.eqb_spec x y) as [->|N]; [apply Key.eqb_refl|]. apply Key.eqb_neq. intros X. apply N, J, X. }
  unfold same_arc, moved_arc, ends. simpl. rewrite !E. reflexivity.
Qed.

Lemma entries_on net r e : check_shown net r = true -> In e (entries_of (data r)) -> Map.mem (on e) (find_by number (channels net)) = true.
Proof.
  intros W E. unfold check_shown in W. apply andb_prop in W. destruct W as [_ W]. cbv zeta in W. destruct (data r) as [l|l].
  - rewrite forallb_forall in W. exact (W e E).
  - apply andb_prop in W. destruct W as [_ W]. rewrite forallb_forall in W. exact (W e E).
Qed.

(** * The coordinates of nodes *)

Definition inside (l x : list N) : Prop := Forall2 (fun k y => (y < k)%N) l x.

Lemma below_correct k y : In y (below k) <-> (y < k)%N.
Proof.
  unfold below. rewrite in_map_iff. split.
  - intros [n [<- I]]. apply in_seq in I. lia.
  - intros L. exists (N.to_nat y). rewrite N2Nat.id. split; [reflexivity|]. apply in_seq. lia.
Qed.

Lemma nodes_correct l : forall x, In x (nodes l) <-> inside l x.
Proof.
  induction l as [|k l IH]; simpl; intros x.
  - split; [intros [<-|[]]; constructor|intros I; inversion I; auto].
  - rewrite in_flat_map. split.
    + intros [y [Y I]]. apply in_map_iff in I. destruct I as [x' [<- I]]. constructor; [apply below_correct; exact Y|apply IH; exact I].
    + intros I. inversion I as [|? y ? x' L I']; subst. exists y. split; [apply below_correct; exact L|]. apply in_map, IH, I'.
Qed.

Lemma number_from_once l : forall n n' x x', inside l x -> inside l x' -> number_from n l x = number_from n' l x' -> n = n' /\ x = x'.
Proof.
  induction l as [|k l IH]; intros n n' x x' I I' E; inversion I; inversion I'; subst; simpl in E.
  - split; [|reflexivity]. apply (f_equal Npos) in E. rewrite !N.succ_pos_spec in E. lia.
  - apply IH in E; [|assumption|assumption]. destruct E as [E ->].
    destruct (N.div_mod_unique k n n' y y0) as [-> ->]; try assumption; [lia|]. auto.
Qed.

Lemma placed_correct g net i x : is_grid g net -> In (i, x) (placed g net) ->
  In i (terminals net) /\ inside (radices g) x /\ source i = node_number g x /\ sink i = node_number g x.
Proof.
  intros [E _] I. unfold placed in I. pose proof (in_combine_l _ _ _ _ I) as T. pose proof (in_combine_r _ _ _ _ I) as X.
  apply nodes_correct in X. split; [exact T|]. split; [exact X|]. clear T X.
  revert E I. generalize (nodes (radices g)). induction (terminals net) as [|t ts IH]; intros [|y ys] E I; try contradiction.
  simpl in E. injection E as S D E. destruct I as [I|I]; [injection I as <- <-; auto|eauto].
Qed.

Lemma is_placed g net i : is_grid g net -> In i (terminals net) -> exists x, In (i, x) (placed g net).
Proof.
  intros [E _]. unfold placed. revert E. generalize (nodes (radices g)). induction (terminals net) as [|t ts IH]; intros [|y ys] E I; try contradiction; try discriminate.
  simpl in E. injection E as _ _ E. destruct I as [<-|I]; [exists y; left; reflexivity|]. destruct (IH _ E I) as [x X]. exists x. right. exact X.
Qed.

(** ** Translations *)

Fixpoint translated (l d x : list N) : list N :=
  match l, d, x with k :: l, a :: d, y :: x => ((y + a) mod k)%N :: translated l d x | _, _, _ => x end.

Definition is_mesh (g : grid) : bool := match g with Mesh _ => true | _ => false end.

Lemma ahead_translated (k a y z : N) : (y < k -> ((z + a) mod k + (k - (y + a) mod k)) mod k = (z + (k - y)) mod k)%N.
Proof.
  intros Y. assert (K : (k <> 0)%N) by lia. pose proof (N.mod_lt (y + a) k K) as M.
  rewrite N.add_mod_idemp_l by exact K.
  pose proof (N.div_mod (y + a) k K) as D. set (q := ((y + a) / k)%N) in *. set (m := ((y + a) mod k)%N) in *.
  assert (E : (z + a + (k - m) = z + (k - y) + q * k)%N) by lia.
  rewrite E. apply N.mod_add. exact K.
Qed.

Lemma ways_translated g t k a y z : is_mesh g = false -> (y < k)%N -> ways g t k ((y + a) mod k) ((z + a) mod k) = ways g t k y z.
Proof.
  intros M Y. unfold ways. cbv zeta. rewrite ahead_translated by exact Y. destruct g; try discriminate; reflexivity.
Qed.

Lemma further_translated (k a y n : N) : (k <> 0 -> ((y + a) mod k + n) mod k = ((y + n) mod k + a) mod k)%N.
Proof. intros K. rewrite !N.add_mod_idemp_l by exact K. f_equal. lia. Qed.

Lemma flat_map_same {A B} (f f' : A -> list B) l : (forall x, In x l -> f x = f' x) -> flat_map f l = flat_map f' l.
Proof. intros H. rewrite !flat_map_concat_map. f_equal. apply map_ext_in. exact H. Qed.

Lemma and_then_same {A B} (c : choice A) (f f' : A -> choice B) : (forall x, In x c -> f (snd x) = f' (snd x)) -> and_then c f = and_then c f'.
Proof. intros H. apply flat_map_same. intros x X. rewrite (H x X). reflexivity. Qed.

Lemma by_any_translated g t k a y z : is_mesh g = false -> (y < k)%N -> by_any g t k ((y + a) mod k) ((z + a) mod k) = by_any g t k y z.
Proof.
  intros M Y. assert (K : (k <> 0)%N) by lia. unfold by_any. apply and_then_same. intros [q n] _. simpl snd. cbv zeta.
  rewrite (further_translated k a y n K), !ways_translated by (try exact M; try exact Y; apply N.mod_lt; exact K). reflexivity.
Qed.

Lemma by_between_translated g u k a y z : is_mesh g = false -> (y < k)%N ->
  by_between g u k ((y + a) mod k) ((z + a) mod k) = by_between g u k y z.
Proof. intros M Y. unfold by_between. rewrite ways_translated, by_any_translated by assumption. reflexivity. Qed.

Lemma in_each_translated {A} (f : N -> N -> N -> choice A) l :
  (forall k a y z, (y < k)%N -> f k ((y + a) mod k)%N ((z + a) mod k)%N = f k y z) ->
  forall d x z, length d = length l -> inside l x -> inside l z -> in_each f l (translated l d x) (translated l d z) = in_each f l x z.
Proof.
  intros H. induction l as [|k l IH]; intros d x z D X Z; inversion X; inversion Z; subst; [destruct d; reflexivity|].
  destruct d as [|a d]; [discriminate|]. simpl. rewrite H by assumption. apply and_then_same. intros b _.
  injection D as D. rewrite IH by assumption. reflexivity.
Qed.

Lemma paths_translated g r d x z : is_mesh g = false -> length d = length (radices g) -> inside (radices g) x -> inside (radices g) z ->
  paths_by g r (translated (radices g) d x) (translated (radices g) d z) = paths_by g r x z.
Proof.
  intros M D X Z. unfold paths_by. destruct r; rewrite in_each_translated; try assumption; try reflexivity; intros.
  - apply ways_translated; assumption.
  - apply by_any_translated; assumption.
  - apply by_between_translated; assumption.
Qed.

Lemma moved_inside l : forall x m n, inside l x -> inside l (moved l x m n).
Proof.
  induction l as [|k l IH]; intros x m n X; inversion X; subst; [constructor|]. destruct m as [|m]; simpl.
  - constructor; [apply N.mod_lt; lia|assumption].
  - constructor; [assumption|apply IH; assumption].
Qed.

Lemma moved_translated l : forall d x m n, inside l x -> moved l (translated l d x) m n = translated l d (moved l x m n).
Proof.
  induction l as [|k l IH]; intros d x m n X; inversion X; subst; [reflexivity|]. destruct d as [|a d]; [destruct m; reflexivity|].
  destruct m as [|m]; simpl; [rewrite further_translated by lia; reflexivity|]. rewrite IH by assumption. reflexivity.
Qed.

Definition is_translation (g : grid) (d : list N) (h : relabelling) : bool :=
  negb (is_mesh g) && Nat.eqb (length d) (length (radices g)) &&
  forallb (fun u => Key.eqb (image (of_nodes h) (node_number g u)) (node_number g (translated (radices g) d u))) (nodes (radices g)).

Lemma translation_correct g d h : is_translation g d h = true -> is_mesh g = false /\ length d = length (radices g) /\
  forall u, inside (radices g) u -> image (of_nodes h) (node_number g u) = node_number g (translated (radices g) d u).
Proof.
  intros H. unfold is_translation in H. apply andb_prop in H. destruct H as [H T]. apply andb_prop in H. destruct H as [M D].
  apply Nat.eqb_eq in D. destruct (is_mesh g); [discriminate|]. split; [reflexivity|]. split; [exact D|].
  rewrite forallb_forall in T. intros u I. apply Key.eqb_eq, T, nodes_correct, I.
Qed.

Lemma translated_inside l : forall d x, inside l x -> inside l (translated l d x).
Proof.
  induction l as [|k l IH]; intros d x X; inversion X; subst; [destruct d; constructor|]. destruct d as [|a d]; simpl; [exact X|].
  constructor; [apply N.mod_lt; lia|apply IH; assumption].
Qed.

Theorem defined_translated g r d h x z : is_translation g d h = true -> inside (radices g) x -> inside (radices g) z ->
  defined_paths g r (translated (radices g) d x) (translated (radices g) d z) = moved_paths h (defined_paths g r x z).
Proof.
  intros T X Z. destruct (translation_correct _ _ _ T) as [M [D H]]. unfold defined_paths, moved_paths.
  rewrite paths_translated by assumption. rewrite map_map. apply map_ext. intros [q p]. simpl. f_equal.
  revert x X. induction p as [|[m n] p IH]; intros x X; [reflexivity|]. simpl.
  rewrite moved_translated by exact X. rewrite IH by (apply moved_inside; exact X). unfold moved_arc at 2. simpl.
  rewrite !H by (try apply moved_inside; exact X). reflexivity.
Qed.

Fixpoint difference (l x y : list N) : list N :=
  match l, x, y with k :: l, a :: x, b :: y => ((b + (k - a)) mod k)%N :: difference l x y | _, _, _ => [] end.

Fixpoint same_node (x y : list N) : bool :=
  match x, y with [], [] => true | a :: x, b :: y => N.eqb a b && same_node x y | _, _ => false end.

Lemma same_node_correct x : forall y, same_node x y = true -> x = y.
Proof.
  induction x as [|a x IH]; intros [|b y] H; try discriminate; [reflexivity|]. apply andb_prop in H. destruct H as [E H].
  apply N.eqb_eq in E. rewrite E, (IH y H). reflexivity.
Qed.

(** * The test of a routing by loads *)

Section Test.
  Variable g : grid.
  Variable net : network.
  Variable es : list entry.

  Definition row_as_defined (chans : Map.t channel) (by_pair : Map.t (Map.t (list entry))) (here : list (terminal * list N))
      (from_ : positive) (to_ : terminal -> positive) (paths : list N -> choice (list arc)) (i : terminal) : bool :=
    forallb (fun jz => Key.eqb (source i) (sink (fst jz)) ||
      as_defined chans (of_keys from_ (to_ (fst jz)) by_pair) (paths (snd jz))) here.

  Hypothesis U : NoDup (map number (channels net)).
  Hypothesis D : distinct2 tail head (channels net) = true.
  Hypothesis On : forall e, In e es -> Map.mem (on e) (find_by number (channels net)) = true.
  Let row := row_as_defined (find_by number (channels net)) (group2 from to es) (placed g net).

  Lemma row_correct a to_ paths i j z c : row a to_ paths i = true -> In (j, z) (placed g net) -> source i <> sink j ->
    In c (channels net) -> amount_of es a (to_ j) (number c) == carried (paths z) (ends c).
  Proof.
    intros H J N C. unfold row, row_as_defined in H. rewrite forallb_forall in H. specialize (H (j, z) J). simpl in H.
    destruct (Key.eqb_spec (source i) (sink j)) as [E|_]; [contradiction|]. simpl in H. rewrite group2_correct in H.
    apply (as_defined_correct net _ _ c U D) in H; [|intros e E|exact C].
    - rewrite <- H. symmetry. apply amount_by_pair.
    - unfold select in E. apply filter_In in E. destruct E as [E _]. apply filter_In in E. apply On, E.
  Qed.
End Test.

(** ** Loads that are written out: where the grid has translations, the paths from 0 moved. *)

Definition origin (g : grid) : list N := map (fun _ => 0%N) (radices g).

Definition by_displacement (g : grid) (rule : rule) : Map.t (list N * choice (list arc)) :=
  if is_mesh g then Map.empty _ else
  fold_left (fun m z => let ps := defined_paths g rule (origin g) z in let qs := gathered ps in
    if carry_the_same ps qs then Map.add (node_number g z) (z, qs) m else m) (nodes (radices g)) (Map.empty _).

Definition moved_to (g : grid) (d : list N) : relabelling :=
  Relabelling (fold_left (fun m u => Map.add (node_number g u) (node_number g (translated (radices g) d u)) m) (nodes (radices g)) (Map.empty _))
              (Map.empty _) (Map.empty _).

Definition paths_from (g : grid) (rule : rule) (known : Map.t (list N * choice (list arc))) (x : list N) : list N -> choice (list arc) :=
  let h := moved_to g x in
  if is_translation g x h && same_node x (translated (radices g) x (origin g))
  then fun z => match Map.find (node_number g (difference (radices g) x z)) known with
                | Some (z', qs) => if same_node z (translated (radices g) x z') then moved_paths h qs else defined_paths g rule x z
                | None => defined_paths g rule x z
                end
  else defined_paths g rule x.

Lemma by_displacement_correct g rule k z qs : Map.find k (by_displacement g rule) = Some (z, qs) ->
  inside (radices g) z /\ carry_the_same (defined_paths g rule (origin g) z) qs = true.
Proof.
  unfold by_displacement. destruct (is_mesh g); [rewrite Map.gempty; discriminate|].
  assert (H : forall l m, (forall u, In u l -> inside (radices g) u) ->
    (Map.find k m = Some (z, qs) -> inside (radices g) z /\ carry_the_same (defined_paths g rule (origin g) z) qs = true) ->
    Map.find k (fold_left (fun m z => let ps := defined_paths g rule (origin g) z in let qs := gathered ps in
      if carry_the_same ps qs then Map.add (node_number g z) (z, qs) m else m) l m) = Some (z, qs) ->
    inside (radices g) z /\ carry_the_same (defined_paths g rule (origin g) z) qs = true).
  { induction l as [|u l IH]; intros m I M F; [exact (M F)|]. simpl in F. refine (IH _ _ _ F); [intros v V; apply I; right; exact V|].
    cbv zeta. destruct (carry_the_same (defined_paths g rule (origin g) u) (gathered (defined_paths g rule (origin g) u))) eqn:C; [|exact M].
    destruct (Key.eqb_spec k (node_number g u)) as [->|N].
    - rewrite Map.gss. intros E. injection E as <- <-. split; [apply I; left; reflexivity|exact C].
    - rewrite Map.gso by exact N. exact M. }
  apply H; [intros u; apply nodes_correct|]. rewrite Map.gempty. discriminate.
Qed.

Lemma origin_inside g x : inside (radices g) x -> inside (radices g) (origin g).
Proof. unfold origin, inside. induction 1; simpl; constructor; [lia|assumption]. Qed.

Lemma paths_from_correct g rule x z a : inside (radices g) x ->
  carried (paths_from g rule (by_displacement g rule) x z) a == carried (defined_paths g rule x z) a.
Proof.
  intros X. unfold paths_from. cbv zeta. destruct (_ && _) eqn:T; [|reflexivity]. destruct (Map.find _ _) as [[z' qs]|] eqn:F; [|reflexivity].
  destruct (same_node z _) eqn:S; [|reflexivity]. apply by_displacement_correct in F. destruct F as [Z C].
  apply andb_prop in T. destruct T as [T O]. apply same_node_correct in S, O. rewrite S. rewrite O at 2.
  rewrite (defined_translated _ _ _ _ _ _ T (origin_inside _ _ X) Z), !moved_paths_weighed. symmetry. apply carry_the_same_correct, C.
Qed.

Definition check_follows (g : grid) (rule : rule) (net : network) (r : shown) : bool :=
  let b := between r in
  let here := placed g net in
  let row := row_as_defined (find_by number (channels net)) (group2 from to (entries_of (data r))) here in
  let plain ix := row (sends_as b (fst ix)) (receives_as b) (defined_paths g rule (snd ix)) (fst ix) in
  distinct2 tail head (channels net) &&
  match by_images r with
  | None =>
      let known := by_displacement g rule in
      forallb (fun ix => row (sends_as b (fst ix)) (receives_as b) (paths_from g rule known (snd ix)) (fst ix)) here
  | Some y =>
      (* of translations only the rows that are listed are looked at, once *)
      let listed := fold_left (fun m ix => if is_listed b y (fst ix) && plain ix then Map.add (sends_as b (fst ix)) (snd ix) m else m)
                              here (Map.empty (list N)) in
      forallb (fun ix => match Map.find (sends_as b (fst ix)) (back y) with
        | Some h =>
            let k := end_of b h (sends_as b (fst ix)) in
            match Map.find k listed with
            | Some x => let d := difference (radices g) (snd ix) x in
                        same_node x (translated (radices g) d (snd ix)) && is_translation g d h
            | None => false
            end || row k (fun j => end_of b h (receives_as b j)) (fun z => moved_paths h (defined_paths g rule (snd ix) z)) (fst ix)
        | None => false
        end) here
  end.

Lemma listed_correct (keep : terminal * list N -> bool) (key : terminal -> positive) here k x :
  Map.find k (fold_left (fun m ix => if keep ix then Map.add (key (fst ix)) (snd ix) m else m) here (Map.empty (list N))) = Some x ->
  exists i, In (i, x) here /\ key i = k /\ keep (i, x) = true.
Proof.
  assert (H : forall l m, Map.find k (fold_left (fun m ix => if keep ix then Map.add (key (fst ix)) (snd ix) m else m) l m) = Some x ->
    Map.find k m = Some x \/ exists i, In (i, x) l /\ key i = k /\ keep (i, x) = true).
  { induction l as [|[i y] l IH]; intros m F; [left; exact F|]. simpl in F. destruct (IH _ F) as [M|[i' [I X]]].
    - destruct (keep (i, y)) eqn:K; [|left; exact M]. simpl in M. destruct (Key.eqb_spec k (key i)) as [->|N].
      + rewrite Map.gss in M. injection M as ->. right. exists i. split; [left; reflexivity|auto].
      + rewrite Map.gso in M by exact N. left. exact M.
    - right. exists i'. split; [right; exact I|exact X]. }
  intros F. destruct (H here _ F) as [M|M]; [|exact M]. rewrite Map.gempty in M. discriminate.
Qed.

Theorem check_follows_correct g rule net r : NoDup (map number (channels net)) -> NoDup (map name (terminals net)) ->
  check_shown net r = true -> is_grid g net -> check_follows g rule net r = true -> follows_rule g rule net (the_routing r).
Proof.
  intros U UT W G H. split; [exact G|]. intros i x j z I J N c C. unfold check_follows in H. cbv zeta in H.
  apply andb_prop in H. destruct H as [D H]. pose proof (fun e => entries_on net r e W) as On.
  destruct (placed_correct _ _ _ _ G I) as [TI [XI [SI _]]]. destruct (placed_correct _ _ _ _ G J) as [TJ [ZJ [_ KJ]]].
  unfold the_routing. destruct (by_images r) as [y|] eqn:Y.
  2:{ cbv zeta in H. rewrite forallb_forall in H. specialize (H (i, x) I). unfold routing_of.
      rewrite (row_correct _ _ _ U D On _ _ _ _ _ _ _ H J N C). apply paths_from_correct, XI. }
  rewrite forallb_forall in H. specialize (H (i, x) I). simpl fst in H. simpl snd in H. unfold routing_by_images.
  pose proof W as W'. unfold check_shown in W'. rewrite Y in W'. apply andb_prop in W'. destruct W' as [W' _]. apply andb_prop in W'.
  destruct W' as [W' _]. apply andb_prop in W'. destruct W' as [W' _].
  destruct (back_of _ _ _ _ U UT i W' TI) as [h [F [A _]]]. rewrite F in *. pose proof A as [JN [_ [_ [PC PT]]]].
  pose proof (moved_in _ _ _ PC C) as C'. rewrite <- (carried_moved h _ c JN).
  apply orb_prop in H. destruct H as [H|H].
  2:{ exact (row_correct _ _ _ U D On _ _ _ _ _ _ _ H J N C'). }
  destruct (Map.find _ _) as [x'|] eqn:L; [|discriminate]. apply listed_correct in L. destruct L as [i' [I' [K P]]].
  apply andb_prop in H. destruct H as [S T]. apply same_node_correct in S. set (d := difference _ _ _) in *. clearbody d.
  destruct (translation_correct _ _ _ T) as [M [DL TR]]. apply andb_prop in P. destruct P as [_ P].
  destruct (is_placed g net (moved_terminal h j) G (moved_in _ _ _ PT TJ)) as [z' J'].
  destruct (placed_correct _ _ _ _ G J') as [_ [ZI' [_ K']]]. destruct (placed_correct _ _ _ _ G I') as [_ [XI' [SI' _]]].
  assert (Z : z' = translated (radices g) d z).
  { simpl in K'. rewrite KJ, (TR z ZJ) in K'. symmetry in K'.
    apply (number_from_once _ _ _ _ _ ZI' (translated_inside _ d _ ZJ) K'). }
  assert (N' : source i' <> sink (moved_terminal h j)).
  { intros E. rewrite SI', K', Z, S, <- (TR x XI), <- (TR z ZJ) in E. apply JN in E. apply N. rewrite SI, KJ. exact E. }
  pose proof (row_correct _ _ _ U D On _ _ _ _ _ _ _ P J' N' C') as R. simpl fst in R. rewrite K, receives_as_moved in R.
  rewrite <- (defined_translated g rule d h x z T XI ZJ), <- S, <- Z. exact R.
Qed.

(** * The test of a routing by paths *)

Definition at_end (x : list arc * Q) : bool := match fst x with [] => true | _ => false end.
Definition next_arc (x : list arc * Q) : arc := hd (1, 1)%positive (fst x).
Definition beyond (x : list arc * Q) : list arc * Q := (tl (fst x), snd x).

Fixpoint zero_paths (fuel : nat) (l : list (list arc * Q)) : bool :=
  match fuel with
  | O => false
  | S fuel =>
      Qeq_bool (total snd (filter at_end l)) 0 &&
      all_groups2 (fun x => fst (next_arc x)) (fun x => snd (next_arc x)) (fun _ _ part => zero_paths fuel (map beyond part))
        (filter (fun x => negb (at_end x)) l)
  end.

Lemma zero_paths_correct fuel : forall l, zero_paths fuel l = true -> forall w, sum (fun x => when (same_arcs (fst x) w) (snd x)) l == 0.
Proof.
  induction fuel as [|fuel IH]; [discriminate|]. simpl. intros l H w. apply andb_prop in H. destruct H as [E H].
  destruct w as [|a w].
  - apply Qeq_bool_iff in E. rewrite total_correct, sum_filter in E. rewrite <- E. apply sum_ext. intros [[|b q] x] _; reflexivity.
  - transitivity (sum (fun x => when (same_arcs (fst (beyond x)) w) (snd x))
      (select (fun x => fst (next_arc x)) (fun x => snd (next_arc x)) (fst a) (snd a) (filter (fun x => negb (at_end x)) l))).
    + rewrite sum_select, sum_filter. apply sum_ext. intros [[|b q] x] _; [reflexivity|]. unfold at_end, next_arc, beyond. simpl.
      unfold when, same_arc. destruct (Key.eqb (fst b) (fst a)), (Key.eqb (snd b) (snd a)); reflexivity.
    + destruct (all_groups2_correct _ _ _ _ H (fst a) (snd a)) as [G|G].
      * specialize (IH _ G w). rewrite sum_map in IH. exact IH.
      * match type of G with ?s = _ => change (sum (fun x => when (same_arcs (fst (beyond x)) w) (snd x)) s == 0) end.
        rewrite G. reflexivity.
Qed.

Definition arc_at (chans : Map.t channel) (k : positive) : arc := match Map.find k chans with Some c => ends c | None => (1, 1)%positive end.

Definition path_item (chans : Map.t channel) (p : path) : list arc * Q := (map (fun h => arc_at chans (fst h)) (hops p), share p).

Definition check_paths_follow (g : grid) (rule : rule) (net : network) (b : kind_of_pairs) (l : list path) : bool :=
  let chans := find_by number (channels net) in
  let by_pair := group2 path_from path_to l in
  let here := placed g net in
  let fuel := S (S (List.length (channels net) + List.length (channels net))) in
  distinct2 tail head (channels net) &&
  forallb (fun ix => forallb (fun jz => Key.eqb (source (fst ix)) (sink (fst jz)) ||
    zero_paths fuel (rev_append (map (path_item chans) (of_keys (sends_as b (fst ix)) (receives_as b (fst jz)) by_pair))
                                (map (fun p => (snd p, - fst p)) (defined_paths g rule (snd ix) (snd jz))))) here) here.

Lemma same_arcs_numbers net (hs : list hop) : NoDup (map number (channels net)) -> distinct2 tail head (channels net) = true ->
  (forall h, In h hs -> Map.mem (fst h) (find_by number (channels net)) = true) ->
  forall cs, (forall c, In c cs -> In c (channels net)) ->
  same_arcs (map (fun h => arc_at (find_by number (channels net)) (fst h)) hs) (map ends cs) = same_numbers (map fst hs) (map number cs).
Proof.
  intros U D. induction hs as [|h hs IH]; intros On [|c cs] C; try reflexivity. simpl.
  rewrite IH by (intros x X; first [apply On; right; exact X|apply C; right; exact X]). f_equal.
  specialize (On h (or_introl eq_refl)). specialize (C c (or_introl eq_refl)). rewrite Map.mem_find in On. unfold arc_at.
  destruct (Map.find (fst h) _) as [c'|] eqn:F; [|discriminate]. apply find_by_correct in F. destruct F as [C' <-].
  destruct (Key.eqb_spec (number c') (number c)) as [E|E].
  - rewrite (same_by_key number _ _ _ U C' C E). unfold same_arc. rewrite !Key.eqb_refl. reflexivity.
  - destruct (same_arc (ends c') (ends c)) eqn:S; [|reflexivity]. exfalso. apply E. f_equal. exact (arcs_once net _ _ D C' C S).
Qed.

Theorem check_paths_follow_correct g rule net r l : NoDup (map number (channels net)) -> data r = ByPaths l -> check_shown net r = true ->
  is_grid g net -> check_paths_follow g rule net (between r) l = true -> paths_follow_rule g rule net (between r) l.
Proof.
  intros U E W G H. split; [exact G|]. intros i x j z I J N cs C. apply andb_prop in H. destruct H as [D H].
  rewrite forallb_forall in H. specialize (H _ I). rewrite forallb_forall in H. specialize (H _ J). simpl fst in H. simpl snd in H.
  destruct (Key.eqb_spec (source i) (sink j)) as [S|_]; [contradiction|]. rewrite group2_correct in H.
  apply zero_paths_correct with (w := map ends cs) in H. rewrite sum_rev_append, !sum_map in H.
  unfold along, likely, paths_of. rewrite sum_map. simpl in H. simpl fst. simpl snd.
  assert (M : forall ps : choice (list arc), sum (fun p => when (same_arcs (snd p) (map ends cs)) (- fst p)) ps
    == - sum (fun p => when (same_arcs (snd p) (map ends cs)) (fst p)) ps).
  { induction ps as [|p ps IH]; simpl; [reflexivity|]. rewrite IH. unfold when. destruct (same_arcs _ _); ring. }
  rewrite M in H.
  assert (L : sum (fun p => when (same_numbers (map fst (hops p)) (map number cs)) (share p)) (select path_from path_to (sends_as (between r) i) (receives_as (between r) j) l)
    == sum (fun p => when (same_arcs (map (fun h => arc_at (find_by number (channels net)) (fst h)) (hops p)) (map ends cs)) (share p))
       (select path_from path_to (sends_as (between r) i) (receives_as (between r) j) l)); [|lra].
  apply sum_ext. intros p P. rewrite same_arcs_numbers; [reflexivity|exact U|exact D| |exact C]. intros h Hh.
  apply (entries_on net r (Entry (path_from p) (path_to p) (fst h) (share p)) W). rewrite E. simpl. apply in_flat_map. exists p.
  split; [|apply in_map_iff; exists h; auto]. unfold select in P. apply filter_In in P. destruct P as [P _]. apply filter_In in P. apply P.
Qed.
