(** JSON as docs/proof-format.md allows it: what a text says, and a reader of which it is proved that it reads just that. *)

Require Import List Bool NArith ZArith Lia.
From Coq.Strings Require Import Byte.
Import ListNotations.
Local Open Scope N_scope.

(** * What a text says *)

(** Texts are lists of code points; numbers are whole, and at most 2^53 - 1 in size. *)
Inductive json :=
  | Null
  | Bool (b : bool)
  | Number (z : Z)
  | Text (l : list N)
  | List (l : list json)
  | Object (l : list (list N * json)).

Definition bytes := list byte.
Definition code (b : byte) : N := Byte.to_N b.

Definition is_space (b : byte) : bool := Byte.eqb b x20 || Byte.eqb b x09 || Byte.eqb b x0a || Byte.eqb b x0d.
Definition spaces (s : bytes) : Prop := forallb is_space s = true.

(** ** Numbers *)

Definition is_digit (b : byte) : bool :=
  match b with x30 | x31 | x32 | x33 | x34 | x35 | x36 | x37 | x38 | x39 => true | _ => false end.
Definition digit (b : byte) : N :=
  match b with x31 => 1 | x32 => 2 | x33 => 3 | x34 => 4 | x35 => 5 | x36 => 6 | x37 => 7 | x38 => 8 | x39 => 9 | _ => 0 end.
Definition ten : N := 10.
Definition number_of (s : bytes) : N := fold_left (fun n b => n * ten + digit b) s 0.
Definition largest : N := 2 ^ 53 - 1.

(** Digits, of which the first is 0 only if there is no other. *)
Definition numeral (s : bytes) (n : N) : Prop :=
  s <> [] /\ forallb is_digit s = true /\ (forall b rest, s = x30 :: b :: rest -> False) /\ number_of s = n.

(** ** Texts: UTF-8 in its shortest form, without surrogates; escapes, of which two may be a pair of surrogates *)

Definition continues (b : byte) : bool := code b / 64 =? 2.
Definition six (b : byte) : N := code b mod 64.

Definition two_bytes (a b : byte) : option N :=
  if (194 <=? code a) && (code a <? 224) && continues b then Some (code a mod 32 * 64 + six b) else None.

Definition three_bytes (a b c : byte) : option N :=
  let n := code a mod 16 * 4096 + six b * 64 + six c in
  if (224 <=? code a) && (code a <? 240) && continues b && continues c && (2048 <=? n) && negb ((55296 <=? n) && (n <? 57344))
  then Some n else None.

Definition four_bytes (a b c d : byte) : option N :=
  let n := code a mod 8 * 262144 + six b * 4096 + six c * 64 + six d in
  if (240 <=? code a) && (code a <? 245) && continues b && continues c && continues d && (65536 <=? n) && (n <? 1114112)
  then Some n else None.

Definition escaped (b : byte) : option N :=
  if Byte.eqb b x22 || Byte.eqb b x5c || Byte.eqb b x2f then Some (code b)
  else if Byte.eqb b x62 then Some 8
  else if Byte.eqb b x66 then Some 12
  else if Byte.eqb b x6e then Some 10
  else if Byte.eqb b x72 then Some 13
  else if Byte.eqb b x74 then Some 9
  else None.

Definition hex_digit (b : byte) : option N :=
  let n := code b in
  if (48 <=? n) && (n <=? 57) then Some (n - 48)
  else if (97 <=? n) && (n <=? 102) then Some (n - 87)
  else if (65 <=? n) && (n <=? 70) then Some (n - 55)
  else None.

Definition hex (a b c d : byte) : option N :=
  match hex_digit a, hex_digit b, hex_digit c, hex_digit d with
  | Some a, Some b, Some c, Some d => Some (a * 4096 + b * 256 + c * 16 + d)
  | _, _, _, _ => None
  end.

(** [\u] and four digits come first: the number that they say. *)
Definition unicode (s : bytes) : option N :=
  match s with
  | e :: u :: a :: b :: c :: d :: _ => if Byte.eqb e x5c && Byte.eqb u x75 then hex a b c d else None
  | _ => None
  end.

Definition is_high (n : N) : bool := (55296 <=? n) && (n <? 56320).
Definition low_first (s : bytes) : option N :=
  match unicode s with Some m => if (56320 <=? m) && (m <? 57344) then Some m else None | None => None end.

