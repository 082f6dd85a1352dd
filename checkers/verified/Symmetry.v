(** Symmetry: a routing given by the flows from few senders, of which maps make those of all others; and what is proved
    of one channel proved of all to which the maps take it. *)

Require Import List Bool PArith ZArith QArith Lqa Setoid Morphisms Permutation.
From Routeproof Require Import Sums Network Flows Demands Sets Loads.
Import ListNotations.
Local Open Scope Q_scope.

(** * Maps *)

(** What is not in the list stays where it is. *)
Definition image (m : Map.t positive) (k : positive) : positive := match Map.find k m with Some x => x | None => k end.

Record relabelling := Relabelling { of_nodes : Map.t positive; of_channels : Map.t positive; of_terminals : Map.t positive }.

Definition moved_channel (g : relabelling) (c : channel) : channel :=
  Channel (image (of_channels g) (number c)) (image (of_nodes g) (tail c)) (image (of_nodes g) (head c)) (bandwidth c).

Definition moved_terminal (g : relabelling) (t : terminal) : terminal :=
  Terminal (image (of_terminals g) (name t)) (image (of_nodes g) (source t)) (image (of_nodes g) (sink t)).

Definition injective (m : Map.t positive) : Prop := forall a b, image m a = image m b -> a = b.

(** A map takes the channels to the channels, their ends to the ends of their images, and terminals likewise. *)
Definition automorphism (net : network) (g : relabelling) : Prop :=
  injective (of_nodes g) /\ injective (of_channels g) /\ injective (of_terminals g) /\
  Permutation (map (moved_channel g) (channels net)) (channels net) /\
  Permutation (map (moved_terminal g) (terminals net)) (terminals net).

(** The map takes the loads between terminals to those between their images. *)
Definition keeps_routing (net : network) (R : routing) (g : relabelling) : Prop :=
  forall i j c, In i (terminals net) -> In j (terminals net) -> In c (channels net) ->
  R (moved_terminal g i) (moved_terminal g j) (number (moved_channel g c)) == R i j (number c).

Definition pulled (g : relabelling) (D : demand) : demand := fun i j => D (moved_terminal g i) (moved_terminal g j).

Definition keeps_set (net : network) (S : demand_set) (g : relabelling) : Prop :=
  forall D, admits net S D -> admits net S (pulled g D).

Lemma sum_permuted {A} (f : A -> Q) l l' : Permutation l l' -> sum f l == sum f l'.
Proof. induction 1; simpl; try lra. Qed.

Lemma sum_moved {A} (f : A -> Q) (h : A -> A) l : Permutation (map h l) l -> sum f l == sum (fun x => f (h x)) l.
Proof. intros P. rewrite <- (sum_permuted f _ _ P), sum_map. reflexivity. Qed.

Lemma moved_in {A} (h : A -> A) l x : Permutation (map h l) l -> In x l -> In (h x) l.
Proof. intros P I. eapply Permutation_in; [exact P|]. apply in_map. exact I. Qed.

(** The worst case of channel g(c) is that of c. *)
Theorem load_of_image net R D g c :
  automorphism net g -> keeps_routing net R g -> In c (channels net) ->
  load net R D (moved_channel g c) == load net R (pulled g D) c.
Proof.
  intros [_ [_ [_ [_ PT]]]] K C. unfold load, over_pairs. rewrite (sum_moved _ _ _ PT). apply sum_ext. intros i I.
  rewrite (sum_moved _ _ _ PT). apply sum_ext. intros j J. rewrite (K i j c I J C). reflexivity.
Qed.

Theorem worst_case_of_image net R S g c w :
  automorphism net g -> keeps_routing net R g -> keeps_set net S g -> In c (channels net) ->
  worst_case_at_most net R S (fun x => x = c) w -> worst_case_at_most net R S (fun x => x = moved_channel g c) w.
