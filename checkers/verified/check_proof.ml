(* check_proof PROOF.json: reads a proof (docs/proof-format.md), and prints what Said.printed says, extracted from Coq.

   This file makes the network, the routings, the sets and the claims of the JSON that Coq read; Coq checks them and makes
   the sentences.  What is evidence need not be trusted.  It tests besides what the format demands and no theorem needs
   (no pair is listed twice, and the like); such tests only make the checker stricter. *)

module C = Checker
open Json

exception Does_not_hold of string

let require holds what = if not holds then raise (Does_not_hold what)

(* {1 Reading} *)

let readable holds what = if not holds then unreadable what

let ascii text = String.concat "" (List.map (fun c -> let c = Z.to_int c in if c < 128 then String.make 1 (Char.chr c) else "?") text)

let is_digits s =
  let n = String.length s in
  let start = if n > 0 && s.[0] = '-' then 1 else 0 in
  let digits = n - start in
  s = "0"
  || (digits >= 1 && digits <= 4000 && s.[start] <> '0'
      && (let good = ref true in
          String.iteri (fun i c -> if i >= start && not (c >= '0' && c <= '9') then good := false) s;
          !good))

let integer = function
  | Number n -> n
  | Text t when List.compare_length_with t 4001 <= 0 && is_digits (ascii t) -> Z.of_string (ascii t)
  | _ -> unreadable "a whole number was expected"

let nat x = let n = integer x in readable (Z.sign n >= 0) "a number is negative"; n
let pos x = let n = integer x in readable (Z.sign n > 0) "a number is not positive"; n
let text = function Text t -> t | _ -> unreadable "a text was expected"
let index size = function Number n when Z.sign n >= 0 && Z.lt n (Z.of_int size) -> Z.to_int n | _ -> unreadable (Printf.sprintf "an index below %d was expected" size)
let optional read = function Null -> None | x -> Some (read x)
let all read = function List l -> List.rev (List.rev_map read l) | _ -> unreadable "a list was expected"

let exactly length read x =
  let l = all read x in
  readable (List.compare_length_with l length = 0) (Printf.sprintf "a list of %d was expected" length);
  l

let two a b = function List [x; y] -> let x = a x in (x, b y) | _ -> unreadable "a list of 2 was expected"
let three a b c = function List [x; y; z] -> let x = a x in let y = b y in (x, y, c z) | _ -> unreadable "a list of 3 was expected"
let four a b c d = function
  | List [w; x; y; z] -> let w = a w in let x = b x in let y = c y in (w, x, y, d z)
  | _ -> unreadable "a list of 4 was expected"
let five a b c d e = function
  | List [v; w; x; y; z] -> let v = a v in let w = b w in let x = c x in let y = d y in (v, w, x, y, e z)
  | _ -> unreadable "a list of 5 was expected"

let string_of text = String.of_seq (List.to_seq text)
let text_of s = List.of_seq (String.to_seq s)
let codes s = List.init (String.length s) (fun i -> Z.of_int (Char.code s.[i]))

(* [fields keys x]: an object with exactly these keys, as a function from key to value. *)
let fields keys = function
  | Object members when List.compare_lengths members keys = 0 && List.for_all (fun k -> List.mem_assoc (codes k) members) keys ->
      fun key -> List.assoc (codes key) members
  | _ -> unreadable ("an object with the keys " ^ String.concat ", " keys ^ " was expected")

let not_verified kind = unreadable ("claims of the kind " ^ kind ^ " are not verified here: use another checker, or leave them out")

let kind_of = function
  | Object members -> (match List.assoc_opt (codes "kind") members with Some (Text t) -> ascii t | _ -> "")
  | _ -> ""

(* Numbers of Coq: what counts from 0 here counts from 1 there. *)
let key k = Z.of_int (k + 1)
let over scale n = { C.qnum = n; qden = scale }
let whole n = over Z.one n
let fraction_of n d = let g = Z.gcd n d in over (Z.divexact d g) (Z.divexact n g)
let fraction x = let n, d = two integer pos x in fraction_of n d
let unary = Names.unary
let rec counted = function C.O -> 0 | C.S n -> 1 + counted n

let shown (q : C.q) =
  let limit = Z.pow (Z.of_int 10) 4000 in
  if Z.lt (Z.abs q.qnum) limit && Z.lt q.qden limit
  then if Z.equal q.qden Z.one then Z.to_string q.qnum else Z.to_string q.qnum ^ "/" ^ Z.to_string q.qden
  else "a long fraction"

let shown_q (x : Q.t) = shown { C.qnum = x.Q.num; qden = x.Q.den }
let span l = Names.span shown_q l

let map_of l = List.fold_left (fun m (k, x) -> C.Map.add (key k) x m) C.Map.empty l
let numbered l = List.mapi (fun i x -> (i, x)) l

let distinct l what =
  let seen = Hashtbl.create 1000 in
  List.iter (fun x -> require (not (Hashtbl.mem seen x)) (what ^ " comes twice"); Hashtbl.add seen x ()) l

(* {1 Networks, routings, sets} *)

type network = {
  nodes : int;
  channels : C.channel array;
  terminals : C.terminal array;
  ends : (int * int) array;             (* of terminals: where they send and receive *)
  arcs : (int * int) array;             (* of channels: tail and head *)
  grid : (int * int list * C.grid) option;   (* how many nodes, radices: if it is one, and is called so *)
  read_as : string;
}

let read_network x =
  let f = fields ["name"; "nodes"; "scale"; "channels"; "terminals"] x in
  let name = text (f "name") and count = pos (f "nodes") in
  let nodes = Z.to_int (Z.min count (Z.of_int largest)) in
  let scale = pos (f "scale") and node = index nodes in
  let channels = Array.of_list (all (three node node pos) (f "channels")) in
  let ends = Array.of_list (all (two node node) (f "terminals")) in
  readable (Array.length ends > 0) "a network has at least one terminal";
  let arcs = Array.map (fun (t, h, _) -> (t, h)) channels in
  let numbered_channels = Array.mapi (fun i (t, h, b) -> { C.number = key i; tail = key t; head = key h; bandwidth = over scale b }) channels in
  let terminals = Array.mapi (fun i (s, d) -> { C.name = key i; source = key s; sink = key d }) ends in
  let wanted = Names.grid_called (ascii name) in
  let found = match wanted with
    | Some (size, _, g) when size = nodes && nodes <= Array.length arcs ->
        Option.map (fun w -> String.of_seq (List.to_seq w))
          (C.name_of_grid g { C.channels = Array.to_list numbered_channels; terminals = Array.to_list terminals })
    | _ -> None in
  let grid = if found = None then None else wanted in
  let title = Names.named (quoted name) (ascii name) found (wanted <> None) in
  let widths = match Array.to_list channels with [] -> "" | l -> " of bandwidth " ^ span (List.map (fun (_, _, b) -> Q.make b scale) l) in
  let read_as = Printf.sprintf "network %s: %s, %s%s, %s" title (Names.counted (Z.to_string count) "node")
    (Names.count (Array.length arcs) "channel") widths (Names.count (Array.length ends) "terminal") in
  { nodes; ends; arcs; grid; read_as; channels = numbered_channels; terminals }

let channel net = index (Array.length net.channels)
let terminal net = index (Array.length net.ends)

(* Between nodes or terminals: how many there are, the nodes of a pair, and the tests of a list of pairs. *)
let read_between x = match ascii (text x) with
  | "nodes" -> C.Nodes
  | "terminals" -> C.Terminals
  | _ -> unreadable "between: nodes or terminals"

let end_of net = function C.Nodes -> index net.nodes | C.Terminals -> terminal net
let word_of = function C.Nodes -> "nodes" | C.Terminals -> "terminals"
let nodes_of net between (i, j) = match between with C.Nodes -> (i, j) | C.Terminals -> (fst net.ends.(i), snd net.ends.(j))

let require_pairs net between ~complete pairs =
  distinct pairs "a pair";
  let sends = Hashtbl.create 1000 and receives = Hashtbl.create 1000 in
  let count table v = Hashtbl.replace table v (1 + Option.value ~default:0 (Hashtbl.find_opt table v)) in
  Array.iter (fun (s, d) -> count sends s; count receives d) net.ends;
  List.iter (fun pair ->
    let a, b = nodes_of net between pair in
    require (a <> b && Hashtbl.mem sends a && Hashtbl.mem receives b)
      (Printf.sprintf "(%d, %d) is no pair of %s between which packets are sent" (fst pair) (snd pair) (word_of between))) pairs;
  if complete then begin
    let at_one f = Hashtbl.fold (fun v n sum -> match Hashtbl.find_opt receives v with Some m -> sum + f n m | None -> sum) sends 0 in
    let expected = match between with
      | C.Nodes -> (Hashtbl.length sends * Hashtbl.length receives) - at_one (fun _ _ -> 1)
      | C.Terminals -> (Array.length net.ends * Array.length net.ends) - at_one (fun n m -> n * m) in
    require (List.length pairs = expected) (Printf.sprintf "%d of %d pairs are routed" (List.length pairs) expected)
  end

