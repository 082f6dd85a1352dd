(** What is printed: the sentences, what each of them means, and that they are true if the checker says yes. *)

Require Import List Bool Arith NArith PArith ZArith QArith Lia Ascii String.
From Routeproof Require Import Sums Network Flows Demands Sets Worst Design Loads Symmetry Throughput Order Waiting Lanes Tables Collective AllReduce Phases Checker Words.
Import ListNotations.
Local Open Scope string_scope.
Local Open Scope list_scope.

(** * Statements *)

(** Which broadcasts: ranks and root by the numbers of their terminals; [None]: all terminals are ranks. *)
Inductive spreading := Gather | Reduce | Cast (root : positive).
Record broadcasts := Broadcasts { which : spreading; among : option (list positive); by_whom : copying }.

(** Schedules of a broadcast, or all-reduces of the two kinds among some ranks. *)
Inductive performers := Schedules (k : broadcasts) | OneValue (some : option (list positive)) | Sums (some : option (list positive)).

(** Everything that a sentence says. Routings and sets are given by their positions in the proof. *)
Inductive statement :=
  | NoChannelCarries (r s : nat) (some : option (list positive)) (w : Q)
  | ChannelMayCarry (r s : nat) (c : positive) (w : Q)
  | ChannelsMayCarry (r s : nat) (l : list positive) (w : Q)
  | NoneSaturated (r s : nat)
  | EveryLoad (s : nat) (b : kind_of_pairs) (some : restriction) (limit : option Q) (w : Q)
  | EveryPathLength (s : nat) (b : kind_of_pairs) (some : restriction) (limit : option Q) (h : Q)
  | SomeDemandLoads (s : nat) (w : Q)
  | EachDemandFits (s : nat) (w : Q)
  | PathLengthIs (r : nat) (h : Q)
  | ShortestPathLengthIs (h : Q)
  | ThroughputIs (r s : nat) (d : direction) (x : Q)
  | FractionIs (r s : nat) (d : direction) (x : Q)
  | BestThroughputIs (s : nat) (d : direction) (x : Q)
  | EveryThroughput (s : nat) (b : kind_of_pairs) (some : restriction) (limit : option Q) (x : Q)
  | EveryFraction (s : nat) (b : kind_of_pairs) (some : restriction) (limit : option Q) (x : Q)
  | PriceIs (s : nat) (b : kind_of_pairs) (d : direction) (x : Q)
  | RelativePathLengthIs (r : nat) (x : Q)
  | EveryRelativePathLength (s : nat) (b : kind_of_pairs) (some : restriction) (limit : option Q) (x : Q)
  | CannotDeadlock (r : nat) (v : positive)
  | CanDeadlock (r : nat) (v : positive) (n : nat)
  | RoutingHasTables (r : nat) (of : tables)
  | CannotAvoidCycles (r : nat) (by_what : taking) (m : N)
  | RateIs (w : performers) (d : direction) (x : Q)
  | PhasesTakeJust (r s : nat) (x latency : Q) (l : list phase)
  | BandwidthIs (w : performers) (bus : bool) (f : N) (d : direction) (x : Q)
  | TakesAtLeast (w : performers) (phases : N) (latency x : Q)
  | TimeIs (k : nat) (d : direction) (x : Q) (w : performers).

(** ** In words *)

(** What stands in parentheses after "routing 1" and "set 1", how the ways that a claim lists are called, and how many
    terminals there are. *)
Record names := Names { routing_name : nat -> string; set_name : nat -> string; list_name : nat -> string; num_terminals : N }.

Definition glued (l : list string) : string := fold_right append "" l.

