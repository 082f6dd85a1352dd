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
  load_of b (filter (fun e => Key.eqb (on e) (number c)) es) l == load net (routing_of b es) (demand_of l) c.
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

Theorem matrices_at_most net R ms c w D :
  (forall l, In l ms -> load net R (demand_of l) c <= w * bandwidth c) ->
  admits net (set_of (MatricesSet ms)) D -> load net R D c <= w * bandwidth c.
Proof.
  intros H [_ [weights [N [P [S E]]]]]. rewrite (load_ext _ _ _ _ _ E).
  apply Qle_trans with (sum (fun q => q) weights * (w * bandwidth c)); [|rewrite S; lra].
  apply load_of_mixture; [|exact P|exact N].
  intros m I. apply in_map_iff in I. destruct I as [l [<- I]]. auto.
Qed.

(** * Everything routable *)

Section Routable_sets.
  Variable net : network.
  Variable b : kind_of_pairs.
  Variable es : list entry.
  Variable c : channel.
  Variable lengths : Map.t Q.
  Variable distances : Map.t potentials.
  Let part := filter (fun e => Key.eqb (on e) (number c)) es.

  Definition far_enough (senders receivers : Map.t (list terminal)) (part : list entry) (w : Q) : bool :=
    let l := length_of lengths in
    let B := budget net lengths in
    Qle_bool 0 w &&
    forallb (fun e => Qle_bool 0 (l e)) (channels net) &&
    forallb (fun d => is_feasible (channels net) (snd d) l) (Map.elements distances) &&
    (if Qeq_bool B 0 then match part with [] => true | _ => false end
     else all_groups2 from to (fun x y es =>
       forallb (fun i => forallb (fun j =>
         Key.eqb (source i) (sink j) ||
         match Map.find (source i) distances with
         | None => false
         | Some p => Qle_bool (times (total amount es) B)
                              (times (times w (bandwidth c)) (add (value p (sink j)) (- value p (source i))))
         end) (of_key y receivers)) (of_key x senders)) part).

  Theorem far_enough_correct w D :
    0 < bandwidth c ->
    (forall i j, In i (terminals net) -> In j (terminals net) -> source i = sink j -> routing_of b es i j (number c) == 0) ->
    far_enough (group (sends_as b) (terminals net)) (group (receives_as b) (terminals net)) part w = true ->
    admits net Routable D -> load net (routing_of b es) D c <= w * bandwidth c.
  Proof.
    intros BP Routes H [Pos [F [Ships Cap]]]. unfold far_enough in H.
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
        destruct (Key.eqb (source i) (sink j)) eqn:Same.
        - rewrite Routes by (apply Key.eqb_eq; exact Same). assert (0 <= w * bandwidth c * cost i j) by (apply Qmult_le_0_compat; assumption). lra.
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

(** The loads of entries, each as often as a terminal sends [as_sender], and is received by one. *)
Definition path_length_by (as_sender : terminal -> positive) (net : network) (b : kind_of_pairs) (es : list entry) : Q :=
  let senders := group as_sender (terminals net) in
  let receivers := group (receives_as b) (terminals net) in
  total (fun e => times (amount e) (times (size (of_key (from e) senders)) (size (of_key (to e) receivers)))) es.

Definition path_length (net : network) (b : kind_of_pairs) (es : list entry) : Q := path_length_by (sends_as b) net b es.

Lemma sum_of_on (net : network) (e : entry) q : NoDup (map number (channels net)) ->
  (exists c, In c (channels net) /\ number c = on e) ->
  sum (fun c => when (Key.eqb (on e) (number c)) q) (channels net) == q.
Proof.
  intros U [c [C N]]. rewrite <- N, <- (sum_one number (fun _ => q) _ c U C).
  apply sum_ext. intros c' _. rewrite Key.eqb_sym. reflexivity.
Qed.

Theorem path_length_by_correct as_sender net b es :
  NoDup (map number (channels net)) -> (forall e, In e es -> exists c, In c (channels net) /\ number c = on e) ->
  path_length_by as_sender net b es ==
  over_pairs net (fun i j => sum (fun c => amount_of es (as_sender i) (receives_as b j) (number c)) (channels net)).
