(** Collectives: what a schedule of a broadcast from many ranks at once is; cuts bound every schedule, trees are one. *)

Require Import List Bool PArith ZArith QArith Lqa Setoid Morphisms.
From Routeproof Require Import Sums Network Flows.
Import ListNotations.
Local Open Scope Q_scope.

(** * What a collective and a schedule are *)

Inductive operation := AllGather | ReduceScatter | Broadcast (root : terminal).

(** Which nodes may give a unit to several others: those that hold a rank, or all. *)
Inductive copying := ByRanks | ByAll.

Record collective := Collective { task : operation; ranks : list terminal; copied : copying }.

(** The ranks are different terminals that each send and receive at one node; the root is one of them. *)
Definition is_collective (k : collective) : Prop :=
  NoDup (map name (ranks k)) /\ (forall r, In r (ranks k) -> source r = sink r) /\
  match task k with Broadcast r => In r (ranks k) | _ => True end.

Definition holds_rank (k : collective) (v : positive) : bool := existsb (fun r => Key.eqb (source r) v) (ranks k).

Definition copies (k : collective) (v : positive) : bool := match copied k with ByRanks => holds_rank k v | ByAll => true end.

Definition emitters (k : collective) : list terminal := match task k with Broadcast r => [r] | _ => ranks k end.

(** What node v emits at rate 1: one unit for every rank there that emits. *)
Definition emits (k : collective) (v : positive) : Q := sum (fun r => when (Key.eqb (source r) v) 1) (emitters k).

(** In a reduce-scatter, sums flow to every rank as units of an all-gather would flow over reversed channels, backwards
    in time: that way channels are travelled from head to tail. *)
Definition start (k : collective) (c : channel) : positive := match task k with ReduceScatter => head c | _ => tail c end.
Definition stop (k : collective) (c : channel) : positive := match task k with ReduceScatter => tail c | _ => head c end.

(** A unit crosses the channels of the list one after another. [has v]: node v has it to give; [Some v]: it passes
    through node v, which does not copy and sends it on at once. In the end all nodes that hold a rank have it. *)
Fixpoint spreads (k : collective) (has : list positive) (passing : option positive) (l : list channel) : Prop :=
  match l with
  | [] => passing = None /\ forall v, holds_rank k v = true -> In v has
  | c :: l =>
      match passing with Some v => start k c = v | None => In (start k c) has end /\
      if copies k (stop k c) then spreads k (stop k c :: has) None l else spreads k has (Some (stop k c)) l
  end.

(** So much data, emitted at a node, and the channels that it crosses. *)
Record parcel := Parcel { origin : positive; volume : Q; way : list channel }.

Definition crossings (c : channel) (l : list channel) : Q := sum (fun e => when (Key.eqb (number e) (number c)) 1) l.

(** In t cycles these parcels carry x units a cycle for every rank that emits, within the bandwidths. *)
Definition schedules (net : network) (k : collective) (x t : Q) (ps : list parcel) : Prop :=
  0 < t /\
  (forall p, In p ps -> 0 <= volume p /\ copies k (origin p) = true /\ (forall c, In c (way p) -> In c (channels net)) /\
     spreads k [origin p] None (way p)) /\
  (forall v, x * t * emits k v <= sum (fun p => when (Key.eqb (origin p) v) (volume p)) ps) /\
  forall c, In c (channels net) -> sum (fun p => volume p * crossings c (way p)) ps <= t * bandwidth c.

(** No schedule is faster than x; some schedule is as fast. *)
Definition collective_at_most (net : network) (k : collective) (x : Q) : Prop :=
  is_collective k /\ forall y t ps, schedules net k y t ps -> y <= x.
Definition collective_at_least (net : network) (k : collective) (x : Q) : Prop :=
  is_collective k /\ exists t ps, schedules net k x t ps.

(** * Cuts *)

(** A set of nodes with a weight. *)
Record cut := Cut { worth : Q; inside : Map.t unit }.

Definition leaves (k : collective) (s : Map.t unit) (c : channel) : bool :=
  Map.mem (start k c) s && negb (Map.mem (stop k c) s).

