(** All-reduces: what a schedule of one is; trees are one, and sets of nodes bound every one. *)

Require Import List Bool Arith Lia FinFun PArith ZArith QArith Lqa Setoid Morphisms.
From Routeproof Require Import Sums Network Flows Collective.
Import ListNotations.
Local Open Scope Q_scope.

(** * From below: every unit is added up at a node and copied from there *)

Definition reducing (rs : list terminal) : collective := Collective ReduceScatter rs ByRanks.
Definition gathering (rs : list terminal) : collective := Collective AllGather rs ByRanks.

Definition count {A} (l : list A) : Q := sum (fun _ => 1) l.

(** In t cycles, x units for each rank: what is copied from a node was added up there, and both fit together. *)
Definition reduces (net : network) (rs : list terminal) (x t : Q) (up down : list parcel) : Prop :=
  0 < t /\
  (forall p, In p up -> 0 <= volume p /\ (forall c, In c (way p) -> In c (channels net)) /\
     holds_rank (reducing rs) (origin p) = true /\ spreads (reducing rs) [origin p] None (way p)) /\
  (forall p, In p down -> 0 <= volume p /\ (forall c, In c (way p) -> In c (channels net)) /\
     holds_rank (gathering rs) (origin p) = true /\ spreads (gathering rs) [origin p] None (way p)) /\
  (forall v, sum (fun p => when (Key.eqb (origin p) v) (volume p)) down <=
             sum (fun p => when (Key.eqb (origin p) v) (volume p)) up) /\
  x * t * count rs <= sum volume down /\
  forall c, In c (channels net) ->
    sum (fun p => volume p * crossings c (way p)) up + sum (fun p => volume p * crossings c (way p)) down <= t * bandwidth c.

Definition all_reduce_at_least (net : network) (rs : list terminal) (x : Q) : Prop :=
  is_collective (gathering rs) /\ exists t up down, reduces net rs x t up down.

Definition reductions_carry (net : network) (rs : list terminal) (x : Q) (up down : list packed) : bool :=
  let chans := find_by number (channels net) in
  let at_rank := group source rs in
  let load := group fst (loads_of_trees (up ++ down)) in
  let added := group root_of up in
  let copied := group root_of down in
  check_ranks (gathering rs) &&
  forallb (good_tree (reducing rs) chans at_rank) up && forallb (good_tree (gathering rs) chans at_rank) down &&
  forallb (fun c => Qle_bool (total snd (of_key (number c) load)) (bandwidth c)) (channels net) &&
  forallb (fun t => Qle_bool (total weight_of (of_key (root_of t) copied)) (total weight_of (of_key (root_of t) added))) down &&
  Qle_bool (times x (total (fun _ => 1) rs)) (total weight_of down).

Theorem reductions_carry_correct net rs x up down : NoDup (map number (channels net)) ->
  reductions_carry net rs x up down = true -> all_reduce_at_least net rs x.
