(** Loads that are only to be added up: under one demand, under matrices, of all pairs; and what is routable at all. *)

Require Import List Bool PArith ZArith QArith Lqa Setoid Morphisms.
From Routeproof Require Import Sums Network Flows Demands Sets Design.
Import ListNotations.
Local Open Scope Q_scope.

(** * The load of a channel under a demand *)

(** [part]: the entries of the channel. *)
Definition load_of (b : kind_of_pairs) (part : list entry) (l : list packet) : Q :=
  let by_pair := group2 from to part in
  total (fun p => times (rate p) (total amount (of_keys (sends_as b (sender p)) (receives_as b (receiver p)) by_pair))) l.

Lemma load_of_correct net b es l c :
  NoDup (map name (terminals net)) -> (forall p, In p l -> good net p) ->
  load_of b (filter (fun e => Pos.eqb (on e) (number c)) es) l == load net (routing_of b es) (demand_of l) c.
Proof.
  intros U G. unfold load_of, load. rewrite over_pairs_of_demand by assumption. rewrite total_correct.
  apply sum_ext. intros p _. rewrite times_correct, total_correct, group2_correct.
  unfold routing_of. rewrite <- amount_by_channel. reflexivity.
Qed.

(** * Matrices *)

Lemma load_of_mixture net R weights (l : list demand) w c :
  (forall m, In m l -> load net R m c <= w) -> (forall q, In q weights -> 0 <= q) -> length weights = length l ->
  load net R (mixture weights l) c <= sum (fun q => q) weights * w.
Proof.
  revert l. induction weights as [|q weights IH]; intros l M P N; destruct l as [|m l]; try discriminate; simpl.
  - unfold load, over_pairs. rewrite sum_zero; [lra|]. intros i _. apply sum_zero. intros j _. simpl. ring.
  - injection N as N.
    assert (E : load net R (mixture (q :: weights) (m :: l)) c == q * load net R m c + load net R (mixture weights l) c).
    { unfold load, over_pairs. rewrite <- sum_times, <- sum_plus. apply sum_ext. intros i _.
      rewrite <- sum_times, <- sum_plus. apply sum_ext. intros j _. simpl. ring. }
    rewrite E. specialize (IH l (fun m' I => M m' (or_intror I)) (fun q' I => P q' (or_intror I)) N).
    assert (A : load net R m c <= w) by (apply M; left; reflexivity).
    assert (B : 0 <= q) by (apply P; left; reflexivity). nra.
Qed.

Lemma load_ext net R D D' c : (forall i j, In i (terminals net) -> In j (terminals net) -> D i j == D' i j) ->
  load net R D c == load net R D' c.
Proof.
  intros H. unfold load, over_pairs. apply sum_ext. intros i I. apply sum_ext. intros j J. rewrite H by assumption. reflexivity.
Qed.

Theorem matrices_at_most net b es ms c w D :
  NoDup (map name (terminals net)) -> (forall l, In l ms -> forall p, In p l -> good net p) ->
  forallb (fun l => Qle_bool (load_of b (filter (fun e => Pos.eqb (on e) (number c)) es) l) (times w (bandwidth c))) ms = true ->
  admits net (set_of (MatricesSet ms)) D -> load net (routing_of b es) D c <= w * bandwidth c.
Proof.
  intros U G H [_ [_ [weights [N [P [S E]]]]]]. rewrite forallb_forall in H.
  rewrite (load_ext _ _ _ _ _ E).
  apply Qle_trans with (sum (fun q => q) weights * (w * bandwidth c)); [|rewrite S; lra].
  apply load_of_mixture; [|exact P|exact N].
  intros m I. apply in_map_iff in I. destruct I as [l [<- I]]. specialize (H l I).
  apply Qle_bool_iff in H. rewrite times_correct, load_of_correct in H by eauto. exact H.
Qed.

(** * Everything routable *)

