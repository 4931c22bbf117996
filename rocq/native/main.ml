(* novikoff-check proof.json data.csv: the checks that are proven sound, on two files.

   Reading the files is done here and in the files beside; whether the claim is true is decided by
   functions of Checked, which Rocq has written: check, check_obstruction and check_mistakes. *)

open Verdict
module C = Checked

let most_bytes = 64 * 1024 * 1024  (* of a proof file *)
let most_bits = 13_000  (* of a cost *)

let z_of_int = Exact.z_of_int
let number i = Exact.positive (i + 1)  (* rows are numbered from 1 in the theory *)
let numbered pairs = List.map (fun (i, m) -> (number i, m)) pairs
let map f list = List.rev (List.rev_map f list)

(* The rows over one scale, with the constant as the last number; 0 where there is no offset. *)
let rows_of (data : Data.t) offset =
  let whole, scale = Exact.whole data.rows in
  let last = if offset then scale else C.Z0 in
  let row i numbers =
    { C.side = (if data.signs.(i) > 0 then C.Positive else C.Negative);
      numbers = Array.to_list (Array.append numbers [| last |]) } in
  Array.to_list (Array.mapi row whole)

let check_weights weights width offset =
  need (List.length weights = width) "the number of weights is wrong";
  need (offset || List.nth weights (width - 1) = C.Z0) "without an offset its weight is 0"

let check_claim (claim : Proof.claim) rows width offset =
  if claim.relations <> None then
    raise (Cannot_tell "the proof has no digits: its sum has a remainder, to be bounded");
  check_weights claim.weights width offset;
  let n_rows = List.length rows in
  need (List.for_all (fun (i, _) -> i < n_rows) claim.named) "a row is out of range";
  let stated = { C.weights = claim.weights; settled = z_of_int claim.settled;
                 core = z_of_int claim.core; one = claim.denominator;
                 named = numbered claim.named } in
  need (C.check (Exact.nat_of_int width) rows stated)
    "the check of the claim fails: a row is opposed, a count is wrong, or the sum is not zero"

let check_obstruction o rows width =
  need (C.check_obstruction (Exact.nat_of_int width) (C.table C.XH rows) (numbered o))
    "the check of the obstruction fails"

let check_costs (m : Proof.mistakes) n_rows =
  let fits z = match z with C.Zpos _ -> true | _ -> false in
  need (List.length m.unit = 2 && List.for_all fits m.unit) "the unit is no positive fraction";
  let top = List.nth m.unit 0 and bottom = List.nth m.unit 1 in
  let common = C.Z.gcd top bottom in
  let over z = fst (C.Z.div_eucl z common) in
  let costs = match m.costs with
    | Some costs -> costs
    | None ->
        need (C.Z.eqb top bottom) "without costs the unit is 1";
        List.init n_rows (fun _ -> z_of_int 1) in
  need (List.compare_length_with costs n_rows = 0) "impossible costs";
  let largest = List.fold_left (fun a b -> if C.Z.leb a b then b else a) C.Z0 costs in
  need (max (Exact.bits (C.Z.mul (over top) largest)) (Exact.bits (over bottom)) <= most_bits)
    "a cost has too many bits";
  costs

let rec tree_of n_obstructions (t : Proof.tree) = match t with
  | Leaf packing ->
      need (List.for_all (fun (k, _) -> k < n_obstructions) packing)
        "a packing has shares of nothing";
      C.Leaf (numbered packing)
  | Branch (row, removed, kept) ->
      C.Branch (number (min row (max_int - 1)), tree_of n_obstructions removed,
                tree_of n_obstructions kept)

let check_mistakes (m : Proof.mistakes) rows width offset =
  let n_rows = List.length rows in
  let costs = check_costs m n_rows in
  Option.iter (fun w -> check_weights w width offset) m.hyperplane;
  let stated = {
    C.costs; trusted = map number m.trusted; obstructions = map numbered m.obstructions;
    scale = m.scale; proof = tree_of (List.length m.obstructions) m.tree;
    hyperplane = m.hyperplane; listed = map number m.mistakes; lower = m.lower; upper = m.upper } in
  need (C.check_mistakes (Exact.nat_of_int width) rows stated)
    "the check of the bounds fails"

(* ---- both files *)