(* {1 Symmetry} *)

(* Where each node, channel and terminal goes. *)
type moved = int array * int array * int array

(* What maps make of few senders: by sender the least one of its orbit, and a map that takes that one to it; of each
   channel the least one of its orbit. *)
type images = { base : (int, int) Hashtbl.t; forth : (int, moved) Hashtbl.t; orbit : int array }

type symmetry = { moves : moved list; images : images Lazy.t }

let after (a, b, c) ((d, e, f) : moved) : moved = (Array.map (Array.get a) d, Array.map (Array.get b) e, Array.map (Array.get c) f)
let inverse move = let found = Array.copy move in Array.iteri (fun x y -> found.(y) <- x) move; found
let back (a, b, c) = (inverse a, inverse b, inverse c)
let ends_of between ((nodes, _, terminals) : moved) = match between with C.Nodes -> nodes | C.Terminals -> terminals
let channels_of ((_, channels, _) : moved) = channels

let orbits size moves =
  let least = Array.make size (-1) in
  for x = 0 to size - 1 do
    if least.(x) < 0 then begin
      let queue = Queue.create () in
      let reach y = if least.(y) < 0 then (least.(y) <- x; Queue.add y queue) in
      reach x;
      while not (Queue.is_empty queue) do let y = Queue.pop queue in List.iter (fun move -> reach move.(y)) moves done
    end
  done;
  least

let require_automorphism net k (nodes, channels, terminals) =
  let wrong what = Printf.sprintf "map %d of a symmetry %s" (k + 1) what in
  List.iter (fun (move, what) ->
    let seen = Array.make (Array.length move) false in
    Array.iter (fun x -> require (not seen.(x)) (wrong ("is no permutation of " ^ what)); seen.(x) <- true) move)
    [(nodes, "nodes"); (channels, "channels"); (terminals, "terminals")];
  Array.iteri (fun c (tail, head) ->
    require (net.arcs.(channels.(c)) = (nodes.(tail), nodes.(head))
             && Z.equal net.channels.(channels.(c)).C.bandwidth.C.qnum net.channels.(c).C.bandwidth.C.qnum)
      (wrong (Printf.sprintf "takes channel %d to one with other ends or bandwidth" c))) net.arcs;
  Array.iteri (fun t (s, d) ->
    require (net.ends.(terminals.(t)) = (nodes.(s), nodes.(d)))
      (wrong (Printf.sprintf "takes terminal %d to one at other nodes" t))) net.ends

let find_images net between moves =
  List.iteri (require_automorphism net) moves;
  let base = Hashtbl.create 1000 and forth = Hashtbl.create 1000 in
  let senders = match between with
    | C.Nodes -> List.sort_uniq compare (List.map fst (Array.to_list net.ends))
    | C.Terminals -> List.init (Array.length net.ends) Fun.id in
  let same size = Array.init size Fun.id in
  List.iter (fun s ->
    if not (Hashtbl.mem base s) then begin
      Hashtbl.add base s s;
      Hashtbl.add forth s (same net.nodes, same (Array.length net.channels), same (Array.length net.ends));
      let found = ref [s] in
      List.iteri (fun k _ ->                     (* by as few of the maps as do *)
        let some = List.filteri (fun m _ -> m <= k) moves and queue = Queue.of_seq (List.to_seq !found) in
        while not (Queue.is_empty queue) do
          let r = Queue.pop queue in
          List.iter (fun move ->
            let t = (ends_of between move).(r) in
            if not (Hashtbl.mem base t) then begin
              Hashtbl.add base t s;
              Hashtbl.add forth t (after move (Hashtbl.find forth r));
              found := t :: !found;
              Queue.add t queue
            end) some
        done) moves
    end) senders;
  { base; forth; orbit = orbits (Array.length net.channels) (List.map channels_of moves) }

let read_symmetry net between x =
  let one size = fun y -> Array.of_list (exactly size (index size) y) in
  let moves = all (three (one net.nodes) (one (Array.length net.channels)) (one (Array.length net.ends))) x in
  readable (moves <> []) "a symmetry has at least one map";
  { moves; images = lazy (find_images net between moves) }

let relabelling ((nodes, channels, terminals) : moved) =
  let map move = map_of (List.mapi (fun k x -> (k, key x)) (Array.to_list move)) in
  { C.of_nodes = map nodes; of_channels = map channels; of_terminals = map terminals }

(* The evidence that the maps keep the routing: every map, seen from where loads are listed, is one that keeps a sender. *)
let evidence_of between symmetry =
  let maps = List.map relabelling symmetry.moves in
  match Lazy.force symmetry.images with
  | exception Does_not_hold _ -> { C.maps; back = C.Map.empty; keeping = C.Map.empty; links = [] }
  | { base; forth; _ } ->
      let backs = Hashtbl.create 1000 and known = ref [] in
      Hashtbl.iter (fun s move -> Hashtbl.add backs s (back move)) forth;
      let number_of kept = match List.assoc_opt kept !known with
        | Some n -> n
        | None -> let n = List.length !known in known := (kept, n) :: !known; n in
      let link move = map_of (Hashtbl.fold (fun s image found ->
        let t = (ends_of between move).(s) in
        (s, key (number_of (Hashtbl.find base s, after (Hashtbl.find backs t) (after move image)))) :: found) forth []) in
      let links = List.map link symmetry.moves in
      { C.maps; links;
        back = map_of (Hashtbl.fold (fun s move found -> (s, relabelling move) :: found) backs []);
        keeping = map_of (List.map (fun ((s, move), n) -> (n, (key s, relabelling move))) !known) }

(* [(k, c)]: the k-th map takes channel c, which is one of [some] or was reached, to another one. *)
let steps_from some symmetry =
  let seen = Hashtbl.create 1000 and queue = Queue.create () and found = ref [] in
  let reach c = if not (Hashtbl.mem seen c) then (Hashtbl.add seen c (); Queue.add c queue; true) else false in
  List.iter (fun c -> ignore (reach c)) some;
  while not (Queue.is_empty queue) do
    let c = Queue.pop queue in
    List.iteri (fun k move -> if reach (channels_of move).(c) then found := (unary k, key c) :: !found) symmetry.moves
  done;
  List.rev !found

(* By channel to which the maps take c: such a map. *)
let moves_from net c symmetry =
  let same size = Array.init size Fun.id in
  let found = Hashtbl.create 1000 and queue = Queue.create () in
  Hashtbl.add found c (same net.nodes, same (Array.length net.channels), same (Array.length net.ends));
  Queue.add c queue;
  while not (Queue.is_empty queue) do
    let d = Queue.pop queue in
    List.iter (fun move ->
      let e = (channels_of move).(d) in
      if not (Hashtbl.mem found e) then (Hashtbl.add found e (after move (Hashtbl.find found d)); Queue.add e queue)) symmetry.moves
  done;
  found

(* [wanted]: what it may be by its name, if the file is otherwise as the format demands, and its name in quotation marks. *)
type routing = { wanted : C.definition option * char list; known : bool; virtuals : int; shown_as : C.shown; scale : Z.t; by_paths : bool; symmetry : symmetry option; listed : int; unsplit : bool; strict : unit -> unit }

(* By its name, if the file is otherwise as the format demands; and its name in quotation marks. *)
let wanted_routing net name strict =
  let found = Names.routing_called (ascii name) net.grid in
  let good () = match strict () with () -> true | exception Does_not_hold _ -> false in
  ((if found <> None && good () then found else None), text_of (quoted name)), found <> None

let require_complete net between symmetry pairs =
  match symmetry with
  | None -> require_pairs net between ~complete:true pairs
  | Some { images; _ } ->
      require_pairs net between ~complete:false pairs;
      let { base; _ } = Lazy.force images in
      List.iter (fun (i, _) ->
        require (Hashtbl.find base i = i) "loads from a sender that is not the least of its orbit") pairs;
      let receivers = match between with
        | C.Nodes -> List.sort_uniq compare (List.map snd (Array.to_list net.ends))
        | C.Terminals -> List.init (Array.length net.ends) Fun.id in
      let count = Hashtbl.fold (fun s b sum ->
        if s <> b then sum
        else sum + List.length (List.filter (fun j -> let a, d = nodes_of net between (s, j) in a <> d) receivers)) base 0 in
      require (List.length pairs = count) (Printf.sprintf "%d of %d pairs are routed" (List.length pairs) count)

