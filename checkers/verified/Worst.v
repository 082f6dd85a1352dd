(** Worst cases: multipliers bound every demand within limits. *)

Require Import List Bool PArith ZArith QArith Lqa Setoid Morphisms.
From Routeproof Require Import Sums Network Flows Demands.
Import ListNotations.
Local Open Scope Q_scope.

(** * Limits and their multipliers *)

Record multipliers := Multipliers { of_row : Map.t Q; of_column : Map.t Q; of_total : Q }.

(** A multiplier is not negative, and 0 where there is no limit. *)
Definition may_have (q : Q) (bound : option Q) : bool :=
  Qle_bool 0 q && match bound with Some _ => true | None => Qeq_bool q 0 end.

Definition price (q : Q) (bound : option Q) : Q := match bound with Some h => times q h | None => 0 end.

Lemma price_correct q bound x : may_have q bound = true -> within x bound -> q * x <= price q bound.
Proof.
  unfold may_have, price. intros H W. apply andb_prop in H. destruct H as [P H]. apply Qle_bool_iff in P.
  destruct bound as [h|]; simpl in W.
  - rewrite times_correct. nra.
  - apply Qeq_bool_iff in H. rewrite H. lra.
Qed.

Section Bound.
  Variable net : network.
  Variable t : transport.
  Variable m : multipliers.

  Definition u (i : terminal) := value (of_row m) (name i).
  Definition v (j : terminal) := value (of_column m) (name j).
  Definition x := of_total m.

  Definition multipliers_allowed : bool :=
    forallb (fun i => may_have (u i) (row t i)) (terminals net) &&
    forallb (fun j => may_have (v j) (column t j)) (terminals net) &&
    may_have x (whole t).

  Definition price_of_limits : Q :=
    add (add (total (fun i => price (u i) (row t i)) (terminals net))
             (total (fun j => price (v j) (column t j)) (terminals net)))
        (price x (whole t)).

  Lemma price_of_limits_correct D :
    multipliers_allowed = true -> within_limits net t D ->
    over_pairs net (fun i j => D i j * (u i + v j + x)) <= price_of_limits.
  Proof.
    intros A [R [C [T _]]]. unfold multipliers_allowed in A.
    apply andb_prop in A. destruct A as [A AT]. apply andb_prop in A. destruct A as [AR AC].
    rewrite forallb_forall in AR, AC.
    unfold price_of_limits. rewrite !add_correct, !total_correct.
    apply Qle_trans with (sum (fun i => u i * sum (fun j => D i j) (terminals net)) (terminals net)
                + sum (fun j => v j * sum (fun i => D i j) (terminals net)) (terminals net)
                + x * over_pairs net D).
    - apply Qle_lteq. right. unfold over_pairs.
      rewrite (sum_ext (fun j => v j * _) (fun j => sum (fun i => v j * D i j) (terminals net)))
        by (intros; rewrite sum_times; reflexivity).
      rewrite (sum_swap (fun j i => v j * D i j)).
      rewrite <- sum_times, <- !sum_plus. apply sum_ext. intros i _.
      rewrite <- !sum_times, <- !sum_plus. apply sum_ext. intros j _. ring.
    - apply Qplus_le_compat; [apply Qplus_le_compat|].
      + apply sum_le. intros i I. apply price_correct; auto.
      + apply sum_le. intros j J. apply price_correct; auto.
      + apply price_correct; auto.
  Qed.
End Bound.

(** * One channel *)

