(* The data: a CSV file as rows of exact numbers with their signs, and the digest of these. *)

open Verdict

let most_cells = 1_000_000  (* a number takes up to a kilobyte here *)

(* The records of a CSV text, as Python's csv module reads them in strict mode. *)
let records delimiter s =
  let n = String.length s in
  let cell = Buffer.create 32 and cells = ref [] and lines = ref [] in
  let save () =
    if Buffer.length cell > 131_072 then raise (Cannot_tell "a cell of the data is very long");
    cells := Buffer.contents cell :: !cells; Buffer.clear cell in
  let finish () =
    if List.exists (fun c -> Utf8.strip c <> "") !cells then lines := List.rev !cells :: !lines;
    cells := [] in
  let ends i = s.[i] = '\n' || s.[i] = '\r' in
  let next i = if s.[i] = '\r' && i + 1 < n && s.[i + 1] = '\n' then i + 2 else i + 1 in
  let rec start i =  (* of a cell *)
    if i >= n then (if !cells <> [] then (save (); finish ()))
    else if ends i then (if !cells <> [] then save (); finish (); start (next i))
    else if s.[i] = '"' then quoted (i + 1)
    else plain i
  and plain i =
    if i >= n then (save (); finish ())
    else if ends i then (save (); finish (); start (next i))
    else if s.[i] = delimiter then (save (); start_next (i + 1))
    else (Buffer.add_char cell s.[i]; plain (i + 1))
  and start_next i =  (* of a cell after a delimiter, so there is a cell *)
    if i >= n || ends i then plain i else start i
  and quoted i =
    if i >= n then refuse "the data is not a CSV file: a quote is not closed"
    else if s.[i] <> '"' then (Buffer.add_char cell s.[i]; quoted (i + 1))
    else if i + 1 < n && s.[i + 1] = '"' then (Buffer.add_char cell '"'; quoted (i + 2))
    else if i + 1 >= n || ends (i + 1) || s.[i + 1] = delimiter then plain (i + 1)
    else refuse "the data is not a CSV file: text after a closing quote" in
  start 0;
  List.rev !lines

let delimiter_of s =
  let line = match String.index_opt s '\n' with Some k -> String.sub s 0 k | None -> s in
  let count c = String.fold_left (fun k d -> if c = d then k + 1 else k) 0 line in
  List.fold_left (fun best c -> if count c > count best then c else best) ',' [';'; '\t']

let is_row cells label =
  let others = List.filteri (fun j _ -> j <> label) cells in
  List.for_all Exact.is_number others

(* Which column holds the labels, and whether the first line is a header. It is a row where every
   cell but the label is a number. Then the label is the last column, or that of the number [label],
   from 1; a header calls one column so. *)
let label_column first label =
  let width = List.length first in
  let places = List.init width Fun.id in
  match label with
  | None -> (width - 1, not (is_row first (width - 1)))
  | Some label ->
      match List.filter (fun j -> label = string_of_int (j + 1)) places with
      | [j] when is_row first j -> (j, false)
      | numbered ->
          let is_named j = let name = List.nth first j in name = label || name = "column " ^ label in
          match List.filter is_named places with
          | [j] when not (is_row first j) -> (j, true)
          | [] when numbered <> [] ->
              raise (Cannot_tell "the label is a number, and the first line is a header")
          | _ -> refuse "the data has no such label column (or two of them)"

type t = { rows : Exact.number array array; signs : int array }

(* label: the column of the label, or none for the table of a model, whose last columns are called
   [response]. *)
let read content ~numbers ~columns ~n_rows ~label ~sign_of ~response =
  let content =
    let n = String.length content in
    if n >= 3 && String.sub content 0 3 = "\xef\xbb\xbf" then String.sub content 3 (n - 3)
    else content in
  need (Utf8.is_valid content) "the data is not a CSV file: it is not UTF-8";
  let lines = records (delimiter_of content) content in
  need (lines <> []) "the data file is empty";
  let width = columns + (if response = None then 1 else 0) in
  List.iter (fun line -> need (List.length line = width)
                (Printf.sprintf "a line has not %d cells" width)) lines;
  if List.length lines * width > most_cells then
    raise (Cannot_tell (Printf.sprintf "more than %d numbers are too many" most_cells));
  let first = List.map Utf8.strip (List.hd lines) in
  let place, has_header =
    match response with
    | None -> label_column first label
    | Some names ->
        let cut = width - List.length names in
        need (cut >= 0 && List.filteri (fun j _ -> j >= cut) first = names)
          "the last columns are not called as the response is";
        (width, true) in
  let lines = Array.of_list (if has_header then List.tl lines else lines) in
  need (Array.length lines = n_rows)
    (Printf.sprintf "the data has %d rows; the proof speaks of %d" (Array.length lines) n_rows);
  let signs = Array.map (fun line ->
      if response <> None then 1 else sign_of (Utf8.strip (List.nth line place))) lines in
  let rows = Array.map (fun line ->
      let cells = List.filteri (fun j _ -> j <> place) line in
      Array.of_list (List.map (fun cell -> Exact.read numbers (Utf8.strip cell)) cells)) lines in
  { rows; signs }

(* SHA-256 over the digests of blocks of 4096 rows; docs/certificates.md defines it. *)
let digest { rows; signs } =
  let n = Array.length rows and d = Array.length rows.(0) in
  let table = Buffer.create 1024 in
  Buffer.add_string table (Printf.sprintf "novikoff rows 1\n%d %d\n" n d);
  let start = ref 0 in
  while !start < n do
    let size = min 4096 (n - !start) in
    let numbers = Array.concat (Array.to_list (Array.sub rows !start size)) in
    let doubles = Array.map Exact.double numbers in
    let filled = Array.fold_left (fun k v -> if v <> 0.0 then k + 1 else k) 0 doubles in
    let block = Buffer.create (9 * Array.length doubles) in
    Buffer.add_int64_le block (Int64.of_int filled);
    let add v = Buffer.add_int64_le block (Int64.bits_of_float v) in
    if 4 * filled >= Array.length numbers then Array.iter add doubles
    else Array.iteri (fun place v ->
        if v <> 0.0 then (Buffer.add_int64_le block (Int64.of_int place); add v)) doubles;
    Array.iteri (fun place v ->
        if v = infinity then
          let x = numbers.(place) in
          Buffer.add_string block
            (Printf.sprintf "%s/%s\n" (Exact.hex x.num) (Exact.hex (Exact.denominator x)))) doubles;
    Array.iter (fun sign -> Buffer.add_int8 block sign) (Array.sub signs !start size);
    Buffer.add_string table (Sha256.digest (Buffer.contents block));
    start := !start + size
  done;
  Sha256.hex (Sha256.digest (Buffer.contents table))
