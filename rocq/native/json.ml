(* JSON; no name stands twice in an object. Of its numbers only counts matter to a proof. *)

open Verdict

type t =
  | Null
  | Bool of bool
  | Count of int  (* from 0 to 2^62 - 1 *)
  | Other  (* a number that is no count *)
  | Text of string
  | List of t list
  | Object of (string * t) list

let most_depth = 900

let parse s =
  let n = String.length s and place = ref 0 in
  let fail () = refuse "the proof is not JSON" in
  let peek () = if !place < n then s.[!place] else '\000' in
  let rec skip () =
    match peek () with ' ' | '\t' | '\n' | '\r' when !place < n -> incr place; skip () | _ -> () in
  let expect c = if !place < n && peek () = c then incr place else fail () in
  let word w value =
    let k = String.length w in
    if !place + k <= n && String.sub s !place k = w then (place := !place + k; value) else fail () in
  let four () =
    if !place + 4 > n then fail ();
    let digits = String.sub s !place 4 in
    String.iter (function '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> () | _ -> fail ()) digits;
    place := !place + 4;
    int_of_string ("0x" ^ digits) in
  let add out c =  (* a code point; a half of a pair alone keeps its three bytes *)
    let byte x = Buffer.add_char out (Char.chr x) in
    if c < 0x80 then byte c
    else if c < 0x800 then (byte (0xc0 lor (c lsr 6)); byte (0x80 lor (c land 63)))
    else if c < 0x10000 then
      (byte (0xe0 lor (c lsr 12)); byte (0x80 lor ((c lsr 6) land 63)); byte (0x80 lor (c land 63)))
    else
      (byte (0xf0 lor (c lsr 18)); byte (0x80 lor ((c lsr 12) land 63));
       byte (0x80 lor ((c lsr 6) land 63)); byte (0x80 lor (c land 63))) in
  let escaped out =
    match peek () with
    | '"' | '\\' | '/' as c -> incr place; Buffer.add_char out c
    | 'b' -> incr place; Buffer.add_char out '\b'
    | 'f' -> incr place; Buffer.add_char out '\012'
    | 'n' -> incr place; Buffer.add_char out '\n'
    | 'r' -> incr place; Buffer.add_char out '\r'
    | 't' -> incr place; Buffer.add_char out '\t'
    | 'u' ->
        incr place;
        let high = four () in
        let back = !place in
        if high >= 0xd800 && high < 0xdc00 && !place + 6 <= n && s.[!place] = '\\'
           && s.[!place + 1] = 'u' then begin
          place := !place + 2;
          let low = four () in
          if low >= 0xdc00 && low < 0xe000 then
            add out (0x10000 + ((high - 0xd800) lsl 10) + (low - 0xdc00))
          else (place := back; add out high)
        end
        else add out high
    | _ -> fail () in
  let text () =
    expect '"';
    let out = Buffer.create 16 in
    let rec go () =
      if !place >= n then fail ();
      match s.[!place] with
      | '"' -> incr place
      | '\\' -> incr place; escaped out; go ()
      | c when Char.code c < 32 -> fail ()
      | c -> incr place; Buffer.add_char out c; go () in
    go ();
    Buffer.contents out in
  let number () =
    let start = !place in
    if peek () = '-' then incr place;
    (match peek () with
     | '0' -> incr place
     | '1' .. '9' -> while (match peek () with '0' .. '9' -> true | _ -> false) do incr place done
     | _ -> fail ());
    let digits () = while (match peek () with '0' .. '9' -> true | _ -> false) do incr place done in
    let is_digit i = i < n && s.[i] >= '0' && s.[i] <= '9' in
    let whole = !place in
    if peek () = '.' && is_digit (!place + 1) then (incr place; digits ());
    (match peek () with
     | 'e' | 'E' ->
         let has_sign = !place + 1 < n && (s.[!place + 1] = '+' || s.[!place + 1] = '-') in
         let sign = if has_sign then 1 else 0 in
         if is_digit (!place + 1 + sign) then (place := !place + 1 + sign; digits ())
     | _ -> ());
    if !place > whole then Other
    else match int_of_string_opt (String.sub s start (whole - start)) with
      | Some k when k >= 0 -> Count k
      | _ -> Other in
  let rec value depth =
    if depth > most_depth then raise (Cannot_tell "the proof is nested too deeply");
    skip ();
    match peek () with
    | '{' -> incr place; skip (); if peek () = '}' then (incr place; Object []) else members depth []
    | '[' -> incr place; skip (); if peek () = ']' then (incr place; List []) else elements depth []
    | '"' -> Text (text ())
    | 't' -> word "true" (Bool true)
    | 'f' -> word "false" (Bool false)
    | 'n' -> word "null" Null
    | 'N' -> word "NaN" Other
    | 'I' -> word "Infinity" Other
    | '-' when !place + 1 < n && s.[!place + 1] = 'I' -> word "-Infinity" Other
    | _ -> number ()
  and members depth found =
    skip ();
    let name = text () in
    skip (); expect ':';
    let found = (name, value (depth + 1)) :: found in
    skip ();
    if peek () = ',' then (incr place; members depth found)
    else begin
      expect '}';
      let names = List.sort compare (List.rev_map fst found) in
      let rec twice = function a :: (b :: _ as rest) -> a = b || twice rest | _ -> false in
      need (not (twice names)) "a field stands twice";
      Object (List.rev found)
    end
  and elements depth found =
    let found = value (depth + 1) :: found in
    skip ();
    if peek () = ',' then (incr place; elements depth found)
    else (expect ']'; List (List.rev found)) in
  let found = value 0 in
  skip ();
  if !place < n then fail ();
  found