let read_routing version net x =
  let f = fields (["name"; "between"; "scale"; "loads"; "paths"] @ (if version > 1 then ["symmetry"] else [])) x in
  let name = text (f "name") in
  let between = read_between (f "between") and scale = pos (f "scale") in
  let stop = end_of net between and link = channel net in
  let symmetry = if version > 1 then optional (read_symmetry net between) (f "symmetry") else None in
  readable (symmetry = None || f "loads" <> Null) "a routing by paths has no symmetry";
  readable ((f "loads" = Null) <> (f "paths" = Null)) "one of loads and paths must be null";
  if f "paths" = Null then begin
    let rows = all (three stop stop (all (two link pos))) (f "loads") in
    let entries = List.concat_map (fun (i, j, l) ->
      List.map (fun (c, n) -> { C.from = key i; to0 = key j; on = key c; amount = over scale n }) l) rows in
    let strict () =
      require_complete net between symmetry (List.map (fun (i, j, _) -> (i, j)) rows);
      List.iter (fun (i, j, l) -> distinct (List.map fst l) (Printf.sprintf "of (%d, %d) a channel" i j)) rows in
    let shown_as = { C.between; data = C.ByLoads entries; by_images = Option.map (evidence_of between) symmetry } in
    let wanted, known = wanted_routing net name strict in
    { wanted; known; virtuals = 1; scale; by_paths = false; symmetry; listed = List.length rows; strict;
      unsplit = List.for_all (fun (_, _, l) -> List.for_all (fun (_, n) -> Z.equal n scale) l) rows; shown_as }
  end
  else begin
    let path = three pos (all link) (all (index 256)) in
    let rows = all (three stop stop (all path)) (f "paths") in
    List.iter (fun (_, _, l) -> List.iter (fun (_, c, v) ->
      readable (List.compare_lengths c v = 0) "a path has as many virtual channels as channels") l) rows;
    let paths = List.concat_map (fun (i, j, l) -> List.map (fun (n, c, v) ->
      { C.path_from = key i; path_to = key j; share = over scale n; hops = List.map2 (fun c v -> (key c, key v)) c v }) l) rows in
    let strict () =
      require_complete net between None (List.map (fun (i, j, _) -> (i, j)) rows);
      List.iter (fun (i, j, l) ->
        let a, b = nodes_of net between (i, j) in
        let sum = List.fold_left (fun s (n, _, _) -> Z.add s n) Z.zero l in
        require (Z.equal sum scale) (Printf.sprintf "the paths of (%d, %d) do not sum to 1" i j);
        List.iter (fun (_, c, _) ->
          require (c <> [] && fst net.arcs.(List.hd c) = a && snd net.arcs.(List.nth c (List.length c - 1)) = b)
            (Printf.sprintf "a path of (%d, %d) has other ends" i j)) l) rows in
    let shown_as = { C.between; data = C.ByPaths paths; by_images = None } in
    let wanted, known = wanted_routing net name strict in
    let virtuals = List.fold_left (fun most (_, _, l) -> List.fold_left (fun most (_, _, v) ->
      List.fold_left (fun most x -> max most (x + 1)) most v) most l) 1 rows in
    { wanted; known; virtuals; scale; by_paths = true; symmetry = None; listed = List.length rows; strict;
      unsplit = List.for_all (fun (_, _, l) -> List.for_all (fun (n, _, _) -> Z.equal n scale) l) rows; shown_as }
  end

type demands = {
  given : string;
  called : string;                                  (* in quotation marks *)
  set_words : string;
  shown_set : C.set_of_lists;
  has_rows : bool;
  matrices : int;                                   (* how many, of a set of matrices *)
  strict_set : unit -> unit;
  kept_by : int array -> bool;                      (* by this permutation of the terminals *)
}

(* Each channel begins where the one before ends, from a to b. *)
let require_way net a b path =
  let stop = List.fold_left (fun v c -> require (fst net.arcs.(c) = v) "a path has a gap"; snd net.arcs.(c)) a path in
  require (path <> [] && stop = b) "a path does not end where it should"

let pairs_once l = distinct l "a pair of terminals"

let packets net scale l =
  List.map (fun (i, j, n) -> { C.sender = net.terminals.(i); receiver = net.terminals.(j); rate = over scale n }) l

let read_entries net = all (three (terminal net) (terminal net) pos)

let words_of_limits scale rows columns total pairs =
  let over l = span (List.map (fun n -> Q.make n scale) l) in
  let amount = function None -> "any amount" | Some l -> "at most " ^ over l in
  Printf.sprintf "a terminal sends %s and receives %s%s%s" (amount rows) (amount columns)
    (match total with None -> "" | Some n -> ", all together at most " ^ over [n])
    (match pairs with
     | None -> "; all pairs may send"
     | Some l ->
         let highs = List.filter_map (fun (_, _, _, high) -> high) l in
         let free = List.length l - List.length highs in
         Printf.sprintf "; %s may send%s%s%s" (Names.count (List.length l) "pair")
           (if l = [] then "" else ", at least " ^ over (List.map (fun (_, _, low, _) -> low) l))
           (if highs = [] then "" else ", at most " ^ over highs)
           (if free = 0 then "" else Printf.sprintf ", %d of them any amount" free))

let words_of_matrices l =
  let sizes = List.map (fun (_, e) -> List.length e) l in
  let least = List.fold_left min (List.hd sizes) sizes and most = List.fold_left max 0 sizes in
  let rates (scale, e) = List.map (fun (_, _, n) -> Q.make n scale) e in
  Printf.sprintf "%s of %s%s%s" (Names.count (List.length l) "matrix") (if least = most then "" else string_of_int least ^ " to ")
    (Names.count most "entry")
    (if most = 0 then ""
     else Printf.sprintf " of %s, sum %s" (span (List.concat_map rates l))
       (span (List.map (fun x -> List.fold_left Q.add Q.zero (rates x)) l)))

let read_set net x =
  let size = Array.length net.ends in
  let name f = let name = text (f "name") in (ascii name, quoted name) in
  match kind_of x with
  | "transport" ->
      let f = fields ["kind"; "name"; "scale"; "rows"; "columns"; "total"; "pairs"] x in
      let scale = pos (f "scale") in
      let limits y = optional (exactly size nat) y in
      let rows = limits (f "rows") and columns = limits (f "columns") and total = optional nat (f "total") in
      let pairs = optional (all (four (terminal net) (terminal net) nat (optional nat))) (f "pairs") in
      let by_terminal = Option.map (fun l -> map_of (numbered (List.map (over scale) l))) in
      let pair (i, j, low, high) =
        { C.a_sender = net.terminals.(i); a_receiver = net.terminals.(j); least = over scale low; most = Option.map (over scale) high } in
      let given, called = name f in
      { given; called; set_words = words_of_limits scale rows columns total pairs; has_rows = rows <> None; matrices = 0; strict_set = ignore;
        kept_by = (fun move -> pairs = None && List.for_all (fun side ->
          let side = Array.of_list (Option.value ~default:[] side) in
          let same = ref true in
          Array.iteri (fun t x -> if not (Z.equal side.(move.(t)) x) then same := false) side;
          !same) [rows; columns]);
        shown_set = C.LimitsSet { C.rows = by_terminal rows; columns = by_terminal columns; limit = Option.map (over scale) total;
                                  pairs = Option.map (List.map pair) pairs } }
  | "matrices" ->
      let f = fields ["kind"; "name"; "matrices"] x in
      let matrix y =
        let g = fields ["name"; "scale"; "entries"] y in
        ignore (text (g "name"));
        let scale = pos (g "scale") in
        (scale, read_entries net (g "entries")) in
      let listed = all matrix (f "matrices") in
      readable (listed <> []) "a set of matrices has at least one";
      let l = List.map (fun (scale, e) -> packets net scale e) listed in
      let given, called = name f in
      { given; called; set_words = words_of_matrices listed; has_rows = false; matrices = List.length l; strict_set = ignore; shown_set = C.MatricesSet l;
        kept_by = (fun move -> List.for_all (fun (_, e) ->
          let sent = Hashtbl.create 1000 in
          List.iter (fun (i, j, n) -> Hashtbl.replace sent (i, j) n) e;
          List.for_all (fun (i, j, n) -> match Hashtbl.find_opt sent (move.(i), move.(j)) with
            | Some m -> Z.equal m n
            | None -> false) e) listed) }
  | "routable" ->
      let f = fields ["kind"; "name"] x in
      let given, called = name f in
      { given; called; set_words = "whatever some flow carries within all bandwidths";
        has_rows = false; matrices = 0; strict_set = ignore; shown_set = C.RoutableSet; kept_by = (fun _ -> true) }
  | _ -> unreadable "an unknown kind of demands"