Section In_words.
  Variable t : names.

  (* positions and numbers count from 0 here, numbers of channels and terminals from 1; in words both as in files *)
  Definition from_1 (k : nat) : string := decimal (N.of_nat (S k)).
  Definition numbers (l : list positive) : string := joined (map Pos.pred_N l).

  Definition called (r : nat) : list string := ["routing "; from_1 r; " ("; routing_name t r; ")"].
  Definition titled (s : nat) : list string := ["set "; from_1 s; " ("; set_name t s; ")"].
  Definition under (r s : nat) : list string := ["under "] ++ called r ++ [", with demands of "] ++ titled s.
  Definition ends (b : kind_of_pairs) : string := match b with Nodes => "nodes" | Terminals => "terminals" end.

  Definition tabled (of : tables) : string :=
    match of with ForDestinations => "one next channel for each node and destination" | ForPairs => "one path for each pair" end.

  Definition takers (by_what : taking) : string :=
    match by_what with
    | EachPath => "each path takes"
    | EachNode => "the paths to each node take"
    | EachHop => "each hop of each path takes"
    end.

  Definition restricted (some : restriction) : list string :=
    match some with
    | Whatever => []
    | KeepTo k size =>
        [" in which "; count (N.of_nat size) "pair"; " keep to the paths or channels listed in claim "; from_1 k; " as "; list_name t k]
    end.

  Definition within (some : restriction) (limit : option Q) (what : string) : list string :=
    match limit with
    | None => []
    | Some q => [match some with Whatever => "" | KeepTo _ _ => " and" end; " whose "; what; " is at most "; ratio q]
    end.

  (** Which routings. *)
  Definition those (b : kind_of_pairs) (some : restriction) (limit : option Q) (what : string) : string :=
    glued ([ends b] ++ restricted some ++ within some limit what).

  Definition every (s : nat) (b : kind_of_pairs) (some : restriction) (limit : option Q) (what : string) : list string :=
    ["with demands of "] ++ titled s ++ [", every routing between "; those b some limit what].

  Definition bound (d : direction) (x : Q) : list string := [match d with AtLeast => "at least " | AtMost => "at most " end; ratio x].

  Fixpoint listing (l : list phase) : string :=
    match l with
    | [] => ""
    | p :: l =>
        glued ["; "; ratio (in_a_row p); " times matrix "; from_1 (of_matrix p); ", multiplied by "; ratio (units p); listing l]
    end.

  Definition with_virtual (r : nat) (v : positive) : list string :=
    called r ++ [", with "; count (Npos v) "virtual channel"; " to a channel"].

  Definition among_words (some : option (list positive)) : list string :=
    match some with
    | None => [" among all "; decimal (num_terminals t); " terminals"]
    | Some l => [" among the terminals "; numbers l]
    end.

  Definition spreading_words (w : spreading) : string :=
    match w with
    | Gather => "an all-gather"
    | Reduce => "a reduce-scatter"
    | Cast r => glued ["a broadcast from terminal "; decimal (Pos.pred_N r)]
    end.

  Definition collective_words (k : broadcasts) : list string :=
    [spreading_words (which k)] ++
    among_words (among k) ++
    [match which k with Reduce => ", added up " | _ => ", copied " end;
     match by_whom k with ByAll => "at any node" | ByRanks => "at nodes of ranks alone" end].

  Definition performing (w : performers) : string :=
    glued match w with
          | Schedules k => ["schedule of "] ++ collective_words k
          | OneValue some => ["all-reduce"] ++ among_words some ++ [" with one value a message, added up and copied at nodes of ranks alone"]
          | Sums some => ["all-reduce"] ++ among_words some ++ [", added up and copied at nodes of ranks alone"]
          end.

  Definition one (d : direction) (w : performers) : list string := [match d with AtLeast => "some " | AtMost => "no " end; performing w].
  Definition beyond (d : direction) (x : Q) : list string := [match d with AtLeast => "of at least " | AtMost => "above " end; ratio x].

  Definition pieces (s : statement) : list string :=
    match s with
    | NoChannelCarries r s None w => under r s ++ [", no channel carries more than "; ratio w; " times its bandwidth"]
    | NoChannelCarries r s (Some l) w =>
        under r s ++ [", none of the channels "; numbers l; " carries more than "; ratio w; " times its bandwidth"]
    | ChannelMayCarry r s c w =>
        under r s ++ [", channel "; decimal (Pos.pred_N c); " may carry at least "; ratio w; " times its bandwidth"]
    | ChannelsMayCarry r s l w =>
        under r s ++ [", each of the channels "; numbers l; " may carry at least "; ratio w; " times its bandwidth"]
    | NoneSaturated r s => under r s ++ [", no channel is saturated if all rows are reduced by one factor below 1"]
    | EveryLoad s b some limit w => every s b some limit "average path length" ++ [" has a worst-case load of at least "; ratio w]
    | EveryPathLength s b some limit h =>
        every s b some limit "worst-case load" ++ [" has an average path length of "] ++ bound AtLeast h
    | SomeDemandLoads s w =>
        ["however it is routed, some demand of "] ++ titled s ++
        [" loads a channel with at least "; ratio w; " times its bandwidth"]
    | EachDemandFits s w => ["each demand of "] ++ titled s ++ [" can be routed within "; ratio w; " times all bandwidths"]
    | PathLengthIs r h => ["under "] ++ called r ++ [" the average path length is "; ratio h]
    | ShortestPathLengthIs h => ["the average path length of shortest paths is "; ratio h]
    | ThroughputIs r s d x => under r s ++ [", the throughput is "] ++ bound d x
    | FractionIs r s d x => under r s ++ [", the throughput is "] ++ bound d x ++ [" times the capacity"]
    | BestThroughputIs s d x =>
        ["with demands of "] ++ titled s ++ [", each routed as is best for it, the throughput is "] ++ bound d x
    | EveryThroughput s b some limit x => every s b some limit "average path length" ++ [" has a throughput of "] ++ bound AtMost x
    | EveryFraction s b some limit x =>
        every s b some limit "average path length" ++ [" has a throughput of "] ++ bound AtMost x ++ [" times the capacity"]
    | PriceIs s b d x =>
        ["with demands of "] ++ titled s ++ [", the price of obliviousness of routings between "; ends b; " is "] ++ bound d x
    | RelativePathLengthIs r x =>
        ["under "] ++ called r ++ [" the average path length is "; ratio x; " times that of shortest paths"]
    | EveryRelativePathLength s b some limit x =>
        every s b some limit "worst-case load" ++ [" has an average path length of "] ++ bound AtLeast x ++
        [" times that of shortest paths"]
    | CannotDeadlock r v => with_virtual r v ++ [", cannot deadlock"]
    | CanDeadlock r v n => with_virtual r v ++ [", has a cycle of "; decimal (N.of_nat n); " dependencies"]
    | RoutingHasTables r of => called r ++ [" has "; tabled of]
    | CannotAvoidCycles r by_what m =>
        called r ++ [", on "; count m "virtual channel"; " to a channel, has a cycle of dependencies, whichever one "; takers by_what]
    | RateIs w d x => one d w ++ [", has a rate "] ++ beyond d x
    | PhasesTakeJust r s x latency l =>
        under r s ++ [", phases with a latency of "; ratio latency; " each take just "; ratio x; " cycles"; listing l]
    | BandwidthIs w bus f d x =>
        one d w ++ [", has a"; if bus then " bus" else "n algorithm"; " bandwidth ("; decimal f; " times the rate) "] ++ beyond d x
    | TakesAtLeast w m latency x =>
        ["any "; performing w; ", takes at least "; ratio x; " cycles in "; count m "phase"; " with a latency of "; ratio latency; " each"]
    | TimeIs k d x w =>
        ["the time of claim "; from_1 k; " is "] ++ bound d x ++ [" times one over the best rate of any "; performing w]
    end.

  Definition sentence (s : statement) : string := glued (pieces s).
