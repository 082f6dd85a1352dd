(** What is printed of destination graphs: the sentences, what each of them means, and that they are true. *)

Require Import List Bool Arith NArith ZArith Lia Ascii String.
From Routeproof Require Import Graph Checker Words Sentences Reading Said.
Import ListNotations.
Local Open Scope string_scope.
Local Open Scope list_scope.

(** * Statements *)

(** Nodes by their numbers, of which they are the digits. *)
Inductive graph_statement :=
  | NoneMeet (destinations_too : bool)
  | PacketsMeet (a z b y n : Z)
  | LastMoveAt (n : Z)
  | EveryMinimal.

Definition number_of (t : Z) (v : vector) : Z := fold_left (fun n x => (n * t + x)%Z) v 0%Z.

(** [g]: what the graph is called. *)
Definition graph_sentence (g : string) (s : graph_statement) : string :=
  glued match s with
  | NoneMeet false => ["by the graph "; g; ", no two packets of different origins meet"]
  | NoneMeet true => ["by the graph "; g; ", no two packets of different origins and destinations meet"]
  | PacketsMeet a z b y n =>
      ["by the graph "; g; ", packets from "; integer a; " to "; integer z; " and from "; integer b; " to "; integer y;
       " meet at step "; integer n]
  | LastMoveAt n => ["the last move of the graph "; g; " is at step "; integer n]
  | EveryMinimal => ["by the graph "; g; " every node makes as many moves as it has digits that are not 0"]
  end.

Definition graph_means (t : Z) (d : nat) (g : graph) (s : graph_statement) : Prop :=
  match s with
  | NoneMeet false => many_one t d g
  | NoneMeet true => permutation t d g
  | PacketsMeet a z b y n => exists a' z' b' y', number_of t a' = a /\ number_of t z' = z /\ number_of t b' = b /\
      number_of t y' = y /\ exists many, two_meet t d g many a' z' b' y' n
  | LastMoveAt n => last_step g n
  | EveryMinimal => minimum_routing g
  end.

Theorem one_reading_of_graphs g s s' : graph_sentence g s = graph_sentence g s' -> s = s'.
Proof.
  intros E. unfold graph_sentence in E.
  destruct s as [[|]|a z b y n|n|], s' as [[|]|a' z' b' y' n'|n'|]; cbv beta iota delta [glued fold_right] in E;
    try discriminate E; try reflexivity; repeat match type of E with
    | append ?a _ = append ?a _ => apply append_same in E
    | append (integer _) _ = append (integer _) _ => apply integer_once in E; [destruct E as [<- E]|no_more|no_more]
    end; try discriminate E; reflexivity.
Qed.

(** * What is printed *)

Definition graph_statement_of (t : Z) (c : graph_claim) : graph_statement :=
  match c with
  | ManyOne _ => NoneMeet false
  | Permutation _ => NoneMeet true
  | TwoMeet _ a z b y n => PacketsMeet (number_of t a) (number_of t z) (number_of t b) (number_of t y) n
  | LastStep n => LastMoveAt n
  | Minimum => EveryMinimal
  end.

Definition graph_words (g : string) (t : Z) (claims : list graph_claim) : list string :=
  map (fun c => graph_sentence g (graph_statement_of t c)) claims.

Definition printed_of_graph (name : string) (t : Z) (d : nat) (g : graph) (claims : list graph_claim) : verdict * list string :=
  match check_about_graph t d g claims with
  | AllHold => (AllHold, lines 0 (graph_words name t claims))
  | bad => (bad, [])
  end.

Theorem printed_of_graph_is_true name t d g claims l : printed_of_graph name t d g claims = (AllHold, l) ->
  forall line, In line l -> exists k s,
    line = glued [from_1 k; ". "; graph_sentence name s; ": holds"] /\ graph_means t d g s.
Proof.
  unfold printed_of_graph. destruct (check_about_graph t d g claims) eqn:C; try discriminate. intros E line L.
  injection E as <-. destruct (lines_of _ _ _ L) as [k [w [I ->]]]. apply in_map_iff in I. destruct I as [c [<- I]].
  destruct (check_about_graph_correct t d g claims C) as [_ H]. specialize (H c I).
  exists k, (graph_statement_of t c). split; [reflexivity|]. destruct c as [sl|sl|many a z b y n|n|]; try exact H.
  exists a, z, b, y. repeat (split; [reflexivity|]). exists many. exact H.
Qed.
