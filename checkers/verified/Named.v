(** Routings that names stand for: what each of them is, and the test that a routing is it. *)

Require Import List Bool NArith PArith ZArith QArith Lqa Setoid Morphisms Lia String Permutation.
From Routeproof Require Import Sums Network Flows Demands Loads Symmetry Order Checker.
Import ListNotations.
Local Open Scope Q_scope.

(** * What the names mean *)

(** Channel c leads nearer to node d: by one channel, on a shortest way. *)
Definition nearer (net : network) (d : positive) (c : channel) : Prop :=
  exists m n, is_distance net (tail c) d m /\ is_distance net (head c) d n /\ m == n + 1.

(** How many ways of n channels lead from v to d. *)
Fixpoint num_ways (net : network) (n : nat) (v d : positive) : Q :=
  match n with
  | O => if Key.eqb v d then 1 else 0
  | S n => sum (fun c => when (Key.eqb (tail c) v) (num_ways net n (head c) d)) (channels net)
  end.

(** At each node all channels that lead nearer, or all shortest paths, are as likely. *)
Inductive chosen := PerHop | PerPath.

(** In which proportion channels that lead nearer to d are taken: 1, or how many shortest paths begin with the channel. *)
Definition weighs (net : network) (k : chosen) (d : positive) (c : channel) (w : Q) : Prop :=
  match k with
  | PerHop => w == 1
  | PerPath => exists n, is_distance net (head c) d (inject_Z (Z.of_nat n)) /\ w == num_ways net n (head c) d
  end.

(** Packets take only channels that lead nearer to where they go; at each node these carry in proportion. *)
Definition minimal (net : network) (k : chosen) (R : routing) : Prop :=
  forall i j, In i (terminals net) -> In j (terminals net) -> source i <> sink j ->
  (forall c, In c (channels net) -> 0 < R i j (number c) -> nearer net (sink j) c) /\
  forall c c' w w', In c (channels net) -> In c' (channels net) -> tail c = tail c' ->
  nearer net (sink j) c -> nearer net (sink j) c' -> weighs net k (sink j) c w -> weighs net k (sink j) c' w' ->
  R i j (number c) * w' == R i j (number c') * w.

(** Where these channels lead from v. *)
Inductive leads (net : network) : positive -> list positive -> positive -> Prop :=
  | nowhere v : leads net v [] v
  | onward c l w : In c (channels net) -> leads net (head c) l w -> leads net (tail c) (number c :: l) w.

Fixpoint begins (q l : list positive) : bool :=
  match q, l with
  | [], _ => true
  | k :: q, x :: l => Key.eqb k x && begins q l
  | _, [] => false
  end.

(** How much takes first these channels. *)
Definition first (ps : list (list positive * Q)) (q : list positive) : Q := sum (fun p => when (begins q (fst p)) (snd p)) ps.

(** The paths from a to z, and how much takes each. *)
Definition paths_of (l : list path) (a z : positive) : list (list positive * Q) :=
  map (fun p => (map fst (hops p), share p)) (select path_from path_to a z l).

(** The same of paths: packets that came to a node in one way divide so among the channels that lead nearer. *)
Definition divides (net : network) (k : chosen) (s d : positive) (ps : list (list positive * Q)) : Prop :=
  (forall p, In p ps -> leads net s (fst p) d) /\
  forall q c, In c (channels net) ->
  (0 < first ps (q ++ [number c]) -> nearer net d c) /\
  forall c' w w', In c' (channels net) -> tail c = tail c' -> leads net s q (tail c) -> nearer net d c -> nearer net d c' ->
  weighs net k d c w -> weighs net k d c' w' -> first ps (q ++ [number c]) * w' == first ps (q ++ [number c']) * w.

Definition minimal_paths (net : network) (k : chosen) (b : kind_of_pairs) (l : list path) : Prop :=
  forall i j, In i (terminals net) -> In j (terminals net) -> source i <> sink j ->
  let ps := paths_of l (sends_as b i) (receives_as b j) in
  first ps [] == 1 /\ divides net k (source i) (sink j) ps.

(** * Distances *)

Definition hops_of (n : N) : Q := inject_Z (Z.of_N n).

