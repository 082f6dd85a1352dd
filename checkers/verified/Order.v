(** Freedom from cycles: an order of channels that every dependency increases. *)

Require Import List Bool PArith ZArith QArith Lia Relations.
From Routeproof Require Import Sums Network Flows.
Import ListNotations.
Local Open Scope Q_scope.

(** A virtual channel: the number of its channel, and its own. *)
Definition hop := (positive * positive)%type.

(** The path of a pair, from channel to channel, and with which probability it is taken. *)
Record path := Path { path_from : positive; path_to : positive; hops : list hop; share : Q }.

Definition entries_of_path (p : path) : list entry :=
  map (fun h => Entry (path_from p) (path_to p) (fst h) (share p)) (hops p).

(** A routing is given by paths or by loads. *)
Inductive routing_data := ByLoads (l : list entry) | ByPaths (l : list path).

Definition entries_of (r : routing_data) : list entry :=
  match r with ByLoads l => l | ByPaths l => flat_map entries_of_path l end.

(** * What a dependency is *)

(** A packet of the pair (a, b) may hold x while it asks for y. *)
Definition depends_for (net : network) (r : routing_data) (a b : positive) (x y : hop) : Prop :=
  match r with
  | ByPaths l => exists p before after, In p l /\ path_from p = a /\ path_to p = b /\ hops p = before ++ x :: y :: after
  | ByLoads l => exists c e, In c (channels net) /\ In e (channels net) /\ x = (number c, 1%positive) /\ y = (number e, 1%positive)
                 /\ head c = tail e /\ 0 < amount_of l a b (number c) /\ 0 < amount_of l a b (number e)
  end.

Definition depends net r x y := exists a b, depends_for net r a b x y.

Definition no_cycle net r := forall x, ~ clos_trans hop (depends net r) x x.

(** [n] virtual channels, each of which a packet may hold while it asks for the next one, and the last for the first. *)
Definition has_cycle (net : network) (r : routing_data) (n : nat) : Prop :=
  (0 < n)%nat /\ exists f : nat -> hop, f n = f 0%nat /\ forall i, (i < n)%nat -> depends net r (f i) (f (S i)).

(** All virtual channels that packets take are among the first [n] of their channels (a routing by loads has one). *)
Definition on_virtual_channels (n : positive) (r : routing_data) : Prop :=
  match r with
  | ByPaths l => forall p h, In p l -> In h (hops p) -> (snd h <= n)%positive
  | ByLoads _ => n = 1%positive
  end.

(** * The order *)

Definition order := Map.t (Map.t Z).       (* by virtual channel, then by channel *)

Definition rank (o : order) (x : hop) : option Z :=
  match Map.find (snd x) o with Some m => Map.find (fst x) m | None => None end.

Definition rises (o : order) (x y : hop) : bool :=
  match rank o x, rank o y with Some p, Some q => Z.ltb p q | _, _ => false end.

Lemma rises_trans o x y z : rises o x y = true -> rises o y z = true -> rises o x z = true.
Proof.
  unfold rises. destruct (rank o x), (rank o y), (rank o z); try discriminate.
  rewrite !Z.ltb_lt. lia.
Qed.

Lemma rises_irreflexive o x : rises o x x = false.
Proof. unfold rises. destruct (rank o x); [apply Z.ltb_irrefl|reflexivity]. Qed.

Theorem order_excludes_cycles net r o :
  (forall x y, depends net r x y -> rises o x y = true) -> no_cycle net r.
Proof.
  intros H x C. assert (R : forall y z, clos_trans hop (depends net r) y z -> rises o y z = true).
  { intros y z K. induction K; [auto|]. eapply rises_trans; eassumption. }
  specialize (R x x C). rewrite rises_irreflexive in R. discriminate.
Qed.

Fixpoint rising (o : order) (l : list hop) : bool :=
  match l with
  | x :: (y :: _) as rest => rises o x y && rising o rest
  | _ => true
  end.

Lemma rising_correct o before x y after : rising o (before ++ x :: y :: after) = true -> rises o x y = true.
Proof.
  induction before as [|z before IH]; simpl.
  - intros H. apply andb_prop in H. apply H.
  - destruct (before ++ x :: y :: after) eqn:E; [discriminate IH || (destruct before; discriminate)|].
    intros H. apply andb_prop in H. apply IH. apply H.
Qed.

Definition meets (chans : Map.t channel) (e f : entry) : bool :=
  match Map.find (on e) chans, Map.find (on f) chans with
  | Some c, Some d => Key.eqb (head c) (tail d)
  | _, _ => false
  end.

