(** The claims of a proof, what each of them means, and the checker: if it says yes, they are true. *)

Require Import List Bool NArith PArith ZArith QArith Lqa Setoid Morphisms Relations.
From Routeproof Require Import Sums Network Flows Demands Worst Sets Design Loads Symmetry Throughput Order Waiting Lanes Tables Graph Collective AllReduce Phases.
Import ListNotations.
Local Open Scope Q_scope.

(** * What a proof is about *)

(** A routing, or what images make a routing of. *)
Record shown := Shown { between : kind_of_pairs; data : routing_data; by_images : option symmetry }.

(** [lists] and [times]: by the position of a claim, the ways that it lists for pairs, and the time that it states, if it does. *)
Record subject := Subject { net : network; routings : list shown; sets : list set_of_lists; lists : list (list distance);
                            times_of : list Q }.

Definition the_routing (r : shown) : routing :=
  match by_images r with
  | None => routing_of (between r) (entries_of (data r))
  | Some y => routing_by_images (between r) (entries_of (data r)) y
  end.

Definition maps_of (r : shown) : list relabelling := match by_images r with Some y => maps y | None => [] end.

(** * Claims, with their evidence *)

Inductive evidence :=
  | ByMultipliers (l : list (positive * multipliers))                        (* by channel; for limits *)
  | BySums                                                                  (* for matrices *)
  | ByLengths (l : list (positive * (Map.t Q * Map.t potentials)))          (* by channel; for all that is routable *)
  | ByImages (some : list positive) (e : evidence) (steps : list (nat * positive)).   (* of these channels, and of their images *)

(** What follows from one or two other claims; its value is compared with their quotient. *)
Inductive quantity :=
  | ThroughputAtLeast | ThroughputAtMost | FractionAtLeast | FractionAtMost
  | BestThroughputAtLeast | BestThroughputAtMost | BestFractionAtMost | PriceAtLeast | PriceAtMost
  | RelativePathLength | RelativePathLengthAtLeast.

(** A bound is about all routings, with this evidence, or about those that keep to the ways that are listed there. *)
Inductive scope := All (d : list distance) | Among (k : nat).

(** Routings, sets and claims are named by their positions; [focus]: about these channels only. *)
Inductive claim :=
  | WorstAtMost (r s : nat) (focus : option (list positive)) (w : Q) (e : evidence)
  | WorstAtLeast (r s : nat) (c : positive) (w : Q) (l : list packet) (because : reason)
  | UnsaturatedBelow (r s : nat) (l : list (positive * multipliers))
  | BestLoadAtLeast (s : nat) (b : kind_of_pairs) (hops : Q) (limit : option Q) (w : Q) (a : list adversary) (d : scope)
  | BestPathLengthAtLeast (s : nat) (b : kind_of_pairs) (hops : Q) (limit : option Q) (h : Q) (a : list adversary) (d : scope)
  | FlowAtLeast (s : nat) (w : Q) (l : list packet) (because : reason) (lengths : Map.t Q) (d : Map.t potentials)
  | PathLength (r : nat) (h : Q)
  | FlowAtMost (s : nat) (w : Q) (fs : list (list entry))
  | ShortestPathLength (h : Q) (ts : list tree)
  | Quotient (q : quantity) (x : Q) (dividend : option nat) (divisor : nat)
  | DeadlockFree (r : nat) (virtuals : positive) (o : order)
  | Deadlock (r : nat) (l : list step)
  | HasTables (r : nat) (of : tables)
  | AlwaysACycle (r : nat) (by_what : taking) (m : N) (y : refutation)
  | CollectiveAtMost (k : collective) (x : Q) (cuts : list cut) (potentials : list (positive * Q))
  | CollectiveAtLeast (k : collective) (x : Q) (ts : list packed)
  | AllReduceAtLeast (rs : list terminal) (x : Q) (added copied : list packed)
  | AllReduceAtMost (rs : list terminal) (x : Q) (k : positive) (sets : list (positive * positive))   (* of each node, the number of its set *)
  | PhasesTake (r s : nat) (x latency : Q) (l : list phase)
  | Bandwidth (bus : bool) (x : Q) (rate : nat)
  | LeastTime (x : Q) (rate : nat) (phases : N) (latency : Q)
  | TimesOptimal (x : Q) (rate time : nat).

(** * What they mean *)

Definition at_position {A} (l : list A) (k : nat) (P : A -> Prop) : Prop :=
  match nth_error l k with Some x => P x | None => False end.

Definition focused (focus : option (list positive)) (c : channel) : Prop :=
  match focus with Some l => In (number c) l | None => True end.

Definition squared_size (n : network) : Q := sum (fun _ => 1) (terminals n) * sum (fun _ => 1) (terminals n).

(** ** Quotients: what follows from other claims, which are named by their positions *)

Definition claim_at (claims : list claim) (k : option nat) : option claim :=
  match k with Some k => nth_error claims k | None => None end.

(** Every terminal sends 1 / T to every terminal at another node. *)
Definition is_uniform (n : network) (S : set_of_lists) : Prop :=
  exists l, S = MatricesSet [l] /\ forall i j, In i (terminals n) -> In j (terminals n) ->
  sum (fun _ => 1) (terminals n) * demand_of l i j == if Key.eqb (source i) (sink j) then 0 else 1.

(** The average path length of R is h. *)
Definition path_length_is (n : network) (R : routing) (h : Q) : Prop := all_loads n R == h * squared_size n.

(** Which routings a bound is about: all, or those that send [size] pairs by the ways alone that claim k lists for them. *)
Inductive restriction := Whatever | KeepTo (k size : nat).

Definition restriction_of (p : subject) (d : scope) : restriction :=
  match d with
  | All _ => Whatever
  | Among k => KeepTo k (match nth_error (lists p) k with Some l => length l | None => 0 end)
  end.

Definition every_routing (p : subject) (b : kind_of_pairs) (x : restriction) (P : routing -> Prop) : Prop :=
  match x with
  | Whatever => forall R, routes (net p) R -> is_between b (net p) R -> P R
  | KeepTo k size => at_position (lists p) k (fun l => length l = size /\
      forall R, routes (net p) R -> is_between b (net p) R -> keeps_to (net p) b l R -> P R)
  end.

Definition load_limited (n : network) (S : demand_set) (limit : option Q) (R : routing) : Prop :=
  match limit with
  | Some w => worst_load_at_most n R S w
  | None => exists w, worst_load_at_most n R S w
  end.

Definition length_limited (n : network) (limit : option Q) (R : routing) : Prop :=
  match limit with Some h => path_length_at_most n R h | None => True end.