Section Distances.
  Variable net : network.
  Variable d : positive.

  (** Breadth first, against the channels. Nothing is proved about it: [check_distances] tests what it finds. *)
  Definition reach (n : N) (c : channel) (found : Map.t N * list positive) : Map.t N * list positive :=
    if Map.mem (tail c) (fst found) then found else (Map.add (tail c) n (fst found), tail c :: snd found).

  Fixpoint spread_back (fuel : nat) (arriving : Map.t (list channel)) (n : N) (front : list positive) (found : Map.t N)
      (order : list positive) : Map.t N * list positive :=
    match fuel, front with
    | O, _ | _, [] => (found, order)
    | S fuel, _ =>
        let (found, next) := fold_left (fun x v => fold_left (fun x c => reach n c x) (of_key v arriving) x) front (found, []) in
        spread_back fuel arriving (n + 1) next found (rev_append front order)
    end.

  (** The channels that lead nearer, if these are the distances to d. *)
  Definition leads_nearer (dist : Map.t N) (c : channel) : bool :=
    match Map.find (tail c) dist, Map.find (head c) dist with
    | Some m, Some n => N.eqb m (n + 1)
    | _, _ => false
    end.

  (** How many shortest paths lead on from each node, the nearest first; [check_counts] tests that. *)
  Definition counts_of (near : Map.t (list channel)) (order : list positive) : Map.t Q :=
    fold_left (fun m v => Map.add v (if Key.eqb v d then 1 else total (fun c => value m (head c)) (of_key v near)) m) order (Map.empty Q).

  Definition check_counts (dist : Map.t N) (near : Map.t (list channel)) (counts : Map.t Q) : bool :=
    forallb (fun e => Qeq_bool (value counts (fst e))
      (if Key.eqb (fst e) d then 1 else total (fun c => value counts (head c)) (of_key (fst e) near))) (Map.elements dist).

  (** [near]: the channels that lead nearer, by the node that they leave. *)
  Definition check_distances (dist : Map.t N) (near : Map.t (list channel)) : bool :=
    match Map.find d dist with Some n => N.eqb n 0 | None => false end &&
    forallb (fun c => match Map.find (head c) dist with
                      | Some n => match Map.find (tail c) dist with Some m => N.leb m (n + 1) | None => false end
                      | None => true
                      end) (channels net) &&
    forallb (fun e => Key.eqb (fst e) d || match of_key (fst e) near with [] => false | _ => true end) (Map.elements dist).

  Lemma first_step s v n c : walk net s v n -> In c (channels net) -> head c = s -> exists m, m == n + 1 /\ walk net (tail c) v m.
  Proof.
    intros W C E. induction W as [s|s e n W IH I].
    - exists (0 + 1). split; [reflexivity|]. rewrite <- E. apply further; [apply here|exact C].
    - destruct (IH E) as [m [M X]]. exists (m + 1). split; [rewrite M; ring|]. apply further; assumption.
  Qed.

  Variable dist : Map.t N.
  Let near := group tail (filter (leads_nearer dist) (channels net)).
  Hypothesis H : check_distances dist near = true.

  Lemma far_as_found v n : Map.find v dist = Some n -> exists m, m == hops_of n /\ walk net v d m.
  Proof.
    pose proof H as H'. apply andb_prop in H'. destruct H' as [H' B]. apply andb_prop in H'. destruct H' as [Z F].
    revert v. induction n as [n IH] using (well_founded_induction N.lt_wf_0). intros v V.
    destruct (Key.eqb_spec v d) as [->|N].
    - rewrite V in Z. apply N.eqb_eq in Z. subst n. exists 0. split; [reflexivity|apply here].
    - rewrite forallb_forall in B. specialize (B (v, n) (Map.elements_correct _ _ V)). simpl in B.
      destruct (Key.eqb_spec v d) as [E|_]; [contradiction|]. simpl in B.
      destruct (of_key v near) as [|c l] eqn:K; [discriminate|].
      assert (I : In c (of_key v near)) by (rewrite K; left; reflexivity). unfold near in I. rewrite group_correct in I.
      apply filter_In in I. destruct I as [I T]. apply Key.eqb_eq in T. apply filter_In in I. destruct I as [C L].
      unfold leads_nearer in L. rewrite T, V in L. destruct (Map.find (head c) dist) as [k|] eqn:K'; [|discriminate].
      apply N.eqb_eq in L. destruct (IH k ltac:(lia) (head c) K') as [m [M W]].
      destruct (first_step _ _ _ c W C eq_refl) as [m' [M' W']]. rewrite T in W'. exists m'. split; [|exact W'].
      rewrite M', M, L. unfold hops_of. rewrite N2Z.inj_add, inject_Z_plus. reflexivity.
  Qed.

  Lemma no_nearer s v m : walk net s v m -> forall n, Map.find v dist = Some n ->
    exists k, Map.find s dist = Some k /\ hops_of k <= hops_of n + m.
  Proof.
    pose proof H as H'. apply andb_prop in H'. destruct H' as [H' _]. apply andb_prop in H'. destruct H' as [_ F]. rewrite forallb_forall in F.
    intros W. induction W as [s|s c m W IH C]; intros n V.
    - exists n. split; [exact V|lra].
    - specialize (F c C). rewrite V in F. destruct (Map.find (tail c) dist) as [k|] eqn:K; [|discriminate].
      apply N.leb_le in F. destruct (IH k eq_refl) as [k' [E L]]. exists k'. split; [exact E|].
      assert (X : hops_of k <= hops_of n + 1).
      { unfold hops_of. rewrite <- (inject_Z_plus _ 1), <- Zle_Qle. lia. }
      lra.
  Qed.

  Lemma found_is_distance v n : Map.find v dist = Some n -> is_distance net v d (hops_of n).
  Proof.
    intros V. split; [apply far_as_found; exact V|]. intros m W.
    pose proof H as H'. apply andb_prop in H'. destruct H' as [H' _]. apply andb_prop in H'. destruct H' as [Z _].
    destruct (Map.find d dist) as [z|] eqn:D; [|discriminate]. apply N.eqb_eq in Z. subst z.
    destruct (no_nearer _ _ _ W 0%N D) as [k [E L]]. rewrite V in E. injection E as <-. change (hops_of 0) with 0 in L. lra.
  Qed.

  Lemma distance_once v m n : is_distance net v d m -> is_distance net v d n -> m == n.
  Proof. intros [[a [A W]] L] [[b [B W']] L']. specialize (L b W'). specialize (L' a W). lra. Qed.

  Lemma distance_is_found v m : is_distance net v d m -> exists n, Map.find v dist = Some n /\ m == hops_of n.
  Proof.
    intros D. pose proof D as [[a [_ W]] _]. pose proof H as Z. apply andb_prop in Z. destruct Z as [Z _]. apply andb_prop in Z.
    destruct Z as [Z _]. destruct (Map.find d dist) as [z|] eqn:E; [|discriminate].
    destruct (no_nearer _ _ _ W z E) as [k [K _]]. exists k. split; [exact K|].
    exact (distance_once v _ _ D (found_is_distance _ _ K)).
  Qed.

  Theorem leads_nearer_correct c : leads_nearer dist c = true <-> nearer net d c.
  Proof.
    unfold leads_nearer. split.
    - destruct (Map.find (tail c) dist) as [m|] eqn:T; [|discriminate]. destruct (Map.find (head c) dist) as [n|] eqn:E; [|discriminate].
      intros X. apply N.eqb_eq in X. exists (hops_of m), (hops_of n).
      split; [apply found_is_distance; exact T|]. split; [apply found_is_distance; exact E|].
      rewrite X. unfold hops_of. rewrite N2Z.inj_add, inject_Z_plus. reflexivity.
    - intros [m [n [T [E X]]]]. destruct (distance_is_found _ _ T) as [m' [-> M]]. destruct (distance_is_found _ _ E) as [n' [-> N]].
      apply N.eqb_eq. rewrite M, N in X. unfold hops_of in X. rewrite <- (inject_Z_plus _ 1) in X.
      unfold Qeq in X. simpl in X. lia.
  Qed.

  Lemma nothing_or {A} (P : A -> Prop) (f : A -> Q) l : (forall x, In x l -> f x == 0 \/ P x) ->
    sum f l == 0 \/ exists x, In x l /\ P x.
  Proof.
    induction l as [|x l IH]; intros F; [left; reflexivity|]. destruct (F x (or_introl eq_refl)) as [Z|X].
    - destruct IH as [S|[y [Y X]]]; [intros y Y; apply F; right; exact Y| |].
      + left. simpl. rewrite Z, S. reflexivity.
      + right. exists y. split; [right; exact Y|exact X].
    - right. exists x. split; [left; reflexivity|exact X].
  Qed.

  Lemma ways_are_walks n : forall v, num_ways net n v d == 0 \/ exists m, m == inject_Z (Z.of_nat n) /\ walk net v d m.
  Proof.
    induction n as [|n IH]; intros v.
    - simpl. destruct (Key.eqb_spec v d) as [->|_]; [right; exists 0; split; [reflexivity|apply here]|left; reflexivity].
    - simpl num_ways. destruct (nothing_or (fun c => tail c = v /\ exists m, m == inject_Z (Z.of_nat n) /\ walk net (head c) d m)
        (fun c => when (Key.eqb (tail c) v) (num_ways net n (head c) d)) (channels net)) as [Z|[c [C [T [m [M W]]]]]].
      + intros c C. destruct (Key.eqb_spec (tail c) v) as [T|_]; [|left; reflexivity]. simpl.
        destruct (IH (head c)) as [Z|W]; [left; exact Z|right; auto].
      + left. exact Z.
      + right. destruct (first_step _ _ _ c W C eq_refl) as [m' [M' W']]. exists m'. rewrite T in W'. split; [|exact W'].
        rewrite M', M, Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. reflexivity.
  Qed.

  Variable counts : Map.t Q.
  Hypothesis HC : check_counts dist near counts = true.

  Lemma counts_correct n : forall v, Map.find v dist = Some (N.of_nat n) -> value counts v == num_ways net n v d.
  Proof.
    pose proof H as Z. apply andb_prop in Z. destruct Z as [Z _]. apply andb_prop in Z. destruct Z as [Z F]. rewrite forallb_forall in F.
    destruct (Map.find d dist) as [z|] eqn:E; [|discriminate]. apply N.eqb_eq in Z. subst z.
    pose proof HC as C. unfold check_counts in C. rewrite forallb_forall in C.
    induction n as [|n IH]; intros v V; specialize (C (v, _) (Map.elements_correct _ _ V)); simpl fst in C; apply Qeq_bool_iff in C;
      rewrite C; destruct (Key.eqb_spec v d) as [Y|N].
    - rewrite Y. simpl. rewrite Key.eqb_refl. reflexivity.
    - simpl num_ways. destruct (Key.eqb_spec v d) as [X|_]; [contradiction|].
      destruct (of_key v near) as [|c l] eqn:K; [rewrite total_correct; reflexivity|]. exfalso.
      assert (I : In c (of_key v near)) by (rewrite K; left; reflexivity). unfold near in I. rewrite group_correct in I.
      apply filter_In in I. destruct I as [I T]. apply Key.eqb_eq in T. apply filter_In in I. destruct I as [_ L].
      unfold leads_nearer in L. rewrite T, V in L. destruct (Map.find (head c) dist); [|discriminate]. apply N.eqb_eq in L. simpl in L. lia.
    - rewrite Y, E in V. injection V as V. lia.
    - rewrite total_correct. unfold near. rewrite group_correct, sum_filter, sum_filter. simpl num_ways. apply sum_ext. intros c Cc.
      destruct (Key.eqb_spec (tail c) v) as [T|T]; simpl when; [|destruct (leads_nearer dist c); reflexivity].
      destruct (leads_nearer dist c) eqn:L; simpl when.
      + apply IH. unfold leads_nearer in L. rewrite T, V in L. destruct (Map.find (head c) dist) as [k|]; [|discriminate].
        apply N.eqb_eq in L. f_equal. lia.
      + destruct (ways_are_walks n (head c)) as [Y|[m [M W]]]; [rewrite Y; reflexivity|]. exfalso.
        destruct (no_nearer _ _ _ W 0%N E) as [k [K B]]. specialize (F c Cc). rewrite K, T, V in F. apply N.leb_le in F.
        unfold leads_nearer in L. rewrite T, V, K in L. apply N.eqb_neq in L. rewrite M in B. change (hops_of 0) with 0 in B.
        unfold hops_of in B. rewrite Qplus_0_l, <- Zle_Qle in B. lia.
  Qed.

  Definition weight (k : chosen) (c : channel) : Q := match k with PerHop => 1 | PerPath => value counts (head c) end.

  Lemma weight_correct k c w : weighs net k d c w -> w == weight k c.
  Proof.
    destruct k; simpl; [auto|]. intros [n [D W]]. rewrite W. symmetry. apply counts_correct.
    destruct (distance_is_found _ _ D) as [m [M E]]. rewrite M. f_equal. unfold hops_of, Qeq in E. simpl in E. lia.
  Qed.
End Distances.

(** ** Maps keep them *)

Lemma walk_moved net g s v n : automorphism net g -> walk net s v n ->
  walk net (image (of_nodes g) s) (image (of_nodes g) v) n.
Proof.
  intros [_ [_ [_ [PC _]]]] W. induction W as [s|s c n W IH C]; [apply here|].
  apply (further net _ (moved_channel g c)); [exact IH|apply (moved_in _ _ _ PC C)].
Qed.

Lemma walk_back net g x y n : automorphism net g -> walk net x y n -> forall s, x = image (of_nodes g) s ->
  exists v, y = image (of_nodes g) v /\ walk net s v n.
Proof.
  intros [JN [_ [_ [PC _]]]] W. induction W as [x|x c n W IH C]; intros s E.
  - exists s. split; [exact E|apply here].
  - destruct (IH s E) as [v [T X]]. apply (Permutation_in _ (Permutation_sym PC)) in C. apply in_map_iff in C.
    destruct C as [c' [<- C]]. simpl in *. apply JN in T. subst v. exists (head c'). split; [reflexivity|]. apply further; assumption.
Qed.

Lemma distance_moved net g s v n : automorphism net g ->
  is_distance net (image (of_nodes g) s) (image (of_nodes g) v) n <-> is_distance net s v n.
Proof.
  intros A. pose proof A as [JN _].
  assert (B : forall m, walk net (image (of_nodes g) s) (image (of_nodes g) v) m -> walk net s v m).
  { intros m W. destruct (walk_back _ _ _ _ _ A W s eq_refl) as [w [E X]]. apply JN in E. subst w. exact X. }
  split; intros [[m [M W]] L]; (split; [exists m; split; [exact M|]|intros k K; apply L]).
  - apply B. exact W.
  - apply (walk_moved _ _ _ _ _ A K).
  - apply (walk_moved _ _ _ _ _ A W).
  - apply B. exact K.
Qed.

Lemma nearer_moved net g d c : automorphism net g -> nearer net (image (of_nodes g) d) (moved_channel g c) <-> nearer net d c.
Proof.
  intros A. split; intros [m [n [T [E X]]]]; exists m, n; (split; [|split; [|exact X]]); simpl in *;
    apply (distance_moved net g _ _ _ A); assumption.
Qed.

Lemma num_ways_moved net g d n : automorphism net g -> forall v,
  num_ways net n (image (of_nodes g) v) (image (of_nodes g) d) == num_ways net n v d.
Proof.
  intros [JN [_ [_ [PC _]]]].
  assert (E : forall a b, Key.eqb (image (of_nodes g) a) (image (of_nodes g) b) = Key.eqb a b).
  { intros a b. destruct (Key.eqb_spec a b) as [->|N]; [apply Key.eqb_refl|]. apply Key.eqb_neq. intros X. apply N, JN, X. }
  induction n as [|n IH]; intros v; simpl; [rewrite E; reflexivity|].
  rewrite (sum_moved _ _ _ PC). apply sum_ext. intros c _. simpl. rewrite E. unfold when. destruct (Key.eqb (tail c) v); [apply IH|reflexivity].
Qed.

Lemma weighs_moved net g k d c w : automorphism net g -> weighs net k d c w -> weighs net k (image (of_nodes g) d) (moved_channel g c) w.
Proof.
  intros A. destruct k; simpl; [auto|]. intros [n [D W]]. exists n. split; [apply (distance_moved _ _ _ _ _ A), D|].
  rewrite (num_ways_moved _ _ _ _ A). exact W.
Qed.

(** * The channels that lead nearer to a node, and their weights *)

Record toward := Toward { near_to : Map.t (list channel); weight_to : channel -> Q }.

Definition toward_of (net : network) (k : chosen) (d : positive) : option toward :=
  let (dist, order) := spread_back (S (List.length (channels net))) (group head (channels net)) 1 [d] (Map.add d 0%N (Map.empty N)) [] in
  let near := group tail (filter (leads_nearer dist) (channels net)) in
  let counts := match k with PerHop => Map.empty Q | PerPath => counts_of d near (rev_append order []) end in
  if check_distances net d dist near && match k with PerHop => true | PerPath => check_counts d dist near counts end
  then Some (Toward near (weight counts k)) else None.

Lemma toward_correct net k d t : toward_of net k d = Some t ->
  (forall v c, In c (of_key v (near_to t)) <-> In c (channels net) /\ tail c = v /\ nearer net d c) /\
  forall c w, weighs net k d c w -> w == weight_to t c.
Proof.
  unfold toward_of. destruct (spread_back _ _ _ _ _ _) as [dist order]. cbv zeta. intros H.
  destruct (_ && _) eqn:T; [|discriminate]. injection H as <-. apply andb_prop in T. destruct T as [D C]. simpl. split.
  - intros v c. rewrite group_correct, !filter_In, (leads_nearer_correct net d dist D c), Key.eqb_eq. tauto.
  - intros c w W. destruct k; [exact W|]. exact (weight_correct net d dist D _ C PerPath c w W).
Qed.

(** * The test of a routing by loads *)

(** Its loads from one sender to where the channels lead. *)
Definition even (chans : Map.t channel) (t : toward) (part : list entry) : bool :=
  let by_channel := group on part in
  let load k := total amount (of_key k by_channel) in
  forallb (fun e => match Map.find (on e) chans with
                    | Some c =>
                        let l := of_key (tail c) (near_to t) in
                        existsb (fun c' => Key.eqb (number c') (on e)) l &&
                        forallb (fun c' => Qeq_bool (times (load (number c')) (weight_to t c)) (times (load (on e)) (weight_to t c'))) l
                    | None => false
                    end) part.

Definition receives_at (b : kind_of_pairs) (terms : Map.t terminal) (k : positive) : positive :=
  match b with Nodes => k | Terminals => match Map.find k terms with Some t => sink t | None => k end end.

Definition check_minimal (net : network) (k : chosen) (b : kind_of_pairs) (es : list entry) : bool :=
  let chans := find_by number (channels net) in
  let terms := find_by name (terminals net) in
  all_groups (fun z part =>
    match toward_of net k (receives_at b terms z) with
    | Some t => all_groups (fun _ part => even chans t part) (group from part)
    | None => false
    end) (group to es).

Definition divided (net : network) (k : chosen) (d : positive) (f : flow) : Prop :=
  (forall c, In c (channels net) -> ~ f (number c) == 0 -> nearer net d c) /\
  forall c c' w w', In c (channels net) -> In c' (channels net) -> tail c = tail c' -> nearer net d c -> nearer net d c' ->
  weighs net k d c w -> weighs net k d c' w' -> f (number c) * w' == f (number c') * w.

