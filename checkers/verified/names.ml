(* Names with a definition (docs/proof-format.md), and whether a network, a routing or a set is what its name says.

   Nothing here decides whether a claim holds: it decides which names of routings stand without quotation marks (those of
   networks are decided in Grids.v, that of minimal routing per hop in Named.v). *)

type grid = { kind : string; radices : int array; size : int; units : int array }

let rem a k = ((a mod k) + k) mod k
let upto n = List.init n (fun k -> k)
let split sep s = String.split_on_char sep s
let for_all_digits s = s <> "" && (let good = ref true in String.iter (fun c -> if c < '0' || c > '9' then good := false) s; !good)
let small_number most s = for_all_digits s && s.[0] <> '0' && String.length s <= most

(* {1 Grids: nodes are numbered row by row, the last coordinate fastest} *)

let at g v = Array.mapi (fun m k -> v / g.units.(m) mod k) g.radices
let node g x = let v = ref 0 in Array.iteri (fun m y -> v := !v + rem y g.radices.(m) * g.units.(m)) x; !v

let moved g v m step =
  let k = g.radices.(m) in
  let y = v / g.units.(m) mod k in
  v + (rem (y + step) k - y) * g.units.(m)

(* What channels add to coordinate m where it is y, in the order of the channels. *)
let steps g m y =
  let k = g.radices.(m) in
  match g.kind with
  | "hyperx" -> List.init (k - 1) (fun n -> n + 1)
  | "mesh" -> List.filter (fun step -> 0 <= y + step && y + step < k) [1; -1]
  | _ -> if k = 2 then [1] else [1; -1]

(* (node, dimension, step), in the order of the channels. *)
let places g =
  Seq.flat_map (fun v ->
    let x = at g v in
    List.to_seq (List.concat_map (fun m -> List.map (fun step -> (v, m, step)) (steps g m x.(m))) (upto (Array.length x))))
    (Seq.unfold (fun v -> if v < g.size then Some (v, v + 1) else None) 0)

let half = Q.of_ints 1 2
let repeat n x = List.init n (fun _ -> x)

(* The shortest ways from y to z along dimension m: (probability, steps). *)
let ways g tie m y z =
  let k = g.radices.(m) in
  let ahead = rem (z - y) k in
  match g.kind with
  | "hyperx" -> [(Q.one, if ahead > 0 then [ahead] else [])]
  | "mesh" -> [(Q.one, repeat (abs (z - y)) (if z > y then 1 else -1))]
  | _ ->
      let forth = repeat ahead 1 and back = repeat (k - ahead) (-1) in
      if 2 * ahead = k && k > 2 && tie <> "plus" then [(half, forth); (half, back)]
      else [(Q.one, if 2 * ahead <= k then forth else back)]

let grid_called name =
  let family, rest = match split ':' name with [] -> ("", "") | f :: l -> (f, String.concat ":" l) in
  let kind = match family with
    | "torus" | "ring" | "hypercube" -> "torus" | "mesh" -> "mesh" | "hyperx" | "complete" -> "hyperx" | _ -> "" in
  let numbers = split 'x' rest in
  if kind = "" || List.length numbers > 64 || not (List.for_all (small_number 7) numbers) then None
  else
    let numbers = List.map int_of_string numbers in
    if List.mem family ["ring"; "hypercube"; "complete"] && List.length numbers > 1 then None
    else
      let radices = if family = "hypercube" then repeat (min (List.hd numbers) 64) 2 else numbers in
      let most = 1 lsl 53 in
      let size = List.fold_left (fun n k -> if n > most / k then most else n * k) 1 radices in
      if List.exists (fun k -> k < 2) radices then None
      else
        let radices = Array.of_list radices in
        let n = Array.length radices in
        let units = Array.make n 1 in
        if size < most then for m = n - 2 downto 0 do units.(m) <- units.(m + 1) * radices.(m + 1) done;
        Some { kind; radices; size; units }

(* {1 Routings on grids: dimension order in two phases} *)

module Found = Map.Make (struct type t = int list let compare = compare end)

let add key x m = Found.update key (function None -> Some x | Some y -> Some (Q.add x y)) m

type via = Destination | Quadrant | Anywhere
type rule = { grid : grid; via : via; tie : string; phases : int list option list }  (* None: in a random order *)

let rec product = function [] -> [[]] | l :: rest -> let others = product rest in List.concat_map (fun x -> List.map (fun y -> x :: y) others) l

let rec orders = function
  | [] -> [[]]
  | l -> List.concat_map (fun x -> List.map (fun rest -> x :: rest) (orders (List.filter (fun y -> y <> x) l))) l

