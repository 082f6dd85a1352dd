(** If the checker says yes, what is said is true. *)

Require Import List Bool Arith NArith PArith ZArith QArith Lqa Setoid Morphisms Lia String.
From Routeproof Require Import Sums Network Flows Demands Worst Sets Design Loads Symmetry Throughput Order Tables Collective AllReduce Phases Checker
  Words Sentences Called CalledSets.
Import ListNotations.
Local Open Scope Q_scope.

(** * Uniform demand *)

Lemma is_uniform_carries n U k : is_uniform n U -> (carries n (set_of U) k <-> carries n (uniform_set n) k).
Proof. intros H. split; intros C D A; apply C; apply (is_uniform_admits n U D H); exact A. Qed.

Lemma fraction_of_uniform_at_least n R S U x : is_uniform n U -> fraction_at_least n R S (set_of U) x ->
  fraction_at_least n R S (uniform_set n) x.
Proof. intros H F k K C. apply F; [exact K|]. apply (is_uniform_carries n U k H). exact C. Qed.

Lemma fraction_of_uniform_at_most n R S U x : is_uniform n U -> fraction_at_most n R S (set_of U) x ->
  fraction_at_most n R S (uniform_set n) x.
Proof. intros H [k [K [C T]]]. exists k. split; [exact K|]. split; [apply (is_uniform_carries n U k H); exact C|exact T]. Qed.

(** * Collectives *)

Lemma words_of_correct n K k : words_of n K = Some k -> NoDup (map name (terminals n)) -> NoDup (map name (ranks K)) ->
  is_named n k K.
Proof.
  unfold words_of. intros H UT UR. destruct (the_terminals n (ranks K)) eqn:T; [|discriminate H].
  cbn [andb] in H. destruct (negb _); [|discriminate H].
  assert (In_net : forall r, In r (ranks K) -> In r (terminals n)) by (intros r; apply the_terminals_correct; exact T).
  assert (Who : match (if Nat.eqb (List.length (ranks K)) (List.length (terminals n)) then None else Some (map name (ranks K))) with
                | None => forall r, In r (ranks K) <-> In r (terminals n)
                | Some l => (forall r, In r (ranks K) -> In r (terminals n)) /\ map name (ranks K) = l
                end).
  { destruct (Nat.eqb_spec (List.length (ranks K)) (List.length (terminals n))) as [L|L]; [|auto].
    intros r. split; [apply In_net|]. revert r. apply NoDup_length_incl; [eapply NoDup_map_inv; exact UR|lia|exact In_net]. }
  unfold is_named.
  destruct (task K) as [| |r] eqn:O; try (inversion H; subst; simpl; auto; fail).
  destruct (the_terminals n [r]) eqn:R; [|discriminate]. inversion H; subst; simpl.
  assert (In r (terminals n)) by (eapply the_terminals_correct; [exact R|left; reflexivity]). auto.
Qed.

Lemma performers_of_correct n W w : performers_of n W = Some w -> NoDup (map name (terminals n)) -> is_collective (collective_of W) ->
  is_called n w W.
Proof.
  unfold performers_of. intros E UT C. destruct (words_of n (collective_of W)) as [k|] eqn:K; [|discriminate].
  apply words_of_correct in K; [|exact UT|apply C].
  destruct W; injection E as <-; [exact K| |]; (split; [exact I|]; split; [apply K|reflexivity]).
Qed.

Lemma said_of_correct n W d x f s : said_of n (Some (W, d, x)) f = Some s ->
  exists w, s = f W w d x /\ (NoDup (map name (terminals n)) -> is_collective (collective_of W) -> is_called n w W).
Proof.
  cbn [said_of]. destruct (performers_of n W) as [w|] eqn:E; [|discriminate]. intros S. injection S as <-. exists w.
  split; [reflexivity|]. apply performers_of_correct. exact E.
Qed.

Lemma rate_said p W d x s : NoDup (map name (terminals (net p))) ->
  said_of (net p) (Some (W, d, x)) (fun _ w d x => RateIs w d x) = Some s -> best_rate_times (net p) W 1 d x -> means p s.