Proof.
  intros U On. unfold path_length_by. rewrite total_correct. symmetry. unfold over_pairs, amount_of.
  rewrite (sum_ext _ (fun i => sum (fun e => sum (fun j =>
    when (Key.eqb (from e) (as_sender i) && Key.eqb (to e) (receives_as b j)) (amount e)) (terminals net)) es)).
  2:{ intros i _. symmetry. rewrite sum_swap. apply sum_ext. intros j _. symmetry. rewrite sum_swap.
      apply sum_ext. intros e E. rewrite <- (sum_of_on net e (when (Key.eqb (from e) (as_sender i) && Key.eqb (to e) (receives_as b j)) (amount e)) U (On e E)).
      apply sum_ext. intros c _. unfold when. destruct (Key.eqb (on e) (number c)); reflexivity. }
  rewrite sum_swap. apply sum_ext. intros e _. unfold size.
  rewrite !times_correct, !total_correct, !group_correct, !sum_filter.
  rewrite <- sum_times_r, <- sum_times. apply sum_ext. intros i _.
  rewrite <- sum_times. rewrite <- sum_times. apply sum_ext. intros j _.
  rewrite (Key.eqb_sym (from e)), (Key.eqb_sym (to e)).
  destruct (Key.eqb (as_sender i) (from e)), (Key.eqb (receives_as b j) (to e)); simpl; ring.
Qed.

Theorem path_length_correct net b es :
  NoDup (map number (channels net)) -> (forall e, In e es -> exists c, In c (channels net) /\ number c = on e) ->
  path_length net b es == all_loads net (routing_of b es).
Proof. apply path_length_by_correct. Qed.

(** * Flows of matrices *)

(** What the terminals at node s send to those at node v. *)
Definition sent_from (net : network) (D : demand) (s v : positive) : Q :=
  over_pairs net (fun i j => D i j * when (Key.eqb (source i) s && Key.eqb (sink j) v) 1).

Definition nodes_that_send (net : network) : list positive := nodup Pos.eq_dec (map source (terminals net)).

(** D can be routed with at most w times the bandwidth on every channel: there is a flow for each node that sends, which
    brings what its terminals send to where it is wanted. *)
Definition can_be_routed (net : network) (D : demand) (w : Q) : Prop :=
  exists F : positive -> flow,
  (forall s c, In c (channels net) -> 0 <= F s (number c)) /\
  (forall s v, In s (nodes_that_send net) -> v <> s ->
    leaving net (F s) v - entering net (F s) v == - sent_from net D s v) /\
  forall c, In c (channels net) -> sum (fun s => F s (number c)) (nodes_that_send net) <= w * bandwidth c.

(** Evidence: entries whose [from] is the node that sends ([to] is not looked at). *)
Definition flows_of (fs : list entry) (s : positive) : flow := flow_of (filter (fun e => Key.eqb (from e) s) fs).

(** What flows out of node s and into the others, by a matrix, so that all adds up to 0. *)
Definition wanted (l : list packet) (s : positive) : list (positive * Q) :=
  flat_map (fun p => [(source (sender p), - rate p); (sink (receiver p), rate p)])
           (filter (fun p => Key.eqb (source (sender p)) s) l).

Definition routes_matrix (net : network) (w : Q) (l : list packet) (fs : list entry) : bool :=
  let chans := find_by number (channels net) in
  let by_node := group from fs in
  let by_channel := group on fs in
  forallb (fun e => Qle_bool 0 (amount e)) fs &&
  forallb (fun s => match outflows chans (of_key s by_node) (wanted l s) with
                    | None => false
                    | Some l => all_groups (fun _ part => Qeq_bool (total snd part) 0) (group fst l)
                    end) (nodes_that_send net) &&
  forallb (fun c => Qle_bool (total amount (of_key (number c) by_channel)) (times w (bandwidth c))) (channels net).

Lemma routes_matrix_correct net w l fs :
  NoDup (map number (channels net)) -> NoDup (map name (terminals net)) -> (forall p, In p l -> good net p) ->
  routes_matrix net w l fs = true -> can_be_routed net (demand_of l) w.