(* (probability, steps of the first phase, of the second) from y to z along dimension m. *)
let walks r m y z =
  let ways = ways r.grid r.tie m in
  let direct = ways y z and k = r.grid.radices.(m) in
  let rec cuts before = function
    | [] -> [(List.rev before, [])]
    | x :: l -> (List.rev before, x :: l) :: cuts (x :: before) l in
  match r.via with
  | Destination -> List.map (fun (p, way) -> (p, way, [])) direct
  | Quadrant when not (r.tie = "union" && List.length direct = 2) ->
      List.concat_map (fun (p, way) ->
        let each = Q.div p (Q.of_int (List.length way + 1)) in
        List.map (fun (one, two) -> (each, one, two)) (cuts [] way)) direct
  | _ ->
      List.concat_map (fun w -> List.concat_map (fun (p, one) ->
        List.map (fun (q, two) -> (Q.div (Q.mul p q) (Q.of_int k), one, two)) (ways w z)) (ways y w)) (upto k)

(* Loads by channel, or probabilities by path, from x to z.  A channel is [node; dimension; step], a path all of its. *)
let moves r x z by_paths =
  let g = r.grid in
  let dims = upto (Array.length x) in
  List.fold_left (fun found walk ->
    let chance = List.fold_left (fun all (p, _, _) -> Q.mul all p) Q.one walk in
    let phase k order =
      let steps = Array.of_list (List.map (fun (_, one, two) -> if k = 0 then one else two) walk) in
      let moving = List.filter (fun m -> steps.(m) <> []) (Option.value ~default:dims order) in
      List.map (List.concat_map (fun m -> List.map (fun step -> (m, step)) steps.(m)))
        (if order = None then orders moving else [moving]) in
    let both = product (List.mapi phase r.phases) in
    let each = Q.div chance (Q.of_int (List.length both)) in
    List.fold_left (fun found parts ->
      let v = ref (node g x) in
      let path = List.map (fun (m, step) -> let place = [!v; m; step] in v := moved g !v m step; place) (List.concat parts) in
      if by_paths then add (List.concat path) each found else List.fold_left (fun f place -> add place each f) found path)
      found both)
    Found.empty (product (List.map (fun m -> walks r m x.(m) z.(m)) dims))

(* A function of two nodes: loads by [channel], or probabilities by path, of channels as they are numbered. *)
let rec grid_flow r =
  let g = r.grid in
  let number = Hashtbl.create 1000 and known = Hashtbl.create 1000 and shifts = Hashtbl.create 1000 in
  Seq.iter (fun place -> Hashtbl.add number place (Hashtbl.length number)) (places g);
  let cached table key make = match Hashtbl.find_opt table key with
    | Some x -> x
    | None -> let x = make () in Hashtbl.add table key x; x in
  let single = lazy (List.map (fun order -> grid_flow { r with via = Destination; phases = [order] }) r.phases) in
  let means = Hashtbl.create 1000 in
  (* mean loads from v to all nodes in the first phase, or to v from all nodes in the second *)
  let mean v k = cached means (v, k) (fun () ->
    List.fold_left (fun found w ->
      let s, t = if k = 0 then (v, w) else (w, v) in
      Found.fold (fun c x f -> add c (Q.div x (Q.of_int g.size)) f) (List.nth (Lazy.force single) k s t false) found)
      Found.empty (upto g.size)) in
  fun s t by_paths ->
    if r.via = Anywhere && not by_paths then Found.union (fun _ a b -> Some (Q.add a b)) (mean s 0) (mean t 1)
    else begin
      let a = at g s and b = at g t in
      let x, z =
        if g.kind <> "mesh" then (Array.map (fun _ -> 0) a, Array.mapi (fun m y -> rem (b.(m) - y) g.radices.(m)) a)
        else if r.via <> Anywhere then (Array.mapi (fun m y -> max 0 (y - b.(m))) a, Array.mapi (fun m y -> max 0 (b.(m) - y)) a)
        else (a, b) in
      let by = Array.mapi (fun m y -> rem (y - x.(m)) g.radices.(m)) a in
      let found = cached known (x, z) (fun () -> moves r x z by_paths) in
      let target = cached shifts by (fun () -> Array.init g.size (fun v -> node g (Array.mapi (fun m y -> y + by.(m)) (at g v)))) in
      let rec numbered = function
        | v :: m :: step :: rest -> Hashtbl.find number (target.(v), m, step) :: numbered rest
        | _ -> [] in
      Found.fold (fun path x f -> Found.add (numbered path) x f) found Found.empty
    end

(* {1 Shortest paths, each as likely} *)