Proof.
  intros U H. unfold reductions_carry in H. apply andb_prop in H. destruct H as [H X]. apply andb_prop in H. destruct H as [H E].
  apply andb_prop in H. destruct H as [H L]. apply andb_prop in H. destruct H as [H D]. apply andb_prop in H. destruct H as [R G].
  split; [apply check_ranks_correct; exact R|]. clear R.
  set (parcels := map (parcel_of net)).
  exists 1, (parcels up), (parcels down). rewrite forallb_forall in G, D, L, E. unfold parcels.
  apply Qle_bool_iff in X. rewrite times_correct, !total_correct in X.
  split; [reflexivity|]. split; [|split; [|split; [|split]]].
  - intros p I. apply in_map_iff in I. destruct I as [t [<- I]].
    destruct (good_tree_correct net (reducing rs) t (G t I)) as [W [O [S C]]]. simpl. auto.
  - intros p I. apply in_map_iff in I. destruct I as [t [<- I]].
    destruct (good_tree_correct net (gathering rs) t (D t I)) as [W [O [S C]]]. simpl. auto.
  - intros v. rewrite !sum_map. simpl.
    destruct (existsb (fun t => Key.eqb (root_of t) v) down) eqn:F.
    + apply existsb_exists in F. destruct F as [t [I V]]. apply Key.eqb_eq in V. subst v. specialize (E t I).
      apply Qle_bool_iff in E. rewrite !total_correct, !group_correct, !sum_filter in E. exact E.
    + rewrite (sum_zero _ down).
      * apply sum_nonneg. intros t I. apply when_nonneg. apply (good_tree_correct net (reducing rs) t (G t I)).
      * intros t I. destruct (Key.eqb (root_of t) v) eqn:Y; [|reflexivity].
        assert (existsb (fun t => Key.eqb (root_of t) v) down = true) by (apply existsb_exists; exists t; auto). congruence.
  - rewrite sum_map. simpl. unfold count. rewrite Qmult_1_r. exact X.
  - intros c I. specialize (L c I). apply Qle_bool_iff in L. rewrite total_correct, group_correct, sum_filter in L.
    rewrite Qmult_1_l. eapply Qle_trans; [|exact L]. unfold loads_of_trees. rewrite flat_map_app, sum_app.
    apply Qplus_le_compat; apply (loads_of_parcels net c); try exact I; try exact U.
    + intros t J. apply (good_tree_correct net (reducing rs) t (G t J)).
    + intros t J. apply (good_tree_correct net (gathering rs) t (D t J)).
Qed.

(** * From above: all schedules whose messages carry one value each *)

(** A unit of the result in such a schedule: the channels that its messages cross, one message after another.
    [know v]: the nodes whose elements take part in what node v knows. A message leaves a node that holds a rank with what that
    one knows, passes through nodes that hold none, and ends at one that holds a rank. In the end all know about all. *)
Fixpoint informs (rs : list terminal) (know : positive -> list positive) (passing : option (positive * list positive))
    (l : list channel) : Prop :=
  match l with
  | [] => passing = None /\
          forall u v, holds_rank (gathering rs) u = true -> holds_rank (gathering rs) v = true -> In u (know v)
  | c :: l =>
      match passing with Some (v, _) => tail c = v | None => holds_rank (gathering rs) (tail c) = true end /\
      let carried := match passing with Some (_, s) => s | None => know (tail c) end in
      if holds_rank (gathering rs) (head c)
      then informs rs (fun v => if Key.eqb v (head c) then carried ++ know v else know v) None l
      else informs rs know (Some (head c, carried)) l
  end.

Definition reduces_somehow (net : network) (rs : list terminal) (x t : Q) (ps : list parcel) : Prop :=
  0 < t /\
  (forall p, In p ps -> 0 <= volume p /\ (forall c, In c (way p) -> In c (channels net)) /\ informs rs (fun v => [v]) None (way p)) /\
  x * t * count rs <= sum volume ps /\
  forall c, In c (channels net) -> sum (fun p => volume p * crossings c (way p)) ps <= t * bandwidth c.

Definition all_reduce_at_most (net : network) (rs : list terminal) (x : Q) : Prop :=
  is_collective (gathering rs) /\ forall y t ps, reduces_somehow net rs y t ps -> y <= x.

(** ** Messages between sets *)

(** Which sets take part in what each set knows, after messages from set to set. *)
Fixpoint told (know : positive -> list positive) (ms : list (positive * positive)) : positive -> list positive :=
  match ms with
  | [] => know
  | (i, j) :: ms => told (fun p => if Key.eqb p j then know i ++ know p else know p) ms
  end.

Lemma told_app know a b : told know (a ++ b) = told (told know a) b.
Proof. revert know. induction a as [|[i j] a IH]; simpl; intros; [reflexivity|apply IH]. Qed.

