(** * What the theorems rest on

    For each theorem Rocq lists the axioms that its proof uses.  "Closed under the global context"
    means that there are none. *)

From Novikoff Require Import Claim Mistakes Perceptron Models.

Print Assumptions check_sound.
Print Assumptions overlapping_if.
Print Assumptions weakly_separable_if.
Print Assumptions quasi_separable_if.
Print Assumptions separable_if.
Print Assumptions check_obstruction_sound.
Print Assumptions not_separable_if.
Print Assumptions check_mistakes_sound.
Print Assumptions block_novikoff.
Print Assumptions never_converges.
Print Assumptions converges_iff_separable.
Print Assumptions through_origin_with_offset.
Print Assumptions offset_may_be_needed.
Print Assumptions kept_pairs_suffice.
