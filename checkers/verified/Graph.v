(** Destination graphs of t-nary d-cubes: which packets meet. *)

Require Import List Bool PArith ZArith Lia.
Import ListNotations.
Local Open Scope Z_scope.

(** * What a destination graph is *)

(** Nodes are vectors of digits, added digit by digit modulo t. *)
Definition vector := list Z.

Definition is_node (t : Z) (d : nat) (a : vector) : Prop := length a = d /\ forall x, In x a -> 0 <= x < t.

Fixpoint plus (t : Z) (a b : vector) : vector :=
  match a, b with x :: a, y :: b => (x + y) mod t :: plus t a b | _, _ => [] end.

Fixpoint minus (t : Z) (a b : vector) : vector :=
  match a, b with x :: a, y :: b => (x - y) mod t :: minus t a b | _, _ => [] end.

(** At this step the vector [shift] (one digit that is not 0) is subtracted. *)
Record move := Move { at_step : Z; shift : vector }.

(** The timed path of every node to 0. *)
Definition graph := list (vector * list move).

Definition sum_of (t : Z) (d : nat) (p : list move) : vector := fold_right (fun m s => plus t (shift m) s) (repeat 0 d) p.

Fixpoint ascending (p : list move) : Prop :=
  match p with
  | m :: (n :: _) as rest => at_step m < at_step n /\ ascending rest
  | _ => True
  end.

Definition is_graph (t : Z) (d : nat) (g : graph) : Prop :=
  (forall x, is_node t d x -> exists p, In (x, p) g) /\
  forall x p, In (x, p) g -> is_node t d x /\ ascending p /\ sum_of t d p = x.

(** A packet from a to z moves as node a - z does. Two packets meet if at some step they make the same move from the same
    node; [m] is this move, with its step. *)
