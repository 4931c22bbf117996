(* Exact numbers of a table. The arithmetic is the extracted one: numbers are sequences of bits. *)

open Checked
open Verdict

let most_characters = 4000  (* of a cell *)
let most_exponent = 1100  (* of ten, in a cell: beyond all binary64 numbers *)
let most_denominator = 20_000  (* bits of what ratios have in common *)
let most_bits = 100_000_000  (* of all numbers as integers: a bit takes 16 bytes *)

let rec positive k =
  if k = 1 then XH else if k land 1 = 1 then XI (positive (k lsr 1)) else XO (positive (k lsr 1))

let z_of_int k = if k = 0 then Z0 else if k > 0 then Zpos (positive k) else Zneg (positive (-k))
let rec nat_of_int k = if k = 0 then O else S (nat_of_int (k - 1))

let negative z = match z with Zneg _ -> true | _ -> false
let opposite z = Z.opp z

(* From digits, the highest first. Hexadecimal digits are four bits each, so this is linear. *)
let z_of_hex text =
  let minus = text.[0] = '-' in
  let bits = ref Z0 in
  let push bit =
    bits := (match !bits with
        | Z0 -> if bit = 1 then Zpos XH else Z0
        | Zpos p -> Zpos (if bit = 1 then XI p else XO p)
        | Zneg _ -> assert false) in
  for i = (if minus then 3 else 2) to String.length text - 1 do
    let d = int_of_string ("0x" ^ String.make 1 text.[i]) in
    List.iter (fun k -> push ((d lsr k) land 1)) [3; 2; 1; 0]
  done;
  if minus then opposite !bits else !bits

let rec shift z k = match z with
  | Zpos p when k > 0 -> shift (Zpos (XO p)) (k - 1)
  | Zneg p when k > 0 -> shift (Zneg (XO p)) (k - 1)
  | _ -> z

let rec power_of_five k =
  if k = 0 then z_of_int 1
  else
    let half = power_of_five (k / 2) in
    let square = Z.mul half half in
    if k land 1 = 1 then Z.mul square (z_of_int 5) else square

let power_of_ten k = shift (power_of_five k) k

let rec z_of_digits text =
  let n = String.length text in
  if n <= 18 then z_of_int (int_of_string ("0u" ^ text))
  else
    let k = n / 2 in
    let high = z_of_digits (String.sub text 0 (n - k)) in
    let low = z_of_digits (String.sub text (n - k) k) in
    Z.add (Z.mul high (power_of_ten k)) low

let hex_of_positive p =
  let rec bits p found = match p with
    | XH -> 1 :: found | XO p -> bits p (0 :: found) | XI p -> bits p (1 :: found) in
  let bits = bits p [] in  (* the highest first *)
  let out = Buffer.create 16 in
  let rec go digit waiting = function
    | [] -> ()
    | b :: rest ->
        let digit = 2 * digit + b in
        if waiting = 1 then (Buffer.add_char out "0123456789abcdef".[digit]; go 0 4 rest)
        else go digit (waiting - 1) rest in
  let n = List.length bits in
  go 0 (if n mod 4 = 0 then 4 else n mod 4) bits;
  Buffer.contents out

let hex z = match z with Z0 -> "0" | Zpos p -> hex_of_positive p | Zneg p -> "-" ^ hex_of_positive p

(* num·2^two·5^five/den in lowest terms, with two, five <= 0 unless num is an integer as it stands
   (then both are 0), and den odd; den is 1 for all but ratios. *)
type number = { num : z; two : int; five : int; den : z }

let one = z_of_int 1

let bits z =
  let rec count p n = match p with XH -> n + 1 | XO p | XI p -> count p (n + 1) in
  match z with Z0 -> 0 | Zpos p | Zneg p -> count p 0

let integer num = { num; two = 0; five = 0; den = one }

let rec trailing p = match p with XO p -> 1 + trailing p | _ -> 0
let rec shifted p k = if k = 0 then p else match p with XO p -> shifted p (k - 1) | _ -> assert false
let zeros z = match z with Z0 -> 0 | Zpos p | Zneg p -> trailing p

let halved z k =
  match z with Z0 -> Z0 | Zpos p -> Zpos (shifted p k) | Zneg p -> Zneg (shifted p k)

let rec without_fives z five =
  if five = 0 then (z, 0)
  else
    let quotient, rest = Z.div_eucl z (z_of_int 5) in
    if rest = Z0 then without_fives quotient (five + 1) else (z, five)

(* m·10^e. *)
let decimal m e =
  if m = Z0 then integer Z0
  else if e >= 0 then integer (Z.mul m (power_of_ten e))
  else
    let k = min (zeros m) (-e) in
    let num, five = without_fives (halved m k) e in
    { num; two = e + k; five; den = one }

let of_float v =
  if v = 0.0 then integer Z0
  else
    let mantissa, exponent = Float.frexp v in
    let m = z_of_int (int_of_float (Float.ldexp mantissa 53)) and e = exponent - 53 in
    if e >= 0 then integer (shift m e)
    else let k = min (zeros m) (-e) in { num = halved m k; two = e + k; five = 0; den = one }

