(** Why a demand is in a set of any kind. *)

Require Import List Bool PArith ZArith QArith Lqa Setoid Morphisms.
From Routeproof Require Import Sums Network Flows Demands.
Import ListNotations.
Local Open Scope Q_scope.

Inductive set_of_lists :=
  | LimitsSet (s : limits)
  | MatricesSet (l : list (list packet))
  | RoutableSet.

Definition set_of (s : set_of_lists) : demand_set :=
  match s with
  | LimitsSet s => Limits (transport_of s)
  | MatricesSet l => Matrices (map demand_of l)
  | RoutableSet => Routable
  end.

(** Of matrices their weights, of a routable demand its flow (between terminals). *)
Inductive reason := Obvious | Weights (l : list Q) | Flow (l : list entry).

Fixpoint mixed (weights : list Q) (l : list (list packet)) : list packet :=
  match weights, l with
  | w :: weights, m :: l => map (fun p => Packet (sender p) (receiver p) (- times w (rate p))) m ++ mixed weights l
  | _, _ => []
  end.

Lemma mixed_correct weights l i j : demand_of (mixed weights l) i j == - mixture weights (map demand_of l) i j.
Proof.
  revert l. induction weights as [|w weights IH]; simpl; intros l; [reflexivity|].
  destruct l as [|m l]; simpl; [reflexivity|].
  unfold demand_of at 1. rewrite sum_app, sum_map. fold (demand_of (mixed weights l) i j). rewrite IH.
  assert (E : sum (fun p => when (Key.eqb (p_from p) (name i) && Key.eqb (p_to p) (name j)) (- times w (rate p))) m
              == - (w * demand_of m i j)).
  { unfold demand_of.
    transitivity (sum (fun p => - (1) * (w * when (Key.eqb (p_from p) (name i) && Key.eqb (p_to p) (name j)) (rate p))) m).
    - apply sum_ext. intros p _. unfold when. destruct (_ && _); [rewrite times_correct|]; ring.
    - rewrite !sum_times. ring. }
  change (sum (fun x0 : packet => when (Key.eqb (p_from (Packet (sender x0) (receiver x0) (- times w (rate x0)))) (name i)
            && Key.eqb (p_to (Packet (sender x0) (receiver x0) (- times w (rate x0)))) (name j))
            (rate (Packet (sender x0) (receiver x0) (- times w (rate x0))))) m)
    with (sum (fun p => when (Key.eqb (p_from p) (name i) && Key.eqb (p_to p) (name j)) (- times w (rate p))) m).
  rewrite E. ring.
Qed.

Definition is_mean_of (weights : list Q) (matrices : list (list packet)) (l : list packet) : bool :=
  Nat.eqb (length weights) (length matrices) && forallb (Qle_bool 0) weights && Qeq_bool (total (fun w => w) weights) 1 &&
  all_groups2 p_from p_to (fun _ _ part => Qeq_bool (total rate part) 0) (l ++ mixed weights matrices).

Lemma is_mean_of_correct net weights matrices l :
  is_mean_of weights matrices l = true -> is_mean net (map demand_of matrices) (demand_of l).
Proof.
  intros H. unfold is_mean_of in H. apply andb_prop in H. destruct H as [H G].
  apply andb_prop in H. destruct H as [H S]. apply andb_prop in H. destruct H as [N P].
  exists weights. split; [|split; [|split]].
  - rewrite map_length. apply Nat.eqb_eq. exact N.
  - rewrite forallb_forall in P. intros w W. apply Qle_bool_iff. auto.
  - apply Qeq_bool_iff in S. rewrite total_correct in S. exact S.
  - intros i j _ _.
    assert (Z : demand_of (l ++ mixed weights matrices) i j == 0).
    { unfold demand_of. rewrite <- sum_select.
      destruct (all_groups2_correct p_from p_to _ _ G (name i) (name j)) as [E|E].
      - apply Qeq_bool_iff in E. rewrite total_correct in E. exact E.
      - rewrite E. reflexivity. }
    unfold demand_of in Z at 1. rewrite sum_app in Z.
    fold (demand_of l i j) (demand_of (mixed weights matrices) i j) in Z. rewrite mixed_correct in Z. lra.
Qed.

