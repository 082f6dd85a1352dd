(** What a network, a flow, a routing, a demand, a set of demands and a load are.
    These definitions give the theorems their meaning; everything else in this folder can be taken on trust of Coq. *)

Require Import List Bool PArith ZArith QArith Lqa.
From Routeproof Require Import Sums.
Import ListNotations.
Local Open Scope Q_scope.

(** * Networks *)

(** Nodes, channels and terminals have numbers. (Here they count from 1; files count from 0.) *)
Record channel := Channel { number : positive; tail : positive; head : positive; bandwidth : Q }.

(** A terminal sends at the node [source] and receives at the node [sink]. *)
Record terminal := Terminal { name : positive; source : positive; sink : positive }.

Record network := Network { channels : list channel; terminals : list terminal }.

Definition well_formed (net : network) : Prop :=
  NoDup (map number (channels net)) /\ NoDup (map name (terminals net)) /\
  forall c, In c (channels net) -> 0 < bandwidth c.

(** * Flows *)

(** How much crosses each channel, given by its number. *)
Definition flow := positive -> Q.

Definition leaving (net : network) (f : flow) (v : positive) : Q :=
  sum (fun c => when (Key.eqb (tail c) v) (f (number c))) (channels net).

Definition entering (net : network) (f : flow) (v : positive) : Q :=
  sum (fun c => when (Key.eqb (head c) v) (f (number c))) (channels net).

(** [f] takes [q] units from node [s] to node [d], and loses nothing on the way. *)
Definition ships (net : network) (s d : positive) (q : Q) (f : flow) : Prop :=
  (forall c, In c (channels net) -> 0 <= f (number c)) /\
  forall v, leaving net f v - entering net f v == when (Key.eqb s v) q - when (Key.eqb d v) q.

(** * Routings and demands *)

(** [R i j c]: how much of one unit from terminal i to terminal j crosses channel c. *)
Definition routing := terminal -> terminal -> flow.

(** Every pair of terminals at different nodes has a unit flow; between terminals at one node nothing enters the network. *)
Definition routes (net : network) (R : routing) : Prop :=
  forall i j, In i (terminals net) -> In j (terminals net) ->
  if Key.eqb (source i) (sink j) then forall c, In c (channels net) -> R i j (number c) == 0
  else ships net (source i) (sink j) 1 (R i j).

(** [D i j]: what terminal i sends to terminal j. (Also to itself: that crosses the network only if it sends and
    receives at different nodes.) *)
Definition demand := terminal -> terminal -> Q.

Definition over_pairs (net : network) (f : terminal -> terminal -> Q) : Q :=
  sum (fun i => sum (fun j => f i j) (terminals net)) (terminals net).

(** The load of channel c under the demand D. *)
Definition load (net : network) (R : routing) (D : demand) (c : channel) : Q :=
  over_pairs net (fun i j => D i j * R i j (number c)).

(** Under D no channel carries more than w times its bandwidth. *)
Definition load_at_most (net : network) (R : routing) (D : demand) (w : Q) : Prop :=
  forall c, In c (channels net) -> load net R D c <= w * bandwidth c.

(** The average path length is this sum over the square of the number of terminals. *)
Definition all_loads (net : network) (R : routing) : Q :=
  over_pairs net (fun i j => sum (fun c => R i j (number c)) (channels net)).

(** A routing between nodes treats the terminals of a node alike; one between terminals need not. *)
Inductive kind_of_pairs := Nodes | Terminals.

Definition sends_as (b : kind_of_pairs) (i : terminal) : positive := match b with Nodes => source i | Terminals => name i end.
Definition receives_as (b : kind_of_pairs) (j : terminal) : positive := match b with Nodes => sink j | Terminals => name j end.

Definition is_between (b : kind_of_pairs) (net : network) (R : routing) : Prop :=
  forall i i' j j', In i (terminals net) -> In i' (terminals net) -> In j (terminals net) -> In j' (terminals net) ->
  sends_as b i = sends_as b i' -> receives_as b j = receives_as b j' ->
  forall c, In c (channels net) -> R i j (number c) == R i' j' (number c).

(** * Sets of demands *)

(** [None] is no limit. A pair that may not send has the highest demand 0. *)
Definition within (q : Q) (limit : option Q) : Prop := match limit with Some h => q <= h | None => True end.

Record transport := Transport {
  row : terminal -> option Q;
  column : terminal -> option Q;
  whole : option Q;
  low : terminal -> terminal -> Q;
  high : terminal -> terminal -> option Q
}.

Inductive demand_set :=
  | Limits (t : transport)               (* all demands within these limits *)
  | Matrices (l : list demand)           (* all weighted means of these *)
  | Routable.                            (* all that some flow carries within the bandwidths *)

Fixpoint mixture (weights : list Q) (l : list demand) (i j : terminal) : Q :=
  match weights, l with
  | w :: weights, m :: l => w * m i j + mixture weights l i j
  | _, _ => 0
  end.

Definition within_limits (net : network) (t : transport) (D : demand) : Prop :=
  (forall i, In i (terminals net) -> within (sum (fun j => D i j) (terminals net)) (row t i)) /\
  (forall j, In j (terminals net) -> within (sum (fun i => D i j) (terminals net)) (column t j)) /\
  within (over_pairs net D) (whole t) /\
  (forall i j, In i (terminals net) -> In j (terminals net) -> low t i j <= D i j /\ within (D i j) (high t i j)).

Definition is_mean (net : network) (l : list demand) (D : demand) : Prop :=
  exists weights, length weights = length l /\ (forall w, In w weights -> 0 <= w) /\ sum (fun w => w) weights == 1 /\
  forall i j, In i (terminals net) -> In j (terminals net) -> D i j == mixture weights l i j.

Definition is_routable (net : network) (D : demand) : Prop :=
  exists F : terminal -> terminal -> flow,
  (forall i j, In i (terminals net) -> In j (terminals net) -> ships net (source i) (sink j) (D i j) (F i j)) /\
  forall c, In c (channels net) -> over_pairs net (fun i j => F i j (number c)) <= bandwidth c.

Definition admits (net : network) (S : demand_set) (D : demand) : Prop :=
  (forall i j, In i (terminals net) -> In j (terminals net) -> 0 <= D i j) /\
  match S with
  | Limits t => within_limits net t D
  | Matrices l => is_mean net l D
  | Routable => is_routable net D
  end.

(** * Worst cases *)

(** No demand of the set loads one of these channels by more than w times its bandwidth. *)
Definition worst_case_at_most (net : network) (R : routing) (S : demand_set) (some : channel -> Prop) (w : Q) : Prop :=
  forall D, admits net S D -> forall c, In c (channels net) -> some c -> load net R D c <= w * bandwidth c.

(** Some demand of the set loads this channel by at least w times its bandwidth. *)
Definition worst_case_at_least (net : network) (R : routing) (S : demand_set) (c : channel) (w : Q) : Prop :=
  exists D, admits net S D /\ w * bandwidth c <= load net R D c.