End In_words.

(** ** What they mean *)

Definition about_routing (p : subject) (r : nat) (P : shown -> Prop) : Prop := at_position (routings p) r P.
Definition about_set (p : subject) (s : nat) (P : demand_set -> Prop) : Prop := at_position (sets p) s (fun S => P (set_of S)).
Definition about (p : subject) (r s : nat) (P : routing -> demand_set -> Prop) : Prop :=
  about_routing p r (fun R => about_set p s (P (the_routing R))).

(** Uniform demand: every terminal sends as much to every terminal at another node, 1 / T of T terminals. Its best
    throughput is the capacity. *)
Definition uniform_demand (n : network) : demand :=
  fun i j => (if Key.eqb (source i) (sink j) then 0 else 1 / sum (fun _ => 1) (terminals n))%Q.

Definition uniform_set (n : network) : demand_set := Matrices [uniform_demand n].

Definition is_named (n : network) (k : broadcasts) (K : collective) : Prop :=
  match which k, task K with
  | Gather, AllGather | Reduce, ReduceScatter => True
  | Cast r, Broadcast R => In R (terminals n) /\ name R = r
  | _, _ => False
  end /\
  match among k with
  | None => forall r, In r (ranks K) <-> In r (terminals n)
  | Some l => (forall r, In r (ranks K) -> In r (terminals n)) /\ map name (ranks K) = l
  end /\
  copied K = by_whom k.

