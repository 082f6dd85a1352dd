(** Keys, and maps of them, for programs.

    Coq's own maps, and its test of equality, take a key apart bit by bit. In OCaml numbers are not lists of bits, and each
    bit costs a division. Here keys are compared. *)

Require Import List Bool PArith ZArith Lia.
Require FMapPositive.
Import ListNotations.

Module Key.
  Definition eqb (a b : positive) : bool := Z.eqb (Zpos a) (Zpos b).

  Lemma eqb_spec a b : reflect (a = b) (eqb a b).
  Proof.
    unfold eqb. destruct (Z.eqb_spec (Zpos a) (Zpos b)) as [E|E]; constructor; [congruence|]. intros ->. apply E. reflexivity.
  Qed.

  Lemma eqb_eq a b : eqb a b = true <-> a = b.
  Proof. destruct (eqb_spec a b); split; congruence. Qed.

  Lemma eqb_neq a b : eqb a b = false <-> a <> b.
  Proof. destruct (eqb_spec a b); split; congruence. Qed.

  Lemma eqb_refl a : eqb a a = true.
  Proof. apply eqb_eq. reflexivity. Qed.

  Lemma eqb_sym a b : eqb a b = eqb b a.
  Proof. destruct (eqb_spec a b), (eqb_spec b a); congruence. Qed.
End Key.
Arguments Key.eqb : simpl never.