Proof.
  intros A K S' C H D AD x X ->. rewrite (load_of_image _ _ _ _ _ A K C).
  exact (H (pulled g D) (S' D AD) c C eq_refl).
Qed.

(** ** The tests of a map *)

Definition one_to_one (m : Map.t positive) : bool :=
  distinct snd (Map.elements m) && forallb (fun e => Map.mem (snd e) m) (Map.elements m).

Lemma same_by_key {A B} (f : A -> B) l x y : NoDup (map f l) -> In x l -> In y l -> f x = f y -> x = y.
Proof.
  induction l as [|z l IH]; simpl; intros U X Y E; [contradiction|]. inversion U as [|? ? N U']; subst.
  destruct X as [->|X], Y as [->|Y]; auto.
  - exfalso. apply N. rewrite E. apply in_map. exact Y.
  - exfalso. apply N. rewrite <- E. apply in_map. exact X.
Qed.

Lemma one_to_one_correct m : one_to_one m = true -> injective m.
Proof.
  intros H a b E. unfold one_to_one in H. apply andb_prop in H. destruct H as [U M]. apply distinct_correct in U.
  rewrite forallb_forall in M. unfold image in E.
  destruct (Map.find a m) as [x|] eqn:FA, (Map.find b m) as [y|] eqn:FB; [| | |exact E].
  - subst y. apply Map.elements_correct in FA, FB.
    pose proof (same_by_key snd _ _ _ U FA FB eq_refl) as X. congruence.
  - subst x. apply Map.elements_correct in FA. specialize (M _ FA). simpl in M. rewrite Map.mem_find, FB in M. discriminate.
  - subst y. apply Map.elements_correct in FB. specialize (M _ FB). simpl in M. rewrite Map.mem_find, FA in M. discriminate.
Qed.

Definition is_channel (chans : Map.t channel) (c : channel) : bool :=
  match Map.find (number c) chans with
  | Some d => Key.eqb (tail c) (tail d) && Key.eqb (head c) (head d) && Z.eqb (Qnum (bandwidth c)) (Qnum (bandwidth d)) &&
              Key.eqb (Qden (bandwidth c)) (Qden (bandwidth d))
  | None => false
  end.

Lemma is_channel_correct l c : is_channel (find_by number l) c = true -> In c l.
Proof.
  unfold is_channel. destruct (Map.find _ _) as [d|] eqn:F; [|discriminate]. apply find_by_correct in F.
  destruct F as [I N]. intros H. apply andb_prop in H. destruct H as [H D]. apply andb_prop in H. destruct H as [H M].
  apply andb_prop in H. destruct H as [T H]. apply Key.eqb_eq in T, H, D. apply Z.eqb_eq in M.
  destruct c as [? ? ? [? ?]], d as [? ? ? [? ?]]. simpl in *. subst. exact I.
Qed.

Definition is_automorphism (net : network) (chans : Map.t channel) (terms : Map.t terminal) (g : relabelling) : bool :=
  one_to_one (of_nodes g) && one_to_one (of_channels g) && one_to_one (of_terminals g) &&
  forallb (fun c => is_channel chans (moved_channel g c)) (channels net) &&
  forallb (fun t => known terms (moved_terminal g t)) (terminals net).

Lemma permuted {A} (key : A -> positive) (h : A -> A) (m : Map.t positive) l :
  NoDup (map key l) -> injective m -> (forall x, key (h x) = image m (key x)) -> (forall x, In x l -> In (h x) l) ->
  Permutation (map h l) l.
Proof.
  intros U J E I. apply NoDup_Permutation_bis.
  - apply (NoDup_map_inv key). rewrite map_map. rewrite (map_ext _ (fun x => image m (key x))) by exact E.
    rewrite <- (map_map key (image m)). apply FinFun.Injective_map_NoDup; [exact J|exact U].
  - rewrite map_length. apply le_n.
  - intros y Y. apply in_map_iff in Y. destruct Y as [x [<- X]]. auto.
Qed.

Lemma is_automorphism_correct net g :
  NoDup (map number (channels net)) -> NoDup (map name (terminals net)) ->
  is_automorphism net (find_by number (channels net)) (find_by name (terminals net)) g = true -> automorphism net g.
Proof.
  intros UC UT H. unfold is_automorphism in H. apply andb_prop in H. destruct H as [H T]. apply andb_prop in H.
  destruct H as [H C]. apply andb_prop in H. destruct H as [H JT]. apply andb_prop in H. destruct H as [JN JC].
  apply one_to_one_correct in JN, JC, JT. rewrite forallb_forall in C, T.
  split; [exact JN|]. split; [exact JC|]. split; [exact JT|]. split.
  - apply (permuted number _ (of_channels g)); auto. intros c I. apply is_channel_correct. auto.
  - apply (permuted name _ (of_terminals g)); auto. intros t I. apply known_correct. auto.
Qed.

(** ** Flows, moved *)

Lemma ships_pulled net g s d q f :
  automorphism net g -> ships net (image (of_nodes g) s) (image (of_nodes g) d) q f ->
  ships net s d q (fun c => f (image (of_channels g) c)).
Proof.
  intros [JN [_ [_ [PC _]]]] [P V].
  assert (E : forall a b, Key.eqb (image (of_nodes g) a) (image (of_nodes g) b) = Key.eqb a b).
  { intros a b. destruct (Key.eqb_spec a b) as [->|N]; [apply Key.eqb_refl|]. apply Key.eqb_neq. intros X. apply N, JN, X. }
  split.
  - intros c C. apply (P _ (moved_in _ _ _ PC C)).
  - intros v. specialize (V (image (of_nodes g) v)). rewrite !E in V.
    assert (X : forall e : channel -> positive, (forall c, e (moved_channel g c) = image (of_nodes g) (e c)) ->
      sum (fun c => when (Key.eqb (e c) v) (f (image (of_channels g) (number c)))) (channels net)
      == sum (fun c => when (Key.eqb (e c) (image (of_nodes g) v)) (f (number c))) (channels net)).
    { intros e He. rewrite (sum_moved (fun c => when (Key.eqb (e c) (image (of_nodes g) v)) (f (number c))) _ _ PC).
      apply sum_ext. intros c _. rewrite He, E. reflexivity. }
    unfold leaving, entering in *. rewrite (X tail), (X head) by reflexivity. exact V.
Qed.

(** * Sets that the maps keep *)

Definition same_limit (x y : option Q) : bool :=
  match x, y with Some a, Some b => Qeq_bool a b | None, None => true | _, _ => false end.

Lemma same_limit_correct x y q : same_limit x y = true -> within q x -> within q y.
Proof.
  destruct x as [a|], y as [b|]; simpl; try discriminate; trivial. intros E. apply Qeq_bool_iff in E. rewrite E. trivial.
Qed.

Definition is_kept (net : network) (S : set_of_lists) (g : relabelling) : bool :=
  match S with
  | LimitsSet l =>
      match pairs l with Some _ => false | None => true end &&
      forallb (fun t => same_limit (row (transport_of l) (moved_terminal g t)) (row (transport_of l) t) &&
                        same_limit (column (transport_of l) (moved_terminal g t)) (column (transport_of l) t)) (terminals net)
  | MatricesSet ms =>
      forallb (fun m =>
        let by_pair := group2 p_from p_to m in
        let sent i j := total rate (of_keys (name i) (name j) by_pair) in
        forallb (fun i => forallb (fun j => Qeq_bool (sent (moved_terminal g i) (moved_terminal g j)) (sent i j))
          (terminals net)) (terminals net)) ms
  | RoutableSet => true
  end.

Lemma over_pairs_pulled net g f : automorphism net g ->
  over_pairs net f == over_pairs net (fun i j => f (moved_terminal g i) (moved_terminal g j)).
Proof.
  intros [_ [_ [_ [_ PT]]]]. unfold over_pairs. rewrite (sum_moved _ _ _ PT). apply sum_ext. intros i _.
  apply (sum_moved _ _ _ PT).
Qed.

Lemma mixture_pulled net g weights : forall ms : list (list packet),
  (forall m, In m ms -> forall i j, In i (terminals net) -> In j (terminals net) ->
    demand_of m (moved_terminal g i) (moved_terminal g j) == demand_of m i j) ->
  forall i j, In i (terminals net) -> In j (terminals net) ->
  mixture weights (map demand_of ms) (moved_terminal g i) (moved_terminal g j) == mixture weights (map demand_of ms) i j.
Proof.
  induction weights as [|w weights IH]; intros ms H i j I J; destruct ms as [|m ms]; simpl; try reflexivity.
  rewrite (H m (or_introl eq_refl) i j I J), (IH ms) by (try assumption; intros m' M'; apply H; right; exact M'). reflexivity.
Qed.

Theorem is_kept_correct net S g : automorphism net g -> is_kept net S g = true -> keeps_set net (set_of S) g.
Proof.
  intros A H D [Pos L]. pose proof A as [JN [JC [JT [PC PT]]]].
  split; [intros i j I J; apply Pos; apply (moved_in _ _ _ PT); assumption|].
  destruct S as [l|ms|]; simpl in *.
  - destruct L as [R [C [W P]]]. destruct (pairs l) eqn:PL; [discriminate|]. simpl in H. rewrite forallb_forall in H.
    split; [|split; [|split]].
    + intros i I. specialize (H i I). apply andb_prop in H. destruct H as [H _].
      eapply same_limit_correct; [exact H|]. eapply within_eq; [|exact (R _ (moved_in _ _ _ PT I))].
      unfold pulled. exact (sum_moved (fun j => D (moved_terminal g i) j) _ _ PT).
    + intros j J. specialize (H j J). apply andb_prop in H. destruct H as [_ H].
      eapply same_limit_correct; [exact H|]. eapply within_eq; [|exact (C _ (moved_in _ _ _ PT J))].
      unfold pulled. exact (sum_moved (fun i => D i (moved_terminal g j)) _ _ PT).
    + eapply within_eq; [|exact W]. exact (over_pairs_pulled net g D A).
    + intros i j I J. simpl. rewrite PL. split; [|exact Logic.I]. apply Pos; apply (moved_in _ _ _ PT); assumption.
  - destruct L as [weights [N [P [S E]]]]. exists weights. split; [exact N|]. split; [exact P|]. split; [exact S|].
    intros i j I J. unfold pulled. rewrite E by (apply (moved_in _ _ _ PT); assumption).
    apply (mixture_pulled net); [|exact I|exact J]. intros m M i' j' I' J'. rewrite forallb_forall in H. specialize (H m M).
    rewrite forallb_forall in H. specialize (H i' I'). rewrite forallb_forall in H. specialize (H j' J').
    apply Qeq_bool_iff in H. rewrite !total_correct, !group2_correct, !sum_select in H. exact H.
  - destruct L as [F [Ships Cap]].
    exists (fun i j c => F (moved_terminal g i) (moved_terminal g j) (image (of_channels g) c)). split.
    + intros i j I J. apply (ships_pulled net g _ _ _ _ A). apply (Ships (moved_terminal g i) (moved_terminal g j));
        apply (moved_in _ _ _ PT); assumption.
    + intros c C. specialize (Cap _ (moved_in _ _ _ PC C)). rewrite (over_pairs_pulled net g _ A) in Cap. exact Cap.
Qed.

(** * From channel to channel *)

(** [(k, c)]: the k-th map takes channel c, which is known, to another one, which is known then. *)
Fixpoint spread (maps : list relabelling) (steps : list (nat * positive)) (known : Map.t unit) : Map.t unit :=
  match steps with
  | [] => known
  | (k, c) :: steps =>
      match nth_error maps k with
      | Some g => if Map.mem c known then spread maps steps (Map.add (image (of_channels g) c) tt known) else spread maps steps known
      | None => spread maps steps known
      end
  end.

Lemma spread_correct (P : positive -> Prop) maps :
  (forall g k, In g maps -> P k -> P (image (of_channels g) k)) ->
  forall steps known, (forall k, Map.mem k known = true -> P k) -> forall k, Map.mem k (spread maps steps known) = true -> P k.
Proof.
  intros G. induction steps as [|[n c] steps IH]; simpl; intros known H k; [apply H|].
  destruct (nth_error maps n) as [g|] eqn:E; [|apply IH; exact H].
  destruct (Map.mem c known) eqn:M; [|apply IH; exact H].
  apply IH. intros k' K. rewrite Map.mem_find in K. destruct (Key.eqb_spec k' (image (of_channels g) c)) as [->|N].
  - apply G; [eapply nth_error_In; exact E|auto].
  - rewrite Map.gso in K by congruence. apply H. rewrite Map.mem_find. exact K.
Qed.

Definition known_channels (l : list positive) : Map.t unit := fold_left (fun m k => Map.add k tt m) l (Map.empty unit).

Lemma known_channels_correct l k : Map.mem k (known_channels l) = true -> In k l.
Proof.
  unfold known_channels. assert (H : forall l m, Map.mem k (fold_left (fun m k => Map.add k tt m) l m) = true ->
    In k l \/ Map.mem k m = true).
  { clear l. induction l as [|x l IH]; simpl; intros m M; [right; exact M|]. destruct (IH _ M) as [I|I]; [auto|].
    rewrite Map.mem_find in I. destruct (Key.eqb_spec k x) as [->|N]; [auto|].
    rewrite Map.gso in I by congruence. right. rewrite Map.mem_find. exact I. }
  intros M. destruct (H _ _ M) as [I|I]; [exact I|]. rewrite Map.mem_find, Map.gempty in I. discriminate.
Qed.

(** What is proved of some channels holds of those to which the maps take them. *)
Theorem spread_worst_case net R S maps some steps w :
  NoDup (map number (channels net)) ->
  (forall g, In g maps -> automorphism net g /\ keeps_routing net R g /\ keeps_set net S g) ->
  worst_case_at_most net R S (fun c => In (number c) some) w ->
  worst_case_at_most net R S (fun c => Map.mem (number c) (spread maps steps (known_channels some)) = true) w.
Proof.
  intros UC G H D AD c C M.
  refine (spread_correct (fun k => forall c, In c (channels net) -> number c = k -> forall D, admits net S D ->
    load net R D c <= w * bandwidth c) maps _ steps (known_channels some) _ (number c) M c C eq_refl D AD).
  - clear c C M D AD. intros g k I P c C N D AD. destruct (G g I) as [A [K KS]].
    pose proof A as [_ [JC [_ [PC _]]]].
    apply (Permutation_in _ (Permutation_sym PC)) in C. apply in_map_iff in C. destruct C as [c' [<- C']].
    simpl in N. apply JC in N. rewrite (load_of_image _ _ _ _ _ A K C'). apply (P c' C' N (pulled g D)). auto.
  - clear c C M D AD. intros k K c C N D AD. apply known_channels_correct in K. subst k. exact (H D AD c C K).
Qed.

(** * Routings made of images *)

Definition end_of (b : kind_of_pairs) (g : relabelling) : positive -> positive :=
  match b with Nodes => image (of_nodes g) | Terminals => image (of_terminals g) end.

Lemma end_of_injective net b g : automorphism net g -> forall x y, end_of b g x = end_of b g y -> x = y.
Proof. intros [JN [_ [JT _]]]. destruct b; [exact JN|exact JT]. Qed.

Lemma sends_as_moved b g i : sends_as b (moved_terminal g i) = end_of b g (sends_as b i).
Proof. destruct b; reflexivity. Qed.

Lemma receives_as_moved b g i : receives_as b (moved_terminal g i) = end_of b g (receives_as b i).
Proof. destruct b; reflexivity. Qed.

(** [back]: by sender, a map that takes it to one whose loads are listed. [keeping]: such a sender, and a map that keeps
    it. [links]: of each of the [maps], by sender, which map of [keeping] it is the same as, seen from where the loads
    are listed. *)
Record symmetry := Symmetry {
  maps : list relabelling;
  back : Map.t relabelling;
  keeping : Map.t (positive * relabelling);
  links : list (Map.t positive)
}.

Section Images.
  Variable net : network.
  Variable b : kind_of_pairs.
  Variable es : list entry.
  Variable y : symmetry.
  Hypothesis UC : NoDup (map number (channels net)).
  Hypothesis UT : NoDup (map name (terminals net)).

  (** From i to j as from the image of i, where loads are listed, to that of j. *)
  Definition routing_by_images : routing := fun i j c =>
    match Map.find (sends_as b i) (back y) with
    | Some g => amount_of es (end_of b g (sends_as b i)) (end_of b g (receives_as b j)) (image (of_channels g) c)
    | None => 0
    end.

  Lemma routing_by_images_is_between : is_between b net routing_by_images.
  Proof. intros i i' j j' _ _ _ _ I J c _. unfold routing_by_images. rewrite I, J. reflexivity. Qed.

  Definition is_listed (t : terminal) : bool :=
    match Map.find (sends_as b t) (back y) with Some g => Key.eqb (end_of b g (sends_as b t)) (sends_as b t) | None => false end.

  Definition listed_senders : list terminal := filter is_listed (terminals net).

  Definition check_back (chans : Map.t channel) (terms : Map.t terminal) : bool :=
    forallb (fun i => match Map.find (sends_as b i) (back y) with
                      | Some g => is_automorphism net chans terms g && is_listed (moved_terminal g i)
                      | None => false
                      end) (terminals net).

  Definition check_images : bool :=
    check_back (find_by number (channels net)) (find_by name (terminals net)) &&
    check_routing_from net b listed_senders es.

  Lemma back_of i : check_images = true -> In i (terminals net) ->
    exists g, Map.find (sends_as b i) (back y) = Some g /\ automorphism net g /\ In (moved_terminal g i) listed_senders.
  Proof.
    intros H I. apply andb_prop in H. destruct H as [H _]. unfold check_back in H. rewrite forallb_forall in H.
    specialize (H i I). destruct (Map.find _ _) as [g|]; [|discriminate]. apply andb_prop in H. destruct H as [A L].
    apply is_automorphism_correct in A; [|exact UC|exact UT]. exists g. split; [reflexivity|]. split; [exact A|].
    apply filter_In. split; [|exact L]. destruct A as [_ [_ [_ [_ PT]]]]. apply (moved_in _ _ _ PT I).
  Qed.

  Theorem routing_by_images_routes : check_images = true -> routes net routing_by_images.
  Proof.
    intros H i j I J. destruct (back_of i H I) as [g [F [A L]]]. pose proof A as [JN [_ [_ [PC PT]]]].
    apply andb_prop in H. destruct H as [_ H].
    pose proof (check_routing_from_correct _ _ _ _ _ _ UC H L (moved_in _ _ _ PT J)) as X.
    assert (E : forall c, routing_by_images i j c = routing_of b es (moved_terminal g i) (moved_terminal g j) (image (of_channels g) c)).
    { intros c. unfold routing_by_images, routing_of. rewrite F, sends_as_moved, receives_as_moved. reflexivity. }
    simpl source in X. simpl sink in X. destruct (Key.eqb_spec (source i) (sink j)) as [S|S].
    - rewrite S, Key.eqb_refl in X. intros c C. rewrite E. apply (X _ (moved_in _ _ _ PC C)).
    - destruct (Key.eqb_spec (image (of_nodes g) (source i)) (image (of_nodes g) (sink j))) as [N|_]; [exfalso; auto|].
      apply (ships_pulled net g _ _ _ _ A) in X. destruct X as [P V]. split.
      + intros c C. rewrite E. auto.
      + intros v. rewrite <- V. unfold leaving, entering.
        apply Qplus_comp; [|apply Qopp_comp]; apply sum_ext; intros c _; rewrite E; reflexivity.
  Qed.

  (** ** What the maps keep *)

  Definition negated (e : entry) : entry := Entry (from e) (to e) (on e) (- amount e).
  Definition moved_entry (g : relabelling) (e : entry) : entry :=
    Entry (from e) (end_of b g (to e)) (image (of_channels g) (on e)) (amount e).

  (** The loads from a are those that the map makes of them. *)
  Definition is_keeping (chans : Map.t channel) (terms : Map.t terminal) (by_sender : Map.t (list entry)) (k : positive * relabelling) : bool :=
    let part := of_key (fst k) by_sender in
    is_automorphism net chans terms (snd k) &&
    all_groups2 to on (fun _ _ l => Qeq_bool (total amount l) 0)
      (rev_append part (map (fun e => negated (moved_entry (snd k) e)) part)).

  Lemma amount_of_part a z c :
    amount_of es a z c == sum (fun e => when (Key.eqb (to e) z && Key.eqb (on e) c) (amount e)) (filter (fun e => Key.eqb (from e) a) es).
  Proof.
    unfold amount_of. rewrite sum_filter. apply sum_ext. intros e _. unfold when.
    destruct (Key.eqb (on e) c), (Key.eqb (from e) a), (Key.eqb (to e) z); reflexivity.
  Qed.

  Lemma sum_rev_append {A} (f : A -> Q) l : forall m, sum f (rev_append l m) == sum f l + sum f m.
  Proof. induction l as [|x l IH]; simpl; intros m; [ring|]. rewrite IH. simpl. ring. Qed.

  Lemma is_keeping_correct k z c :
    is_keeping (find_by number (channels net)) (find_by name (terminals net)) (group from es) k = true ->
    amount_of es (fst k) (end_of b (snd k) z) (image (of_channels (snd k)) c) == amount_of es (fst k) z c.
  Proof.
    destruct k as [a g]. simpl. intros H. apply andb_prop in H. destruct H as [A H]. simpl in *.
    apply is_automorphism_correct in A; [|exact UC|exact UT].
    rewrite group_correct in H. set (part := filter _ _) in *.
    pose proof (all_groups2_correct _ _ _ _ H (end_of b g z) (image (of_channels g) c)) as G.
    set (whole := rev_append _ _) in *.
    assert (Z : sum (fun e => when (Key.eqb (to e) (end_of b g z) && Key.eqb (on e) (image (of_channels g) c)) (amount e)) whole == 0).
    { rewrite <- sum_select. destruct G as [G|G].
      - apply Qeq_bool_iff in G. rewrite total_correct in G. exact G.
      - rewrite G. reflexivity. }
    unfold whole in Z. rewrite sum_rev_append, sum_map in Z. rewrite !amount_of_part. fold part.
    assert (M : sum (fun e => when (Key.eqb (to (negated (moved_entry g e))) (end_of b g z) &&
                    Key.eqb (on (negated (moved_entry g e))) (image (of_channels g) c)) (amount (negated (moved_entry g e)))) part
      == - (1) * sum (fun e => when (Key.eqb (to e) z && Key.eqb (on e) c) (amount e)) part).
    { rewrite <- sum_times. apply sum_ext. intros e _. simpl.
      assert (E1 : Key.eqb (end_of b g (to e)) (end_of b g z) = Key.eqb (to e) z).
      { destruct (Key.eqb_spec (to e) z) as [->|N]; [apply Key.eqb_refl|]. apply Key.eqb_neq. intros X.
        apply N. eapply end_of_injective; eassumption. }
      assert (E2 : Key.eqb (image (of_channels g) (on e)) (image (of_channels g) c) = Key.eqb (on e) c).
      { destruct (Key.eqb_spec (on e) c) as [->|N]; [apply Key.eqb_refl|]. apply Key.eqb_neq. intros X.
        apply N. exact (proj1 (proj2 A) _ _ X). }
      rewrite E1, E2. destruct (_ && _); simpl; ring. }
    rewrite M in Z. lra.
  Qed.

  Definition is_link (g : relabelling) (link : Map.t positive) (i : terminal) (receivers : list terminal) : bool :=
    match Map.find (sends_as b i) (back y), Map.find (sends_as b (moved_terminal g i)) (back y), Map.find (sends_as b i) link with
    | Some h, Some h', Some n =>
        match Map.find n (keeping y) with
        | Some (a, k) =>
            Key.eqb a (end_of b h (sends_as b i)) && Key.eqb a (end_of b h' (sends_as b (moved_terminal g i))) &&
            forallb (fun j => Key.eqb (end_of b h' (receives_as b (moved_terminal g j))) (end_of b k (end_of b h (receives_as b j)))) receivers &&
            forallb (fun c => Key.eqb (image (of_channels h') (image (of_channels g) (number c)))
                                      (image (of_channels k) (image (of_channels h) (number c)))) (channels net)
        | None => false
        end
    | _, _, _ => false
    end.

  Fixpoint all_links (gs : list relabelling) (ls : list (Map.t positive)) : bool :=
    match gs, ls with
    | [], _ => true
    | g :: gs, l :: ls => forallb (fun i => is_link g l i (terminals net)) (terminals net) && all_links gs ls
    | _ :: _, [] => false
    end.

  Definition check_symmetry : bool :=
    let chans := find_by number (channels net) in
    let terms := find_by name (terminals net) in
    let by_sender := group from es in
    forallb (is_automorphism net chans terms) (maps y) &&
    forallb (fun k => is_keeping chans terms by_sender (snd k)) (Map.elements (keeping y)) &&
    all_links (maps y) (links y).

  Lemma all_links_correct gs : forall ls g, all_links gs ls = true -> In g gs ->
    exists l, forall i, In i (terminals net) -> is_link g l i (terminals net) = true.
  Proof.
    induction gs as [|h gs IH]; simpl; intros ls g H I; [contradiction|]. destruct ls as [|l ls]; [discriminate|].
    apply andb_prop in H. destruct H as [H1 H2]. destruct I as [->|I]; [|eapply IH; eassumption].
    exists l. rewrite forallb_forall in H1. exact H1.
  Qed.

  Theorem check_symmetry_correct g : check_symmetry = true -> In g (maps y) ->
    automorphism net g /\ keeps_routing net routing_by_images g.
  Proof.
    intros H G. unfold check_symmetry in H. apply andb_prop in H. destruct H as [H L]. apply andb_prop in H.
    destruct H as [A K]. rewrite forallb_forall in A, K.
    split; [apply is_automorphism_correct; auto|]. intros i j c I J C.
    destruct (all_links_correct _ _ _ L G) as [l X]. specialize (X i I). unfold is_link in X. unfold routing_by_images.
    destruct (Map.find (sends_as b i) (back y)) as [h|]; [|discriminate].
    destruct (Map.find (sends_as b (moved_terminal g i)) (back y)) as [h'|]; [|discriminate].
    destruct (Map.find _ l) as [n|]; [|discriminate]. destruct (Map.find n (keeping y)) as [[a k]|] eqn:N; [|discriminate].
    apply andb_prop in X. destruct X as [X XC]. apply andb_prop in X. destruct X as [X XJ]. apply andb_prop in X.
    destruct X as [X1 X2]. apply Key.eqb_eq in X1, X2. rewrite forallb_forall in XJ, XC.
    specialize (XJ j J). specialize (XC c C). apply Key.eqb_eq in XJ, XC.
    rewrite <- X1, <- X2, XJ. simpl number. rewrite XC.
    apply Map.elements_correct in N. specialize (K _ N). apply (is_keeping_correct (a, k) _ _ K).
  Qed.

  (** ** The loads of one channel *)

  Definition senders_of : list (positive * relabelling) := Map.elements (back y).
  Definition receivers_of : list positive := map fst (Map.elements (group (receives_as b) (terminals net))).

  (** The listed entries, by channel, sender and receiver. *)
  Definition by_place : Map.t (Map.t (Map.t (list entry))) := Map.mapi (fun _ l => group2 from to l) (group on es).

  Definition listed_on (place : Map.t (Map.t (Map.t (list entry)))) (c a : positive) : Map.t (list entry) :=
    match Map.find c place with
    | Some m => match Map.find a m with Some l => l | None => Map.empty _ end
    | None => Map.empty _
    end.

  Definition on_channel (place : Map.t (Map.t (Map.t (list entry)))) (senders : list (positive * relabelling)) (receivers : list positive)
      (k : positive) : list entry :=
    flat_map (fun s =>
      let listed := listed_on place (image (of_channels (snd s)) k) (end_of b (snd s) (fst s)) in
      flat_map (fun r => map (fun e => Entry (fst s) r k (amount e)) (of_key (end_of b (snd s) r) listed)) receivers) senders.

  Definition check_ends : bool := distinct fst senders_of && distinct (fun r => r) receivers_of.

  Lemma listed_on_correct c a z : of_key z (listed_on by_place c a) = select from to a z (filter (fun e => Key.eqb (on e) c) es).
  Proof.
    unfold listed_on, by_place. rewrite Map.gmapi. rewrite <- group_correct. unfold of_key at 2.
    destruct (Map.find c (group on es)) as [l|]; simpl.
    - rewrite <- group2_correct. unfold of_keys. destruct (Map.find a _); [reflexivity|].
      unfold of_key. rewrite Map.gempty. reflexivity.
    - unfold of_key. rewrite Map.gempty. reflexivity.
  Qed.

  Lemma sum_flat_map {A B} (f : B -> Q) (h : A -> list B) l : sum f (flat_map h l) == sum (fun x => sum f (h x)) l.
  Proof. induction l as [|x l IH]; simpl; [reflexivity|]. rewrite sum_app, IH. reflexivity. Qed.

  Lemma on_channel_correct i j k : check_images = true -> check_ends = true -> In i (terminals net) -> In j (terminals net) ->
    routing_of b (on_channel by_place senders_of receivers_of k) i j k == routing_by_images i j k.
  Proof.
    intros H E I J. destruct (back_of i H I) as [g [F _]]. apply andb_prop in E. destruct E as [US UR].
    apply distinct_correct in US, UR.
    assert (S : In (sends_as b i, g) senders_of) by (apply Map.elements_correct; exact F).
    assert (R : In (receives_as b j) receivers_of).
    { unfold receivers_of. destruct (Map.find (receives_as b j) (group (receives_as b) (terminals net))) as [l|] eqn:G.
      - apply Map.elements_correct in G. apply (in_map fst) in G. exact G.
      - exfalso. pose proof (group_correct (receives_as b) (terminals net) (receives_as b j)) as X. unfold of_key in X.
        rewrite G in X. pose proof (group_of (receives_as b) _ _ J) as Y. rewrite <- X in Y. exact Y. }
    unfold routing_of, amount_of, on_channel. rewrite sum_flat_map.
    set (each := fun s : positive * relabelling => fun r : positive =>
      sum amount (of_key (end_of b (snd s) r) (listed_on by_place (image (of_channels (snd s)) k) (end_of b (snd s) (fst s))))).
    transitivity (sum (fun s => when (Key.eqb (fst s) (fst (sends_as b i, g)))
      (sum (fun r => when (Key.eqb r (receives_as b j)) (each s r)) receivers_of)) senders_of).
    - apply sum_ext. intros s _. rewrite sum_flat_map. simpl.
      destruct (Key.eqb_spec (fst s) (sends_as b i)) as [Es|Es]; simpl.
      + apply sum_ext. intros r _. rewrite sum_map. unfold each. simpl. rewrite Key.eqb_refl. simpl.
        rewrite Es, Key.eqb_refl. simpl. destruct (Key.eqb r (receives_as b j)); simpl; [reflexivity|apply sum_zero; reflexivity].
      + apply sum_zero. intros r _. rewrite sum_map. apply sum_zero. intros e _. simpl. rewrite Key.eqb_refl.
        destruct (Key.eqb_spec (fst s) (sends_as b i)) as [X|_]; [contradiction|]. reflexivity.
    - rewrite (sum_one fst (fun s => sum (fun r => when (Key.eqb r (receives_as b j)) (each s r)) receivers_of) _ _ US S).
      rewrite (sum_one (fun r => r) (each (sends_as b i, g)) _ _ UR R).
      unfold each. simpl. rewrite listed_on_correct, amount_by_channel. unfold routing_by_images. rewrite F. reflexivity.
  Qed.

  (** The load of a channel under a demand, packet by packet. *)
  Definition load_by_images (place : Map.t (Map.t (Map.t (list entry)))) (k : positive) (l : list packet) : Q :=
    total (fun p => times (rate p)
      match Map.find (sends_as b (sender p)) (back y) with
      | Some g => total amount (of_key (end_of b g (receives_as b (receiver p)))
                                       (listed_on place (image (of_channels g) k) (end_of b g (sends_as b (sender p)))))
      | None => 0
      end) l.

  Lemma load_by_images_correct l c : (forall p, In p l -> good net p) ->
    load_by_images by_place (number c) l == load net routing_by_images (demand_of l) c.
  Proof.
    intros G. unfold load_by_images, load. rewrite over_pairs_of_demand by assumption. rewrite total_correct.
    apply sum_ext. intros p _. rewrite times_correct. unfold routing_by_images.
    destruct (Map.find _ _) as [g|]; [|reflexivity].
    rewrite total_correct, listed_on_correct. fold (pair_of (end_of b g (sends_as b (sender p))) (end_of b g (receives_as b (receiver p)))
      (filter (fun e => Key.eqb (on e) (image (of_channels g) (number c))) es)). rewrite amount_by_channel. reflexivity.
  Qed.

  (** ** The average path length *)

  Definition base_of (i : terminal) : positive :=
    match Map.find (sends_as b i) (back y) with Some g => end_of b g (sends_as b i) | None => sends_as b i end.

  Theorem path_length_by_images : check_images = true ->
    (forall e, In e es -> exists c, In c (channels net) /\ number c = on e) ->
    path_length_by base_of net b es == all_loads net routing_by_images.
  Proof.
    intros H On. rewrite path_length_by_correct by assumption. unfold all_loads, over_pairs. apply sum_ext. intros i I.
    destruct (back_of i H I) as [g [F [A _]]]. pose proof A as [_ [_ [_ [PC PT]]]].
    unfold base_of, routing_by_images. rewrite F.
    rewrite (sum_moved (fun j => sum (fun c => amount_of es (end_of b g (sends_as b i)) (receives_as b j) (number c)) (channels net)) _ _ PT).
    apply sum_ext. intros j _. rewrite receives_as_moved.
    exact (sum_moved (fun c => amount_of es (end_of b g (sends_as b i)) (end_of b g (receives_as b j)) (number c)) _ _ PC).
  Qed.
End Images.

Lemma load_of_routing net R R' D c :
  (forall i j, In i (terminals net) -> In j (terminals net) -> R i j (number c) == R' i j (number c)) ->
  load net R D c == load net R' D c.
Proof. intros H. unfold load, over_pairs. apply sum_ext. intros i I. apply sum_ext. intros j J. rewrite (H i j I J). reflexivity. Qed.