Lemma divided_same net k d f f' : (forall c, f c == f' c) -> divided net k d f -> divided net k d f'.
Proof.
  intros E [A B]. split.
  - intros c C N. apply A; [exact C|]. rewrite E. exact N.
  - intros. rewrite <- !E. eapply B; eassumption.
Qed.

Lemma divided_nothing net k d : divided net k d (fun _ => 0).
Proof. split; [intros c _ N; exfalso; apply N; reflexivity|]. intros. ring. Qed.

Lemma even_correct net k part t d : NoDup (map number (channels net)) -> toward_of net k d = Some t ->
  even (find_by number (channels net)) t part = true -> divided net k d (flow_of part).
Proof.
  intros U T H. destruct (toward_correct _ _ _ _ T) as [N V]. unfold even in H. cbv zeta in H. rewrite forallb_forall in H.
  assert (L : forall x, total amount (of_key x (group on part)) == flow_of part x).
  { intros x. rewrite total_correct, group_correct, sum_filter. reflexivity. }
  assert (E : forall e c, In e part -> In c (channels net) -> number c = on e -> nearer net d c /\
    forall c', In c' (channels net) -> tail c' = tail c -> nearer net d c' -> flow_of part (number c') * weight_to t c == flow_of part (number c) * weight_to t c').
  { intros e c I C K. specialize (H e I). rewrite <- K, (find_by_complete number _ c U C) in H. apply andb_prop in H.
    destruct H as [X F]. apply existsb_exists in X. destruct X as [c' [C' E']]. apply Key.eqb_eq in E'. apply N in C'. split.
    - rewrite <- (same_by_key number _ _ _ U (proj1 C') C E'). apply C'.
    - rewrite forallb_forall in F. intros e' I' T' N'. specialize (F e' (proj2 (N _ _) (conj I' (conj T' N')))).
      apply Qeq_bool_iff in F. unfold times in F. rewrite !L in F. exact F. }
  assert (Z : forall c, (exists e, In e part /\ on e = number c) \/ flow_of part (number c) == 0).
  { intros c. destruct (existsb (fun e => Key.eqb (on e) (number c)) part) eqn:X.
    - left. apply existsb_exists in X. destruct X as [e [I K]]. apply Key.eqb_eq in K. exists e. auto.
    - right. apply sum_zero. intros e I. unfold when. destruct (Key.eqb (on e) (number c)) eqn:K; [|reflexivity].
      assert (Y : existsb (fun e => Key.eqb (on e) (number c)) part = true) by (apply existsb_exists; exists e; auto). congruence. }
  split.
  - intros c C P. destruct (Z c) as [[e [I K]]|K]; [|contradiction]. apply (E e c I C (eq_sym K)).
  - intros c c' w w' C C' S A B W W'. rewrite (V _ _ W), (V _ _ W'). destruct (Z c) as [[e [I K]]|K].
    + symmetry. exact (proj2 (E e c I C (eq_sym K)) c' C' (eq_sym S) B).
    + destruct (Z c') as [[e [I K']]|K'].
      * exact (proj2 (E e c' I C' (eq_sym K')) c C S A).
      * rewrite K, K'. ring.
Qed.

Lemma check_minimal_correct net k b es a j : NoDup (map number (channels net)) -> NoDup (map name (terminals net)) ->
  check_minimal net k b es = true -> In j (terminals net) -> divided net k (sink j) (amount_of es a (receives_as b j)).
Proof.
  intros U UT H J. unfold check_minimal in H. cbv zeta in H.
  apply divided_same with (f := flow_of (filter (fun e => Key.eqb (from e) a) (filter (fun e => Key.eqb (to e) (receives_as b j)) es))).
  { intros x. unfold amount_of, flow_of. rewrite !sum_filter. apply sum_ext. intros e _. unfold when.
    destruct (Key.eqb (on e) x), (Key.eqb (from e) a), (Key.eqb (to e) (receives_as b j)); reflexivity. }
  destruct (all_groups_correct to _ es H (receives_as b j)) as [G|G]; [|rewrite G; apply divided_nothing].
  assert (R : receives_at b (find_by name (terminals net)) (receives_as b j) = sink j).
  { destruct b; [reflexivity|]. simpl. rewrite (find_by_complete name _ j UT J). reflexivity. }
  rewrite R in G. destruct (toward_of net k (sink j)) as [t|] eqn:T; [|discriminate].
  destruct (all_groups_correct from _ _ G a) as [E|E]; [|rewrite E; apply divided_nothing].
  exact (even_correct _ _ _ _ _ U T E).
Qed.

Theorem minimal_correct net k r : NoDup (map number (channels net)) -> NoDup (map name (terminals net)) ->
  check_shown net r = true -> check_minimal net k (between r) (entries_of (data r)) = true -> minimal net k (the_routing r).
Proof.
  intros U UT W H i j I J _. unfold the_routing. destruct (by_images r) as [y|] eqn:Y.
  - unfold check_shown in W. rewrite Y in W. apply andb_prop in W. destruct W as [W _]. apply andb_prop in W.
    destruct W as [W _]. apply andb_prop in W. destruct W as [W _].
    destruct (back_of _ _ _ _ U UT i W I) as [g [F [A _]]]. pose proof A as [_ [_ [_ [PC PT]]]].
    unfold routing_by_images. rewrite F, <- receives_as_moved.
    destruct (check_minimal_correct net k (between r) _ (end_of (between r) g (sends_as (between r) i)) (moved_terminal g j) U UT H (moved_in _ _ _ PT J))
      as [X E]. split.
    + intros c C P. apply (nearer_moved net g _ c A). apply (X (moved_channel g c) (moved_in _ _ _ PC C)).
      simpl. intros Z. rewrite Z in P. discriminate.
    + intros c c' w w' C C' T N N' V V'.
      apply (E (moved_channel g c) (moved_channel g c') w w'); try (apply (moved_in _ _ _ PC); assumption);
        try (apply (nearer_moved net g _ _ A); assumption); try (apply weighs_moved; assumption).
      simpl. rewrite T. reflexivity.
  - destruct (check_minimal_correct net k (between r) _ (sends_as (between r) i) j U UT H J) as [X E]. split; [|exact E].
    intros c C P. apply (X c C). unfold routing_of in P. intros Z. rewrite Z in P. discriminate.
Qed.

(** * The test of a routing by paths *)

Definition next_of (p : list positive * Q) : positive := hd 1%positive (fst p).
Definition rest_of (p : list positive * Q) : list positive * Q := (tl (fst p), snd p).
Definition ended (p : list positive * Q) : bool := match fst p with [] => true | _ => false end.

Fixpoint even_paths (fuel : nat) (t : toward) (d v : positive) (ps : list (list positive * Q)) : bool :=
  match fuel with
  | O => false
  | S fuel =>
      if Key.eqb v d then forallb ended ps
      else
        let by_next := group next_of ps in
        let l := of_key v (near_to t) in
        forallb (fun p => negb (ended p)) ps &&
        all_groups (fun k part =>
          match find (fun c => Key.eqb (number c) k) l with
          | Some c => let q := total snd part in
                      forallb (fun c' => Qeq_bool (times (total snd (of_key (number c') by_next)) (weight_to t c)) (times q (weight_to t c'))) l &&
                      even_paths fuel t d (head c) (map rest_of part)
          | None => false
          end) by_next
  end.

Lemma first_of_next ps k q : (forall p, In p ps -> ended p = false) ->
  first ps (k :: q) == first (map rest_of (filter (fun p => Key.eqb (next_of p) k) ps)) q.
Proof.
  intros H. unfold first. rewrite sum_map, sum_filter. apply sum_ext. intros [l x] I. specialize (H _ I).
  destruct l as [|y l]; [discriminate|]. unfold rest_of, next_of. simpl. rewrite (Key.eqb_sym y k). unfold when.
  destruct (Key.eqb k y); simpl; reflexivity.
Qed.

Lemma first_of_none q : first [] q == 0.
Proof. reflexivity. Qed.

Lemma even_paths_correct net k d t : NoDup (map number (channels net)) -> toward_of net k d = Some t ->
  forall fuel v ps, even_paths fuel t d v ps = true -> divides net k v d ps.
Proof.
  intros U D. destruct (toward_correct _ _ _ _ D) as [N V].
  induction fuel as [|fuel IH]; [discriminate|]. simpl. intros v ps H. destruct (Key.eqb_spec v d) as [->|ND].
  - rewrite forallb_forall in H.
    assert (Z : forall q x, first ps (q ++ [x]) == 0).
    { intros q x. apply sum_zero. intros [l y] I. specialize (H _ I). destruct l; [|discriminate]. destruct q; reflexivity. }
    split.
    + intros [l x] I. specialize (H _ I). destruct l; [|discriminate]. apply nowhere.
    + intros q c C. split; [intros P; rewrite Z in P; discriminate|]. intros c' w w' _ _ _ _ _ _ _. rewrite !Z. ring.
  - apply andb_prop in H. destruct H as [E G]. rewrite forallb_forall in E.
    assert (E' : forall p, In p ps -> ended p = false) by (intros p I; specialize (E p I); destruct (ended p); [discriminate|reflexivity]).
    set (part x := filter (fun p => Key.eqb (next_of p) x) ps).
    assert (K : forall x, part x = [] \/ exists c, In c (channels net) /\ tail c = v /\ number c = x /\ nearer net d c /\
      (forall c', In c' (of_key v (near_to t)) -> sum snd (part (number c')) * weight_to t c == sum snd (part x) * weight_to t c') /\
      divides net k (head c) d (map rest_of (part x))).
    { intros x. destruct (all_groups_correct next_of _ ps G x) as [F|F]; [right|left; exact F].
      destruct (find _ _) as [c|] eqn:X; [|discriminate]. apply find_some in X. destruct X as [X Y]. apply Key.eqb_eq in Y.
      apply N in X. destruct X as [C [T X]]. apply andb_prop in F. destruct F as [F R]. rewrite forallb_forall in F.
      exists c. repeat (split; [assumption|]). split; [|apply IH; exact R]. intros c' I. specialize (F c' I).
      apply Qeq_bool_iff in F. unfold times in F. rewrite !total_correct, group_correct in F. exact F. }
    assert (S : forall x, first ps [x] == sum snd (part x)).
    { intros x. rewrite (first_of_next ps x [] E'). unfold first. rewrite sum_map. apply sum_ext. intros p _. reflexivity. }
    split.
    + intros p I. destruct p as [[|x l] q]; [specialize (E _ I); discriminate|].
      assert (J : In (x :: l, q) (part x)) by (apply filter_In; split; [exact I|apply Key.eqb_refl]).
      destruct (K x) as [Z|[c [C [T [M [_ [_ [L _]]]]]]]]; [rewrite Z in J; contradiction|].
      simpl. rewrite <- T, <- M. apply onward; [exact C|]. apply (L (l, q)). apply in_map_iff. exists (x :: l, q). auto.
    + intros q c C. destruct q as [|x q].
      * simpl app. split.
        -- intros P. rewrite S in P. destruct (K (number c)) as [Z|[e [I [T [M [X _]]]]]]; [rewrite Z in P; discriminate|].
           rewrite (same_by_key number _ _ _ U C I (eq_sym M)). exact X.
        -- intros c' w w' C' T L X X' W W'. inversion L as [v' Ev|]; subst. rewrite !S, (V _ _ W), (V _ _ W').
           assert (I : In c (of_key (tail c) (near_to t))) by (apply N; auto).
           assert (I' : In c' (of_key (tail c) (near_to t))) by (apply N; auto).
           destruct (K (number c)) as [Z|[e [Ie [_ [M [_ [F _]]]]]]].
           ++ destruct (K (number c')) as [Z'|[e [Ie [_ [M [_ [F _]]]]]]]; [rewrite Z, Z'; cbn [sum]; ring|].
              rewrite (same_by_key number _ _ _ U Ie C' M) in F. apply F. exact I.
           ++ rewrite (same_by_key number _ _ _ U Ie C M) in F. symmetry. apply F. exact I'.
      * simpl app.
        assert (A : forall q', first ps (x :: q') == first (map rest_of (part x)) q') by (intros q'; apply first_of_next; exact E').
        destruct (K x) as [Z|[e [I [T [M [X [_ [_ R]]]]]]]].
        -- rewrite Z in A. simpl map in A. split; [intros P; rewrite A, first_of_none in P; discriminate|].
           intros c' w w' _ _ _ _ _ _ _. rewrite !A, !first_of_none. ring.
        -- destruct (R q c C) as [P Q]. split; [intros L; apply P; rewrite <- A; exact L|].
           intros c' w w' C' T' L Y Y' W W'. rewrite !A. apply Q; try assumption. inversion L as [|e' ? ? Ce Le Es El Ew]; subst.
           rewrite (same_by_key number _ _ _ U I Ce (eq_sym El)). exact Le.
Qed.

Definition sends_at (b : kind_of_pairs) (terms : Map.t terminal) (k : positive) : positive :=
  match b with Nodes => k | Terminals => match Map.find k terms with Some t => source t | None => k end end.

Definition check_minimal_paths (net : network) (k : chosen) (b : kind_of_pairs) (l : list path) : bool :=
  let terms := find_by name (terminals net) in
  let by_pair := group2 path_from path_to l in
  forallb (fun i => forallb (fun j => Key.eqb (source i) (sink j) ||
    Qeq_bool (total share (of_keys (sends_as b i) (receives_as b j) by_pair)) 1) (terminals net)) (terminals net) &&
  all_groups (fun z part =>
    let d := receives_at b terms z in
    match toward_of net k d with
    | Some t =>
        all_groups (fun a part =>
          even_paths (S (List.length (channels net))) t d (sends_at b terms a) (map (fun p => (map fst (hops p), share p)) part))
          (group path_from part)
    | None => false
    end) (group path_to l).

Lemma divides_nothing net k s d : divides net k s d [].
Proof. split; [contradiction|]. intros q c _. split; [intros P; discriminate|]. intros. rewrite !first_of_none. ring. Qed.

Theorem minimal_paths_correct net k b l : NoDup (map number (channels net)) -> NoDup (map name (terminals net)) ->
  check_minimal_paths net k b l = true -> minimal_paths net k b l.
Proof.
  intros U UT H i j I J ND ps. apply andb_prop in H. destruct H as [H G]. split.
  - rewrite forallb_forall in H. specialize (H i I). rewrite forallb_forall in H. specialize (H j J).
    destruct (Key.eqb_spec (source i) (sink j)) as [E|_]; [contradiction|]. simpl in H.
    rewrite group2_correct in H. apply Qeq_bool_iff in H. rewrite total_correct in H. rewrite <- H.
    unfold ps, paths_of, first. rewrite sum_map. apply sum_ext. intros p _. reflexivity.
  - cbv zeta in G. set (a := sends_as b i). set (z := receives_as b j).
    assert (E : ps = map (fun p => (map fst (hops p), share p)) (filter (fun p => Key.eqb (path_from p) a) (filter (fun p => Key.eqb (path_to p) z) l))).
    { unfold ps, paths_of, select. f_equal. fold a z. clear. induction l as [|p l IH]; [reflexivity|]. simpl.
      destruct (Key.eqb (path_from p) a) eqn:A, (Key.eqb (path_to p) z) eqn:Z; simpl; rewrite ?A, ?Z, ?IH; reflexivity. }
    destruct (all_groups_correct path_to _ l G z) as [K|K]; [|rewrite E, K; apply divides_nothing].
    assert (R : receives_at b (find_by name (terminals net)) z = sink j).
    { unfold z. destruct b; [reflexivity|]. simpl. rewrite (find_by_complete name _ j UT J). reflexivity. }
    assert (S' : sends_at b (find_by name (terminals net)) a = source i).
    { unfold a. destruct b; [reflexivity|]. simpl. rewrite (find_by_complete name _ i UT I). reflexivity. }
    rewrite R in K. destruct (toward_of net k (sink j)) as [t|] eqn:T; [|discriminate].
    destruct (all_groups_correct path_from _ _ K a) as [P|P]; [|rewrite E, P; apply divides_nothing].
    rewrite S' in P. rewrite E. exact (even_paths_correct _ _ _ _ U T _ _ _ P).
Qed.
