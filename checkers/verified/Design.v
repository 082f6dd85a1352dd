(** What no routing can do better: lengths of channels, and shortest distances under them. *)

Require Import List Bool PArith ZArith QArith Lqa Setoid Morphisms.
From Routeproof Require Import Sums Network Flows Demands Sets.
Import ListNotations.
Local Open Scope Q_scope.

(** Potentials of nodes, to be proved feasible. *)
Definition potentials := Map.t Q.

Definition is_feasible (chans : list channel) (p : potentials) (l : channel -> Q) : bool :=
  forallb (fun c => Qle_bool (value p (head c)) (add (value p (tail c)) (l c))) chans.

Lemma is_feasible_correct net p l : is_feasible (channels net) p l = true -> feasible net (value p) l.
Proof.
  unfold is_feasible. rewrite forallb_forall. intros H c C. specialize (H c C).
  apply Qle_bool_iff in H. rewrite add_correct in H. exact H.
Qed.

(** * One demand *)

Section One_demand.
  Variable net : network.
  Variable l : list packet.
  Variable lengths : Map.t Q.
  Variable distances : Map.t potentials.       (* by source node *)

  Definition length_of (c : channel) := value lengths (number c).

  Definition cost_of (p : packet) : option Q :=
    if Key.eqb (source (sender p)) (sink (receiver p)) then Some 0
    else match Map.find (source (sender p)) distances with
         | None => None
         | Some d => Some (times (rate p) (add (value d (sink (receiver p))) (- value d (source (sender p)))))
         end.

  Definition cost_value p := match cost_of p with Some q => q | None => 0 end.

  Definition budget : Q := total (fun c => times (length_of c) (bandwidth c)) (channels net).

  Definition lengths_prove (w : Q) : bool :=
    forallb (fun c => Qle_bool 0 (length_of c)) (channels net) &&
    forallb (fun d => is_feasible (channels net) (snd d) length_of) (Map.elements distances) &&
    forallb (fun p => match cost_of p with Some _ => true | None => false end) l &&
    negb (Qle_bool budget 0) &&
    Qle_bool (times w budget) (total cost_value l).
End One_demand.

(** * Adversaries: for each channel a demand of its own *)

(** [weight] times the demand of these packets, against this channel. *)
Record adversary := Adversary { target : channel; weight : Q; sends : list packet; why : reason }.

(** What packets of a pair may take, and evidence of how far that is under the lengths of the pair: anything, or these
    channels alone, with potentials; or these paths (lists of channels) alone, in any mixture. *)
Inductive ways :=
  | Anyhow (p : potentials)
  | OverChannels (only : Map.t unit) (p : potentials)
  | OnPaths (paths : list (list positive)).

(** A pair (nodes or terminals), and its ways. *)
Record distance := Distance { d_from : positive; d_to : positive; d_ways : ways }.

(** How often a path crosses a channel. *)
Definition crossings (path : list positive) (c : positive) : Q := sum (fun k => when (Key.eqb k c) 1) path.

Definition is_mixture (net : network) (paths : list (list positive)) (f : flow) : Prop :=
  exists share : list positive -> Q, (forall p, In p paths -> 0 <= share p) /\ sum share paths == 1 /\
  forall c, In c (channels net) -> f (number c) == sum (fun p => share p * crossings p (number c)) paths.

Definition takes (net : network) (w : ways) (f : flow) : Prop :=
  match w with
  | Anyhow _ => True
  | OverChannels only _ => forall c, In c (channels net) -> Map.mem (number c) only = false -> f (number c) == 0
  | OnPaths paths => is_mixture net paths f
  end.

(** The routing sends every pair that is listed by its ways alone. *)
Definition keeps_to (net : network) (b : kind_of_pairs) (l : list distance) (R : routing) : Prop :=
  forall d i j, In d l -> In i (terminals net) -> In j (terminals net) ->
  sends_as b i = d_from d -> receives_as b j = d_to d -> takes net (d_ways d) (R i j).

