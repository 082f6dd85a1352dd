(** A sentence has one reading: those of two different statements about the same things differ. *)

Require Import List Bool Arith NArith PArith ZArith QArith Lia Ascii String.
From Routeproof Require Import Network Words Collective Phases Lanes Tables Checker Sentences.
Import ListNotations.
Local Open Scope string_scope.
Local Open Scope list_scope.
Local Open Scope Q_scope.

Local Infix "+++" := append (at level 60, right associativity).

Lemma from_1_once r r' a b : no_digit a -> no_digit b -> from_1 r +++ a = from_1 r' +++ b -> r = r' /\ a = b.
Proof.
  intros A B E. apply decimal_once in E; [|exact A|exact B]. destruct E as [E ->]. split; [|reflexivity].
  apply Nat2N.inj in E. injection E as E. exact E.
Qed.

Lemma pred_once c c' : Pos.pred_N c = Pos.pred_N c' -> c = c'.
Proof.
  intros E. apply (f_equal N.succ) in E. rewrite !N.succ_pos_pred in E. injection E as E. exact E.
Qed.

Lemma channel_once c c' a b : no_digit a -> no_digit b -> decimal (Pos.pred_N c) +++ a = decimal (Pos.pred_N c') +++ b -> c = c' /\ a = b.
Proof.
  intros A B E. apply decimal_once in E; [|exact A|exact B]. destruct E as [E ->]. split; [|reflexivity].
  apply pred_once. exact E.
Qed.

Lemma numbers_once l l' a b : no_number a -> no_number b -> l <> [] -> l' <> [] ->
  numbers l +++ a = numbers l' +++ b -> l = l' /\ a = b.
