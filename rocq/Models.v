(** * The rows of every regression

    A regression's estimate is finite just when no direction moves its likelihood without end, and
    what a direction must not oppose are rows: comparisons that the model makes of its table.  Here
    these rows are defined.  A table has the numbers x of each observation, as integers: all are
    times one positive number, [unit].  Its response is integers too.

    Every row ends in one more number, that of the constant: [unit] in a model with an offset, and
    else 0.  A multinomial model has a constant for each class: there x ends in [unit]. *)

From Coq Require Import ZArith List Bool Lia.
From Novikoff Require Import Claim.
Import ListNotations.
Open Scope Z_scope.

(** ** One row for each observation *)

(** Of all trials successes: x·δ >= 0.  None: -x·δ >= 0.  Some: x·δ = 0.  A logistic model has one
    trial. *)
Definition trials_row (last : Z) (x : vector) (successes trials : Z) : row :=
  Row (if successes =? 0 then Negative else if successes =? trials then Positive else Equality)
      (x ++ [last]).

(** A count of zero: -x·δ >= 0.  Any other: x·δ = 0. *)
Definition poisson_row (last : Z) (x : vector) (y : Z) : row :=
  Row (if y =? 0 then Negative else Equality) (x ++ [last]).

(** ** Classes and players, counted from 0 *)

(** n numbers, from k on. *)
Fixpoint numbers_from (k : Z) (n : nat) : list Z :=
  match n with O => [] | S n => k :: numbers_from (k + 1) n end.

Definition others (all : list Z) (one : Z) : list Z := filter (fun k => negb (k =? one)) all.

(** 1 for the one, -1 for the other, 0 for the rest. *)
Definition between (one other k : Z) : Z :=
  (if k =? one then 1 else 0) - (if k =? other then 1 else 0).

(** x·(δ_y - δ_k) >= 0 for each class k but y.  The reference has no columns. *)
Definition multinomial_rows (classes : list Z) (reference : Z) (x : vector) (y : Z) : list row :=
  map (fun k =>
         let block b := map (Z.mul (between y k b)) x in
         Row Positive (flat_map block (others classes reference) ++ [0]))
      (others classes y).

(** δ_winner - δ_loser + x·β >= 0, or = 0 where both won a share. *)
Definition contest_row (unit : Z) (players : list Z) (reference : Z)
    (x : vector) (winner loser : Z) (is_won : bool) : row :=
  Row (if is_won then Positive else Equality)
      (map (fun b => unit * between winner loser b) (others players reference) ++ x ++ [0]).

(** x·δ - a >= 0 for the threshold a below the class of x, and a - x·δ >= 0 for that above.
    Thresholds come first: [column] tells which of the n has the threshold above a class. *)
Definition ordinal_rows (unit : Z) (classes : Z) (n : nat) (column : Z -> Z)
    (x : vector) (y : Z) : list row :=
  let one_row (side a : Z) :=
    Row Positive (map (fun c => if c =? a then - (side * unit) else 0) (numbers_from 0 n)
                  ++ map (Z.mul side) x ++ [0]) in
  (if 0 <? y then [one_row 1 (column (y - 1))] else []) ++
  (if y <? classes - 1 then [one_row (-1) (column y)] else []).

(** The classes between the first and the last that some observation has.  Around a class that none
    has, the thresholds are one. *)
Definition inner_classes (classes : Z) (ys : list Z) : list Z :=
  nodup Z.eq_dec (filter (fun y => (0 <? y) && (y <? classes - 1)) ys).

Definition threshold_above (inner : list Z) (class : Z) : Z :=
  Z.of_nat (length (filter (fun c => c <=? class) inner)).

Definition ordinal_table (unit classes : Z) (table : list (vector * Z)) : list row :=
  let inner := inner_classes classes (map snd table) in
  flat_map (fun xy => ordinal_rows unit classes (S (length inner)) (threshold_above inner)
                                   (fst xy) (snd xy)) table.

(** ** Times, strata and sets

    A subject is at risk after its entry, until its time; there it has an event, or is censored.
    The cases of a matched set are events, all sets have one time, and ties are exact. *)

Record subject := Subject {
  place : Z; stratum : Z; entry : Z; time : Z; is_event : bool; values : vector }.

Definition at_risk (t : Z) (j : subject) : bool := (entry j <? t) && (t <=? time j).
Definition event_at (t : Z) (j : subject) : bool := is_event j && (time j =? t).

Record pair := Pair { winner : subject; loser : subject; is_equal : bool }.

(** An event i, at its time, beats all that are at risk then: x_i·δ >= x_j·δ.  Events of one time
    are equal, or, if ties are exact, not compared. *)
Definition meet (exact : bool) (i j : subject) : list pair :=
  if event_at (time i) j
  then if exact || (place j =? place i) then [] else [Pair i j true]
  else [Pair i j false].

Definition all_pairs (exact : bool) (subjects : list subject) : list pair :=
  flat_map (fun i =>
      flat_map (meet exact i)
               (filter (fun j => (stratum j =? stratum i) && at_risk (time i) j) subjects))
    (filter is_event subjects).

(** Most of these follow from others, and a proof is about those that are kept. *)

Fixpoint insert (t : Z) (ts : list Z) : list Z :=
  match ts with
  | [] => [t]
  | u :: rest => if t <? u then t :: ts else if t =? u then ts else u :: insert t rest
  end.

(** Each number once, in ascending order. *)
Definition ascending (ts : list Z) : list Z := fold_left (fun found t => insert t found) ts [].

(** Of the events at one time one leads: that whose first event time at risk is the earliest. *)
Definition waits (times : list Z) (j : subject) : Z :=
  Z.of_nat (length (filter (fun t => t <=? entry j) times)).

Definition leader (times : list Z) (tied : list subject) : option subject :=
  match tied with
  | [] => None
  | i :: rest =>
      Some (fst (fold_left (fun best j =>
                    let w := waits times j in if w <? snd best then (j, w) else best)
                 rest (i, waits times i)))
  end.

Definition leaders (members : list subject) : list subject :=
  let times := ascending (map time (filter is_event members)) in
  flat_map (fun t => match leader times (filter (event_at t) members) with
                     | Some i => [i]
                     | None => []
                     end) times.

(** Whether j must be compared at a time whose next lead at risk is u. *)
Definition is_near (u : option subject) (j : subject) : bool :=
  match u with
  | None => true
  | Some u => (time j <? time u) || event_at (time u) j
  end.

(** At the time of each lead: with exact ties all events of that time, and else the lead alone, are
    compared with those at risk that no later lead speaks for. *)
Fixpoint kept_in (exact : bool) (members : list subject) (leads : list subject) : list pair :=
  match leads with
  | [] => []
  | lead :: later =>
      let u := find (fun m => entry m <? time lead) later in
      let compared := filter (fun j => at_risk (time lead) j && is_near u j) members in
      let makers := if exact then filter (event_at (time lead)) members else [lead] in
      flat_map (fun i => flat_map (meet exact i) compared) makers ++ kept_in exact members later
  end.

Definition kept_pairs (exact : bool) (subjects : list subject) : list pair :=
  flat_map (fun s =>
      let members := filter (fun j => stratum j =? s) subjects in
      kept_in exact members (leaders members))
    (ascending (map stratum subjects)).

Fixpoint minus (a b : vector) : vector :=
  match a, b with x :: a, y :: b => x - y :: minus a b | _, _ => [] end.

Definition pair_row (p : pair) : row :=
  Row (if is_equal p then Equality else Positive)
      (minus (values (winner p)) (values (loser p)) ++ [0]).