Proof.
  intros UC UT G H. unfold routes_matrix in H. apply andb_prop in H. destruct H as [H Cap].
  apply andb_prop in H. destruct H as [P H]. rewrite forallb_forall in P, H, Cap.
  exists (flows_of fs). split; [|split].
  - intros s c _. apply sum_nonneg. intros e E. apply filter_In in E. apply when_nonneg. apply Qle_bool_iff. apply P. apply E.
  - intros s v S N. specialize (H s S). rewrite group_correct in H. fold (flows_of fs s).
    destruct (outflows _ _ _) as [out|] eqn:O; [|discriminate].
    destruct (outflows_correct net UC _ _ _ O) as [_ E]. specialize (E v). rewrite all_zero_correct in E by exact H.
    unfold flows_of. set (x := leaving _ _ _) in *. set (y := entering _ _ _) in *.
    assert (W : sum (fun x => when (Key.eqb (fst x) v) (snd x)) (wanted l s) == sent_from net (demand_of l) s v).
    { unfold sent_from. rewrite over_pairs_of_demand by assumption. unfold wanted.
      clear - N. induction l as [|p l IH]; simpl; [reflexivity|].
      destruct (Key.eqb_spec (source (sender p)) s) as [Es|Es]; simpl.
      - rewrite IH. destruct (Key.eqb_spec (source (sender p)) v) as [Ev|Ev]; [congruence|]. simpl.
        destruct (Key.eqb (sink (receiver p)) v); simpl; ring.
      - rewrite IH. ring. }
    rewrite W in E. lra.
  - intros c C. specialize (Cap c C). apply Qle_bool_iff in Cap. rewrite times_correct, total_correct, group_correct in Cap.
    eapply Qle_trans; [|exact Cap]. unfold flows_of, flow_of.
    rewrite (sum_ext _ (fun s => sum (fun e => when (Key.eqb (from e) s) (when (Key.eqb (on e) (number c)) (amount e))) fs))
      by (intros s _; apply sum_filter).
    rewrite sum_swap, sum_filter. apply sum_le. intros e E. apply (sum_at_most_one (fun s => s)).
    + rewrite map_id. apply NoDup_nodup.
    + apply when_nonneg. apply Qle_bool_iff. auto.
Qed.

Lemma leaving_plus net q (f g : flow) v : leaving net (fun c => q * f c + g c) v == q * leaving net f v + leaving net g v.
Proof.
  unfold leaving. rewrite <- sum_times, <- sum_plus. apply sum_ext. intros c _. unfold when. destruct (Key.eqb _ _); ring.
Qed.

Lemma entering_plus net q (f g : flow) v : entering net (fun c => q * f c + g c) v == q * entering net f v + entering net g v.
Proof.
  unfold entering. rewrite <- sum_times, <- sum_plus. apply sum_ext. intros c _. unfold when. destruct (Key.eqb _ _); ring.
Qed.

Lemma mixture_can_be_routed net weights (l : list demand) w :
  (forall m, In m l -> can_be_routed net m w) -> (forall q, In q weights -> 0 <= q) -> length weights = length l ->
  exists F : positive -> flow,
  (forall s c, In c (channels net) -> 0 <= F s (number c)) /\
  (forall s v, In s (nodes_that_send net) -> v <> s ->
    leaving net (F s) v - entering net (F s) v == - sent_from net (mixture weights l) s v) /\
  forall c, In c (channels net) -> sum (fun s => F s (number c)) (nodes_that_send net) <= sum (fun q => q) weights * (w * bandwidth c).