let shortest arcs =
  let leaving = Hashtbl.create 1000 and arriving = Hashtbl.create 1000 and tables = Hashtbl.create 100 in
  let listed table key = Option.value ~default:[] (Hashtbl.find_opt table key) in
  Array.iteri (fun c (tail, head) ->
    Hashtbl.replace leaving tail ((c, head) :: listed leaving tail);
    Hashtbl.replace arriving head (tail :: listed arriving head)) arcs;
  let table t = match Hashtbl.find_opt tables t with
    | Some x -> x
    | None ->
        let hops = Hashtbl.create 100 and count = Hashtbl.create 100 and queue = Queue.create () in
        Hashtbl.add hops t 0; Hashtbl.add count t Z.one; Queue.add t queue;
        while not (Queue.is_empty queue) do
          let v = Queue.pop queue in
          List.iter (fun u ->
            if not (Hashtbl.mem hops u) then (Hashtbl.add hops u (Hashtbl.find hops v + 1); Queue.add u queue);
            if Hashtbl.find hops u = Hashtbl.find hops v + 1 then
              Hashtbl.replace count u (Z.add (Option.value ~default:Z.zero (Hashtbl.find_opt count u)) (Hashtbl.find count v)))
            (listed arriving v)
        done;
        Hashtbl.add tables t (hops, count);
        (hops, count) in
  let next v t =
    let hops, count = table t in
    let nearer = List.filter (fun (_, w) -> Hashtbl.find_opt hops w = Some (Hashtbl.find hops v - 1)) (listed leaving v) in
    List.map (fun (c, w) ->
      (Q.make (Hashtbl.find count w) (Hashtbl.find count v), c, w)) nearer in
  fun s t by_paths ->
    match Hashtbl.find_opt (fst (table t)) s with
    | None -> Found.empty
    | Some far ->
        (* by node, and, of paths, by the channels on the way there, the last first *)
        let rec go k now found =
          if k = 0 then (now, found)
          else
            let after, found = Found.fold (fun key n (after, found) -> match key with
              | v :: path ->
                  List.fold_left (fun (after, found) (p, c, w) ->
                    let x = Q.mul n p in
                    (add (w :: (if by_paths then c :: path else [])) x after, add [c] x found)) (after, found) (next v t)
              | [] -> (after, found)) now (Found.empty, found) in
            go (k - 1) after found in
        let now, found = go far (Found.singleton [s] Q.one) Found.empty in
        if by_paths then Found.fold (fun key x f -> Found.add (List.rev (List.tl key)) x f) now Found.empty else found

(* What a routing is called by Coq, if it is as defined, or a function of two nodes that is compared here. *)
type definition = Proved of (Checker.network -> Checker.shown -> char list option) | Compared of (int -> int -> bool -> Q.t Found.t)

(* What the page defines under this name on this network, or None. *)
let routing_called name arcs grid =
  let words s = match split ':' s with
    | [_] -> Some []
    | _ :: rest ->
        let pairs = List.map (split '=') (split ',' (String.concat ":" rest)) in
        if List.for_all (fun w -> List.length w = 2) pairs then Some (List.map (fun w -> (List.hd w, List.nth w 1)) pairs) else None
    | [] -> None in
  match name, grid, words name with
  | "minimal:choice=per-path", _, _ -> Some (Compared (shortest arcs))
  | "minimal:choice=per-hop", _, _ -> Some (Proved Checker.name_of_per_hop)
  | _, Some g, Some options when List.mem (List.map fst options) [[]; ["tie"]; ["order"]; ["tie"; "order"]] ->
      let family = List.hd (split ':' name) in
      let tie = Option.value ~default:"split" (List.assoc_opt "tie" options) and order = List.assoc_opt "order" options in
      let size = Array.length g.radices in
      let letters = if size <= 4 then "xyzw" else "0123456789" in
      let natural = Some (upto size) in
      let listed s = List.init (String.length s) (String.get s) in
      let read s =
        let wanted = if size <= String.length letters then listed (String.sub letters 0 size) else [] in
        if wanted <> [] && List.sort compare (listed s) = List.sort compare wanted
        then Some (Some (List.map (String.index letters) (listed s))) else None in
      let rule via phases =
        if List.mem None phases then None
        else Some (Compared (grid_flow { grid = g; via; tie; phases = List.map Option.get phases })) in
      if tie <> "split" && tie <> (if family = "romm" then "union" else "plus") then None
      else begin match family, order with
        | "o1turn", None when size = 2 -> rule Destination [Some None]
        | "dor", None -> rule Destination [Some natural]
        | "dor", Some "random" -> rule Destination [Some None]
        | "dor", Some s -> rule Destination [read s]
        | "valiant", None -> rule Anywhere [Some natural; Some natural]
        | "valiant", Some s -> rule Anywhere [read s; read s]
        | "romm", None -> rule Quadrant [Some None; Some None]
        | "romm", Some s -> let l = List.map read (split '-' s) in if List.length l = 2 then rule Quadrant l else None
        | _ -> None
      end
  | _ -> None

let is_set_name s =
  List.mem s ["permutations"; "uniform"; "routable"]
  || (match split ':' s with ["sparse"; n] -> small_number 9 n | _ -> false)

(* How a name stands in the words of claims, and at the head of what is printed. *)
let named quoted name found known =
  let others = "called " ^ quoted ^ " by the proof" in
  match found with
  | Some f -> (f, if f = name then f else f ^ ", " ^ others)
  | None -> (quoted, others ^ (if known then ", and not as this name is defined" else ""))

(* {1 Words} *)

let counted n what = if n = "1" then "1 " ^ what else n ^ " " ^ (match what with "entry" -> "entries" | "matrix" -> "matrices" | w -> w ^ "s")
let count n what = counted (string_of_int n) what

let span shown l =
  let least = List.fold_left Q.min (List.hd l) l and most = List.fold_left Q.max (List.hd l) l in
  if Q.equal least most then shown least else shown least ^ " to " ^ shown most