(* {1 Demands with their reasons, distances} *)

type demand = { weight : Z.t; entries : (int * int * Z.t) list; list : C.packet list; because : C.reason; strict_demand : unit -> unit }

let read_demand net set x =
  let f = fields ["weight"; "entries"; "because"] x in
  let weight = pos (f "weight") and entries = read_entries net (f "entries") in
  let once () = pairs_once (List.map (fun (i, j, _) -> (i, j)) entries) in
  let because, strict_demand = match set.shown_set with
    | C.LimitsSet _ -> readable (f "because" = Null) "because: null was expected"; (C.Obvious, once)
    | C.MatricesSet _ -> (C.Weights (List.map (over weight) (exactly set.matrices nat (f "because"))), once)
    | C.RoutableSet ->
        let paths = all (four (terminal net) (terminal net) pos (all (channel net))) (f "because") in
        let strict () =
          once ();
          List.iter (fun (i, j, _, path) -> require_way net (fst net.ends.(i)) (snd net.ends.(j)) path) paths;
          (* a pair of terminals at one node needs no paths, and has none *)
          List.iter (fun (i, j, _, _) -> require (fst net.ends.(i) <> snd net.ends.(j)) "a path within a node") paths in
        (C.Flow (List.concat_map (fun (i, j, n, path) ->
          List.map (fun c -> { C.from = key i; to0 = key j; on = key c; amount = over weight n }) path) paths), strict) in
  { weight; entries; because; strict_demand; list = packets net weight entries }

let read_potentials net = exactly net.nodes integer
let potentials l = map_of (numbered (List.map whole l))
let read_distances net = all (two (index net.nodes) (read_potentials net))
let distances_map l = map_of (List.map (fun (s, p) -> (s, potentials p)) l)
let once_each l = distinct (List.map fst l) "a node's distances"

(* {1 Claims} *)

(* Evidence that the format leaves to the checker: along which channels the nodes are reached at these distances. *)
let leaving net =
  let found = Array.make net.nodes [] in
  Array.iteri (fun c (tail, _) -> found.(tail) <- c :: found.(tail)) net.arcs;
  found

let tree net (root, l) =
  let depth = Array.of_list l and out = leaving net and seen = Array.make net.nodes false and queue = Queue.create () in
  let branches = ref [] in
  seen.(root) <- true;
  Queue.add root queue;
  while not (Queue.is_empty queue) do
    let v = Queue.pop queue in
    List.iter (fun c ->
      let w = snd net.arcs.(c) in
      if not seen.(w) && Z.equal depth.(w) (Z.succ depth.(v)) then begin
        seen.(w) <- true;
        branches := net.channels.(c) :: !branches;
        Queue.add w queue
      end) out.(v)
  done;
  { C.root = key root; depth = potentials l; branches = List.rev !branches }

(* The clauses of a refutation, which the format leaves to the checker: what its variables mean, and why each clause holds. *)
let literal = function
  | Number n when Z.sign n <> 0 -> { C.affirmed = Z.sign n > 0; variable = Z.abs n }
  | _ -> unreadable "a literal of a clause was expected"

let dependencies_of net paths taking count cycles =
  let places = Hashtbl.create 1000 in
  List.iteri (fun n p ->
    let own = List.map (fun (c, _) -> Z.to_int c - 1) p.C.hops in
    if List.length own > 1 && not (Hashtbl.mem places own) then Hashtbl.add places own n) paths;
  let different = List.sort compare (Hashtbl.fold (fun own n found -> (own, n) :: found) places []) in
  let numbers = Hashtbl.create 1000 and choices = ref [] in
  let number own h =
    let choice = match taking with
      | C.EachPath -> (own, 0)
      | C.EachNode -> ([snd net.arcs.(List.nth own (List.length own - 1))], 0)
      | C.EachHop -> (own, h) in
    match Hashtbl.find_opt numbers choice with
    | Some u -> u
    | None ->
        let u = Hashtbl.length numbers in
        Hashtbl.add numbers choice u;
        choices := (List.map key (fst choice), unary (snd choice)) :: !choices;
        u in
  let rec pairs = function x :: (y :: _ as rest) -> (x, y) :: pairs rest | _ -> [] in
  let chosen = List.map (fun (own, n) -> (n, pairs own, pairs (List.mapi (fun h _ -> number own h) own))) different in
  let choices = Array.of_list (List.rev !choices) in
  let edges = List.sort_uniq compare (List.concat_map (fun (_, steps, _) -> steps) chosen) in
  let lanes = List.init count Fun.id in
  let both = List.concat_map (fun k -> List.filter_map (fun m -> if taking = C.EachHop || k = m then Some (k, m) else None) lanes) lanes in
  let takes u k = (u * count) + k + 1 in
  let made = Hashtbl.create 1000 in
  List.iter (fun edge -> List.iter (fun (k, m) ->
    Hashtbl.add made (edge, k, m) ((Array.length choices * count) + 1 + Hashtbl.length made)) both) edges;
  let yes x = { C.affirmed = true; variable = Z.of_int x } and no x = { C.affirmed = false; variable = Z.of_int x } in
  let z = Z.of_int in
  let of_choices = List.mapi (fun u choice -> (List.map (fun k -> yes (takes u k)) lanes, C.TakesOne choice)) (Array.to_list choices) in
  let of_paths = List.concat_map (fun (n, steps, own) ->
    List.concat (List.mapi (fun h (edge, (u, w)) -> List.map (fun (k, m) ->
      ([no (takes u k); no (takes w m); yes (Hashtbl.find made (edge, k, m))], C.OfPath (key n, unary h, z k, z m))) both)
      (List.combine steps own))) chosen in
  let of_cycles = List.concat_map (fun cycle -> List.map (fun turn ->
    let around = List.map (fun (c, v) -> (c, (v + turn) mod count)) cycle in
    let steps = match around with [] -> [] | x :: _ -> pairs (around @ [x]) in
    let own = List.map (fun ((c, k), (d, m)) -> Hashtbl.find_opt made ((c, d), k, m)) steps in
    require (own <> [] && List.for_all Option.is_some own) "a cycle is not made of dependencies of the paths";
    (List.map (fun x -> no (Option.get x)) own, C.OfCycle (List.map (fun (c, k) -> (key c, z k)) around))) lanes) cycles in
  let meanings = List.concat (List.mapi (fun u choice -> List.map (fun k -> (takes u k - 1, C.Takes (choice, z k))) lanes) (Array.to_list choices))
    @ Hashtbl.fold (fun ((c, d), k, m) x found -> (x - 1, C.Leads (key c, z k, key d, z m)) :: found) made [] in
  let first = if choices = [||] then [] else [([yes 1], C.FirstTakesNone)] in
  (map_of meanings, (if choices = [||] then ([], C.O) else choices.(0)), first @ of_choices @ of_paths @ of_cycles)

type claim = {
  kind : string;
  says : C.item;
  loaded : (int * int * int * demand) option;   (* of worst-case-at-least: routing, set, channel, demand *)
  listed_as : (string * C.distance list) option;   (* of a bound among paths: what they are called, and the paths *)
  strict_claim : unit -> unit;
}

type proof = { net : network; routings : routing array; demands : demands array }

let read_ranks net x =
  let ranks = all (terminal net) x in
  readable (ranks <> []) "ranks: at least one was expected";
  (ranks, List.map (fun r -> net.terminals.(r)) ranks)

let read_trees net scale x =
  List.map (fun (v, n, l) -> { C.root_of = key v; weight_of = over scale n; along = List.map key l })
    (all (three (index net.nodes) pos (all (channel net))) x)

(* Broadcasts from many ranks at once: the collective, its value and tests, and the other fields. *)
let read_collective net x evidence =
  let f = fields (["kind"; "operation"; "ranks"; "root"; "copies"; "value"] @ evidence) x in
  let operation = ascii (text (f "operation")) and copies = ascii (text (f "copies")) and value = fraction (f "value") in
  let ranks = all (terminal net) (f "ranks") and root = optional (terminal net) (f "root") in
  readable (List.mem operation ["all-gather"; "reduce-scatter"; "broadcast"]) "operation: an unknown one";
  readable (copies = "ranks" || copies = "all") "copies: ranks or all";
  readable (ranks <> [] && (root = None) = (operation <> "broadcast")) "ranks, and the root of a broadcast only";
  let task = match operation, root with
    | _, Some r -> C.Broadcast net.terminals.(r)
    | "all-gather", _ -> C.AllGather
    | _ -> C.ReduceScatter in
  let strict () = distinct ranks "a rank" in
  ({ C.task; ranks = List.map (fun r -> net.terminals.(r)) ranks; copied = (if copies = "all" then C.ByAll else C.ByRanks) },
   value, strict, f)