(** What stands between quotation marks says these code points. *)
Inductive says_text : bytes -> list N -> Prop :=
  | says_nothing : says_text [] []
  | says_plain b s l : 32 <= code b < 128 -> b <> x22 -> b <> x5c -> says_text s l -> says_text (b :: s) (code b :: l)
  | says_two a b n s l : two_bytes a b = Some n -> says_text s l -> says_text (a :: b :: s) (n :: l)
  | says_three a b c n s l : three_bytes a b c = Some n -> says_text s l -> says_text (a :: b :: c :: s) (n :: l)
  | says_four a b c d n s l : four_bytes a b c d = Some n -> says_text s l -> says_text (a :: b :: c :: d :: s) (n :: l)
  | says_escape b n s l : escaped b = Some n -> says_text s l -> says_text (x5c :: b :: s) (n :: l)
  | says_unicode a b c d n s l : hex a b c d = Some n -> (is_high n = true -> low_first s = None) ->
      says_text s l -> says_text (x5c :: x75 :: a :: b :: c :: d :: s) (n :: l)
  | says_pair a b c d a' b' c' d' n m s l : hex a b c d = Some n -> is_high n = true ->
      low_first (x5c :: x75 :: a' :: b' :: c' :: d' :: s) = Some m -> says_text s l ->
      says_text (x5c :: x75 :: a :: b :: c :: d :: x5c :: x75 :: a' :: b' :: c' :: d' :: s)
                (65536 + (n - 55296) * 1024 + (m - 56320) :: l).

(** ** Values, with spaces around them *)

Inductive says : bytes -> json -> Prop :=
  | says_spaced a s b v : spaces a -> says_core s v -> spaces b -> says (a ++ s ++ b) v
with says_core : bytes -> json -> Prop :=
  | says_null : says_core [x6e; x75; x6c; x6c] Null
  | says_true : says_core [x74; x72; x75; x65] (Bool true)
  | says_false : says_core [x66; x61; x6c; x73; x65] (Bool false)
  | says_number s n : numeral s n -> n <= largest -> says_core s (Number (Z.of_N n))
  | says_minus s n : numeral s n -> 0 < n <= largest -> says_core (x2d :: s) (Number (- Z.of_N n))
  | says_quoted s l : says_text s l -> says_core (x22 :: s ++ [x22]) (Text l)
  | says_empty_list a : spaces a -> says_core (x5b :: a ++ [x5d]) (List [])
  | says_list s l : says_values s l -> says_core (x5b :: s ++ [x5d]) (List l)
  | says_empty_object a : spaces a -> says_core (x7b :: a ++ [x7d]) (Object [])
  | says_object s l : says_members s l -> says_core (x7b :: s ++ [x7d]) (Object l)