Definition potential_at (p : Map.t (positive * Q)) (v : positive) : Q :=
  match Map.find v p with Some x => snd x | None => 0 end.

Definition fare (k : collective) (cuts : list cut) (p : Map.t (positive * Q)) (c : channel) : Q :=
  total (fun s => when (leaves k (inside s) c) (worth s)) cuts + (potential_at p (stop k c) - potential_at p (start k c)).

Definition emitted_in (k : collective) (s : Map.t unit) : Q := total (fun r => when (Map.mem (source r) s) 1) (emitters k).

Definition cut_off (k : collective) (s : cut) : bool :=
  Qle_bool 0 (worth s) && existsb (fun r => negb (Map.mem (source r) (inside s))) (ranks k).

Definition check_ranks (k : collective) : bool :=
  distinct name (ranks k) && forallb (fun r => Key.eqb (source r) (sink r)) (ranks k) &&
  match task k with
  | Broadcast r => existsb (fun x => Key.eqb (name x) (name r) && (Key.eqb (source x) (source r) && Key.eqb (sink x) (sink r))) (ranks k)
  | _ => true
  end.

Definition cuts_prove (net : network) (k : collective) (x : Q) (cuts : list cut) (potentials : list (positive * Q)) : bool :=
  let p := find_by fst potentials in
  let worth_of_all := total (fun s => times (worth s) (emitted_in k (inside s))) cuts in
  check_ranks k && forallb (cut_off k) cuts && forallb (fun v => negb (copies k (fst v))) potentials &&
  negb (Qle_bool worth_of_all 0) &&
  Qle_bool (total (fun c => let f := fare k cuts p c in when (negb (Qle_bool f 0)) (times f (bandwidth c))) (channels net))
           (times x worth_of_all).

Lemma check_ranks_correct k : check_ranks k = true -> is_collective k.
Proof.
  unfold check_ranks, is_collective. intros H. apply andb_prop in H. destruct H as [H R]. apply andb_prop in H. destruct H as [U S].
  split; [apply distinct_correct; exact U|]. split.
  - intros r I. rewrite forallb_forall in S. apply Key.eqb_eq. auto.
  - destruct (task k) as [| |r]; try exact I. apply existsb_exists in R. destruct R as [y [I E]].
    apply andb_prop in E. destruct E as [E1 E]. apply andb_prop in E. destruct E as [E2 E3].
    apply Key.eqb_eq in E1, E2, E3. destruct y, r. simpl in *. subst. exact I.
Qed.

(** A unit that starts in a set which misses a rank leaves it. *)
Lemma spreads_leave k s v : holds_rank k v = true -> Map.mem v s = false ->
  forall l has passing, (forall u, In u has -> Map.mem u s = true) -> match passing with Some u => Map.mem u s = true | None => True end ->
  spreads k has passing l -> 1 <= sum (fun c => when (leaves k s c) 1) l.
Proof.
  intros R M. induction l as [|c l IH]; simpl; intros has passing Has Pass S.
  - destruct S as [_ S]. specialize (Has v (S v R)). congruence.
  - destruct S as [T S].
    assert (I : Map.mem (start k c) s = true) by (destruct passing; [subst; exact Pass|auto]).
    assert (N : 0 <= sum (fun c => when (leaves k s c) 1) l)
      by (apply sum_nonneg; intros e _; apply when_nonneg; discriminate).
    unfold leaves at 1. rewrite I. simpl. destruct (Map.mem (stop k c) s) eqn:O; simpl; [|lra].
    assert (X : 1 <= sum (fun c => when (leaves k s c) 1) l); [|lra].
    destruct (copies k (stop k c)).
    + apply (IH (stop k c :: has) None); [intros u [<-|U]; auto|exact Logic.I|exact S].
    + apply (IH has (Some (stop k c))); [exact Has|exact O|exact S].
Qed.

(** What passes through nodes that do not copy enters them as often as it leaves them. *)
Lemma potentials_vanish k (q : positive -> Q) : (forall v, copies k v = true -> q v == 0) ->
  forall l has passing, (forall u, In u has -> copies k u = true) -> spreads k has passing l ->
  sum (fun c => q (stop k c) - q (start k c)) l == - match passing with Some u => q u | None => 0 end.