Section Routable_sets.
  Variable net : network.
  Variable b : kind_of_pairs.
  Variable es : list entry.
  Variable c : channel.
  Variable lengths : Map.t Q.
  Variable distances : Map.t potentials.
  Let part := filter (fun e => Pos.eqb (on e) (number c)) es.

  Definition far_enough (senders receivers : Map.t (list terminal)) (part : list entry) (w : Q) : bool :=
    let l := length_of lengths in
    let B := budget net lengths in
    Qle_bool 0 w &&
    forallb (fun e => Qle_bool 0 (l e)) (channels net) &&
    forallb (fun d => is_feasible (channels net) (snd d) l) (Map.elements distances) &&
    (if Qeq_bool B 0 then match part with [] => true | _ => false end
     else all_groups2 from to (fun x y es =>
       forallb (fun i => forallb (fun j =>
         Pos.eqb (source i) (sink j) ||
         match Map.find (source i) distances with
         | None => false
         | Some p => Qle_bool (times (total amount es) B)
                              (times (times w (bandwidth c)) (add (value p (sink j)) (- value p (source i))))
         end) (of_key y receivers)) (of_key x senders)) part).

  Theorem far_enough_correct w D :
    0 < bandwidth c -> In c (channels net) -> routes net (routing_of b es) ->
    far_enough (group (sends_as b) (terminals net)) (group (receives_as b) (terminals net)) part w = true ->
    admits net Routable D -> load net (routing_of b es) D c <= w * bandwidth c.
  Proof.
    intros BP C Routes H [Pos [_ [F [Ships Cap]]]]. unfold far_enough in H.
    set (l := length_of lengths) in *. set (B := budget net lengths) in *.
    apply andb_prop in H. destruct H as [H X]. apply andb_prop in H. destruct H as [H Fe].
    apply andb_prop in H. destruct H as [W N]. rewrite forallb_forall in N, Fe. apply Qle_bool_iff in W.
    assert (BE : B == sum (fun e => l e * bandwidth e) (channels net)).
    { unfold B, budget. rewrite total_correct. apply sum_ext. intros; apply times_correct. }
    assert (LN : forall e, In e (channels net) -> 0 <= l e) by (intros e E; apply Qle_bool_iff; auto).
    assert (WB : 0 <= w * bandwidth c) by (apply Qmult_le_0_compat; [exact W|apply Qlt_le_weak; exact BP]).
    destruct (Qeq_bool B 0) eqn:BZ.
    - assert (PN : part = []) by (destruct part; [reflexivity|discriminate]).
      assert (Z : load net (routing_of b es) D c == 0).
      { unfold load, over_pairs. apply sum_zero. intros i _. apply sum_zero. intros j _. unfold routing_of.
        rewrite <- amount_by_channel. fold part. rewrite PN. simpl. ring. }
      rewrite Z. exact WB.
    - assert (B0 : 0 < B).
      { assert (0 <= B).
        { rewrite BE. apply sum_nonneg. intros e E. apply Qmult_le_0_compat; [auto|].
          specialize (Cap e E). eapply Qle_trans; [|exact Cap].
          apply sum_nonneg. intros i I. apply sum_nonneg. intros j J. apply (Ships i j I J). exact E. }
        apply Qle_lteq in H. destruct H as [H|H]; [exact H|]. exfalso.
        assert (Qeq_bool B 0 = true) by (apply Qeq_bool_iff; symmetry; exact H). congruence. }
      (* the cost of the flow that carries D *)
      set (cost := fun i j => sum (fun e => l e * F i j (number e)) (channels net)).
      assert (CostB : over_pairs net cost <= B).
      { unfold over_pairs, cost.
        rewrite (sum_ext _ (fun i => sum (fun e => sum (fun j => l e * F i j (number e)) (terminals net)) (channels net)))
          by (intros i _; apply sum_swap).
        rewrite sum_swap, BE. apply sum_le. intros e E. specialize (Cap e E). unfold over_pairs in Cap.
        rewrite (sum_ext _ (fun i => l e * sum (fun j => F i j (number e)) (terminals net))) by (intros i _; apply sum_times).
        rewrite sum_times. specialize (LN e E). rewrite !(Qmult_comm (l e)). apply Qmult_le_compat_r; assumption. }
      assert (Each : forall i j, In i (terminals net) -> In j (terminals net) ->
        B * (D i j * routing_of b es i j (number c)) <= w * bandwidth c * cost i j).
      { intros i j I J.
        assert (CN : 0 <= cost i j).
        { apply sum_nonneg. intros e E. apply Qmult_le_0_compat; [auto|]. apply (Ships i j I J). exact E. }
        specialize (Pos i j I J). specialize (Routes i j I J).
        destruct (Pos.eqb (source i) (sink j)) eqn:Same.
        - rewrite Routes by exact C. assert (0 <= w * bandwidth c * cost i j) by (apply Qmult_le_0_compat; assumption). lra.
        - destruct (all_groups2_correct from to _ _ X (sends_as b i) (receives_as b j)) as [K|K].
          + rewrite forallb_forall in K. specialize (K i). rewrite group_correct in K. specialize (K (group_of _ _ _ I)).
            rewrite forallb_forall in K. specialize (K j). rewrite group_correct in K. specialize (K (group_of _ _ _ J)).
            rewrite Same in K. simpl in K. destruct (Map.find (source i) distances) as [p|] eqn:P; [|discriminate].
            apply Qle_bool_iff in K. rewrite !times_correct, add_correct, total_correct in K.
            change (select from to (sends_as b i) (receives_as b j) part) with (pair_of (sends_as b i) (receives_as b j) part) in K.
            unfold part in K. rewrite amount_by_channel in K. fold (routing_of b es i j (number c)) in K.
            apply Map.elements_correct in P. specialize (Fe _ P). simpl in Fe. apply is_feasible_correct in Fe.
            pose proof (cost_of_flow _ _ _ _ _ _ _ (Ships i j I J) Fe) as Y. fold (cost i j) in Y.
            set (R := routing_of b es i j (number c)) in *. set (d := value p (sink j) - value p (source i)) in *.
            assert (K' : D i j * (R * B) <= D i j * (w * bandwidth c * d)).
            { rewrite !(Qmult_comm (D i j)). apply Qmult_le_compat_r; [|exact Pos]. unfold d, Qminus. lra. }
            assert (Y' : w * bandwidth c * (D i j * d) <= w * bandwidth c * cost i j).
            { rewrite !(Qmult_comm (w * bandwidth c)). apply Qmult_le_compat_r; [exact Y|exact WB]. }
            assert (E1 : D i j * (R * B) == B * (D i j * R)) by ring.
            assert (E2 : D i j * (w * bandwidth c * d) == w * bandwidth c * (D i j * d)) by ring.
            lra.
          + assert (Z : routing_of b es i j (number c) == 0).
            { unfold routing_of. rewrite <- amount_by_channel. unfold pair_of. fold part. rewrite K. reflexivity. }
            rewrite Z. assert (0 <= w * bandwidth c * cost i j) by (apply Qmult_le_0_compat; assumption). lra. }
      assert (Sum : B * load net (routing_of b es) D c <= w * bandwidth c * over_pairs net cost).
      { unfold load, over_pairs. rewrite <- !sum_times. apply sum_le. intros i I. rewrite <- !sum_times.
        apply sum_le. intros j J. auto. }
      assert (Top : w * bandwidth c * over_pairs net cost <= w * bandwidth c * B).
      { rewrite !(Qmult_comm (w * bandwidth c)). apply Qmult_le_compat_r; assumption. }
      apply Qmult_le_r with B; [exact B0|]. lra.
  Qed.
End Routable_sets.

(** * Average path length *)

Definition path_length (net : network) (b : kind_of_pairs) (es : list entry) : Q :=
  let senders := group (sends_as b) (terminals net) in
  let receivers := group (receives_as b) (terminals net) in
  total (fun e => times (amount e) (times (size (of_key (from e) senders)) (size (of_key (to e) receivers)))) es.

Lemma sum_of_on (net : network) (e : entry) q : NoDup (map number (channels net)) ->
  (exists c, In c (channels net) /\ number c = on e) ->
  sum (fun c => when (Pos.eqb (on e) (number c)) q) (channels net) == q.
Proof.
  intros U [c [C N]]. rewrite <- N, <- (sum_one number (fun _ => q) _ c U C).
  apply sum_ext. intros c' _. rewrite Pos.eqb_sym. reflexivity.
Qed.

Theorem path_length_correct net b es :
  NoDup (map number (channels net)) -> (forall e, In e es -> exists c, In c (channels net) /\ number c = on e) ->
  path_length net b es == all_loads net (routing_of b es).
Proof.
  intros U On. unfold path_length. rewrite total_correct. symmetry. unfold all_loads, over_pairs, routing_of, amount_of.
  rewrite (sum_ext _ (fun i => sum (fun e => sum (fun j =>
    when (Pos.eqb (from e) (sends_as b i) && Pos.eqb (to e) (receives_as b j)) (amount e)) (terminals net)) es)).
  2:{ intros i _. symmetry. rewrite sum_swap. apply sum_ext. intros j _. symmetry. rewrite sum_swap.
      apply sum_ext. intros e E. rewrite <- (sum_of_on net e (when (Pos.eqb (from e) (sends_as b i) && Pos.eqb (to e) (receives_as b j)) (amount e)) U (On e E)).
      apply sum_ext. intros c _. unfold when. destruct (Pos.eqb (on e) (number c)); reflexivity. }
  rewrite sum_swap. apply sum_ext. intros e _. unfold size.
  rewrite !times_correct, !total_correct, !group_correct, !sum_filter.
  rewrite <- sum_times_r, <- sum_times. apply sum_ext. intros i _.
  rewrite <- sum_times. rewrite <- sum_times. apply sum_ext. intros j _.
  rewrite (Pos.eqb_sym (from e)), (Pos.eqb_sym (to e)).
  destruct (Pos.eqb (sends_as b i) (from e)), (Pos.eqb (receives_as b j) (to e)); simpl; ring.
Qed.

(** * Flows of matrices *)

(** A flow for each node that sends, which takes what its terminals send to where it is wanted. *)
Definition sent_from (net : network) (D : demand) (s v : positive) : Q :=
  over_pairs net (fun i j => when (Pos.eqb (source i) s && Pos.eqb (sink j) v) (D i j)).

(** D can be routed by these flows (one for each node s) with at most w times the bandwidth on every channel. *)
Definition can_be_routed (net : network) (D : demand) (w : Q) : Prop :=
  exists F : positive -> flow,
  (forall s c, In c (channels net) -> 0 <= F s (number c)) /\
  (forall s v, v <> s -> leaving net (F s) v - entering net (F s) v == - sent_from net D s v) /\
  exists nodes, NoDup nodes /\ (forall i, In i (terminals net) -> In (source i) nodes) /\
  forall c, In c (channels net) -> sum (fun s => F s (number c)) nodes <= w * bandwidth c.
