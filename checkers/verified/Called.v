(** The names of routings: what each of them says, and that no other routing has it. *)

Require Import List Bool Arith NArith PArith ZArith QArith Ascii String.
From Routeproof Require Import Sums Network Symmetry Order Checker Words Grids Named GridRoutings.
Import ListNotations.
Local Open Scope string_scope.

(** An option that is not written is [None]: ties are split, dimensions come in their order (of romm: in random ones). *)
Inductive on_grid :=
  | NamedDor (t : option ties) (o : option ordering)
  | NamedO1turn (t : option ties)
  | NamedValiant (t : option ties) (o : option (list nat))
  | NamedRomm (union : option bool) (o : option (list nat * list nat)).

Inductive definition := Minimal (k : chosen) | OnGrid (g : grid) (n : on_grid).

Definition or {A} (default : A) (x : option A) : A := match x with Some a => a | None => default end.

Definition dimensions (g : grid) : list nat := seq 0 (List.length (radices g)).

Definition rule_of (g : grid) (n : on_grid) : rule :=
  match n with
  | NamedDor t o => DimensionOrder (or Split t) (or (InOrder (dimensions g)) o)
  | NamedO1turn t => DimensionOrder (or Split t) InRandomOrder
  | NamedValiant t o => Valiant (or Split t) (InOrder (or (dimensions g) o))
  | NamedRomm union (Some (o, o')) => Romm (or false union) (InOrder o) (InOrder o')
  | NamedRomm union None => Romm (or false union) InRandomOrder InRandomOrder
  end.

(** Every dimension once; those of more than ten have no letters. O1turn is of two. *)
Definition all_once (g : grid) (o : list nat) : bool :=
  Nat.eqb (List.length o) (List.length (dimensions g)) && forallb (fun m => existsb (Nat.eqb m) o) (dimensions g) &&
  Nat.leb (List.length o) 10.

Definition makes_sense (g : grid) (n : on_grid) : bool :=
  match n with
  | NamedDor _ (Some (InOrder o)) | NamedValiant _ (Some o) => all_once g o
  | NamedRomm _ (Some (o, o')) => all_once g o && all_once g o'
  | NamedO1turn _ => Nat.eqb (List.length (dimensions g)) 2
  | _ => true
  end.

(** The routing is what the name says; if it is given by paths, in its paths. *)
Definition is_defined (net : network) (r : shown) (d : definition) : Prop :=
  match d, data r with
  | Minimal k, ByLoads _ => minimal net k (the_routing r)
  | Minimal k, ByPaths l => by_images r = None /\ minimal_paths net k (between r) l
  | OnGrid g n, ByLoads _ => makes_sense g n = true /\ follows_rule g (rule_of g n) net (the_routing r)
  | OnGrid g n, ByPaths l => by_images r = None /\ makes_sense g n = true /\ paths_follow_rule g (rule_of g n) net (between r) l
  end.

(** * Names *)

Definition letter (g : grid) (m : nat) : string :=
  if Nat.leb (List.length (dimensions g)) 4 then nth m ["x"; "y"; "z"; "w"] "" else decimal (N.of_nat m).

Definition letters (g : grid) (o : list nat) : string := fold_right (fun m s => letter g m ++ s) "" o.

Definition with_options (family : string) (l : list (option string)) : string :=
  match flat_map (fun x => match x with Some s => [s] | None => [] end) l with
  | [] => family
  | [a] => family ++ ":" ++ a
  | a :: rest => family ++ ":" ++ fold_left (fun s b => s ++ "," ++ b) rest a
  end.

Definition tie_words (t : option ties) : option string :=
  option_map (fun t => match t with Split => "tie=split" | Plus => "tie=plus" end) t.

Definition definition_name (d : definition) : string :=
  match d with
  | Minimal PerHop => "minimal:choice=per-hop"
  | Minimal PerPath => "minimal:choice=per-path"
  | OnGrid g n =>
      let order := option_map (fun o => "order=" ++ letters g o) in
      match n with
      | NamedDor t o => with_options "dor" [tie_words t;
          option_map (fun o => match o with InOrder l => "order=" ++ letters g l | InRandomOrder => "order=random" end) o]
      | NamedO1turn t => with_options "o1turn" [tie_words t]
      | NamedValiant t o => with_options "valiant" [tie_words t; order o]
      | NamedRomm union o => with_options "romm" [option_map (fun u : bool => if u then "tie=union" else "tie=split") union;
          option_map (fun oo => "order=" ++ letters g (fst oo) ++ "-" ++ letters g (snd oo)) o]
      end
  end.

(** It begins with a quotation mark. *)
Definition in_quotes (w : string) : bool := match w with String c _ => Ascii.eqb c """" | EmptyString => false end.

(** In quotation marks, if it is not so already. *)
Definition in_marks (w : string) : string := if in_quotes w then w else """" ++ w.

Lemma in_marks_correct w : in_quotes (in_marks w) = true.
Proof. unfold in_marks. destruct (in_quotes w) eqn:E; [exact E|reflexivity]. Qed.

Lemma definition_is_not_in_quotes d : in_quotes (definition_name d) = false.
Proof.
  destruct d as [[|]|g [t o|t|t o|u o]]; try reflexivity; unfold definition_name, with_options; destruct t || destruct u; try destruct o; reflexivity.
Qed.

(** * The test *)

Definition check_defined (net : network) (r : shown) (d : definition) : bool :=
  match d, data r with
  | Minimal k, ByLoads l => check_minimal net k (between r) l
  | Minimal k, ByPaths l => match by_images r with None => check_minimal_paths net k (between r) l | Some _ => false end
  | OnGrid g n, ByLoads _ =>
      match name_of_grid g net with Some _ => makes_sense g n && check_follows g (rule_of g n) net r | None => false end
  | OnGrid g n, ByPaths l =>
      match by_images r, name_of_grid g net with
      | None, Some _ => makes_sense g n && check_paths_follow g (rule_of g n) net (between r) l
      | _, _ => false
      end
  end.

Lemma check_defined_correct net r d : NoDup (map number (channels net)) -> NoDup (map name (terminals net)) ->
  check_shown net r = true -> check_defined net r d = true -> is_defined net r d.
Proof.
  intros U UT S H. unfold check_defined, is_defined in *. destruct d as [k|g n]; destruct (data r) as [l|l] eqn:E.
  - apply minimal_correct; try assumption. rewrite E. exact H.
  - destruct (by_images r); [discriminate|]. split; [reflexivity|]. apply minimal_paths_correct; assumption.
  - destruct (name_of_grid g net) as [w|] eqn:G; [|discriminate]. apply named_is_true in G. destruct G as [_ G].
    apply andb_prop in H. destruct H as [M H]. split; [exact M|]. apply check_follows_correct; assumption.
  - destruct (by_images r); [discriminate|]. destruct (name_of_grid g net) as [w|] eqn:G; [|discriminate].
    apply named_is_true in G. destruct G as [_ G]. apply andb_prop in H. destruct H as [M H]. split; [reflexivity|]. split; [exact M|].
    apply check_paths_follow_correct; assumption.
Qed.

(** What a routing is called: by its name if it is that, else by the other words, in quotation marks. Loads on a grid are
    compared with the definition; others must be known to be a routing first. *)
Definition title_of (net : network) (good : bool) (r : shown) (wanted : option definition * string) : string :=
  let quoted := in_marks (snd wanted) in
  match fst wanted with
  | Some d =>
      if good && match d with Minimal _ => check_shown net r | OnGrid _ _ => true end && check_defined net r d
      then definition_name d else quoted
  | None => quoted
  end.

Definition titles_of (p : subject) (wanted : list (option definition * string)) : list string :=
  let good := check_network (net p) in map (fun x => title_of (net p) good (fst x) (snd x)) (combine (routings p) wanted).

(** A name without quotation marks is true. *)
Definition honest (p : subject) (name_at : nat -> string) : Prop :=
  forall k r, nth_error (routings p) k = Some r ->
  in_quotes (name_at k) = true \/ exists d, name_at k = definition_name d /\ is_defined (net p) r d.

Theorem titles_are_honest p wanted : (forall r, In r (routings p) -> check_shown (net p) r = true) ->
  honest p (fun k => nth k (titles_of p wanted) """").
Proof.
  intros W k r E. pose proof (W r (nth_error_In _ _ E)) as S. clear W. unfold titles_of. cbv zeta. revert k wanted E. generalize (routings p).
  induction l as [|r' l IH]; intros [|k] [|w wanted] E; try discriminate; try (left; reflexivity).
  - injection E as ->. simpl. unfold title_of.
    pose proof (in_marks_correct (snd w)) as Q.
    destruct (fst w) as [d|]; [|left; exact Q]. destruct (_ && _ && _) eqn:T; [right|left; exact Q].
    apply andb_prop in T. destruct T as [T D]. apply andb_prop in T. destruct T as [N _].
    apply check_network_correct in N. destruct N as [UC [UT _]]. exists d. split; [reflexivity|].
    apply check_defined_correct; assumption.
  - simpl. apply (IH k wanted). exact E.
Qed.
