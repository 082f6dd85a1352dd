(** Flows: the one inequality of potentials and lengths that all lower bounds rest on, and the test of a routing. *)

Require Import List Bool PArith ZArith QArith Lqa Setoid Morphisms.
From Routeproof Require Import Sums Network.
Import ListNotations.
Local Open Scope Q_scope.

Lemma when_true q : when true q = q. Proof. reflexivity. Qed.

Lemma when_times b q : when b q == q * when b 1.
Proof. destruct b; simpl; ring. Qed.

Lemma when_nonneg b q : 0 <= q -> 0 <= when b q.
Proof. destruct b; simpl; [auto|intros; apply Qle_refl]. Qed.

(** * Potentials and lengths *)

Definition feasible (net : network) (p : positive -> Q) (l : channel -> Q) : Prop :=
  forall c, In c (channels net) -> p (head c) <= p (tail c) + l c.

Lemma sum_at (p : positive -> Q) V v q : NoDup V -> In v V -> sum (fun w => p w * when (Key.eqb v w) q) V == p v * q.
Proof.
  intros U I. rewrite <- (map_id V) in U.
  rewrite <- (sum_one (fun x => x) (fun w => p w * q) V v U I). apply sum_ext. intros w _.
  rewrite (Key.eqb_sym w v). destruct (Key.eqb v w); simpl; ring.
Qed.

(** Whatever is added up at the nodes can be added up along the channels. *)
Lemma potentials_of_flow net p f V : NoDup V ->
  (forall c, In c (channels net) -> In (tail c) V) -> (forall c, In c (channels net) -> In (head c) V) ->
  sum (fun v => p v * (leaving net f v - entering net f v)) V ==
  sum (fun c => p (tail c) * f (number c)) (channels net) - sum (fun c => p (head c) * f (number c)) (channels net).
Proof.
  intros U T H.
  assert (L : forall end_of : channel -> positive, (forall c, In c (channels net) -> In (end_of c) V) ->
    sum (fun v => p v * sum (fun c => when (Key.eqb (end_of c) v) (f (number c))) (channels net)) V
    == sum (fun c => p (end_of c) * f (number c)) (channels net)).
  { intros e I. rewrite (sum_ext _ (fun v => sum (fun c => p v * when (Key.eqb (e c) v) (f (number c))) (channels net)))
      by (intros; rewrite sum_times; reflexivity).
    rewrite sum_swap. apply sum_ext. intros c C. apply sum_at; auto. }
  rewrite <- (L tail T), <- (L head H), <- sum_minus. apply sum_ext. intros v _. unfold leaving, entering. ring.
Qed.

(** A flow of q units from s to d costs at least q (p d - p s), whatever way it takes. *)
Theorem cost_of_flow net s d q f p l :
  ships net s d q f -> feasible net p l ->
  q * (p d - p s) <= sum (fun c => l c * f (number c)) (channels net).
Proof.
  intros [Pos Conserved] F.
  set (V := nodup Pos.eq_dec (s :: d :: map tail (channels net) ++ map head (channels net))).
  assert (U : NoDup V) by apply NoDup_nodup.
  assert (S : In s V) by (apply nodup_In; simpl; auto).
  assert (D : In d V) by (apply nodup_In; simpl; auto).
  assert (T : forall c, In c (channels net) -> In (tail c) V)
    by (intros; apply nodup_In; simpl; right; right; apply in_or_app; left; apply in_map; auto).
  assert (H : forall c, In c (channels net) -> In (head c) V)
    by (intros; apply nodup_In; simpl; right; right; apply in_or_app; right; apply in_map; auto).
  assert (E : sum (fun v => p v * (leaving net f v - entering net f v)) V == q * (p s - p d)).
  { rewrite (sum_ext _ (fun v => p v * when (Key.eqb s v) q - p v * when (Key.eqb d v) q)).
    - rewrite sum_minus, !sum_at by assumption. ring.
    - intros v _. rewrite Conserved. ring. }
  rewrite potentials_of_flow in E by assumption.
  assert (Y : sum (fun c => p (head c) * f (number c)) (channels net)
           <= sum (fun c => p (tail c) * f (number c)) (channels net) + sum (fun c => l c * f (number c)) (channels net)).
  { rewrite <- sum_plus. apply sum_le. intros c C. specialize (F c C). specialize (Pos c C). nra. }
  lra.