Definition meet (t : Z) (d : nat) (g : graph) (a z b y : vector) (m : move) : Prop :=
  exists before after before' after',
  In (minus t a z, before ++ m :: after) g /\ In (minus t b y, before' ++ m :: after') g /\
  minus t a (sum_of t d before) = minus t b (sum_of t d before').

(** * Claims *)

Definition many_one t d g := forall a z b y m, is_node t d a -> is_node t d z -> is_node t d b -> is_node t d y ->
  a <> b -> ~ meet t d g a z b y m.

Definition permutation t d g := forall a z b y m, is_node t d a -> is_node t d z -> is_node t d b -> is_node t d y ->
  a <> b -> z <> y -> ~ meet t d g a z b y m.

(** Packets from a to z and from b to y, of different origins (and, but for [many], destinations) meet at step n. *)
Definition two_meet (t : Z) (d : nat) (g : graph) (many : bool) (a z b y : vector) (n : Z) : Prop :=
  is_node t d a /\ is_node t d z /\ is_node t d b /\ is_node t d y /\
  a <> b /\ (many = false -> z <> y) /\ exists m, at_step m = n /\ meet t d g a z b y m.

Definition last_step (g : graph) (n : Z) : Prop :=
  (exists x p m, In (x, p) g /\ In m p /\ at_step m = n) /\ forall x p m, In (x, p) g -> In m p -> at_step m <= n.

Definition minimum_routing (g : graph) : Prop :=
  forall x p, In (x, p) g -> length p = length (filter (fun y => negb (Z.eqb y 0)) x).

(** * Arithmetic modulo t *)

Section Modulo.
  Variable t : Z.
  Variable d : nat.
  Hypothesis T : 1 < t.

  Lemma minus_node a b : is_node t d a -> is_node t d b -> is_node t d (minus t a b).
  Proof.
    intros [LA _] [LB _]. subst d. split.
    - revert b LB. induction a as [|x a IH]; intros [|y b] L; simpl in *; try discriminate; auto.
    - revert b LB. induction a as [|x a IH]; intros [|y b] L z Z; simpl in *; try discriminate; try contradiction.
      destruct Z as [<-|Z]; [apply Z.mod_pos_bound; lia|]. apply (IH b); auto.
  Qed.

  Lemma plus_node a b : length a = d -> length b = d -> is_node t d (plus t a b).
  Proof.
    intros LA LB. subst d. split.
    - revert b LB. induction a as [|x a IH]; intros [|y b] L; simpl in *; try discriminate; auto.
    - revert b LB. induction a as [|x a IH]; intros [|y b] L z Z; simpl in *; try discriminate; try contradiction.
      destruct Z as [<-|Z]; [apply Z.mod_pos_bound; lia|]. apply (IH b); auto.
  Qed.

  Lemma minus_cancel a b v : is_node t d a -> is_node t d b -> length v = d -> minus t a v = minus t b v -> a = b.
  Proof.
    intros [LA RA] [LB RB] LV E. revert b v d LA LB LV RB E.
    induction a as [|x a IH]; intros [|y b] [|w v] n LA LB LV RB E; simpl in *; subst; try discriminate; auto.
    injection E as E F. f_equal.
    - assert (X : forall u, 0 <= u < t -> u = ((u - w) mod t + w) mod t).
      { intros u U. rewrite Zplus_mod_idemp_l. replace (u - w + w) with u by lia. rewrite Z.mod_small; lia. }
      rewrite (X x), (X y) by (auto; apply RA || apply RB; auto). rewrite E. reflexivity.
    - apply (IH (fun z Z => RA z (or_intror Z)) b v (length v)); auto; lia.
  Qed.

  Lemma minus_minus a z : is_node t d a -> is_node t d z -> minus t a (minus t a z) = z.
  Proof.
    intros [LA _] [LZ RZ]. revert z d LA LZ RZ.
    induction a as [|x a IH]; intros [|y z] n LA LZ RZ; simpl in *; subst; try discriminate; auto. f_equal.
    - rewrite Zminus_mod_idemp_r. replace (x - (x - y)) with y by lia. apply Z.mod_small. auto.
    - apply (IH z (length a)); auto.
  Qed.

  Lemma minus_plus a p s : length a = d -> length p = d -> length s = d -> minus t a (plus t p s) = minus t (minus t a p) s.
  Proof.
    revert p s d. induction a as [|x a IH]; intros [|y p] [|z s] n LA LP LS; simpl in *; subst; try discriminate; auto. f_equal.
    - rewrite Zminus_mod_idemp_r, Zminus_mod_idemp_l. f_equal. lia.
    - apply (IH p s (length a)); auto.
  Qed.

  Lemma plus_assoc a b c : length a = d -> length b = d -> length c = d -> plus t a (plus t b c) = plus t (plus t a b) c.
  Proof.
    revert b c d. induction a as [|x a IH]; intros [|y b] [|z c] n LA LB LC; simpl in *; subst; try discriminate; auto. f_equal.
    - rewrite Zplus_mod_idemp_r, Zplus_mod_idemp_l. f_equal. lia.
    - apply (IH b c (length a)); auto.
  Qed.

  Lemma zero_plus a : is_node t d a -> plus t (repeat 0 d) a = a.
  Proof.
    intros [L R]. subst d. induction a as [|x a IH]; simpl; [reflexivity|]. f_equal.
    - apply Z.mod_small. apply R. left. reflexivity.
    - apply IH. intros y Y. apply R. right. exact Y.
  Qed.

  Lemma plus_zero a : is_node t d a -> plus t a (repeat 0 d) = a.
  Proof.
    intros [L R]. subst d. induction a as [|x a IH]; simpl; [reflexivity|]. f_equal.
    - rewrite Z.add_0_r. apply Z.mod_small. apply R. left. reflexivity.
    - apply IH. intros y Y. apply R. right. exact Y.
  Qed.

  Definition shifts (p : list move) : Prop := forall m, In m p -> length (shift m) = d.

  Lemma sum_node p : shifts p -> is_node t d (sum_of t d p).
  Proof.
    induction p as [|m p IH]; simpl; intros S.
    - split; [apply repeat_length|]. intros x X. apply repeat_spec in X. lia.
    - apply plus_node; [apply S; left; reflexivity|]. apply IH. intros n N. apply S. right. exact N.
  Qed.

  Lemma sum_app p q : shifts (p ++ q) -> sum_of t d (p ++ q) = plus t (sum_of t d p) (sum_of t d q).
  Proof.
    induction p as [|m p IH]; simpl; intros S.
    - symmetry. apply zero_plus. apply sum_node. exact S.
    - assert (Sp : shifts (p ++ q)) by (intros n N; apply S; right; exact N).
      rewrite IH by exact Sp. apply plus_assoc; [apply S; left; reflexivity| |];
        apply sum_node; intros n N; apply Sp; apply in_or_app; auto.
  Qed.

End Modulo.

(** * The tests *)

Fixpoint same (a b : vector) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => Z.eqb x y && same a b
  | _, _ => false
  end.

Lemma same_correct a b : same a b = true <-> a = b.
Proof.
  revert b. induction a as [|x a IH]; intros [|y b]; simpl; split; intros H; try discriminate; auto.
  - apply andb_prop in H. destruct H as [E F]. apply Z.eqb_eq in E. apply IH in F. congruence.
  - inversion H; subst. rewrite Z.eqb_refl. simpl. apply IH. reflexivity.
Qed.

Fixpoint rises (p : list move) : bool :=
  match p with
  | m :: (n :: _) as rest => Z.ltb (at_step m) (at_step n) && rises rest
  | _ => true
  end.

Lemma rises_correct p : rises p = true -> ascending p.
Proof.
  induction p as [|m p IH]; simpl; [trivial|]. destruct p as [|n p]; [trivial|]. intros H.
  apply andb_prop in H. destruct H as [L H]. split; [apply Z.ltb_lt; exact L|apply IH; exact H].
Qed.

Fixpoint all_nodes (digits : list Z) (d : nat) : list vector :=
  match d with
  | O => [[]]
  | S d => flat_map (fun x => map (cons x) (all_nodes digits d)) digits
  end.

Lemma all_nodes_complete t digits d x : (forall y, 0 <= y < t -> In y digits) -> is_node t d x -> In x (all_nodes digits d).
Proof.
  intros D. revert x. induction d as [|d IH]; intros [|y x] [L R]; simpl in *; try discriminate; auto.
  apply in_flat_map. exists y. split; [apply D; apply R; auto|]. apply in_map. apply IH. split; [lia|auto].
Qed.

Fixpoint same_nodes (l : list vector) (g : graph) : bool :=
  match l, g with
  | [], [] => true
  | a :: l, (b, _) :: g => same a b && same_nodes l g
  | _, _ => false
  end.

Lemma same_nodes_correct l g : same_nodes l g = true -> forall x, In x l -> exists p, In (x, p) g.
Proof.
  revert g. induction l as [|a l IH]; intros [|[b p] g] H x I; simpl in *; try discriminate; try contradiction.
  apply andb_prop in H. destruct H as [E H]. apply same_correct in E. subst b. destruct I as [<-|I]; [exists p; auto|].
  destruct (IH g H x I) as [q Q]. exists q. auto.
Qed.

Definition digits_of (t : Z) : list Z := map Z.of_nat (seq 0 (Z.to_nat t)).

Definition in_range (t : Z) (d : nat) (a : vector) : bool :=
  Nat.eqb (length a) d && forallb (fun x => Z.leb 0 x && Z.ltb x t) a.

Lemma in_range_correct t d a : in_range t d a = true -> is_node t d a.
Proof.
  intros H. apply andb_prop in H. destruct H as [L R]. apply Nat.eqb_eq in L. rewrite forallb_forall in R.
  split; [exact L|]. intros x X. specialize (R x X). apply andb_prop in R. destruct R as [A B].
  apply Z.leb_le in A. apply Z.ltb_lt in B. lia.
Qed.

Definition check_graph (t : Z) (d : nat) (g : graph) : bool :=
  Z.ltb 1 t && same_nodes (all_nodes (digits_of t) d) g &&
  forallb (fun e => in_range t d (fst e) && rises (snd e) &&
                    forallb (fun m => Nat.eqb (length (shift m)) d) (snd e) && same (sum_of t d (snd e)) (fst e)) g.

Lemma check_graph_correct t d g : check_graph t d g = true ->
  1 < t /\ is_graph t d g /\ forall x p, In (x, p) g -> shifts d p.
Proof.
  intros H. apply andb_prop in H. destruct H as [H E]. apply andb_prop in H. destruct H as [T C].
  apply Z.ltb_lt in T. rewrite forallb_forall in E. split; [exact T|]. split; [split|].
  - intros x N. apply (same_nodes_correct _ _ C). apply all_nodes_complete with t; [|exact N].
    intros y Y. apply in_map_iff. exists (Z.to_nat y). split; [lia|]. apply in_seq. lia.
  - intros x p I. specialize (E _ I). simpl in E. apply andb_prop in E. destruct E as [E S].
    apply andb_prop in E. destruct E as [E _]. apply andb_prop in E. destruct E as [R A].
    split; [apply in_range_correct; exact R|]. split; [apply rises_correct; exact A|apply same_correct; exact S].
  - intros x p I m M. specialize (E _ I). simpl in E. apply andb_prop in E. destruct E as [E _].
    apply andb_prop in E. destruct E as [_ S]. rewrite forallb_forall in S. apply Nat.eqb_eq. auto.
Qed.

(** The table of conflicts: in this slot all prefixes, or all suffixes, are [common]. *)
Record slot := Slot { slot_step : Z; slot_shift : vector; of_suffixes : bool; common : vector }.

Definition slot_of (slots : list slot) (m : move) : option slot :=
  find (fun s => Z.eqb (slot_step s) (at_step m) && same (slot_shift s) (shift m)) slots.

Fixpoint agrees (t : Z) (many : bool) (slots : list slot) (prefix suffix : vector) (p : list move) : bool :=
  match p with
  | [] => true
  | m :: rest =>
      match slot_of slots m with
      | None => false
      | Some s => (if of_suffixes s then negb many && same suffix (common s) else same prefix (common s)) &&
                  agrees t many slots (plus t prefix (shift m)) (minus t suffix (shift m)) rest
      end
  end.

Definition check_slots (t : Z) (d : nat) (g : graph) (many : bool) (slots : list slot) : bool :=
  forallb (fun e => agrees t many slots (repeat 0 d) (fst e) (snd e)) g.

Section Slots.
  Variable t : Z.
  Variable d : nat.
  Hypothesis T : 1 < t.

  Lemma plus_minus a s : is_node t d a -> length s = d -> minus t (plus t s a) s = a.
  Proof.
    intros [LA RA] LS. revert s d LA LS. induction a as [|x a IH]; intros [|y s] n LA LS; simpl in *; subst; try discriminate; auto.
    f_equal.
    - rewrite Zminus_mod_idemp_l. replace (y + x - y) with x by lia. apply Z.mod_small. auto.
    - apply (IH (fun z Z => RA z (or_intror Z)) s (length a)); auto.
  Qed.

  Lemma agrees_correct many slots p : forall done, shifts d (done ++ p) ->
    agrees t many slots (sum_of t d done) (sum_of t d p) p = true ->
    forall before m after, p = before ++ m :: after ->
    exists s, slot_of slots m = Some s /\
      if of_suffixes s then many = false /\ sum_of t d (m :: after) = common s
      else sum_of t d (done ++ before) = common s.
  Proof.
    induction p as [|n p IH]; intros done S H before m after E; [destruct before; discriminate|].
    simpl in H. destruct (slot_of slots n) as [s|] eqn:F; [|discriminate]. apply andb_prop in H. destruct H as [H1 H2].
    destruct before as [|n' before]; simpl in E; inversion E; subst.
    - exists s. split; [exact F|]. rewrite app_nil_r. destruct (of_suffixes s).
      + apply andb_prop in H1. destruct H1 as [M C]. apply negb_true_iff in M. apply same_correct in C. auto.
      + apply same_correct in H1. exact H1.
    - assert (S' : shifts d ((done ++ [n']) ++ before ++ m :: after)) by (rewrite <- app_assoc; exact S).
      assert (Sn : length (shift n') = d) by (apply S; apply in_or_app; right; left; reflexivity).
      assert (Sp : shifts d (before ++ m :: after)) by (intros k K; apply S; apply in_or_app; right; right; exact K).
      assert (Sd : shifts d (done ++ [n'])) by (intros k K; apply S'; apply in_or_app; left; exact K).
      destruct (IH (done ++ [n']) S') with (before := before) (m := m) (after := after) as [s' [F' G']]; [|reflexivity|].
      + rewrite plus_minus in H2 by (auto; apply sum_node; assumption).
        rewrite (sum_app t d T) by exact Sd. simpl.
        assert (A : plus t (sum_of t d done) (plus t (shift n') (repeat 0 d)) = plus t (sum_of t d done) (shift n')).
        { assert (LD : length (sum_of t d done) = d) by (apply sum_node; auto; intros k K; apply S; apply in_or_app; auto).
          rewrite plus_assoc with (d := d) by (auto; apply repeat_length). apply plus_zero. apply plus_node; auto. }
        rewrite A. exact H2.
      + exists s'. split; [exact F'|]. rewrite <- app_assoc in G'. exact G'.
  Qed.
End Slots.

Lemma slot_correct t d g many slots : check_graph t d g = true -> check_slots t d g many slots = true ->
  forall a z b y m, is_node t d a -> is_node t d z -> is_node t d b -> is_node t d y ->
  meet t d g a z b y m -> a = b \/ (many = false /\ z = y).
Proof.
  intros HG HS a z b y m A Z B Y [before [after [before' [after' [P [Q E]]]]]].
  destruct (check_graph_correct t d g HG) as [T [[_ G] S]]. unfold check_slots in HS. rewrite forallb_forall in HS.
  assert (K : forall c w pre post, is_node t d c -> is_node t d w -> In (minus t c w, pre ++ m :: post) g ->
    exists s, slot_of slots m = Some s /\
      (if of_suffixes s then many = false /\ sum_of t d (m :: post) = common s else sum_of t d pre = common s) /\
      w = minus t (minus t c (sum_of t d pre)) (sum_of t d (m :: post)) /\ length (sum_of t d pre) = d).
  { intros c w pre post C W I. specialize (S _ _ I). destruct (G _ _ I) as [_ [_ Sum]]. specialize (HS _ I). simpl in HS.
    assert (X : agrees t many slots (sum_of t d []) (sum_of t d (pre ++ m :: post)) (pre ++ m :: post) = true)
      by (rewrite Sum; exact HS).
    destruct (agrees_correct t d T many slots (pre ++ m :: post) [] S X pre m post eq_refl) as [s [F H]].
    exists s. split; [exact F|]. split; [exact H|].
    assert (L1 : length (sum_of t d pre) = d) by (apply sum_node; auto; intros k Kk; apply S; apply in_or_app; auto).
    assert (L2 : length (sum_of t d (m :: post)) = d) by (apply sum_node; auto; intros k Kk; apply S; apply in_or_app; auto).
    split; [|exact L1]. rewrite <- (minus_plus t d) by (auto; apply C).
    rewrite <- sum_app by (auto; exact S). rewrite Sum. symmetry. apply minus_minus with d; assumption. }
  destruct (K a z before after A Z P) as [s [F [H [W L]]]]. destruct (K b y before' after' B Y Q) as [s' [F' [H' [W' L']]]].
  rewrite F in F'. inversion F'; subst s'. destruct (of_suffixes s).
  - right. destruct H as [M H]. destruct H' as [_ H']. split; [exact M|]. rewrite W, W', E, H, H'. reflexivity.
  - left. rewrite H, H' in E. apply (minus_cancel t d) with (v := common s); auto. rewrite <- H. exact L.
Qed.

(** ** Two packets that meet *)

Fixpoint until (n : Z) (done p : list move) : option (list move * move) :=
  match p with
  | [] => None
  | m :: p => if Z.eqb (at_step m) n then Some (rev done, m) else until n (m :: done) p
  end.

Lemma until_correct n p : forall done before m, until n done p = Some (before, m) -> exists after, rev done ++ p = before ++ m :: after.
Proof.
  induction p as [|k p IH]; simpl; intros done before m H; [discriminate|].
  destruct (Z.eqb (at_step k) n).
  - inversion H; subst. exists p. reflexivity.
  - destruct (IH _ _ _ H) as [after E]. exists after. rewrite <- E. simpl. rewrite <- app_assoc. reflexivity.
Qed.

Lemma until_at n p : forall done before m, until n done p = Some (before, m) -> at_step m = n.
Proof.
  induction p as [|k p IH]; simpl; intros done before m H; [discriminate|].
  destruct (Z.eqb_spec (at_step k) n); [inversion H; congruence|eapply IH; exact H].
Qed.

Definition path_of (g : graph) (x : vector) : option (list move) :=
  match find (fun e => same (fst e) x) g with Some e => Some (snd e) | None => None end.

Lemma path_of_correct g x p : path_of g x = Some p -> In (x, p) g.
Proof.
  unfold path_of. destruct (find _ g) as [[y q]|] eqn:F; [|discriminate]. intros H. inversion H; subst.
  apply find_some in F. destruct F as [I E]. apply same_correct in E. simpl in E. subst. exact I.
Qed.

Definition check_meeting (t : Z) (d : nat) (g : graph) (many : bool) (a z b y : vector) (n : Z) : bool :=
  in_range t d a && in_range t d z && in_range t d b && in_range t d y &&
  negb (same a b) && (many || negb (same z y)) &&
  match path_of g (minus t a z), path_of g (minus t b y) with
  | Some p, Some q =>
      match until n [] p, until n [] q with
      | Some (before, m), Some (before', m') =>
          Z.eqb (at_step m) (at_step m') && same (shift m) (shift m') &&
          same (minus t a (sum_of t d before)) (minus t b (sum_of t d before'))
      | _, _ => false
      end
  | _, _ => false
  end.

Lemma check_meeting_correct t d g many a z b y n : check_meeting t d g many a z b y n = true -> two_meet t d g many a z b y n.
Proof.
  intros H. unfold check_meeting in H. apply andb_prop in H. destruct H as [H M].
  do 5 (apply andb_prop in H; destruct H as [H ?]).
  destruct (path_of g (minus t a z)) as [p|] eqn:P; [|discriminate].
  destruct (path_of g (minus t b y)) as [q|] eqn:Q; [|discriminate].
  destruct (until n [] p) as [[before m]|] eqn:U; [|discriminate].
  destruct (until n [] q) as [[before' m']|] eqn:V; [|discriminate].
  pose proof (until_at _ _ _ _ _ U) as N. apply andb_prop in M. destruct M as [M E]. apply andb_prop in M. destruct M as [M F].
  apply Z.eqb_eq in M. apply same_correct in E, F. destruct m as [k v], m' as [k' v']. simpl in *. subst.
  apply path_of_correct in P, Q. apply until_correct in U, V. destruct U as [after U], V as [after' V]. simpl in *. subst.
  split; [apply in_range_correct; assumption|]. split; [apply in_range_correct; assumption|].
  split; [apply in_range_correct; assumption|]. split; [apply in_range_correct; assumption|].
  split; [intros X; apply same_correct in X; rewrite X in *; discriminate|]. split.
  - intros X Y. subst many. apply same_correct in Y. rewrite Y in *. discriminate.
  - refine (ex_intro _ _ (conj _ (ex_intro _ before (ex_intro _ after (ex_intro _ before' (ex_intro _ after' (conj P (conj Q E)))))))).
    reflexivity.
Qed.

(** * The claims of a proof about a graph *)

Inductive graph_claim :=
  | ManyOne (slots : list slot)
  | Permutation (slots : list slot)
  | TwoMeet (many : bool) (a z b y : vector) (n : Z)
  | LastStep (n : Z)
  | Minimum.

Definition graph_holds (t : Z) (d : nat) (g : graph) (c : graph_claim) : Prop :=
  match c with
  | ManyOne _ => many_one t d g
  | Permutation _ => permutation t d g
  | TwoMeet many a z b y n => two_meet t d g many a z b y n
  | LastStep n => last_step g n
  | Minimum => minimum_routing g
  end.

Definition check_graph_claim (t : Z) (d : nat) (g : graph) (c : graph_claim) : bool :=
  match c with
  | ManyOne slots => check_slots t d g true slots
  | Permutation slots => check_slots t d g false slots
  | TwoMeet many a z b y n => check_meeting t d g many a z b y n
  | LastStep n =>
      existsb (fun e => existsb (fun m => Z.eqb (at_step m) n) (snd e)) g &&
      forallb (fun e => forallb (fun m => Z.leb (at_step m) n) (snd e)) g
  | Minimum => forallb (fun e => Nat.eqb (length (snd e)) (length (filter (fun y => negb (Z.eqb y 0)) (fst e)))) g
  end.

(** The theorem about graphs. *)
Theorem check_graph_claim_correct t d g c :
  check_graph t d g = true -> check_graph_claim t d g c = true -> is_graph t d g /\ graph_holds t d g c.
Proof.
  intros HG H. destruct (check_graph_correct t d g HG) as [T [G S]]. split; [exact G|].
  destruct c as [slots|slots|many a z b y n|n|]; simpl in *.
  - intros a z b y m A Z B Y N M. destruct (slot_correct _ _ _ _ _ HG H a z b y m A Z B Y M) as [E|[E _]]; [auto|discriminate].
  - intros a z b y m A Z B Y N N' M. destruct (slot_correct _ _ _ _ _ HG H a z b y m A Z B Y M) as [E|[_ E]]; auto.
  - apply check_meeting_correct. exact H.
  - apply andb_prop in H. destruct H as [E L]. rewrite forallb_forall in L. apply existsb_exists in E.
    destruct E as [[x p] [I E]]. apply existsb_exists in E. destruct E as [m [M E]]. apply Z.eqb_eq in E. split.
    + exists x, p, m. auto.
    + intros x' p' m' I' M'. specialize (L _ I'). rewrite forallb_forall in L. apply Z.leb_le. apply L. exact M'.
  - rewrite forallb_forall in H. intros x p I. specialize (H _ I). apply Nat.eqb_eq. exact H.
Qed.
