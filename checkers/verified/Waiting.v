(** Packets that wait for one another, if and only if dependencies have a cycle (Dally & Seitz 1987). *)

Require Import List Arith PArith Relations Lia.
From Routeproof Require Import Sums Network Flows Order.
Import ListNotations.

(** * The model *)

(** A packet that waits: the virtual channels that it holds, in the order of its path, until it gets the one that it
    waits for. Parts of it may be in several (wormholes), all of it in one (stored whole, buffers shared or not), or
    nothing yet in any (at its source). A packet at its end waits for no channel: it leaves. *)
Record waiting := Waiting { held : list hop; wanted : hop }.

Fixpoint linked {A} (R : A -> A -> Prop) (l : list A) : Prop :=
  match l with x :: (y :: _) as rest => R x y /\ linked R rest | _ => True end.

(** By paths it is somewhere on one of them. By loads it goes on as packets of its pair may, and [wanted] is any of the
    channels that it may take next, even if it could take others. *)
Definition may_wait (net : network) (r : routing_data) (q : waiting) : Prop :=
  match r with
  | ByPaths l => exists p before after, In p l /\ hops p = before ++ held q ++ wanted q :: after
  | ByLoads _ => exists a b, linked (depends_for net r a b) (held q ++ [wanted q])
  end.