Definition follows (p : subject) (claims : list claim) (q : quantity) (x : Q) (dividend : option nat) (divisor : nat) : Prop :=
  let n := net p in
  let routing r P := at_position (routings p) r P in
  let set s P := at_position (sets p) s (fun S => P (set_of S)) in
  let uniform s P := at_position (sets p) s (fun U => is_uniform n U /\ P (set_of U)) in
  match q, claim_at claims dividend, nth_error claims divisor with
  | ThroughputAtLeast, None, Some (WorstAtMost r s None _ _) =>
      routing r (fun R => set s (fun S => throughput_at_least n (the_routing R) S x))
  | ThroughputAtMost, None, Some (WorstAtLeast r s _ _ _ _) =>
      routing r (fun R => set s (fun S => throughput_at_most n (the_routing R) S x))
  | FractionAtLeast, Some (FlowAtLeast u _ _ _ _ _), Some (WorstAtMost r s None _ _) =>
      routing r (fun R => set s (fun S => uniform u (fun U => fraction_at_least n (the_routing R) S U x)))
  | FractionAtMost, Some (FlowAtMost u _ _), Some (WorstAtLeast r s _ _ _ _) =>
      routing r (fun R => set s (fun S => uniform u (fun U => fraction_at_most n (the_routing R) S U x)))
  | BestThroughputAtLeast, None, Some (FlowAtMost s _ _) => set s (fun S => best_throughput_at_least n S x)
  | BestThroughputAtMost, None, Some (FlowAtLeast s _ _ _ _ _) => set s (fun S => best_throughput_at_most n S x)
  | BestThroughputAtMost, None, Some (BestLoadAtLeast s b _ limit _ _ d) =>
      set s (fun S => every_routing p b (restriction_of p d) (fun R => length_limited n limit R -> throughput_at_most n R S x))
  | BestFractionAtMost, Some (FlowAtMost u _ _), Some (BestLoadAtLeast s b _ limit _ _ d) =>
      set s (fun S => uniform u (fun U =>
        every_routing p b (restriction_of p d) (fun R => length_limited n limit R -> fraction_at_most n R S U x)))
  | PriceAtLeast, Some (BestLoadAtLeast s b _ None _ _ (All _)), Some (WorstAtMost _ s' None _ _ | FlowAtMost s' _ _) =>
      s = s' /\ set s (fun S => price_at_least n b S x)
  | PriceAtMost, Some (WorstAtMost r s None _ _), Some (FlowAtLeast s' _ _ _ _ _) =>
      s = s' /\ routing r (fun R => set s (fun S => price_at_most n (between R) S x))
  | RelativePathLength, Some (PathLength r _), Some (ShortestPathLength _ _) =>
      routing r (fun R => exists h, 0 < h /\ shortest_average n h /\ path_length_is n (the_routing R) (x * h))
  | RelativePathLengthAtLeast, Some (BestPathLengthAtLeast s b _ limit _ _ d), Some (ShortestPathLength _ _) =>
      exists h, 0 < h /\ shortest_average n h /\ set s (fun S => every_routing p b (restriction_of p d) (fun R =>
        load_limited n S limit R -> forall h', path_length_at_most n R h' -> x * h <= h'))
  | _, _, _ => False
  end.

(** ** Rates of collectives, and what follows from them *)

Inductive direction := AtLeast | AtMost.

(** What has a rate: a schedule of a collective, an all-reduce whose messages carry one value each, or one by sums and
    copies of them. *)
Inductive performer := Schedule (k : collective) | OneValueEach (rs : list terminal) | AddedAndCopied (rs : list terminal).

Definition collective_of (w : performer) : collective :=
  match w with Schedule k => k | OneValueEach rs | AddedAndCopied rs => gathering rs end.

(** One of them has the rate y, in t cycles. *)
Definition performs (n : network) (w : performer) (y t : Q) : Prop :=
  match w with
  | Schedule k => exists ps, schedules n k y t ps
  | OneValueEach rs => exists ps, reduces_somehow n rs y t ps
  | AddedAndCopied rs => exists up down, reduces n rs y t up down
  end.

(** f times the best rate is at least or at most x. *)
Definition best_rate_times (n : network) (w : performer) (f : Q) (d : direction) (x : Q) : Prop :=
  is_collective (collective_of w) /\
  match d with
  | AtLeast => exists y t, performs n w y t /\ x <= f * y
  | AtMost => forall y t, performs n w y t -> f * y <= x
  end.

(** Those that take t cycles for one unit of each rank that emits, besides all latencies, take at least x cycles. *)
Definition takes_at_least (n : network) (w : performer) (phases : N) (latency x : Q) : Prop :=
  is_collective (collective_of w) /\ forall t, performs n w (/ t) t -> x <= inject_Z (Z.of_N phases) * latency + t.

(** Which multiple of the rate the algorithm bandwidth and the bus bandwidth are. *)
Definition multiple (bus : bool) (w : performer) : N :=
  let size := N.of_nat (length (ranks (collective_of w))) in
  match w with
  | Schedule (Collective (Broadcast _) _ _) => 1
  | Schedule _ => if bus then size - 1 else size
  | OneValueEach _ | AddedAndCopied _ => if bus then 2 * (size - 1) else size
  end%N.

Definition rate_of (c : claim) : option (performer * direction * Q) :=
  match c with
  | CollectiveAtMost k x _ _ => Some (Schedule k, AtMost, x)
  | CollectiveAtLeast k x _ => Some (Schedule k, AtLeast, x)
  | AllReduceAtMost rs x _ _ => Some (OneValueEach rs, AtMost, x)
  | AllReduceAtLeast rs x _ _ => Some (AddedAndCopied rs, AtLeast, x)
  | _ => None
  end.

Definition rate_at (claims : list claim) (k : nat) : option (performer * direction * Q) :=
  match nth_error claims k with Some c => rate_of c | None => None end.

Definition about_rate (claims : list claim) (k : nat) (P : performer -> direction -> Prop) : Prop :=
  match rate_at claims k with Some (w, d, _) => P w d | None => False end.

Definition time_at (claims : list claim) (k : nat) : option Q :=
  match nth_error claims k with Some (PhasesTake _ _ x _ _) => Some x | _ => None end.

(** ** All claims *)

Definition holds (p : subject) (claims : list claim) (c : claim) : Prop :=
  match c with
  | WorstAtMost r s focus w _ =>
      at_position (routings p) r (fun R => at_position (sets p) s (fun S =>
        worst_case_at_most (net p) (the_routing R) (set_of S) (focused focus) w))
  | WorstAtLeast r s k w _ _ =>
      at_position (routings p) r (fun R => at_position (sets p) s (fun S =>
        exists c, In c (channels (net p)) /\ number c = k /\ worst_case_at_least (net p) (the_routing R) (set_of S) c w))
  | UnsaturatedBelow r s _ =>
      (* with all rows multiplied by f < 1, no channel is full *)
      at_position (routings p) r (fun R => at_position (sets p) s (fun S =>
        match S with
        | LimitsSet l => forall f D, 0 <= f -> f < 1 -> admits (net p) (Limits (reduced l f)) D ->
            forall c, In c (channels (net p)) -> load (net p) (the_routing R) D c < bandwidth c
        | _ => False
        end))
  | BestLoadAtLeast s b _ limit w _ d =>
      at_position (sets p) s (fun S => every_routing p b (restriction_of p d) (fun R => length_limited (net p) limit R ->
        forall w', worst_load_at_most (net p) R (set_of S) w' -> w <= w'))
  | BestPathLengthAtLeast s b _ limit h _ d =>
      at_position (sets p) s (fun S => every_routing p b (restriction_of p d) (fun R => load_limited (net p) (set_of S) limit R ->
        forall h', path_length_at_most (net p) R h' -> h <= h'))
  | FlowAtLeast s w _ _ _ _ =>
      at_position (sets p) s (fun S => exists D, admits (net p) (set_of S) D /\
        forall w', can_be_routed (net p) D w' -> w <= w')
  | PathLength r h =>
      at_position (routings p) r (fun R => path_length_is (net p) (the_routing R) h)
  | FlowAtMost s w _ =>
      at_position (sets p) s (fun S => forall D, admits (net p) (set_of S) D -> can_be_routed (net p) D w)
  | ShortestPathLength h _ => shortest_average (net p) h
  | Quotient q x dividend divisor => follows p claims q x dividend divisor
  | DeadlockFree r virtuals _ =>
      at_position (routings p) r (fun R => on_virtual_channels virtuals (data R) /\ never_stuck (net p) (data R))
  | Deadlock r l => at_position (routings p) r (fun R => has_cycle (net p) (data R) (length l))
  | HasTables r of => at_position (routings p) r (fun R => has_tables (net p) (between R) (the_routing R) of)
  | AlwaysACycle r by_what m _ => at_position (routings p) r (fun R => always_a_cycle (net p) by_what m (data R))
  | CollectiveAtMost k x _ _ => collective_at_most (net p) k x
  | CollectiveAtLeast k x _ => collective_at_least (net p) k x
  | AllReduceAtLeast rs x _ _ => all_reduce_at_least (net p) rs x
  | AllReduceAtMost rs x _ _ => all_reduce_at_most (net p) rs x
  | PhasesTake r s x latency l =>
      at_position (routings p) r (fun R => at_position (sets p) s (fun S => exists ms, S = MatricesSet ms /\
        phases_take (net p) (the_routing R) ms latency l x))
  | Bandwidth bus x k => about_rate claims k (fun w d => best_rate_times (net p) w (inject_Z (Z.of_N (multiple bus w))) d x)
  | LeastTime x k phases latency => about_rate claims k (fun w _ => takes_at_least (net p) w phases latency x)
  | TimesOptimal x k time =>
      match time_at claims time with
      | Some t => at_position (times_of p) time (fun t' => t' == t /\ about_rate claims k (fun w d => best_rate_times (net p) w t' d x))
      | None => False
      end
  end.

(** * The checker *)

Definition check_network (n : network) : bool :=
  distinct number (channels n) && distinct name (terminals n) &&
  forallb (fun c => negb (Qle_bool (bandwidth c) 0)) (channels n).

(** Each channel begins where the one before ends. (No theorem needs it: loads that are unit flows suffice.) *)
Fixpoint is_walk (chans : Map.t channel) (at_node : option positive) (l : list hop) : bool :=
  match l with
  | [] => match at_node with Some _ => true | None => false end
  | h :: l =>
      match Map.find (fst h) chans with
      | None => false
      | Some c => match at_node with Some v => Key.eqb v (tail c) | None => true end && is_walk chans (Some (head c)) l
      end
  end.

Definition check_shown (n : network) (r : shown) : bool :=
  match by_images r with
  | None => check_routing n (between r) (entries_of (data r))
  | Some y => check_images n (between r) (entries_of (data r)) y && check_symmetry n (between r) (entries_of (data r)) y &&
              check_ends n (between r) y
  end &&
  let chans := find_by number (channels n) in
  match data r with
  | ByLoads l => forallb (fun e => Map.mem (on e) chans) l
  | ByPaths l => forallb (fun p => is_walk chans None (hops p) && negb (Qle_bool (share p) 0)) l &&
                 forallb (fun e => Map.mem (on e) chans) (entries_of (data r))
  end.

Definition check_set (n : network) (s : set_of_lists) : bool :=
  match s with
  | LimitsSet l =>
      match pairs l with
      | Some ps => good_pairs n ps && forallb (fun p => below (least p) (most p)) ps
      | None => true
      end
  | MatricesSet ms =>
      let names := find_by name (terminals n) in
      forallb (fun l => forallb (is_packet names) l && distinct2 p_from p_to l) ms
  | RoutableSet => true
  end.

(** A routing with its entries in groups. *)
Record prepared := Prepared { p_between : kind_of_pairs; p_data : routing_data; entries : list entry;
                              loads_on : positive -> list entry; load_under : positive -> list packet -> Q;
                              p_images : option symmetry }.

Definition prepare (n : network) (r : shown) : prepared :=
  let es := entries_of (data r) in
  match by_images r with
  | None =>
      let by_channel := group on es in
      Prepared (between r) (data r) es (fun k => of_key k by_channel) (fun k l => load_of (between r) (of_key k by_channel) l) None
  | Some y =>
      let place := by_place es in
      let senders := senders_of y in
      let receivers := receivers_of n (between r) in
      Prepared (between r) (data r) es
        (fun k => filter (fun e => Key.eqb (on e) k) (on_channel (between r) place senders receivers k))
        (load_by_images (between r) y place) (Some y)
  end.

Definition in_focus (focus : option (list positive)) (c : channel) : bool :=
  match focus with Some l => existsb (Key.eqb (number c)) l | None => true end.

(** Evidence for each channel in focus, and for no other. *)
Definition for_each {A} (n : network) (focus : option (list positive)) (l : list (positive * A)) (test : channel -> A -> bool) : bool :=
  let found := find_by fst l in
  let chans := find_by number (channels n) in
  distinct fst l &&
  forallb (fun x => match Map.find (fst x) chans with Some c => in_focus focus c | None => false end) l &&
  forallb (fun c => negb (in_focus focus c) ||
                    match Map.find (number c) found with Some x => test c (snd x) | None => false end) (channels n).

Definition position {A} (l : list A) (k : nat) (test : A -> bool) : bool :=
  match nth_error l k with Some x => test x | None => false end.

Definition uniform (n : network) (S : set_of_lists) : bool :=
  match S with
  | MatricesSet [l] =>
      let by_pair := group2 p_from p_to l in
      let T := size_of n in
      forallb (fun i => forallb (fun j =>
        Qeq_bool (times T (total rate (of_keys (name i) (name j) by_pair))) (if Key.eqb (source i) (sink j) then 0 else 1))
        (terminals n)) (terminals n)
  | _ => false
  end.

(** The value is at most, at least or just a / b. *)
Definition compared (q : quantity) (x a b : Q) : bool :=
  match q with
  | ThroughputAtLeast | FractionAtLeast | BestThroughputAtLeast | PriceAtLeast | RelativePathLengthAtLeast => Qle_bool (times x b) a
  | ThroughputAtMost | FractionAtMost | BestThroughputAtMost | BestFractionAtMost | PriceAtMost =>
      negb (Qle_bool a 0) && Qle_bool a (times x b)
  | RelativePathLength => Qeq_bool (times x b) a
  end.

Definition value_of (c : claim) : option Q :=
  match c with
  | WorstAtMost _ _ _ w _ | WorstAtLeast _ _ _ w _ _ | BestLoadAtLeast _ _ _ _ w _ _ | BestPathLengthAtLeast _ _ _ _ w _ _
  | FlowAtLeast _ w _ _ _ _ | FlowAtMost _ w _ | PathLength _ w | ShortestPathLength w _ => Some w
  | _ => None
  end.

Definition dividend_of (claims : list claim) (k : option nat) : option Q :=
  match k with
  | None => Some 1
  | Some k => match nth_error claims k with Some c => value_of c | None => None end
  end.

(** Which claims a quotient is of: the set whose demand must be the uniform one, if there is such a set. *)
Definition kinds_fit (q : quantity) (dividend : option claim) (divisor : claim) : option (option nat) :=
  match q, dividend, divisor with
  | ThroughputAtLeast, None, WorstAtMost _ _ _ _ _ => Some None
  | ThroughputAtMost, None, WorstAtLeast _ _ _ _ _ _ => Some None
  | FractionAtLeast, Some (FlowAtLeast s _ _ _ _ _), WorstAtMost _ _ _ _ _ => Some (Some s)
  | FractionAtMost, Some (FlowAtMost s _ _), WorstAtLeast _ _ _ _ _ _ => Some (Some s)
  | BestThroughputAtLeast, None, FlowAtMost _ _ _ => Some None
  | BestThroughputAtMost, None, BestLoadAtLeast _ _ _ _ _ _ _ => Some None
  | BestThroughputAtMost, None, FlowAtLeast _ _ _ _ _ _ => Some None
  | BestFractionAtMost, Some (FlowAtMost s _ _), BestLoadAtLeast _ _ _ _ _ _ _ => Some (Some s)
  | PriceAtLeast, Some (BestLoadAtLeast _ _ _ _ _ _ (All _)), WorstAtMost _ _ _ _ _ => Some None
  | PriceAtLeast, Some (BestLoadAtLeast _ _ _ _ _ _ (All _)), FlowAtMost _ _ _ => Some None
  | PriceAtMost, Some (WorstAtMost _ _ _ _ _), FlowAtLeast _ _ _ _ _ _ => Some None
  | RelativePathLength, Some (PathLength _ _), ShortestPathLength _ _ => Some None
  | RelativePathLengthAtLeast, Some (BestPathLengthAtLeast _ _ _ _ _ _ _), ShortestPathLength _ _ => Some None
  | _, _, _ => None
  end.

(** A claim about all channels, if it is about some at all. *)
Definition of_all_channels (c : claim) : bool := match c with WorstAtMost _ _ (Some _) _ _ => false | _ => true end.

(** The two claims of a price of obliviousness are about one set and all routings. *)
Definition one_subject (q : quantity) (dividend : option claim) (divisor : claim) : bool :=
  match q, dividend, divisor with
  | PriceAtLeast, Some (BestLoadAtLeast s _ _ None _ _ (All _)), (WorstAtMost _ s' _ _ _ | FlowAtMost s' _ _) => Nat.eqb s s'
  | PriceAtMost, Some (WorstAtMost _ s _ _ _), FlowAtLeast s' _ _ _ _ _ => Nat.eqb s s'
  | PriceAtLeast, _, _ | PriceAtMost, _, _ => false
  | _, _, _ => true
  end.

Definition check_quotient (n : network) (ss : list set_of_lists) (claims : list claim) q x dividend divisor : bool :=
  match dividend_of claims dividend, nth_error claims divisor with
  | Some a, Some d =>
      match value_of d, kinds_fit q (claim_at claims dividend) d with
      | Some b, Some s =>
          negb (Qle_bool b 0) && compared q x a b && one_subject q (claim_at claims dividend) d &&
          of_all_channels d && match claim_at claims dividend with Some c => of_all_channels c | None => true end &&
          match s with Some s => position ss s (uniform n) | None => true end
      | _, _ => false
      end
  | _, _ => false
  end.

Definition bounds_worst_case (n : network) (r : prepared) (s : set_of_lists) (focus : option (list positive)) (w : Q) (e : evidence) : bool :=
  let senders := group (sends_as (p_between r)) (terminals n) in
  let receivers := group (receives_as (p_between r)) (terminals n) in
  match focus with Some l => distinct (fun k => k) l | None => true end &&
  match s, e with
  | LimitsSet l, ByMultipliers ms =>
      for_each n focus ms (fun c m =>
        bound_of_channel n (p_between r) l c m senders receivers (loads_on r (number c)) w)
  | MatricesSet ms, BySums =>
      forallb (fun c => negb (in_focus focus c) ||
        forallb (fun l => Qle_bool (load_under r (number c) l) (times w (bandwidth c))) ms)
        (channels n)
  | RoutableSet, ByLengths ls =>
      for_each n focus ls (fun c x =>
        far_enough n c (fst x) (snd x) senders receivers (loads_on r (number c)) w)
  | _, _ => false
  end.

Definition bounds_images (n : network) (r : prepared) (s : set_of_lists) (focus : option (list positive)) (w : Q)
    (some : list positive) (e : evidence) (steps : list (nat * positive)) : bool :=
  match p_images r with
  | None => false
  | Some y =>
      let reached := spread (maps y) steps (known_channels some) in
      forallb (is_kept n s) (maps y) && bounds_worst_case n r s (Some some) w e &&
      forallb (fun c => negb (in_focus focus c) || Map.mem (number c) reached) (channels n)
  end.

Definition no_images (r : prepared) : bool := match p_images r with None => true | Some _ => false end.

Definition is_bound (d : direction) (x exact : Q) : bool := match d with AtLeast => Qle_bool x exact | AtMost => Qle_bool exact x end.

Definition check_bandwidth (claims : list claim) (bus : bool) (x : Q) (k : nat) : bool :=
  match rate_at claims k with Some (w, d, y) => is_bound d x (times (inject_Z (Z.of_N (multiple bus w))) y) | None => false end.

Definition check_least_time (claims : list claim) (x : Q) (k : nat) (phases : N) (latency : Q) : bool :=
  match rate_at claims k with
  | Some (_, AtMost, y) => Qle_bool x (add (times (inject_Z (Z.of_N phases)) latency) (if Qeq_bool y 0 then 0 else / y))
  | _ => false
  end.

Definition check_times_optimal (ts : list Q) (claims : list claim) (x : Q) (k time : nat) : bool :=
  match rate_at claims k, time_at claims time, nth_error ts time with
  | Some (_, d, y), Some t, Some t' => Qeq_bool t' t && Qle_bool 0 t' && is_bound d x (times t' y)
  | _, _, _ => false
  end.

Definition in_scope (ls : list (list distance)) (d : scope) (test : list distance -> bool) : bool :=
  match d with All d => forallb anyhow d && test d | Among k => position ls k test end.

Definition check_claim (n : network) (rs : list prepared) (ss : list set_of_lists) (ls : list (list distance)) (ts : list Q)
    (claims : list claim) (c : claim) : bool :=
  match c with
  | WorstAtMost r s focus w e =>
      position rs r (fun r => position ss s (fun s =>
        match e with
        | ByImages some e steps => bounds_images n r s focus w some e steps
        | _ => bounds_worst_case n r s focus w e
        end))
  | WorstAtLeast r s k w l because =>
      position rs r (fun r => position ss s (fun s =>
        match find (fun c => Key.eqb (number c) k) (channels n) with
        | None => false
        | Some c => in_set n s l because && distinct2 p_from p_to l &&
                    Qle_bool (times w (bandwidth c)) (load_under r k l)
        end))
  | UnsaturatedBelow r s ms =>
      position rs r (fun r => position ss s (fun s =>
        match s with
        | LimitsSet l =>
            let senders := group (sends_as (p_between r)) (terminals n) in
            let receivers := group (receives_as (p_between r)) (terminals n) in
            forallb (fun i => match row (transport_of l) i with Some h => Qle_bool 0 h | None => true end) (terminals n) &&
            for_each n None ms (fun c m =>
              unsaturated n (p_between r) l c m senders receivers (loads_on r (number c)))
        | _ => false
        end))
  | BestLoadAtLeast s b hops limit w a d => position ss s (fun s => in_scope ls d (fun d => load_bound n s b hops a d limit w))
  | BestPathLengthAtLeast s b hops limit h a d => position ss s (fun s => in_scope ls d (fun d => path_bound n s b hops a d limit h))
  | FlowAtLeast s w l because lengths d =>
      position ss s (fun s => in_set n s l because && distinct2 p_from p_to l && lengths_prove n l lengths d w)
  | PathLength r h =>
      position rs r (fun r =>
        let as_sender := match p_images r with None => sends_as (p_between r) | Some y => base_of (p_between r) y end in
        Qeq_bool (path_length_by as_sender n (p_between r) (entries r)) (times h (all_pairs n)))
  | FlowAtMost s w fs =>
      position ss s (fun s => match s, fs with
                                | MatricesSet ms, _ => routes_matrices n w ms fs
                                | RoutableSet, [] => Qle_bool 1 w
                                | _, _ => false
                                end)
  | ShortestPathLength h ts => shortest_paths n ts h
  | Quotient q x dividend divisor => check_quotient n ss claims q x dividend divisor
  | DeadlockFree r virtuals o => position rs r (fun r => no_images r && on_virtual virtuals (p_data r) && check_order n (p_data r) o)
  | Deadlock r l => position rs r (fun r => no_images r && check_cycle n (p_data r) l)
  | HasTables r of => position rs r (fun r => check_tables n of (loads_on r))
  | AlwaysACycle r by_what m y =>
      position rs r (fun r => match p_data r with ByPaths l => check_refutation n by_what m l y | ByLoads _ => false end)
  | CollectiveAtMost k x cuts potentials => cuts_prove n k x cuts potentials
  | CollectiveAtLeast k x ts => trees_carry n k x ts
  | AllReduceAtLeast rs x added copied => reductions_carry n rs x added copied
  | AllReduceAtMost rs x k sets => sets_prove n rs x k sets
  | PhasesTake r s x latency l =>
      position rs r (fun r => position ss s (fun s =>
        match s with
        | MatricesSet ms => match time_of n ms (load_under r) latency l with Some y => Qeq_bool y x | None => false end
        | _ => false
        end))
  | Bandwidth bus x k => check_bandwidth claims bus x k
  | LeastTime x k phases latency => check_least_time claims x k phases latency
  | TimesOptimal x k time => check_times_optimal ts claims x k time
  end.

(** The first thing that is wrong; positions count from 0. *)
Inductive verdict := AllHold | BadNetwork | BadRouting (k : nat) | BadSet (k : nat) | BadClaim (k : nat).

Fixpoint first_bad {A} (test : A -> bool) (l : list A) (k : nat) : option nat :=
  match l with
  | [] => None
  | x :: l => if test x then first_bad test l (S k) else Some k
  end.

Definition check (p : subject) (claims : list claim) : verdict :=
  let n := net p in
  if check_network n then
    match first_bad (check_shown n) (routings p) 0 with
    | Some k => BadRouting k
    | None =>
        match first_bad (check_set n) (sets p) 0 with
        | Some k => BadSet k
        | None =>
            let rs := map (prepare n) (routings p) in
            match first_bad (check_claim n rs (sets p) (lists p) (times_of p) claims) claims 0 with
            | Some k => BadClaim k
            | None => AllHold
            end
        end
    end
  else BadNetwork.

(** * If it says yes *)

Lemma first_bad_none {A} (test : A -> bool) l k : first_bad test l k = None -> forall x, In x l -> test x = true.
Proof.
  revert k. induction l as [|y l IH]; simpl; intros k H x I; [contradiction|].
  destruct (test y) eqn:T; [|discriminate]. destruct I as [<-|I]; [exact T|]. eapply IH; eassumption.
Qed.

Lemma check_network_correct n : check_network n = true -> well_formed n.
Proof.
  intros H. apply andb_prop in H. destruct H as [H B]. apply andb_prop in H. destruct H as [C T].
  split; [apply distinct_correct; exact C|]. split; [apply distinct_correct; exact T|].
  rewrite forallb_forall in B. intros c I. apply not_le_bool. auto.
Qed.

Lemma in_focus_correct focus c : focused focus c -> in_focus focus c = true.
Proof.
  destruct focus as [l|]; simpl; [|reflexivity]. intros H. apply existsb_exists. exists (number c).
  split; [exact H|apply Key.eqb_refl].
Qed.

Lemma for_each_correct {A} n focus (l : list (positive * A)) test :
  for_each n focus l test = true -> forall c, In c (channels n) -> focused focus c -> exists x, test c x = true.
Proof.
  intros H c C F. unfold for_each in H. apply andb_prop in H. destruct H as [_ H].
  rewrite forallb_forall in H. specialize (H c C). rewrite (in_focus_correct _ _ F) in H. simpl in H.
  destruct (Map.find _ _) as [x|]; [exists (snd x); exact H|discriminate].
Qed.

Lemma position_correct {A} (l : list A) k test : position l k test = true -> exists x, nth_error l k = Some x /\ In x l /\ test x = true.
Proof.
  unfold position. destruct (nth_error l k) as [x|] eqn:E; [|discriminate]. intros H. exists x.
  split; [reflexivity|]. split; [|exact H]. eapply nth_error_In. exact E.
Qed.

Lemma position_prepared n l k test : position (map (prepare n) l) k test = true ->
  exists r, nth_error l k = Some r /\ In r l /\ test (prepare n r) = true.
Proof.
  intros H. apply position_correct in H. destruct H as [x [E [_ T]]]. rewrite nth_error_map in E.
  destruct (nth_error l k) as [r|] eqn:F; [|discriminate]. inversion E; subst. exists r.
  split; [reflexivity|]. split; [eapply nth_error_In; exact F|exact T].
Qed.

Lemma uniform_correct n S : uniform n S = true -> is_uniform n S.
Proof.
  destruct S as [l|[|l [|m ms]]|]; try discriminate. intros H. exists l. split; [reflexivity|]. intros i j I J.
  unfold uniform in H. rewrite forallb_forall in H. specialize (H i I). rewrite forallb_forall in H. specialize (H j J).
  apply Qeq_bool_iff in H. rewrite times_correct, total_correct, group2_correct, sum_select in H.
  unfold size_of, size in H. rewrite total_correct in H. exact H.
Qed.

(** A claim that does not rest on others. *)
Definition plain (c : claim) : Prop :=
  match c with Quotient _ _ _ _ | Bandwidth _ _ _ | LeastTime _ _ _ _ | TimesOptimal _ _ _ => False | _ => True end.

Lemma value_of_plain c q : value_of c = Some q -> plain c.
Proof. destruct c; simpl; intros; trivial; discriminate. Qed.

Lemma every_routing_weaker p b x (P Q : routing -> Prop) : (forall R, P R -> Q R) -> every_routing p b x P -> every_routing p b x Q.
Proof.
  intros W. destruct x as [|k size]; unfold every_routing, at_position; [auto|].
  destruct (nth_error (lists p) k); [|contradiction]. intros [E H]. split; [exact E|auto].
Qed.

Lemma in_scope_correct p b d test (P : routing -> Prop) : in_scope (lists p) d test = true ->
  (forall l, test l = true -> forall R, routes (net p) R -> is_between b (net p) R -> keeps_to (net p) b l R -> P R) ->
  every_routing p b (restriction_of p d) P.
Proof.
  intros H T. destruct d as [l|k]; cbn [in_scope restriction_of every_routing] in *.
  - apply andb_prop in H. destruct H as [A H]. intros R Rr B. apply (T l H); [exact Rr|exact B|apply keeps_to_anything; exact A].
  - apply position_correct in H. destruct H as [l [E [_ H]]]. unfold at_position. rewrite E. split; [reflexivity|]. exact (T l H).
Qed.

Ltac open_positions :=
  unfold at_position in *;
  repeat match goal with
  | H : match nth_error ?l ?k with _ => _ end |- _ => destruct (nth_error l k) eqn:?; [|contradiction]
  end.

Lemma the_routing_is_between n r : is_between (between r) n (the_routing r).
Proof.
  unfold the_routing. destruct (by_images r); [apply routing_by_images_is_between|apply routing_of_is_between].
Qed.

Theorem check_quotient_correct p claims q x dividend divisor :
  (forall c, In c (channels (net p)) -> 0 < bandwidth c) ->
  (forall r, In r (routings p) -> routes (net p) (the_routing r)) ->
  (forall c, In c claims -> plain c -> holds p claims c) ->
  check_quotient (net p) (sets p) claims q x dividend divisor = true -> follows p claims q x dividend divisor.
Proof.
  intros BP Routes Hold H. unfold check_quotient in H.
  destruct (dividend_of claims dividend) as [a|] eqn:A; [|discriminate].
  destruct (nth_error claims divisor) as [d|] eqn:D; [|discriminate].
  destruct (value_of d) as [b|] eqn:V; [|discriminate].
  destruct (kinds_fit _ _ _) as [u|] eqn:K; [|discriminate].
  apply andb_prop in H. destruct H as [H U]. apply andb_prop in H. destruct H as [H WD].
  apply andb_prop in H. destruct H as [H W]. apply andb_prop in H. destruct H as [H O].
  apply andb_prop in H. destruct H as [B C]. apply not_le_bool in B.
  assert (HD : holds p claims d) by (apply Hold; [eapply nth_error_In; exact D|eapply value_of_plain; exact V]).
  assert (HA : match claim_at claims dividend with Some c => value_of c = Some a /\ holds p claims c | None => a = 1 end).
  { unfold dividend_of, claim_at in *. destruct dividend as [k|]; [|congruence].
    destruct (nth_error claims k) as [c|] eqn:E; [|discriminate]. split; [exact A|].
    apply Hold; [eapply nth_error_In; exact E|eapply value_of_plain; exact A]. }
  assert (HU : match u with Some s => at_position (sets p) s (is_uniform (net p)) | None => True end).
  { destruct u as [s|]; [|trivial]. apply position_correct in U. destruct U as [S [E [_ U]]].
    unfold at_position. rewrite E. apply uniform_correct. exact U. }
  assert (Carry : forall R S w, In R (routings p) -> worst_load_at_most (net p) (the_routing R) S w ->
    forall D', admits (net p) S D' -> can_be_routed (net p) D' w).
  { intros R S w I L D' AD. eapply routing_carries; [apply Routes; exact I|exact L|exact AD]. }
  unfold follows. rewrite D. clear A D U Hold.
  destruct (claim_at claims dividend) as [c|]; [destruct HA as [VA HA]|subst a].
  - destruct q, c as [| | |? ? ? ? ? ? [|]|? ? ? ? ? ? ?| | | | | | | | | | | | | | | | | ], d; try discriminate K; simpl in V, VA, K, C, O; injection V as <-; injection VA as <-; injection K as <-;
      simpl in HD, HA.
    + (* fraction at least *)
      destruct focus; [discriminate W|]. open_positions. split; [exact HU|]. apply Qle_bool_iff in C. rewrite times_correct in C.
      intros k K0 KC. exists (1 / w0). split.
      * eapply of_two; [exact B|exact C|exact K0|]. eapply carried_at_most; eassumption.
      * apply sustains_inverse; [exact B|]. intros D' AD c0 C0. apply HD; [exact AD|exact C0|exact I].
    + (* fraction at most *)
      open_positions. split; [exact HU|]. apply andb_prop in C. destruct C as [A0 C].
      apply not_le_bool in A0. apply Qle_bool_iff in C. rewrite times_correct in C.
      exists (1 / w). split; [apply inverse_positive; exact A0|]. split; [apply carries_inverse; assumption|].
      intros t T. eapply over_two; [exact A0|exact B|exact C|]. destruct HD as [c0 [C0 [_ HD]]]. eapply rate_at_most; eassumption.
    + (* best fraction at most *)
      open_positions. split; [exact HU|]. apply andb_prop in C. destruct C as [A0 C].
      apply not_le_bool in A0. apply Qle_bool_iff in C. rewrite times_correct in C.
      eapply every_routing_weaker; [|exact HD]. intros R H L. exists (1 / w). split; [apply inverse_positive; exact A0|]. split; [apply carries_inverse; assumption|].
      intros t T. eapply over_two; [exact A0|exact B|exact C|]. apply any_rate; [exact B|]. intros T0.
      eapply rate_of_any; [exact T0| |exact T]. apply H; assumption.
    + (* price at least, over a routing *)
      destruct limit; [discriminate O|]. destruct focus; [discriminate W|]. apply Nat.eqb_eq in O. subst s0. split; [reflexivity|].
      open_positions. apply Qle_bool_iff in C. rewrite times_correct in C.
      intros R t RR RB T0 T. exists (1 / w0). split.
      * eapply of_two; [exact B|exact C|exact T0|]. eapply rate_of_any; [exact T0| |exact T]. apply HA; [exact RR|exact RB|exact I].
      * apply carries_inverse; [exact B|]. intros D' AD. eapply Carry; [eapply nth_error_In; eassumption| |exact AD].
        intros D2 AD2 c0 C0. apply HD; [exact AD2|exact C0|exact I].
    + (* price at least, over flows *)
      destruct limit; [discriminate O|]. apply Nat.eqb_eq in O. subst s0. split; [reflexivity|].
      open_positions. apply Qle_bool_iff in C. rewrite times_correct in C.
      intros R t RR RB T0 T. exists (1 / w0). split; [|apply carries_inverse; assumption].
      eapply of_two; [exact B|exact C|exact T0|]. eapply rate_of_any; [exact T0| |exact T]. apply HA; [exact RR|exact RB|exact I].
    + (* price at most *)
      destruct focus; [discriminate WD|]. apply Nat.eqb_eq in O. subst s0. split; [reflexivity|].
      open_positions. apply andb_prop in C. destruct C as [A0 C].
      apply not_le_bool in A0. apply Qle_bool_iff in C. rewrite times_correct in C.
      eexists; exists (1 / w). split; [apply Routes; eapply nth_error_In; eassumption|]. split; [apply the_routing_is_between|].
      split; [apply inverse_positive; exact A0|]. split.
      * apply sustains_inverse; [exact A0|]. intros D' AD c0 C0. apply HA; [exact AD|exact C0|exact I].
      * intros t T. eapply over_two; [exact A0|exact B|exact C|]. apply any_rate; [exact B|]. intros T0.
        eapply carried_at_most; eassumption.
    + (* relative path length *)
      open_positions. apply Qeq_bool_iff in C. rewrite times_correct in C.
      exists h0. split; [exact B|]. split; [exact HD|]. unfold path_length_is in *. rewrite C. exact HA.
    + (* relative path length at least *)
      apply Qle_bool_iff in C. rewrite times_correct in C.
      exists h0. split; [exact B|]. split; [exact HD|]. open_positions.
      eapply every_routing_weaker; [|exact HA]. intros R H L h' H'. eapply Qle_trans; [exact C|]. apply H; assumption.
  - destruct q, d; try discriminate K; simpl in V, K, C; injection V as <-; injection K as <-; simpl in HD.
    + (* throughput at least *)
      destruct focus; [discriminate W|]. open_positions. apply Qle_bool_iff in C. rewrite times_correct in C.
      exists (1 / w). split; [apply at_most_inverse; assumption|]. apply sustains_inverse; [exact B|].
      intros D' AD c0 C0. apply HD; [exact AD|exact C0|exact I].
    + (* throughput at most *)
      open_positions. apply Qle_bool_iff in C. rewrite times_correct in C. destruct HD as [c0 [C0 [_ HD]]].
      intros t T. apply Qmult_le_r with w; [exact B|]. eapply Qle_trans; [|exact C]. eapply rate_at_most; eassumption.
    + (* best throughput at least *)
      open_positions. apply Qle_bool_iff in C. rewrite times_correct in C.
      exists (1 / w). split; [apply at_most_inverse; assumption|apply carries_inverse; assumption].
    + (* best throughput at most, of routings *)
      open_positions. apply Qle_bool_iff in C. rewrite times_correct in C. eapply every_routing_weaker; [|exact HD]. intros R H L t T.
      apply Qmult_le_r with w; [exact B|]. eapply Qle_trans; [|exact C]. apply any_rate; [exact B|]. intros T0.
      eapply rate_of_any; [exact T0| |exact T]. apply H; assumption.
    + (* best throughput at most, of flows *)
      open_positions. apply Qle_bool_iff in C. rewrite times_correct in C. intros t T.
      apply Qmult_le_r with w; [exact B|]. eapply Qle_trans; [|exact C]. apply any_rate; [exact B|]. intros T0.
      eapply carried_at_most; eassumption.
Qed.

(** What [prepare] gives are the loads of the routing. *)
Lemma loads_on_correct n r k :
  NoDup (map number (channels n)) -> NoDup (map name (terminals n)) -> check_shown n r = true ->
  exists es, loads_on (prepare n r) k = filter (fun e => Key.eqb (on e) k) es /\
  forall i j, In i (terminals n) -> In j (terminals n) -> routing_of (between r) es i j k == the_routing r i j k.
Proof.
  intros UC UT H. apply andb_prop in H. destruct H as [H _]. unfold prepare, the_routing.
  destruct (by_images r) as [y|]; cbn [loads_on].
  - apply andb_prop in H. destruct H as [H E]. apply andb_prop in H. destruct H as [H _].
    eexists. split; [reflexivity|]. intros i j I J. apply (on_channel_correct n (between r) (entries_of (data r)) y UC UT); assumption.
  - exists (entries_of (data r)). split; [apply group_correct|reflexivity].
Qed.

Lemma load_under_correct n r l c : NoDup (map name (terminals n)) -> (forall p, In p l -> good n p) ->
  load_under (prepare n r) (number c) l == load n (the_routing r) (demand_of l) c.
Proof.
  intros UT G. unfold prepare, the_routing. destruct (by_images r) as [y|]; cbn [load_under].
  - apply load_by_images_correct; assumption.
  - rewrite group_correct. apply load_of_correct; assumption.
Qed.

Lemma prepare_between n r : p_between (prepare n r) = between r.
Proof. unfold prepare. destruct (by_images r); reflexivity. Qed.

Lemma prepare_data n r : p_data (prepare n r) = data r.
Proof. unfold prepare. destruct (by_images r); reflexivity. Qed.

Lemma prepare_entries n r : entries (prepare n r) = entries_of (data r).
Proof. unfold prepare. destruct (by_images r); reflexivity. Qed.

Lemma prepare_images n r : p_images (prepare n r) = by_images r.
Proof. unfold prepare. destruct (by_images r); reflexivity. Qed.

Theorem bounds_worst_case_correct n r s focus w e :
  NoDup (map number (channels n)) -> NoDup (map name (terminals n)) -> (forall c, In c (channels n) -> 0 < bandwidth c) ->
  check_shown n r = true -> routes n (the_routing r) -> check_set n s = true ->
  bounds_worst_case n (prepare n r) s focus w e = true ->
  worst_case_at_most n (the_routing r) (set_of s) (focused focus) w.
Proof.
  intros UC UT BP HR Routes HS H. apply andb_prop in H. destruct H as [_ H]. rewrite prepare_between in H.
  intros D A c C F. destruct (loads_on_correct n r (number c) UC UT HR) as [es [E L]].
  pose proof (load_of_routing n (routing_of (between r) es) (the_routing r) D c L) as Same.
  destruct s as [l|ms|], e as [m| |ls|some e st]; try discriminate.
  - destruct (for_each_correct _ _ _ _ H c C F) as [x X]. rewrite E in X. rewrite <- Same.
    eapply bound_of_channel_correct; [exact UT| |exact X|exact A].
    simpl in HS. destruct (pairs l); [|trivial]. apply andb_prop in HS. apply HS.
  - rewrite forallb_forall in H. specialize (H c C). rewrite (in_focus_correct _ _ F) in H. cbn [negb orb] in H.
    rewrite forallb_forall in H. eapply matrices_at_most; [|exact A]. intros l I. specialize (H l I). apply Qle_bool_iff in H.
    rewrite times_correct, load_under_correct in H; [exact H|exact UT|]. intros q Q. simpl in HS. rewrite forallb_forall in HS. specialize (HS l I).
    apply andb_prop in HS. destruct HS as [HS _]. rewrite forallb_forall in HS. apply is_packet_correct. auto.
  - destruct (for_each_correct _ _ _ _ H c C F) as [x X]. rewrite E in X. rewrite <- Same.
    eapply far_enough_correct; [apply BP; exact C| |exact X|exact A].
    intros i j I J S. rewrite (L i j I J). specialize (Routes i j I J). rewrite S, Key.eqb_refl in Routes. auto.
Qed.

(** The maps of a routing made of images keep it. *)
Theorem maps_keep n r g :
  NoDup (map number (channels n)) -> NoDup (map name (terminals n)) -> check_shown n r = true -> In g (maps_of r) ->
  automorphism n g /\ keeps_routing n (the_routing r) g.
Proof.
  intros UC UT H G. apply andb_prop in H. destruct H as [H _]. unfold maps_of, the_routing in *.
  destruct (by_images r) as [y|]; [|contradiction]. apply andb_prop in H. destruct H as [H _]. apply andb_prop in H.
  destruct H as [_ H]. apply (check_symmetry_correct n (between r) (entries_of (data r)) y UC UT g H G).
Qed.

Theorem bounds_images_correct n r s focus w some e steps :
  NoDup (map number (channels n)) -> NoDup (map name (terminals n)) -> (forall c, In c (channels n) -> 0 < bandwidth c) ->
  check_shown n r = true -> routes n (the_routing r) -> check_set n s = true ->
  bounds_images n (prepare n r) s focus w some e steps = true ->
  worst_case_at_most n (the_routing r) (set_of s) (focused focus) w.
Proof.
  intros UC UT BP HR Routes HS H. unfold bounds_images in H. rewrite prepare_images in H.
  destruct (by_images r) as [y|] eqn:Y; [|discriminate].
  apply andb_prop in H. destruct H as [H R]. apply andb_prop in H. destruct H as [K H]. rewrite forallb_forall in K, R.
  pose proof (bounds_worst_case_correct n r s (Some some) w e UC UT BP HR Routes HS H) as W.
  intros D A c C F. specialize (R c C). rewrite (in_focus_correct _ _ F) in R. simpl in R.
  refine (spread_worst_case n (the_routing r) (set_of s) (maps y) some steps w UC _ W D A c C R).
  intros g G. assert (G' : In g (maps_of r)) by (unfold maps_of; rewrite Y; exact G).
  destruct (maps_keep n r g UC UT HR G') as [Au Ke]. split; [exact Au|]. split; [exact Ke|].
  apply is_kept_correct; [exact Au|]. apply K. exact G.
Qed.

Theorem check_shown_routes n r :
  NoDup (map number (channels n)) -> NoDup (map name (terminals n)) -> check_shown n r = true -> routes n (the_routing r).
Proof.
  intros UC UT H. apply andb_prop in H. destruct H as [H _]. unfold the_routing. destruct (by_images r) as [y|].
  - apply andb_prop in H. destruct H as [H _]. apply andb_prop in H. destruct H as [H _].
    apply routing_by_images_routes; assumption.
  - apply check_routing_correct; [exact UC|exact H].
Qed.

(** What follows from a rate. *)
Lemma rate_at_holds p claims k w d x : (forall c, In c claims -> plain c -> holds p claims c) ->
  rate_at claims k = Some (w, d, x) ->
  is_collective (collective_of w) /\
  match d with AtLeast => exists t, performs (net p) w x t | AtMost => forall y t, performs (net p) w y t -> y <= x end.
Proof.
  unfold rate_at. intros Hold R. destruct (nth_error claims k) as [c|] eqn:E; [|discriminate]. apply nth_error_In in E.
  assert (H : holds p claims c) by (apply Hold; [exact E|destruct c; simpl in R |- *; trivial; discriminate]).
  destruct c; try discriminate R; injection R as <- <- <-; destruct H as [C H]; (split; [exact C|]); unfold performs.
  - intros y t [ps S]. exact (H y t ps S).
  - destruct H as [t [ps S]]. exists t, ps. exact S.
  - destruct H as [t [up [down S]]]. exists t, up, down. exact S.
  - intros y t [ps S]. exact (H y t ps S).
Qed.

Lemma is_bound_correct p claims k w d y f x : (forall c, In c claims -> plain c -> holds p claims c) ->
  rate_at claims k = Some (w, d, y) -> 0 <= f -> is_bound d x (times f y) = true -> best_rate_times (net p) w f d x.
Proof.
  intros Hold R F B. destruct (rate_at_holds _ _ _ _ _ _ Hold R) as [C H]. split; [exact C|].
  destruct d; simpl in B; apply Qle_bool_iff in B; rewrite times_correct in B.
  - destruct H as [t S]. exists y, t. auto.
  - intros z t S. eapply Qle_trans; [|exact B]. rewrite (Qmult_comm f z), (Qmult_comm f y).
    apply Qmult_le_compat_r; [exact (H z t S)|exact F].
Qed.

Lemma check_bandwidth_correct p claims bus x k : (forall c, In c claims -> plain c -> holds p claims c) ->
  check_bandwidth claims bus x k = true -> holds p claims (Bandwidth bus x k).
Proof.
  intros Hold H. unfold check_bandwidth in H. cbn [holds]. unfold about_rate.
  destruct (rate_at claims k) as [[[w d] y]|] eqn:R; [|discriminate].
  eapply is_bound_correct; [exact Hold|exact R| |exact H]. change 0 with (inject_Z 0). rewrite <- Zle_Qle. apply N2Z.is_nonneg.
Qed.

Lemma check_least_time_correct p claims x k phases latency : (forall c, In c claims -> plain c -> holds p claims c) ->
  check_least_time claims x k phases latency = true -> holds p claims (LeastTime x k phases latency).
Proof.
  intros Hold H. unfold check_least_time in H. cbn [holds]. unfold about_rate.
  destruct (rate_at claims k) as [[[w d] y]|] eqn:R; [|discriminate]. destruct d; [discriminate|].
  destruct (rate_at_holds _ _ _ _ _ _ Hold R) as [C B]. split; [exact C|]. intros t S. specialize (B _ _ S).
  assert (T : 0 < t) by (destruct w; [destruct S as [ps [T _]]|destruct S as [ps [T _]]|destruct S as [up [down [T _]]]]; exact T).
  apply Qle_bool_iff in H. rewrite add_correct, times_correct in H.
  eapply Qle_trans; [exact H|]. apply Qplus_le_r.
  destruct (Qeq_bool y 0); [apply Qlt_le_weak; exact T|].
  pose proof (Qinv_lt_0_compat _ T) as I. assert (P : 0 < y) by (eapply Qlt_le_trans; [exact I|exact B]).
  apply Qle_shift_inv_r; [exact P|].
  assert (M : / t * t <= y * t) by (apply Qmult_le_compat_r; [exact B|apply Qlt_le_weak; exact T]).
  rewrite Qmult_comm, Qmult_inv_r in M by (intros Z; rewrite Z in T; discriminate T). rewrite Qmult_comm. exact M.
Qed.

Lemma check_times_optimal_correct p claims x k time : (forall c, In c claims -> plain c -> holds p claims c) ->
  check_times_optimal (times_of p) claims x k time = true -> holds p claims (TimesOptimal x k time).
Proof.
  intros Hold H. unfold check_times_optimal in H. cbn [holds]. unfold about_rate, at_position.
  destruct (rate_at claims k) as [[[w d] y]|] eqn:R; [|discriminate].
  destruct (time_at claims time) as [t|]; [|discriminate]. destruct (nth_error (times_of p) time) as [t'|]; [|discriminate].
  apply andb_prop in H. destruct H as [H B]. apply andb_prop in H. destruct H as [E P].
  split; [apply Qeq_bool_iff; exact E|]. eapply is_bound_correct; [exact Hold|exact R|apply Qle_bool_iff; exact P|exact B].
Qed.

Theorem check_claim_correct p claims c :
  check_network (net p) = true ->
  (forall r, In r (routings p) -> check_shown (net p) r = true) ->
  (forall s, In s (sets p) -> check_set (net p) s = true) ->
  plain c -> check_claim (net p) (map (prepare (net p)) (routings p)) (sets p) (lists p) (times_of p) claims c = true ->
  holds p claims c.
Proof.
  intros HN HR HS Plain H. destruct (check_network_correct _ HN) as [UC [UT BP]].
  assert (Routes : forall r, In r (routings p) -> routes (net p) (the_routing r)).
  { intros r I. apply check_shown_routes; auto. }
  assert (On : forall r, In r (routings p) -> forall e, In e (entries_of (data r)) -> exists c, In c (channels (net p)) /\ number c = on e).
  { intros r I e E. specialize (HR r I). apply andb_prop in HR. destruct HR as [_ HR].
    assert (M : Map.mem (on e) (find_by number (channels (net p))) = true).
    { destruct (data r) as [l|l].
      - rewrite forallb_forall in HR. auto.
      - apply andb_prop in HR. destruct HR as [_ HR]. rewrite forallb_forall in HR. auto. }
    rewrite Map.mem_find in M. destruct (Map.find (on e) _) as [x|] eqn:F; [|discriminate].
    apply find_by_correct in F. exists x. exact F. }
  assert (GoodPairs : forall l, In (LimitsSet l) (sets p) -> match pairs l with Some ps => good_pairs (net p) ps = true | None => True end).
  { intros l I. specialize (HS _ I). simpl in HS. destruct (pairs l); [|trivial]. apply andb_prop in HS. apply HS. }
  destruct c as [r s focus w e|r s k w l why|r s l|s b hops limit w a d|s b hops limit h a d|s w l why lengths d|r h|s w fs|h ts|q x k1 k2|r v o|r l|r of|r by_what m y|k x cs ps|k x ts|ts x up down|ts x k l|r s x latency l| | |];
    simpl in H; try contradiction Plain; unfold holds.
  - apply position_prepared in H. destruct H as [R [ER [IR H]]]. apply position_correct in H. destruct H as [S [ES [IS H]]].
    unfold at_position. rewrite ER, ES.
    destruct e; try (eapply bounds_worst_case_correct; eauto; fail). eapply bounds_images_correct; eauto.
  - apply position_prepared in H. destruct H as [R [ER [IR H]]]. apply position_correct in H. destruct H as [S [ES [IS H]]].
    unfold at_position. rewrite ER, ES. destruct (find _ _) as [c|] eqn:F; [|discriminate].
    apply find_some in F. destruct F as [C N]. apply Key.eqb_eq in N. apply andb_prop in H. destruct H as [H L].
    apply andb_prop in H. destruct H as [H _]. apply in_set_correct in H; [|exact UC|exact UT]. destruct H as [A G].
    exists c. split; [exact C|]. split; [exact N|]. exists (demand_of l). split; [exact A|].
    apply Qle_bool_iff in L. rewrite <- N, times_correct, load_under_correct in L by assumption. exact L.
  - apply position_prepared in H. destruct H as [R [ER [IR H]]]. apply position_correct in H. destruct H as [S [ES [IS H]]].
    unfold at_position. rewrite ER, ES. destruct S as [lim| |]; try discriminate.
    apply andb_prop in H. destruct H as [RN H]. rewrite forallb_forall in RN.
    intros f D F0 F1 A c C. destruct (for_each_correct _ _ _ _ H c C I) as [x X].
    destruct (loads_on_correct (net p) R (number c) UC UT (HR R IR)) as [es [E Same]]. rewrite E, prepare_between in X.
    rewrite <- (load_of_routing (net p) (routing_of (between R) es) (the_routing R) _ c Same).
    eapply unsaturated_correct; [exact UT|apply GoodPairs; exact IS| |exact X|exact F0|exact F1|exact A].
    intros i h Ii E'. specialize (RN i Ii).
    change (match row (transport_of lim) i with Some h => Qle_bool 0 h | None => true end = true) in RN.
    rewrite E' in RN. apply Qle_bool_iff. exact RN.
  - apply position_correct in H. destruct H as [S [ES [IS H]]]. unfold at_position. rewrite ES.
    eapply in_scope_correct; [exact H|]. intros l T R Rr B K L w' W. exact (load_bound_correct _ _ _ _ _ _ _ _ UC UT T R w' Rr B K L W).
  - apply position_correct in H. destruct H as [S [ES [IS H]]]. unfold at_position. rewrite ES.
    eapply in_scope_correct; [exact H|]. intros l T R Rr B K L h' W. exact (path_bound_correct _ _ _ _ _ _ _ _ UC UT T R h' Rr B K L W).
  - apply position_correct in H. destruct H as [S [ES [IS H]]]. unfold at_position. rewrite ES.
    apply andb_prop in H. destruct H as [H L]. apply andb_prop in H. destruct H as [H _].
    apply in_set_correct in H; [|exact UC|exact UT]. destruct H as [A G].
    exists (demand_of l). split; [exact A|]. eapply lengths_prove_correct; eassumption.
  - apply position_prepared in H. destruct H as [R [ER [IR H]]]. unfold at_position. rewrite ER.
    apply Qeq_bool_iff in H. rewrite times_correct, all_pairs_correct, prepare_between, prepare_images, prepare_entries in H.
    unfold path_length_is, the_routing. specialize (HR R IR). apply andb_prop in HR. destruct HR as [HR _].
    destruct (by_images R) as [y|].
    + apply andb_prop in HR. destruct HR as [HR _]. apply andb_prop in HR. destruct HR as [HR _].
      rewrite <- path_length_by_images; [exact H|exact UC|exact UT|exact HR|apply On; exact IR].
    + rewrite <- path_length_correct; [exact H|exact UC|apply On; exact IR].
  - apply position_correct in H. destruct H as [S [ES [IS H]]]. unfold at_position. rewrite ES.
    destruct S as [|ms|]; [discriminate| |].
    2:{ intros D A. destruct fs; [|discriminate]. apply routable_can_be_routed; [exact BP|apply Qle_bool_iff; exact H|exact A]. }
    intros D A. eapply routes_matrices_correct; [exact UC|exact UT| |exact H|exact A].
    intros l I q Q. specialize (HS _ IS). simpl in HS. rewrite forallb_forall in HS. specialize (HS l I).
    apply andb_prop in HS. destruct HS as [HS _]. rewrite forallb_forall in HS. apply is_packet_correct. auto.
  - eapply shortest_paths_correct. exact H.
  - apply position_prepared in H. destruct H as [R [ER [IR H]]]. unfold at_position. rewrite ER.
    apply andb_prop in H. destruct H as [V H]. apply andb_prop in V. destruct V as [_ V]. rewrite prepare_data in V, H.
    split; [apply on_virtual_correct; exact V|eapply no_cycle_never_stuck, check_order_correct; [exact UC|exact H]].
  - apply position_prepared in H. destruct H as [R [ER [IR H]]]. unfold at_position. rewrite ER.
    apply andb_prop in H. destruct H as [_ H]. rewrite prepare_data in H. eapply check_cycle_correct. exact H.
  - apply position_prepared in H. destruct H as [R [ER [IR H]]]. unfold at_position. rewrite ER.
    eapply check_tables_correct; [|exact H]. intros k. apply loads_on_correct; auto.
  - apply position_prepared in H. destruct H as [R [ER [IR H]]]. unfold at_position. rewrite ER.
    rewrite prepare_data in H. destruct (data R); [discriminate|]. eapply check_refutation_correct. exact H.
  - eapply cuts_prove_correct; eassumption.
  - eapply trees_carry_correct; eassumption.
  - eapply reductions_carry_correct; eassumption.
  - eapply sets_prove_correct; eassumption.
  - apply position_prepared in H. destruct H as [R [ER [IR H]]]. apply position_correct in H. destruct H as [S [ES [IS H]]].
    unfold at_position. rewrite ER, ES. destruct S as [|ms|]; try discriminate. exists ms. split; [reflexivity|].
    destruct (time_of _ _ _ _ _) as [y|] eqn:T; [|discriminate]. apply Qeq_bool_iff in H. eapply phases_take_equal; [exact H|].
    eapply time_of_correct; [exact BP| |exact T]. intros m c Im C. apply load_under_correct; [exact UT|].
    intros q Q. specialize (HS _ IS). simpl in HS. rewrite forallb_forall in HS. specialize (HS m Im).
    apply andb_prop in HS. destruct HS as [HS _]. rewrite forallb_forall in HS. apply is_packet_correct. auto.
Qed.

(** The theorem of this folder. *)
Theorem check_correct p claims :
  check p claims = AllHold ->
  well_formed (net p) /\
  (forall r, In r (routings p) -> routes (net p) (the_routing r)) /\
  (forall r g, In r (routings p) -> In g (maps_of r) -> automorphism (net p) g /\ keeps_routing (net p) (the_routing r) g) /\
  forall c, In c claims -> holds p claims c.
Proof.
  unfold check. destruct (check_network (net p)) eqn:N; [|discriminate].
  destruct (first_bad (check_shown (net p)) (routings p) 0) eqn:R; [discriminate|].
  destruct (first_bad (check_set (net p)) (sets p) 0) eqn:S; [discriminate|].
  destruct (first_bad _ claims 0) eqn:C; [discriminate|]. intros _.
  pose proof (first_bad_none _ _ _ R) as HR. pose proof (first_bad_none _ _ _ S) as HS. pose proof (first_bad_none _ _ _ C) as HC.
  destruct (check_network_correct _ N) as [UC W]. split; [split; assumption|].
  assert (Routes : forall r, In r (routings p) -> routes (net p) (the_routing r)).
  { intros r I. apply check_shown_routes; [exact UC|apply W|auto]. }
  assert (Plain : forall c, In c claims -> plain c -> holds p claims c) by (intros c I P; apply check_claim_correct; auto).
  split; [exact Routes|]. split; [intros r g I G; apply maps_keep; auto; apply W|]. intros c I. pose proof (HC _ I) as H.
  destruct c as [| | | | | | | | |q x k1 k2| | | | | | | | | |bus x k|x k phases latency|x k time]; try (apply Plain; [exact I|exact Logic.I]).
  - apply check_quotient_correct; [apply W|exact Routes|exact Plain|exact H].
  - apply check_bandwidth_correct; assumption.
  - apply check_least_time_correct; assumption.
  - apply check_times_optimal_correct; assumption.
Qed.

(** * Proofs about destination graphs *)

Definition check_about_graph (t : Z) (d : nat) (g : graph) (claims : list graph_claim) : verdict :=
  if check_graph t d g then
    match first_bad (check_graph_claim t d g) claims 0 with
    | Some k => BadClaim k
    | None => AllHold
    end
  else BadNetwork.

Theorem check_about_graph_correct t d g claims :
  check_about_graph t d g claims = AllHold ->
  is_graph t d g /\ forall c, In c claims -> graph_holds t d g c.
Proof.
  unfold check_about_graph. destruct (check_graph t d g) eqn:G; [|discriminate].
  destruct (first_bad _ claims 0) eqn:C; [discriminate|]. intros _.
  destruct (check_graph_correct t d g G) as [_ [H _]]. split; [exact H|].
  intros c I. pose proof (first_bad_none _ _ _ C c I) as X. apply (check_graph_claim_correct t d g c G X).
Qed.
