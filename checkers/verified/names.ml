(* Names with a definition (docs/proof-format.md): which network, routing or set a name stands for, if that is what it is.

   Nothing here decides whether a claim holds, or what stands without quotation marks: Coq is asked whether networks
   (Grids.v), routings (Called.v) and sets (CalledSets.v) are what their names say. *)

module C = Checker

let split sep s = String.split_on_char sep s
let for_all_digits s = s <> "" && (let good = ref true in String.iter (fun c -> if c < '0' || c > '9' then good := false) s; !good)
let small_number most s = for_all_digits s && s.[0] <> '0' && String.length s <= most

(* {1 Networks} *)

(* How many nodes, and the network of which Coq is asked whether this is it. *)
let grid_called name =
  let family, rest = match split ':' name with [] -> ("", "") | f :: l -> (f, String.concat ":" l) in
  let numbers = split 'x' rest in
  if List.length numbers > 64 || not (List.for_all (small_number 7) numbers) then None
  else
    let numbers = List.map int_of_string numbers in
    let big = List.map Z.of_int numbers in
    let most = 1 lsl 53 in
    let sized radices grid =
      if List.exists (fun k -> k < 2) radices then None
      else Some (List.fold_left (fun n k -> if n > most / k then most else n * k) 1 radices, radices, grid) in
    match family, numbers with
    | "torus", _ -> sized numbers (C.Torus big)
    | "mesh", _ -> sized numbers (C.Mesh big)
    | "hyperx", _ -> sized numbers (C.HyperX big)
    | "ring", [k] -> sized [k] (C.Ring (Z.of_int k))
    | "complete", [k] -> sized [k] (C.Complete (Z.of_int k))
    | "hypercube", [n] -> sized (List.init (min n 64) (fun _ -> 2)) (C.Hypercube (Z.of_int n))
    | _ -> None

(* {1 Routings} *)

let rec unary n = if n = 0 then C.O else C.S (unary (n - 1))

(* The routing of this name on the network, of which Coq is asked whether this is it; [grid]: what the network is. *)
let routing_called name grid =
  let words s = match split ':' s with
    | [_] -> Some []
    | _ :: rest ->
        let pairs = List.map (split '=') (split ',' (String.concat ":" rest)) in
        if List.for_all (fun w -> List.length w = 2) pairs then Some (List.map (fun w -> (List.hd w, List.nth w 1)) pairs) else None
    | [] -> None in
  match name, grid, words name with
  | "minimal:choice=per-path", _, _ -> Some (C.Minimal C.PerPath)
  | "minimal:choice=per-hop", _, _ -> Some (C.Minimal C.PerHop)
  | _, Some (_, radices, g), Some options when List.mem (List.map fst options) [[]; ["tie"]; ["order"]; ["tie"; "order"]] ->
      let size = List.length radices in
      let letters = if size <= 4 then "xyzw" else "0123456789" in
      let listed s = List.init (String.length s) (String.get s) in
      let read s =
        let wanted = if size <= String.length letters then listed (String.sub letters 0 size) else [] in
        if wanted <> [] && List.sort compare (listed s) = List.sort compare wanted
        then Some (List.map (fun c -> unary (String.index letters c)) (listed s)) else None in
      let is f = Some (C.OnGrid (g, f)) in
      let tie = List.assoc_opt "tie" options in
      let ties = Option.map (fun t -> if t = "plus" then C.Plus else C.Split) tie in
      let union = Option.map (fun t -> t = "union") tie in
      let family = List.hd (split ':' name) in
      if not (List.mem tie [None; Some "split"; Some (if family = "romm" then "union" else "plus")]) then None
      else begin match family, List.assoc_opt "order" options with
        | "o1turn", None when size = 2 -> is (C.NamedO1turn ties)
        | "dor", None -> is (C.NamedDor (ties, None))
        | "dor", Some "random" -> is (C.NamedDor (ties, Some C.InRandomOrder))
        | "dor", Some s -> Option.bind (read s) (fun o -> is (C.NamedDor (ties, Some (C.InOrder o))))
        | "valiant", None -> is (C.NamedValiant (ties, None))
        | "valiant", Some s -> Option.bind (read s) (fun o -> is (C.NamedValiant (ties, Some o)))
        | "romm", None -> is (C.NamedRomm (union, None))
        | "romm", Some s ->
            (match List.map read (split '-' s) with
             | [Some one; Some two] -> is (C.NamedRomm (union, Some (one, two)))
             | _ -> None)
        | _ -> None
      end
  | _ -> None

let is_set_name s =
  List.mem s ["permutations"; "uniform"; "routable"]
  || (match split ':' s with ["sparse"; n] -> small_number 9 n | _ -> false)

(* How a name stands at the head of what is printed. *)
let named quoted name found known =
  let others = "called " ^ quoted ^ " by the proof" in
  match found with
  | Some f -> if f = name then f else f ^ ", " ^ others
  | None -> others ^ (if known then ", and not as this name is defined" else "")

(* {1 Words} *)

let counted n what = if n = "1" then "1 " ^ what else n ^ " " ^ (match what with "entry" -> "entries" | "matrix" -> "matrices" | w -> w ^ "s")
let count n what = counted (string_of_int n) what

let span shown l =
  let least = List.fold_left Q.min (List.hd l) l and most = List.fold_left Q.max (List.hd l) l in
  if Q.equal least most then shown least else shown least ^ " to " ^ shown most
