"""RegressionProof: is the estimate of a regression finite, and which observations decide it?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from novikoff.certificates.arithmetic import as_integers
from novikoff.certificates.certificate import FORMAT, VERSION, Certificate
from novikoff.certificates.claim import Claim
from novikoff.certificates.comparisons import Comparisons, comparisons
from novikoff.certificates.derivation import Derivation
from novikoff.certificates.entries import MakeCsr
from novikoff.certificates.model import Model
from novikoff.certificates.stamp import LAYOUTS, Stamp
from novikoff.errors import CertificateError
from novikoff.inputs import Table, read_table

UNSAID = "0" * 64  # the comparisons have no digest: they are made again from the data
SIDES = ("-", "+")


@dataclass(frozen=True, eq=False, repr=False)
class RegressionProof(Certificate):
    """The claim about the comparisons that `model` makes of the data.

    The data is the design table with the response columns after it. Nothing settled: the estimate
    is finite. Else it is infinite, and finite on the core.
    """

    claim: Claim  # about the comparisons; weights and relations are of the model's coefficients
    model: Model
    stamp: Stamp  # of the data
    derivation: Derivation | None = None  # what makes the data out of a file
    kind = "regression"

    @property
    def status(self) -> Literal["finite", "infinite"]:
        return "infinite" if self.claim.n_settled else "finite"

    def check_comparisons(self, rows: Comparisons) -> np.ndarray:
        """Raise unless the claim is true of these comparisons; the places of the settled ones."""
        inner = self.claim.stamp
        if (rows.table.n_rows, rows.table.n_columns, rows.offset) != (
            inner.n_rows,
            inner.n_columns,
            inner.offset,
        ):
            raise CertificateError(
                f"the model makes {rows.table.n_rows} comparisons of {rows.table.n_columns} "
                f"coefficients; the proof speaks of {inner.n_rows} and {inner.n_columns}."
            )
        witness = self.claim.witness
        relations = [as_integers(rows.inward(one)).tolist() for one in witness.relations]
        scaled = replace(
            self.claim,
            weights=rows.inward(self.claim.weights),
            witness=replace(witness, relations=relations),
        )
        scaled.check(rows.table, rows.signs)
        return scaled.settled(rows.table, rows.signs)

    def verify(self, X: Any, y: Any = None) -> None:
        """Raise CertificateError unless X is the proof's data and the claim is true.

        X is the design table with the response columns after it; `y` has no meaning here.
        """
        if y is not None:
            raise CertificateError(
                "the data of a regression's proof is one table: the response columns are its last."
            )
        self.verify_table(read_table(X))

    def verify_table(self, table: Table, make_csr: MakeCsr | None = None) -> None:
        """The same for a table; `make_csr` as for `comparisons`."""
        self.stamp.check_size(table)
        self.stamp.check_data(table, np.ones(table.n_rows, dtype=np.int8))
        self.check_comparisons(comparisons(*parted(table, self.model), self.model, make_csr))

    def to_dict(self) -> dict[str, Any]:
        """The proof as the documented JSON object."""
        stamp, inner = self.stamp, self.claim.stamp
        return {
            "format": FORMAT,
            "version": VERSION,
            "kind": self.kind,
            "numbers": stamp.numbers,
            "model": self.model.to_dict(),
            "data": {
                "rows": stamp.n_rows,
                "columns": stamp.n_columns,
                "layout": stamp.layout,
                "digest": stamp.digest,
                **({} if stamp.reading is None else {"reading": stamp.reading.to_dict()}),
                **({} if self.derivation is None else {"derivation": self.derivation.to_dict()}),
            },
            "comparisons": inner.n_rows,
            "coefficients": inner.n_columns,
            **self.claim._claim(),
        }

    def __repr__(self) -> str:
        return (
            f"<RegressionProof of a {self.model.name} model, {self.claim.stamp.n_rows} "
            f"comparisons, {self.claim.n_settled} settled: {self.status}>"
        )


def stamp_of_comparisons(n_rows: int, n_columns: int, offset: bool) -> Stamp:
    """What the inner claim says of its rows."""
    return Stamp(
        n_rows, n_columns, "rational", offset, *SIDES, label=None, layout="dense", source=UNSAID
    )


def stamp_of_data(
    n_rows: int, n_columns: int, numbers: str, layout: str, source: Any, reading: Any
) -> Stamp:
    """What a proof says of the design table with its response columns."""
    return Stamp(
        n_rows, n_columns, numbers, False, *SIDES, label=None, layout=layout, source=source,
        reading=reading,
    )  # fmt: skip


def stamp_of_table(table: Table, reading: Any) -> Stamp:
    """The same, of a table at hand."""
    layout, signs = LAYOUTS[table.is_sparse], np.ones(table.n_rows, dtype=np.int8)
    return stamp_of_data(
        table.n_rows, table.n_columns, table.numbers, layout, lambda: (table, signs), reading
    )


def parted(table: Table, model: Model) -> tuple[Table | None, dict[str, list[Any]]]:
    """The design table, None where it has no columns, and the response columns by name."""
    width = table.n_columns - len(model.response)
    if width < 0:
        raise CertificateError(
            f"the data has {table.n_columns} columns; the response of the model alone needs "
            f"{len(model.response)}."
        )
    response: dict[str, list[Any]] = {}
    for j, name in enumerate(model.response, width):
        if table.exact is not None:
            response[name] = table.exact[:, j].tolist()
        else:
            column = table.matrix[:, [j]]
            values = column if isinstance(column, np.ndarray) else column.toarray()
            response[name] = values.ravel().astype(np.float64).tolist()
    if width == 0:
        return None, response
    exact = None if table.exact is None else table.exact[:, :width]
    matrix = table.matrix[:, :width]
    if isinstance(matrix, np.ndarray):
        matrix = np.ascontiguousarray(matrix)
    if exact is not None and all(
        value == rounded for value, rounded in zip(exact.flat, matrix.flat, strict=True)
    ):
        exact = None
    return Table(matrix, None, table.numbers, exact), response