Qed.

(** * Routings as lists *)

(** What goes from [from] to [to] (terminals or nodes) crosses the channel [on] with the amount [amount]. *)
Record entry := Entry { from : positive; to : positive; on : positive; amount : Q }.

Definition amount_of (es : list entry) (a b c : positive) : Q :=
  sum (fun e => when (Key.eqb (on e) c && (Key.eqb (from e) a && Key.eqb (to e) b)) (amount e)) es.

(** The routing that such a list is. *)
Definition routing_of (b : kind_of_pairs) (es : list entry) : routing :=
  fun i j c => amount_of es (sends_as b i) (receives_as b j) c.

Lemma routing_of_is_between b es net : is_between b net (routing_of b es).
Proof.
  intros i i' j j' _ _ _ _ I J c _. unfold routing_of. rewrite I, J. reflexivity.
Qed.

(** Three ways to select entries, by groups. *)
Definition pair_of a b (l : list entry) := select from to a b l.

Lemma amount_by_pair es a b c :
  sum (fun e => when (Key.eqb (on e) c) (amount e)) (pair_of a b es) == amount_of es a b c.
Proof.
  unfold pair_of, select, amount_of. rewrite !sum_filter. apply sum_ext. intros e _. unfold when.
  destruct (Key.eqb (on e) c), (Key.eqb (from e) a), (Key.eqb (to e) b); simpl; reflexivity.
Qed.

Lemma amount_by_channel es a b c :
  sum amount (pair_of a b (filter (fun e => Key.eqb (on e) c) es)) == amount_of es a b c.
Proof.
  unfold pair_of, select, amount_of. rewrite !sum_filter. apply sum_ext. intros e _. unfold when.
  destruct (Key.eqb (on e) c), (Key.eqb (from e) a), (Key.eqb (to e) b); simpl; reflexivity.
Qed.

Lemma amount_nonneg es a b c : (forall e, In e es -> 0 <= amount e) -> 0 <= amount_of es a b c.
Proof. intros H. apply sum_nonneg. intros e E. apply when_nonneg. auto. Qed.

(** * Tests *)

Definition find_by {A} (key : A -> positive) (l : list A) : Map.t A :=
  fold_left (fun m x => Map.add (key x) x m) l (Map.empty A).