Definition is_called (n : network) (w : performers) (W : performer) : Prop :=
  match w, W with
  | Schedules k, Schedule K => is_named n k K
  | OneValue some, OneValueEach rs | Sums some, AddedAndCopied rs => is_named n (Broadcasts Gather some ByRanks) (gathering rs)
  | _, _ => False
  end.

Local Open Scope Q_scope.

Definition means (p : subject) (s : statement) : Prop :=
  let n := net p in
  match s with
  | NoChannelCarries r s some w => about p r s (fun R S => worst_case_at_most n R S (focused some) w)
  | ChannelMayCarry r s k w =>
      about p r s (fun R S => exists c, In c (channels n) /\ number c = k /\ worst_case_at_least n R S c w)
  | ChannelsMayCarry r s l w =>
      about p r s (fun R S => forall k, In k l -> exists c, In c (channels n) /\ number c = k /\ worst_case_at_least n R S c w)
  | NoneSaturated r s =>
      about_routing p r (fun R => at_position (sets p) s (fun S => exists l, S = LimitsSet l /\
        forall f D, 0 <= f -> f < 1 -> admits n (Limits (reduced l f)) D ->
        forall c, In c (channels n) -> load n (the_routing R) D c < bandwidth c))
  | EveryLoad s b some limit w =>
      about_set p s (fun S => every_routing p b some (fun R => length_limited n limit R ->
        forall w', worst_load_at_most n R S w' -> w <= w'))
  | EveryPathLength s b some limit h =>
      about_set p s (fun S => every_routing p b some (fun R => load_limited n S limit R ->
        forall h', path_length_at_most n R h' -> h <= h'))
  | SomeDemandLoads s w => about_set p s (fun S => exists D, admits n S D /\ forall w', can_be_routed n D w' -> w <= w')
  | EachDemandFits s w => about_set p s (fun S => forall D, admits n S D -> can_be_routed n D w)
  | PathLengthIs r h => about_routing p r (fun R => path_length_is n (the_routing R) h)
  | ShortestPathLengthIs h => shortest_average n h
  | ThroughputIs r s AtLeast x => about p r s (fun R S => throughput_at_least n R S x)
  | ThroughputIs r s AtMost x => about p r s (fun R S => throughput_at_most n R S x)
  | FractionIs r s AtLeast x => about p r s (fun R S => fraction_at_least n R S (uniform_set n) x)
  | FractionIs r s AtMost x => about p r s (fun R S => fraction_at_most n R S (uniform_set n) x)
  | BestThroughputIs s AtLeast x => about_set p s (fun S => best_throughput_at_least n S x)
  | BestThroughputIs s AtMost x => about_set p s (fun S => best_throughput_at_most n S x)
  | EveryThroughput s b some limit x =>
      about_set p s (fun S => every_routing p b some (fun R => length_limited n limit R -> throughput_at_most n R S x))
  | EveryFraction s b some limit x =>
      about_set p s (fun S => every_routing p b some (fun R => length_limited n limit R ->
        fraction_at_most n R S (uniform_set n) x))
  | PriceIs s b AtLeast x => about_set p s (fun S => price_at_least n b S x)
  | PriceIs s b AtMost x => about_set p s (fun S => price_at_most n b S x)
  | RelativePathLengthIs r x =>
      about_routing p r (fun R => exists h, 0 < h /\ shortest_average n h /\ path_length_is n (the_routing R) (x * h))
  | EveryRelativePathLength s b some limit x =>
      exists h, 0 < h /\ shortest_average n h /\ about_set p s (fun S => every_routing p b some (fun R =>
        load_limited n S limit R -> forall h', path_length_at_most n R h' -> x * h <= h'))
  | CannotDeadlock r v => about_routing p r (fun R => on_virtual_channels v (data R) /\ never_stuck n (data R))
  | CanDeadlock r v m => about_routing p r (fun R => on_virtual_channels v (data R) /\ has_cycle n (data R) m)
  | RoutingHasTables r of => about_routing p r (fun R => has_tables n (between R) (the_routing R) of)
  | CannotAvoidCycles r by_what m => about_routing p r (fun R => always_a_cycle n by_what m (data R))
  | RateIs w d x => exists W, is_called n w W /\ best_rate_times n W 1 d x
  | PhasesTakeJust r s x latency l =>
      about_routing p r (fun R => at_position (sets p) s (fun S => exists ms, S = MatricesSet ms /\
        phases_take n (the_routing R) ms latency l x))
  | BandwidthIs w bus f d x =>
      exists W, is_called n w W /\ f = multiple bus W /\ best_rate_times n W (inject_Z (Z.of_N f)) d x
  | TakesAtLeast w m latency x => exists W, is_called n w W /\ takes_at_least n W m latency x
  | TimeIs k d x w => at_position (times_of p) k (fun t => exists W, is_called n w W /\ best_rate_times n W t d x)
  end.

Definition somebody (w : performers) : Prop :=
  match w with Schedules (Broadcasts _ (Some l) _) | OneValue (Some l) | Sums (Some l) => l <> [] | _ => True end.

(** No list of channels or terminals is empty. *)
Definition nothing_empty (s : statement) : Prop :=
  match s with
  | NoChannelCarries _ _ (Some l) _ | ChannelsMayCarry _ _ l _ => l <> []
  | RateIs w _ _ | BandwidthIs w _ _ _ _ | TakesAtLeast w _ _ _ | TimeIs _ _ _ w => somebody w
  | _ => True
  end.

(** * The statement of a claim *)

Definition the_terminals (n : network) (l : list terminal) : bool :=
  let names := find_by name (terminals n) in
  forallb (fun r => match Map.find (name r) names with
                    | Some x => Key.eqb (source x) (source r) && Key.eqb (sink x) (sink r)
                    | None => false
                    end) l.

Lemma the_terminals_correct n l r : the_terminals n l = true -> In r l -> In r (terminals n).
Proof.
  intros H I. unfold the_terminals in H. rewrite forallb_forall in H. specialize (H r I).
  destruct (Map.find (name r) _) as [x|] eqn:F; [|discriminate]. apply find_by_correct in F. destruct F as [X E].
  apply andb_prop in H. destruct H as [S D]. apply Key.eqb_eq in S, D. destruct x, r. simpl in *. subst. exact X.
Qed.

(** All terminals are ranks, if they are as many. *)
Definition words_of (n : network) (K : collective) : option broadcasts :=
  let all := Nat.eqb (List.length (ranks K)) (List.length (terminals n)) in
  let who := if all then None else Some (map name (ranks K)) in
  if the_terminals n (ranks K) && negb (Nat.eqb (List.length (ranks K)) 0) then
    match task K with
    | AllGather => Some (Broadcasts Gather who (copied K))
    | ReduceScatter => Some (Broadcasts Reduce who (copied K))
    | Broadcast r => if the_terminals n [r] then Some (Broadcasts (Cast (name r)) who (copied K)) else None
    end
  else None.

Definition performers_of (n : network) (W : performer) : option performers :=
  match words_of n (collective_of W), W with
  | Some k, Schedule _ => Some (Schedules k)
  | Some k, OneValueEach _ => Some (OneValue (among k))
  | Some k, AddedAndCopied _ => Some (Sums (among k))
  | None, _ => None
  end.

(** What is said of those that have a rate. *)
Definition said_of (n : network) (rate : option (performer * direction * Q))
    (f : performer -> performers -> direction -> Q -> statement) : option statement :=
  match rate with
  | Some (W, d, x) => match performers_of n W with Some w => Some (f W w d x) | None => None end
  | None => None
  end.

(** How many virtual channels packets take. *)
Definition virtuals_of (r : routing_data) : positive :=
  match r with
  | ByPaths l => fold_left (fun most p => fold_left (fun most h => Pos.max most (snd h)) (hops p) most) l 1%positive
  | ByLoads _ => 1%positive
  end.

Definition statement_of (p : subject) (claims : list claim) (c : claim) : option statement :=
  match c with
  | WorstAtMost r s (Some []) w _ => None
  | WorstAtMost r s some w _ => Some (NoChannelCarries r s some w)
  | WorstAtLeast r s k w _ _ => Some (ChannelMayCarry r s k w)
  | UnsaturatedBelow r s _ => Some (NoneSaturated r s)
  | BestLoadAtLeast s b _ limit w _ d => Some (EveryLoad s b (restriction_of p d) limit w)
  | BestPathLengthAtLeast s b _ limit h _ d => Some (EveryPathLength s b (restriction_of p d) limit h)
  | FlowAtLeast s w _ _ _ _ => Some (SomeDemandLoads s w)
  | FlowAtMost s w _ => Some (EachDemandFits s w)
  | PathLength r h => Some (PathLengthIs r h)
  | ShortestPathLength h _ => Some (ShortestPathLengthIs h)
  | DeadlockFree r v _ => Some (CannotDeadlock r v)
  | Deadlock r l =>
      match nth_error (routings p) r with
      | Some R => let v := virtuals_of (data R) in if on_virtual v (data R) then Some (CanDeadlock r v (List.length l)) else None
      | None => None
      end
  | HasTables r of => Some (RoutingHasTables r of)
  | AlwaysACycle r by_what m _ => Some (CannotAvoidCycles r by_what m)
  | CollectiveAtMost _ _ _ _ | CollectiveAtLeast _ _ _ | AllReduceAtMost _ _ _ _ | AllReduceAtLeast _ _ _ _ =>
      said_of (net p) (rate_of c) (fun _ w d x => RateIs w d x)
  | Bandwidth bus x k => said_of (net p) (rate_at claims k) (fun W w d _ => BandwidthIs w bus (multiple bus W) d x)
  | LeastTime x k m latency => said_of (net p) (rate_at claims k) (fun _ w _ _ => TakesAtLeast w m latency x)
  | TimesOptimal x k time => said_of (net p) (rate_at claims k) (fun _ w d _ => TimeIs time d x w)
  | PhasesTake r s x latency l => Some (PhasesTakeJust r s x latency l)
  | Quotient q x dividend divisor =>
      match q, claim_at claims dividend, nth_error claims divisor with
      | ThroughputAtLeast, None, Some (WorstAtMost r s None _ _) => Some (ThroughputIs r s AtLeast x)
      | ThroughputAtMost, None, Some (WorstAtLeast r s _ _ _ _) => Some (ThroughputIs r s AtMost x)
      | FractionAtLeast, Some (FlowAtLeast _ _ _ _ _ _), Some (WorstAtMost r s None _ _) => Some (FractionIs r s AtLeast x)
      | FractionAtMost, Some (FlowAtMost _ _ _), Some (WorstAtLeast r s _ _ _ _) => Some (FractionIs r s AtMost x)
      | BestThroughputAtLeast, None, Some (FlowAtMost s _ _) => Some (BestThroughputIs s AtLeast x)
      | BestThroughputAtMost, None, Some (FlowAtLeast s _ _ _ _ _) => Some (BestThroughputIs s AtMost x)
      | BestThroughputAtMost, None, Some (BestLoadAtLeast s b _ limit _ _ d) =>
          Some (EveryThroughput s b (restriction_of p d) limit x)
      | BestFractionAtMost, Some (FlowAtMost _ _ _), Some (BestLoadAtLeast s b _ limit _ _ d) =>
          Some (EveryFraction s b (restriction_of p d) limit x)
      | PriceAtLeast, Some (BestLoadAtLeast s b _ None _ _ (All _)), Some (WorstAtMost _ _ None _ _ | FlowAtMost _ _ _) =>
          Some (PriceIs s b AtLeast x)
      | PriceAtMost, Some (WorstAtMost r s None _ _), Some (FlowAtLeast _ _ _ _ _ _) =>
          match nth_error (routings p) r with Some R => Some (PriceIs s (between R) AtMost x) | None => None end
      | RelativePathLength, Some (PathLength r _), Some (ShortestPathLength _ _) => Some (RelativePathLengthIs r x)
      | RelativePathLengthAtLeast, Some (BestPathLengthAtLeast s b _ limit _ _ d), Some (ShortestPathLength _ _) =>
          Some (EveryRelativePathLength s b (restriction_of p d) limit x)
      | _, _, _ => None
      end
  end.