Definition check_order (net : network) (r : routing_data) (o : order) : bool :=
  match r with
  | ByPaths l => forallb (fun p => rising o (hops p)) l
  | ByLoads l =>
      let chans := find_by number (channels net) in
      all_groups2 from to (fun _ _ part =>
        forallb (fun e => forallb (fun f => negb (meets chans e f) || rises o (on e, 1%positive) (on f, 1%positive)) part) part) l
  end.

Lemma positive_sum {A} (f : A -> Q) l : 0 < sum f l -> exists x, In x l /\ 0 < f x.
Proof.
  induction l as [|x l IH]; simpl; intros H; [discriminate|].
  destruct (Qlt_le_dec 0 (f x)) as [P|N]; [exists x; auto|].
  destruct IH as [y [I P]].
  - apply Qlt_le_trans with (f x + sum f l); [exact H|]. rewrite <- (Qplus_0_l (sum f l)) at 2.
    apply Qplus_le_compat; [exact N|apply Qle_refl].
  - exists y. auto.
Qed.

Lemma amount_positive l a b c : 0 < amount_of l a b c -> exists e, In e (select from to a b l) /\ on e = c.
Proof.
  rewrite <- amount_by_pair. intros H. apply positive_sum in H. destruct H as [e [I P]].
  exists e. split; [exact I|]. unfold when in P. destruct (Key.eqb_spec (on e) c) as [E|E]; [exact E|discriminate].
Qed.

Lemma find_by_complete {A} (key : A -> positive) l x : NoDup (map key l) -> In x l -> Map.find (key x) (find_by key l) = Some x.
Proof.
  unfold find_by. assert (H : forall l m, NoDup (map key l) -> In x l \/ (Map.find (key x) m = Some x /\ ~ In (key x) (map key l)) ->
    Map.find (key x) (fold_left (fun m x => Map.add (key x) x m) l m) = Some x).
  { clear l. induction l as [|y l IH]; simpl; intros m U [I|[F N]]; try contradiction; auto.
    - inversion U as [|? ? Ny U']; subst. apply IH; [exact U'|]. destruct I as [->|I]; [|left; exact I].
      right. split; [apply Map.gss|exact Ny].
    - inversion U as [|? ? Ny U']; subst. apply IH; [exact U'|]. right. split; [|tauto].
      rewrite Map.gso; [exact F|]. intros E. apply N. left. congruence. }
  intros U I. apply H; auto.
Qed.

Theorem check_order_correct net r o :
  NoDup (map number (channels net)) -> check_order net r o = true -> no_cycle net r.
Proof.
  intros U H. apply order_excludes_cycles with o. intros x y [a [b D]]. destruct r as [l|l]; simpl in *.
  - destruct D as [c [e [C [E [-> [-> [M [PC PE]]]]]]]].
    apply amount_positive in PC, PE. destruct PC as [f [F OF]], PE as [g [G OG]].
    destruct (all_groups2_correct from to _ _ H a b) as [K|K]; [|rewrite K in F; contradiction].
    rewrite forallb_forall in K. specialize (K f F). rewrite forallb_forall in K. specialize (K g G).
    rewrite OF, OG in K. unfold meets in K. rewrite OF, OG in K.
    rewrite (find_by_complete number _ c U C), (find_by_complete number _ e U E), M, Key.eqb_refl in K. exact K.
  - destruct D as [p [before [after [P [_ [_ E]]]]]]. rewrite forallb_forall in H. specialize (H p P).
    rewrite E in H. apply rising_correct in H. exact H.
Qed.

Definition on_virtual (n : positive) (r : routing_data) : bool :=
  match r with
  | ByPaths l => forallb (fun p => forallb (fun h => Pos.leb (snd h) n) (hops p)) l
  | ByLoads _ => Key.eqb n 1
  end.

Lemma on_virtual_correct n r : on_virtual n r = true -> on_virtual_channels n r.
Proof.
  destruct r as [l|l]; simpl; intros H; [apply Key.eqb_eq; exact H|].
  intros p h P I. rewrite forallb_forall in H. specialize (H p P). rewrite forallb_forall in H. apply Pos.leb_le. auto.
Qed.

(** * A cycle *)

Fixpoint next_in (x y : hop) (l : list hop) : bool :=
  match l with
  | h :: (k :: _) as rest =>
      (Key.eqb (fst h) (fst x) && Key.eqb (snd h) (snd x) && (Key.eqb (fst k) (fst y) && Key.eqb (snd k) (snd y))) || next_in x y rest
  | _ => false
  end.