Proof.
  revert l. induction weights as [|q weights IH]; intros l M P N; destruct l as [|m l]; try discriminate.
  - exists (fun _ _ => 0). split; [|split].
    + intros; apply Qle_refl.
    + intros s v _ _. unfold leaving, entering, sent_from, over_pairs. simpl.
      assert (Z : forall b : channel -> bool, sum (fun c => when (b c) 0) (channels net) == 0)
        by (intros b; apply sum_zero; intros c _; destruct (b c); reflexivity).
      rewrite (Z (fun c => Key.eqb (tail c) v)), (Z (fun c => Key.eqb (head c) v)).
      rewrite (sum_zero (fun i => sum _ (terminals net))); [ring|]. intros i _. apply sum_zero. intros j _. ring.
    + intros c _. rewrite sum_zero by reflexivity. simpl. lra.
  - injection N as N. destruct (M m (or_introl eq_refl)) as [F [F0 [F1 F2]]].
    destruct (IH l (fun m' I => M m' (or_intror I)) (fun q' I => P q' (or_intror I)) N) as [G [G0 [G1 G2]]].
    assert (Q0 : 0 <= q) by (apply P; left; reflexivity).
    exists (fun s c => q * F s c + G s c). split; [|split].
    + intros s c C. specialize (F0 s c C). specialize (G0 s c C).
      pose proof (Qmult_le_0_compat _ _ Q0 F0). lra.
    + intros s v S V. rewrite leaving_plus, entering_plus. specialize (F1 s v S V). specialize (G1 s v S V).
      assert (E : sent_from net (mixture (q :: weights) (m :: l)) s v == q * sent_from net m s v + sent_from net (mixture weights l) s v).
      { unfold sent_from, over_pairs. rewrite <- sum_times, <- sum_plus. apply sum_ext. intros i _.
        rewrite <- sum_times, <- sum_plus. apply sum_ext. intros j _. simpl. ring. }
      rewrite E. set (a := leaving net (F s) v) in *. set (b := entering net (F s) v) in *.
      assert (X : a == b - sent_from net m s v) by lra. rewrite X.
      set (a' := leaving net (G s) v) in *. set (b' := entering net (G s) v) in *.
      assert (Y : a' == b' - sent_from net (mixture weights l) s v) by lra. rewrite Y. ring.
    + intros c C. rewrite sum_plus, sum_times. specialize (F2 c C). specialize (G2 c C). simpl.
      set (W := w * bandwidth c) in *.
      assert (X : q * sum (fun s => F s (number c)) (nodes_that_send net) <= q * W)
        by (rewrite !(Qmult_comm q); apply Qmult_le_compat_r; assumption).
      rewrite Qmult_plus_distr_l. lra.
Qed.