with says_values : bytes -> list json -> Prop :=
  | says_value s v : says s v -> says_values s [v]
  | says_next_value s l s' v : says_values s l -> says s' v -> says_values (s ++ x2c :: s') (l ++ [v])
with says_member : bytes -> list N * json -> Prop :=
  | says_key_and_value a k key b s v : spaces a -> says_text k key -> spaces b -> says s v ->
      says_member (a ++ x22 :: k ++ x22 :: b ++ x3a :: s) (key, v)
with says_members : bytes -> list (list N * json) -> Prop :=
  | says_one_member s m : says_member s m -> says_members s [m]
  | says_next_member s l s' m : says_members s l -> says_member s' m -> ~ In (fst m) (map fst l) ->
      says_members (s ++ x2c :: s') (l ++ [m]).

(** * The reader *)

Fixpoint skip (s : bytes) : bytes :=
  match s with b :: rest => if is_space b then skip rest else s | [] => [] end.

Fixpoint digits (n : N) (s : bytes) : N * bytes :=
  match s with
  | b :: rest => if is_digit b then digits (n * ten + digit b) rest else (n, s)
  | [] => (n, [])
  end.

(** At most 17 digits. *)
Fixpoint few (k : nat) (s : bytes) : bool :=
  match s, k with
  | b :: rest, S k => if is_digit b then few k rest else true
  | b :: rest, O => negb (is_digit b)
  | [], _ => true
  end.

Definition number (s : bytes) : option (N * bytes) :=
  match s with
  | b :: rest =>
      if is_digit b && few 17 s && negb (Byte.eqb b x30 && match rest with c :: _ => is_digit c | [] => false end) then
        let (n, rest) := digits 0 s in if n <=? largest then Some (n, rest) else None
      else None
  | [] => None
  end.

Fixpoint text (found : list N) (s : bytes) {struct s} : option (list N * bytes) :=
  match s with
  | [] => None
  | b :: s =>
      if Byte.eqb b x22 then Some (rev_append found [], s)
      else if Byte.eqb b x5c then
        match s with
        | [] => None
        | e :: s =>
            match escaped e with
            | Some n => text (n :: found) s
            | None =>
                match s with
                | h1 :: h2 :: h3 :: h4 :: s =>
                    match (if Byte.eqb e x75 then hex h1 h2 h3 h4 else None) with
                    | None => None
                    | Some n =>
                        match (if is_high n then low_first s else None), s with
                        | Some m, _ :: _ :: _ :: _ :: _ :: _ :: s => text (65536 + (n - 55296) * 1024 + (m - 56320) :: found) s
                        | _, _ => text (n :: found) s
                        end
                    end
                | _ => None
                end
            end
        end
      else if code b <? 32 then None
      else if code b <? 128 then text (code b :: found) s
      else
        match s with
        | [] => None
        | c :: s =>
            match two_bytes b c with
            | Some n => text (n :: found) s
            | None =>
                match s with
                | [] => None
                | d :: s =>
                    match three_bytes b c d with
                    | Some n => text (n :: found) s
                    | None =>
                        match s with
                        | [] => None
                        | e :: s => match four_bytes b c d e with Some n => text (n :: found) s | None => None end
                        end
                    end
                end
            end
        end
  end.

Fixpoint after (word s : bytes) : option bytes :=
  match word, s with
  | [], _ => Some s
  | w :: word, b :: s => if Byte.eqb w b then after word s else None
  | _, [] => None
  end.

Definition said_then {A} (v : A) (rest : option bytes) : option (A * bytes) := option_map (fun s => (v, s)) rest.

Fixpoint same_text (a b : list N) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => N.eqb x y && same_text a b
  | _, _ => false
  end.

(** [fuel]: one byte for each step at most, whichever they are; [depth]: how deep values may still lie. *)
Fixpoint value (fuel : bytes) (depth : nat) (s : bytes) {struct fuel} : option (json * bytes) :=
  match fuel, depth, skip s with
  | _ :: fuel, S depth, b :: s =>
      match (
        if Byte.eqb b x5b then
          match skip s with
          | c :: rest => if Byte.eqb c x5d then Some (List [], rest) else values fuel depth [] s
          | [] => None
          end
        else if Byte.eqb b x7b then
          match skip s with
          | c :: rest => if Byte.eqb c x7d then Some (Object [], rest) else members fuel depth [] s
          | [] => None
          end
        else if Byte.eqb b x22 then match text [] s with Some (l, s) => Some (Text l, s) | None => None end
        else if Byte.eqb b x2d then
          match number s with Some (n, s) => if n =? 0 then None else Some (Number (- Z.of_N n), s) | None => None end
        else if Byte.eqb b x74 then said_then (Bool true) (after [x72; x75; x65] s)
        else if Byte.eqb b x66 then said_then (Bool false) (after [x61; x6c; x73; x65] s)
        else if Byte.eqb b x6e then said_then Null (after [x75; x6c; x6c] s)
        else match number (b :: s) with Some (n, s) => Some (Number (Z.of_N n), s) | None => None end)
      with
      | Some (v, s) => Some (v, skip s)
      | None => None
      end
  | _, _, _ => None
  end
with values (fuel : bytes) (depth : nat) (found : list json) (s : bytes) {struct fuel} : option (json * bytes) :=
  match fuel with
  | [] => None
  | _ :: fuel =>
      match value fuel depth s with
      | Some (v, b :: s) =>
          if Byte.eqb b x2c then values fuel depth (v :: found) s
          else if Byte.eqb b x5d then Some (List (rev_append (v :: found) []), s) else None
      | _ => None
      end
  end
with members (fuel : bytes) (depth : nat) (found : list (list N * json)) (s : bytes) {struct fuel} : option (json * bytes) :=
  match fuel, skip s with
  | _ :: fuel, q :: s =>
      match (if Byte.eqb q x22 then text [] s else None) with
      | Some (key, s) =>
          match skip s with
          | c :: s =>
              if Byte.eqb c x3a && negb (existsb (fun m => same_text key (fst m)) found) then
                match value fuel depth s with
                | Some (v, b :: s) =>
                    if Byte.eqb b x2c then members fuel depth ((key, v) :: found) s
                    else if Byte.eqb b x7d then Some (Object (rev_append ((key, v) :: found) []), s) else None
                | _ => None
                end
              else None
          | [] => None
          end
      | None => None
      end
  | _, _ => None
  end.

Definition deepest : nat := 64.

(** The value that a whole file says. *)
Definition parse (fuel s : bytes) : option json := match value fuel deepest s with Some (v, []) => Some v | _ => None end.

(** * It reads what the text says *)

Lemma eqb_true a b : Byte.eqb a b = true -> a = b.
Proof. apply Byte.byte_dec_bl. Qed.

Lemma skip_correct s : exists a, spaces a /\ s = a ++ skip s.
Proof.
  induction s as [|b s [a [A E]]]; [exists []; split; reflexivity|]. simpl. destruct (is_space b) eqn:B.
  - exists (b :: a). split; [unfold spaces; simpl; rewrite B; exact A|simpl; rewrite <- E; reflexivity].
  - exists []. split; reflexivity.
Qed.

Lemma digits_correct s : forall n m r, digits n s = (m, r) ->
  exists p, s = p ++ r /\ forallb is_digit p = true /\ fold_left (fun n b => n * ten + digit b) p n = m.
Proof.
  induction s as [|b s IH]; simpl; intros n m r H.
  - inversion H. exists []. auto.
  - destruct (is_digit b) eqn:B.
    + destruct (IH _ _ _ H) as [p [-> [P M]]]. exists (b :: p). simpl. rewrite B. auto.
    + inversion H. exists []. auto.
Qed.

Lemma number_correct s n r : number s = Some (n, r) -> exists p, s = p ++ r /\ numeral p n /\ n <= largest.
Proof.
  destruct s as [|b s]; [discriminate|]. unfold number.
  destruct (is_digit b && few 17 (b :: s) && _) eqn:B; [|discriminate].
  apply andb_prop in B. destruct B as [B Z]. apply andb_prop in B. destruct B as [B _].
  destruct (digits 0 (b :: s)) as [m rest] eqn:D. destruct (N.leb_spec m largest) as [L|L]; [|discriminate].
  intros H. inversion H; subst. destruct (digits_correct _ _ _ _ D) as [p [E [P M]]].
  exists p. split; [exact E|]. split; [|exact L]. split; [|split; [exact P|split; [|exact M]]].
  - intros ->. simpl in E, D. rewrite B in D. subst r.
    assert (X : forall t k q, digits k t = (q, b :: s) -> (List.length t < List.length (b :: s))%nat -> False).
    { intros t k q T Len. destruct (digits_correct _ _ _ _ T) as [p' [E' _]]. rewrite E', app_length in Len. lia. }
    apply (X _ _ _ D). simpl. lia.
  - intros c rest ->. simpl in E. injection E as -> E. subst s. simpl in P.
    apply andb_prop in P. destruct P as [P _]. simpl in Z. rewrite P in Z. discriminate.
Qed.

Lemma after_correct w : forall s r, after w s = Some r -> s = w ++ r.
Proof.
  induction w as [|b w IH]; simpl; intros s r H; [inversion H; reflexivity|]. destruct s as [|c s]; [discriminate|].
  destruct (Byte.eqb b c) eqn:E; [|discriminate]. apply eqb_true in E. rewrite E, (IH _ _ H). reflexivity.
Qed.

Lemma low_first_shorter p r : low_first (p ++ x22 :: r) = None -> low_first p = None.
Proof.
  destruct p as [|a [|b [|c [|d [|e [|f p]]]]]]; try reflexivity. simpl. auto.
Qed.

(** A low one that comes first: so its six bytes do. *)
Lemma low_first_bytes s m : low_first s = Some m ->
  exists a b c d rest, s = x5c :: x75 :: a :: b :: c :: d :: rest /\ forall more, low_first (x5c :: x75 :: a :: b :: c :: d :: more) = Some m.
Proof.
  destruct s as [|e [|u [|a [|b [|c [|d s]]]]]]; try discriminate. unfold low_first, unicode. intros H.
  destruct (Byte.eqb e x5c && Byte.eqb u x75) eqn:E; [|discriminate]. apply andb_prop in E. destruct E as [E U].
  apply eqb_true in E, U. subst. exists a, b, c, d, s. split; [reflexivity|]. intros more. exact H.
Qed.

Lemma text_correct k : forall found s l r, (List.length s <= k)%nat -> text found s = Some (l, r) ->
  exists p m, s = p ++ x22 :: r /\ says_text p m /\ l = rev found ++ m.
Proof.
  induction k as [|k IH]; intros found s l r K H; [destruct s; [discriminate H|simpl in K; lia]|].
  assert (Next : forall n t, (List.length t <= k)%nat -> text (n :: found) t = Some (l, r) ->
    exists p m, t = p ++ x22 :: r /\ says_text p m /\ l = rev found ++ n :: m).
  { intros n t T X. destruct (IH _ _ _ _ T X) as [p [m [E [S ->]]]]. exists p, m. simpl. rewrite <- app_assoc. auto. }
  destruct s as [|b s]; [discriminate|]. simpl in K. cbn [text] in H.
  destruct (Byte.eqb b x22) eqn:Q.
  { apply eqb_true in Q. injection H as <- <-. subst b. exists [], []. rewrite <- rev_alt, app_nil_r. repeat split. constructor. }
  destruct (Byte.eqb b x5c) eqn:B.
  { apply eqb_true in B. subst b. destruct s as [|e s]; [discriminate|]. simpl in K. destruct (escaped e) as [n|] eqn:Esc.
    - apply Next in H; [|lia]. destruct H as [p [m [-> [S ->]]]]. exists (x5c :: e :: p), (n :: m).
      repeat split. apply says_escape; assumption.
    - destruct s as [|h1 [|h2 [|h3 [|h4 s]]]]; try discriminate. simpl in K.
      destruct (Byte.eqb e x75) eqn:U; [|discriminate]. apply eqb_true in U. subst e.
      destruct (hex h1 h2 h3 h4) as [n|] eqn:X; [|discriminate].
      assert (Single : (is_high n = true -> low_first s = None) -> text (n :: found) s = Some (l, r) ->
        exists p m, x5c :: x75 :: h1 :: h2 :: h3 :: h4 :: s = p ++ x22 :: r /\ says_text p m /\ l = rev found ++ m).
      { intros Low Y. apply Next in Y; [|lia]. destruct Y as [p [m [-> [S ->]]]].
        exists (x5c :: x75 :: h1 :: h2 :: h3 :: h4 :: p), (n :: m). repeat split. apply says_unicode; [exact X| |exact S].
        intros Hi. eapply low_first_shorter. apply Low. exact Hi. }
      destruct (is_high n) eqn:Hi; [|apply Single; [discriminate|exact H]].
      destruct (low_first s) as [m|] eqn:Low; [|apply Single; [reflexivity|exact H]].
      destruct (low_first_bytes _ _ Low) as [a [b' [c [d [rest [-> More]]]]]]. simpl in K.
      apply Next in H; [|lia]. destruct H as [p [q [-> [S ->]]]].
      exists (x5c :: x75 :: h1 :: h2 :: h3 :: h4 :: x5c :: x75 :: a :: b' :: c :: d :: p), ((65536 + (n - 55296) * 1024 + (m - 56320)) :: q).
      repeat split. apply says_pair; auto. }
  destruct (N.ltb_spec (code b) 32) as [L|L]; [discriminate|].
  destruct (N.ltb_spec (code b) 128) as [M|M].
  { apply Next in H; [|lia]. destruct H as [p [m [-> [S ->]]]]. exists (b :: p), (code b :: m). repeat split.
    apply says_plain; [lia| | |exact S]; intros ->; discriminate. }
  destruct s as [|c s]; [discriminate|]. simpl in K. destruct (two_bytes b c) as [n|] eqn:Two.
  { apply Next in H; [|lia]. destruct H as [p [m [-> [S ->]]]]. exists (b :: c :: p), (n :: m). repeat split. apply says_two; assumption. }
  destruct s as [|d s]; [discriminate|]. simpl in K. destruct (three_bytes b c d) as [n|] eqn:Three.
  { apply Next in H; [|lia]. destruct H as [p [m [-> [S ->]]]]. exists (b :: c :: d :: p), (n :: m). repeat split. apply says_three; assumption. }
  destruct s as [|e s]; [discriminate|]. simpl in K. destruct (four_bytes b c d e) as [n|] eqn:Four; [|discriminate].
  apply Next in H; [|lia]. destruct H as [p [m [-> [S ->]]]]. exists (b :: c :: d :: e :: p), (n :: m). repeat split.
  apply says_four; assumption.
Qed.

Lemma text_reads s l r : text [] s = Some (l, r) -> exists p, s = p ++ x22 :: r /\ says_text p l.
Proof. intros H. destruct (text_correct _ _ _ _ _ (le_n _) H) as [p [m [E [S ->]]]]. exists p. auto. Qed.

Lemma same_text_correct a : forall b, same_text a b = true <-> a = b.
Proof.
  induction a as [|x a IH]; intros [|y b]; simpl; split; intros H; try discriminate; auto.
  - apply andb_prop in H. destruct H as [E F]. apply N.eqb_eq in E. apply IH in F. congruence.
  - injection H as -> ->. rewrite N.eqb_refl. simpl. apply IH. reflexivity.
Qed.

(** What follows the values, or members, that were found. *)
Definition from_values (found : list json) (p : bytes) (l : list json) : Prop :=
  match found with [] => says_values p l | _ => forall q, says_values q (rev found) -> says_values (q ++ x2c :: p) l end.

Definition from_members (found : list (list N * json)) (p : bytes) (l : list (list N * json)) : Prop :=
  match found with [] => says_members p l | _ => forall q, says_members q (rev found) -> says_members (q ++ x2c :: p) l end.

Lemma last_value found p v : says p v -> from_values found p (rev (v :: found)).
Proof. intros S. destruct found as [|w found]; simpl; [constructor; exact S|]. intros q Q. constructor; assumption. Qed.

Lemma next_value found p v p' l : says p v -> from_values (v :: found) p' l -> from_values found (p ++ x2c :: p') l.
Proof.
  intros S H. destruct found as [|w found]; simpl in *; [apply H; constructor; exact S|]. intros q Q.
  replace (q ++ x2c :: p ++ x2c :: p') with ((q ++ x2c :: p) ++ x2c :: p') by (rewrite <- app_assoc; reflexivity).
  apply H. apply says_next_value; assumption.
Qed.

Lemma last_member found p m : says_member p m -> ~ In (fst m) (map fst (rev found)) -> from_members found p (rev (m :: found)).
Proof. intros S U. destruct found as [|w found]; simpl in *; [constructor; exact S|]. intros q Q. apply says_next_member; assumption. Qed.

Lemma next_member found p m p' l : says_member p m -> ~ In (fst m) (map fst (rev found)) -> from_members (m :: found) p' l ->
  from_members found (p ++ x2c :: p') l.
Proof.
  intros S U H. destruct found as [|w found]; simpl in *; [apply H; constructor; exact S|]. intros q Q.
  replace (q ++ x2c :: p ++ x2c :: p') with ((q ++ x2c :: p) ++ x2c :: p') by (rewrite <- app_assoc; reflexivity).
  apply H. apply says_next_member; assumption.
Qed.

Lemma no_key_twice key found : existsb (fun m => same_text key (fst m)) found = false -> ~ In key (map fst (rev found : list (list N * json))).
Proof.
  intros H I. rewrite map_rev in I. apply in_rev in I. apply in_map_iff in I. destruct I as [m [<- I]].
  assert (X : existsb (fun x => same_text (fst m) (fst x)) found = true) by (apply existsb_exists; exists m; split; [exact I|apply same_text_correct; reflexivity]).
  rewrite X in H. discriminate.
Qed.

Lemma spaced a s v p r : spaces a -> s = p ++ r -> says_core p v -> exists q, a ++ s = q ++ skip r /\ says q v.
Proof.
  intros A -> S. destruct (skip_correct r) as [b [B E]]. exists (a ++ p ++ b). split; [|constructor; assumption].
  rewrite <- !app_assoc. rewrite <- E. reflexivity.
Qed.

Lemma reads fuel :
  (forall d s v r, value fuel d s = Some (v, r) -> exists p, s = p ++ r /\ says p v) /\
  (forall d found s v r, values fuel d found s = Some (v, r) ->
    exists p l, s = p ++ x5d :: r /\ v = List l /\ from_values found p l) /\
  (forall d found s v r, members fuel d found s = Some (v, r) ->
    exists p l, s = p ++ x7d :: r /\ v = Object l /\ from_members found p l).
Proof.
  induction fuel as [|f fuel [IHv [IHl IHm]]]; [repeat split; discriminate|]. split; [|split].
  - intros [|d] s v r H; [discriminate|]. cbn [value] in H. destruct (skip_correct s) as [a [A E]].
    destruct (skip s) as [|b t]; [discriminate|].
    assert (Core : forall w u, Some (w, skip u) = Some (v, r) -> (exists p, b :: t = p ++ u /\ says_core p w) ->
      exists p, s = p ++ r /\ says p v).
    { intros w u X [p [P S]]. injection X as <- <-. destruct (spaced a (b :: t) w p u A P S) as [q [Q Y]].
      exists q. rewrite E. auto. }
    destruct (Byte.eqb b x5b) eqn:B1.
    { apply eqb_true in B1. subst b. destruct (skip_correct t) as [c [C F]]. destruct (skip t) as [|e rest]; [discriminate|].
      destruct (Byte.eqb e x5d) eqn:T.
      - apply eqb_true in T. subst e. eapply Core; [exact H|]. exists (x5b :: c ++ [x5d]). split; [|constructor; exact C].
        rewrite F at 1. simpl. rewrite <- app_assoc. reflexivity.
      - destruct (values fuel d [] t) as [[w u]|] eqn:V; [|discriminate]. apply IHl in V. destruct V as [p [l [-> [-> V]]]].
        eapply Core; [exact H|]. exists (x5b :: p ++ [x5d]). split; [simpl; rewrite <- app_assoc; reflexivity|constructor; exact V]. }
    destruct (Byte.eqb b x7b) eqn:B2.
    { apply eqb_true in B2. subst b. destruct (skip_correct t) as [c [C F]]. destruct (skip t) as [|e rest]; [discriminate|].
      destruct (Byte.eqb e x7d) eqn:T.
      - apply eqb_true in T. subst e. eapply Core; [exact H|]. exists (x7b :: c ++ [x7d]). split; [|constructor; exact C].
        rewrite F at 1. simpl. rewrite <- app_assoc. reflexivity.
      - destruct (members fuel d [] t) as [[w u]|] eqn:V; [|discriminate]. apply IHm in V. destruct V as [p [l [-> [-> V]]]].
        eapply Core; [exact H|]. exists (x7b :: p ++ [x7d]). split; [simpl; rewrite <- app_assoc; reflexivity|constructor; exact V]. }
    destruct (Byte.eqb b x22) eqn:B3.
    { apply eqb_true in B3. subst b. destruct (text [] t) as [[l u]|] eqn:V; [|discriminate]. apply text_reads in V.
      destruct V as [p [-> V]]. eapply Core; [exact H|]. exists (x22 :: p ++ [x22]).
      split; [simpl; rewrite <- app_assoc; reflexivity|constructor; exact V]. }
    destruct (Byte.eqb b x2d) eqn:B4.
    { apply eqb_true in B4. subst b. destruct (number t) as [[n u]|] eqn:V; [|discriminate]. apply number_correct in V.
      destruct V as [p [-> [V L]]]. destruct (N.eqb_spec n 0) as [Z|Z]; [discriminate|]. eapply Core; [exact H|].
      exists (x2d :: p). split; [reflexivity|]. constructor; [exact V|lia]. }
    destruct (Byte.eqb b x74) eqn:B5.
    { apply eqb_true in B5. subst b. destruct (after _ t) as [u|] eqn:V; [|discriminate]. apply after_correct in V. subst t.
      eapply Core; [exact H|]. exists [x74; x72; x75; x65]. split; [reflexivity|constructor]. }
    destruct (Byte.eqb b x66) eqn:B6.
    { apply eqb_true in B6. subst b. destruct (after _ t) as [u|] eqn:V; [|discriminate]. apply after_correct in V. subst t.
      eapply Core; [exact H|]. exists [x66; x61; x6c; x73; x65]. split; [reflexivity|constructor]. }
    destruct (Byte.eqb b x6e) eqn:B7.
    { apply eqb_true in B7. subst b. destruct (after _ t) as [u|] eqn:V; [|discriminate]. apply after_correct in V. subst t.
      eapply Core; [exact H|]. exists [x6e; x75; x6c; x6c]. split; [reflexivity|constructor]. }
    destruct (number (b :: t)) as [[n u]|] eqn:V; [|discriminate]. apply number_correct in V. destruct V as [p [P [V L]]].
    eapply Core; [exact H|]. exists p. split; [exact P|]. constructor; assumption.
  - intros d found s v r H. cbn [values] in H. destruct (value fuel d s) as [[w [|b t]]|] eqn:V; try discriminate.
    apply IHv in V. destruct V as [p [-> V]]. destruct (Byte.eqb b x2c) eqn:B.
    + apply eqb_true in B. subst b. apply IHl in H. destruct H as [p' [l [-> [-> H]]]].
      exists (p ++ x2c :: p'), l. split; [rewrite <- app_assoc; reflexivity|]. split; [reflexivity|]. eapply next_value; eassumption.
    + destruct (Byte.eqb b x5d) eqn:C; [|discriminate]. apply eqb_true in C. subst b. injection H as <- <-.
      exists p, (rev (w :: found)). split; [reflexivity|]. split; [rewrite (rev_alt (w :: found)); reflexivity|]. apply last_value. exact V.
  - intros d found s v r H. cbn [members] in H. destruct (skip_correct s) as [a [A E]]. destruct (skip s) as [|q t]; [discriminate|].
    destruct (Byte.eqb q x22) eqn:Q; [|discriminate]. apply eqb_true in Q. subst q.
    destruct (text [] t) as [[key u]|] eqn:T; [|discriminate]. apply text_reads in T. destruct T as [k [-> T]].
    destruct (skip_correct u) as [c [C F]]. destruct (skip u) as [|e rest]; [discriminate|].
    destruct (Byte.eqb e x3a && _) eqn:U; [|discriminate]. apply andb_prop in U. destruct U as [X U]. apply eqb_true in X. subst e.
    apply negb_true_iff in U. apply no_key_twice in U.
    destruct (value fuel d rest) as [[w [|b z]]|] eqn:V; try discriminate. apply IHv in V. destruct V as [p [-> V]].
    assert (M : says_member (a ++ x22 :: k ++ x22 :: c ++ x3a :: p) (key, w)) by (constructor; assumption).
    assert (S : s = (a ++ x22 :: k ++ x22 :: c ++ x3a :: p) ++ b :: z).
    { rewrite E, F. repeat (rewrite <- app_assoc; simpl). reflexivity. }
    destruct (Byte.eqb b x2c) eqn:B.
    + apply eqb_true in B. subst b. apply IHm in H. destruct H as [p' [l [-> [-> H]]]].
      exists ((a ++ x22 :: k ++ x22 :: c ++ x3a :: p) ++ x2c :: p'), l. split; [rewrite S, <- (app_assoc _ (x2c :: p')); reflexivity|].
      split; [reflexivity|]. eapply next_member; eassumption.
    + destruct (Byte.eqb b x7d) eqn:D; [|discriminate]. apply eqb_true in D. subst b. injection H as <- <-.
      eexists _, (rev ((key, w) :: found)). split; [exact S|]. split; [rewrite (rev_alt ((key, w) :: found)); reflexivity|]. apply last_member; assumption.
Qed.

(** The theorem of this file: what is read is what the file says. *)
Theorem parse_correct fuel s v : parse fuel s = Some v -> says s v.
Proof.
  unfold parse. destruct (value _ _ s) as [[w [|b r]]|] eqn:V; try discriminate. intros H. injection H as <-.
  apply (proj1 (reads _)) in V. destruct V as [p [E S]]. rewrite app_nil_r in E. subst p. exact S.
Qed.
