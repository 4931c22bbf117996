(* Texts in UTF-8: whether they are, and without the blanks at both ends. *)

(* The code point at place i and its bytes; (-1, 1) where there is none. *)
let decode s i =
  let n = String.length s in
  let byte k = if i + k < n then Char.code s.[i + k] else 0 in
  let more k = byte k land 0xc0 = 0x80 in
  let bits k = byte k land 0x3f in
  let b = byte 0 in
  if b < 0x80 then (b, 1)
  else if b land 0xe0 = 0xc0 && more 1 && b >= 0xc2 then (((b land 0x1f) lsl 6) lor bits 1, 2)
  else if b land 0xf0 = 0xe0 && more 1 && more 2 then
    let c = ((b land 0x0f) lsl 12) lor (bits 1 lsl 6) lor bits 2 in
    if c >= 0x800 && not (c >= 0xd800 && c < 0xe000) then (c, 3) else (-1, 1)
  else if b land 0xf8 = 0xf0 && more 1 && more 2 && more 3 then
    let c = ((b land 7) lsl 18) lor (bits 1 lsl 12) lor (bits 2 lsl 6) lor bits 3 in
    if c >= 0x10000 && c < 0x110000 then (c, 4) else (-1, 1)
  else (-1, 1)

let is_valid s =
  let rec from i = i >= String.length s || (let c, k = decode s i in c >= 0 && from (i + k)) in
  from 0

(* What Python's str.strip takes away. *)
let is_blank c =
  (c >= 9 && c <= 13) || (c >= 28 && c <= 32) || c = 0x85 || c = 0xa0 || c = 0x1680
  || (c >= 0x2000 && c <= 0x200a) || c = 0x2028 || c = 0x2029 || c = 0x202f || c = 0x205f
  || c = 0x3000

let strip s =
  let n = String.length s in
  let rec first i =
    if i >= n then n else let c, k = decode s i in if is_blank c then first (i + k) else i in
  let start = first 0 in
  let rec last i stop =
    if i >= n then stop
    else let c, k = decode s i in last (i + k) (if is_blank c then stop else i + k) in
  let stop = last start start in
  String.sub s start (stop - start)