(** Nothing is listed but potentials: all routings are meant. *)
Definition anyhow (d : distance) : bool := match d_ways d with Anyhow _ => true | _ => false end.

Lemma keeps_to_anything net b l R : forallb anyhow l = true -> keeps_to net b l R.
Proof.
  intros H d i j D _ _ _ _. rewrite forallb_forall in H. specialize (H d D). unfold anyhow in H.
  destruct (d_ways d); [exact Logic.I|discriminate|discriminate].
Qed.

Fixpoint smallest (l : list Q) : option Q :=
  match l with
  | [] => None
  | x :: l => match smallest l with Some y => Some (if Qle_bool x y then x else y) | None => Some x end
  end.

Lemma smallest_correct l : forall x, smallest l = Some x -> forall y, In y l -> x <= y.
Proof.
  induction l as [|z l IH]; simpl; intros x H y Y; [contradiction|].
  destruct (smallest l) as [m|] eqn:E.
  - specialize (IH m eq_refl). destruct (Qle_bool z m) eqn:T; inversion H; subst x; clear H.
    + apply Qle_bool_iff in T. destruct Y as [<-|Y]; [apply Qle_refl|]. apply Qle_trans with m; auto.
    + destruct Y as [<-|Y]; [|auto]. apply Qlt_le_weak, Qnot_le_lt. intros X. apply Qle_bool_iff in X. congruence.
  - inversion H; subst x. destruct Y as [<-|Y]; [apply Qle_refl|]. exfalso. destruct l as [|w l]; [contradiction|].
    simpl in E. destruct (smallest l); discriminate.
Qed.

(** How far the ends of a pair are apart, for lengths by the numbers of channels; None where that is not proved. *)
Definition far (net : network) (chans : Map.t channel) (s t : positive) (l : positive -> Q) (w : ways) : option Q :=
  match w with
  | Anyhow p =>
      if is_feasible (channels net) p (fun c => l (number c)) then Some (add (value p t) (- value p s)) else None
  | OverChannels only p =>
      if is_feasible (filter (fun c => Map.mem (number c) only) (channels net)) p (fun c => l (number c))
      then Some (add (value p t) (- value p s)) else None
  | OnPaths paths =>
      if forallb (forallb (fun k => Map.mem k chans)) paths then smallest (map (total l) paths) else None
  end.

(** A unit flow from s to t that takes these ways costs at least that. *)
Lemma far_correct net s t f l w q :
  NoDup (map number (channels net)) -> ships net s t 1 f -> takes net w f ->
  far net (find_by number (channels net)) s t l w = Some q ->
  q <= sum (fun c => l (number c) * f (number c)) (channels net).