(* By channel the least one of its orbit, where neither routing nor set are changed by the maps. *)
let alike proof r s =
  match proof.routings.(r).symmetry with
  | Some { moves; images } when List.for_all (fun (_, _, terminals) -> proof.demands.(s).kept_by terminals) moves ->
      (match Lazy.force images with { orbit; _ } -> Some orbit | exception Does_not_hold _ -> None)
  | _ -> None

let moved_demand net ((_, channels, terminals) : moved) (d : demand) =
  let un k = Z.to_int k - 1 in
  let terminal (t : C.terminal) = net.terminals.(terminals.(un t.C.name)) in
  let list = List.map (fun (p : C.packet) -> { p with C.sender = terminal p.C.sender; receiver = terminal p.C.receiver }) d.list in
  let because = match d.because with
    | C.Flow l -> C.Flow (List.map (fun (e : C.entry) ->
        { e with C.from = key terminals.(un e.C.from); to0 = key terminals.(un e.C.to0); on = key channels.(un e.C.on) }) l)
    | other -> other in
  (list, because)

let read_claim version proof earlier x =
  let net = proof.net in
  let size = Array.length net.ends and links = Array.length net.channels in
  let kind = kind_of x in
  let routing y = index (Array.length proof.routings) y and set y = index (Array.length proof.demands) y in
  let before = index (List.length earlier) in
  let claim_at k = match (List.nth earlier (List.length earlier - 1 - k)).says with C.One c -> c | C.Alike _ -> unreadable "a rate or a time was expected" in
  let rate y =
    let k = before y in
    readable (C.rate_of (claim_at k) <> None) "of: a rate of a collective was expected";
    k in
  let amount y = let n, d = two nat pos y in fraction_of n d in
  let no () = () in
  let one ?(strict_claim = no) says = { kind; says = C.One says; loaded = None; listed_as = None; strict_claim } in
  let in_full r = readable (proof.routings.(r).symmetry = None) "a claim about deadlock is about a routing without symmetry" in
  (* Multipliers over a scale that divides that of the routing are written over the latter: sums are faster then. *)
  let multipliers r l =
    let wide = proof.routings.(r).scale in
    List.map (fun (c, scale, u, v, x) ->
      let factor = if Z.divisible wide scale then Z.divexact wide scale else Z.one in
      let scaled n = over (Z.mul scale factor) (Z.mul n factor) in
      let vector l = map_of (numbered (List.map scaled l)) in
      (key c, { C.of_row = vector u; of_column = vector v; of_total = scaled x })) l in
  let read_multipliers y = all (five (channel net) pos (exactly size nat) (exactly size nat) nat) y in
  match kind with
  | "worst-case-at-most" ->
      let f = fields ["kind"; "routing"; "demands"; "channels"; "value"; "evidence"] x in
      let r = routing (f "routing") and s = set (f "demands") and value = fraction (f "value") in
      let focus = optional (all (channel net)) (f "channels") in
      readable (focus <> Some []) "channels: at least one was expected";
      let evidence, strict_claim = match proof.demands.(s).shown_set with
        | C.LimitsSet _ -> (C.ByMultipliers (multipliers r (read_multipliers (f "evidence"))), no)
        | C.MatricesSet _ -> readable (f "evidence" = List []) "no evidence was expected"; (C.BySums, no)
        | C.RoutableSet ->
            let l = all (three (channel net) (exactly links nat) (read_distances net)) (f "evidence") in
            (C.ByLengths (List.map (fun (c, lengths, d) ->
              (key c, (map_of (numbered (List.map whole lengths)), distances_map d))) l),
             fun () -> List.iter (fun (_, _, d) -> once_each d) l) in
      let evidence, strict_claim = match alike proof r s, proof.routings.(r).symmetry with
        | Some orbit, Some symmetry ->
            let wanted = Option.value ~default:(List.init links Fun.id) focus in
            let labels l = List.sort_uniq compare (List.map (Array.get orbit) l) in
            let un l = List.map (fun (k, _) -> Z.to_int k - 1) l in
            let some = match evidence with
              | C.ByMultipliers l -> un l
              | C.ByLengths l -> un l
              | _ -> labels wanted in
            (C.ByImages (List.map key some, evidence, steps_from some symmetry), fun () ->
              strict_claim ();
              distinct (Option.value ~default:[] focus) "a channel";
              distinct some "evidence for a channel";
              require (labels some = labels wanted) "evidence for other channels than those of the claim")
        | _ -> (evidence, strict_claim) in
      one ~strict_claim (C.WorstAtMost (unary r, unary s, Option.map (List.map key) focus, value, evidence))
  | "worst-case-at-least" ->
      let f = fields ["kind"; "routing"; "demands"; "channel"; "value"; "demand"] x in
      let r = routing (f "routing") and s = set (f "demands") and c = channel net (f "channel") and value = fraction (f "value") in
      let d = read_demand net proof.demands.(s) (f "demand") in
      let says = C.WorstAtLeast (unary r, unary s, key c, value, d.list, d.because) in
      { (one ~strict_claim:d.strict_demand says) with loaded = Some (r, s, c, d) }
  | "alike" when version > 1 ->
      let f = fields ["kind"; "of"; "channels"] x in
      let k = index (List.length earlier) (f "of") and l = all (channel net) (f "channels") in
      let of_ = List.nth earlier (List.length earlier - 1 - k) in
      (match of_.loaded with
       | Some (r, s, c, d) when l <> [] ->
           let orbit = Option.value ~default:(Array.init links Fun.id) (alike proof r s) in
           let moves = match proof.routings.(r).symmetry with
             | Some symmetry -> moves_from net c symmetry
             | None -> Hashtbl.create 1 in
           let moved e = match Hashtbl.find_opt moves e with
             | Some move -> moved_demand net move d
             | None -> (d.list, d.because) in
           { kind; loaded = None; listed_as = None; says = C.Alike (unary k, List.map (fun e -> (key e, moved e)) l);
             strict_claim = (fun () ->
               distinct l "a channel";
               List.iter (fun e ->
                 require (orbit.(e) = orbit.(c)) (Printf.sprintf "no symmetry takes channel %d to %d" c e)) l) }
       | _ -> unreadable "channels alike that of worst-case-at-least")
  | "unsaturated-below" ->
      let f = fields ["kind"; "routing"; "demands"; "evidence"] x in
      let r = routing (f "routing") and s = set (f "demands") in
      readable proof.demands.(s).has_rows "a transport set with rows was expected";
      let evidence = multipliers r (read_multipliers (f "evidence")) in
      one (C.UnsaturatedBelow (unary r, unary s, evidence))
  | "best-load-at-least" | "best-path-length-at-least" | "best-load-among-paths-at-least" | "best-path-length-among-paths-at-least" ->
      let among = kind = "best-load-among-paths-at-least" || kind = "best-path-length-among-paths-at-least" in
      let f = fields (["kind"; "demands"; "between"; "hops"; "within"; "value"; "adversaries"]
        @ (if among then ["name"; "listed"; "over"] else ["distances"])) x in
      let s = set (f "demands") and between = read_between (f "between") and hops = nat (f "hops") in
      let within = optional fraction (f "within") and value = fraction (f "value") in
      let adversaries = exactly links (optional (read_demand net proof.demands.(s))) (f "adversaries") in
      let stop = end_of net between and path = all (channel net) in
      let of_pair i j ways = { C.d_from = key i; d_to = key j; d_ways = ways } in
      let listed = if among then all (three stop stop (all path)) (f "listed") else [] in
      let over = if among then all (four stop stop path (read_potentials net)) (f "over") else [] in
      let free = if among then [] else all (three stop stop (read_potentials net)) (f "distances") in
      readable (List.for_all (fun (_, _, l) -> l <> []) listed) "a pair has at least one path";
      let name = if among then Some (quoted (text (f "name"))) else None in
      let advs = List.concat (List.mapi (fun c d -> match d with
        | None -> []
        | Some (d : demand) ->
            [{ C.target = net.channels.(c); weight = whole d.weight; sends = d.list; why = d.because }]) adversaries) in
      let dists = List.map (fun (i, j, l) -> of_pair i j (C.OnPaths (List.map (List.map key) l))) listed
        @ List.map (fun (i, j, only, p) ->
            of_pair i j (C.OverChannels (map_of (List.map (fun c -> (c, ())) only), potentials p))) over
        @ List.map (fun (i, j, p) -> of_pair i j (C.Anyhow (potentials p))) free in
      let strict_claim () =
        List.iter (Option.iter (fun (d : demand) -> d.strict_demand ())) adversaries;
        require_pairs net between ~complete:false (List.map (fun (i, j, _) -> (i, j)) (listed @ List.map (fun (i, j, only, _) -> (i, j, [only])) over)
          @ List.map (fun (i, j, _) -> (i, j)) free);
        List.iter (fun (i, j, l) -> let a, b = nodes_of net between (i, j) in List.iter (require_way net a b) l) listed;
        List.iter (fun (i, j, only, _) -> distinct only (Printf.sprintf "of (%d, %d) a channel" i j)) over in
      let scope = if among then C.Among (unary (List.length earlier)) else C.All dists in
      let says =
        if kind = "best-load-at-least" || kind = "best-load-among-paths-at-least"
        then C.BestLoadAtLeast (unary s, between, whole hops, within, value, advs, scope)
        else C.BestPathLengthAtLeast (unary s, between, whole hops, within, value, advs, scope) in
      { (one ~strict_claim says) with listed_as = Option.map (fun name -> (name, dists)) name }
  | "tables" ->
      let f = fields ["kind"; "routing"; "of"] x in
      let r = routing (f "routing") in
      let of_ = match ascii (text (f "of")) with
        | "destinations" -> C.ForDestinations
        | "pairs" -> C.ForPairs
        | _ -> unreadable "of: destinations or pairs" in
      one ~strict_claim:(fun () -> require proof.routings.(r).unsplit "packets of a pair are split") (C.HasTables (unary r, of_))
  | "flow-at-least" ->
      let f = fields ["kind"; "demands"; "value"; "demand"; "lengths"; "distances"] x in
      let s = set (f "demands") and value = fraction (f "value") in
      let d = read_demand net proof.demands.(s) (f "demand") in
      let lengths = exactly links nat (f "lengths") and dists = read_distances net (f "distances") in
      one ~strict_claim:(fun () -> d.strict_demand (); once_each dists)
        (C.FlowAtLeast (unary s, value, d.list, d.because, map_of (numbered (List.map whole lengths)), distances_map dists))
  | "flow-at-most" ->
      let f = fields ["kind"; "demands"; "value"; "scale"; "flows"] x in
      let s = set (f "demands") and value = fraction (f "value") in
      let scale = pos (f "scale") in
      let flows = all (all (two (index net.nodes) (all (two (channel net) pos)))) (f "flows") in
      let transport, matrices = match proof.demands.(s).shown_set with
        | C.LimitsSet _ -> (true, [])
        | C.MatricesSet l -> (false, l)
        | C.RoutableSet -> (false, []) in
      readable (not transport && List.length flows = List.length matrices) "flows: one of each matrix was expected";
      let strict_claim () = List.iter2 (fun matrix flow ->
        distinct (List.map fst flow) "the flow from a node";
        let sends = Hashtbl.create 100 in
        List.iter (fun { C.sender; receiver; _ } ->
          if sender.C.source <> receiver.C.sink then Hashtbl.replace sends sender.C.source ()) matrix;
        List.iter (fun (v, amounts) ->
          distinct (List.map fst amounts) (Printf.sprintf "from node %d a channel" v);
          require (Hashtbl.mem sends (key v)) (Printf.sprintf "node %d, which has a flow, sends nothing to other nodes" v)) flow)
        matrices flows in
      let entries flow = List.concat_map (fun (v, amounts) ->
        List.map (fun (c, n) -> { C.from = key v; to0 = key v; on = key c; amount = over scale n }) amounts) flow in
      one ~strict_claim (C.FlowAtMost (unary s, value, List.map entries flows))
  | "path-length" ->
      let f = fields ["kind"; "routing"; "value"] x in
      let r = routing (f "routing") and value = fraction (f "value") in
      one (C.PathLength (unary r, value))
  | "minimal-path-length" ->
      let f = fields ["kind"; "value"; "distances"] x in
      let value = fraction (f "value") in
      let rows = read_distances net (f "distances") in
      one ~strict_claim:(fun () -> once_each rows) (C.ShortestPathLength (value, List.map (tree net) rows))
  | "deadlock-free" ->
      let f = fields ["kind"; "routing"; "virtual"; "order"] x in
      let r = routing (f "routing") and virtuals = pos (f "virtual") in
      in_full r;
      let order = all (exactly links integer) (f "order") in
      readable (Z.leq virtuals (Z.of_int 256) && List.length order = Z.to_int virtuals) "order: one list for each virtual channel was expected";
      one (C.DeadlockFree (unary r, virtuals, map_of (numbered (List.map (fun l -> map_of (numbered l)) order))))
  | "deadlock" ->
      let f = fields ["kind"; "routing"; "cycle"] x in
      let r = routing (f "routing") in
      in_full r;
      let stop = end_of net proof.routings.(r).shown_as.C.between in
      let cycle = all (four (channel net) (index 256) stop stop) (f "cycle") in
      one (C.Deadlock (unary r, List.map (fun (c, v, i, j) ->
        { C.at_hop = (key c, key v); of_from = key i; of_to = key j }) cycle))
  | "virtual-channels-at-least" ->
      let f = fields ["kind"; "routing"; "value"; "by"; "classes"; "cycles"; "lemmas"] x in
      let r = routing (f "routing") in
      in_full r;
      let value = index 257 (f "value") in
      let taking = match ascii (text (f "by")) with
        | "layers" -> C.EachPath
        | "destinations" -> C.EachNode
        | "hops" -> C.EachHop
        | _ -> unreadable "by: layers, destinations or hops" in
      readable (f "classes" = Null) "refutations with message classes are not verified here: use another checker";
      let cycles = all (all (two (channel net) (index 256))) (f "cycles") in
      let lemmas = all (two (all literal) (all (index largest))) (f "lemmas") in
      let paths = match proof.routings.(r).shown_as.C.data with
        | C.ByPaths l -> readable (value > 1) "a value from 2 was expected"; l
        | C.ByLoads _ -> unreadable "a routing by paths was expected" in
      let found = lazy (dependencies_of net paths taking (value - 1) cycles) in
      let evidence = match Lazy.force found with
        | exception Does_not_hold _ -> { C.meanings = C.Map.empty; first_choice = ([], C.O); clauses = []; lemmas = [] }
        | meanings, first_choice, clauses ->
            { C.meanings; first_choice; clauses; lemmas = List.map (fun (c, hints) -> (c, List.map key hints)) lemmas } in
      one ~strict_claim:(fun () -> ignore (Lazy.force found)) (C.AlwaysACycle (unary r, taking, Z.of_int (value - 1), evidence))
  | "quotient" ->
      let f = fields ["kind"; "quantity"; "value"; "over"; "of"] x in
      let quantity = ascii (text (f "quantity")) in
      let value = fraction (f "value") in
      let over = before (f "over") and of_ = optional before (f "of") in
      let at k = List.nth earlier (List.length earlier - 1 - k) in
      let named = match quantity with
        | "throughput-at-least" -> C.ThroughputAtLeast
        | "throughput-at-most" -> C.ThroughputAtMost
        | "fraction-at-least" -> C.FractionAtLeast
        | "fraction-at-most" -> C.FractionAtMost
        | "best-throughput-at-least" -> C.BestThroughputAtLeast
        | "best-throughput-at-most" -> C.BestThroughputAtMost
        | "best-fraction-at-most" -> C.BestFractionAtMost
        | "price-of-obliviousness-at-least" -> C.PriceAtLeast
        | "price-of-obliviousness-at-most" -> C.PriceAtMost
        | "relative-path-length" -> C.RelativePathLength
        | "relative-path-length-at-least" -> C.RelativePathLengthAtLeast
        | _ -> unreadable "an unknown quotient" in
      let at k = match (at k).says with C.One c -> c | C.Alike _ -> unreadable (quantity ^ " is of claims of other kinds") in
      readable (C.kinds_fit named (Option.map at of_) (at over) <> None) (quantity ^ " is of claims of other kinds");
      one (C.Quotient (named, value, Option.map unary of_, unary over))
  | "collective-at-most" ->
      let task, value, strict, f = read_collective net x ["cuts"; "potentials"] in
      let node = index net.nodes in
      let cuts = all (two nat (all node)) (f "cuts") and potentials = all (two node integer) (f "potentials") in
      let strict_claim () =
        strict ();
        distinct (List.map fst potentials) "the potential of a node";
        List.iter (fun (_, inside) -> distinct inside "a node of a cut") cuts in
      one ~strict_claim (C.CollectiveAtMost (task, value,
        List.map (fun (w, inside) -> { C.worth = whole w; inside = map_of (List.map (fun v -> (v, ())) inside) }) cuts,
        List.map (fun (v, n) -> (key v, whole n)) potentials))
  | "collective-at-least" ->
      let task, value, strict_claim, f = read_collective net x ["scale"; "trees"] in
      one ~strict_claim (C.CollectiveAtLeast (task, value, read_trees net (pos (f "scale")) (f "trees")))
  | "all-reduce-at-least" ->
      let f = fields ["kind"; "ranks"; "value"; "scale"; "sums"; "results"] x in
      let value = fraction (f "value") and ranks, terminals = read_ranks net (f "ranks") in
      let trees = read_trees net (pos (f "scale")) in
      let sums = trees (f "sums") and results = trees (f "results") in
      one ~strict_claim:(fun () -> distinct ranks "a rank") (C.AllReduceAtLeast (terminals, value, sums, results))
  | "all-reduce-at-most" ->
      let f = fields ["kind"; "ranks"; "value"; "sets"] x in
      let value = fraction (f "value") and ranks, terminals = read_ranks net (f "ranks") in
      let sets = all (all (index net.nodes)) (f "sets") in
      one ~strict_claim:(fun () -> distinct ranks "a rank"; distinct (List.concat sets) "a node of the sets")
        (C.AllReduceAtMost (terminals, value, Z.of_int (max 1 (List.length sets)),
          List.concat_map (fun (k, inside) -> List.map (fun v -> (key v, key k)) inside) (numbered sets)))
  | "phases-take" ->
      let f = fields ["kind"; "routing"; "demands"; "value"; "latency"; "phases"] x in
      let r = routing (f "routing") and s = set (f "demands") and value = fraction (f "value") in
      let latency = amount (f "latency") in
      let matrices = match proof.demands.(s).shown_set with
        | C.MatricesSet l -> List.length l
        | _ -> unreadable "a set of matrices was expected" in
      let phases = all (three (index matrices) pos amount) (f "phases") in
      one (C.PhasesTake (unary r, unary s, value, latency,
        List.map (fun (k, n, a) -> { C.of_matrix = unary k; in_a_row = whole n; units = a }) phases))
  | "bandwidth" ->
      let f = fields ["kind"; "quantity"; "value"; "of"] x in
      let quantity = ascii (text (f "quantity")) and value = fraction (f "value") in
      readable (quantity = "algorithm" || quantity = "bus") "quantity: algorithm or bus";
      one (C.Bandwidth (quantity = "bus", value, unary (rate (f "of"))))
  | "least-time" ->
      let f = fields ["kind"; "value"; "of"; "phases"; "latency"] x in
      let value = fraction (f "value") and of_ = rate (f "of") and phases = nat (f "phases") in
      let latency = amount (f "latency") in
      readable (match claim_at of_ with
        | C.CollectiveAtMost _ | C.AllReduceAtMost _ -> true
        | _ -> false) "of: a rate that no schedule passes was expected";
      one (C.LeastTime (value, unary of_, phases, latency))
  | "times-optimal" ->
      let f = fields ["kind"; "value"; "of"; "time"] x in
      let value = fraction (f "value") and of_ = rate (f "of") and time = before (f "time") in
      readable (match claim_at time with C.PhasesTake _ -> true | _ -> false) "time: a time from the side of the rate was expected";
      one (C.TimesOptimal (value, unary of_, unary time))
  | "tables-at-least" | "deadlock-free-with-bubbles" | "deadlock-free-with-classes" | "escape-acyclic" | "escape-cycle"
  | "phases-meet" | "shared-channel" | "single-link-failure"
  | "blocked-call" | "never-blocked" | "calls-at-once" | "calls-cut" | "neighbours-at-most" | "neighbours-at-least"
  | "steps-at-least" | "split-chance" -> not_verified kind
  | _ -> unreadable "an unknown kind of claim"

