(** * The checks as a program

    Rocq writes the checks of Claim.v and Mistakes.v, and the rows of Models.v, as OCaml, with the
    numbers of its own library:
    sequences of bits, whose sums and products are proven correct too.  The program in native/ reads
    the files and calls these functions; docs/rocq.md says what is proven and what is trusted. *)

From Coq Require Import ZArith Extraction ExtrOcamlBasic.
From Novikoff Require Import Claim Mistakes Models.

Extraction Language OCaml.
Extraction "checked.ml"
  Claim.check Mistakes.check_obstruction Mistakes.check_mistakes Mistakes.table
  Models.trials_row Models.poisson_row Models.multinomial_rows Models.contest_row
  Models.ordinal_table Models.kept_pairs Models.pair_row
  Z.add Z.mul Z.opp Z.gcd Z.div_eucl Z.eqb Z.leb.
