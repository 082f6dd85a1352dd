(** Throughput, fractions of capacity and the price of obliviousness: what they are, and that they follow from loads. *)

Require Import List Bool PArith ZArith QArith Lqa Setoid Morphisms.
From Routeproof Require Import Sums Network Flows Demands Sets Design Loads.
Import ListNotations.
Local Open Scope Q_scope.

(** * What they are *)

Definition at_rate (t : Q) (D : demand) : demand := fun i j => t * D i j.

(** Every demand of the set, times t, loads no channel with more than its bandwidth. *)
Definition sustains (net : network) (R : routing) (S : demand_set) (t : Q) : Prop :=
  forall D, admits net S D -> load_at_most net R (at_rate t D) 1.

(** The throughput of a routing is the largest t that it sustains. *)
Definition throughput_at_least net R S (x : Q) : Prop := exists t, x <= t /\ sustains net R S t.
Definition throughput_at_most net R S (x : Q) : Prop := forall t, sustains net R S t -> t <= x.

(** Every demand of the set, times t, can be routed within the bandwidths, each as is best for it. *)
Definition carries (net : network) (S : demand_set) (t : Q) : Prop :=
  forall D, admits net S D -> can_be_routed net (at_rate t D) 1.

(** The best throughput, of all ways to route that know the demand, is the largest t that is carried. *)
Definition best_throughput_at_least net S (x : Q) : Prop := exists t, x <= t /\ carries net S t.
Definition best_throughput_at_most net S (x : Q) : Prop := forall t, carries net S t -> t <= x.

(** Throughput over capacity, which is the best throughput of uniform demand (of the set U). *)
Definition fraction_at_least net R S U (x : Q) : Prop :=
  forall k, 0 <= k -> carries net U k -> throughput_at_least net R S (x * k).
Definition fraction_at_most net R S U (x : Q) : Prop :=
  exists k, 0 < k /\ carries net U k /\ throughput_at_most net R S (x * k).

(** The price of obliviousness: the best throughput over that of the best routing between nodes (or terminals). *)
Definition price_at_least net b S (x : Q) : Prop :=
  forall R t, routes net R -> is_between b net R -> 0 <= t -> sustains net R S t -> best_throughput_at_least net S (x * t).
Definition price_at_most net b S (x : Q) : Prop :=
  exists R t, routes net R /\ is_between b net R /\ 0 < t /\ sustains net R S t /\ best_throughput_at_most net S (x * t).

(** * That they follow *)

Lemma load_at_rate net R t D c : load net R (at_rate t D) c == t * load net R D c.
Proof.
  unfold load, over_pairs, at_rate. rewrite <- sum_times. apply sum_ext. intros i _.
  rewrite <- sum_times. apply sum_ext. intros j _. ring.
Qed.

Lemma can_be_routed_at_rate net D w t : 0 <= t -> can_be_routed net D w -> can_be_routed net (at_rate t D) (t * w).
Proof.
  intros T [F [F0 [F1 F2]]]. exists (fun s c => t * F s c). split; [|split].
  - intros s c C. apply Qmult_le_0_compat; auto.
  - intros s v S V. specialize (F1 s v S V).
    assert (L : forall f : channel -> bool, sum (fun c => when (f c) (t * F s (number c))) (channels net)
      == t * sum (fun c => when (f c) (F s (number c))) (channels net)).
    { intros f. rewrite <- sum_times. apply sum_ext. intros c _. destruct (f c); simpl; ring. }
    assert (E : sent_from net (at_rate t D) s v == t * sent_from net D s v).
    { unfold sent_from, over_pairs, at_rate. rewrite <- sum_times. apply sum_ext. intros i _.
      rewrite <- sum_times. apply sum_ext. intros j _. ring. }
    unfold leaving, entering in *. rewrite E, (L (fun c => Key.eqb (tail c) v)), (L (fun c => Key.eqb (head c) v)).
    assert (M : forall x y z : Q, x - y == - z -> t * x - t * y == - (t * z)) by (intros x y z X; assert (x == y - z) as -> by lra; ring).
    apply M. exact F1.
  - intros c C. specialize (F2 c C). rewrite sum_times. rewrite <- Qmult_assoc.
    rewrite !(Qmult_comm t). apply Qmult_le_compat_r; assumption.
Qed.

Lemma inverse_positive w : 0 < w -> 0 < 1 / w.
Proof. intros W. apply Qlt_shift_div_l; [exact W|lra]. Qed.

Lemma inverse w : 0 < w -> 1 / w * w == 1.
Proof. intros W. field. intros Z. rewrite Z in W. discriminate W. Qed.

(** The quotient is compared without a division. *)
Lemma at_most_inverse x w : 0 < w -> x * w <= 1 -> x <= 1 / w.
Proof. intros W X. apply Qle_shift_div_l; assumption. Qed.