Proof.
  intros Z. induction l as [|c l IH]; simpl; intros has passing Has S.
  - destruct S as [-> _]. ring.
  - destruct S as [T S].
    assert (A : q (start k c) == match passing with Some u => q u | None => 0 end)
      by (destruct passing; [subst; reflexivity|apply Z; auto]).
    destruct (copies k (stop k c)) eqn:C.
    + rewrite (IH _ None) with (2 := S) by (intros u [<-|U]; auto). rewrite A, (Z _ C). ring.
    + rewrite (IH _ (Some (stop k c))) with (2 := S) by exact Has. rewrite A. ring.
Qed.

(** What a set emits is part of the parcels that start in it. *)
Lemma emitted_within net k x t ps s : schedules net k x t ps ->
  x * t * emitted_in k s <= sum (fun p => when (Map.mem (origin p) s) (volume p)) ps.
Proof.
  intros [T [P [E _]]]. unfold emitted_in. rewrite total_correct.
  set (V := nodup Pos.eq_dec (map source (emitters k))).
  assert (U : NoDup (map (fun v : positive => v) V)) by (rewrite map_id; apply NoDup_nodup).
  apply Qle_trans with (sum (fun v => when (Map.mem v s) (x * t * emits k v)) V).
  - apply Qle_lteq. right. rewrite <- sum_times.
    transitivity (sum (fun v => sum (fun r => when (Map.mem v s) (x * t * when (Key.eqb (source r) v) 1)) (emitters k)) V).
    + rewrite sum_swap. apply sum_ext. intros r R.
      assert (I : In (source r) V) by (apply nodup_In, in_map; exact R).
      rewrite <- (sum_one (fun v => v) (fun v => x * t * when (Map.mem v s) 1) V (source r) U I).
      apply sum_ext. intros v _. rewrite (Key.eqb_sym v). unfold when.
      destruct (Key.eqb (source r) v), (Map.mem v s); ring.
    + apply sum_ext. intros v _. unfold emits. destruct (Map.mem v s); unfold when at 1.
      * rewrite sum_times. reflexivity.
      * apply sum_zero. reflexivity.
  - apply Qle_trans with (sum (fun v => sum (fun p => when (Map.mem v s) (when (Key.eqb (origin p) v) (volume p))) ps) V).
    + apply sum_le. intros v _. destruct (Map.mem v s); simpl; [apply E|].
      apply Qle_lteq. right. symmetry. apply sum_zero. reflexivity.
    + rewrite sum_swap. apply sum_le. intros p I. destruct (P p I) as [S _].
      apply Qle_trans with (sum (fun v => when (Key.eqb (origin p) v) (when (Map.mem (origin p) s) (volume p))) V).
      * apply sum_le. intros v _. destruct (Key.eqb_spec (origin p) v) as [->|_]; destruct (Map.mem v s); simpl; apply Qle_refl.
      * apply (sum_at_most_one (fun v => v)); [exact U|apply when_nonneg; exact S].
Qed.

(** Along a list of channels, what they cost is the sum over all channels of what each costs, as often as it is crossed. *)
Lemma by_crossings net (f : channel -> Q) l : NoDup (map number (channels net)) -> (forall c, In c l -> In c (channels net)) ->
  sum f l == sum (fun c => f c * crossings c l) (channels net).
Proof.
  intros U I. unfold crossings.
  rewrite (sum_ext (fun c => f c * _) (fun c => sum (fun e => f c * when (Key.eqb (number e) (number c)) 1) l))
    by (intros; rewrite sum_times; reflexivity).
  rewrite sum_swap. apply sum_ext. intros e E.
  rewrite <- (sum_one number f (channels net) e U (I e E)). apply sum_ext. intros c _.
  rewrite (Key.eqb_sym (number e)). destruct (Key.eqb (number c) (number e)); simpl; ring.
Qed.

(** Sets of nodes with weights bound every schedule. *)
Theorem cuts_prove_correct net k x cuts potentials : NoDup (map number (channels net)) ->
  cuts_prove net k x cuts potentials = true -> collective_at_most net k x.
