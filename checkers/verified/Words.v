(** Numbers and lists in words: how they are written, and that what is written has one reading. *)

Require Import List Bool Arith NArith ZArith QArith Lia Ascii String.
From Routeproof Require Import Maps.
Import ListNotations.
Local Open Scope string_scope.

(** * Decimal digits *)

Definition digit (n : N) : ascii := ascii_of_N (48 + n).

Definition digit_value (c : ascii) : option N :=
  let n := N_of_ascii c in if (48 <=? n)%N && (n <=? 57)%N then Some (n - 48)%N else None.

(** The digits of [n] before [rest]; [fuel] is at least the number of its bits. *)
Fixpoint digits_before (fuel : nat) (n : N) (rest : string) : string :=
  match fuel with
  | O => rest
  | S fuel => if (n <? 10)%N then String (digit n) rest
              else let (q, r) := N.div_eucl n 10 in digits_before fuel q (String (digit r) rest)
  end.

Definition decimal (n : N) : string := digits_before (S (N.size_nat n)) n "".

(** ** Their reading: the number at the start of a text, and what follows it *)

Fixpoint read_digits (found : N) (s : string) : N * string :=
  match s with
  | String c rest => match digit_value c with Some d => read_digits (found * 10 + d) rest | None => (found, s) end
  | EmptyString => (found, s)
  end.

(** No digit comes first. *)
Definition no_digit (s : string) : Prop := match s with String c _ => digit_value c = None | EmptyString => True end.

Lemma digit_of_value n : (n < 10)%N -> digit_value (digit n) = Some n.
Proof.
  intros H. assert (D : In n [0; 1; 2; 3; 4; 5; 6; 7; 8; 9]%N) by (simpl; lia).
  simpl in D. repeat (destruct D as [<-|D]; [reflexivity|]). contradiction.
Qed.

Lemma digits_before_correct fuel : forall n rest, (n < 2 ^ N.of_nat fuel)%N -> fuel <> O ->
  read_digits 0 (digits_before fuel n rest) = read_digits n rest.
Proof.
  induction fuel as [|fuel IH]; intros n rest B F; [contradiction|]. simpl digits_before.
  destruct (N.ltb_spec n 10) as [L|L].
  - cbn [read_digits]. rewrite digit_of_value by exact L. reflexivity.
  - pose proof (N.div_eucl_spec n 10) as E. pose proof (N.mod_lt n 10) as M. unfold N.modulo in M.
    destruct (N.div_eucl n 10) as [q r]. simpl snd in M. specialize (M ltac:(lia)).
    rewrite Nat2N.inj_succ, N.pow_succ_r' in B.
    rewrite IH.
    + cbn [read_digits]. rewrite digit_of_value by lia. f_equal. lia.
    + lia.
    + intros ->. simpl in B. lia.
Qed.

Lemma size_enough n : (n < 2 ^ N.of_nat (S (N.size_nat n)))%N.
Proof.
  destruct n as [|p]; [reflexivity|]. cbn [N.size_nat].
  rewrite Nat2N.inj_succ, N.pow_succ_r'. induction p as [p IH|p IH|]; cbn [Pos.size_nat]; [| |reflexivity];
    rewrite Nat2N.inj_succ, N.pow_succ_r'; lia.
Qed.

Lemma decimal_read n rest : read_digits 0 (digits_before (S (N.size_nat n)) n rest) = read_digits n rest.
Proof. apply digits_before_correct; [apply size_enough|discriminate]. Qed.

Lemma digits_before_app fuel : forall n rest more, digits_before fuel n rest ++ more = digits_before fuel n (rest ++ more).
Proof.
  induction fuel as [|fuel IH]; intros n rest more; [reflexivity|]. simpl.
  destruct (n <? 10)%N; [reflexivity|]. destruct (N.div_eucl n 10) as [q r]. rewrite IH. reflexivity.
Qed.

(** What the digits say is the number. *)
Theorem decimal_correct n rest : no_digit rest -> read_digits 0 (decimal n ++ rest) = (n, rest).
Proof.
  intros H. unfold decimal. rewrite digits_before_app, decimal_read. simpl append.
  destruct rest as [|c rest]; [reflexivity|]. simpl in H. cbn [read_digits]. rewrite H. reflexivity.
Qed.

Theorem decimal_once n m a b : no_digit a -> no_digit b -> decimal n ++ a = decimal m ++ b -> n = m /\ a = b.
Proof.
  intros A B E. apply (f_equal (read_digits 0)) in E. rewrite !decimal_correct in E by assumption. inversion E. auto.
Qed.

(** A text of digits begins with one. *)
Lemma decimal_first n : exists c s, decimal n = String c s /\ digit_value c <> None.
Proof.
  assert (R : read_digits 0 (decimal n ++ "") = (n, "")) by (apply decimal_correct; exact I).
  pose proof (decimal_correct n "-" eq_refl) as R'. destruct (decimal n) as [|c s] eqn:E.
  - exfalso. unfold decimal in E. cbn [digits_before] in E. destruct (n <? 10)%N; [discriminate|].
    destruct (N.div_eucl n 10) as [q r].
    assert (L : forall fuel m rest, rest <> "" -> digits_before fuel m rest <> "").
    { induction fuel as [|fuel IH]; intros m rest N; [exact N|]. simpl. destruct (m <? 10)%N; [discriminate|].
      destruct (N.div_eucl m 10) as [q' r']. apply IH. discriminate. }
    eapply L; [|exact E]. discriminate.
  - exists c, s. split; [reflexivity|]. intros D. simpl in R. rewrite D in R. inversion R.
Qed.

(** * Fractions and lists *)