Proof.
  intros UT E H. destruct (said_of_correct _ _ _ _ _ _ E) as [w [-> N]]. exists W. split; [apply N; [exact UT|apply H]|exact H].
Qed.

Lemma performers_somebody n W w : performers_of n W = Some w -> somebody w.
Proof.
  unfold performers_of, words_of. intros E. destruct (the_terminals _ _); [|discriminate E].
  destruct (ranks (collective_of W)) as [|y l]; [discriminate E|].
  set (who := if Nat.eqb (List.length (y :: l)) (List.length (terminals n)) then None else Some (map name (y :: l))) in *.
  assert (N : match who with Some l => l <> [] | None => True end) by (unfold who; destruct (Nat.eqb _ _); [exact I|discriminate]).
  clearbody who. cbn [andb negb Nat.eqb List.length] in E.
  destruct (task (collective_of W)) as [| |r]; [| |destruct (the_terminals n [r]); [|discriminate E]];
    destruct W; injection E as <-; destruct who; exact N.
Qed.

Lemma said_not_empty n rate f s : (forall W w d x, somebody w -> nothing_empty (f W w d x)) -> said_of n rate f = Some s -> nothing_empty s.
Proof.
  intros F E. destruct rate as [[[W d] x]|]; [|discriminate]. cbn [said_of] in E.
  destruct (performers_of n W) as [w|] eqn:P; [|discriminate]. injection E as <-. apply F. eapply performers_somebody. exact P.
Qed.

(** * All *)

Lemma statement_holds p claims c s :
  NoDup (map name (terminals (net p))) -> statement_of p claims c = Some s -> holds p claims c -> means p s.
Proof.
  intros UT E H.
  destruct c as [r d focus w e|r d k w l why|r d l|d b hops limit w a l|d b hops limit h a l|d w l why lengths m|r h|d w fs|h ts|q x k1 k2|r v o|r l|r of|r by_what m y|k x cs ps|k x ts|ts x up down|ts x k l|r d x latency l|bus x k1|x k1 m latency|x k1 k2];
    cbn [statement_of] in E; unfold holds in H.
  - assert (X : s = NoChannelCarries r d focus w) by (destruct focus as [[|]|]; [discriminate| |]; congruence). subst s. exact H.
  - inversion E. exact H.
  - inversion E. subst s. cbn [means]. unfold about_routing, at_position in *.
    destruct (nth_error (routings p) r); [|exact H]. destruct (nth_error (sets p) d) as [S|]; [|exact H].
    destruct S as [t| |]; try contradiction. exists t. auto.
  - inversion E. exact H.
  - inversion E. exact H.
  - inversion E. exact H.
  - inversion E. exact H.
  - inversion E. exact H.
  - inversion E. exact H.
  - unfold follows in H. cbv zeta in H.
    destruct q, (claim_at claims k1) as [[]|]; try contradiction; destruct (nth_error claims k2) as [[]|]; try contradiction;
      repeat match type of H with
             | match ?f with Some _ => _ | None => _ end => destruct f; try contradiction
             | match ?f with All _ => _ | Among _ => _ end => destruct f; try contradiction
             end;
      try (inversion E; subst s; cbn [means]; unfold about, about_routing, about_set, at_position in *;
           first [ exact H | apply H
                 | repeat match type of H with match ?f with Some _ => _ | None => _ end => destruct f; try contradiction end;
                   first [ eapply fraction_of_uniform_at_least; apply H | eapply fraction_of_uniform_at_most; apply H
                         | eapply every_routing_weaker; [|apply H]; intros ? F L; eapply fraction_of_uniform_at_most; [apply H|exact (F L)] ] ]; fail).
    (* the price of obliviousness: between what the routing is *)
    unfold at_position in H. destruct H as [_ H]. destruct (nth_error (routings p) r) as [R|] eqn:F; [|contradiction].
    inversion E. exact H.
  - inversion E. exact H.
  - unfold at_position in H. destruct (nth_error (routings p) r) as [R|] eqn:F; [|discriminate E].
    cbv zeta in E. destruct (on_virtual (virtuals_of (data R)) (data R)) eqn:V; [|discriminate E]. inversion E. subst s.
    cbn [means]. unfold about_routing, at_position. rewrite F. split; [apply on_virtual_correct; exact V|exact H].
  - inversion E. exact H.
  - inversion E. exact H.
  - eapply rate_said; [exact UT|exact E|]. split; [apply H|]. intros y t [qs S]. rewrite Qmult_1_l. apply (proj2 H y t qs S).
  - eapply rate_said; [exact UT|exact E|]. split; [apply H|]. destruct H as [_ [t [qs S]]]. exists x, t.
    split; [exists qs; exact S|]. rewrite Qmult_1_l. apply Qle_refl.
  - eapply rate_said; [exact UT|exact E|]. split; [apply H|]. destruct H as [_ [t [us [ds S]]]]. exists x, t.
    split; [exists us, ds; exact S|]. rewrite Qmult_1_l. apply Qle_refl.
  - eapply rate_said; [exact UT|exact E|]. split; [apply H|]. intros y t [qs S]. rewrite Qmult_1_l. apply (proj2 H y t qs S).
  - inversion E. exact H.
  - unfold about_rate in H. destruct (rate_at claims k1) as [[[W d] y]|]; [|discriminate E].
    destruct (said_of_correct _ _ _ _ _ _ E) as [w [-> N]]. exists W. split; [apply N; [exact UT|apply H]|]. split; [reflexivity|exact H].
  - unfold about_rate in H. destruct (rate_at claims k1) as [[[W d] y]|]; [|discriminate E].
    destruct (said_of_correct _ _ _ _ _ _ E) as [w [-> N]]. exists W. split; [apply N; [exact UT|apply H]|exact H].
  - destruct (time_at claims k2); [|contradiction]. unfold about_rate, at_position in H.
    destruct (rate_at claims k1) as [[[W d] y]|]; [|discriminate E]. destruct (said_of_correct _ _ _ _ _ _ E) as [w [-> N]].
    destruct (nth_error (times_of p) k2) eqn:T; [|contradiction]. destruct H as [_ H]. cbn [means]. unfold at_position. rewrite T. exists W. split; [apply N; [exact UT|apply H]|exact H].