Proof.
  intros U H. unfold cuts_prove in H. apply andb_prop in H. destruct H as [H V]. apply andb_prop in H. destruct H as [H W].
  apply andb_prop in H. destruct H as [H Z]. apply andb_prop in H. destruct H as [R C].
  split; [apply check_ranks_correct; exact R|]. clear R. intros y t ps S.
  set (p := find_by fst potentials) in *. set (f := fare k cuts p) in *.
  set (all := sum (fun s => worth s * emitted_in k (inside s)) cuts).
  assert (A : total (fun s => times (worth s) (emitted_in k (inside s))) cuts == all) by (rewrite total_correct; reflexivity).
  apply Qle_bool_iff in V. rewrite times_correct, A, total_correct in V.
  assert (B : 0 < all). { apply Qnot_le_lt. intros N. rewrite <- A in N. apply Qle_bool_iff in N. rewrite N in W. discriminate. }
  rewrite forallb_forall in C, Z. clear W A.
  assert (Zero : forall v, copies k v = true -> potential_at p v == 0).
  { intros v Y. unfold potential_at. destruct (Map.find v p) as [q|] eqn:F; [|reflexivity].
    apply find_by_correct in F. destruct F as [I F]. specialize (Z q I). rewrite F, Y in Z. discriminate. }
  assert (Each : forall u, In u ps -> sum (fun s => worth s * when (Map.mem (origin u) (inside s)) 1) cuts <= sum f (way u)).
  { intros u I. destruct S as [_ [P _]]. destruct (P u I) as [_ [O [_ Sp]]].
    assert (E : sum f (way u) == sum (fun s => worth s * sum (fun c => when (leaves k (inside s) c) 1) (way u)) cuts).
    { unfold f, fare. rewrite sum_plus. rewrite (potentials_vanish k (potential_at p) Zero) with (2 := Sp)
        by (intros w [<-|[]]; exact O).
      rewrite (sum_ext (fun c => total _ _) (fun c => sum (fun s => worth s * when (leaves k (inside s) c) 1) cuts)).
      - rewrite sum_swap. rewrite Qplus_comm. ring_simplify. apply sum_ext. intros s _. rewrite sum_times. reflexivity.
      - intros c _. rewrite total_correct. apply sum_ext. intros s _. apply when_times. }
    rewrite E. apply sum_le. intros s Is. specialize (C s Is). apply andb_prop in C. destruct C as [Wo Ou].
    apply Qle_bool_iff in Wo. apply existsb_exists in Ou. destruct Ou as [r [Ir Or]]. apply negb_true_iff in Or.
    destruct (Map.mem (origin u) (inside s)) eqn:M; simpl.
    - assert (L : 1 <= sum (fun c => when (leaves k (inside s) c) 1) (way u)).
      { apply (spreads_leave k (inside s) (source r)) with (has := [origin u]) (passing := None); [|exact Or| |exact Logic.I|exact Sp].
        - unfold holds_rank. apply existsb_exists. exists r. split; [exact Ir|apply Key.eqb_refl].
        - intros w [<-|[]]. exact M. }
      nra.
    - assert (L : 0 <= sum (fun c => when (leaves k (inside s) c) 1) (way u))
        by (apply sum_nonneg; intros e _; apply when_nonneg; discriminate).
      nra. }
  assert (Low : y * t * all <= sum (fun u => volume u * sum f (way u)) ps).
  { apply Qle_trans with (sum (fun s => worth s * sum (fun u => when (Map.mem (origin u) (inside s)) (volume u)) ps) cuts).
    - unfold all. rewrite <- sum_times. apply sum_le. intros s Is. specialize (C s Is). apply andb_prop in C. destruct C as [Wo _].
      apply Qle_bool_iff in Wo. pose proof (emitted_within net k y t ps (inside s) S). nra.
    - rewrite (sum_ext _ (fun s => sum (fun u => worth s * when (Map.mem (origin u) (inside s)) (volume u)) ps))
        by (intros; rewrite sum_times; reflexivity).
      rewrite sum_swap. apply sum_le. intros u I. specialize (Each u I). destruct S as [_ [P _]]. destruct (P u I) as [Si _].
      apply Qle_trans with (volume u * sum (fun s => worth s * when (Map.mem (origin u) (inside s)) 1) cuts).
      + apply Qle_lteq. right. rewrite <- sum_times. apply sum_ext. intros s _. rewrite when_times. ring.
      + nra. }
  assert (High : sum (fun u => volume u * sum f (way u)) ps <= t * (x * all)).
  { destruct S as [T [P [_ B']]].
    rewrite (sum_ext _ (fun u => sum (fun c => f c * (volume u * crossings c (way u))) (channels net))).
    - rewrite sum_swap. apply Qle_trans with (t * sum (fun c => when (negb (Qle_bool (f c) 0)) (f c * bandwidth c)) (channels net)).
      + rewrite <- sum_times. apply sum_le. intros c I. rewrite sum_times. specialize (B' c I).
        assert (N : 0 <= sum (fun u => volume u * crossings c (way u)) ps).
        { apply sum_nonneg. intros u J. destruct (P u J) as [Si _]. apply Qmult_le_0_compat; [exact Si|].
          apply sum_nonneg. intros e _. apply when_nonneg. discriminate. }
        set (g := f c) in *. set (w := sum _ ps) in *. clearbody g w.
        destruct (Qle_bool g 0) eqn:F; simpl.
        * apply Qle_bool_iff in F. nra.
        * assert (0 < g) by (apply Qnot_le_lt; intros G; apply Qle_bool_iff in G; congruence). nra.
      + apply Qmult_le_l; [exact T|]. exact V.
    - intros u I. destruct (P u I) as [_ [_ [J _]]]. rewrite (by_crossings net f (way u) U J), <- sum_times.
      apply sum_ext. intros c _. ring. }
  destruct S as [T _]. apply Qnot_lt_le. intros N.
  assert (0 < t * all) by (apply Qmult_lt_0_compat; assumption).
  assert (x * (t * all) < y * (t * all)) by (apply Qmult_lt_r; assumption). nra.
Qed.

(** * Trees *)

Record packed := Packed { root_of : positive; weight_of : Q; along : list positive }.

(** As [spreads], with channels by their numbers; what the unit crosses. *)
Fixpoint follow (k : collective) (chans : Map.t channel) (at_copy : positive -> bool) (has : Map.t unit) (passing : option positive)
    (l : list positive) : option (Map.t unit) :=
  match l with
  | [] => match passing with Some _ => None | None => Some has end
  | n :: l =>
      match Map.find n chans with
      | None => None
      | Some c =>
          if match passing with Some v => Key.eqb (start k c) v | None => Map.mem (start k c) has end
          then if at_copy (stop k c) then follow k chans at_copy (Map.add (stop k c) tt has) None l
               else follow k chans at_copy has (Some (stop k c)) l
          else None
      end
  end.

Fixpoint channels_of (chans : Map.t channel) (l : list positive) : list channel :=
  match l with
  | [] => []
  | n :: l => match Map.find n chans with Some c => c :: channels_of chans l | None => channels_of chans l end
  end.

Definition is_at_rank (k : collective) (at_rank : Map.t (list terminal)) (v : positive) : bool :=
  match copied k with ByAll => true | ByRanks => Map.mem v at_rank end.

Definition good_tree (k : collective) (chans : Map.t channel) (at_rank : Map.t (list terminal)) (t : packed) : bool :=
  Qle_bool 0 (weight_of t) && is_at_rank k at_rank (root_of t) &&
  match follow k chans (is_at_rank k at_rank) (Map.add (root_of t) tt (Map.empty unit)) None (along t) with
  | Some has => forallb (fun r => Map.mem (source r) has) (ranks k)
  | None => false
  end.

Definition loads_of_trees (ts : list packed) : list (positive * Q) :=
  flat_map (fun t => map (fun n => (n, weight_of t)) (along t)) ts.

Definition trees_carry (net : network) (k : collective) (x : Q) (ts : list packed) : bool :=
  let chans := find_by number (channels net) in
  let load := group fst (loads_of_trees ts) in
  let from := group root_of ts in
  let at_rank := group source (ranks k) in
  let emit := group source (emitters k) in
  check_ranks k && forallb (good_tree k chans at_rank) ts &&
  forallb (fun c => Qle_bool (total snd (of_key (number c) load)) (bandwidth c)) (channels net) &&
  forallb (fun r => Qle_bool (times x (total (fun _ => 1) (of_key (source r) emit))) (total weight_of (of_key (source r) from)))
    (emitters k).

Lemma in_group {A} (key : A -> positive) l v : Map.mem v (group key l) = existsb (fun x => Key.eqb (key x) v) l.
Proof.
  assert (H : forall l m, Map.mem v (fold_right (fun x m => Map.add (key x) (x :: of_key (key x) m) m) m l)
      = existsb (fun x => Key.eqb (key x) v) l || Map.mem v m).
  { clear l. induction l as [|x l IH]; simpl; intros m; [reflexivity|].
    rewrite Map.mem_find. destruct (Key.eqb_spec (key x) v) as [->|N].
    - rewrite Map.gss. reflexivity.
    - rewrite Map.gso by congruence. rewrite <- Map.mem_find. apply IH. }
  unfold group. rewrite rev_append_rev, app_nil_r, <- fold_left_rev_right, rev_involutive, H.
  rewrite Map.mem_find, Map.gempty. apply orb_false_r.
Qed.

Lemma is_at_rank_correct k v : is_at_rank k (group source (ranks k)) v = copies k v.
Proof. unfold is_at_rank, copies, holds_rank. destruct (copied k); [apply in_group|reflexivity]. Qed.

Lemma follow_correct net k (at_copy : positive -> bool) : (forall v, at_copy v = copies k v) ->
  forall l has given passing last, follow k (find_by number (channels net)) at_copy has passing l = Some last ->
  (forall v, Map.mem v has = true -> In v given) ->
  (forall r, In r (ranks k) -> Map.mem (source r) last = true) ->
  spreads k given passing (channels_of (find_by number (channels net)) l) /\
  forall c, In c (channels_of (find_by number (channels net)) l) -> In c (channels net).
Proof.
  intros Same. induction l as [|n l IH]; simpl; intros has given passing last F Has R.
  - destruct passing; [discriminate|]. injection F as <-. split; [|contradiction]. split; [reflexivity|].
    intros v V. unfold holds_rank in V. apply existsb_exists in V. destruct V as [r [I E]]. apply Key.eqb_eq in E. subst v. auto.
  - destruct (Map.find n (find_by number (channels net))) as [c|] eqn:E; [|discriminate].
    destruct (match passing with Some v => _ | None => _ end) eqn:T; [|discriminate].
    apply find_by_correct in E. destruct E as [I _]. simpl. rewrite <- Same.
    assert (At : match passing with Some v => start k c = v | None => In (start k c) given end)
      by (destruct passing; [apply Key.eqb_eq; exact T|auto]).
    destruct (at_copy (stop k c)).
    + destruct (IH _ (stop k c :: given) _ _ F) as [S J]; [|exact R|].
      * intros v M. rewrite Map.mem_find in M. destruct (Key.eqb_spec v (stop k c)) as [->|N]; [left; reflexivity|].
        rewrite Map.gso in M by congruence. rewrite <- Map.mem_find in M. right. auto.
      * split; [split; [exact At|exact S]|]. intros e [<-|Ie]; auto.
    + destruct (IH _ given _ _ F Has R) as [S J]. split; [split; [exact At|exact S]|]. intros e [<-|Ie]; auto.
Qed.

Lemma crossings_of_numbers net c l : In c (channels net) -> NoDup (map number (channels net)) ->
  crossings c (channels_of (find_by number (channels net)) l) <= sum (fun n => when (Key.eqb n (number c)) 1) l.
Proof.
  intros I U. unfold crossings. induction l as [|n l IH]; simpl; [apply Qle_refl|].
  destruct (Map.find n (find_by number (channels net))) as [e|] eqn:F; simpl.
  - apply find_by_correct in F. destruct F as [_ <-]. lra.
  - assert (0 <= when (Key.eqb n (number c)) 1) by (apply when_nonneg; discriminate). lra.
Qed.

(** The schedule of a tree. *)
Definition parcel_of (net : network) (t : packed) : parcel :=
  Parcel (root_of t) (weight_of t) (channels_of (find_by number (channels net)) (along t)).

Lemma good_tree_correct net k t : good_tree k (find_by number (channels net)) (group source (ranks k)) t = true ->
  0 <= weight_of t /\ copies k (root_of t) = true /\ spreads k [root_of t] None (way (parcel_of net t)) /\
  forall c, In c (way (parcel_of net t)) -> In c (channels net).
Proof.
  intros G. unfold good_tree in G. apply andb_prop in G. destruct G as [G F].
  apply andb_prop in G. destruct G as [W O]. rewrite is_at_rank_correct in O.
  destruct (follow _ _ _ _ _ _) as [has|] eqn:Fo; [|discriminate]. rewrite forallb_forall in F.
  split; [apply Qle_bool_iff; exact W|]. split; [exact O|].
  eapply follow_correct; [intros v; apply is_at_rank_correct|exact Fo| |exact F].
  intros v M. rewrite Map.mem_find in M. destruct (Key.eqb_spec v (root_of t)) as [->|N]; [left; reflexivity|].
  rewrite Map.gso, Map.gempty in M by congruence. discriminate.
Qed.

Lemma loads_of_parcels net c ts : In c (channels net) -> NoDup (map number (channels net)) ->
  (forall t, In t ts -> 0 <= weight_of t) ->
  sum (fun p => volume p * crossings c (way p)) (map (parcel_of net) ts) <=
  sum (fun x => when (Key.eqb (fst x) (number c)) (snd x)) (loads_of_trees ts).
Proof.
  intros I U. rewrite sum_map. unfold loads_of_trees. induction ts as [|t ts IH]; simpl; intros W; [apply Qle_refl|].
  rewrite sum_app, sum_map. simpl. apply Qplus_le_compat; [|apply IH; auto]. specialize (W t (or_introl eq_refl)).
  rewrite (sum_ext _ (fun n => weight_of t * when (Key.eqb n (number c)) 1)) by (intros; apply when_times).
  rewrite sum_times. pose proof (crossings_of_numbers net c (along t) I U). nra.
Qed.

(** Packed trees are a schedule. *)
Theorem trees_carry_correct net k x ts : NoDup (map number (channels net)) ->
  trees_carry net k x ts = true -> collective_at_least net k x.
Proof.
  intros U H. unfold trees_carry in H. apply andb_prop in H. destruct H as [H E]. apply andb_prop in H. destruct H as [H L].
  apply andb_prop in H. destruct H as [R G]. split; [apply check_ranks_correct; exact R|]. clear R.
  exists 1, (map (parcel_of net) ts). rewrite forallb_forall in G, L, E.
  pose proof (fun t I => good_tree_correct net k t (G t I)) as Good.
  split; [reflexivity|]. split; [|split].
  - intros p I. apply in_map_iff in I. destruct I as [t [<- I]]. destruct (Good t I) as [W [O [S C]]]. simpl. auto.
  - intros v. rewrite sum_map. simpl.
    destruct (existsb (fun r => Key.eqb (source r) v) (emitters k)) eqn:X.
    + apply existsb_exists in X. destruct X as [r [I V]]. apply Key.eqb_eq in V. subst v. specialize (E r I).
      apply Qle_bool_iff in E. rewrite times_correct, !total_correct, !group_correct, !sum_filter in E.
      unfold emits. rewrite Qmult_1_r. exact E.
    + assert (Z : emits k v == 0).
      { unfold emits. apply sum_zero. intros r I. destruct (Key.eqb (source r) v) eqn:Y; [|reflexivity].
        assert (existsb (fun r => Key.eqb (source r) v) (emitters k) = true) by (apply existsb_exists; exists r; auto). congruence. }
      rewrite Z, Qmult_0_r. apply sum_nonneg. intros t I. apply when_nonneg. apply Good. exact I.
  - intros c I. specialize (L c I). apply Qle_bool_iff in L. rewrite total_correct, group_correct, sum_filter in L.
    rewrite Qmult_1_l. eapply Qle_trans; [|exact L]. apply loads_of_parcels; [exact I|exact U|]. intros t J. apply Good. exact J.
Qed.