(** Who is known to others has sent. *)
Lemma sent p q : q <> p -> forall ms know, (forall r, In p (know r) -> r = p) -> In p (told know ms q) -> In p (map fst ms).
Proof.
  intros N. induction ms as [|[i j] ms IH]; simpl; intros know K H.
  - exfalso. apply N. apply K. exact H.
  - destruct (Pos.eq_dec i p) as [->|M]; [left; reflexivity|right]. eapply IH; [|exact H].
    intros r. simpl. destruct (Key.eqb_spec r j) as [->|J]; [|apply K].
    intros I. apply in_app_or in I. destruct I as [I|I]; [|apply K; exact I]. exfalso. apply M. apply K. exact I.
Qed.

(** Who learns something has received. *)
Lemma received q : forall ms know, ~ In q (map snd ms) -> told know ms q = know q.
Proof.
  induction ms as [|[i j] ms IH]; simpl; intros know H; [reflexivity|].
  rewrite IH by tauto. destruct (Key.eqb_spec q j) as [->|N]; [tauto|reflexivity].
Qed.

Definition complete (P : list positive) (s : list positive) : bool := forallb (fun p => existsb (Key.eqb p) s) P.

Lemma complete_correct P s : complete P s = true <-> forall p, In p P -> In p s.
Proof.
  unfold complete. rewrite forallb_forall. split; intros H p I; specialize (H p I).
  - apply existsb_exists in H. destruct H as [x [J E]]. apply Key.eqb_eq in E. congruence.
  - apply existsb_exists. exists p. split; [exact H|apply Key.eqb_refl].
Qed.

(** The first message after which a set knows about all. *)
Lemma first_complete (P : list positive) : forall ms know, (forall q, In q P -> complete P (know q) = false) ->
  (exists q, In q P /\ complete P (told know ms q) = true) ->
  exists a i j b, ms = a ++ (i, j) :: b /\ complete P (told know (a ++ [(i, j)]) j) = true /\
    forall q, In q P -> q <> j -> complete P (told know (a ++ [(i, j)]) q) = false.
Proof.
  induction ms as [|[i j] ms IH]; intros know N [q [I C]].
  - simpl in C. rewrite N in C by exact I. discriminate.
  - set (next := fun p => if Key.eqb p j then know i ++ know p else know p).
    destruct (complete P (next j)) eqn:E.
    + exists [], i, j, ms. split; [reflexivity|]. split; [exact E|]. intros r R D. simpl.
      destruct (Key.eqb_spec r j) as [->|_]; [congruence|]. apply N. exact R.
    + destruct (IH next) as [a [i' [j' [b [A [B D]]]]]].
      * intros r R. unfold next at 1. destruct (Key.eqb_spec r j) as [->|_]; [|apply N; exact R].
        unfold next in E. rewrite Key.eqb_refl in E. exact E.
      * exists q. split; [exact I|exact C].
      * exists ((i, j) :: a), i', j', b. rewrite A. split; [reflexivity|]. split; [exact B|exact D].
Qed.

Lemma at_least_as_many (P l : list positive) (j : positive) : NoDup P -> (forall p, In p P -> p <> j -> In p l) -> (length P <= S (length l))%nat.
Proof.
  intros U H. change (S (length l)) with (length (j :: l)). apply NoDup_incl_length; [exact U|].
  intros p I. destruct (Pos.eq_dec p j) as [->|N]; [left; reflexivity|right; auto].
Qed.

(** Until all k sets know about all, they send 2 (k - 1) messages to one another. *)
Lemma gossip (P : list positive) ms : NoDup P -> (2 <= length P)%nat ->
  (forall p q, In p P -> In q P -> In p (told (fun v => [v]) ms q)) -> (2 * length P <= length ms + 2)%nat.