(** What follows is neither a digit nor a stroke. *)
Definition no_fraction (s : string) : Prop :=
  match s with String c _ => digit_value c = None /\ c <> "/"%char | EmptyString => True end.

Definition integer (z : Z) : string := match z with Zneg p => "-" ++ decimal (Npos p) | _ => decimal (Z.to_N z) end.

Definition ratio (q : Q) : string :=
  integer (Qnum q) ++ if Key.eqb (Qden q) 1 then "" else "/" ++ decimal (Npos (Qden q)).

Lemma append_assoc (a b c : string) : (a ++ b) ++ c = a ++ (b ++ c).
Proof. induction a as [|x a IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.

Lemma append_same (a b c : string) : a ++ b = a ++ c -> b = c.
Proof. induction a as [|x a IH]; simpl; intros E; [exact E|]. injection E as E. auto. Qed.

Theorem integer_once z z' a b : no_digit a -> no_digit b -> integer z ++ a = integer z' ++ b -> z = z' /\ a = b.
Proof.
  intros A B E.
  assert (M : forall p n c d, "-" ++ decimal (Npos p) ++ c = decimal n ++ d -> False).
  { intros p n c d X. destruct (decimal_first n) as [x [s [F D]]]. rewrite F in X. simpl in X. injection X as <- _.
    apply D. reflexivity. }
  destruct z as [|p|p], z' as [|p'|p']; unfold integer in E; rewrite ?append_assoc in E;
    try (exfalso; eapply M; [exact E || (symmetry; exact E)]);
    try (apply decimal_once in E; [|assumption|assumption]; destruct E as [E X]; simpl in E; inversion E; subst; auto).
  apply append_same in E. apply decimal_once in E; [|assumption|assumption]. destruct E as [E X]. inversion E; subst. auto.
Qed.

Theorem ratio_once q q' a b : no_fraction a -> no_fraction b -> ratio q ++ a = ratio q' ++ b -> q = q' /\ a = b.
Proof.
  intros A B E. unfold ratio in E. rewrite !append_assoc in E.
  assert (N : forall s, no_fraction s -> no_digit s) by (intros [|c s] H; simpl in *; tauto).
  assert (S : forall (d : positive) s, no_fraction s -> no_digit ((if Key.eqb d 1 then "" else "/" ++ decimal (Npos d)) ++ s)).
  { intros d s H. destruct (Key.eqb d 1); [apply N; exact H|reflexivity]. }
  apply integer_once in E; [|apply S; exact A|apply S; exact B]. destruct E as [Z E].
  assert (D : Qden q = Qden q' /\ a = b).
  { destruct (Key.eqb_spec (Qden q) 1) as [D|D], (Key.eqb_spec (Qden q') 1) as [D'|D']; simpl in E.
    - rewrite D, D'. auto.
    - subst a. simpl in A. destruct A as [_ A]. contradiction.
    - subst b. simpl in B. destruct B as [_ B]. contradiction.
    - injection E as E. apply decimal_once in E; [|auto|auto]. destruct E as [E X]. injection E as E. auto. }
  destruct D as [D X]. split; [|exact X]. destruct q, q'. simpl in *. subst. reflexivity.
Qed.

(** Numbers with commas between them. *)
Fixpoint joined (l : list N) : string :=
  match l with
  | [] => ""
  | [n] => decimal n
  | n :: l => decimal n ++ ", " ++ joined l
  end.

(** No further number of the list follows. *)
Definition no_number (s : string) : Prop :=
  no_digit s /\ forall c rest, s = String "," (String " " (String c rest)) -> digit_value c = None.

Theorem joined_once l l' a b : no_number a -> no_number b -> l <> [] -> l' <> [] ->
  joined l ++ a = joined l' ++ b -> l = l' /\ a = b.
Proof.
  intros A B. revert l'. induction l as [|n l IH]; intros l' L L' E; [contradiction|].
  assert (F : forall m s t, no_number t -> m <> [] -> t = ", " ++ joined m ++ s -> False).
  { intros m s t [_ T] M X. destruct m as [|k m]; [contradiction|]. destruct (decimal_first k) as [c [r [R D]]].
    destruct m as [|k' m]; cbn [joined] in X; rewrite R in X; apply D; simpl in X; eapply T; exact X. }
  assert (D : forall s, no_digit (", " ++ s)) by (intros s; reflexivity).
  destruct l' as [|n' l']; [contradiction|].
  destruct l as [|m l], l' as [|m' l']; cbn [joined] in E; rewrite ?append_assoc in E.
  - apply decimal_once in E; [|apply A|apply B]. destruct E as [-> ->]. auto.
  - apply decimal_once in E; [|apply A|apply D]. destruct E as [_ E]. exfalso. apply (F (m' :: l') b a A); [discriminate|exact E].
  - apply decimal_once in E; [|apply D|apply B]. destruct E as [_ E]. exfalso. apply (F (m :: l) a b B); [discriminate|symmetry; exact E].
  - apply decimal_once in E; [|apply D|apply D]. destruct E as [-> E]. apply append_same in E.
    destruct (IH (m' :: l')) as [X Y]; [discriminate|discriminate|exact E|]. rewrite X. auto.
Qed.

(** So many of a kind. *)
Definition count (n : N) (one : string) : string := decimal n ++ " " ++ one ++ if N.eqb n 1 then "" else "s".

Lemma count_once n m one a b : count n one ++ a = count m one ++ b -> n = m /\ a = b.
Proof.
  unfold count. rewrite !append_assoc. intros E. apply decimal_once in E; [|reflexivity|reflexivity]. destruct E as [-> E].
  do 3 apply append_same in E. auto.
Qed.