let ratio p q =
  if p = Z0 then integer Z0
  else
    let common = Z.gcd p q in
    let p = fst (Z.div_eucl p common) and q = fst (Z.div_eucl q common) in
    let k = zeros q in
    { num = p; two = -k; five = 0; den = halved q k }

let denominator x = shift (Z.mul (power_of_five (-x.five)) x.den) (-x.two)

(* The double that is equal to the number, or infinity where there is none. *)
let double x =
  match x.num with
  | Z0 -> 0.0
  | Zpos p | Zneg p ->
      if x.five < 0 || x.den <> one then infinity
      else
        let k = trailing p in
        let odd = shifted p k and exponent = k + x.two in
        let n = bits (Zpos odd) in
        if n > 53 || exponent < -1074 || n + exponent > 1024 then infinity
        else
          let rec value p = match p with
            | XH -> 1 | XO p -> 2 * value p | XI p -> 2 * value p + 1 in
          let size = Float.ldexp (float_of_int (value odd)) exponent in
          if negative x.num then -. size else size

(* ---- cells *)

let is_digit c = c >= '0' && c <= '9'

(* [+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})? as sign, digits and exponent. *)
let read_decimal s =
  let n = String.length s in
  let rec run i = if i < n && is_digit s.[i] then run (i + 1) else i in
  let start = if n > 0 && (s.[0] = '+' || s.[0] = '-') then 1 else 0 in
  let whole = run start in
  let has_point = whole < n && s.[whole] = '.' in
  let stop = if has_point then run (whole + 1) else whole in
  let places = if has_point then stop - whole - 1 else 0 in
  if whole - start + places = 0 then None
  else
    let digits = String.sub s start (whole - start) ^ String.sub s (stop - places) places in
    let minus = s.[0] = '-' in
    if stop = n then Some (minus, digits, -places)
    else if s.[stop] <> 'e' && s.[stop] <> 'E' then None
    else
      let signed = stop + 1 < n && (s.[stop + 1] = '+' || s.[stop + 1] = '-') in
      let first = stop + 1 + (if signed then 1 else 0) in
      let count = n - first in
      if run first <> n || count < 1 || count > 4 then None
      else
        let e = int_of_string ("0u" ^ String.sub s first count) in
        Some (minus, digits, (if signed && s.[stop + 1] = '-' then -e else e) - places)

(* [+-]?[0-9]+/[0-9]*[1-9][0-9]* as two texts. *)
let read_ratio s =
  match String.index_opt s '/' with
  | None -> None
  | Some k ->
      let p = String.sub s 0 k and q = String.sub s (k + 1) (String.length s - k - 1) in
      let start = if p <> "" && (p.[0] = '+' || p.[0] = '-') then 1 else 0 in
      let digits = String.sub p start (String.length p - start) in
      let all t = t <> "" && String.for_all is_digit t in
      if all digits && all q && String.exists (fun c -> c <> '0') q
      then Some (p.[0] = '-', digits, q) else None

let is_number s = read_decimal s <> None || read_ratio s <> None

(* A cell as the number that the proof says: the nearest double, or exactly what is written. *)
let read numbers cell =
  let signed minus digits =
    let z = z_of_digits digits in
    if minus then opposite z else z in
  let is_long = String.length cell > most_characters in
  match read_decimal cell, read_ratio cell with
  | Some _, _ | _, Some _ when is_long ->
      raise (Cannot_tell "a number of the data has too many digits")
  | Some _, _ when numbers = "binary64" ->
      let v = float_of_string cell in
      need (Float.is_finite v) "a number of the data is beyond binary64";
      of_float v
  | Some (_, _, e), _ when abs e > most_exponent ->
      raise (Cannot_tell "a number of the data has too many digits")
  | Some (minus, digits, e), _ -> decimal (signed minus digits) e
  | None, Some (minus, p, q) when numbers = "rational" -> ratio (signed minus p) (z_of_digits q)
  | _ -> refuse "a cell of the data is not a number"

(* ---- rows of integers over one scale *)

let lcm a b = Z.mul a (fst (Z.div_eucl b (Z.gcd a b)))

(* All numbers times one positive factor, which makes them integers; and the factor. *)
let whole rows =
  let two = ref 0 and five = ref 0 and den = ref one in
  Array.iter (Array.iter (fun x ->
      two := min !two x.two; five := min !five x.five;
      if x.den <> one then den := lcm !den x.den;
      if bits !den > most_denominator then
        raise (Cannot_tell "the ratios of the data have too many digits over one denominator")))
    rows;
  let known = Hashtbl.create 64 in
  let factor x =
    let key = (x.two - !two, x.five - !five) in
    let powers =
      match Hashtbl.find_opt known key with
      | Some found -> found
      | None ->
          let made = shift (power_of_five (snd key)) (fst key) in
          Hashtbl.add known key made; made in
    if !den = one then powers
    else Z.mul powers (fst (Z.div_eucl !den x.den)) in
  let scale = factor (integer one) in
  let size = ref 0 and added = bits scale in
  Array.iter (Array.iter (fun x ->
      if x.num <> Z0 then size := !size + bits x.num + added)) rows;
  if !size > most_bits then
    raise (Cannot_tell "the numbers of the data have too many digits over one denominator");
  (Array.map (Array.map (fun x -> Z.mul x.num (factor x))) rows, scale)
