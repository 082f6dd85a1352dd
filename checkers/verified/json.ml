(* JSON: read by Json.parse, of which Coq proves that it reads what the text says. *)

exception Unreadable of string

type t = Checker.json =
  | Null
  | Bool of bool
  | Number of Z.t                  (* at most 2^53 - 1 in size *)
  | Text of Z.t list               (* code points *)
  | List of t list
  | Object of (Z.t list * t) list

let unreadable what = raise (Unreadable what)
let largest = (1 lsl 53) - 1

(* As many steps as are needed: Json.v allows any number. *)
let rec endless = 'x' :: endless

let bytes_of content =
  let rec before k found = if k = 0 then found else before (k - 1) (content.[k - 1] :: found) in
  before (String.length content) []

let parse content = match Checker.parse endless (bytes_of content) with
  | Some found -> found
  | None -> unreadable "no JSON as docs/proof-format.md allows it: check_proof.py says where"

(* In full, as JSON in printable ASCII: all other characters are escaped, so that no name can look like another. *)
let quoted text =
  let buffer = Buffer.create 80 in
  Buffer.add_char buffer '"';
  List.iter (fun c ->
    match Z.to_int c with
    | 34 -> Buffer.add_string buffer "\\\""
    | 92 -> Buffer.add_string buffer "\\\\"
    | 8 -> Buffer.add_string buffer "\\b"
    | 9 -> Buffer.add_string buffer "\\t"
    | 10 -> Buffer.add_string buffer "\\n"
    | 12 -> Buffer.add_string buffer "\\f"
    | 13 -> Buffer.add_string buffer "\\r"
    | c when c >= 32 && c < 127 -> Buffer.add_char buffer (Char.chr c)
    | c when c < 0x10000 -> Buffer.add_string buffer (Printf.sprintf "\\u%04x" c)
    | c ->
        let d = c - 0x10000 in
        Buffer.add_string buffer (Printf.sprintf "\\u%04x\\u%04x" (0xD800 + (d lsr 10)) (0xDC00 + (d land 0x3FF)))) text;
  Buffer.add_char buffer '"';
  Buffer.contents buffer