Proof.
  intros A B L L' E. apply joined_once in E; [|exact A|exact B| |].
  - destruct E as [E ->]. split; [|reflexivity]. clear -E. revert l' E.
    induction l as [|c l IH]; intros [|c' l'] E; try discriminate; [reflexivity|]. simpl in E. injection E as E F.
    rewrite (IH l' F), (pred_once _ _ E). reflexivity.
  - destruct l; [contradiction|discriminate].
  - destruct l'; [contradiction|discriminate].
Qed.

Ltac no_more := solve [ exact I | reflexivity | split; [reflexivity|discriminate] | assumption
                      | split; [reflexivity|]; intros ? ? X; injection X; intros; subst; reflexivity
                      | split; [reflexivity|]; intros ? ? X; discriminate X ].

Ltac read E :=
  repeat match type of E with
  | ?a +++ _ = ?a +++ _ => apply append_same in E
  | from_1 _ +++ _ = from_1 _ +++ _ => apply from_1_once in E; [destruct E as [<- E] | no_more | no_more]
  | numbers _ +++ _ = numbers _ +++ _ => apply numbers_once in E; [destruct E as [<- E] | no_more | no_more | no_more | no_more]
  | decimal (Pos.pred_N _) +++ _ = decimal (Pos.pred_N _) +++ _ => apply channel_once in E; [destruct E as [<- E] | no_more | no_more]
  | decimal (N.of_nat _) +++ _ = decimal (N.of_nat _) +++ _ =>
      apply decimal_once in E; [destruct E as [X E]; apply Nat2N.inj in X; subst | no_more | no_more]
  | count (Npos _) _ +++ _ = count (Npos _) _ +++ _ => apply count_once in E; destruct E as [X E]; injection X as <-
  | count (N.of_nat _) _ +++ _ = count (N.of_nat _) _ +++ _ => apply count_once in E; destruct E as [X E]; apply Nat2N.inj in X; subst
  | decimal _ +++ _ = decimal _ +++ _ => apply decimal_once in E; [destruct E as [<- E] | no_more | no_more]
  | count _ _ +++ _ = count _ _ +++ _ => apply count_once in E; destruct E as [<- E]
  | ratio _ +++ _ = ratio _ +++ _ => apply ratio_once in E; [destruct E as [<- E] | no_more | no_more]
  end.

(** Which routings, before what begins so; of which quantity the limit is, is not read here. *)
Lemma those_once t b b' x x' limit limit' what what' a a' :
  In what ["average path length"; "worst-case load"]%string -> In what' ["average path length"; "worst-case load"]%string ->
  (exists rest, a = " has a" +++ rest) -> (exists rest, a' = " has a" +++ rest) ->
  those t b x limit what +++ a = those t b' x' limit' what' +++ a' -> b = b' /\ x = x' /\ limit = limit' /\ a = a'.
Proof.
  intros W W' [rest ->] [rest' ->] E. unfold those, restricted, within in E.
  destruct b, b'; try discriminate E;
    destruct x, x', limit, limit'; cbv beta iota delta [glued fold_right app ends] in E; rewrite ?append_assoc in E;
    read E; try discriminate E; try (rewrite E; auto; fail).
  all: destruct W as [<-|[<-|[]]], W' as [<-|[<-|[]]]; read E; try discriminate E; rewrite E; auto.
Qed.

Ltac read_those E :=
  match type of E with
  | those _ _ _ _ _ +++ _ = those _ _ _ _ _ +++ _ =>
      apply those_once in E; [destruct E as [<- [<- [<- E]]] | simpl; auto | simpl; auto | eexists; reflexivity | eexists; reflexivity]
  end.

Lemma listing_goes_on l : no_fraction (listing l +++ "").
Proof. destruct l as [|p l]; [exact I|]. no_more. Qed.

Lemma listing_once l : forall l', listing l +++ "" = listing l' +++ "" -> l = l'.
Proof.
  induction l as [|[m n u] l IH]; intros [|[m' n' u'] l'] E; try reflexivity; try discriminate E.
  cbn [listing glued fold_right in_a_row of_matrix units] in E. rewrite !append_assoc in E. read E.
  apply ratio_once in E; [|rewrite ?append_assoc; apply listing_goes_on ..]. destruct E as [<- E]. rewrite (IH l' E). reflexivity.
Qed.

Lemma performing_once t w w' a b : somebody w -> somebody w' -> performing t w +++ a = performing t w' +++ b -> w = w' /\ a = b.
Proof.
  intros H H' E. unfold performing in E. destruct w as [[u [l|] c]|[l|]|[l|]], w' as [[u' [l'|] c']|[l'|]|[l'|]].
  all: cbv beta iota delta [glued fold_right app collective_words among_words which among by_whom] in E; rewrite !append_assoc in E; read E.
  all: try discriminate E; try (rewrite E; auto; fail).
  all: destruct u, u'; cbv beta iota delta [spreading_words glued fold_right] in E; rewrite ?append_assoc in E; read E; try discriminate E.
  all: destruct c, c'; read E; try discriminate E; rewrite E; auto.
Qed.

(** Sentences of different first letters differ. *)
Definition letter (s : statement) : ascii :=
  match s with
  | NoChannelCarries _ _ _ _ | ChannelMayCarry _ _ _ _ | ChannelsMayCarry _ _ _ _ | NoneSaturated _ _ | PathLengthIs _ _
  | ThroughputIs _ _ _ _ | FractionIs _ _ _ _ | RelativePathLengthIs _ _ | PhasesTakeJust _ _ _ _ _ => "u"
  | SomeDemandLoads _ _ => "h"
  | EachDemandFits _ _ => "e"
  | ShortestPathLengthIs _ | TimeIs _ _ _ _ => "t"
  | CannotDeadlock _ _ | CanDeadlock _ _ _ | RoutingHasTables _ _ | CannotAvoidCycles _ _ _ => "r"
  | RateIs _ AtMost _ | BandwidthIs _ _ _ AtMost _ => "n"
  | RateIs _ AtLeast _ | BandwidthIs _ _ _ AtLeast _ => "s"
  | TakesAtLeast _ _ _ _ => "a"
  | _ => "w"
  end%char.

Lemma first_letter t s : exists rest, sentence t s = String (letter s) rest.
Proof. destruct s as [? ? [|]| | | | | | | | | | | | | | | | | | | | | |? [|] ?| |? ? ? [|] ?| | ]; eexists; reflexivity. Qed.

Lemma same_letter t s s' : sentence t s = sentence t s' -> letter s = letter s'.
Proof.
  intros E. destruct (first_letter t s) as [a A], (first_letter t s') as [b B]. rewrite A, B in E. injection E as E _. exact E.
Qed.

Theorem one_reading t s s' : nothing_empty s -> nothing_empty s' -> sentence t s = sentence t s' -> s = s'.
Proof.
  intros H H' E. pose proof (same_letter t s s' E) as L. unfold sentence in E.
  destruct s, s'; try discriminate L.
  all: repeat match goal with x : direction |- _ => destruct x | x : bool |- _ => destruct x end; try discriminate L; clear L.
  all: repeat match goal with x : option (list _) |- _ => destruct x end.
  all: cbv beta iota delta [glued fold_right app under every within titled called bound beyond one with_virtual pieces] in E.
  all: read E; try discriminate E.
  all: try (apply performing_once in E; [destruct E as [<- E]; read E; try discriminate E; reflexivity|exact H|exact H']).
  all: try read_those E; read E; try discriminate E; try reflexivity.
  all: try (apply listing_once in E; subst; reflexivity).
  all: repeat match goal with x : kind_of_pairs |- _ => destruct x | x : tables |- _ => destruct x | x : taking |- _ => destruct x end.
  all: cbn [ends tabled takers] in E; read E; try discriminate E; reflexivity.
Qed.