Qed.

Lemma statement_not_empty p claims c s : statement_of p claims c = Some s -> nothing_empty s.
Proof.
  intros E. destruct c as [r d [[|x l]|] w e|r d k w l why|r d l|d b hops limit w a l|d b hops limit h a l|d w l why lengths m|r h|d w fs|h ts|q x k1 k2|r v o|r l|r of|r by_what m y|k x cs ps|k x ts|ts x up down|ts x k l|r d x latency l|bus x k1|x k1 m latency|x k1 k2];
    cbn [statement_of] in E; try (inversion E; simpl; trivial; discriminate).
  - destruct q, (claim_at claims k1) as [[]|]; try discriminate; destruct (nth_error claims k2) as [[]|]; try discriminate;
      repeat match type of E with match ?f with _ => _ end = _ => destruct f; try discriminate end; inversion E; exact I.
  - destruct (nth_error (routings p) r); [|discriminate]. cbv zeta in E. destruct (on_virtual _ _); [|discriminate]. inversion E. exact I.
  - eapply said_not_empty; [|exact E]; intros ? ? ? ? S; exact S.
  - eapply said_not_empty; [|exact E]; intros ? ? ? ? S; exact S.
  - eapply said_not_empty; [|exact E]; intros ? ? ? ? S; exact S.
  - eapply said_not_empty; [|exact E]; intros ? ? ? ? S; exact S.
  - eapply said_not_empty; [|exact E]; intros ? ? ? ? S; exact S.
  - eapply said_not_empty; [|exact E]; intros ? ? ? ? S; exact S.
  - eapply said_not_empty; [|exact E]; intros ? ? ? ? S; exact S.
Qed.

(** * What is printed *)

