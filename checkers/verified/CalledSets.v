(** The names of sets of demands: what each of them says, and that no other set has it. *)

Require Import List Bool NArith PArith ZArith QArith Lqa String.
From Routeproof Require Import Sums Checker Words Called Sentences Network Demands Sets.
Import ListNotations.
Local Open Scope Q_scope.

(** [Sparse k]: permutations of at most k packets. *)
Inductive set_definition := Permutations | Sparse (k : positive) | Uniform | AllRoutable.

(** Each terminal sends at most 1, and receives at most 1. *)
Definition at_most_one (total : option Q) : transport := {|
  row _ := Some 1; column _ := Some 1; whole := total; low _ _ := 0; high _ _ := None |}.

Definition defined_set (net : network) (d : set_definition) : demand_set :=
  match d with
  | Permutations => Limits (at_most_one None)
  | Sparse k => Limits (at_most_one (Some (Zpos k # 1)))
  | Uniform => uniform_set net
  | AllRoutable => Routable
  end.

(** The same demands are in both. *)
Definition is_set (net : network) (S : set_of_lists) (d : set_definition) : Prop :=
  forall D, admits net (set_of S) D <-> admits net (defined_set net d) D.

Definition set_definition_name (d : set_definition) : string :=
  match d with
  | Permutations => "permutations"
  | Sparse k => "sparse:" ++ decimal (Npos k)
  | Uniform => "uniform"
  | AllRoutable => "routable"
  end%string.

(** * The test *)

Definition all_one (net : network) (m : option (Map.t Q)) : bool :=
  match m with Some m => forallb (fun t => Qeq_bool (value m (name t)) 1) (terminals net) | None => false end.

Definition set_definition_of (net : network) (S : set_of_lists) : option set_definition :=
  match S with
  | RoutableSet => Some AllRoutable
  | MatricesSet _ => if uniform net S then Some Uniform else None
  | LimitsSet s =>
      match pairs s, limit s with
      | Some _, _ => None
      | None, None => if all_one net (rows s) && all_one net (columns s) then Some Permutations else None
      | None, Some q =>
          match N.div (Z.to_N (Qnum q)) (Npos (Qden q)) with
          | Npos k => if all_one net (rows s) && all_one net (columns s) && Qeq_bool q (Zpos k # 1) then Some (Sparse k) else None
          | N0 => None
          end
      end
  end.

Lemma is_uniform_admits n U D : is_uniform n U -> (admits n (set_of U) D <-> admits n (uniform_set n) D).
Proof.
  intros [l [-> H]]. unfold uniform_set, set_of, admits. simpl map.
  assert (E : forall i j, In i (terminals n) -> In j (terminals n) -> demand_of l i j == uniform_demand n i j).
  { intros i j I J. specialize (H i j I J). unfold uniform_demand. destruct (Key.eqb (source i) (sink j)).
    - apply Qmult_integral in H. destruct H as [H|H]; [|exact H]. exfalso.
      assert (P : 0 < sum (fun _ => 1) (terminals n)); [|lra].
      clear -I. induction (terminals n) as [|x m IH]; [contradiction|]. cbn [sum].
      assert (N : 0 <= sum (fun _ => 1) m) by (apply sum_nonneg; intros; discriminate). lra.
    - assert (N : ~ sum (fun _ => 1) (terminals n) == 0) by (intros Z; rewrite Z in H; lra).
      apply Qmult_inj_l with (sum (fun _ => 1) (terminals n)); [exact N|]. rewrite H. field. exact N. }
  assert (M : forall (a b : demand) w, (forall i j, In i (terminals n) -> In j (terminals n) -> a i j == b i j) ->
    forall i j, In i (terminals n) -> In j (terminals n) -> mixture w [a] i j == mixture w [b] i j).
  { intros a b w A i j I J. destruct w as [|w ws]; simpl; [reflexivity|]. rewrite (A i j I J). destruct ws; reflexivity. }
  assert (G : forall a b, (forall i j, In i (terminals n) -> In j (terminals n) -> a i j == b i j) ->
    is_mean n [a] D -> is_mean n [b] D).
  { intros a b A [w [W1 [W2 [W3 W4]]]]. exists w. repeat (split; [assumption|]). intros i j I J. rewrite (W4 i j I J). apply M; auto. }
  split; intros [P Q]; (split; [exact P|]); eapply G; try exact Q; intros i j I J; [|symmetry]; auto.
Qed.

Lemma within_same q (h h' : option Q) :
  match h, h' with Some a, Some b => a == b | None, None => True | _, _ => False end -> (within q h <-> within q h').
Proof. destruct h, h'; simpl; intros E; try contradiction; [rewrite E|]; tauto. Qed.

Lemma all_one_correct net m : all_one net m = true -> exists l, m = Some l /\ forall t, In t (terminals net) -> value l (name t) == 1.
Proof.
  unfold all_one. destruct m as [l|]; [|discriminate]. rewrite forallb_forall. intros H. exists l. split; [reflexivity|].
  intros t I. apply Qeq_bool_iff. auto.
Qed.

Lemma at_most_one_is net s total : all_one net (rows s) && all_one net (columns s) = true -> pairs s = None ->
  match limit s, total with Some a, Some b => a == b | None, None => True | _, _ => False end ->
  forall D, admits net (Limits (transport_of s)) D <-> admits net (Limits (at_most_one total)) D.
Proof.
  intros H P T D. apply andb_prop in H. destruct H as [R C]. apply all_one_correct in R, C.
  destruct R as [r [ER R]], C as [c [EC C]].
  assert (W : within (over_pairs net D) (limit s) <-> within (over_pairs net D) total) by (apply within_same; exact T).
  unfold admits, within_limits, transport_of, at_most_one. simpl. rewrite ER, EC, P. simpl.
  split; intros [N [A [B [X Y]]]]; (split; [exact N|]); (split; [|split; [|split; [apply W; exact X|exact Y]]]).
  - intros i I. rewrite <- (R i I). auto.
  - intros i I. rewrite <- (C i I). auto.
  - intros i I. rewrite (R i I). auto.
  - intros i I. rewrite (C i I). auto.
Qed.

Lemma set_definition_of_correct net S d : set_definition_of net S = Some d -> is_set net S d.
Proof.
  unfold set_definition_of, is_set. destruct S as [s|l|].
  - destruct (pairs s) eqn:P; [discriminate|]. destruct (limit s) as [q|] eqn:L.
    + destruct (N.div _ _) as [|k]; [discriminate|]. destruct (_ && _ && _) eqn:T; [|discriminate]. intros E. injection E as <-.
      apply andb_prop in T. destruct T as [T Q]. apply Qeq_bool_iff in Q. apply at_most_one_is; [exact T|exact P|]. rewrite L. exact Q.
    + destruct (_ && _) eqn:T; [|discriminate]. intros E. injection E as <-. apply at_most_one_is; [exact T|exact P|]. rewrite L. exact I.
  - destruct (uniform net (MatricesSet l)) eqn:U; [|discriminate]. intros E D. injection E as <-.
    apply is_uniform_admits. apply uniform_correct. exact U.
  - intros E. injection E as <-. intros D. reflexivity.
Qed.

(** What sets are called: by their names if they have one, else by the other words, in quotation marks. *)
Fixpoint titles_of_sets (net : network) (l : list set_of_lists) (quoted : list string) : list string :=
  match l, quoted with
  | x :: l, w :: quoted =>
      match set_definition_of net x with Some d => set_definition_name d | None => in_marks w end :: titles_of_sets net l quoted
  | _, _ => []
  end.

(** A name without quotation marks is true. *)
Definition honest_sets (p : subject) (name_at : nat -> string) : Prop :=
  forall k S, nth_error (sets p) k = Some S ->
  in_quotes (name_at k) = true \/ exists d, name_at k = set_definition_name d /\ is_set (net p) S d.

Theorem titles_of_sets_are_honest p quoted : honest_sets p (fun k => nth k (titles_of_sets (net p) (sets p) quoted) """"%string).
Proof.
  intros k S. revert k quoted. generalize (sets p).
  induction l as [|S' l IH]; intros [|k] [|w quoted] E; try discriminate; try (left; reflexivity).
  - injection E as ->. simpl. destruct (set_definition_of (net p) S) as [d|] eqn:F; [right|left; apply in_marks_correct].
    exists d. split; [reflexivity|]. apply set_definition_of_correct. exact F.
  - simpl. apply (IH k quoted). exact E.
Qed.