Module Map.
  (** ** Keys below a power of two *)

  Inductive tree (A : Type) := Leaf | Node (l : tree A) (x : option A) (r : tree A).
  Arguments Leaf {A}.
  Arguments Node {A}.

  (** The key at the root is the power, at its children half of it less and more, and so on. *)
  Fixpoint steps (n : nat) : list Z := match n with O => [] | S n => 2 ^ Z.of_nat n :: steps n end%Z.

  Section Trees.
    Context {A : Type}.

    Fixpoint find_in (k c : Z) (l : list Z) (t : tree A) {struct t} : option A :=
      match t with
      | Leaf => None
      | Node before x after =>
          match Z.compare k c, l with
          | Eq, _ => x
          | Lt, s :: l => find_in k (c - s) l before
          | Gt, s :: l => find_in k (c + s) l after
          | _, [] => None
          end
      end%Z.

    Definition before (t : tree A) : tree A := match t with Leaf => Leaf | Node x _ _ => x end.
    Definition middle (t : tree A) : option A := match t with Leaf => None | Node _ x _ => x end.
    Definition after (t : tree A) : tree A := match t with Leaf => Leaf | Node _ _ x => x end.

    Fixpoint add_in (k : Z) (y : A) (c : Z) (l : list Z) (t : tree A) {struct l} : tree A :=
      match Z.compare k c, l with
      | Eq, _ => Node (before t) (Some y) (after t)
      | Lt, s :: l => Node (add_in k y (c - s) l (before t)) (middle t) (after t)
      | Gt, s :: l => Node (before t) (middle t) (add_in k y (c + s) l (after t))
      | _, [] => t
      end%Z.

    Fixpoint listed (c : Z) (l : list Z) (t : tree A) (found : list (positive * A)) {struct t} : list (positive * A) :=
      match t with
      | Leaf => found
      | Node before x after =>
          let found := match l with s :: l => listed (c + s) l after found | [] => found end in
          let found := match x with Some y => (Z.to_pos c, y) :: found | None => found end in
          match l with s :: l => listed (c - s) l before found | [] => found end
      end%Z.

    Lemma find_in_parts k c l t : find_in k c l t =
      match Z.compare k c, l with
      | Eq, _ => middle t
      | Lt, s :: l => find_in k (c - s) l (before t)
      | Gt, s :: l => find_in k (c + s) l (after t)
      | _, [] => None
      end%Z.
    Proof. destruct t, l; simpl; destruct (Z.compare k c); reflexivity. Qed.

    Lemma add_in_same n : forall k y c t, (c - 2 ^ Z.of_nat n < k < c + 2 ^ Z.of_nat n)%Z ->
      find_in k c (steps n) (add_in k y c (steps n) t) = Some y.
    Proof.
      induction n as [|n IH]; intros k y c t I.
      - simpl in I. assert (k = c) by lia. subst k. rewrite find_in_parts. simpl. rewrite Z.compare_refl. reflexivity.
      - rewrite Nat2Z.inj_succ, Z.pow_succ_r in I by lia. rewrite find_in_parts. simpl steps. simpl add_in.
        destruct (Z.compare_spec k c) as [C|C|C]; simpl; [reflexivity|apply IH; lia|apply IH; lia].
    Qed.

    Lemma add_in_other k k' y : k <> k' -> forall l c t, find_in k c l (add_in k' y c l t) = find_in k c l t.
    Proof.
      intros N. induction l as [|s l IH]; intros c t; rewrite (find_in_parts k c _ t), find_in_parts; simpl;
        destruct (Z.compare_spec k' c) as [->|C|C], (Z.compare_spec k c) as [D|D|D]; simpl; try reflexivity; try contradiction;
        apply IH.
    Qed.

    Lemma listed_keeps e : forall t c l found, In e found -> In e (listed c l t found).
    Proof.
      induction t as [|before IHl x after IHr]; intros c l found I; simpl; [exact I|]. destruct l, x; auto using in_cons.
    Qed.

    Lemma listed_correct x : forall t l k c found, find_in k c l t = Some x -> In (Z.to_pos k, x) (listed c l t found).
    Proof.
      induction t as [|before IHl y after IHr]; intros l k c found F; [discriminate|]. simpl in *.
      destruct (Z.compare_spec k c) as [C|C|C].
      - subst k y. destruct l; [left; reflexivity|]. apply listed_keeps. left. reflexivity.
      - destruct l; [discriminate|]. apply IHl. exact F.
      - destruct l; [discriminate|]. apply listed_keeps. destruct y; [right|]; apply IHr; exact F.
    Qed.
  End Trees.

  Fixpoint mapped {A B} (f : positive -> A -> B) (c : Z) (l : list Z) (t : tree A) {struct t} : tree B :=
    match t with
    | Leaf => Leaf
    | Node before x after =>
        let x := match x with Some y => Some (f (Z.to_pos c) y) | None => None end in
        match l with
        | s :: l => Node (mapped f (c - s) l before) x (mapped f (c + s) l after)
        | [] => Node Leaf x Leaf
        end
    end%Z.

  Lemma mapped_correct {A B} (f : positive -> A -> B) : forall t l k c,
    find_in k c l (mapped f c l t) = option_map (f (Z.to_pos k)) (find_in k c l t).
  Proof.
    induction t as [|before IHl x after IHr]; intros l k c; [reflexivity|].
    destruct l; simpl; destruct (Z.compare_spec k c) as [->|C|C]; auto; destruct x; reflexivity.
  Qed.

  (** ** All keys *)

  (** Below 64, below 1,024 and so on; in the end, those that Coq's own map has. *)
  Record t (A : Type) := Trees { tree1 : tree A; tree2 : tree A; tree3 : tree A; tree4 : tree A; others : FMapPositive.PositiveMap.t A }.
  Arguments Trees {A}.
  Arguments tree1 {A}.
  Arguments tree2 {A}.
  Arguments tree3 {A}.
  Arguments tree4 {A}.
  Arguments others {A}.

  (** These numbers are computed once. *)
  Definition limit1 : Z := 64.
  Definition limit2 : Z := 1024.
  Definition limit3 : Z := 32768.
  Definition limit4 : Z := 1048576.
  Definition root1 : Z := 32.
  Definition root2 : Z := 512.
  Definition root3 : Z := 16384.
  Definition root4 : Z := 524288.
  Definition steps1 : list Z := Eval compute in steps 5.
  Definition steps2 : list Z := Eval compute in steps 9.
  Definition steps3 : list Z := Eval compute in steps 14.
  Definition steps4 : list Z := Eval compute in steps 19.

  Definition empty (A : Type) : t A := Trees Leaf Leaf Leaf Leaf (FMapPositive.PositiveMap.empty A).

  Definition find {A} (k : positive) (m : t A) : option A :=
    let z := Zpos k in
    if (z <? limit1)%Z then find_in z root1 steps1 (tree1 m)
    else if (z <? limit2)%Z then find_in z root2 steps2 (tree2 m)
    else if (z <? limit3)%Z then find_in z root3 steps3 (tree3 m)
    else if (z <? limit4)%Z then find_in z root4 steps4 (tree4 m)
    else FMapPositive.PositiveMap.find k (others m).

  Definition add {A} (k : positive) (y : A) (m : t A) : t A :=
    let z := Zpos k in
    if (z <? limit1)%Z then Trees (add_in z y root1 steps1 (tree1 m)) (tree2 m) (tree3 m) (tree4 m) (others m)
    else if (z <? limit2)%Z then Trees (tree1 m) (add_in z y root2 steps2 (tree2 m)) (tree3 m) (tree4 m) (others m)
    else if (z <? limit3)%Z then Trees (tree1 m) (tree2 m) (add_in z y root3 steps3 (tree3 m)) (tree4 m) (others m)
    else if (z <? limit4)%Z then Trees (tree1 m) (tree2 m) (tree3 m) (add_in z y root4 steps4 (tree4 m)) (others m)
    else Trees (tree1 m) (tree2 m) (tree3 m) (tree4 m) (FMapPositive.PositiveMap.add k y (others m)).

  Definition mem {A} (k : positive) (m : t A) : bool := match find k m with Some _ => true | None => false end.

  Definition elements {A} (m : t A) : list (positive * A) :=
    listed root1 steps1 (tree1 m) (listed root2 steps2 (tree2 m) (listed root3 steps3 (tree3 m) (listed root4 steps4 (tree4 m)
      (FMapPositive.PositiveMap.elements (others m))))).

  Definition mapi {A B} (f : positive -> A -> B) (m : t A) : t B :=
    Trees (mapped f root1 steps1 (tree1 m)) (mapped f root2 steps2 (tree2 m)) (mapped f root3 steps3 (tree3 m))
      (mapped f root4 steps4 (tree4 m)) (FMapPositive.PositiveMap.mapi f (others m)).

  Lemma gempty A k : find k (empty A) = None.
  Proof. unfold find, empty. simpl. repeat destruct (_ <? _)%Z; try reflexivity. apply FMapPositive.PositiveMap.gempty. Qed.

  Lemma gss {A} k (y : A) m : find k (add k y m) = Some y.
  Proof.
    unfold find, add. destruct (Z.ltb_spec (Zpos k) limit1); [apply (add_in_same 5); unfold limit1, root1 in *; lia|].
    destruct (Z.ltb_spec (Zpos k) limit2); [apply (add_in_same 9); unfold limit2, root2 in *; lia|].
    destruct (Z.ltb_spec (Zpos k) limit3); [apply (add_in_same 14); unfold limit3, root3 in *; lia|].
    destruct (Z.ltb_spec (Zpos k) limit4); [apply (add_in_same 19); unfold limit4, root4 in *; lia|]. apply FMapPositive.PositiveMap.gss.
  Qed.

  Lemma gso {A} k k' (y : A) m : k <> k' -> find k (add k' y m) = find k m.
  Proof.
    intros N. assert (Z : Zpos k <> Zpos k') by congruence. unfold find, add.
    destruct (Zpos k' <? limit1)%Z, (Zpos k' <? limit2)%Z, (Zpos k' <? limit3)%Z, (Zpos k' <? limit4)%Z; cbn [tree1 tree2 tree3 tree4 others];
      rewrite ?(add_in_other _ _ y Z), ?FMapPositive.PositiveMap.gso by exact N; reflexivity.
  Qed.

  Lemma mem_find {A} k (m : t A) : mem k m = match find k m with Some _ => true | None => false end.
  Proof. reflexivity. Qed.

  Lemma elements_correct {A} (m : t A) k {y} : find k m = Some y -> In (k, y) (elements m).
  Proof.
    unfold find, elements. intros F.
    destruct (Zpos k <? limit1)%Z; [exact (listed_correct y _ _ _ _ _ F)|apply listed_keeps].
    destruct (Zpos k <? limit2)%Z; [exact (listed_correct y _ _ _ _ _ F)|apply listed_keeps].
    destruct (Zpos k <? limit3)%Z; [exact (listed_correct y _ _ _ _ _ F)|apply listed_keeps].
    destruct (Zpos k <? limit4)%Z; [exact (listed_correct y _ _ _ _ _ F)|apply listed_keeps].
    apply FMapPositive.PositiveMap.elements_correct. exact F.
  Qed.

  Lemma gmapi {A B} (f : positive -> A -> B) k (m : t A) : find k (mapi f m) = option_map (f k) (find k m).
  Proof.
    unfold find, mapi. cbn [tree1 tree2 tree3 tree4 others].
    repeat match goal with |- context [(Zpos k <? ?n)%Z] => destruct (Zpos k <? n)%Z; [apply (mapped_correct f)|] end.
    apply FMapPositive.PositiveMap.gmapi.
  Qed.
End Map.
Global Opaque Map.find Map.add Map.mem Map.mapi Map.elements Map.empty.