(* {1 Destination graphs} *)

type graph = {
  radix : int;
  dimensions : int;
  size : int;                        (* how many nodes, or 2^53 - 1 *)
  graph_name : string;
  paths : (C.vector * C.move list) list;
}

(* The digits of a node: the leftmost is the first. *)
let vector g node =
  let rec digits k node rest = if k = 0 then rest else digits (k - 1) (node / g.radix) (Z.of_int (node mod g.radix) :: rest) in
  digits g.dimensions node []

let shift g digit amount = List.init g.dimensions (fun k -> if k + 1 = digit then Z.of_int amount else Z.zero)

let move g = (index largest, index (g.dimensions + 1), index g.radix)

let read_graph x =
  let f = fields ["name"; "radix"; "dimensions"; "paths"] x in
  let graph_name = quoted (text (f "name")) in
  let radix = index (1 lsl 16) (f "radix") and dimensions = index 64 (f "dimensions") in
  readable (radix > 1 && dimensions > 0) "radix at least 2, dimensions at least 1";
  let exact = Z.pow (Z.of_int radix) dimensions in
  let g = { radix; dimensions; graph_name; size = Z.to_int (Z.min exact (Z.of_int largest)); paths = [] } in
  let a, b, c = move g in
  let lists = all (all (three a b c)) (f "paths") in
  readable (Z.equal (Z.of_int (List.length lists)) exact) "a path of every node was expected";
  let moved (step, digit, amount) =
    readable (step > 0 && digit > 0 && amount > 0) "steps, digits and amounts are from 1";
    { C.at_step = Z.of_int step; shift0 = shift g digit amount } in
  { g with paths = List.mapi (fun node path -> (vector g node, List.map moved path)) lists }

