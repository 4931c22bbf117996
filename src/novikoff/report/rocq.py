"""A claim as a theorem: a file of Rocq (Coq) that states the data, the status and its proof.

The file is complete: `Claim.v`, the theory of rows and claims with its proofs, then the rows as
integers, then the theorem. `coqc` accepts it without anything else of novikoff.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from novikoff.certificates import Claim
from novikoff.certificates.arithmetic import as_integers
from novikoff.certificates.comparisons import comparisons
from novikoff.certificates.model import parted
from novikoff.errors import InputError
from novikoff.files import write_whole
from novikoff.inputs import Table
from novikoff.inputs.csr import csr_over
from novikoff.wording import count

THEORY = Path(__file__).with_name("Claim.v")
MOST_NUMBERS = 100_000  # 5 s of coqc where they have two digits, 45 s where they have 16
MOST_WIDTH = 1_000  # numbers of a row: far longer lists overflow the stack of coqc
MOST_CHARACTERS = 4_000_000  # of all rows: some two minutes of coqc
ROWS_AT_ONCE = 200  # of one list, for the same reason
CLASSES = {1: "Positive", -1: "Negative", 0: "Equality"}
SAFE = re.compile(r"[^A-Za-z0-9 _.,:;+=/%<>-]")  # no quotes, brackets or stars within comments
MODULE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\.v")
STATUSES = {
    "separable": "separable",
    "quasi-separable": "quasi_separable",
    "overlapping": "overlapping",
    "infinite": "weakly_separable",
    "finite": "overlapping",
}


def check_name(path: str | os.PathLike[str]) -> None:
    """Raise InputError unless coqc takes a file of this name."""
    name = Path(path).name
    is_device = Path(path).exists() and not Path(path).is_file()
    if not MODULE.fullmatch(name) and not is_device:
        raise InputError(
            f"{name} is no name of a Rocq file: coqc wants letters, digits and _, and .v at the "
            "end; call it Proof.v."
        )


def write_rocq(
    path: str | os.PathLike[str], claim: Claim, table: Table, signs: np.ndarray | None, source: str
) -> None:
    """Write the claim, which holds of these rows, as a theorem about them.

    With a model, `table` is the design table with its response columns, and `signs` is None.
    """
    check_name(path)
    write_whole(path, rocq_text(claim, table, signs, source).encode())


def rocq_text(claim: Claim, table: Table, signs: np.ndarray | None, source: str) -> str:
    """The file: theory, data and theorem."""
    if not claim.witness.is_exact:
        raise InputError(
            "the proof of this verdict has no digits: it bounds what is left of a "
            "weighted sum of rows. A theorem of Rocq needs the exact sum, so no file was written; "
            "--proof, novikoff verify and checker.py do without."
        )
    of_rows = claim
    if claim.model is not None:
        made = comparisons(*parted(table, claim.model), claim.model, csr_over)
        of_rows, table, signs = claim.of_rows(made), made.table, made.signs
    assert signs is not None
    width = table.n_columns + of_rows.stamp.offset
    if table.n_rows * width > MOST_NUMBERS or width > MOST_WIDTH:
        raise InputError(
            f"{count(table.n_rows, 'row', ',')} of {count(width, 'number', ',')} are too many for "
            f"a theorem of Rocq; it takes at most {MOST_NUMBERS:,} numbers, and {MOST_WIDTH:,} in "
            "a row. Use --proof: novikoff-check and checker.py take such data."
        )
    whole, scale = table.integers(np.arange(table.n_rows))
    rows = [[*row, scale] if of_rows.stamp.offset else row for row in whole.tolist()]
    vectors = [_vector(row) for row in rows]
    n_characters = sum(map(len, vectors))
    if n_characters > MOST_CHARACTERS:
        raise InputError(
            f"the rows have {n_characters:,} characters as integers, and coqc takes at most "
            f"{MOST_CHARACTERS:,} in reasonable time; round the numbers, or use --proof."
        )
    parts = [
        THEORY.read_text(encoding="utf-8"),
        _heading(claim, table, scale, source),
        *_data(vectors, signs.tolist()),
        _claim(of_rows, width),
        _theorem(claim.status, width),
    ]
    return "\n".join(parts)


def _heading(claim: Claim, table: Table, scale: int, source: str) -> str:
    stamp, model = claim.stamp, claim.model
    names = ", ".join(table.column_name(j) for j in range(table.n_columns))
    names = f"{names[:900]} and more" if len(names) > 1_000 else names
    if model is None:
        has_constant = stamp.offset
        about = [
            f"The data: the rows of {_safe(source)}, {stamp.n_rows} in number, are {claim.status}.",
            f"[Positive] is the class {_safe(stamp.positive)}.",
            f"[Negative] is the class {_safe(stamp.negative)}.",
        ]
    else:
        has_constant = model.has_offset
        about = [
            f"The data: the comparisons that a model of kind {model.name} makes of the table",
            f"{_safe(source)} with the response {_safe(', '.join(model.response))}.",
            f"The estimate of the model is {claim.status}: along a direction that opposes none of",
            "its comparisons the likelihood never falls. novikoff has made the comparisons, and",
            "the theorem is about them.",
        ]
    about += [
        f"Columns: {_safe(names)}{', and the constant 1' * has_constant}.",
        f"Numbers: those of the data ({stamp.numbers}), each times {scale}.",
        "This factor makes all of them integers, and changes the sign of no score.",
        f"SHA-256 digest of the data, as in a proof file: {stamp.digest}",
    ]
    return "\n(** * The data, as integers\n\n    " + "\n    ".join(about) + " *)\n"


def _data(vectors: Sequence[str], signs: Sequence[int]) -> Iterator[str]:
    names = []
    for start in range(0, len(vectors), ROWS_AT_ONCE):
        part = range(start, min(start + ROWS_AT_ONCE, len(vectors)))
        listed = ";\n  ".join(f"Row {CLASSES[signs[i]]} {vectors[i]}" for i in part)
        names.append(f"rows_from_{start + 1}")
        yield f"Definition {names[-1]} : list row := [\n  {listed}].\n"
    yield f"Definition rows : list row := {' ++ '.join(names)}.\n"


def _claim(claim: Claim, width: int) -> str:
    witness = claim.witness
    weights = as_integers(claim.weights).tolist()[:width]
    pairs = sorted(zip(np.asarray(witness.rows).tolist(), witness.multipliers, strict=True))
    named = "; ".join(f"({i + 1}%positive, {m})" for i, m in pairs)
    return f"""(** * The proof: a direction, two counts, and multipliers of rows *)

Definition proof : claim := Claim
  {_vector(weights)}
  {claim.n_settled} {claim.n_core} {witness.denominator}
  [{named}].
"""


def _theorem(status: str, width: int) -> str:
    definition = STATUSES[status]
    return f"""(** * The theorem *)

Theorem the_claim_holds : holds {width} rows proof.
Proof. apply check_sound; vm_cast_no_check (eq_refl true). Qed.

Theorem the_data_is_{definition} : {definition} {width} rows.
Proof. apply ({definition}_if _ _ _ the_claim_holds); vm_compute; reflexivity. Qed.

Print Assumptions the_data_is_{definition}.
"""


def _vector(values: Sequence[int]) -> str:
    return f"[{'; '.join(map(str, values))}]"


def _safe(text: str | None) -> str:
    """Text from the data within a comment: what could end or spoil the comment is written \\u…."""
    return SAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", str(text)[:2_000])
