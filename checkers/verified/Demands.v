(** Demands and sets as lists, and the test that a demand is in a set. *)

Require Import List Bool PArith ZArith QArith Lqa Setoid Morphisms.
From Routeproof Require Import Sums Network Flows.
Import ListNotations.
Local Open Scope Q_scope.

(** * Demands *)

Record packet := Packet { sender : terminal; receiver : terminal; rate : Q }.

Definition p_from (p : packet) := name (sender p).
Definition p_to (p : packet) := name (receiver p).

(** What terminal i sends to terminal j is the sum of the rates of these packets. *)
Definition demand_of (l : list packet) : demand :=
  fun i j => sum (fun p => when (Key.eqb (p_from p) (name i) && Key.eqb (p_to p) (name j)) (rate p)) l.

(** A terminal of the network, with the nodes that it has there. *)
Definition known (net : Map.t terminal) (t : terminal) : bool :=
  match Map.find (name t) net with
  | Some t' => Key.eqb (source t) (source t') && Key.eqb (sink t) (sink t')
  | None => false
  end.

Lemma known_correct net t : known (find_by name (terminals net)) t = true -> In t (terminals net).
Proof.
  unfold known. destruct (Map.find _ _) as [t'|] eqn:F; [|discriminate].
  apply find_by_correct in F. destruct F as [I N]. intros H.
  apply andb_prop in H. destruct H as [S K]. apply Key.eqb_eq in S, K.
  destruct t, t'. simpl in *. subst. exact I.
Qed.

Definition is_packet (net : Map.t terminal) (p : packet) : bool :=
  Qle_bool 0 (rate p) && known net (sender p) && known net (receiver p).

Definition good (net : network) (p : packet) : Prop :=
  0 <= rate p /\ In (sender p) (terminals net) /\ In (receiver p) (terminals net).

Lemma is_packet_correct net p : is_packet (find_by name (terminals net)) p = true -> good net p.
Proof.
  unfold is_packet, good. intros H. repeat (apply andb_prop in H; destruct H as [H ?]).
  repeat split.
  - apply Qle_bool_iff. exact H.
  - apply known_correct. exact H1.
  - apply known_correct. exact H0.
Qed.

Section Sums_of_demands.
  Variable net : network.
  Variable l : list packet.
  Hypothesis U : NoDup (map name (terminals net)).
  Hypothesis G : forall p, In p l -> good net p.

  Lemma demand_nonneg i j : 0 <= demand_of l i j.
  Proof. apply sum_nonneg. intros p P. apply when_nonneg. apply (G p P). Qed.

  (** The sum over all pairs of what a demand does is the sum over its packets. *)
  Lemma over_pairs_of_demand (g : terminal -> terminal -> Q) :
    over_pairs net (fun i j => demand_of l i j * g i j) == sum (fun p => rate p * g (sender p) (receiver p)) l.
  Proof.
    unfold over_pairs, demand_of.
    rewrite (sum_ext _ (fun i => sum (fun p => sum (fun j =>
      when (Key.eqb (p_from p) (name i) && Key.eqb (p_to p) (name j)) (rate p) * g i j) (terminals net)) l)).
    2:{ intros i _. rewrite sum_swap. apply sum_ext. intros j _. rewrite sum_times_r. reflexivity. }
    rewrite sum_swap. apply sum_ext. intros p P. destruct (G p P) as [_ [S R]].
    rewrite <- (sum_one name (fun i => rate p * g i (receiver p)) _ (sender p) U S).
    apply sum_ext. intros i _.
    unfold p_from, p_to, when.
    rewrite (Key.eqb_sym (name (sender p))). destruct (Key.eqb (name i) (name (sender p))); simpl.
    - rewrite <- (sum_one name (fun j => rate p * g i j) _ (receiver p) U R).
      apply sum_ext. intros j _. rewrite (Key.eqb_sym (name (receiver p))). unfold when.
      destruct (Key.eqb (name j) (name (receiver p))); ring.
    - apply sum_zero. intros j _. ring.
  Qed.

  Lemma row_of_demand i : In i (terminals net) ->
    sum (fun j => demand_of l i j) (terminals net) == sum rate (filter (fun p => Key.eqb (p_from p) (name i)) l).
  Proof.
    intros I. rewrite sum_filter. unfold demand_of. rewrite sum_swap. apply sum_ext. intros p P.
    destruct (G p P) as [_ [_ R]].
    rewrite <- (sum_one name (fun j => when (Key.eqb (p_from p) (name i)) (rate p)) _ (receiver p) U R).
    apply sum_ext. intros j _. unfold p_to, when. rewrite (Key.eqb_sym (name (receiver p))).
    destruct (Key.eqb (p_from p) (name i)), (Key.eqb (name j) (name (receiver p))); reflexivity.
  Qed.

  Lemma column_of_demand j : In j (terminals net) ->
    sum (fun i => demand_of l i j) (terminals net) == sum rate (filter (fun p => Key.eqb (p_to p) (name j)) l).
  Proof.
    intros I. rewrite sum_filter. unfold demand_of. rewrite sum_swap. apply sum_ext. intros p P.
    destruct (G p P) as [_ [R _]].
    rewrite <- (sum_one name (fun i => when (Key.eqb (p_to p) (name j)) (rate p)) _ (sender p) U R).
    apply sum_ext. intros i _. unfold p_from, when. rewrite (Key.eqb_sym (name (sender p))).
    destruct (Key.eqb (p_to p) (name j)), (Key.eqb (name i) (name (sender p))); reflexivity.
  Qed.
End Sums_of_demands.

Lemma whole_demand net l : NoDup (map name (terminals net)) -> (forall p, In p l -> good net p) ->
  over_pairs net (demand_of l) == sum rate l.
Proof.
  intros U G. transitivity (over_pairs net (fun i j => demand_of l i j * 1)).
  - apply sum_ext. intros i _. apply sum_ext. intros j _. ring.
  - rewrite over_pairs_of_demand by assumption. apply sum_ext. intros p _. ring.
Qed.

(** * Limits *)

(** [None]: no limit. Of numbers by terminal, those that are not there are 0. *)
Definition value (m : Map.t Q) (k : positive) : Q := match Map.find k m with Some q => q | None => 0 end.

(** A pair that may send, from [least] to [most]. *)
Record allowed := Allowed { a_sender : terminal; a_receiver : terminal; least : Q; most : option Q }.

Definition a_from (p : allowed) := name (a_sender p).
Definition a_to (p : allowed) := name (a_receiver p).

Record limits := LimitsOf { rows : option (Map.t Q); columns : option (Map.t Q); limit : option Q; pairs : option (list allowed) }.

Definition pair_in (l : list allowed) (i j : terminal) : option allowed :=
  find (fun p => Key.eqb (a_from p) (name i) && Key.eqb (a_to p) (name j)) l.

Definition transport_of (s : limits) : transport := {|
  row i := match rows s with Some m => Some (value m (name i)) | None => None end;
  column j := match columns s with Some m => Some (value m (name j)) | None => None end;
  whole := limit s;
  low i j := match pairs s with
             | Some l => match pair_in l i j with Some p => least p | None => 0 end
             | None => 0
             end;
  high i j := match pairs s with
              | Some l => match pair_in l i j with Some p => most p | None => Some 0 end
              | None => None
              end |}.

Definition below (q : Q) (bound : option Q) : bool := match bound with Some h => Qle_bool q h | None => true end.

Lemma below_correct q h : below q h = true -> within q h.
Proof. destruct h; simpl; [apply Qle_bool_iff|trivial]. Qed.

Definition in_limits (net : network) (s : limits) (l : list packet) : bool :=
  let by_sender := group p_from l in
  let by_receiver := group p_to l in
  forallb (fun i => below (total rate (of_key (name i) by_sender)) (row (transport_of s) i)) (terminals net) &&
  forallb (fun j => below (total rate (of_key (name j) by_receiver)) (column (transport_of s) j)) (terminals net) &&
  below (total rate l) (limit s) &&
  match pairs s with
  | None => true
  | Some ps =>
      let by_pair := group2 p_from p_to l in
      let allowed_pairs := group2 a_from a_to ps in
      forallb (fun p => match of_keys (p_from p) (p_to p) allowed_pairs with [] => false | _ => true end) l &&
      forallb (fun p => let q := total rate (of_keys (a_from p) (a_to p) by_pair) in
                        Qle_bool (least p) q && below q (most p)) ps
  end.

Lemma within_eq q q' h : q == q' -> within q h -> within q' h.
Proof. intros E. destruct h; simpl; [rewrite E|]; trivial. Qed.

Lemma in_limits_correct net s l :
  NoDup (map name (terminals net)) -> (forall p, In p l -> good net p) ->
  in_limits net s l = true -> within_limits net (transport_of s) (demand_of l).
Proof.
  intros U G H. unfold in_limits in H. apply andb_prop in H. destruct H as [H P].
  apply andb_prop in H. destruct H as [H T]. apply andb_prop in H. destruct H as [R C].
  rewrite forallb_forall in R, C. split; [|split; [|split]].
  - intros i I. specialize (R i I). apply below_correct in R. eapply within_eq; [|exact R].
    rewrite row_of_demand, total_correct, group_correct by assumption. reflexivity.
  - intros j J. specialize (C j J). apply below_correct in C. eapply within_eq; [|exact C].
    rewrite column_of_demand, total_correct, group_correct by assumption. reflexivity.
  - apply below_correct in T. eapply within_eq; [|exact T].
    rewrite whole_demand, total_correct by assumption. reflexivity.
  - intros i j I J. simpl. destruct (pairs s) as [ps|]; [|split; [apply demand_nonneg with net; assumption|exact Logic.I]].
    apply andb_prop in P. destruct P as [A B]. rewrite forallb_forall in A, B.
    unfold pair_in. destruct (find _ ps) as [p|] eqn:F.
    + apply find_some in F. destruct F as [PI F]. apply andb_prop in F. destruct F as [FI FJ].
      apply Key.eqb_eq in FI, FJ. specialize (B p PI). cbv zeta in B.
      rewrite FI, FJ in B. apply andb_prop in B. destruct B as [B1 B2].
      apply Qle_bool_iff in B1. apply below_correct in B2.
      assert (E : total rate (of_keys (name i) (name j) (group2 p_from p_to l)) == demand_of l i j)
        by (rewrite total_correct, group2_correct, sum_select; reflexivity).
      split; [rewrite <- E; exact B1|eapply within_eq; [exact E|exact B2]].
    + assert (Z : demand_of l i j == 0).
      { apply sum_zero. intros q Q. specialize (A q Q). rewrite group2_correct in A. unfold when.
        destruct (Key.eqb_spec (p_from q) (name i)) as [E|E]; simpl; [|reflexivity].
        destruct (Key.eqb_spec (p_to q) (name j)) as [E'|E']; simpl; [|reflexivity].
        rewrite E, E' in A. destruct (select a_from a_to (name i) (name j) ps) as [|p rest] eqn:L; [discriminate|].
        assert (K : In p (select a_from a_to (name i) (name j) ps)) by (rewrite L; left; reflexivity).
        unfold select in K. apply filter_In in K. destruct K as [K K2]. apply filter_In in K. destruct K as [K K1].
        pose proof (find_none _ _ F p K) as X. simpl in X. rewrite K1, K2 in X. discriminate. }
      split; [rewrite Z; apply Qle_refl|]. simpl. rewrite Z. apply Qle_refl.
Qed.