Proof.
  intros UC Ships Takes H. destruct w as [p|only p|paths]; simpl in H.
  - destruct (is_feasible _ _ _) eqn:F; [|discriminate]. inversion H; subst q. apply is_feasible_correct in F.
    pose proof (cost_of_flow _ _ _ _ _ _ _ Ships F) as Y. eapply Qle_trans; [|exact Y]. rewrite add_correct.
    apply Qle_lteq. right. ring.
  - destruct (is_feasible _ _ _) eqn:F; [|discriminate]. inversion H; subst q.
    set (l' := fun c => if Map.mem (number c) only then l (number c) else value p (head c) - value p (tail c)).
    assert (F' : feasible net (value p) l').
    { intros c C. unfold l'. destruct (Map.mem (number c) only) eqn:M.
      2:{ apply Qle_lteq. right. ring. }
      unfold is_feasible in F. rewrite forallb_forall in F.
      assert (G : In c (filter (fun c => Map.mem (number c) only) (channels net))) by (apply filter_In; auto).
      specialize (F c G). apply Qle_bool_iff in F. rewrite add_correct in F. exact F. }
    pose proof (cost_of_flow _ _ _ _ _ _ _ Ships F') as Y. rewrite add_correct.
    apply Qle_trans with (1 * (value p t - value p s)); [apply Qle_lteq; right; ring|]. eapply Qle_trans; [exact Y|].
    apply Qle_lteq. right. apply sum_ext. intros c C. unfold l'. destruct (Map.mem (number c) only) eqn:M; [reflexivity|].
    rewrite (Takes c C M). ring.
  - destruct (forallb (forallb (fun k => Map.mem k (find_by number (channels net)))) paths) eqn:K; [|discriminate]. rewrite forallb_forall in K.
    destruct Takes as [share [Pos [One Mix]]].
    assert (Of : forall p, In p paths -> sum (fun c => l (number c) * crossings p (number c)) (channels net) == total l p).
    { intros p P. specialize (K p P). rewrite forallb_forall in K. unfold crossings. rewrite total_correct.
      rewrite (sum_ext _ (fun c => sum (fun k => l (number c) * when (Key.eqb k (number c)) 1) p)) by (intros; rewrite sum_times; reflexivity).
      rewrite sum_swap. apply sum_ext. intros k I. specialize (K k I). rewrite Map.mem_find in K.
      destruct (Map.find k _) as [c0|] eqn:E; [|discriminate]. apply find_by_correct in E. destruct E as [C0 <-].
      rewrite <- (sum_one number (fun c => l (number c)) _ c0 UC C0). apply sum_ext. intros c _.
      rewrite (Key.eqb_sym (number c0)). unfold when. destruct (Key.eqb _ _); ring. }
    rewrite (sum_ext _ (fun c => sum (fun p => share p * (l (number c) * crossings p (number c))) paths)).
    2:{ intros c C. rewrite (Mix c C), <- sum_times. apply sum_ext. intros p _. ring. }
    rewrite sum_swap. apply Qle_trans with (q * sum share paths); [rewrite One, Qmult_1_r; apply Qle_refl|]. rewrite <- sum_times.
    apply sum_le. intros p P. rewrite sum_times, (Of p P). specialize (Pos p P).
    pose proof (smallest_correct _ _ H _ (in_map (total l) _ _ P)) as X.
    rewrite (Qmult_comm (share p) (total l p)). apply Qmult_le_compat_r; assumption.
Qed.

Section Adversaries.
  Variable net : network.
  Variable s : set_of_lists.
  Variable b : kind_of_pairs.
  Variable hops : Q.
  Variable advs : list adversary.
  Variable dists : list distance.

  Definition against (a : adversary) : list entry :=
    map (fun p => Entry (sends_as b (sender p)) (receives_as b (receiver p)) (number (target a)) (times (weight a) (rate p)))
        (sends a).

  Definition lengths_of_pairs : list entry := flat_map against advs.

  Definition good_adversary (chans : Map.t channel) (a : adversary) : bool :=
    match Map.find (number (target a)) chans with
    | Some c => Qeq_bool (bandwidth c) (bandwidth (target a))
    | None => false
    end && Qle_bool 0 (weight a) && in_set net s (sends a) (why a).

  Definition size {A} (l : list A) : Q := total (fun _ => 1) l.

  (** What one pair adds to the sum, if its distances are feasible. *)
  Definition gain (chans : Map.t channel) (senders receivers : Map.t (list terminal)) (by_pair : Map.t (Map.t (list entry)))
      (d : distance) : option Q :=
    match of_key (d_from d) senders, of_key (d_to d) receivers with
    | i :: is, j :: js =>
        let own := group on (of_keys (d_from d) (d_to d) by_pair) in
        let all := times hops (times (size (i :: is)) (size (j :: js))) in
        if Key.eqb (source i) (sink j) then None
        else far net chans (source i) (sink j) (fun k => add all (total amount (of_key k own))) (d_ways d)
    | _, _ => None
    end.

  Definition gain_value w x y z d := match gain w x y z d with Some q => q | None => 0 end.

  Definition adversaries_load : Q := total (fun a => times (weight a) (bandwidth (target a))) advs.

  (** [Some S]: all is in order, and S is the sum of the distances. *)
  Definition sum_of_distances : option Q :=
    let chans := find_by number (channels net) in
    let senders := group (sends_as b) (terminals net) in
    let receivers := group (receives_as b) (terminals net) in
    let by_pair := group2 from to lengths_of_pairs in
    if Qle_bool 0 hops &&
       forallb (good_adversary chans) advs &&
       distinct2 d_from d_to dists &&
       forallb (fun d => match gain chans senders receivers by_pair d with Some _ => true | None => false end) dists
    then Some (total (gain_value chans senders receivers by_pair) dists)
    else None.

  Theorem sum_of_distances_correct S R w :
    NoDup (map number (channels net)) -> NoDup (map name (terminals net)) ->
    sum_of_distances = Some S ->
    routes net R -> is_between b net R -> keeps_to net b dists R -> (forall D, admits net (set_of s) D -> load_at_most net R D w) ->
    S <= w * adversaries_load + hops * all_loads net R.
  Proof.
    intros UC UT H Routes Alike Keeps Worst. unfold sum_of_distances in H.
    set (senders := group (sends_as b) (terminals net)) in *.
    set (receivers := group (receives_as b) (terminals net)) in *.
    set (by_pair := group2 from to lengths_of_pairs) in *.
    destruct (_ && _) eqn:E; [|discriminate]. inversion H; subst S; clear H.
    apply andb_prop in E. destruct E as [E GN]. apply andb_prop in E. destruct E as [E DD].
    apply andb_prop in E. destruct E as [HP GA]. apply Qle_bool_iff in HP. rewrite forallb_forall in GN, GA.
    assert (Good : forall a, In a advs -> 0 <= weight a /\ (exists c, In c (channels net) /\ number c = number (target a)
      /\ bandwidth c == bandwidth (target a)) /\ admits net (set_of s) (demand_of (sends a)) /\
      forall p, In p (sends a) -> good net p).
    { intros a A. specialize (GA a A). unfold good_adversary in GA. apply andb_prop in GA. destruct GA as [GA I].
      apply andb_prop in GA. destruct GA as [C P]. apply Qle_bool_iff in P.
      destruct (Map.find _ _) as [c|] eqn:F; [|discriminate]. apply find_by_correct in F. destruct F as [F1 F2].
      apply Qeq_bool_iff in C. split; [exact P|]. split; [exists c; auto|]. apply in_set_correct with (why a); assumption. }
    assert (NN : forall i j c, In i (terminals net) -> In j (terminals net) -> In c (channels net) -> 0 <= R i j (number c)).
    { intros i j c I J C. specialize (Routes i j I J). destruct (Key.eqb _ _).
      - rewrite Routes by exact C. apply Qle_refl.
      - apply Routes. exact C. }
    (* what the routing does for a pair (a, b), nodes or terminals *)
    set (r := fun x y c => match of_key x senders, of_key y receivers with
                           | i :: _, j :: _ => R i j c
                           | _, _ => 0
                           end).
    assert (Rep : forall i j c, In i (terminals net) -> In j (terminals net) -> In c (channels net) ->
      r (sends_as b i) (receives_as b j) (number c) == R i j (number c)).
    { intros i j c I J C. unfold r, senders, receivers. rewrite !group_correct.
      pose proof (group_of (sends_as b) _ _ I) as X. pose proof (group_of (receives_as b) _ _ J) as Y.
      destruct (filter (fun y => Key.eqb (sends_as b y) (sends_as b i)) (terminals net)) as [|i0 is] eqn:FI; [contradiction|].
      destruct (filter (fun y => Key.eqb (receives_as b y) (receives_as b j)) (terminals net)) as [|j0 js] eqn:FJ; [contradiction|].
      assert (I0 : In i0 (i0 :: is)) by (left; reflexivity). rewrite <- FI in I0. apply filter_In in I0. destruct I0 as [I0 EI].
      assert (J0 : In j0 (j0 :: js)) by (left; reflexivity). rewrite <- FJ in J0. apply filter_In in J0. destruct J0 as [J0 EJ].
      apply Key.eqb_eq in EI, EJ. apply Alike; assumption. }
    assert (RN : forall x y c, In c (channels net) -> 0 <= r x y (number c)).
    { intros x y c C. unfold r, senders, receivers. rewrite !group_correct.
      destruct (filter _ (terminals net)) as [|i0 is] eqn:FI; [apply Qle_refl|].
      destruct (filter (fun z => Key.eqb (receives_as b z) y) (terminals net)) as [|j0 js] eqn:FJ; [apply Qle_refl|].
      apply NN; [| |exact C].
      - assert (I0 : In i0 (i0 :: is)) by (left; reflexivity). rewrite <- FI in I0. apply filter_In in I0. apply I0.
      - assert (J0 : In j0 (j0 :: js)) by (left; reflexivity). rewrite <- FJ in J0. apply filter_In in J0. apply J0. }
    (* the adversaries put at most w times the bandwidth on their channels *)
    assert (Adv : sum (fun e => amount e * r (from e) (to e) (on e)) lengths_of_pairs <= w * adversaries_load).
    { unfold lengths_of_pairs, adversaries_load. rewrite total_correct, <- sum_times.
      clear GA GN by_pair. induction advs as [|a rest IH]; simpl; [apply Qle_refl|].
      rewrite sum_app. apply Qplus_le_compat; [|apply IH; intros; apply Good; right; assumption].
      destruct (Good a) as [P [[c [C [N B]]] [A G]]]; [left; reflexivity|].
      specialize (Worst _ A c C). unfold load in Worst. rewrite over_pairs_of_demand in Worst by assumption.
      unfold against. rewrite sum_map. rewrite times_correct, <- B.
      transitivity (weight a * sum (fun p => rate p * R (sender p) (receiver p) (number c)) (sends a)) || apply Qle_trans with (weight a * sum (fun p => rate p * R (sender p) (receiver p) (number c)) (sends a)).
      - rewrite <- sum_times. apply Qle_lteq. right. apply sum_ext. intros p Pp. simpl.
        destruct (G p Pp) as [_ [I J]]. rewrite <- N, Rep by assumption. rewrite times_correct. ring.
      - nra. }
    assert (AN : forall e, In e lengths_of_pairs -> 0 <= amount e * r (from e) (to e) (on e)).
    { intros e I. unfold lengths_of_pairs in I. apply in_flat_map in I. destruct I as [a [A I]].
      destruct (Good a A) as [P [[c [C [N B]]] [_ G]]]. unfold against in I. apply in_map_iff in I. destruct I as [p [<- I]]. simpl.
      destruct (G p I) as [RP _]. rewrite <- N, times_correct.
      apply Qmult_le_0_compat; [apply Qmult_le_0_compat; assumption|auto]. }
    (* pairs that are listed are part of all pairs *)
    set (h := fun x y => sum (fun c => r x y (number c)) (channels net)).
    assert (HN : forall x y, 0 <= h x y) by (intros; apply sum_nonneg; auto).
    assert (Own : sum (fun d => sum (fun e => amount e * r (from e) (to e) (on e)) (select from to (d_from d) (d_to d) lengths_of_pairs)) dists
      <= sum (fun e => amount e * r (from e) (to e) (on e)) lengths_of_pairs).
    { rewrite (sum_ext _ _ dists (fun d _ => sum_select from to (d_from d) (d_to d) _ lengths_of_pairs)).
      rewrite sum_swap. apply sum_le. intros e I.
      rewrite (sum_ext _ (fun d => when (Key.eqb (d_from d) (from e) && Key.eqb (d_to d) (to e)) (amount e * r (from e) (to e) (on e)))).
      - apply sum_at_most_one2; auto.
      - intros d _. rewrite (Key.eqb_sym (from e)), (Key.eqb_sym (to e)). reflexivity. }
    assert (All : sum (fun d => size (of_key (d_from d) senders) * size (of_key (d_to d) receivers) * h (d_from d) (d_to d)) dists
      <= all_loads net R).
    { unfold all_loads, over_pairs.
      apply Qle_trans with (sum (fun i => sum (fun j => sum (fun d =>
        when (Key.eqb (d_from d) (sends_as b i) && Key.eqb (d_to d) (receives_as b j)) (h (sends_as b i) (receives_as b j))) dists)
        (terminals net)) (terminals net)).
      - rewrite (sum_ext (fun i => sum _ (terminals net)) (fun i => sum (fun d => sum (fun j =>
          when (Key.eqb (d_from d) (sends_as b i) && Key.eqb (d_to d) (receives_as b j)) (h (sends_as b i) (receives_as b j)))
          (terminals net)) dists)) by (intros; apply sum_swap).
        rewrite sum_swap. apply Qle_lteq. right. apply sum_ext. intros d _.
        unfold size, senders, receivers. rewrite !total_correct, !group_correct, !sum_filter.
        rewrite <- !sum_times_r. apply sum_ext. intros i _. rewrite <- sum_times, <- sum_times_r.
        apply sum_ext. intros j _. rewrite (Key.eqb_sym (d_from d)), (Key.eqb_sym (d_to d)).
        destruct (Key.eqb_spec (sends_as b i) (d_from d)) as [->|], (Key.eqb_spec (receives_as b j) (d_to d)) as [->|]; simpl; ring.
      - apply sum_le. intros i I. apply sum_le. intros j J.
        apply Qle_trans with (h (sends_as b i) (receives_as b j)).
        + apply sum_at_most_one2; auto.
        + apply Qle_lteq. right. apply sum_ext. intros c C. apply Rep; assumption. }
    rewrite total_correct.
    apply Qle_trans with (sum (fun d => hops * (size (of_key (d_from d) senders) * size (of_key (d_to d) receivers) * h (d_from d) (d_to d))
      + sum (fun e => amount e * r (from e) (to e) (on e)) (select from to (d_from d) (d_to d) lengths_of_pairs)) dists).
    2:{ rewrite sum_plus, sum_times. nra. }
    apply sum_le. intros d D. specialize (GN d D). unfold gain_value. unfold gain in *.
    destruct (of_key (d_from d) senders) as [|i is] eqn:OI; [discriminate|].
    destruct (of_key (d_to d) receivers) as [|j js] eqn:OJ; [discriminate|].
    destruct (Key.eqb (source i) (sink j)) eqn:T; [discriminate|].
    destruct (far _ _ _ _ _ _) as [q|] eqn:F; [|discriminate].
    assert (I : In i (terminals net) /\ sends_as b i = d_from d).
    { assert (I0 : In i (i :: is)) by (left; reflexivity). rewrite <- OI in I0. unfold senders in I0. rewrite group_correct in I0.
      apply filter_In in I0. destruct I0 as [I0 E0]. split; [exact I0|apply Key.eqb_eq; exact E0]. }
    assert (J : In j (terminals net) /\ receives_as b j = d_to d).
    { assert (J0 : In j (j :: js)) by (left; reflexivity). rewrite <- OJ in J0. unfold receivers in J0. rewrite group_correct in J0.
      apply filter_In in J0. destruct J0 as [J0 E0]. split; [exact J0|apply Key.eqb_eq; exact E0]. }
    destruct I as [I I']. destruct J as [J J'].
    pose proof (Routes i j I J) as X. rewrite T in X.
    pose proof (far_correct _ _ _ _ _ _ _ UC X (Keeps d i j D I J I' J') F) as Y.
    eapply Qle_trans; [exact Y|]. clear Y. apply Qle_lteq. right.
    assert (Rr : forall c, r (d_from d) (d_to d) c == R i j c).
    { intros c. unfold r. rewrite OI, OJ. reflexivity. }
    rewrite (sum_ext _ (fun c => times hops (times (size (i :: is)) (size (j :: js))) * R i j (number c)
      + total amount (of_key (number c) (group on (of_keys (d_from d) (d_to d) by_pair))) * R i j (number c)))
      by (intros; rewrite add_correct; ring).
    rewrite sum_plus, sum_times, !times_correct.
    apply Qplus_comp.
    - unfold h. rewrite (sum_ext (fun c => r _ _ _) (fun c => R i j (number c))) by (intros; apply Rr). ring.
    - unfold by_pair. rewrite group2_correct.
      rewrite (sum_ext _ (fun c => sum (fun e => when (Key.eqb (on e) (number c)) (amount e) * R i j (number c)) (select from to (d_from d) (d_to d) lengths_of_pairs))).
      2:{ intros c _. rewrite total_correct, group_correct, sum_filter, sum_times_r. reflexivity. }
      rewrite sum_swap. apply sum_ext. intros e Ie. unfold select in Ie.
      apply filter_In in Ie. destruct Ie as [Ie E2]. apply filter_In in Ie. destruct Ie as [Ie E1].
      apply Key.eqb_eq in E1, E2. rewrite E1, E2, Rr.
      unfold lengths_of_pairs in Ie. apply in_flat_map in Ie. destruct Ie as [a [A Ie]].
      destruct (Good a A) as [_ [[c0 [C0 [N0 _]]] _]]. unfold against in Ie. apply in_map_iff in Ie. destruct Ie as [p [<- _]]. simpl.
      rewrite <- N0. rewrite <- (sum_one number (fun c => times (weight a) (rate p) * R i j (number c)) _ c0 UC C0).
      apply sum_ext. intros c _. rewrite (Key.eqb_sym (number c0)). unfold when. destruct (Key.eqb (number c) (number c0)); [reflexivity|ring].
  Qed.
End Adversaries.

(** * The two claims *)

Definition size_of (net : network) : Q := size (terminals net).

(** A limit on the other quantity is there just where its coefficient is above 0. *)
Definition limited (bound : option Q) (coefficient : Q) : bool :=
  match bound with
  | None => Qeq_bool coefficient 0
  | Some h => Qle_bool 0 h && negb (Qle_bool coefficient 0)
  end.

Definition limit_value (bound : option Q) : Q := match bound with Some h => h | None => 0 end.

Definition all_pairs (net : network) : Q := times (size_of net) (size_of net).

Definition load_bound net s b hops advs dists (path_limit : option Q) (w : Q) : bool :=
  match sum_of_distances net s b hops advs dists with
  | None => false
  | Some gained =>
      let M := adversaries_load advs in
      let H := times hops (all_pairs net) in
      limited path_limit H && negb (Qle_bool M 0) &&
      Qle_bool (times w M) (add gained (- times H (limit_value path_limit)))
  end.

Definition path_bound net s b hops advs dists (load_limit : option Q) (h : Q) : bool :=
  match sum_of_distances net s b hops advs dists with
  | None => false
  | Some gained =>
      let M := adversaries_load advs in
      let H := times hops (all_pairs net) in
      limited load_limit M && negb (Qle_bool H 0) &&
      Qle_bool (times h H) (add gained (- times M (limit_value load_limit)))
  end.

(** The worst-case load of R over the set is at most w. *)
Definition worst_load_at_most net R s w := forall D, admits net s D -> load_at_most net R D w.

(** The average path length of R is at most h. *)
Definition path_length_at_most net R h := all_loads net R <= h * (sum (fun _ => 1) (terminals net) * sum (fun _ => 1) (terminals net)).

Lemma all_pairs_correct net : all_pairs net == sum (fun _ => 1) (terminals net) * sum (fun _ => 1) (terminals net).
Proof. unfold all_pairs, size_of, size. rewrite times_correct, !total_correct. reflexivity. Qed.

Lemma not_le_bool x y : negb (Qle_bool x y) = true -> y < x.
Proof. intros H. apply Qnot_le_lt. intros X. apply Qle_bool_iff in X. rewrite X in H. discriminate. Qed.

Theorem load_bound_correct net s b hops advs dists path_limit w :
  NoDup (map number (channels net)) -> NoDup (map name (terminals net)) ->
  load_bound net s b hops advs dists path_limit w = true ->
  forall R w', routes net R -> is_between b net R -> keeps_to net b dists R ->
  match path_limit with Some h => path_length_at_most net R h | None => True end ->
  worst_load_at_most net R (set_of s) w' -> w <= w'.
Proof.
  intros UC UT H R w' Routes B Keeps P Worst. unfold load_bound in H.
  destruct (sum_of_distances net s b hops advs dists) as [gained|] eqn:E; [|discriminate].
  pose proof (sum_of_distances_correct _ _ _ _ _ _ _ _ _ UC UT E Routes B Keeps Worst) as X.
  apply andb_prop in H. destruct H as [H Q]. apply andb_prop in H. destruct H as [L M].
  apply not_le_bool in M. apply Qle_bool_iff in Q. rewrite add_correct, !times_correct in Q. rewrite all_pairs_correct in Q.
  assert (HN : 0 <= hops).
  { unfold sum_of_distances in E. destruct (Qle_bool 0 hops) eqn:Z; [apply Qle_bool_iff; exact Z|discriminate]. }
  apply Qmult_le_r with (adversaries_load advs); [exact M|].
  unfold limited, limit_value in *. set (T := sum _ _ * sum _ _) in *.
  destruct path_limit as [h|].
  - unfold path_length_at_most in P. fold T in P.
    assert (Y : hops * all_loads net R <= hops * (h * T)) by (rewrite !(Qmult_comm hops); apply Qmult_le_compat_r; assumption).
    assert (Z : hops * T * h == hops * (h * T)) by ring. lra.
  - apply Qeq_bool_iff in L. rewrite times_correct, all_pairs_correct in L. fold T in L.
    assert (A : all_loads net R * hops <= 0).
    { assert (hops == 0 \/ T == 0) as [Z|Z] by (apply Qmult_integral; exact L).
      - rewrite Z. lra.
      - assert (Zs : terminals net = []).
        { destruct (terminals net) as [|t l]; [reflexivity|]. exfalso. unfold T in Z. simpl in Z.
          assert (N : 0 <= sum (fun _ : terminal => 1) l) by (apply sum_nonneg; intros; lra).
          set (n := sum (fun _ : terminal => 1) l) in *. clearbody n. nra. }
        unfold all_loads, over_pairs. rewrite Zs. simpl. lra. }
    lra.
Qed.

Theorem path_bound_correct net s b hops advs dists load_limit h :
  NoDup (map number (channels net)) -> NoDup (map name (terminals net)) ->
  path_bound net s b hops advs dists load_limit h = true ->
  forall R h', routes net R -> is_between b net R -> keeps_to net b dists R ->
  match load_limit with Some w => worst_load_at_most net R (set_of s) w | None => exists w, worst_load_at_most net R (set_of s) w end ->
  path_length_at_most net R h' -> h <= h'.
Proof.
  intros UC UT H R h' Routes B Keeps Worst P. unfold path_bound in H.
  destruct (sum_of_distances net s b hops advs dists) as [gained|] eqn:E; [|discriminate].
  apply andb_prop in H. destruct H as [H Q]. apply andb_prop in H. destruct H as [L M].
  apply not_le_bool in M. apply Qle_bool_iff in Q. rewrite add_correct, !times_correct in Q.
  rewrite times_correct in M. rewrite all_pairs_correct in M, Q.
  assert (HN : 0 <= hops).
  { unfold sum_of_distances in E. destruct (Qle_bool 0 hops) eqn:Z; [apply Qle_bool_iff; exact Z|discriminate]. }
  unfold path_length_at_most in P. set (T := sum _ _ * sum _ _) in *.
  assert (Y : hops * all_loads net R <= hops * (h' * T)) by (rewrite !(Qmult_comm hops); apply Qmult_le_compat_r; assumption).
  apply Qmult_le_r with (hops * T); [exact M|].
  unfold limited, limit_value in *. destruct load_limit as [w|].
  - pose proof (sum_of_distances_correct _ _ _ _ _ _ _ _ _ UC UT E Routes B Keeps Worst) as X. lra.
  - destruct Worst as [w Worst]. pose proof (sum_of_distances_correct _ _ _ _ _ _ _ _ _ UC UT E Routes B Keeps Worst) as X.
    apply Qeq_bool_iff in L. rewrite L in X, Q. lra.
Qed.