Lemma next_in_correct x y l : next_in x y l = true -> exists before after, l = before ++ x :: y :: after.
Proof.
  induction l as [|h l IH]; simpl; [discriminate|]. destruct l as [|k l]; [discriminate|].
  intros H. apply orb_prop in H. destruct H as [H|H].
  - apply andb_prop in H. destruct H as [H1 H2]. apply andb_prop in H1, H2. destruct H1 as [A B], H2 as [C D].
    apply Key.eqb_eq in A, B, C, D. destruct h, k, x, y. simpl in *. subst. exists [], l. reflexivity.
  - destruct (IH H) as [before [after E]]. exists (h :: before), after. rewrite E. reflexivity.
Qed.

Record step := Step { at_hop : hop; of_from : positive; of_to : positive }.

Definition check_dependency (net : network) (r : routing_data) (s : step) (y : hop) : bool :=
  match r with
  | ByPaths l => existsb (fun p => Key.eqb (path_from p) (of_from s) && Key.eqb (path_to p) (of_to s) && next_in (at_hop s) y (hops p)) l
  | ByLoads l =>
      let chans := find_by number (channels net) in
      match Map.find (fst (at_hop s)) chans, Map.find (fst y) chans with
      | Some c, Some e =>
          Key.eqb (snd (at_hop s)) 1 && Key.eqb (snd y) 1 && Key.eqb (head c) (tail e) &&
          negb (Qle_bool (amount_of l (of_from s) (of_to s) (number c)) 0) &&
          negb (Qle_bool (amount_of l (of_from s) (of_to s) (number e)) 0)
      | _, _ => false
      end
  end.

Lemma check_dependency_correct net r s y : check_dependency net r s y = true -> depends net r (at_hop s) y.
Proof.
  intros H. exists (of_from s), (of_to s). unfold check_dependency, depends_for in *. destruct r as [l|l].
  - cbv zeta in H. destruct (Map.find (fst (at_hop s)) _) as [c|] eqn:C; [|discriminate].
    destruct (Map.find (fst y) _) as [e|] eqn:E; [|discriminate].
    apply find_by_correct in C, E. destruct C as [C NC], E as [E NE].
    repeat (apply andb_prop in H; destruct H as [H ?]).
    apply Key.eqb_eq in H, H2, H3. exists c, e.
    assert (L : forall q, negb (Qle_bool q 0) = true -> 0 < q).
    { intros q N. apply Qnot_le_lt. intros X. apply Qle_bool_iff in X. rewrite X in N. discriminate. }
    destruct s as [[x v] a b], y as [z w]. simpl in *. subst. auto 10.
  - apply existsb_exists in H. destruct H as [p [P H]]. apply andb_prop in H. destruct H as [H N].
    apply andb_prop in H. destruct H as [A B]. apply Key.eqb_eq in A, B.
    apply next_in_correct in N. destruct N as [before [after N]]. exists p, before, after. auto.
Qed.

(** [chain first l]: each step of l depends on the next, the last one on [first]. *)
Fixpoint chain (net : network) (r : routing_data) (first : hop) (s : step) (l : list step) : bool :=
  match l with
  | [] => check_dependency net r s first
  | t :: l => check_dependency net r s (at_hop t) && chain net r first t l
  end.

Lemma chain_correct net r first l : forall s, chain net r first s l = true -> forall i, (i <= length l)%nat ->
  depends net r (nth i (map at_hop (s :: l)) first) (nth (S i) (map at_hop (s :: l)) first).
Proof.
  induction l as [|t l IH]; simpl; intros s H i I.
  - assert (i = 0%nat) as -> by lia. apply check_dependency_correct. exact H.
  - apply andb_prop in H. destruct H as [A B]. destruct i as [|i]; [apply check_dependency_correct; exact A|].
    apply (IH t B i). lia.
Qed.

Definition check_cycle (net : network) (r : routing_data) (l : list step) : bool :=
  match l with s :: (_ :: _) as rest => chain net r (at_hop s) s rest | _ => false end.

Theorem check_cycle_correct net r l : check_cycle net r l = true -> has_cycle net r (length l).
Proof.
  destruct l as [|s [|t l]]; try discriminate. intros H. split; [simpl; lia|].
  exists (fun i => nth i (map at_hop (s :: t :: l)) (at_hop s)). split.
  - apply nth_overflow. rewrite map_length. reflexivity.
  - intros i I. apply (chain_correct net r (at_hop s) (t :: l) s H). simpl in *. lia.
Qed.
