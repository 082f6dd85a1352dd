(** Forwarding tables: what they are, and the test that a routing has them. *)

Require Import List Bool PArith ZArith QArith Lqa.
From Routeproof Require Import Sums Network Flows.
Import ListNotations.
Local Open Scope Q_scope.

(** One next channel for each node and destination, or for each node and pair of source and destination. *)
Inductive tables := ForDestinations | ForPairs.

(** Channels that leave one node and carry packets to one destination (of one pair) are one channel. *)
Definition has_tables (net : network) (b : kind_of_pairs) (R : routing) (of : tables) : Prop :=
  forall i j i' j' c c', In i (terminals net) -> In j (terminals net) -> In i' (terminals net) -> In j' (terminals net) ->
  In c (channels net) -> In c' (channels net) -> tail c = tail c' -> receives_as b j = receives_as b j' ->
  match of with ForDestinations => True | ForPairs => sends_as b i = sends_as b i' end ->
  0 < R i j (number c) -> 0 < R i' j' (number c') -> number c = number c'.

Definition one_channel (l : list entry) : bool :=
  match l with [] => true | e :: l => forallb (fun e' => Key.eqb (on e') (on e)) l end.

Definition tables_of (of : tables) (es : list entry) : bool :=
  all_groups (fun _ part =>
    match of with ForDestinations => one_channel part | ForPairs => all_groups (fun _ l => one_channel l) (group from part) end)
    (group to es).

(** [loads_on k]: the entries of channel k. *)
Definition check_tables (net : network) (of : tables) (loads_on : positive -> list entry) : bool :=
  all_groups (fun _ cs => tables_of of (flat_map (fun c => loads_on (number c)) cs)) (group tail (channels net)).

Lemma one_channel_correct l e e' : one_channel l = true -> In e l -> In e' l -> on e = on e'.
Proof.
  destruct l as [|x l]; [contradiction|]. simpl. rewrite forallb_forall. intros H.
  assert (F : forall y, x = y \/ In y l -> on y = on x) by (intros y [<-|Y]; [reflexivity|apply Key.eqb_eq, H, Y]).
  intros A B. rewrite (F e A), (F e' B). reflexivity.
Qed.

Lemma of_group {A} (key : A -> positive) (test : positive -> list A -> bool) l x : all_groups test (group key l) = true ->
  In x l -> test (key x) (filter (fun y => Key.eqb (key y) (key x)) l) = true.
Proof.
  intros H X. destruct (all_groups_correct key test l H (key x)) as [T|T]; [exact T|]. exfalso.
  assert (I : In x (filter (fun y => Key.eqb (key y) (key x)) l)) by (apply filter_In; split; [exact X|apply Key.eqb_refl]).
  rewrite T in I. exact I.
Qed.

Lemma in_group {A} (key : A -> positive) l (x y : A) : In y l -> key y = key x -> In y (filter (fun y => Key.eqb (key y) (key x)) l).
Proof. intros Y E. apply filter_In. split; [exact Y|]. rewrite E. apply Key.eqb_refl. Qed.

Lemma tables_of_correct of es e e' : tables_of of es = true -> In e es -> In e' es -> to e' = to e ->
  match of with ForDestinations => True | ForPairs => from e' = from e end -> on e = on e'.
Proof.
  intros H E E' T F. apply (of_group to _ _ e) in H; [|exact E].
  pose proof (in_group to es e e E eq_refl) as I. pose proof (in_group to es e e' E' T) as I'.
  destruct of; [eapply one_channel_correct; eassumption|]. apply (of_group from _ _ e) in H; [|exact I].
  eapply one_channel_correct; [exact H| |]; apply in_group; auto.
Qed.

(** Where something is carried there is an entry that says so. *)
Lemma entry_of es a b c : 0 < amount_of es a b c -> exists e, In e es /\ on e = c /\ from e = a /\ to e = b.
Proof.
  unfold amount_of. induction es as [|e es IH]; simpl; intros P; [discriminate P|].
  destruct (Key.eqb_spec (on e) c) as [C|C], (Key.eqb_spec (from e) a) as [F|F], (Key.eqb_spec (to e) b) as [T|T];
    try (exists e; auto; fail); simpl in P; rewrite Qplus_0_l in P; destruct (IH P) as [x [X Y]]; exists x; auto.
Qed.

Theorem check_tables_correct net b R of loads_on :
  (forall k, exists es, loads_on k = filter (fun e => Key.eqb (on e) k) es /\
    forall i j, In i (terminals net) -> In j (terminals net) -> routing_of b es i j k == R i j k) ->
  check_tables net of loads_on = true -> has_tables net b R of.
Proof.
  intros L H i j i' j' c c' I J I' J' C C' T D S P P'. unfold check_tables in H.
  apply (of_group tail _ _ c) in H; [|exact C].
  assert (E : forall x y d, In x (terminals net) -> In y (terminals net) -> In d (channels net) -> tail d = tail c -> 0 < R x y (number d) ->
    exists e, In e (flat_map (fun c => loads_on (number c)) (filter (fun y => Key.eqb (tail y) (tail c)) (channels net))) /\
    on e = number d /\ from e = sends_as b x /\ to e = receives_as b y).
  { intros x y d X Y N Z Q. destruct (L (number d)) as [es [E F]]. specialize (F x y X Y). rewrite <- F in Q.
    destruct (entry_of _ _ _ _ Q) as [e [Ie [Oe [Fe Te]]]]. exists e. split; [|auto]. apply in_flat_map. exists d.
    split; [apply in_group; assumption|]. rewrite E. apply filter_In. split; [exact Ie|]. rewrite Oe. apply Key.eqb_refl. }
  destruct (E i j c I J C eq_refl P) as [e [Ie [Oe [Fe Te]]]].
  destruct (E i' j' c' I' J' C' (eq_sym T) P') as [e' [Ie' [Oe' [Fe' Te']]]].
  rewrite <- Oe, <- Oe'. eapply tables_of_correct; [exact H|exact Ie|exact Ie'|congruence|]. destruct of; [exact Logic.I|congruence].
Qed.
