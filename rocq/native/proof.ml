(* The fields of a proof file: exactly those of its kind, each of its own form. *)

open Json
open Verdict

let fields names optional value =
  match value with
  | Object pairs ->
      need (List.for_all (fun name -> List.mem_assoc name pairs) names
            && List.for_all (fun (name, _) -> List.mem name names || List.mem name optional) pairs)
        "a part of the proof has missing or unknown fields";
      fun name -> List.assoc name pairs
  | _ -> refuse "a part of the proof is not a JSON object"

let wrong () = refuse "a field of the proof has a value of the wrong form"
let text = function Text t -> t | _ -> wrong ()
let flag = function Bool b -> b | _ -> wrong ()
let count = function Count k -> k | _ -> wrong ()
let list form = function List l -> List.rev (List.rev_map form l) | _ -> wrong ()
let optional form = function Null -> None | value -> Some (form value)

(* As checker.py: 0x and digits without a 0 before them, maybe after a -; at most a million. *)
let integer value =
  let t = text value in
  let n = String.length t and start = if t <> "" && t.[0] = '-' then 3 else 2 in
  let is_hex c = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') in
  let rec all i = i >= n || (is_hex t.[i] && all (i + 1)) in
  if n > 1_000_003 || n <= start || String.sub t (start - 2) 2 <> "0x" || not (all start)
     || (t.[start] = '0' && n > start + 1) then wrong ();
  Exact.z_of_hex t

type data = {
  rows : int; columns : int; negative : string option; positive : string option;
  label : string option; digest : string; is_derived : bool }

let read_data value =
  let names = ["rows"; "columns"; "negative"; "positive"; "label"; "digest"] in
  let optional_names = ["reading"; "derivation"] in
  let field = fields names optional_names value in
  let has name = match value with Object pairs -> List.mem_assoc name pairs | _ -> false in
  List.iter (fun name ->
      if has name then match field name with Object _ -> () | _ -> wrong ()) optional_names;
  let digest = text (field "digest") in
  need (String.length digest = 64
        && String.for_all (fun c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')) digest)
    "the digest has not 64 digits";
  let rows = count (field "rows") and columns = count (field "columns") in
  need (min rows columns >= 1) "there are no rows, or no columns";
  { rows; columns; digest; negative = optional text (field "negative");
    positive = optional text (field "positive"); label = optional text (field "label");
    is_derived = has "derivation" }

type claim = {
  model : Json.t; weights : Checked.z list; settled : int; core : int;
  named : (int * Checked.z) list; denominator : Checked.z;
  relations : Checked.z list list option }

type tree = Leaf of (int * Checked.z) list | Branch of int * tree * tree

type mistakes = {
  hyperplane : Checked.z list option; mistakes : int list; costs : Checked.z list option;
  unit : Checked.z list; trusted : int list; obstructions : (int * Checked.z) list list;
  scale : Checked.z; tree : tree; lower : Checked.z option; upper : Checked.z option }

type kind = Claim of claim | Obstruction of (int * Checked.z) list | Mistakes of mistakes

type t = { numbers : string; offset : bool; data : data; kind : kind }

let pairs keys values =
  need (List.compare_lengths keys values = 0) "rows and multipliers differ in number";
  List.combine keys values

(* Distinct numbers of rows, each with its multiplier, in the order of the rows. *)
let support n_rows field =
  let found = pairs (list count (field "rows")) (list integer (field "multipliers")) in
  let found = List.sort (fun (i, _) (j, _) -> compare i j) found in
  let rec twice = function (i, _) :: ((j, _) :: _ as rest) -> i = j || twice rest | _ -> false in
  need (not (twice found) && List.for_all (fun (i, _) -> i < n_rows) found)
    "a row is repeated, or out of range";
  found

let distinct n_rows rows =
  let sorted = List.sort_uniq compare rows in
  need (List.compare_lengths sorted rows = 0 && List.for_all (fun i -> i < n_rows) sorted)
    "a row is repeated, or out of range";
  sorted

let rec read_tree depth value =
  need (depth >= 0) "the tree is too deep";
  match value with
  | Object pairs when List.mem_assoc "row" pairs ->
      let field = fields ["row"; "removed"; "kept"] [] value in
      let row = count (field "row") in
      let removed = read_tree (depth - 1) (field "removed") in
      Branch (row, removed, read_tree (depth - 1) (field "kept"))
  | _ ->
      let field = fields ["obstructions"; "shares"] [] value in
      Leaf (pairs (list count (field "obstructions")) (list integer (field "shares")))

let common = ["format"; "version"; "kind"; "numbers"; "offset"; "data"]

let read content =
  need (Utf8.is_valid content) "the proof is not UTF-8";
  let value = Json.parse content in
  let named name = match value with Object p -> List.assoc_opt name p | _ -> None in
  need (named "format" = Some (Text "novikoff certificate") && named "version" = Some (Count 1))
    "this is no novikoff certificate of version 1";
  let own = match named "kind" with
    | Some (Text "claim") -> ["model"; "weights"; "settled"; "core"; "rows"; "multipliers";
                              "denominator"; "relations"]
    | Some (Text "obstruction") -> ["rows"; "multipliers"]
    | Some (Text "mistakes") -> ["weights"; "mistakes"; "costs"; "unit"; "trusted"; "obstructions";
                                 "scale"; "tree"; "lower"; "upper"]
    | _ -> refuse "this is no novikoff proof of a known kind" in
  let field = fields (common @ own) [] value in
  let numbers = text (field "numbers") in
  need (List.mem numbers ["binary64"; "decimal"; "rational"]) "the kind of numbers is unknown";
  let offset = flag (field "offset") in
  let data = read_data (field "data") in
  let kind = match text (field "kind") with
    | "claim" ->
        Claim {
          model = field "model"; weights = list integer (field "weights");
          settled = count (field "settled"); core = count (field "core");
          named = support max_int field; denominator = integer (field "denominator");
          relations = optional (list (list integer)) (field "relations") }
    | "obstruction" -> Obstruction (support data.rows field)
    | _ ->
        let one value = support data.rows (fields ["rows"; "multipliers"] [] value) in
        Mistakes {
          hyperplane = optional (list integer) (field "weights");
          mistakes = distinct data.rows (list count (field "mistakes"));
          costs = optional (list integer) (field "costs"); unit = list integer (field "unit");
          trusted = distinct data.rows (list count (field "trusted"));
          obstructions = list one (field "obstructions"); scale = integer (field "scale");
          tree = read_tree 300 (field "tree"); lower = optional integer (field "lower");
          upper = optional integer (field "upper") } in
  (match kind with
   | Claim { model; _ } when model <> Null ->
       need (data.negative = None && data.positive = None)
         "a proof has two different labels, or else a model"
   | _ ->
       need (data.negative <> None && data.positive <> None && data.negative <> data.positive
             && not data.is_derived) "a proof has two different labels, or else a model");
  { numbers; offset; data; kind }
