(** Sums of fractions over lists, and a fast way to split a list into groups.
    Nothing in this file is about networks. *)

Require Import List Bool NArith PArith ZArith QArith Lqa Setoid Morphisms.
From Routeproof Require Export Maps.
Import ListNotations.
Local Open Scope Q_scope.

(** * Sums *)

(** [sum f l] is the sum of [f x] over all [x] of the list [l]. *)
Fixpoint sum {A} (f : A -> Q) (l : list A) : Q :=
  match l with
  | [] => 0
  | x :: l => f x + sum f l
  end.

(** [when b q] is [q] if the condition [b] holds, else 0. *)
Definition when (b : bool) (q : Q) : Q := if b then q else 0.

Lemma sum_ext {A} (f g : A -> Q) l : (forall x, In x l -> f x == g x) -> sum f l == sum g l.
Proof.
  induction l as [|x l IH]; simpl; intros H; [reflexivity|].
  rewrite (H x) by auto. rewrite IH by auto. reflexivity.
Qed.

Lemma sum_le {A} (f g : A -> Q) l : (forall x, In x l -> f x <= g x) -> sum f l <= sum g l.
Proof.
  induction l as [|x l IH]; simpl; intros H; [apply Qle_refl|].
  apply Qplus_le_compat; auto.
Qed.

Lemma sum_zero {A} (f : A -> Q) l : (forall x, In x l -> f x == 0) -> sum f l == 0.
Proof.
  induction l as [|x l IH]; simpl; intros H; [reflexivity|].
  rewrite (H x) by auto. rewrite IH by auto. reflexivity.
Qed.

Lemma sum_nonneg {A} (f : A -> Q) l : (forall x, In x l -> 0 <= f x) -> 0 <= sum f l.
Proof.
  intros H. rewrite <- (sum_zero (fun _ : A => 0) l) by reflexivity. apply sum_le; auto.
Qed.

Lemma sum_plus {A} (f g : A -> Q) l : sum (fun x => f x + g x) l == sum f l + sum g l.
Proof. induction l as [|x l IH]; simpl; [reflexivity|]. rewrite IH. ring. Qed.

Lemma sum_minus {A} (f g : A -> Q) l : sum (fun x => f x - g x) l == sum f l - sum g l.
Proof. induction l as [|x l IH]; simpl; [reflexivity|]. rewrite IH. ring. Qed.

