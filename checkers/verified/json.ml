(* JSON as docs/proof-format.md allows it: whole numbers, strings, lists, objects without repeated keys. *)

exception Unreadable of string

type t =
  | Null
  | Bool of bool
  | Number of int                  (* at most 2^53 - 1 in size *)
  | Text of int list               (* code points *)
  | List of t list
  | Object of (int list * t) list

let unreadable what = raise (Unreadable what)
let largest = (1 lsl 53) - 1
let deepest = 63

(* The bytes must be UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF. *)
let check_utf8 s =
  let n = String.length s in
  let continues i = i < n && Char.code s.[i] land 0xC0 = 0x80 in
  let rec go i =
    if i < n then
      let c = Char.code s.[i] in
      if c < 0x80 then go (i + 1)
      else if c >= 0xC2 && c < 0xE0 && continues (i + 1) then go (i + 2)
      else if c >= 0xE0 && c < 0xF0 && continues (i + 1) && continues (i + 2) then begin
        let d = Char.code s.[i + 1] in
        if (c = 0xE0 && d < 0xA0) || (c = 0xED && d >= 0xA0) then unreadable "it is no UTF-8" else go (i + 3)
      end
      else if c >= 0xF0 && c < 0xF5 && continues (i + 1) && continues (i + 2) && continues (i + 3) then begin
        let d = Char.code s.[i + 1] in
        if (c = 0xF0 && d < 0x90) || (c = 0xF4 && d >= 0x90) then unreadable "it is no UTF-8" else go (i + 4)
      end
      else unreadable "it is no UTF-8" in
  go 0

let parse s =
  check_utf8 s;
  let n = String.length s in
  let at = ref 0 in
  let fail what = unreadable (Printf.sprintf "%s at byte %d" what !at) in
  let peek () = if !at < n then s.[!at] else '\000' in
  let rec space () = match peek () with
    | ' ' | '\t' | '\n' | '\r' when !at < n -> incr at; space ()
    | _ -> () in
  let expect c = if !at < n && s.[!at] = c then incr at else fail (Printf.sprintf "%C was expected" c) in
  let word w value =
    let l = String.length w in
    if !at + l <= n && String.sub s !at l = w then (at := !at + l; value) else fail "no JSON" in
  let hex () =
    if !at + 4 > n then fail "no JSON";
    let digit c = match c with
      | '0' .. '9' -> Char.code c - 48
      | 'a' .. 'f' -> Char.code c - 87
      | 'A' .. 'F' -> Char.code c - 55
      | _ -> fail "no JSON" in
    let value = ref 0 in
    for i = 0 to 3 do value := (!value * 16) + digit s.[!at + i] done;
    at := !at + 4;
    !value in
  let text () =
    expect '"';
    let rec go found =
      if !at >= n then fail "a text without an end";
      let c = Char.code s.[!at] in
      if c = 34 then (incr at; List.rev found)
      else if c < 32 then fail "a control character in a text"
      else if c = 92 then begin
        incr at;
        let e = peek () in
        incr at;
        match e with
        | '"' | '\\' | '/' -> go (Char.code e :: found)
        | 'b' -> go (8 :: found)
        | 'f' -> go (12 :: found)
        | 'n' -> go (10 :: found)
        | 'r' -> go (13 :: found)
        | 't' -> go (9 :: found)
        | 'u' ->
            let high = hex () in
            if high >= 0xD800 && high < 0xDC00 && !at + 6 <= n && s.[!at] = '\\' && s.[!at + 1] = 'u' then begin
              let before = !at in
              at := !at + 2;
              let low = hex () in
              if low >= 0xDC00 && low < 0xE000
              then go ((0x10000 + ((high - 0xD800) lsl 10) + (low - 0xDC00)) :: found)
              else (at := before; go (high :: found))
            end
            else go (high :: found)
        | _ -> fail "no JSON"
      end
      else begin
        let byte i = Char.code s.[!at + i] land 0x3F in
        let length, code =
          if c < 0x80 then (1, c)
          else if c < 0xE0 then (2, ((c land 0x1F) lsl 6) lor byte 1)
          else if c < 0xF0 then (3, ((c land 0x0F) lsl 12) lor (byte 1 lsl 6) lor byte 2)
          else (4, ((c land 0x07) lsl 18) lor (byte 1 lsl 12) lor (byte 2 lsl 6) lor byte 3) in
        at := !at + length;
        go (code :: found)
      end in
    go [] in
  let number () =
    let start = !at in
    if peek () = '-' then incr at;
    let digits = !at in
    while !at < n && s.[!at] >= '0' && s.[!at] <= '9' do incr at done;
    let length = !at - digits in
    if length = 0 || (length > 1 && s.[digits] = '0') then fail "no JSON";
    (match peek () with '.' | 'e' | 'E' when !at < n -> fail "a whole number was expected" | _ -> ());
    if !at - start > 17 then fail "a number beyond 2^53";
    let value = int_of_string (String.sub s start (!at - start)) in
    if abs value > largest || (value = 0 && digits > start) then fail "a number beyond 2^53, or -0";
    value in
  let rec value depth =
    if depth > deepest then fail "too deep";
    space ();
    let found = match peek () with
      | '{' -> incr at; Object (members depth)
      | '[' -> incr at; List (elements depth)
      | '"' -> Text (text ())
      | 't' -> word "true" (Bool true)
      | 'f' -> word "false" (Bool false)
      | 'n' -> word "null" Null
      | _ -> Number (number ()) in
    space ();
    found
  and elements depth =
    space ();
    if peek () = ']' then (incr at; [])
    else
      let rec go found =
        let found = value (depth + 1) :: found in
        match peek () with
        | ',' -> incr at; go found
        | _ -> expect ']'; List.rev found in
      go []
  and members depth =
    space ();
    if peek () = '}' then (incr at; [])
    else
      let rec go found =
        space ();
        let key = text () in
        if List.mem_assoc key found then fail "an object has a key twice";
        space ();
        expect ':';
        let found = (key, value (depth + 1)) :: found in
        match peek () with
        | ',' -> incr at; go found
        | _ -> expect '}'; List.rev found in
      go [] in
  let found = value 0 in
  if !at < n then fail "something follows the JSON";
  found

(* In full, as JSON in printable ASCII: all other characters are escaped, so that no name can look like another. *)
let quoted text =
  let buffer = Buffer.create 80 in
  Buffer.add_char buffer '"';
  List.iter (fun c ->
    match c with
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
