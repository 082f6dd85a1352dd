(** Phases one after another: how long they take on a routing. *)

Require Import List Bool PArith ZArith QArith Lqa Setoid Morphisms.
From Routeproof Require Import Sums Network Demands.
Import ListNotations.
Local Open Scope Q_scope.

(** The matrix that is sent in a phase, by its position; how often in a row; the units of a message. *)
Record phase := Phase { of_matrix : nat; in_a_row : Q; units : Q }.

(** The demand D takes w cycles: so long the channel is busy that is busy longest. *)
Definition takes (net : network) (R : routing) (D : demand) (w : Q) : Prop :=
  0 <= w /\ load_at_most net R D w /\ (w == 0 \/ exists c, In c (channels net) /\ load net R D c == w * bandwidth c).

(** All phases take x cycles, each its latency and its amount times what its matrix takes. *)
Fixpoint phases_take (net : network) (R : routing) (ms : list (list packet)) (latency : Q) (l : list phase) (x : Q) : Prop :=
  match l with
  | [] => x == 0
  | p :: l => exists m w y, nth_error ms (of_matrix p) = Some m /\ takes net R (demand_of m) w /\
                phases_take net R ms latency l y /\ x == in_a_row p * (latency + units p * w) + y
  end.

Definition busiest (net : network) (load_on : positive -> Q) : Q :=
  fold_left (fun w c => let q := times (load_on (number c)) (/ bandwidth c) in if Qle_bool q w then w else q) (channels net) 0.

Fixpoint time_of (net : network) (ms : list (list packet)) (load_under : positive -> list packet -> Q) (latency : Q)
    (l : list phase) : option Q :=
  match l with
  | [] => Some 0
  | p :: l =>
      match nth_error ms (of_matrix p), time_of net ms load_under latency l with
      | Some m, Some y => Some (add (times (in_a_row p) (add latency (times (units p) (busiest net (fun k => load_under k m))))) y)
      | _, _ => None
      end
  end.

Lemma busiest_correct net R D load_on : (forall c, In c (channels net) -> 0 < bandwidth c) ->
  (forall c, In c (channels net) -> load_on (number c) == load net R D c) -> takes net R D (busiest net load_on).
Proof.
  intros P L. unfold busiest.
  assert (G : forall l, (forall c, In c l -> In c (channels net)) -> forall w, 0 <= w ->
    let f := fold_left (fun w c => let q := times (load_on (number c)) (/ bandwidth c) in if Qle_bool q w then w else q) l w in
    w <= f /\ (forall c, In c l -> load net R D c <= f * bandwidth c) /\
    (f = w \/ exists c, In c l /\ load net R D c == f * bandwidth c)).
  { induction l as [|c l IH]; simpl; intros I w W; [split; [apply Qle_refl|split; [contradiction|left; reflexivity]]|].
    set (q := times (load_on (number c)) (/ bandwidth c)).
    assert (Q0 : load net R D c == q * bandwidth c).
    { unfold q. rewrite times_correct, L by auto. field. specialize (P c (I c (or_introl eq_refl))). intros Z. rewrite Z in P. discriminate. }
    assert (B : 0 < bandwidth c) by auto.
    destruct (Qle_bool q w) eqn:E.
    - apply Qle_bool_iff in E. destruct (IH (fun x J => I x (or_intror J)) w W) as [A [M X]].
      split; [exact A|]. split.
      + intros e [<-|J]; [|auto]. rewrite Q0. apply Qmult_le_compat_r; [eapply Qle_trans; [exact E|exact A]|apply Qlt_le_weak; exact B].
      + destruct X as [X|[e [J X]]]; [left; exact X|right; exists e; auto].
    - assert (F : w < q) by (apply Qnot_le_lt; intros N; apply Qle_bool_iff in N; congruence).
      destruct (IH (fun x J => I x (or_intror J)) q (Qle_trans _ _ _ W (Qlt_le_weak _ _ F))) as [A [M X]].
      split; [apply Qlt_le_weak; eapply Qlt_le_trans; [exact F|exact A]|]. split.
      + intros e [<-|J]; [|auto]. rewrite Q0. apply Qmult_le_compat_r; [exact A|apply Qlt_le_weak; exact B].
      + right. destruct X as [X|[e [J X]]]; [|exists e; auto].
      exists c. split; [left; reflexivity|]. exact (eq_ind_r (fun z => load net R D c == z * bandwidth c) Q0 X). }
  destruct (G (channels net) (fun c I => I) 0 (Qle_refl 0)) as [A [M X]].
  split; [exact A|]. split; [exact M|]. destruct X as [X|X]; [left|right; exact X].
  exact (eq_ind_r (fun z => z == 0) (Qeq_refl 0) X).
Qed.

Theorem time_of_correct net R ms load_under latency : (forall c, In c (channels net) -> 0 < bandwidth c) ->
  (forall m c, In m ms -> In c (channels net) -> load_under (number c) m == load net R (demand_of m) c) ->
  forall l x, time_of net ms load_under latency l = Some x -> phases_take net R ms latency l x.
Proof.
  intros P L. induction l as [|p l IH]; simpl; intros x T.
  - injection T as <-. reflexivity.
  - destruct (nth_error ms (of_matrix p)) as [m|] eqn:M; [|discriminate].
    destruct (time_of _ _ _ _ _) as [y|] eqn:Y; [|discriminate]. injection T as <-.
    exists m, (busiest net (fun k => load_under k m)), y. split; [reflexivity|]. split; [|split; [apply IH; reflexivity|]].
    + apply busiest_correct; [exact P|]. intros c C. apply L; [eapply nth_error_In; exact M|exact C].
    + rewrite add_correct, times_correct, add_correct, times_correct. reflexivity.
Qed.

Lemma phases_take_equal net R ms latency l x y : x == y -> phases_take net R ms latency l x -> phases_take net R ms latency l y.
Proof.
  intros E. destruct l as [|p l]; simpl; [rewrite E; exact id|]. intros [m [w [z [M [T [Z X]]]]]]. exists m, w, z. rewrite <- E. auto.
Qed.