Lemma sum_times {A} (a : Q) (f : A -> Q) l : sum (fun x => a * f x) l == a * sum f l.
Proof. induction l as [|x l IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma sum_times_r {A} (a : Q) (f : A -> Q) l : sum (fun x => f x * a) l == sum f l * a.
Proof. induction l as [|x l IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma sum_app {A} (f : A -> Q) l m : sum f (l ++ m) == sum f l + sum f m.
Proof. induction l as [|x l IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma sum_map {A B} (f : B -> Q) (g : A -> B) l : sum f (map g l) = sum (fun x => f (g x)) l.
Proof. induction l as [|x l IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.

Lemma sum_swap {A B} (f : A -> B -> Q) l m :
  sum (fun x => sum (fun y => f x y) m) l == sum (fun y => sum (fun x => f x y) l) m.
Proof.
  induction l as [|x l IH]; simpl.
  - symmetry. apply sum_zero. reflexivity.
  - rewrite IH. rewrite <- sum_plus. reflexivity.
Qed.

Lemma sum_filter {A} (p : A -> bool) (f : A -> Q) l : sum f (filter p l) == sum (fun x => when (p x) (f x)) l.
Proof.
  induction l as [|x l IH]; simpl; [reflexivity|].
  unfold when at 1. destruct (p x); simpl; rewrite IH; ring.
Qed.

(** Of a list without repetition, the sum of what belongs to one key is that one thing, if the key is there. *)
Lemma sum_one {A} (key : A -> positive) (f : A -> Q) l x :
  NoDup (map key l) -> In x l -> sum (fun y => when (Key.eqb (key y) (key x)) (f y)) l == f x.
Proof.
  induction l as [|y l IH]; simpl; intros U H; [contradiction|].
  inversion U as [|? ? N U']; subst. destruct H as [->|H].
  - rewrite Key.eqb_refl. simpl. rewrite sum_zero; [ring|].
    intros z Z. destruct (Key.eqb_spec (key z) (key x)) as [E|E]; [|reflexivity].
    exfalso. apply N. rewrite <- E. apply in_map. exact Z.
  - destruct (Key.eqb_spec (key y) (key x)) as [E|E].
    + exfalso. apply N. rewrite E. apply in_map. exact H.
    + simpl. rewrite IH by assumption. ring.
Qed.

(** A sum of terms that are not negative is at least the sum of those of a part. *)
Lemma sum_le_of_part {A} (p : A -> bool) (f : A -> Q) l :
  (forall x, In x l -> 0 <= f x) -> sum f (filter p l) <= sum f l.
Proof.
  intros H. rewrite sum_filter. apply sum_le. intros x X. unfold when. destruct (p x); [apply Qle_refl|auto].
Qed.

(** * Arithmetic that keeps fractions short *)

(** Euclid's algorithm. Nothing is proved about it: [shorten] tests its result. *)
Fixpoint euclid (steps : nat) (a b : N) : N :=
  match steps with
  | O => 1%N
  | S steps => match b with N0 => a | _ => euclid steps b (N.modulo a b) end
  end.

Definition divide_by (g : N) (x : Q) : Q :=
  match N.div (Npos (Qden x)) g with
  | Npos d =>
      let m := Z.of_N (N.div (Z.abs_N (Qnum x)) g) in
      let n := if Z.ltb (Qnum x) 0 then Z.opp m else m in
      if Z.eqb (n * Z.of_N g) (Qnum x) && Z.eqb (Zpos d * Z.of_N g) (Zpos (Qden x)) then Qmake n d else x
  | N0 => x
  end.

Lemma divide_by_correct g x : divide_by g x == x.
Proof.
  unfold divide_by. destruct (N.div (Npos (Qden x)) g) as [|d]; [reflexivity|]. cbv zeta. set (n := if Z.ltb _ _ then _ else _).
  destruct (_ && _) eqn:B; [|reflexivity].
  apply andb_prop in B. destruct B as [E F]. apply Z.eqb_eq in E, F.
  unfold Qeq. cbn [Qnum Qden]. rewrite <- F. clearbody n. rewrite <- E. ring.
Qed.

Definition shorten (x : Q) : Q := divide_by (euclid 1000 (Z.abs_N (Qnum x)) (Npos (Qden x))) x.

Lemma shorten_correct x : shorten x == x.
Proof. apply divide_by_correct. Qed.
Global Opaque shorten.

(** Where denominators agree, and they mostly do, they stay as they are. *)
Definition add (x y : Q) : Q :=
  if Z.eqb (Qnum x) 0 then y
  else if Z.eqb (Qnum y) 0 then x
  else if Z.eqb (Zpos (Qden x)) (Zpos (Qden y)) then Qmake (Qnum x + Qnum y) (Qden x)
  else shorten (x + y).

Lemma add_correct x y : add x y == x + y.
Proof.
  unfold add. destruct (Z.eqb_spec (Qnum x) 0) as [E|E].
  { assert (Z : x == 0) by (unfold Qeq; simpl; rewrite E; reflexivity). rewrite Z. ring. }
  destruct (Z.eqb_spec (Qnum y) 0) as [F|F].
  { assert (Z : y == 0) by (unfold Qeq; simpl; rewrite F; reflexivity). rewrite Z. ring. }
  destruct (Z.eqb_spec (Zpos (Qden x)) (Zpos (Qden y))) as [D|D]; [injection D as D|apply shorten_correct].
  unfold Qeq, Qplus. destruct x as [n d], y as [m e]. cbn [Qnum Qden] in *. subst e.
  rewrite Pos2Z.inj_mul. ring.
Qed.

(** Products are not shortened: their denominators then agree as well. *)
Definition times (x y : Q) : Q := x * y.

Lemma times_correct x y : times x y == x * y.
Proof. reflexivity. Qed.

(** The sum of a list, computed from left to right. *)
Definition total {A} (f : A -> Q) (l : list A) : Q := fold_left (fun s x => add s (f x)) l 0.

Lemma total_correct {A} (f : A -> Q) l : total f l == sum f l.
Proof.
  unfold total. assert (H : forall s, fold_left (fun s x => add s (f x)) l s == s + sum f l).
  { induction l as [|x l IH]; simpl; intros s; [ring|]. rewrite IH, add_correct. ring. }
  rewrite H. ring.
Qed.

(** * Groups *)

(** [group key l] splits the list by the key; [of_key k] of it is the part with this key, in its order. *)
Definition of_key {A} (k : positive) (m : Map.t (list A)) : list A :=
  match Map.find k m with Some l => l | None => [] end.

Definition group {A} (key : A -> positive) (l : list A) : Map.t (list A) :=
  fold_left (fun m x => Map.add (key x) (x :: of_key (key x) m) m) (rev_append l []) (Map.empty _).

Lemma of_key_add {A} k k' (l : list A) m : of_key k (Map.add k' l m) = if Key.eqb k' k then l else of_key k m.
Proof.
  unfold of_key. destruct (Key.eqb_spec k' k) as [->|N].
  - rewrite Map.gss. reflexivity.
  - rewrite Map.gso by congruence. reflexivity.
Qed.

Theorem group_correct {A} (key : A -> positive) l k :
  of_key k (group key l) = filter (fun x => Key.eqb (key x) k) l.
Proof.
  unfold group. rewrite rev_append_rev, app_nil_r.
  rewrite <- fold_left_rev_right, rev_involutive.
  induction l as [|x l IH]; simpl.
  - unfold of_key. rewrite Map.gempty. reflexivity.
  - rewrite of_key_add.
    destruct (Key.eqb_spec (key x) k) as [E|E]; [|exact IH]. rewrite E, IH. reflexivity.
Qed.

(** A property of all groups, tested on those that are in the map. *)
Definition all_groups {A} (test : positive -> list A -> bool) (m : Map.t (list A)) : bool :=
  forallb (fun e => test (fst e) (snd e)) (Map.elements m).

Lemma all_groups_correct {A} (key : A -> positive) (test : positive -> list A -> bool) l :
  all_groups test (group key l) = true ->
  forall k, test k (filter (fun x => Key.eqb (key x) k) l) = true \/ filter (fun x => Key.eqb (key x) k) l = [].
Proof.
  unfold all_groups. rewrite forallb_forall. intros H k. rewrite <- group_correct.
  unfold of_key. destruct (Map.find k (group key l)) as [part|] eqn:F; [left|right; reflexivity].
  apply (H (k, part)). apply Map.elements_correct. exact F.
Qed.

(** * Distinct keys *)

Fixpoint none_of {A} (key : A -> positive) (seen : Map.t unit) (l : list A) : bool :=
  match l with
  | [] => true
  | x :: l => if Map.mem (key x) seen then false else none_of key (Map.add (key x) tt seen) l
  end.

Definition distinct {A} (key : A -> positive) (l : list A) : bool := none_of key (Map.empty unit) l.

Lemma none_of_correct {A} (key : A -> positive) l : forall seen, none_of key seen l = true ->
  NoDup (map key l) /\ forall x, In x l -> Map.mem (key x) seen = false.
Proof.
  induction l as [|x l IH]; simpl; intros seen G.
  - split; [constructor|contradiction].
  - destruct (Map.mem (key x) seen) eqn:M; [discriminate|].
    destruct (IH _ G) as [U N]. split.
    + constructor; [|exact U]. intros I. apply in_map_iff in I. destruct I as [y [E Y]].
      specialize (N y Y). rewrite E in N. rewrite Map.mem_find, Map.gss in N. discriminate.
    + intros y [<-|Y]; [exact M|]. specialize (N y Y). rewrite Map.mem_find in *.
      destruct (Key.eqb_spec (key y) (key x)) as [E|E]; [rewrite E, Map.gss in N; discriminate|].
      rewrite Map.gso in N by congruence. exact N.
Qed.

Lemma distinct_correct {A} (key : A -> positive) l : distinct key l = true -> NoDup (map key l).
Proof. intros H. apply (none_of_correct key l _ H). Qed.

(** * Groups of groups *)

Definition select {A} (k1 k2 : A -> positive) a b (l : list A) : list A :=
  filter (fun x => Key.eqb (k2 x) b) (filter (fun x => Key.eqb (k1 x) a) l).

Definition group2 {A} (k1 k2 : A -> positive) (l : list A) : Map.t (Map.t (list A)) :=
  Map.mapi (fun _ part => group k2 part) (group k1 l).

Definition of_keys {A} a b (m : Map.t (Map.t (list A))) : list A :=
  match Map.find a m with Some m => of_key b m | None => [] end.

Lemma group2_correct {A} (k1 k2 : A -> positive) l a b : of_keys a b (group2 k1 k2 l) = select k1 k2 a b l.
Proof.
  unfold of_keys, group2, select. rewrite Map.gmapi. rewrite <- (group_correct k1). unfold of_key at 2.
  destruct (Map.find a (group k1 l)); simpl; [apply group_correct|reflexivity].
Qed.

Lemma sum_select {A} (k1 k2 : A -> positive) a b f (l : list A) :
  sum f (select k1 k2 a b l) == sum (fun x => when (Key.eqb (k1 x) a && Key.eqb (k2 x) b) (f x)) l.
Proof.
  unfold select. rewrite !sum_filter. apply sum_ext. intros x _. unfold when.
  destruct (Key.eqb (k1 x) a), (Key.eqb (k2 x) b); simpl; reflexivity.
Qed.

Definition all_groups2 {A} (k1 k2 : A -> positive) (test : positive -> positive -> list A -> bool) (l : list A) : bool :=
  all_groups (fun a part => all_groups (fun b part => test a b part) (group k2 part)) (group k1 l).

Lemma all_groups2_correct {A} (k1 k2 : A -> positive) test (l : list A) :
  all_groups2 k1 k2 test l = true -> forall a b, test a b (select k1 k2 a b l) = true \/ select k1 k2 a b l = [].
Proof.
  intros H a b. unfold select. destruct (all_groups_correct k1 _ l H a) as [G|G].
  - exact (all_groups_correct k2 _ _ G b).
  - right. rewrite G. reflexivity.
Qed.

(** No two elements have both keys in common. *)
Definition distinct2 {A} (k1 k2 : A -> positive) (l : list A) : bool :=
  all_groups (fun _ part => distinct k2 part) (group k1 l).

Lemma sum_one2 {A} (k1 k2 : A -> positive) (f : A -> Q) l x :
  distinct2 k1 k2 l = true -> In x l ->
  sum (fun y => when (Key.eqb (k1 y) (k1 x) && Key.eqb (k2 y) (k2 x)) (f y)) l == f x.
Proof.
  intros U I.
  assert (J : In x (filter (fun y => Key.eqb (k1 y) (k1 x)) l)) by (apply filter_In; split; [exact I|apply Key.eqb_refl]).
  destruct (all_groups_correct k1 _ l U (k1 x)) as [D|D]; [|rewrite D in J; contradiction].
  apply distinct_correct in D.
  rewrite <- (sum_one k2 f _ x D J). rewrite sum_filter. apply sum_ext. intros y _. unfold when.
  destruct (Key.eqb (k1 y) (k1 x)), (Key.eqb (k2 y) (k2 x)); reflexivity.
Qed.

(** At most one element of a list without repetition has a key. *)
Lemma sum_at_most_one {A} (key : A -> positive) l k q : NoDup (map key l) -> 0 <= q ->
  sum (fun x => when (Key.eqb k (key x)) q) l <= q.
Proof.
  intros U P. destruct (existsb (fun x => Key.eqb k (key x)) l) eqn:E.
  - apply existsb_exists in E. destruct E as [x [I E]]. apply Key.eqb_eq in E. subst k.
    apply Qle_lteq. right.
    transitivity (sum (fun y => when (Key.eqb (key y) (key x)) q) l); [|exact (sum_one key (fun _ => q) l x U I)].
    apply sum_ext. intros y _. rewrite Key.eqb_sym. reflexivity.
  - rewrite sum_zero; [exact P|]. intros x I. unfold when. destruct (Key.eqb k (key x)) eqn:F; [|reflexivity].
    assert (X : existsb (fun x => Key.eqb k (key x)) l = true) by (apply existsb_exists; exists x; auto). congruence.
Qed.

Lemma sum_at_most_one2 {A} (k1 k2 : A -> positive) l a b q : distinct2 k1 k2 l = true -> 0 <= q ->
  sum (fun x => when (Key.eqb (k1 x) a && Key.eqb (k2 x) b) q) l <= q.
Proof.
  intros U P. destruct (existsb (fun x => Key.eqb (k1 x) a && Key.eqb (k2 x) b) l) eqn:E.
  - apply existsb_exists in E. destruct E as [x [I E]]. apply andb_prop in E. destruct E as [E F].
    apply Key.eqb_eq in E, F. subst a b.
    apply Qle_lteq. right. exact (sum_one2 k1 k2 (fun _ => q) l x U I).
  - rewrite sum_zero; [exact P|]. intros x I. unfold when. destruct (_ && _) eqn:F; [|reflexivity].
    assert (X : existsb (fun x => Key.eqb (k1 x) a && Key.eqb (k2 x) b) l = true) by (apply existsb_exists; exists x; auto).
    congruence.
Qed.