Lemma can_be_routed_ext net D D' w :
  (forall i j, In i (terminals net) -> In j (terminals net) -> D i j == D' i j) -> can_be_routed net D w -> can_be_routed net D' w.
Proof.
  intros E [F [F0 [F1 F2]]]. exists F. split; [exact F0|]. split; [|exact F2]. intros s v S V. rewrite F1 by assumption.
  assert (X : sent_from net D s v == sent_from net D' s v).
  { apply sum_ext. intros i I. apply sum_ext. intros j J. rewrite E by assumption. reflexivity. }
  rewrite X. reflexivity.
Qed.

Fixpoint routes_matrices (net : network) (w : Q) (ms : list (list packet)) (fs : list (list entry)) : bool :=
  match ms, fs with
  | [], [] => true
  | m :: ms, f :: fs => routes_matrix net w m f && routes_matrices net w ms fs
  | _, _ => false
  end.

Theorem routes_matrices_correct net w ms fs D :
  NoDup (map number (channels net)) -> NoDup (map name (terminals net)) ->
  (forall l, In l ms -> forall p, In p l -> good net p) ->
  routes_matrices net w ms fs = true -> admits net (set_of (MatricesSet ms)) D -> can_be_routed net D w.
Proof.
  intros UC UT G H [_ [weights [N [P [S E]]]]].
  apply (can_be_routed_ext net (mixture weights (map demand_of ms))); [intros; symmetry; auto|].
  destruct (mixture_can_be_routed net weights (map demand_of ms) w) as [F [F0 [F1 F2]]]; [|exact P|exact N|].
  - clear - UC UT G H. revert fs H. induction ms as [|m ms IH]; simpl; intros fs H x I; [contradiction|].
    destruct fs as [|f fs]; [discriminate|]. apply andb_prop in H. destruct H as [H1 H2]. destruct I as [<-|I].
    + apply routes_matrix_correct with f; try assumption. apply G. left. reflexivity.
    + apply IH with fs; auto. intros l L. apply G. right. exact L.
  - exists F. split; [exact F0|]. split; [exact F1|]. intros c C. specialize (F2 c C). rewrite S in F2. lra.
Qed.

(** Flows of all pairs of terminals route a demand: those of the terminals at one node, together. *)
Theorem pairs_can_be_routed net D w (F : terminal -> terminal -> flow) :
  (forall i j, In i (terminals net) -> In j (terminals net) -> ships net (source i) (sink j) (D i j) (F i j)) ->
  (forall c, In c (channels net) -> over_pairs net (fun i j => F i j (number c)) <= w * bandwidth c) ->
  can_be_routed net D w.
Proof.
  intros Ships Cap.
  exists (fun s c => over_pairs net (fun i j => when (Key.eqb (source i) s) (F i j c))). split; [|split].
  - intros s c C. apply sum_nonneg. intros i I. apply sum_nonneg. intros j J. apply when_nonneg. apply (Ships i j I J). exact C.
  - intros s v S N.
    assert (L : forall end_of : channel -> positive,
      sum (fun c => when (Key.eqb (end_of c) v) (over_pairs net (fun i j => when (Key.eqb (source i) s) (F i j (number c))))) (channels net)
      == over_pairs net (fun i j => when (Key.eqb (source i) s) (sum (fun c => when (Key.eqb (end_of c) v) (F i j (number c))) (channels net)))).
    { intros e. unfold over_pairs.
      rewrite (sum_ext _ (fun c => sum (fun i => sum (fun j => when (Key.eqb (e c) v) (when (Key.eqb (source i) s) (F i j (number c)))) (terminals net)) (terminals net))).
      2:{ intros c _. destruct (Key.eqb (e c) v); simpl; [reflexivity|]. symmetry. apply sum_zero. intros i _. apply sum_zero. reflexivity. }
      rewrite sum_swap. apply sum_ext. intros i _. rewrite sum_swap. apply sum_ext. intros j _.
      destruct (Key.eqb (source i) s); simpl; [reflexivity|]. apply sum_zero. intros c _. destruct (Key.eqb (e c) v); reflexivity. }
    unfold leaving, entering. rewrite (L tail), (L head). unfold sent_from, over_pairs.
    rewrite <- sum_minus.
    transitivity (sum (fun i => - (1) * sum (fun j => D i j * when (Key.eqb (source i) s && Key.eqb (sink j) v) 1) (terminals net)) (terminals net));
      [|rewrite sum_times; ring].
    apply sum_ext. intros i I. rewrite <- sum_minus, <- sum_times. apply sum_ext. intros j J.
    destruct (Ships i j I J) as [_ E]. specialize (E v). unfold leaving, entering in E.
    destruct (Key.eqb_spec (source i) s) as [Es|Es]; simpl; [|ring]. rewrite E, Es.
    destruct (Key.eqb_spec s v) as [Ev|Ev]; [congruence|]. simpl. destruct (Key.eqb (sink j) v); simpl; ring.
  - intros c C. apply Qle_trans with (over_pairs net (fun i j => F i j (number c))).
    + unfold over_pairs. rewrite sum_swap. apply Qle_lteq. right. apply sum_ext. intros i I. rewrite sum_swap.
      apply sum_ext. intros j _.
      rewrite <- (sum_one (fun s => s) (fun _ => F i j (number c)) (nodes_that_send net) (source i)).
      * apply sum_ext. intros s _. rewrite Key.eqb_sym. reflexivity.
      * rewrite map_id. apply NoDup_nodup.
      * apply nodup_In. apply in_map. exact I.
    + exact (Cap c C).
Qed.

(** What is routable is routed within the bandwidths. *)
Theorem routable_can_be_routed net D w :
  (forall c, In c (channels net) -> 0 < bandwidth c) -> 1 <= w -> admits net Routable D -> can_be_routed net D w.
Proof.
  intros B W [_ [F [Ships Cap]]]. apply pairs_can_be_routed with F; [exact Ships|].
  intros c C. specialize (Cap c C). specialize (B c C). nra.
Qed.

(** A routing routes every demand, with the loads that it has. *)
Theorem routing_can_be_routed net R D w :
  routes net R -> (forall i j, In i (terminals net) -> In j (terminals net) -> 0 <= D i j) ->
  load_at_most net R D w -> can_be_routed net D w.
Proof.
  intros Routes Pos Most. apply pairs_can_be_routed with (fun i j c => D i j * R i j c); [|exact Most].
  intros i j I J. specialize (Routes i j I J). specialize (Pos i j I J).
  assert (L : forall (b : bool) q, when b (D i j * q) == D i j * when b q) by (intros [] q; simpl; ring).
  assert (S : forall f : channel -> bool, sum (fun c => when (f c) (D i j * R i j (number c))) (channels net)
    == D i j * sum (fun c => when (f c) (R i j (number c))) (channels net)).
  { intros f. rewrite <- sum_times. apply sum_ext. intros c _. apply L. }
  destruct (Key.eqb_spec (source i) (sink j)) as [E|E].
  - split.
    + intros c C. rewrite Routes by exact C. lra.
    + intros v. unfold leaving, entering. rewrite E.
      assert (Z : forall f : channel -> bool, sum (fun c => when (f c) (D i j * R i j (number c))) (channels net) == 0).
      { intros f. apply sum_zero. intros c C. rewrite L. unfold when. destruct (f c); rewrite ?Routes by exact C; ring. }
      rewrite (Z (fun c => Key.eqb (tail c) v)), (Z (fun c => Key.eqb (head c) v)). ring.
  - destruct Routes as [P V]. split.
    + intros c C. apply Qmult_le_0_compat; auto.
    + intros v. specialize (V v). unfold leaving, entering in *.
      rewrite (S (fun c => Key.eqb (tail c) v)), (S (fun c => Key.eqb (head c) v)).
      rewrite (when_times (Key.eqb (source i) v) (D i j)), (when_times (Key.eqb (sink j) v) (D i j)).
      assert (M : forall a x y : Q, a * x - a * y == a * (x - y)) by (intros; ring). rewrite M, V. ring.
Qed.

(** * What a demand costs, however it is routed *)

(** A flow that leaves s only, and brings what [g] says to the other nodes, costs at least what their potentials say. *)
Lemma cost_of_spread net s (f : flow) (g : positive -> Q) p l V :
  (forall c, In c (channels net) -> 0 <= f (number c)) ->
  (forall v, v <> s -> leaving net f v - entering net f v == - g v) ->
  feasible net p l -> NoDup V ->
  (forall c, In c (channels net) -> In (tail c) V) -> (forall c, In c (channels net) -> In (head c) V) ->
  sum (fun v => (p v - p s) * g v) V <= sum (fun c => l c * f (number c)) (channels net).
Proof.
  intros Pos Out F U T H.
  pose proof (potentials_of_flow net (fun v => p v - p s) f V U T H) as X.
  assert (E : sum (fun v => (p v - p s) * (leaving net f v - entering net f v)) V == - (1) * sum (fun v => (p v - p s) * g v) V).
  { rewrite <- sum_times. apply sum_ext. intros v _. destruct (Key.eqb_spec v s) as [->|N]; [ring|].
    rewrite (Out v N). ring. }
  rewrite E in X. clear E.
  assert (Y : sum (fun c => (p (head c) - p s) * f (number c)) (channels net)
           <= sum (fun c => (p (tail c) - p s) * f (number c)) (channels net) + sum (fun c => l c * f (number c)) (channels net)).
  { rewrite <- sum_plus. apply sum_le. intros c C. specialize (F c C). specialize (Pos c C). nra. }
  lra.
Qed.

Theorem lengths_prove_correct net l lengths distances w :
  NoDup (map name (terminals net)) -> (forall p, In p l -> good net p) ->
  lengths_prove net l lengths distances w = true ->
  forall w', can_be_routed net (demand_of l) w' -> w <= w'.
Proof.
  intros U G H w' [F [F0 [F1 F2]]]. unfold lengths_prove in H.
  apply andb_prop in H. destruct H as [H W]. apply andb_prop in H. destruct H as [H B].
  apply andb_prop in H. destruct H as [H K]. apply andb_prop in H. destruct H as [N Fe].
  rewrite forallb_forall in N, Fe, K. apply not_le_bool in B.
  apply Qle_bool_iff in W. rewrite times_correct, total_correct in W.
  set (lc := length_of lengths) in *.
  assert (BE : budget net lengths == sum (fun c => lc c * bandwidth c) (channels net)).
  { unfold budget. rewrite total_correct. apply sum_ext. intros c _. apply times_correct. }
  assert (LN : forall c, In c (channels net) -> 0 <= lc c) by (intros c C; apply Qle_bool_iff; auto).
  set (V := nodup Pos.eq_dec (map sink (terminals net) ++ map tail (channels net) ++ map head (channels net))).
  assert (UV : NoDup V) by apply NoDup_nodup.
  assert (Each : forall s, In s (nodes_that_send net) ->
    sum (fun p => when (Key.eqb (source (sender p)) s) (cost_value distances p)) l
    <= sum (fun c => lc c * F s (number c)) (channels net)).
  { intros s S. destruct (Map.find s distances) as [d|] eqn:D.
    - apply Map.elements_correct in D as DE. specialize (Fe _ DE). simpl in Fe. apply is_feasible_correct in Fe.
      eapply Qle_trans; [|apply (cost_of_spread net s (F s) (sent_from net (demand_of l) s) (value d) lc V); auto].
      2:{ intros c C. apply nodup_In. apply in_or_app. right. apply in_or_app. left. apply in_map. exact C. }
      2:{ intros c C. apply nodup_In. apply in_or_app. right. apply in_or_app. right. apply in_map. exact C. }
      apply Qle_lteq. right. unfold sent_from.
      rewrite (sum_ext (fun v => (value d v - value d s) * _) (fun v => sum (fun p => (value d v - value d s)
        * (rate p * when (Key.eqb (source (sender p)) s && Key.eqb (sink (receiver p)) v) 1)) l)).
      2:{ intros v _. rewrite over_pairs_of_demand by assumption. rewrite <- sum_times. reflexivity. }
      rewrite sum_swap. apply sum_ext. intros p P. unfold cost_value, cost_of.
      destruct (Key.eqb_spec (source (sender p)) s) as [Es|Es]; cbn [when andb].
      + rewrite Es, D.
        assert (One : sum (fun v => (value d v - value d s) * (rate p * when (Key.eqb (sink (receiver p)) v) 1)) V
          == (value d (sink (receiver p)) - value d s) * rate p).
        { rewrite (sum_ext _ (fun v => (value d v - value d s) * when (Key.eqb (sink (receiver p)) v) (rate p)))
            by (intros v _; rewrite (when_times _ (rate p)); ring).
          apply (sum_at (fun v => value d v - value d s)); [exact UV|]. apply nodup_In. apply in_or_app. left. apply in_map. apply (G p P). }
        rewrite One. destruct (Key.eqb_spec s (sink (receiver p))) as [Ed|Ed].
        * rewrite <- Ed. ring.
        * rewrite times_correct, add_correct. ring.
      + symmetry. apply sum_zero. intros v _. simpl. ring.
    - rewrite sum_zero; [apply sum_nonneg; intros c C; apply Qmult_le_0_compat; auto|].
      intros p P. specialize (K p P). unfold cost_value, cost_of in *.
      destruct (Key.eqb_spec (source (sender p)) s) as [Es|Es]; simpl; [|reflexivity]. rewrite Es, D in *.
      destruct (Key.eqb s (sink (receiver p))); [reflexivity|discriminate]. }
  assert (Cost : sum (cost_value distances) l <= sum (fun c => lc c * sum (fun s => F s (number c)) (nodes_that_send net)) (channels net)).
  { apply Qle_trans with (sum (fun s => sum (fun p => when (Key.eqb (source (sender p)) s) (cost_value distances p)) l) (nodes_that_send net)).
    - apply Qle_lteq. right. rewrite sum_swap. apply sum_ext. intros p P.
      rewrite <- (sum_one (fun s => s) (fun _ => cost_value distances p) (nodes_that_send net) (source (sender p))).
      + apply sum_ext. intros s _. rewrite Key.eqb_sym. reflexivity.
      + rewrite map_id. apply NoDup_nodup.
      + apply nodup_In. apply in_map. apply (G p P).
    - eapply Qle_trans; [apply sum_le; exact Each|]. apply Qle_lteq. right.
      rewrite sum_swap. apply sum_ext. intros c _. apply sum_times. }
  assert (Top : sum (fun c => lc c * sum (fun s => F s (number c)) (nodes_that_send net)) (channels net) <= w' * budget net lengths).
  { rewrite BE, <- sum_times. apply sum_le. intros c C. specialize (LN c C). specialize (F2 c C). nra. }
  apply Qmult_le_r with (budget net lengths); [exact B|]. lra.
Qed.

(** * Shortest paths *)

Inductive walk (net : network) : positive -> positive -> Q -> Prop :=
  | here s : walk net s s 0
  | further s c n : walk net s (tail c) n -> In c (channels net) -> walk net s (head c) (n + 1).

(** The least number of channels from s to v is n. *)
Definition is_distance (net : network) (s v : positive) (n : Q) : Prop :=
  (exists m, m == n /\ walk net s v m) /\ forall m, walk net s v m -> n <= m.

(** The average path length of shortest paths is h. *)
Definition shortest_average (net : network) (h : Q) : Prop :=
  exists d, (forall i j, In i (terminals net) -> In j (terminals net) -> is_distance net (source i) (sink j) (d (source i) (sink j))) /\
  over_pairs net (fun i j => d (source i) (sink j)) == h * (sum (fun _ => 1) (terminals net) * sum (fun _ => 1) (terminals net)).

Lemma walk_at_least net s v m p : feasible net p (fun _ => 1) -> walk net s v m -> p v - p s <= m.
Proof.
  intros F W. induction W as [s|s c n W IH C]; [lra|]. specialize (F c C). cbv beta in F. lra.
Qed.

(** Evidence: besides the distances from s, channels along which all is reached, in an order. *)
Record tree := Tree { root : positive; depth : potentials; branches : list channel }.

Fixpoint grow (chans : Map.t channel) (reached : Map.t Q) (l : list channel) : Map.t Q :=
  match l with
  | [] => reached
  | c :: l =>
      match Map.find (number c) chans with
      | None => reached
      | Some c =>
          match Map.find (tail c) reached with
          | None => grow chans reached l
          | Some n => grow chans (Map.add (head c) (n + 1) reached) l
          end
      end
  end.

Lemma grow_correct net s l : forall reached,
  (forall v n, Map.find v reached = Some n -> walk net s v n) ->
  forall v n, Map.find v (grow (find_by number (channels net)) reached l) = Some n -> walk net s v n.
Proof.
  induction l as [|c l IH]; simpl; intros reached H v n F; [auto|].
  destruct (Map.find (number c) _) as [c'|] eqn:C; [|auto]. apply find_by_correct in C. destruct C as [C _].
  destruct (Map.find (tail c') reached) as [k|] eqn:T; [|eapply IH; eassumption].
  eapply IH; [|exact F]. intros w m W. destruct (Key.eqb_spec w (head c')) as [->|N].
  - rewrite Map.gss in W. inversion W; subst. apply further; auto.
  - rewrite Map.gso in W by congruence. auto.
Qed.

Definition is_tree (net : network) (t : tree) : bool :=
  let reached := grow (find_by number (channels net)) (Map.add (root t) 0 (Map.empty Q)) (branches t) in
  Qeq_bool (value (depth t) (root t)) 0 &&
  is_feasible (channels net) (depth t) (fun _ => 1) &&
  forallb (fun j => match Map.find (sink j) reached with
                    | Some n => Qeq_bool n (value (depth t) (sink j))
                    | None => false
                    end) (terminals net).

Lemma is_tree_correct net t j : is_tree net t = true -> In j (terminals net) ->
  is_distance net (root t) (sink j) (value (depth t) (sink j)).
Proof.
  intros H J. unfold is_tree in H. apply andb_prop in H. destruct H as [H R]. apply andb_prop in H. destruct H as [Z F].
  apply Qeq_bool_iff in Z. apply is_feasible_correct in F. rewrite forallb_forall in R. specialize (R j J).
  destruct (Map.find (sink j) _) as [n|] eqn:E; [|discriminate]. apply Qeq_bool_iff in R. split.
  - exists n. split; [exact R|]. eapply grow_correct; [|exact E]. intros v m M.
    destruct (Key.eqb_spec v (root t)) as [->|N].
    + rewrite Map.gss in M. inversion M. apply here.
    + rewrite Map.gso, Map.gempty in M by congruence. discriminate.
  - intros m W. pose proof (walk_at_least _ _ _ _ _ F W) as X. lra.
Qed.

Definition shortest_paths (net : network) (ts : list tree) (h : Q) : bool :=
  let trees := find_by root ts in
  let d i j := match Map.find (source i) trees with Some t => value (depth t) (sink j) | None => 0 end in
  forallb (is_tree net) ts &&
  forallb (fun i => Map.mem (source i) trees) (terminals net) &&
  Qeq_bool (total (fun i => total (fun j => d i j) (terminals net)) (terminals net)) (times h (all_pairs net)).

Theorem shortest_paths_correct net ts h : shortest_paths net ts h = true -> shortest_average net h.
Proof.
  intros H. unfold shortest_paths in H. apply andb_prop in H. destruct H as [H S]. apply andb_prop in H. destruct H as [T M].
  rewrite forallb_forall in T, M. apply Qeq_bool_iff in S. rewrite times_correct, total_correct, all_pairs_correct in S.
  exists (fun s v => match Map.find s (find_by root ts) with Some t => value (depth t) v | None => 0 end). split.
  - intros i j I J. specialize (M i I). rewrite Map.mem_find in M.
    destruct (Map.find (source i) _) as [t|] eqn:F; [|discriminate]. apply find_by_correct in F. destruct F as [F <-].
    apply is_tree_correct; auto.
  - rewrite <- S. unfold over_pairs. apply sum_ext. intros i _. rewrite total_correct. reflexivity.
Qed.
