(** Too few virtual channels: whichever ones are taken, dependencies have a cycle. By a refutation of clauses. *)

Require Import List Bool Arith NArith PArith ZArith Lia Relations.
From Routeproof Require Import Sums Network Flows Order.
Import ListNotations.
Local Open Scope N_scope.

(** * What is proved *)

(** What takes one virtual channel throughout: each path, the paths to each node, or each hop of each path. *)
Inductive taking := EachPath | EachNode | EachHop.

Definition channels_of_path (p : path) : list positive := map fst (hops p).

Definition head_of (net : network) (k : positive) : positive :=
  match find (fun c => Key.eqb (number c) k) (channels net) with Some c => head c | None => 1%positive end.

(** What takes the virtual channel at hop h of a path with these channels. *)
Definition choice := (list positive * nat)%type.

Definition choice_at (net : network) (by_what : taking) (l : list positive) (h : nat) : choice :=
  match by_what with
  | EachPath => (l, O)
  | EachNode => ([head_of net (last l 1%positive)], O)
  | EachHop => (l, h)
  end.

(** A packet may hold virtual channel x while it asks for y, if each choice u takes [f u]. *)
Definition depends_if (net : network) (by_what : taking) (f : choice -> N) (l : list path) (x y : positive * N) : Prop :=
  exists p h c d, In p l /\ nth_error (channels_of_path p) h = Some c /\ nth_error (channels_of_path p) (S h) = Some d /\
  x = (c, f (choice_at net by_what (channels_of_path p) h)) /\ y = (d, f (choice_at net by_what (channels_of_path p) (S h))).

(** On m virtual channels to a channel there is a cycle, whichever ones are taken. *)
Definition always_a_cycle (net : network) (by_what : taking) (m : N) (r : routing_data) : Prop :=
  match r with
  | ByPaths l => forall f, (forall u, f u < m) -> exists x, clos_trans _ (depends_if net by_what f l) x x
  | ByLoads _ => False
  end.

(** * Clauses and lemmas that follow from them *)

Record literal := Literal { affirmed : bool; variable : positive }.
Definition clause := list literal.

Definition is_true (v : positive -> bool) (x : literal) : bool := if affirmed x then v (variable x) else negb (v (variable x)).
Definition satisfied (v : positive -> bool) (c : clause) : bool := existsb (is_true v) c.

(** The variables that are true and those that are false. *)
Record assigned := Assigned { yes : Map.t unit; no : Map.t unit }.

Definition denied (s : assigned) (x : literal) : bool := Map.mem (variable x) (if affirmed x then no s else yes s).

Definition assign (s : assigned) (b : bool) (x : positive) : assigned :=
  if b then Assigned (Map.add x tt (yes s)) (no s) else Assigned (yes s) (Map.add x tt (no s)).

Definition same_literal (x y : literal) : bool := Bool.eqb (affirmed x) (affirmed y) && Key.eqb (variable x) (variable y).

(** Each clause in turn has at most one literal that is not denied, which becomes true; the last has none. *)
Fixpoint propagates (known : Map.t clause) (s : assigned) (hints : list positive) : bool :=
  match hints with
  | [] => false
  | k :: hints =>
      match Map.find k known with
      | None => false
      | Some c =>
          match filter (fun x => negb (denied s x)) c with
          | [] => match hints with [] => true | _ => propagates known s hints end
          | x :: rest => forallb (same_literal x) rest && propagates known (assign s (affirmed x) (variable x)) hints
          end
      end
  end.

Definition all_denied (c : clause) : assigned :=
  fold_left (fun s x => assign s (negb (affirmed x)) (variable x)) c (Assigned (Map.empty unit) (Map.empty unit)).