Proof.
  intros U K H. destruct P as [|p0 [|p1 P']]; simpl in K; try lia. set (P := p0 :: p1 :: P') in *.
  destruct (first_complete P ms (fun v => [v])) as [a [i [j [b [E [C D]]]]]].
  - intros q I. destruct (complete P [q]) eqn:F; [|reflexivity]. rewrite complete_correct in F.
    assert (A0 : In p0 [q]) by (apply F; left; reflexivity). assert (A1 : In p1 [q]) by (apply F; right; left; reflexivity).
    destruct A0 as [A0|[]]. destruct A1 as [A1|[]]. subst. inversion U as [|x l N _]. exfalso. apply N. left. reflexivity.
  - exists p0. split; [left; reflexivity|]. apply complete_correct. intros p I. apply H; [exact I|left; reflexivity].
  - rewrite complete_correct in C. subst ms.
    assert (Sent : (length P <= S (length (map fst (a ++ [(i, j)]))))%nat).
    { apply at_least_as_many with (j := j); [exact U|]. intros p I N.
      apply (sent p j) with (know := fun v => [v]); [congruence| |apply C; exact I]. intros r [->|[]]. reflexivity. }
    assert (Got : (length P <= S (length (map snd b)))%nat).
    { apply at_least_as_many with (j := j); [exact U|]. intros q I N.
      destruct (in_dec Pos.eq_dec q (map snd b)) as [Y|Y]; [exact Y|exfalso].
      specialize (D q I N). assert (F : complete P (told (fun v => [v]) (a ++ [(i, j)]) q) = true); [|congruence].
      apply complete_correct. intros p J. rewrite <- (received q b) by exact Y. rewrite <- told_app, <- app_assoc. apply H; assumption. }
    rewrite map_length, app_length in Sent. rewrite map_length in Got. rewrite app_length. simpl in *. lia.
Qed.

(** ** Sets of nodes *)

(** The set of every node, by its number; some nodes are in none. *)
Definition part (sets : Map.t (positive * positive)) (v : positive) : option positive := option_map snd (Map.find v sets).

Definition same (a b : option positive) : bool :=
  match a, b with Some a, Some b => Key.eqb a b | None, None => true | _, _ => false end.

Lemma same_correct a b : same a b = true <-> a = b.
Proof. destruct a, b; simpl; try (split; congruence). rewrite Key.eqb_eq. split; congruence. Qed.

Definition is_some {A} (a : option A) : bool := match a with Some _ => true | None => false end.

(** The channel leaves a set; it enters one. *)
Definition exits (sets : Map.t (positive * positive)) (c : channel) : bool :=
  is_some (part sets (tail c)) && negb (same (part sets (tail c)) (part sets (head c))).
Definition enters (sets : Map.t (positive * positive)) (c : channel) : bool :=
  is_some (part sets (head c)) && negb (same (part sets (tail c)) (part sets (head c))).

Fixpoint number_of {A} (f : A -> bool) (l : list A) : nat :=
  match l with [] => 0 | x :: l => (if f x then 1 else 0) + number_of f l end%nat.

Lemma number_of_correct {A} (f : A -> bool) l : inject_Z (Z.of_nat (number_of f l)) == sum (fun x => when (f x) 1) l.
Proof.
  induction l as [|x l IH]; simpl; [reflexivity|]. rewrite Nat2Z.inj_add, inject_Z_plus, IH. destruct (f x); simpl; ring.
Qed.

(** The messages between sets of a unit: every one leaves a set, and enters one. *)
Lemma messages_of rs sets : (forall v, holds_rank (gathering rs) v = true -> is_some (part sets v) = true) ->
  forall l know passing K i,
  (forall v j, holds_rank (gathering rs) v = true -> part sets v = Some j -> forall u p, In u (know v) -> part sets u = Some p -> In p (K j)) ->
  match passing with Some (_, s) => forall u p, In u s -> part sets u = Some p -> In p (K i) | None => True end ->
  informs rs know passing l ->
  exists ms,
    (length ms <= number_of (exits sets) l + match passing with Some (w, _) => if same (part sets w) (Some i) then 0 else 1 | None => 0 end)%nat /\
    (length ms <= number_of (enters sets) l +
       match passing with Some (w, _) => if is_some (part sets w) && negb (same (part sets w) (Some i)) then 1 else 0 | None => 0 end)%nat /\
    forall u v p q, holds_rank (gathering rs) u = true -> holds_rank (gathering rs) v = true ->
      part sets u = Some p -> part sets v = Some q -> In p (told K ms q).
Proof.
  intros Held. induction l as [|c l IH]; intros know passing K i Know Pass S.
  - exists []. split; [simpl; lia|]. split; [simpl; lia|]. simpl. destruct S as [_ S].
    intros u v p q Hu Hv Pu Pv. apply (Know v q Hv Pv u p); [apply S; assumption|exact Pu].
  - simpl in S. destruct S as [T S].
    (* where the message is, whose set it is from, and what it carries *)
    assert (exists i' s, (forall u p, In u s -> part sets u = Some p -> In p (K i')) /\
      s = match passing with Some (_, s) => s | None => know (tail c) end /\
      (match passing with Some _ => i' = i | None => part sets (tail c) = Some i' end)) as [i' [s [Carry [Es Ei]]]].
    { destruct passing as [[w s]|].
      - exists i, s. auto.
      - specialize (Held _ T). destruct (part sets (tail c)) as [i'|] eqn:P; [|discriminate].
        exists i', (know (tail c)). split; [|auto]. intros u p. apply Know; assumption. }
    assert (Out : forall a, (if same (part sets (head c)) (Some i') then 0 else 1)%nat = a ->
      (a <= (if exits sets c then 1 else 0) + match passing with Some (w, _) => if same (part sets w) (Some i) then 0 else 1 | None => 0 end)%nat).
    { intros a <-. unfold exits. destruct passing as [[w s']|]; [subst i' w|rewrite Ei].
      - destruct (same (part sets (tail c)) (Some i)) eqn:F; [|destruct (same (part sets (head c)) (Some i)); lia].
        apply same_correct in F. rewrite F. simpl. destruct (part sets (head c)) as [q|]; simpl; [|lia].
        rewrite (Key.eqb_sym q i). destruct (Key.eqb i q); simpl; lia.
      - simpl. destruct (part sets (head c)) as [q|]; simpl; [|lia].
        rewrite (Key.eqb_sym q i'). destruct (Key.eqb i' q); simpl; lia. }
    assert (In' : forall a, (if is_some (part sets (head c)) && negb (same (part sets (head c)) (Some i')) then 1 else 0)%nat = a ->
      (a <= (if enters sets c then 1 else 0) +
        match passing with Some (w, _) => if is_some (part sets w) && negb (same (part sets w) (Some i)) then 1 else 0 | None => 0 end)%nat).
    { intros a <-. unfold enters. destruct (part sets (head c)) as [q|] eqn:Q; simpl; [|lia].
      destruct (Key.eqb_spec q i') as [->|N]; simpl; [lia|]. destruct passing as [[w s']|]; [subst i' w|rewrite Ei].
      - destruct (part sets (tail c)) as [r|]; simpl; [|lia]. destruct (Key.eqb_spec r q) as [->|M]; simpl; [|lia].
        destruct (Key.eqb_spec q i); [congruence|]. simpl. lia.
      - simpl. destruct (Key.eqb_spec i' q) as [E|M]; simpl; [congruence|lia]. }
    rewrite <- Es in S. cbv zeta in S. destruct (holds_rank (gathering rs) (head c)) eqn:H.
    + set (next := fun v => if Key.eqb v (head c) then s ++ know v else know v) in *.
      pose proof (Held _ H) as Q. destruct (part sets (head c)) as [j|] eqn:P; [|discriminate]. clear Q.
      destruct (Pos.eq_dec j i') as [->|N].
      * destruct (IH next None K i') as [ms [A [B M]]]; [intros v q Hv Pv u p I Pu; unfold next in I|exact Logic.I|exact S|].
        { cbv beta in I. destruct (Key.eqb_spec v (head c)) as [->|_]; [|eapply Know; eassumption].
          apply in_app_or in I. destruct I as [I|I]; [|eapply Know; eassumption].
          replace q with i' by congruence. eapply Carry; eassumption. }
        exists ms. specialize (Out _ eq_refl). specialize (In' _ eq_refl). simpl in *. split; [lia|]. split; [lia|exact M].
      * destruct (IH next None (fun p => if Key.eqb p j then K i' ++ K p else K p) i') as [ms [A [B M]]];
          [intros v q Hv Pv u p I Pu; unfold next in I|exact Logic.I|exact S|].
        { cbv beta in I |- *. destruct (Key.eqb_spec q j) as [->|D].
          - apply in_or_app. destruct (Key.eqb_spec v (head c)) as [->|_]; [|right; eapply Know; eassumption].
            apply in_app_or in I. destruct I as [I|I]; [left; eapply Carry; eassumption|right; eapply Know; eassumption].
          - destruct (Key.eqb_spec v (head c)) as [->|_]; [congruence|eapply Know; eassumption]. }
        exists ((i', j) :: ms). specialize (Out _ eq_refl). specialize (In' _ eq_refl). simpl in *.
        destruct (Key.eqb_spec j i'); [congruence|]. simpl in *. split; [lia|]. split; [lia|exact M].
    + destruct (IH know (Some (head c, s)) K i' Know Carry S) as [ms [A [B M]]].
      exists ms. specialize (Out _ eq_refl). specialize (In' _ eq_refl). simpl in *. split; [lia|]. split; [lia|exact M].
Qed.

(** ** The bound *)

Definition sets_prove (net : network) (rs : list terminal) (x : Q) (k : positive) (l : list (positive * positive)) : bool :=
  let sets := find_by fst l in
  let numbers := map Pos.of_succ_nat (seq 0 (Pos.to_nat k)) in
  let over f := total (fun c => when (f sets c) (bandwidth c)) (channels net) in
  let most := times x (times (total (fun _ => 1) rs) (inject_Z (2 * (Zpos k - 1)))) in
  check_ranks (gathering rs) && negb (Key.eqb k 1) &&
  forallb (fun r => is_some (part sets (source r))) rs &&
  forallb (fun p => existsb (fun r => same (part sets (source r)) (Some p)) rs) numbers &&
  (Qle_bool (over exits) most || Qle_bool (over enters) most).

Theorem sets_prove_correct net rs x k l : NoDup (map number (channels net)) ->
  sets_prove net rs x k l = true -> all_reduce_at_most net rs x.
Proof.
  intros U H. unfold sets_prove in H. apply andb_prop in H. destruct H as [H V]. apply andb_prop in H. destruct H as [H C].
  apply andb_prop in H. destruct H as [H D]. apply andb_prop in H. destruct H as [R N].
  split; [apply check_ranks_correct; exact R|]. clear R.
  set (sets := find_by fst l) in *. set (P := map Pos.of_succ_nat (seq 0 (Pos.to_nat k))) in *.
  rewrite forallb_forall in D, C. apply negb_true_iff, Key.eqb_neq in N.
  assert (Long : length P = Pos.to_nat k) by (unfold P; rewrite map_length, seq_length; reflexivity).
  assert (Two : (2 <= length P)%nat) by (rewrite Long; lia).
  assert (Diff : NoDup P) by (apply Injective_map_NoDup; [intros a b E; apply SuccNat2Pos.inj; exact E|apply seq_NoDup]).
  assert (Held : forall v, holds_rank (gathering rs) v = true -> is_some (part sets v) = true).
  { intros v G. unfold holds_rank in G. apply existsb_exists in G. destruct G as [r [I E]]. apply Key.eqb_eq in E. subst v. auto. }
  assert (Of : forall p, In p P -> exists v, holds_rank (gathering rs) v = true /\ part sets v = Some p).
  { intros p I. specialize (C p I). apply existsb_exists in C. destruct C as [r [J E]]. apply same_correct in E.
    exists (source r). split; [|exact E]. unfold holds_rank. apply existsb_exists. exists r. split; [exact J|apply Key.eqb_refl]. }
  intros y t ps [T [W [Y B]]].
  assert (Each : forall f, f = exits \/ f = enters -> forall p, In p ps ->
      inject_Z (2 * (Zpos k - 1)) <= sum (fun c => when (f sets c) 1) (way p)).
  { intros f F p I. destruct (W p I) as [_ [_ S]].
    destruct (messages_of rs sets Held (way p) (fun v => [v]) None (fun v => [v]) 1%positive) as [ms [A [E M]]]; [|exact Logic.I|exact S|].
    { intros v j _ Pv u q [<-|[]] Pu. left. congruence. }
    assert (G : (2 * length P <= length ms + 2)%nat).
    { apply gossip; [exact Diff|exact Two|]. intros a b Ia Ib. destruct (Of a Ia) as [u [Hu Pu]]. destruct (Of b Ib) as [v [Hv Pv]].
      apply (M u v); assumption. }
    rewrite Long in G. rewrite <- number_of_correct, <- Zle_Qle.
    pose proof (positive_nat_Z k) as ZK. cbn iota beta in A, E. rewrite Nat.add_0_r in A, E.
    destruct F as [->| ->]; lia. }
  assert (Bound : forall f, f = exits \/ f = enters ->
      sum (fun c => when (f sets c) (bandwidth c)) (channels net) <= x * (count rs * inject_Z (2 * (Zpos k - 1))) -> y <= x).
  { intros f F Z. set (g := inject_Z (2 * (Zpos k - 1))) in *.
    assert (0 < count rs * g) as Pos0.
    { apply Qmult_lt_0_compat.
      - destruct (Of 1%positive) as [v [G _]].
        { unfold P. apply in_map_iff. exists 0%nat. split; [reflexivity|]. apply in_seq. lia. }
        unfold holds_rank in G. apply existsb_exists in G. destruct G as [r [I _]]. unfold count.
        eapply Qlt_le_trans with (y := 1); [reflexivity|]. simpl in I.
        destruct rs as [|r0 rs']; [contradiction|]. simpl.
        assert (0 <= sum (fun _ : terminal => 1) rs') by (apply sum_nonneg; intros; discriminate). lra.
      - unfold g. change 0 with (inject_Z 0). rewrite <- Zlt_Qlt. lia. }
    assert (Low : y * t * (count rs * g) <= sum (fun p => volume p * sum (fun c => when (f sets c) 1) (way p)) ps).
    { apply Qle_trans with (sum (fun p => volume p * g) ps).
      - rewrite sum_times_r. assert (0 <= g) by (unfold g; change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia).
        setoid_replace (y * t * (count rs * g)) with (y * t * count rs * g) by ring. apply Qmult_le_compat_r; assumption.
      - apply sum_le. intros p I. destruct (W p I) as [P0 _]. specialize (Each f F p I). nra. }
    assert (High : sum (fun p => volume p * sum (fun c => when (f sets c) 1) (way p)) ps <= t * (x * (count rs * g))).
    { apply Qle_trans with (t * sum (fun c => when (f sets c) (bandwidth c)) (channels net)); [|apply Qmult_le_l; [exact T|exact Z]].
      rewrite (sum_ext _ (fun p => sum (fun c => when (f sets c) 1 * (volume p * crossings c (way p))) (channels net))).
      - rewrite sum_swap, <- sum_times. apply sum_le. intros c I. rewrite sum_times. specialize (B c I).
        destruct (f sets c); simpl; lra.
      - intros p I. destruct (W p I) as [_ [J _]]. rewrite (by_crossings net (fun c => when (f sets c) 1) (way p) U J), <- sum_times.
        apply sum_ext. intros c _. ring. }
    apply Qnot_lt_le. intros L.
    assert (0 < t * (count rs * g)) by (apply Qmult_lt_0_compat; assumption).
    assert (x * (t * (count rs * g)) < y * (t * (count rs * g))) by (apply Qmult_lt_r; assumption). lra. }
  apply orb_prop in V. destruct V as [V|V]; apply Qle_bool_iff in V; rewrite !times_correct, !total_correct in V.
  - apply (Bound exits); [left; reflexivity|exact V].
  - apply (Bound enters); [right; reflexivity|exact V].
Qed.