type graph_claim = { graph_kind : string; graph_says : C.graph_claim; strict_graph : unit -> unit }

let read_graph_claim g x =
  let node = index g.size in
  match kind_of x with
  | ("many-one" | "permutation") as graph_kind ->
      let f = fields ["kind"; "slots"] x in
      let a, b, c = move g in
      let l = all (five a b c (index 2) node) (f "slots") in
      let slots = List.map (fun (step, digit, amount, side, x) ->
        { C.slot_step = Z.of_int step; slot_shift = shift g digit amount; of_suffixes = side = 1; common = vector g x }) l in
      { graph_kind; graph_says = (if graph_kind = "many-one" then C.ManyOne slots else C.Permutation slots);
        strict_graph = (fun () -> distinct (List.map (fun (a, b, c, _, _) -> (a, b, c)) l) "a slot") }
  | ("not-many-one" | "not-permutation") as graph_kind ->
      let f = fields ["kind"; "packets"; "step"] x in
      let (a, z), (b, y) = two (two node node) (two node node) (f "packets") in
      let step = pos (f "step") in
      { graph_kind; strict_graph = ignore;
        graph_says = C.TwoMeet (graph_kind = "not-many-one", vector g a, vector g z, vector g b, vector g y, step) }
  | "steps" ->
      let f = fields ["kind"; "value"] x in
      { graph_kind = "steps"; graph_says = C.LastStep (nat (f "value")); strict_graph = ignore }
  | "minimum" ->
      ignore (fields ["kind"] x);
      { graph_kind = "minimum"; graph_says = C.Minimum; strict_graph = ignore }
  | ("steps-at-least" | "split-chance") as kind -> not_verified kind
  | _ -> unreadable "an unknown kind of claim"

(* {1 The whole} *)

let most_bytes = 1 lsl 30

let read_file path =
  let file = try open_in_bin path with Sys_error what -> unreadable what in
  let size = try in_channel_length file with Sys_error what -> unreadable what in
  readable (size <= most_bytes) (Printf.sprintf "more than %d bytes" most_bytes);
  let content = try really_input_string file size with End_of_file | Sys_error _ -> unreadable "it cannot be read" in
  close_in file;
  content