(** A claim of a proof: one claim, or that the channels of the list may carry what claim k says of one; with a demand for each. *)
Inductive item := One (c : claim) | Alike (k : nat) (l : list (positive * (list packet * reason))).

Definition first_of (items : list item) (i : item) : claim :=
  match i with
  | One c => c
  | Alike k _ => match nth_error items k with Some (One c) => c | _ => Quotient ThroughputAtLeast 0 None 0 end
  end.

Definition others_of (items : list item) (i : item) : list claim :=
  match i with
  | Alike k l =>
      match nth_error items k with
      | Some (One (WorstAtLeast r s _ w _ _)) => map (fun e => WorstAtLeast r s (fst e) w (fst (snd e)) (snd (snd e))) l
      | _ => []
      end
  | One _ => []
  end.

(** At the position of each item its claim; then those that items say besides. *)
Definition all_claims (items : list item) : list claim := map (first_of items) items ++ flat_map (others_of items) items.

(** [claims]: all of them. *)
Definition said_by (p : subject) (claims : list claim) (items : list item) (i : item) : option statement :=
  match i with
  | One c => statement_of p claims c
  | Alike k [] => None
  | Alike k l =>
      match nth_error items k with
      | Some (One (WorstAtLeast r s _ w _ _)) => Some (ChannelsMayCarry r s (map fst l) w)
      | _ => None
      end
  end.

(** From which claims it follows. *)
Definition source_of (i : item) : string :=
  (match i with
   | One (Quotient _ _ None k | Bandwidth _ _ k | LeastTime _ k _ _) | Alike k _ => glued ["from claim "; from_1 k; ": "]
   | One (Quotient _ _ (Some j) k | TimesOptimal _ k j) => glued ["from claims "; from_1 j; " and "; from_1 k; ": "]
   | One _ => ""
   end)%string.

Fixpoint all_said (t : names) (p : subject) (claims : list claim) (items l : list item) : option (list string) :=
  match l with
  | [] => Some []
  | i :: l =>
      match said_by p claims items i, all_said t p claims items l with
      | Some s, Some rest => Some ((source_of i ++ sentence t s)%string :: rest)
      | _, _ => None
      end
  end.

Fixpoint lines (k : nat) (l : list string) : list string :=
  match l with [] => [] | w :: l => glued [from_1 k; ". "%string; w; ": holds"%string] :: lines (S k) l end.

(** What the program prints of the claims if they all hold. *)
Definition printed (t : names) (p : subject) (items : list item) : verdict * list string :=
  let claims := all_claims items in
  match all_said t p claims items items, check p claims with
  | Some l, AllHold => (AllHold, lines 0 l)
  | None, AllHold => (BadClaim 0, [])
  | _, bad => (bad, [])
  end.

Lemma said_holds p items i s : check p (all_claims items) = AllHold -> In i items -> said_by p (all_claims items) items i = Some s ->
  means p s /\ nothing_empty s.
Proof.
  intros C I E. destruct (check_correct p _ C) as [[_ [UT _]] [_ [_ H]]]. destruct i as [c|k l].
  - split; [|eapply statement_not_empty; exact E]. eapply statement_holds; [exact UT|exact E|]. apply H.
    apply in_or_app. left. apply in_map_iff. exists (One c). auto.
  - destruct l as [|e l]; [discriminate E|]. unfold said_by in E.
    destruct (nth_error items k) as [[[]|]|] eqn:N; try discriminate E. injection E as <-. split; [|simpl; discriminate].
    assert (Each : forall x, In x (e :: l) -> holds p (all_claims items) (WorstAtLeast r s0 (fst x) w (fst (snd x)) (snd (snd x)))).
    { intros x X. apply H. apply in_or_app. right. apply in_flat_map. exists (Alike k (e :: l)). split; [exact I|].
      unfold others_of. rewrite N. apply in_map_iff. exists x. auto. }
    cbn [means]. unfold about, about_routing, about_set, holds, at_position in *.
    pose proof (Each e (or_introl eq_refl)) as First.
    destruct (nth_error (routings p) r); [|exact First]. destruct (nth_error (sets p) s0); [|exact First].
    intros m M. change (In m (map fst (e :: l))) in M. apply in_map_iff in M. destruct M as [x [<- X]]. apply (Each x X).