Section Follows.
  Variable net : network.
  Variable S : demand_set.
  Hypothesis bandwidths : forall c, In c (channels net) -> 0 < bandwidth c.

  (** From an upper bound of the worst-case load. *)
  Lemma sustains_inverse R w : 0 < w -> worst_load_at_most net R S w -> sustains net R S (1 / w).
  Proof.
    intros W H D A c C. specialize (H D A c C). rewrite load_at_rate.
    pose proof (inverse_positive w W) as P. pose proof (inverse w W) as E.
    apply Qle_trans with (1 / w * (w * bandwidth c)).
    - rewrite !(Qmult_comm (1 / w)). apply Qmult_le_compat_r; [exact H|lra].
    - apply Qlt_le_weak in P. rewrite Qmult_assoc, E. lra.
  Qed.

  Lemma worst_load_of_rate R t : 0 < t -> sustains net R S t -> worst_load_at_most net R S (1 / t).
  Proof.
    intros T H D A c C. specialize (H D A c C). rewrite load_at_rate in H.
    apply Qmult_le_r with t; [exact T|]. pose proof (inverse t T) as E.
    assert (X : 1 / t * bandwidth c * t == 1 / t * t * bandwidth c) by ring. rewrite X, E. lra.
  Qed.

  (** From a lower bound. *)
  Lemma rate_at_most R c w t :
    0 < w -> In c (channels net) -> worst_case_at_least net R S c w -> sustains net R S t -> t * w <= 1.
  Proof.
    intros W C [D [A L]] H. specialize (H D A c C). rewrite load_at_rate in H. specialize (bandwidths c C).
    destruct (Qlt_le_dec t 0) as [N|P]; [nra|]. apply Qmult_le_r with (bandwidth c); [exact bandwidths|]. nra.
  Qed.

  Lemma rate_of_any R w t :
    0 <= t -> (forall w', worst_load_at_most net R S w' -> w <= w') -> sustains net R S t -> t * w <= 1.
  Proof.
    intros T B H. apply Qle_lt_or_eq in T. destruct T as [T|T]; [|rewrite <- T; lra].
    specialize (B _ (worst_load_of_rate R t T H)). pose proof (inverse t T) as E. nra.
  Qed.

  (** The same for flows. *)
  Lemma carries_inverse w : 0 < w -> (forall D, admits net S D -> can_be_routed net D w) -> carries net S (1 / w).
  Proof.
    intros W H D A. specialize (H D A). pose proof (inverse_positive w W) as P. pose proof (inverse w W) as E.
    destruct (can_be_routed_at_rate net D w (1 / w)) as [F [F0 [F1 F2]]]; [lra|exact H|].
    exists F. split; [exact F0|]. split; [exact F1|]. intros c C. rewrite <- E. auto.
  Qed.

  Lemma carried_at_most w t :
    0 <= t -> (exists D, admits net S D /\ forall w', can_be_routed net D w' -> w <= w') -> carries net S t -> t * w <= 1.
  Proof.
    intros T [D [A B]] H. apply Qle_lt_or_eq in T. destruct T as [T|T]; [|rewrite <- T; lra].
    specialize (H D A). pose proof (inverse_positive t T) as P. pose proof (inverse t T) as E.
    apply (can_be_routed_at_rate _ _ _ (1 / t)) in H; [|lra].
    specialize (B (1 / t * 1)). assert (X : w <= 1 / t * 1).
    { apply B. apply (can_be_routed_ext net (at_rate (1 / t) (at_rate t D))); [|exact H].
      intros i j _ _. unfold at_rate. rewrite Qmult_assoc, E. ring. }
    nra.
  Qed.

  (** A routing that may not know the demand bounds those that may. *)
  Lemma routing_carries R w D : routes net R -> worst_load_at_most net R S w -> admits net S D -> can_be_routed net D w.
  Proof. intros Routes H A. apply routing_can_be_routed with R; [exact Routes|apply A|apply H; exact A]. Qed.
End Follows.

(** For any number: from what is known of rates that are not negative. *)
Lemma any_rate t w : 0 < w -> (0 <= t -> t * w <= 1) -> t * w <= 1.
Proof. intros W H. destruct (Qlt_le_dec t 0) as [N|P]; [nra|auto]. Qed.

(** t w <= 1 and k a >= 1 ... : the arithmetic of two loads, a over b. *)
Lemma of_two x a b k : 0 < b -> x * b <= a -> 0 <= k -> k * a <= 1 -> x * k <= 1 / b.
Proof. intros B X K A. apply at_most_inverse; [exact B|]. nra. Qed.

Lemma over_two x a b t : 0 < a -> 0 < b -> a <= x * b -> t * b <= 1 -> t <= x * (1 / a).
Proof.
  intros A B X T. pose proof (inverse a A) as E.
  assert (0 < x) by (apply Qmult_lt_r with b; [exact B|]; lra).
  apply Qmult_le_r with a; [exact A|]. assert (Y : x * (1 / a) * a == x * (1 / a * a)) by ring. rewrite Y, E.
  apply Qmult_le_r with b; [exact B|]. nra.
Qed.