Lemma find_by_correct {A} (key : A -> positive) l k x : Map.find k (find_by key l) = Some x -> In x l /\ key x = k.
Proof.
  unfold find_by. assert (H : forall l m, (forall k x, Map.find k m = Some x -> key x = k) ->
    Map.find k (fold_left (fun m x => Map.add (key x) x m) l m) = Some x -> (In x l \/ Map.find k m = Some x) /\ key x = k).
  { clear l. induction l as [|y l IH]; simpl; intros m M F.
    - split; [right; exact F|]. apply M. exact F.
    - assert (M' : forall k x, Map.find k (Map.add (key y) y m) = Some x -> key x = k).
      { intros k' x' F'. destruct (Key.eqb_spec k' (key y)) as [->|N]; [rewrite Map.gss in F'; congruence|].
        rewrite Map.gso in F' by congruence. auto. }
      destruct (IH _ M' F) as [[I|I] K].
      + auto.
      + split; [|exact K]. destruct (Key.eqb_spec k (key y)) as [->|N].
        * rewrite Map.gss in I. left. left. congruence.
        * rewrite Map.gso in I by congruence. right. exact I. }
  intros F. destruct (H l (Map.empty A)) as [[I|I] K].
  - intros k' x' F'. rewrite Map.gempty in F'. discriminate.
  - exact F.
  - auto.
  - rewrite Map.gempty in I. discriminate.
Qed.

(** What flows out of nodes: [(v, q)], negative where it flows in. *)
Fixpoint outflows (chans : Map.t channel) (part : list entry) (rest : list (positive * Q)) : option (list (positive * Q)) :=
  match part with
  | [] => Some rest
  | e :: part =>
      match Map.find (on e) chans with
      | None => None
      | Some c =>
          if Qle_bool 0 (amount e)
          then outflows chans part ((tail c, amount e) :: (head c, - amount e) :: rest)
          else None
      end
  end.

Definition check_ships (chans : Map.t channel) (s d : positive) (q : Q) (part : list entry) : bool :=
  match outflows chans part [(s, - q); (d, q)] with
  | None => false
  | Some l => all_groups (fun _ part => Qeq_bool (total snd part) 0) (group fst l)
  end.

Definition flow_of (part : list entry) : flow := fun c => sum (fun e => when (Key.eqb (on e) c) (amount e)) part.

Lemma outflows_correct net : NoDup (map number (channels net)) ->
  forall part rest l, outflows (find_by number (channels net)) part rest = Some l ->
  (forall e, In e part -> 0 <= amount e) /\
  forall v, sum (fun x => when (Key.eqb (fst x) v) (snd x)) l ==
    leaving net (flow_of part) v - entering net (flow_of part) v + sum (fun x => when (Key.eqb (fst x) v) (snd x)) rest.
Proof.
  intros U. induction part as [|e part IH]; simpl; intros rest l O.
  - inversion O; subst. split; [contradiction|]. intros v. unfold leaving, entering.
    assert (N : forall end_of : channel -> positive,
      sum (fun c => when (Key.eqb (end_of c) v) (flow_of [] (number c))) (channels net) == 0)
      by (intros; apply sum_zero; intros c _; unfold when; destruct (Key.eqb _ v); reflexivity).
    rewrite (N tail), (N head). ring.
  - destruct (Map.find (on e) (find_by number (channels net))) as [c|] eqn:F; [|discriminate].
    apply find_by_correct in F. destruct F as [C N].
    destruct (Qle_bool 0 (amount e)) eqn:A; [|discriminate]. apply Qle_bool_iff in A.
    destruct (IH _ _ O) as [P S]. split.
    + intros e' [<-|E']; auto.
    + intros v. rewrite S. simpl.
      assert (L : forall end_of : channel -> positive,
        sum (fun c => when (Key.eqb (end_of c) v) (flow_of (e :: part) (number c))) (channels net) ==
        when (Key.eqb (end_of c) v) (amount e)
        + sum (fun c => when (Key.eqb (end_of c) v) (flow_of part (number c))) (channels net)).
      { intros end_of.
        rewrite <- (sum_one number (fun c => when (Key.eqb (end_of c) v) (amount e)) (channels net) c U C).
        rewrite <- sum_plus. apply sum_ext. intros c' _. unfold flow_of. simpl. rewrite N.
        rewrite (Key.eqb_sym (number c')). unfold when.
        destruct (Key.eqb (end_of c') v), (Key.eqb (on e) (number c')); ring. }
      unfold leaving, entering. rewrite (L tail), (L head).
      unfold when. destruct (Key.eqb (tail c) v), (Key.eqb (head c) v); ring.
Qed.

Lemma all_zero_correct (l : list (positive * Q)) :
  all_groups (fun _ part => Qeq_bool (total snd part) 0) (group fst l) = true ->
  forall v, sum (fun x => when (Key.eqb (fst x) v) (snd x)) l == 0.
Proof.
  intros G v. rewrite <- (sum_filter (fun x => Key.eqb (fst x) v)).
  destruct (all_groups_correct fst _ l G v) as [H|H].
  - apply Qeq_bool_iff in H. rewrite total_correct in H. exact H.
  - rewrite H. reflexivity.
Qed.

Lemma check_ships_correct net s d q part :
  NoDup (map number (channels net)) ->
  check_ships (find_by number (channels net)) s d q part = true ->
  (forall e, In e part -> 0 <= amount e) /\ ships net s d q (flow_of part).
Proof.
  intros U. unfold check_ships. destruct (outflows _ part _) as [l|] eqn:O; [|discriminate]. intros G.
  pose proof (all_zero_correct l G) as Z.
  destruct (outflows_correct net U _ _ _ O) as [P S]. split; [exact P|]. split.
  - intros c _. apply sum_nonneg. intros e E. apply when_nonneg. auto.
  - intros v. specialize (S v). rewrite Z in S. simpl in S.
    unfold when in *. destruct (Key.eqb s v), (Key.eqb d v); lra.
Qed.

(** Every pair that may send has its unit flow; the senders are [some] of the terminals. *)
Definition check_routing_from (net : network) (b : kind_of_pairs) (some : list terminal) (es : list entry) : bool :=
  let chans := find_by number (channels net) in
  let senders := group (sends_as b) some in
  let receivers := group (receives_as b) (terminals net) in
  let by_sender := group from es in
  all_groups (fun a is =>
    let by_receiver := group to (of_key a by_sender) in
    match is with
    | [] => true
    | i0 :: _ =>
        forallb (fun i => Key.eqb (source i) (source i0)) is &&
        all_groups (fun b js =>
          match js with
          | [] => true
          | j0 :: _ =>
              forallb (fun j => Key.eqb (sink j) (sink j0)) js &&
              let part := of_key b by_receiver in
              if Key.eqb (source i0) (sink j0)
              then match part with [] => true | _ => false end
              else check_ships chans (source i0) (sink j0) 1 part
          end) receivers
    end) senders.

Definition check_routing (net : network) (b : kind_of_pairs) (es : list entry) : bool :=
  check_routing_from net b (terminals net) es.

Lemma group_of {A} (key : A -> positive) l x : In x l ->
  In x (filter (fun y => Key.eqb (key y) (key x)) l).
Proof. intros H. apply filter_In. split; [exact H|apply Key.eqb_refl]. Qed.

Theorem check_routing_from_correct net b some es i j :
  NoDup (map number (channels net)) -> check_routing_from net b some es = true -> In i some -> In j (terminals net) ->
  if Key.eqb (source i) (sink j) then forall c, In c (channels net) -> routing_of b es i j (number c) == 0
  else ships net (source i) (sink j) 1 (routing_of b es i j).
Proof.
  intros U C I J. unfold check_routing_from in C.
  destruct (all_groups_correct _ _ _ C (sends_as b i)) as [H|H];
    [|exfalso; pose proof (group_of (sends_as b) _ _ I) as X; rewrite H in X; exact X].
  pose proof (group_of (sends_as b) _ _ I) as X.
  destruct (filter (fun y => Key.eqb (sends_as b y) (sends_as b i)) some) as [|i0 is] eqn:FI; [contradiction|].
  apply andb_prop in H. destruct H as [SI H]. rewrite forallb_forall in SI.
  specialize (SI i X). apply Key.eqb_eq in SI. rewrite SI. clear X.
  destruct (all_groups_correct _ _ _ H (receives_as b j)) as [G|G];
    [|exfalso; pose proof (group_of (receives_as b) _ _ J) as X; rewrite G in X; exact X].
  pose proof (group_of (receives_as b) _ _ J) as X.
  destruct (filter (fun y => Key.eqb (receives_as b y) (receives_as b j)) (terminals net)) as [|j0 js] eqn:FJ; [contradiction|].
  apply andb_prop in G. destruct G as [SJ G]. rewrite forallb_forall in SJ.
  specialize (SJ j X). apply Key.eqb_eq in SJ. rewrite SJ. clear X.
  rewrite !group_correct in G. fold (select from to (sends_as b i) (receives_as b j) es) in G; fold (pair_of (sends_as b i) (receives_as b j) es) in G.
  assert (E : forall c, routing_of b es i j c == flow_of (pair_of (sends_as b i) (receives_as b j) es) c).
  { intros c. unfold routing_of, flow_of. rewrite amount_by_pair. reflexivity. }
  destruct (Key.eqb (source i0) (sink j0)).
  - intros c _. rewrite E. destruct (pair_of _ _ es); [reflexivity|discriminate].
  - apply check_ships_correct in G; [|exact U]. destruct G as [_ [P S]]. split.
    + intros c Hc. rewrite E. auto.
    + intros v. rewrite <- S. unfold leaving, entering.
      assert (W : forall t : bool, forall c, when t (routing_of b es i j c) == when t (flow_of (pair_of (sends_as b i) (receives_as b j) es) c))
        by (intros [] c; simpl; [apply E|reflexivity]).
      rewrite !(sum_ext (fun c => when _ (routing_of b es i j (number c))) (fun c => when _ (flow_of _ (number c)))) by (intros; apply W).
      reflexivity.
Qed.

Theorem check_routing_correct net b es :
  NoDup (map number (channels net)) -> check_routing net b es = true -> routes net (routing_of b es).
Proof. intros U C i j I J. eapply check_routing_from_correct; eassumption. Qed.
