(* A regression's model, its response, and its comparisons. The response is read and judged here;
   the rows are made by functions of Checked, which Rocq has written. *)

open Verdict
module C = Checked

let most_classes = 1_000_000
let most_numbers = 1_000_000  (* of all comparisons *)
let most_meetings = 50_000_000  (* of an event and a subject of its stratum, looked at one by one *)

type t = {
  name : string; response : string list; classes : int; reference : int; exact_ties : bool }

(* offset: whether the proof speaks of a model with a constant. *)
let read value offset =
  let field = Proof.fields ["name"; "response"; "classes"; "reference"; "ties"] [] value in
  let name = Proof.text (field "name") and response = Proof.list Proof.text (field "response") in
  let classes = Proof.count (field "classes") and reference = Proof.count (field "reference") in
  let ties = Proof.text (field "ties") in
  let is_one_of names = List.mem name names in
  let expected = match name with
    | "logistic" | "poisson" -> ["y"]
    | "binomial" -> ["successes"; "trials"]
    | "multinomial" | "ordinal" -> ["class"]
    | "conditional" -> ["case"; "set"]
    | "cox" ->
        ["time"; "event"] @ List.filter (fun n -> List.mem n response) ["entry"; "stratum"]
    | "bradley-terry" -> ["winner"; "loser"; "result"]
    | _ -> refuse "the model is unknown" in
  need (response = expected) "the response columns are not the model's";
  need (not offset || is_one_of ["logistic"; "binomial"; "poisson"; "multinomial"])
    "the model has no constant";
  need (if is_one_of ["multinomial"; "ordinal"; "bradley-terry"]
        then classes >= 1 && classes <= most_classes else classes = 0)
    "the model cannot have so many classes";
  need (if is_one_of ["multinomial"; "bradley-terry"] then reference < classes else reference = 0)
    "the reference of the model is impossible";
  need (ties = "breslow" || (ties = "exact" && name = "cox")) "the model has no such ties";
  { name; response; classes; reference; exact_ties = ties = "exact" || name = "conditional" }

let is_below a b = not (C.Z.leb b a)

(* The response columns, by name, as integers: codes as they are, and all others times one number. *)
let response_of model rows =
  let whole, unit = Exact.whole rows in
  let code v =
    let quotient, rest = C.Z.div_eucl v unit in
    need (rest = C.Z0) "a code of the response is no integer";
    quotient in
  let read name v =
    need (List.mem name ["time"; "entry"] || C.Z.leb C.Z0 v) "the response has a number below 0";
    if List.mem name ["event"; "case"] || model.name = "logistic" then
      need (v = C.Z0 || v = unit) "the response has a number that is neither 0 nor 1";
    if List.mem name ["set"; "stratum"; "class"; "winner"; "loser"] then code v else v in
  let columns = List.mapi (fun k name ->
      (name, Array.map (fun row -> read name row.(k)) whole)) model.response in
  (columns, unit)

(* What must be true of the response besides. *)
let check_response model column unit n_rows =
  let used = List.concat_map (fun (name, values) ->
      if List.mem name ["class"; "winner"; "loser"] then Array.to_list values else []) column in
  let used = List.sort_uniq compare used in
  need (model.classes = 0
        || List.for_all (fun v -> is_below v (Exact.z_of_int model.classes)) used)
    "a class is none of the model's";
  need (model.name = "ordinal" || List.compare_length_with used model.classes = 0)
    "a class of the model has no row";
  for i = 0 to n_rows - 1 do
    let at name = (List.assoc name column).(i) in
    if model.name = "binomial" then
      need (C.Z.leb (at "successes") (at "trials") && at "trials" <> C.Z0)
        "more successes than trials, or no trials";
    if model.name = "bradley-terry" then
      need (at "winner" <> at "loser" && at "result" <> C.Z0 && C.Z.leb (at "result") unit)
        "an impossible contest";
    if List.mem_assoc "entry" column then
      need (is_below (at "entry") (at "time")) "an entry is not before its time"
  done