Section Channel.
  Variable net : network.
  Variable b : kind_of_pairs.
  Variable es : list entry.              (* the routing *)
  Variable s : limits.                   (* the set *)
  Variable c : channel.
  Variable m : multipliers.
  Let R := routing_of b es.
  Let t := transport_of s.
  Let part := filter (fun e => Key.eqb (on e) (number c)) es.

  Definition rest (l : list entry) (i j : terminal) : Q :=
    add (total amount l) (- add (add (u m i) (v m j)) (x m)).

  Lemma rest_correct i j :
    rest (select from to (sends_as b i) (receives_as b j) part) i j == R i j (number c) - (u m i + v m j + x m).
  Proof.
    unfold rest, R, routing_of. rewrite !add_correct, total_correct.
    rewrite <- (amount_by_channel es). unfold pair_of, part. ring.
  Qed.

  (** ** All pairs may send *)

  Definition no_rest (senders receivers : Map.t (list terminal)) (part : list entry) : bool :=
    all_groups2 from to (fun a b l =>
      forallb (fun i => forallb (fun j => Qle_bool (rest l i j) 0) (of_key b receivers))
        (of_key a senders)) part.

  Lemma no_rest_correct :
    multipliers_allowed net t m = true ->
    no_rest (group (sends_as b) (terminals net)) (group (receives_as b) (terminals net)) part = true ->
    forall i j, In i (terminals net) -> In j (terminals net) ->
    R i j (number c) <= u m i + v m j + x m.
  Proof.
    intros A H i j I J. pose proof (rest_correct i j) as E.
    destruct (all_groups2_correct from to _ _ H (sends_as b i) (receives_as b j)) as [K|K].
    - rewrite forallb_forall in K. specialize (K i). rewrite group_correct in K.
      specialize (K (group_of _ _ _ I)). rewrite forallb_forall in K. specialize (K j). rewrite group_correct in K.
      specialize (K (group_of _ _ _ J)).       apply Qle_bool_iff in K. lra.
    - rewrite K in E. assert (Z : rest [] i j == - (u m i + v m j + x m)).
      { unfold rest. rewrite !add_correct. unfold total. simpl. ring. }
      unfold multipliers_allowed in A. apply andb_prop in A. destruct A as [A AT].
      apply andb_prop in A. destruct A as [AR AC]. rewrite forallb_forall in AR, AC.
      specialize (AR i I). specialize (AC j J). unfold may_have in *.
      apply andb_prop in AR, AC, AT. destruct AR as [AR _], AC as [AC _], AT as [AT _].
      apply Qle_bool_iff in AR, AC, AT. lra.
  Qed.

  (** ** Only these pairs may send, within their own limits *)

  Definition box_part (by_pair : Map.t (Map.t (list entry))) (p : allowed) : option Q :=
    let r := rest (of_keys (sends_as b (a_sender p)) (receives_as b (a_receiver p)) by_pair) (a_sender p) (a_receiver p) in
    if Qle_bool r 0 then Some (times r (least p))
    else match most p with Some h => Some (times r h) | None => None end.

  Definition box_value by_pair p : Q := match box_part by_pair p with Some q => q | None => 0 end.

  Definition good_allowed (net : Map.t terminal) (p : allowed) : bool :=
    known net (a_sender p) && known net (a_receiver p).

  Definition good_pairs (ps : list allowed) : bool :=
    forallb (good_allowed (find_by name (terminals net))) ps && distinct2 a_from a_to ps.

  (** ** The bound *)

  (** [Some q]: beyond the multipliers, a demand of the set loads the channel by at most q. *)
  Definition beyond (senders receivers : Map.t (list terminal)) (part : list entry) : option Q :=
    match pairs s with
    | None => if no_rest senders receivers part then Some 0 else None
    | Some ps =>
        let by_pair := group2 from to part in
        if forallb (fun p => match box_part by_pair p with Some _ => true | None => false end) ps
        then Some (total (box_value by_pair) ps) else None
    end.

  (** What the limits of single pairs say, whatever the limits of rows, columns and the total are. *)
  Definition within_pairs (D : demand) : Prop :=
    (forall i j, In i (terminals net) -> In j (terminals net) -> 0 <= D i j) /\
    (forall i j, In i (terminals net) -> In j (terminals net) -> low t i j <= D i j /\ within (D i j) (high t i j)).

  Theorem beyond_correct extra D :
    NoDup (map name (terminals net)) ->
    match pairs s with Some ps => good_pairs ps = true | None => True end ->
    multipliers_allowed net t m = true ->
    beyond (group (sends_as b) (terminals net)) (group (receives_as b) (terminals net)) part = Some extra ->
    within_pairs D ->
    load net R D c <= over_pairs net (fun i j => D i j * (u m i + v m j + x m)) + extra.
  Proof.
    intros U GP A H [Pos L]. unfold beyond in H.
    assert (Same : forall i j, In i (terminals net) -> In j (terminals net) -> name i = name j -> i = j).
    { intros i j I J E. clear - U I J E. induction (terminals net) as [|k l IH]; [contradiction|].
      simpl in U. inversion U as [|? ? N U']; subst. destruct I as [->|I], J as [->|J]; auto.
      - exfalso. apply N. rewrite E. apply in_map. exact J.
      - exfalso. apply N. rewrite <- E. apply in_map. exact I. }
    destruct (pairs s) as [ps|] eqn:PS.
    - set (by_pair := group2 from to part) in *. destruct (forallb _ ps) eqn:B; [|discriminate].
      inversion H; subst extra; clear H. rewrite forallb_forall in B. rewrite total_correct.
      apply andb_prop in GP. destruct GP as [GA GD]. rewrite forallb_forall in GA.
      set (e := fun i j => sum (fun p => when (Key.eqb (a_from p) (name i) && Key.eqb (a_to p) (name j)) (box_value by_pair p)) ps).
      assert (Sum : over_pairs net e == sum (box_value by_pair) ps).
      { unfold over_pairs, e.
        rewrite (sum_ext _ (fun i => sum (fun p => sum (fun j =>
          when (Key.eqb (a_from p) (name i) && Key.eqb (a_to p) (name j)) (box_value by_pair p)) (terminals net)) ps))
          by (intros i _; apply sum_swap).
        rewrite sum_swap. apply sum_ext. intros p PI. specialize (GA p PI).
        unfold good_allowed in GA. apply andb_prop in GA. destruct GA as [K1 K2]. apply known_correct in K1, K2.
        rewrite <- (sum_one name (fun _ => box_value by_pair p) _ (a_sender p) U K1).
        apply sum_ext. intros i _. unfold a_from. rewrite (Key.eqb_sym (name (a_sender p))).
        destruct (Key.eqb (name i) (name (a_sender p))); simpl.
        - rewrite <- (sum_one name (fun _ => box_value by_pair p) _ (a_receiver p) U K2).
          apply sum_ext. intros j _. unfold a_to. rewrite (Key.eqb_sym (name (a_receiver p))). reflexivity.
        - apply sum_zero. reflexivity. }
      rewrite <- Sum.
      unfold load, over_pairs. rewrite <- sum_plus. apply sum_le. intros i I.
      rewrite <- sum_plus. apply sum_le. intros j J.
      specialize (L i j I J). specialize (Pos i j I J).
        unfold t, transport_of in L. simpl in L. rewrite PS in L. unfold pair_in in L.
        destruct (find _ ps) as [p|] eqn:F.
        * apply find_some in F. destruct F as [PI F]. apply andb_prop in F. destruct F as [FI FJ].
          apply Key.eqb_eq in FI, FJ.
          assert (Ei : e i j == box_value by_pair p).
          { unfold e. rewrite <- FI, <- FJ. apply (sum_one2 a_from a_to); assumption. }
          rewrite Ei. specialize (B p PI). specialize (GA p PI). unfold good_allowed in GA.
          apply andb_prop in GA. destruct GA as [K1 K2].
          apply known_correct in K1, K2.
          pose proof (Same _ _ K1 I FI) as <-. pose proof (Same _ _ K2 J FJ) as <-.
          pose proof (rest_correct (a_sender p) (a_receiver p)) as RC.
          unfold box_value, box_part, by_pair in *. rewrite group2_correct in *.
          set (r := rest _ _ _) in *. clearbody r. destruct L as [L1 L2].
          destruct (Qle_bool r 0) eqn:RS.
          -- apply Qle_bool_iff in RS. rewrite times_correct. nra.
          -- assert (RP : 0 < r).
             { apply Qnot_le_lt. intros X. apply Qle_bool_iff in X. congruence. }
             destruct (most p) as [h|]; [|discriminate]. simpl in L2. rewrite times_correct. nra.
        * simpl in L. assert (Z : D i j == 0) by lra. rewrite Z.
          assert (Ei : e i j == 0).
          { apply sum_zero. intros p PI. pose proof (find_none _ _ F p PI) as X. simpl in X. rewrite X. reflexivity. }
          rewrite Ei. lra.
    - destruct (no_rest _ _ _) eqn:B; [|discriminate]. inversion H; subst extra. rewrite Qplus_0_r.
      apply sum_le. intros i I. apply sum_le. intros j J.
      pose proof (no_rest_correct A B i j I J) as X. specialize (Pos i j I J). nra.
  Qed.

  Definition bound_of_channel senders receivers part (w : Q) : bool :=
    multipliers_allowed net t m &&
    match beyond senders receivers part with
    | Some extra => Qle_bool (add (price_of_limits net t m) extra) (times w (bandwidth c))
    | None => false
    end.

  Theorem bound_of_channel_correct w D :
    NoDup (map name (terminals net)) ->
    match pairs s with Some ps => good_pairs ps = true | None => True end ->
    bound_of_channel (group (sends_as b) (terminals net)) (group (receives_as b) (terminals net)) part w = true ->
    admits net (Limits t) D ->
    load net R D c <= w * bandwidth c.
  Proof.
    intros U GP H [Pos L]. unfold bound_of_channel in H. apply andb_prop in H. destruct H as [A H].
    destruct (beyond _ _ _) as [extra|] eqn:E; [|discriminate].
    apply Qle_bool_iff in H. rewrite add_correct, times_correct in H.
    pose proof (price_of_limits_correct net t m D A L) as P.
    assert (W : within_pairs D) by (split; [exact Pos|apply L]).
    pose proof (beyond_correct extra D U GP A E W). lra.
  Qed.

  (** ** At a smaller rate *)

  Definition of_rows : Q := total (fun i => price (u m i) (row t i)) (terminals net).

  Definition unsaturated (senders receivers : Map.t (list terminal)) (part : list entry) : bool :=
    bound_of_channel senders receivers part 1 &&
    match beyond senders receivers part with
    | Some extra => negb (Qle_bool (bandwidth c) (add (price_of_limits net t m) extra)) || negb (Qle_bool of_rows 0)
    | None => false
    end.

  (** All rows multiplied by f. *)
  Definition reduced (f : Q) : transport := {|
    row i := match row t i with Some h => Some (f * h) | None => None end;
    column := column t; whole := whole t; low := low t; high := high t |}.

  Theorem unsaturated_correct f D :
    NoDup (map name (terminals net)) ->
    match pairs s with Some ps => good_pairs ps = true | None => True end ->
    (forall i h, In i (terminals net) -> row t i = Some h -> 0 <= h) ->
    unsaturated (group (sends_as b) (terminals net)) (group (receives_as b) (terminals net)) part = true ->
    0 <= f -> f < 1 -> admits net (Limits (reduced f)) D ->
    load net R D c < bandwidth c.
  Proof.
    intros U GP RN H F0 F1 [Pos [LR [LC [LT LP]]]]. unfold unsaturated in H. apply andb_prop in H. destruct H as [H S].
    unfold bound_of_channel in H. apply andb_prop in H. destruct H as [A H].
    destruct (beyond _ _ _) as [extra|] eqn:E; [|discriminate].
    apply Qle_bool_iff in H. rewrite add_correct, times_correct in H.
    assert (A' : multipliers_allowed net (reduced f) m = true).
    { unfold multipliers_allowed, reduced in *. simpl in *. apply andb_prop in A. destruct A as [A AT].
      apply andb_prop in A. destruct A as [AR AC]. rewrite AC, AT, !andb_true_r. rewrite forallb_forall in *.
      intros i I. specialize (AR i I). unfold may_have in *. destruct (rows s); exact AR. }
    assert (W' : within_limits net (reduced f) D) by (repeat split; auto; apply LP; auto).
    pose proof (price_of_limits_correct net (reduced f) m D A' W') as P.
    assert (W : within_pairs D) by (split; [exact Pos|exact LP]).
    pose proof (beyond_correct extra D U GP A E W) as B.
    assert (RO : price_of_limits net (reduced f) m == price_of_limits net t m - (1 - f) * of_rows).
    { unfold price_of_limits, of_rows. rewrite !add_correct, !total_correct. simpl.
      assert (X : sum (fun i => price (u m i) (row (reduced f) i)) (terminals net) == f * sum (fun i => price (u m i) (row t i)) (terminals net)).
      { rewrite <- sum_times. apply sum_ext. intros i _. simpl. unfold price. destruct (rows s); [rewrite !times_correct|]; ring. }
      simpl in X. rewrite X. ring. }
    assert (ON : 0 <= of_rows).
    { unfold of_rows. rewrite total_correct. apply sum_nonneg. intros i I. unfold price. destruct (row t i) as [h|] eqn:RT; [|lra].
      rewrite times_correct. apply Qmult_le_0_compat; [|eauto]. unfold multipliers_allowed in A.
      apply andb_prop in A. destruct A as [A _]. apply andb_prop in A. destruct A as [A _]. rewrite forallb_forall in A.
      specialize (A i I). unfold may_have in A. apply andb_prop in A. destruct A as [A _]. apply Qle_bool_iff. exact A. }
    rewrite RO in P. apply orb_prop in S. destruct S as [S|S].
    - assert (X : add (price_of_limits net t m) extra < bandwidth c).
      { apply Qnot_le_lt. intros Y. apply Qle_bool_iff in Y. rewrite Y in S. discriminate. }
      rewrite add_correct in X. nra.
    - assert (X : 0 < of_rows).
      { apply Qnot_le_lt. intros Y. apply Qle_bool_iff in Y. rewrite Y in S. discriminate. }
      nra.
  Qed.
End Channel.