(** Each packet of the set waits for a virtual channel that a packet of the set holds: none of them ever goes on. *)
Definition stuck (net : network) (r : routing_data) (S : list waiting) : Prop :=
  S <> [] /\ forall q, In q S -> may_wait net r q /\ exists q', In q' S /\ In (wanted q) (held q').

Definition never_stuck net r := forall S, ~ stuck net r S.

(** * Without a cycle *)

Lemma linked_trans {A} (R : A -> A -> Prop) before x rest y :
  linked R (before ++ x :: rest ++ [y]) -> clos_trans A R x y.
Proof.
  induction before as [|z before IH]; simpl.
  - revert x. induction rest as [|w rest IH]; simpl; intros x [H L]; [apply t_step; exact H|].
    apply t_trans with w; [apply t_step; exact H|auto].
  - destruct (before ++ x :: rest ++ [y]) eqn:E; [destruct before; discriminate|]. intros [_ L]. auto.
Qed.

Lemma linked_weaken {A} (R Q : A -> A -> Prop) l : (forall x y, R x y -> Q x y) -> linked R l -> linked Q l.
Proof. intros H. induction l as [|x [|y l] IH]; simpl; auto. intros [D L]. split; [auto|exact (IH L)]. Qed.

Lemma path_linked net l p : In p l -> forall part before after, hops p = before ++ part ++ after ->
  linked (depends net (ByPaths l)) part.
Proof.
  intros P. induction part as [|x [|y part] IH]; intros before after E; simpl; auto. split.
  - exists (path_from p), (path_to p), p, before, (part ++ after). auto.
  - apply (IH (before ++ [x]) after). rewrite <- app_assoc. exact E.
Qed.

(** What a packet waits for depends on each channel that it holds. *)
Lemma waiting_depends net r q x : may_wait net r q -> In x (held q) -> clos_trans hop (depends net r) x (wanted q).
Proof.
  intros W I. apply in_split in I. destruct I as [before [rest E]].
  assert (L : linked (depends net r) (held q ++ [wanted q])).
  { destruct r as [l|l]; simpl in W.
    - destruct W as [a [b L]]. eapply linked_weaken; [|exact L]. intros y z D. exists a, b. exact D.
    - destruct W as [p [front [after [P H]]]]. apply (path_linked net l p P _ front after).
      rewrite <- app_assoc. exact H. }
  rewrite E, <- app_assoc in L. simpl in L. eapply linked_trans. exact L.
Qed.

(** In a finite set, not everything has something above it. *)
Lemma something_last {A} (R : A -> A -> Prop) (l : list A) : (forall x y z, R x y -> R y z -> R x z) ->
  (forall x, ~ R x x) -> (forall x, In x l -> exists y, In y l /\ R x y) -> l = [].
Proof.
  intros T N. induction l as [|a l IH]; intros H; [reflexivity|exfalso].
  destruct (H a (or_introl eq_refl)) as [b [[<-|B] AB]]; [exact (N a AB)|].
  rewrite IH in B; [exact B|]. intros x X. destruct (H x (or_intror X)) as [y [[<-|Y] XY]]; eauto.
Qed.

Theorem no_cycle_never_stuck net r : no_cycle net r -> never_stuck net r.
Proof.
  intros N S [some H]. apply some.
  apply (something_last (fun q q' => clos_trans hop (depends net r) (wanted q) (wanted q'))).
  - intros x y z. apply t_trans.
  - intros q. apply N.
  - intros q Q. destruct (H q Q) as [_ [q' [Q' I]]]. exists q'. split; [exact Q'|].
    apply waiting_depends; [apply H; exact Q'|exact I].
Qed.

(** * With a cycle *)

Definition closes {A} (R : A -> A -> Prop) (n : nat) (f : nat -> A) : Prop :=
  0 < n /\ f n = f 0 /\ forall i, i < n -> R (f i) (f (S i)).

Definition same_hop (x y : hop) : {x = y} + {x <> y}.
Proof. decide equality; apply Pos.eq_dec. Defined.

Lemma repeats (l : list hop) : NoDup l \/ exists a l1 l2 l3, l = l1 ++ a :: l2 ++ a :: l3.
Proof.
  induction l as [|x l [U|[a [l1 [l2 [l3 ->]]]]]]; [left; constructor| |right; exists a, (x :: l1), l2, l3; reflexivity].
  destruct (in_dec same_hop x l) as [I|I]; [right|left; constructor; assumption].
  apply in_split in I. destruct I as [l2 [l3 ->]]. exists x, [], l2, l3. reflexivity.
Qed.

Lemma at_index {A} (f : nat -> A) n l a rest : map f (seq 0 n) = l ++ a :: rest -> f (length l) = a /\ length l < n.
Proof.
  intros E. assert (L : length l < n).
  { apply (f_equal (@length A)) in E. rewrite map_length, seq_length, app_length in E. simpl in E. lia. }
  split; [|exact L]. apply (f_equal (fun k => nth (length l) k (f 0))) in E.
  rewrite map_nth, seq_nth, nth_middle in E by exact L. exact E.
Qed.

(** What comes twice on a cycle closes a shorter one. *)
Lemma without_repeats (R : hop -> hop -> Prop) n : forall f, closes R n f ->
  exists m g, m <= n /\ closes R m g /\ NoDup (map g (seq 0 m)).
Proof.
  induction n as [n IH] using lt_wf_ind. intros f [P [C H]].
  destruct (repeats (map f (seq 0 n))) as [U|[a [l1 [l2 [l3 E]]]]]; [exists n, f; repeat split; auto|].
  destruct (at_index _ _ _ _ _ E) as [A1 L1].
  change (l1 ++ a :: l2 ++ a :: l3) with (l1 ++ (a :: l2) ++ a :: l3) in E. rewrite app_assoc in E.
  destruct (at_index _ _ _ _ _ E) as [A2 L2]. rewrite app_length in A2, L2. simpl in A2, L2.
  destruct (IH (S (length l2)) ltac:(lia) (fun i => f (length l1 + i))) as [m [g [M G]]].
  - repeat split; [lia|rewrite A2, Nat.add_0_r, A1; reflexivity|].
    intros i I. rewrite Nat.add_succ_r. apply H. lia.
  - exists m, g. split; [lia|exact G].
Qed.

(** Of the packets on a cycle, at most as many as it has dependencies are stuck, and hold no virtual channel twice. *)
Theorem cycle_sticks net r n : has_cycle net r n ->
  exists S, stuck net r S /\ length S <= n /\ NoDup (flat_map held S).
Proof.
  intros [P [f [C H]]]. destruct (without_repeats (depends net r) n f) as [m [g [M [[Pm [Cm Hm]] U]]]].
  { repeat split; assumption. }
  exists (map (fun i => Waiting [g i] (g (S i))) (seq 0 m)). split; [split|split].
  - destruct m; [lia|discriminate].
  - intros q Q. apply in_map_iff in Q. destruct Q as [i [<- I]]. apply in_seq in I. simpl. split.
    + destruct (Hm i ltac:(lia)) as [a [b D]]. destruct r as [l|l]; simpl in *.
      * exists a, b. auto.
      * destruct D as [p [before [after [K [_ [_ E]]]]]]. exists p, before, after. auto.
    + destruct (Nat.eq_dec (S i) m) as [E|E].
      * exists (Waiting [g 0] (g 1)). split; [apply in_map_iff; exists 0; split; [reflexivity|apply in_seq; lia]|].
        left. rewrite E, Cm. reflexivity.
      * exists (Waiting [g (S i)] (g (S (S i)))). split; [|left; reflexivity].
        apply in_map_iff. exists (S i). split; [reflexivity|apply in_seq; lia].
  - rewrite map_length, seq_length. exact M.
  - assert (E : forall l, flat_map held (map (fun i => Waiting [g i] (g (S i))) l) = map g l).
    { induction l as [|i l IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. }
    rewrite E. exact U.
Qed.

Lemma clos_trans_walk {A} (R : A -> A -> Prop) x y : clos_trans A R x y ->
  exists n f, 0 < n /\ f 0 = x /\ f n = y /\ forall i, i < n -> R (f i) (f (S i)).
Proof.
  intros H. apply clos_trans_t1n in H. induction H as [x y H|x y z H _ [n [f [P [X [Y K]]]]]].
  - exists 1, (fun i => match i with 0 => x | _ => y end). repeat split; auto.
    intros i I. assert (i = 0) as -> by lia. exact H.
  - exists (S n), (fun i => match i with 0 => x | S i => f i end). repeat split; auto.
    intros [|i] I; [rewrite X; exact H|apply K; lia].
Qed.

(** Packets of a routing can be stuck just if dependencies have a cycle. *)
Theorem never_stuck_iff net r : never_stuck net r <-> no_cycle net r.
Proof.
  split; [|apply no_cycle_never_stuck]. intros N x C.
  destruct (clos_trans_walk _ _ _ C) as [n [f [P [X [Y H]]]]].
  destruct (cycle_sticks net r n) as [S [K _]]; [|exact (N S K)].
  split; [exact P|]. exists f. split; [congruence|exact H].
Qed.