Qed.

Lemma lines_of l : forall k x, In x (lines k l) -> exists m w, In w l /\ x = glued [from_1 m; ". "%string; w; ": holds"%string].
Proof.
  induction l as [|w l IH]; intros k x X; [contradiction|]. destruct X as [<-|X].
  - exists k, w. split; [left; reflexivity|reflexivity].
  - destruct (IH _ _ X) as [m [v [V E]]]. exists m, v. split; [right; exact V|exact E].
Qed.

Lemma all_said_of t p claims items l : forall ws, all_said t p claims items l = Some ws -> forall w, In w ws ->
  exists i s, In i l /\ said_by p claims items i = Some s /\ w = (source_of i ++ sentence t s)%string.
Proof.
  induction l as [|i l IH]; simpl; intros ws E w W; [injection E as <-; contradiction|].
  destruct (said_by p claims items i) as [s|] eqn:S; [|discriminate]. destruct (all_said t p claims items l) as [rest|]; [|discriminate].
  injection E as <-. destruct W as [<-|W].
  - exists i, s. auto.
  - destruct (IH rest eq_refl w W) as [j [s' [J X]]]. exists j, s'. auto.
Qed.

(** Every line says a statement, and the statement is true. *)
Theorem printed_is_true t p items l : printed t p items = (AllHold, l) ->
  forall line, In line l -> exists k from s,
    line = glued [from_1 k; ". "; from; sentence t s; ": holds"]%string /\ nothing_empty s /\ means p s.
Proof.
  unfold printed. cbv zeta. destruct (all_said t p (all_claims items) items items) as [ws|] eqn:W; [|destruct (check _ _); discriminate].
  destruct (check p (all_claims items)) eqn:C; try discriminate. intros E line L. injection E as <-.
  destruct (lines_of _ _ _ L) as [m [w [I ->]]]. destruct (all_said_of _ _ _ _ _ _ W w I) as [i [s [J [S ->]]]].
  destruct (said_holds p items i s C J S) as [M N]. exists m, (source_of i), s. split; [|auto].
  unfold glued. simpl. f_equal. f_equal. rewrite append_assoc. reflexivity.
Qed.

(** What the program prints, and the words that it takes for it: the names of routings and of sets are those that
    [titles_of] and [titles_of_sets] find. [wanted]: the routing that each may be, and its name in quotation marks;
    [quoted]: the names of sets in quotation marks. *)
Definition program (p : subject) (wanted : list (option definition * string)) (quoted : list string) (list_at : nat -> string)
    (items : list item) : names * (unit -> verdict * list string) :=
  let titles := titles_of p wanted in
  let sets := titles_of_sets (net p) (sets p) quoted in
  let t := Names (fun k => nth k titles """"%string) (fun k => nth k sets """"%string) list_at
    (N.of_nat (List.length (terminals (net p)))) in
  (t, fun _ => printed t p items).

(** The theorem of the program: every line says a statement that is true, of routings and sets with names that are true. *)
Theorem program_is_true p wanted quoted list_at items t go l :
  program p wanted quoted list_at items = (t, go) -> go tt = (AllHold, l) ->
  honest p (routing_name t) /\ honest_sets p (set_name t) /\
  forall line, In line l -> exists k from s,
    line = glued [from_1 k; ". "; from; sentence t s; ": holds"]%string /\ nothing_empty s /\ means p s.
Proof.
  unfold program. cbv zeta. intros E G. injection E as <- <-.
  split; [|split; [apply titles_of_sets_are_honest|exact (printed_is_true _ _ _ _ G)]].
  apply titles_are_honest. unfold printed, check in G. cbv zeta in G.
  destruct (check_network _); [|destruct (all_said _ _ _ _ _); discriminate G].
  destruct (first_bad (check_shown (net p)) (routings p) 0) eqn:F; [destruct (all_said _ _ _ _ _); discriminate G|].
  exact (first_bad_none _ _ _ F).
Qed.