(* What Coq says of a network's proof: the words that it takes, and what it prints. *)
type program = { subject : C.subject; words : C.names; printed : unit -> C.verdict * char list list }

type whole = Of_graph of graph * graph_claim list | Of_network of proof * claim list * program

let program_of proof claims =
  let subject = {
    C.net = { C.channels = Array.to_list proof.net.channels; terminals = Array.to_list proof.net.terminals };
    routings = List.map (fun r -> r.shown_as) (Array.to_list proof.routings);
    sets = List.map (fun s -> s.shown_set) (Array.to_list proof.demands);
    times_of = List.map (fun c -> match c.says with C.One (C.PhasesTake (_, _, time, _, _)) -> time | _ -> whole Z.zero) claims;
    lists = List.map (fun c -> Option.fold ~none:[] ~some:snd c.listed_as) claims } in
  let lists = Array.of_list (List.map (fun c -> Option.fold ~none:"" ~some:fst c.listed_as) claims) in
  let words, printed = C.program subject (List.map (fun r -> r.wanted) (Array.to_list proof.routings))
    (List.map (fun s -> text_of s.called) (Array.to_list proof.demands)) (fun k -> text_of lists.(counted k))
    (List.map (fun c -> c.says) claims) in
  { subject; words; printed }

(* Files of version 3 are about schedules, which are not verified here. *)
let refuse_schedule = function
  | Object members when List.assoc_opt (codes "version") members = Some (Number (Z.of_int 3)) ->
      unreadable "schedules (version 3) are not verified here: use another checker"
  | Object members when List.assoc_opt (codes "version") members = Some (Number (Z.of_int 4)) ->
      unreadable "numbers alone (version 4) are not verified here: use another checker"
  | _ -> ()

(* A proof, and what it says is not in it. *)
let read path =
  let whole = parse (read_file path) in
  refuse_schedule whole;
  let f = fields ["format"; "version"; "network"; "routings"; "demands"; "graph"; "claims"; "not_elaborated"] whole in
  let version = match f "version" with Number n -> Z.to_int n | _ -> 0 in
  readable (ascii (text (f "format")) = "routeproof/proof" && (version = 1 || version = 2))
    "another format, or a version that this checker does not know";
  let missing = List.map (fun (a, b) -> (quoted a, quoted b)) (all (two text text) (f "not_elaborated")) in
  readable ((f "network" = Null) <> (f "graph" = Null)) "one of network and graph must be null";
  readable (f "claims" <> List []) "a claim was expected";
  if f "network" = Null then begin
    readable (f "routings" = List [] && f "demands" = List []) "a graph has no routings or demands";
    let g = read_graph (f "graph") in
    (Of_graph (g, all (read_graph_claim g) (f "claims")), missing)
  end
  else begin
    let net = read_network (f "network") in
    let routings = Array.of_list (all (read_routing version net) (f "routings")) in
    let demands = Array.of_list (all (read_set net) (f "demands")) in
    let proof = { net; routings; demands } in
    let claims = List.rev (List.fold_left (fun earlier x -> read_claim version proof earlier x :: earlier) [] (all (fun x -> x) (f "claims"))) in
    (Of_network (proof, claims, program_of proof claims), missing)
  end

(* {1 What Coq says} *)

let no_proof = "its evidence does not prove it"

(* [said]: the claims in words, or nothing where they say nothing. *)
let wrong kinds said k why =
  raise (Does_not_hold (match List.nth said k with
    | Some words -> Printf.sprintf "claim %d (%s: %s): %s" (k + 1) (List.nth kinds k) (string_of words) why
    | None -> Printf.sprintf "claim %d (%s): %s" (k + 1) (List.nth kinds k) why))

let check_graph_proof g claims =
  let says = List.map (fun c -> c.graph_says) claims and radix = Z.of_int g.radix in
  let said = List.map Option.some (C.graph_words (text_of g.graph_name) radix says) in
  let wrong = wrong (List.map (fun c -> c.graph_kind) claims) said in
  List.iteri (fun k c -> try c.strict_graph () with Does_not_hold why -> wrong k why) claims;
  match C.printed_of_graph (text_of g.graph_name) radix (unary g.dimensions) g.paths says with
  | C.AllHold, lines -> lines
  | C.BadClaim k, _ -> wrong (counted k) no_proof
  | _ -> raise (Does_not_hold "the graph: a path's steps do not ascend, or it does not lead to 0")

let check proof claims program =
  Array.iter (fun r -> r.strict ()) proof.routings;
  Array.iter (fun s -> s.strict_set ()) proof.demands;
  let items = List.map (fun c -> c.says) claims and { subject; words = names; printed } = program in
  let every = C.all_claims items in
  let said = List.map (fun i ->
    Option.map (fun s -> C.source_of i @ C.sentence names s) (C.said_by subject every items i)) items in
  let wrong = wrong (List.map (fun c -> c.kind) claims) said in
  List.iteri (fun k c -> try c.strict_claim () with Does_not_hold why -> wrong k why) claims;
  List.iteri (fun k words -> if words = None then wrong k no_proof) said;
  (* whose claims [every] are: of each item one, then those of many channels *)
  let positions = List.map fst (numbered claims) in
  let owners = positions @ List.concat_map (fun (k, i) -> match i with
    | C.Alike (_, l) -> List.map (fun _ -> k) l
    | C.One _ -> []) (numbered items) in
  match printed () with
  | C.AllHold, lines -> lines
  | C.BadNetwork, _ -> raise (Does_not_hold "the network: a bandwidth is not above 0")
  | C.BadRouting k, _ -> raise (Does_not_hold (Printf.sprintf "routing %d: a pair has no unit flow, or a path has a gap" (counted k + 1)))
  | C.BadSet k, _ -> raise (Does_not_hold (Printf.sprintf "set %d: a pair comes twice, or its low is above its high" (counted k + 1)))
  | C.BadClaim k, _ -> wrong (List.nth owners (counted k)) no_proof

(* What was read, line by line. *)
let read_lines = function
  | Of_graph (g, _) ->
      [Printf.sprintf "graph called %s by the proof: %s nodes of %s to the base %d" g.graph_name
        (Z.to_string (Z.pow (Z.of_int g.radix) g.dimensions)) (Names.count g.dimensions "digit") g.radix]
  | Of_network (proof, _, { words; _ }) ->
      let title words given called known =
        let name = string_of words in
        Names.named called (Option.value ~default:name given) (if name.[0] = '"' then None else Some name) known in
      (proof.net.read_as :: List.mapi (fun k r ->
        Printf.sprintf "routing %d (%s): by %s between %s%s" (k + 1)
          (title (words.C.routing_name (unary k)) None (string_of (snd r.wanted)) r.known) (if r.by_paths then "paths" else "loads")
          (word_of r.shown_as.C.between)
          (match r.symmetry with
           | Some { moves; _ } -> Printf.sprintf ", %s and their images by %s" (Names.count r.listed "pair") (Names.count (List.length moves) "map")
           | None -> if not r.by_paths then "" else ", with " ^ Names.count r.virtuals "virtual channel"))
        (Array.to_list proof.routings))
      @ List.mapi (fun k s -> Printf.sprintf "set %d (%s): %s" (k + 1)
        (title (words.C.set_name (unary k)) (Some s.given) s.called (Names.is_set_name s.given)) s.set_words) (Array.to_list proof.demands)

let main say path =
  match read path with
  | exception Unreadable what -> say ("unreadable: " ^ String.escaped what); 2
  | whole, missing ->
      List.iter say (read_lines whole);
      match (match whole with Of_graph (g, claims) -> check_graph_proof g claims | Of_network (proof, claims, program) -> check proof claims program) with
      | exception Does_not_hold what -> say ("does not hold: " ^ what); 1
      | lines ->
          List.iter (fun line -> say (string_of line)) lines;
          List.iter (fun (what, reason) -> say (Printf.sprintf "not in this proof: %s (%s)" what reason)) missing;
          say (Printf.sprintf "%d claims hold" (List.length lines));
          0

let checked say path =
  try main say path with Out_of_memory | Stack_overflow -> say "unreadable: too large for this machine's memory"; 2

(* With no file: the exit status of each that is named in a line of standard input, a line each. *)
let rec of_lines () = match input_line stdin with
  | path -> Printf.printf "%d\n%!" (checked ignore path); of_lines ()
  | exception End_of_file -> ()

let usage = "usage: check_proof [PROOF.json]"

(* Lists are long: the program starts itself again with all the stack that it may have. *)
let () =
  if Array.length Sys.argv > 2 then begin print_endline usage; exit 2 end;
  if Sys.getenv_opt "ROUTEPROOF_CHECKER_STACK" = None then begin
    Unix.putenv "ROUTEPROOF_CHECKER_STACK" "set";
    let again = "ulimit -s $(ulimit -H -s) 2> /dev/null; exec \"$0\" \"$@\"" in
    try Unix.execv "/bin/sh" (Array.append [| "/bin/sh"; "-c"; again; Sys.executable_name |] (Array.sub Sys.argv 1 (Array.length Sys.argv - 1)))
    with Unix.Unix_error _ -> ()
  end;
  match Sys.argv with
  | [| _; path |] -> exit (checked print_endline path)
  | _ -> of_lines ()