Definition is_routed_by (net : network) (l : list packet) (fs : list entry) : bool :=
  let chans := find_by number (channels net) in
  let by_pair := group2 from to fs in
  let by_channel := group on fs in
  let sent := group2 p_from p_to l in
  forallb (fun e => Qle_bool 0 (amount e)) fs &&
  forallb (fun i => forallb (fun j =>
    check_ships chans (source i) (sink j) (total rate (of_keys (name i) (name j) sent)) (of_keys (name i) (name j) by_pair))
    (terminals net)) (terminals net) &&
  forallb (fun c => Qle_bool (total amount (of_key (number c) by_channel)) (bandwidth c)) (channels net).

Lemma ships_eq net s d q q' f : q == q' -> ships net s d q f -> ships net s d q' f.
Proof.
  intros E [P S]. split; [exact P|]. intros v. rewrite S. unfold when.
  destruct (Key.eqb s v), (Key.eqb d v); rewrite ?E; reflexivity.
Qed.

Lemma is_routed_by_correct net l fs :
  NoDup (map number (channels net)) -> NoDup (map name (terminals net)) ->
  is_routed_by net l fs = true -> is_routable net (demand_of l).
Proof.
  intros UC UT H. unfold is_routed_by in H. apply andb_prop in H. destruct H as [H B].
  apply andb_prop in H. destruct H as [P H]. rewrite forallb_forall in P, H, B.
  exists (fun i j => flow_of (select from to (name i) (name j) fs)). split.
  - intros i j I J. specialize (H i I). rewrite forallb_forall in H. specialize (H j J).
    rewrite !group2_correct in H. apply check_ships_correct in H; [|exact UC]. destruct H as [_ H].
    eapply ships_eq; [|exact H]. rewrite total_correct, sum_select. reflexivity.
  - intros c C. specialize (B c C). apply Qle_bool_iff in B. rewrite total_correct, group_correct in B.
    apply Qle_trans with (sum amount (filter (fun e => Key.eqb (on e) (number c)) fs)); [|exact B]. clear B.
    unfold over_pairs, flow_of.
    rewrite (sum_ext _ (fun i => sum (fun e => sum (fun j =>
      when (Key.eqb (from e) (name i) && Key.eqb (to e) (name j)) (when (Key.eqb (on e) (number c)) (amount e))) (terminals net)) fs)).
    2:{ intros i _. rewrite sum_swap. apply sum_ext. intros j _. apply sum_select. }
    rewrite sum_swap, sum_filter. apply sum_le. intros e E. specialize (P e E). apply Qle_bool_iff in P.
    set (q := when (Key.eqb (on e) (number c)) (amount e)).
    assert (Q0 : 0 <= q) by (apply when_nonneg; exact P).
    apply Qle_trans with (sum (fun i => when (Key.eqb (from e) (name i)) q) (terminals net)).
    + apply sum_le. intros i _. destruct (Key.eqb (from e) (name i)); simpl.
      * apply sum_at_most_one; assumption.
      * rewrite sum_zero; [apply Qle_refl|reflexivity].
    + apply sum_at_most_one; assumption.
Qed.

(** * The test *)

Definition in_set (net : network) (s : set_of_lists) (l : list packet) (why : reason) : bool :=
  forallb (is_packet (find_by name (terminals net))) l &&
  match s, why with
  | LimitsSet s, Obvious => in_limits net s l
  | MatricesSet m, Weights w => is_mean_of w m l
  | RoutableSet, Flow fs => is_routed_by net l fs
  | _, _ => false
  end.

Theorem in_set_correct net s l why :
  NoDup (map number (channels net)) -> NoDup (map name (terminals net)) ->
  in_set net s l why = true -> admits net (set_of s) (demand_of l) /\ forall p, In p l -> good net p.
Proof.
  intros UC UT H. unfold in_set in H. apply andb_prop in H. destruct H as [P H]. rewrite forallb_forall in P.
  assert (G : forall p, In p l -> good net p) by (intros p I; apply is_packet_correct; auto).
  split; [|exact G]. split.
  - intros i j _ _. apply demand_nonneg with net; assumption.
  - destruct s as [s|m|], why as [|w|fs]; try discriminate; simpl.
    + apply in_limits_correct; assumption.
    + apply is_mean_of_correct with w; assumption.
    + apply is_routed_by_correct with fs; assumption.
Qed.