let said (proof : Proof.t) =
  match proof.kind with
  | Obstruction _ -> "not separable: no hyperplane has every row strictly on its side"
  | Mistakes { lower = None; _ } -> "such that any hyperplane gets a trusted row wrong"
  | Mistakes m ->
      let shown = function Some z -> "0x" ^ Exact.hex z | None -> "" in
      Printf.sprintf "such that the mistakes of the best hyperplane cost from %s to %s units"
        (shown m.lower) (shown m.upper)
  | Claim { model; settled; _ } when model <> Json.Null ->
      if settled = 0 then "a regression whose estimate is finite"
      else Printf.sprintf "a regression whose estimate is infinite: %d rows are settled" settled
  | Claim { settled = 0; _ } ->
      "overlapping: no hyperplane separates the two classes, not even weakly"
  | Claim { core = 0; _ } -> "separable: every row is strictly on its side of a hyperplane"
  | Claim { settled; core; _ } ->
      Printf.sprintf "quasi-separable: %d rows are strictly on their side of a hyperplane and the \
                      other %d on it, and no hyperplane settles more" settled core

let check proof_text data_text =
  let proof = Proof.read proof_text in
  let model = match proof.kind with
    | Claim { model; _ } when model <> Json.Null -> Some (Models.read model proof.offset)
    | _ -> None in
  let sign_of label =
    if Some label = proof.data.positive then 1
    else if Some label = proof.data.negative then -1
    else refuse "a row has a label that is neither of the two" in
  let data = Data.read data_text ~numbers:proof.numbers ~columns:proof.data.columns
      ~n_rows:proof.data.rows ~label:proof.data.label ~sign_of
      ~response:(Option.map (fun (m : Models.t) -> m.response) model) in
  need (Data.digest data = proof.data.digest)
    "this is not the data that the proof speaks of: its digest is another";
  let rows, offset = match model with
    | Some model -> Models.comparisons model proof.offset data.rows
    | None -> (rows_of data proof.offset, proof.offset) in
  let width = List.length (List.hd rows).C.numbers in
  (match proof.kind with
   | Claim claim -> check_claim claim rows width offset
   | Obstruction o -> check_obstruction o rows width
   | Mistakes m -> check_mistakes m rows width proof.offset);
  let labels = match proof.data.positive, proof.data.negative with
    | Some p, Some n -> Printf.sprintf ", + is '%s', - is '%s'" p n
    | _ -> "" in
  Printf.sprintf "%s (%d rows, %d columns of %s numbers, with%s an offset%s)" (said proof)
    proof.data.rows proof.data.columns proof.numbers (if proof.offset then "" else "out") labels

let read_file path =
  let channel = open_in_bin path in
  Fun.protect ~finally:(fun () -> close_in_noerr channel)
    (fun () -> really_input_string channel (in_channel_length channel))

(* The exit code for two files, and what is said of them. *)
let judge proof data =
  let unknown reason = (4, "Cannot tell whether the proof holds: " ^ reason ^ ".") in
  try
    let text = read_file proof in
    need (String.length text <= most_bytes) "the proof has too many bytes";
    (0, "The proof holds. The data is " ^ check text (read_file data) ^ ".")
  with
  | Does_not_hold reason -> (1, "The proof does not hold: " ^ reason ^ ".")
  | Sys_error reason -> (4, "Cannot read " ^ reason ^ ".")
  | Cannot_tell reason -> unknown reason
  | Stack_overflow | Out_of_memory -> unknown "it is too large"
  | error -> unknown (Printexc.to_string error)

(* Paths from standard input, line by line: of a proof, then of its data. For each two of them one
   line: the exit code and what is said. *)
let rec judge_many () =
  match input_line stdin with
  | exception End_of_file -> 0
  | proof ->
      let code, said = judge proof (input_line stdin) in
      Printf.printf "%d %s\n%!" code (String.map (fun c -> if c = '\n' then ' ' else c) said);
      judge_many ()

let () =
  exit (match Sys.argv with
      | [| _; "--many" |] -> judge_many ()
      | [| _; proof; data |] ->
          let code, said = judge proof data in
          (if code = 0 then print_endline else prerr_endline) said;
          code
      | _ ->
          prerr_endline "usage: novikoff-check proof.json data.csv, or novikoff-check --many";
          2)