let check_size rows width =
  if rows > most_numbers || width > most_numbers || rows * width > most_numbers then
    raise (Cannot_tell "the comparisons of the model have too many numbers")

(* Of cox and conditional models: differences of those that meet. *)
let differences model xs column =
  let n = Array.length xs and have name = List.assoc_opt name column in
  let either first second = match have first with Some v -> v | None -> List.assoc second column in
  let all value = Array.make n value in
  let event = either "event" "case" in
  let time = Option.value (have "time") ~default:(all C.Z0) in
  let first = Array.fold_left (fun a b -> if is_below b a then b else a) time.(0) time in
  let before = C.Z.add first (Exact.z_of_int (-1)) in
  let entry = Option.value (have "entry") ~default:(all before) in
  let stratum = match have "set", have "stratum" with
    | Some v, _ | None, Some v -> v
    | None, None -> all C.Z0 in
  let sizes = Hashtbl.create 64 in
  Array.iteri (fun i s ->
      let members, events =
        match Hashtbl.find_opt sizes s with Some found -> found | None -> (0, 0) in
      Hashtbl.replace sizes s (members + 1, if event.(i) = C.Z0 then events else events + 1))
    stratum;
  let meetings = Hashtbl.fold (fun _ (members, events) k -> k + members * events + n) sizes 0 in
  if meetings > most_meetings then raise (Cannot_tell "the model has too many comparisons");
  let subjects = List.init n (fun i -> {
      C.place = Exact.z_of_int i; stratum = stratum.(i); entry = entry.(i); time = time.(i);
      is_event = event.(i) <> C.Z0; values = xs.(i) }) in
  let pairs = C.kept_pairs model.exact_ties subjects in
  check_size (List.length pairs) (List.length xs.(0) + 1);
  List.rev (List.rev_map C.pair_row pairs)

(* The rows, and whether their last number is that of a constant. *)
let comparisons model offset table =
  let n = Array.length table in
  let cut = Array.length table.(0) - List.length model.response in  (* not negative: see Data *)
  let column, unit_of_response =
    response_of model (Array.map (fun row -> Array.sub row cut (Array.length row - cut)) table) in
  check_response model column unit_of_response n;
  let design, unit = Exact.whole (Array.map (fun row -> Array.sub row 0 cut) table) in
  let constants = if offset && model.name = "multinomial" then [unit] else [] in
  let offset = offset && constants = [] in
  let xs = Array.map (fun row -> Array.to_list row @ constants) design in
  let last = if offset then unit else C.Z0 in
  let at name i = (List.assoc name column).(i) in
  let each make = Array.to_list (Array.mapi make xs) in
  let d = cut + List.length constants and c = model.classes in
  let classes () = List.init c Exact.z_of_int and reference = Exact.z_of_int model.reference in
  let rows = match model.name with
    | "logistic" -> each (fun i x -> C.trials_row last x (at "y" i) unit_of_response)
    | "binomial" -> each (fun i x -> C.trials_row last x (at "successes" i) (at "trials" i))
    | "poisson" -> each (fun i x -> C.poisson_row last x (at "y" i))
    | "multinomial" ->
        check_size (n * (c - 1)) ((c - 1) * d + 1);
        let all = classes () in
        List.concat (each (fun i x -> C.multinomial_rows all reference x (at "class" i)))
    | "bradley-terry" ->
        check_size n (c + d);
        let all = classes () in
        each (fun i x ->
            C.contest_row unit all reference x (at "winner" i) (at "loser" i)
              (at "result" i = unit_of_response))
    | "ordinal" ->
        check_size (2 * n) (min c n + d + 1);
        C.ordinal_table unit (Exact.z_of_int c) (each (fun i x -> (x, at "class" i)))
    | _ -> differences model xs column in
  need (rows <> [] && List.compare_length_with (List.hd rows).C.numbers 1 > 0)
    "there is nothing to compare";
  (rows, offset)