(** The last lemma is empty. *)
Fixpoint refutes (known : Map.t clause) (next : positive) (lemmas : list (clause * list positive)) : bool :=
  match lemmas with
  | [] => false
  | (c, hints) :: rest =>
      propagates known (all_denied c) hints &&
      match rest with
      | [] => match c with [] => true | _ => false end
      | _ => refutes (Map.add next c known) (Pos.succ next) rest
      end
  end.

Section Valuation.
  Variable v : positive -> bool.

  Definition agrees (s : assigned) : Prop :=
    (forall x, Map.mem x (yes s) = true -> v x = true) /\ (forall x, Map.mem x (no s) = true -> v x = false).

  Definition all_satisfied (known : Map.t clause) : Prop := forall k c, Map.find k known = Some c -> satisfied v c = true.

  Lemma assign_agrees s b x : agrees s -> v x = b -> agrees (assign s b x).
  Proof.
    intros [Y N] E. unfold assign. destruct b; split; simpl; auto; intros y M; rewrite Map.mem_find in M;
      (destruct (Pos.eq_dec y x) as [->|D]; [exact E|]); rewrite Map.gso in M by exact D; rewrite <- Map.mem_find in M; auto.
  Qed.

  Lemma denied_is_false s x : agrees s -> denied s x = true -> is_true v x = false.
  Proof.
    intros [Y N] D. unfold denied in D. unfold is_true. destruct (affirmed x); [apply N; exact D|]. rewrite (Y _ D). reflexivity.
  Qed.

  Lemma same_literal_correct x y : same_literal x y = true -> x = y.
  Proof.
    unfold same_literal. intros H. apply andb_prop in H. destruct H as [A B]. apply Bool.eqb_prop in A. apply Key.eqb_eq in B.
    destruct x, y. simpl in *. congruence.
  Qed.

  Lemma propagates_correct known hints : all_satisfied known -> forall s, agrees s -> propagates known s hints = true -> False.
  Proof.
    intros K. induction hints as [|k hints IH]; intros s A H; [discriminate|]. simpl in H.
    destruct (Map.find k known) as [c|] eqn:F; [|discriminate]. specialize (K k c F).
    unfold satisfied in K. apply existsb_exists in K. destruct K as [x [I T]].
    assert (L : In x (filter (fun x => negb (denied s x)) c)).
    { apply filter_In. split; [exact I|]. destruct (denied s x) eqn:D; [|reflexivity].
      rewrite (denied_is_false s x A D) in T. discriminate. }
    destruct (filter _ c) as [|y rest]; [contradiction|]. apply andb_prop in H. destruct H as [S H].
    assert (E : y = x). { destruct L as [L|L]; [exact L|]. rewrite forallb_forall in S. apply same_literal_correct. auto. }
    subst y. eapply IH; [|exact H]. apply assign_agrees; [exact A|]. unfold is_true in T. destruct (affirmed x); [exact T|].
    apply negb_true_iff. exact T.
  Qed.

  Lemma all_denied_agrees c : satisfied v c = false -> agrees (all_denied c).
  Proof.
    intros F. unfold all_denied.
    assert (H : forall s, agrees s -> agrees (fold_left (fun s x => assign s (negb (affirmed x)) (variable x)) c s)).
    { induction c as [|x c IH]; intros s A; [exact A|]. simpl in F. apply orb_false_elim in F. destruct F as [X F].
      simpl. apply (IH F). apply assign_agrees; [exact A|]. unfold is_true in X. destruct (affirmed x); simpl; [exact X|].
      apply negb_false_iff. exact X. }
    apply H. split; intros x M; simpl in M; rewrite Map.mem_find, Map.gempty in M; discriminate.
  Qed.

  Lemma refutes_correct lemmas : forall known next, all_satisfied known -> refutes known next lemmas = true -> False.
  Proof.
    induction lemmas as [|[c hints] rest IH]; intros known next K H; [discriminate|]. simpl in H. apply andb_prop in H.
    destruct H as [D H].
    assert (C : satisfied v c = true).
    { destruct (satisfied v c) eqn:E; [reflexivity|]. exfalso.
      exact (propagates_correct known hints K _ (all_denied_agrees c E) D). }
    destruct rest as [|next_lemma rest].
    - destruct c; [discriminate C|discriminate H].
    - apply (IH _ _) in H; [exact H|]. intros k c' F. destruct (Pos.eq_dec k next) as [->|N].
      + rewrite Map.gss in F. injection F as <-. exact C.
      + rewrite Map.gso in F by exact N. apply (K k c' F).
  Qed.
End Valuation.

(** * What clauses say of virtual channels *)

Inductive meaning := Takes (u : choice) (k : N) | Leads (c : positive) (k : N) (d : positive) (m : N).

(** Why a clause holds if dependencies have no cycle: the first choice takes 0; a choice takes one; a path has the
    dependency of its hops h and h + 1; these dependencies are a cycle. *)
Inductive why := FirstTakesNone | TakesOne (u : choice) | OfPath (p : positive) (h : nat) (k m : N) | OfCycle (l : list (positive * N)).

Record refutation := Refutation { meanings : Map.t meaning; first_choice : choice; clauses : list (clause * why);
                                  lemmas : list (clause * list positive) }.

Fixpoint same_channels (l m : list positive) : bool :=
  match l, m with
  | [], [] => true
  | a :: l, b :: m => Key.eqb a b && same_channels l m
  | _, _ => false
  end.

Definition same_number (a b : N) : bool := Z.eqb (Z.of_N a) (Z.of_N b).
Definition same_choice (u w : choice) : bool := Nat.eqb (snd u) (snd w) && same_channels (fst u) (fst w).

Definition same_meaning (x y : meaning) : bool :=
  match x, y with
  | Takes u k, Takes w m => same_number k m && same_choice u w
  | Leads c k d m, Leads c' k' d' m' => Key.eqb c c' && Key.eqb d d' && same_number k k' && same_number m m'
  | _, _ => false
  end.

Definition has_literal (of : Map.t meaning) (b : bool) (x : meaning) (c : clause) : bool :=
  existsb (fun l => Bool.eqb (affirmed l) b && match Map.find (variable l) of with Some y => same_meaning y x | None => false end) c.

Definition held := (positive * N)%type.

(** From one to the next, and from the last to [back]. *)
Fixpoint around (back : held) (l : list held) : list (held * held) :=
  match l with
  | [] => []
  | [x] => [(x, back)]
  | x :: (y :: _) as rest => (x, y) :: around back rest
  end.

Fixpoint indexed {A} (k : positive) (l : list A) : list (positive * A) :=
  match l with [] => [] | x :: l => (k, x) :: indexed (Pos.succ k) l end.

Section Clauses.
  Variable net : network.
  Variable by_what : taking.
  Variable m : N.
  Variable l : list path.
  Variable y : refutation.

  Definition is_why (paths : Map.t (positive * path)) (c : clause) (w : why) : bool :=
    match w with
    | FirstTakesNone => has_literal (meanings y) true (Takes (first_choice y) 0) c
    | TakesOne u => forallb (fun k => has_literal (meanings y) true (Takes u (N.of_nat k)) c) (seq 0 (N.to_nat m))
    | OfPath n h k k' =>
        match Map.find n paths with
        | None => false
        | Some (_, p) =>
            let l := channels_of_path p in
            match nth_error l h, nth_error l (S h) with
            | Some a, Some b =>
                has_literal (meanings y) false (Takes (choice_at net by_what l h) k) c &&
                has_literal (meanings y) false (Takes (choice_at net by_what l (S h)) k') c &&
                has_literal (meanings y) true (Leads a k b k') c
            | _, _ => false
            end
        end
    | OfCycle [] => false
    | OfCycle ((x :: _) as cycle) =>
        forallb (fun e => has_literal (meanings y) false (Leads (fst (fst e)) (snd (fst e)) (fst (snd e)) (snd (snd e))) c) (around x cycle)
    end.

  Definition check_refutation : bool :=
    let paths := find_by fst (indexed 1 l) in
    forallb (fun x => is_why paths (fst x) (snd x)) (clauses y) &&
    refutes (Map.mapi (fun _ e => snd e) (find_by fst (indexed 1 (map fst (clauses y))))) (Pos.of_succ_nat (length (clauses y))) (lemmas y).
End Clauses.

(** * The proof *)

Lemma same_channels_correct l : forall m, same_channels l m = true -> l = m.
Proof.
  induction l as [|a l IH]; intros [|b m] H; try discriminate; [reflexivity|]. simpl in H. apply andb_prop in H.
  destruct H as [A H]. apply Key.eqb_eq in A. rewrite A, (IH m H). reflexivity.
Qed.

Lemma same_number_correct a b : same_number a b = true -> a = b.
Proof. unfold same_number. intros H. apply Z.eqb_eq in H. apply N2Z.inj. exact H. Qed.

Lemma same_choice_correct u w : same_choice u w = true -> u = w.
Proof.
  unfold same_choice. intros H. apply andb_prop in H. destruct H as [A B]. apply Nat.eqb_eq in A. apply same_channels_correct in B.
  destruct u, w. simpl in *. congruence.
Qed.

Lemma same_meaning_correct x y : same_meaning x y = true -> x = y.
Proof.
  destruct x as [u k|c k d n], y as [w k'|c' k' d' n']; simpl; intros H; try discriminate.
  - apply andb_prop in H. destruct H as [A B]. apply same_number_correct in A. apply same_choice_correct in B. congruence.
  - apply andb_prop in H. destruct H as [H D]. apply andb_prop in H. destruct H as [H C]. apply andb_prop in H. destruct H as [A B].
    apply Key.eqb_eq in A, B. apply same_number_correct in C, D. congruence.
Qed.

Lemma in_indexed {A} (l : list A) : forall k n x, In (n, x) (indexed k l) -> In x l.
Proof. induction l as [|a l IH]; simpl; intros k n x H; [exact H|]. destruct H as [E|H]; [left; congruence|right; eapply IH; exact H]. Qed.

Lemma find_indexed {A} (l : list A) k n x : Map.find k (find_by fst (indexed 1 l)) = Some (n, x) -> In x l.
Proof. intros F. apply find_by_correct in F. destruct F as [F _]. eapply in_indexed. exact F. Qed.

Section Proof.
  Variable net : network.
  Variable by_what : taking.
  Variable m : N.
  Variable l : list path.
  Variable y : refutation.
  Variable f : choice -> N.
  Hypothesis few : forall u, f u < m.
  Hypothesis none : f (first_choice y) = 0.

  Let at_hop p h := choice_at net by_what (channels_of_path p) h.

  Definition leads (c : positive) (k : N) (d : positive) (n : N) : bool :=
    existsb (fun p => existsb (fun h =>
      match nth_error (channels_of_path p) h, nth_error (channels_of_path p) (S h) with
      | Some a, Some b => Key.eqb a c && Key.eqb b d && N.eqb (f (at_hop p h)) k && N.eqb (f (at_hop p (S h))) n
      | _, _ => false
      end) (seq 0 (length (channels_of_path p)))) l.

  Definition truth_of (x : positive) : bool :=
    match Map.find x (meanings y) with
    | Some (Takes u k) => N.eqb (f u) k
    | Some (Leads c k d n) => leads c k d n
    | None => false
    end.

  Lemma leads_correct c k d n : leads c k d n = true -> depends_if net by_what f l (c, k) (d, n).
  Proof.
    unfold leads. intros H. apply existsb_exists in H. destruct H as [p [P H]]. apply existsb_exists in H. destruct H as [h [_ H]].
    destruct (nth_error _ h) as [a|] eqn:A; [|discriminate]. destruct (nth_error _ (S h)) as [b|] eqn:B; [|discriminate].
    apply andb_prop in H. destruct H as [H K]. apply andb_prop in H. destruct H as [H J]. apply andb_prop in H. destruct H as [C D].
    apply Key.eqb_eq in C, D. apply N.eqb_eq in J, K. subst. exists p, h, c, d. auto.
  Qed.

  Lemma leads_if p h a b : In p l -> nth_error (channels_of_path p) h = Some a -> nth_error (channels_of_path p) (S h) = Some b ->
    leads a (f (at_hop p h)) b (f (at_hop p (S h))) = true.
  Proof.
    intros P A B. unfold leads. apply existsb_exists. exists p. split; [exact P|]. apply existsb_exists. exists h. split.
    - apply in_seq. assert (X : nth_error (channels_of_path p) h <> None) by congruence. apply nth_error_Some in X. lia.
    - rewrite A, B, !Key.eqb_refl, !N.eqb_refl. reflexivity.
  Qed.

  Lemma has_literal_correct b x c : has_literal (meanings y) b x c = true ->
    match x with Takes u k => N.eqb (f u) k | Leads a k d n => leads a k d n end = b -> satisfied truth_of c = true.
  Proof.
    unfold has_literal, satisfied. intros H V. apply existsb_exists in H. destruct H as [i [I H]]. apply andb_prop in H. destruct H as [A H].
    destruct (Map.find _ _) as [z|] eqn:F; [|discriminate]. apply same_meaning_correct in H. subst z. apply Bool.eqb_prop in A.
    apply existsb_exists. exists i. split; [exact I|]. unfold is_true, truth_of. rewrite F, A. destruct x, b; rewrite V; reflexivity.
  Qed.

  Lemma around_goes_around (R : held -> held -> Prop) back rest : forall x,
    (forall e, In e (around back (x :: rest)) -> R (fst e) (snd e)) -> clos_trans _ R x back.
  Proof.
    induction rest as [|z rest IH]; intros x H.
    - apply t_step. apply (H (x, back)). left. reflexivity.
    - apply t_trans with z; [apply t_step; apply (H (x, z)); left; reflexivity|]. apply IH. intros e E. apply H. right. exact E.
  Qed.

  Lemma clause_holds c w : is_why net by_what m y (find_by fst (indexed 1 l)) c w = true ->
    satisfied truth_of c = true \/ exists x, clos_trans _ (depends_if net by_what f l) x x.
  Proof.
    intros H. destruct w as [|u|n h k k'|[|x rest]]; cbn [is_why] in H; cbv zeta in H; [| | |discriminate|].
    - left. eapply has_literal_correct; [exact H|]. simpl. rewrite none. reflexivity.
    - left. rewrite forallb_forall in H. specialize (few u). specialize (H (N.to_nat (f u))).
      rewrite N2Nat.id in H. eapply has_literal_correct; [apply H|simpl; apply N.eqb_refl]. apply in_seq. lia.
    - left. destruct (Map.find n _) as [[q p]|] eqn:F; [|discriminate]. apply find_indexed in F.
      destruct (nth_error _ h) as [a|] eqn:A; [|discriminate]. destruct (nth_error _ (S h)) as [b|] eqn:B; [|discriminate].
      apply andb_prop in H. destruct H as [H D]. apply andb_prop in H. destruct H as [T T'].
      destruct (N.eqb_spec (f (at_hop p h)) k) as [E|E]; [|eapply has_literal_correct; [exact T|simpl; apply N.eqb_neq; exact E]].
      destruct (N.eqb_spec (f (at_hop p (S h))) k') as [E'|E']; [|eapply has_literal_correct; [exact T'|simpl; apply N.eqb_neq; exact E']].
      eapply has_literal_correct; [exact D|]. simpl. rewrite <- E, <- E'. apply leads_if; assumption.
    - destruct (satisfied truth_of c) eqn:S; [left; reflexivity|right]. exists x. apply (around_goes_around _ x rest x).
      intros [[a k] [b n]] E. rewrite forallb_forall in H. specialize (H _ E). simpl in H |- *.
      apply leads_correct. destruct (leads a k b n) eqn:L; [reflexivity|].
      rewrite (has_literal_correct _ _ _ H L) in S. discriminate.
  Qed.

  Lemma refuted : check_refutation net by_what m l y = true -> exists x, clos_trans _ (depends_if net by_what f l) x x.
  Proof.
    intros H. unfold check_refutation in H. apply andb_prop in H. destruct H as [C H]. rewrite forallb_forall in C.
    assert (All : (forall c, In c (map fst (clauses y)) -> satisfied truth_of c = true) \/
                  exists x, clos_trans _ (depends_if net by_what f l) x x).
    { clear H. induction (clauses y) as [|[c w] rest IH]; [left; intros c []|].
      destruct (clause_holds c w (C (c, w) (or_introl eq_refl))) as [S|X]; [|right; exact X].
      destruct IH as [A|X]; [intros z Z; apply C; right; exact Z| |right; exact X].
      left. intros z [<-|Z]; [exact S|apply A; exact Z]. }
    destruct All as [A|X]; [exfalso|exact X]. apply (refutes_correct truth_of _ _ _) in H; [exact H|].
    intros k c F. rewrite Map.gmapi in F. destruct (Map.find k _) as [[n c']|] eqn:E; [|discriminate]. injection F as <-.
    apply A. eapply find_indexed. exact E.
  Qed.
End Proof.

(** ** Whatever the first choice takes *)

Lemma depends_if_same net by_what f g l x y : (forall u, f u = g u) -> depends_if net by_what f l x y -> depends_if net by_what g l x y.
Proof. intros E [p [h [c [d [P [C [D [X Y]]]]]]]]. exists p, h, c, d. rewrite X, Y, !E. auto. Qed.

Lemma clos_trans_map {A B} (R : A -> A -> Prop) (S : B -> B -> Prop) (g : A -> B) x y :
  (forall x y, R x y -> S (g x) (g y)) -> clos_trans A R x y -> clos_trans B S (g x) (g y).
Proof. intros H C. induction C; [apply t_step; auto|eapply t_trans; eassumption]. Qed.

Definition turned (m s k : N) : N := (k + s) mod m.

Lemma depends_if_turned net by_what m s f l x y : depends_if net by_what f l x y ->
  depends_if net by_what (fun u => turned m s (f u)) l (fst x, turned m s (snd x)) (fst y, turned m s (snd y)).
Proof. intros [p [h [c [d [P [C [D [X Y]]]]]]]]. exists p, h, c, d. rewrite X, Y. auto. Qed.

Theorem check_refutation_correct net by_what m l y : check_refutation net by_what m l y = true ->
  always_a_cycle net by_what m (ByPaths l).
Proof.
  intros H f few. set (a := f (first_choice y)). assert (M : a < m) by apply few.
  destruct (refuted net by_what m l y (fun u => turned m (m - a) (f u))) as [x C]; [| |exact H|].
  - intros u. apply N.mod_lt. lia.
  - unfold turned. fold a. replace (a + (m - a)) with m by lia. apply N.mod_same. lia.
  - exists (fst x, turned m a (snd x)).
    eapply (clos_trans_map _ _ (fun z => (fst z, turned m a (snd z)))); [|exact C]. intros z w D.
    apply (depends_if_turned _ _ m a) in D. eapply depends_if_same; [|exact D]. intros u. cbv beta. unfold turned.
    rewrite N.add_mod_idemp_l by lia. specialize (few u). replace (f u + (m - a) + a) with (f u + 1 * m) by lia.
    rewrite N.mod_add by lia. apply N.mod_small. exact few.
Qed.
