"""Which coefficients of a model depend on earlier ones? The constant comes first.

Of most models this is asked of the comparisons. A multinomial model's coefficients depend on each
other just as the columns of the design table do, once for each class but the reference: if
Σ_k x·c_k = 0 over the comparisons x·(δ_y - δ_k) of every row, with c = 0 for the reference, then
x·c_y = 0, from the comparison with the reference, and with that x·c_k = 0 for every class. So the
design table is asked, where the constant can come first in every class.

Columns that are combinations of others but for rounding are noted. Of models that compare rows with
each other the differences are looked at, beside the size of the numbers that they are differences
of.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction

import numpy as np

from novikoff.certificates.comparisons import Comparisons
from novikoff.inputs import as_decimals, is_whole
from novikoff.regression.codes import listed
from novikoff.regression.decide import rows_of
from novikoff.regression.model_data import ModelData
from novikoff.search.clock import Clock
from novikoff.search.collinear import Relation, dependent_columns
from novikoff.verdicts.answer import CONSTANT
from novikoff.verdicts.collinear import combination
from novikoff.verdicts.nearly import MOST_DECIMALS, Nearly, column_sizes, in_words, nearly_collinear


class DependentCoefficients:
    """The coefficients, by place, that depend on earlier ones, and how; OutOfTimeError."""

    def __init__(self, given: ModelData, rows: Comparisons, clock: Clock) -> None:
        given.check_unchanged()
        table, offset, self._scale, n_blocks = rows.table, rows.offset, rows.scale, 1
        if given.model.name == "multinomial" and given.table is not None:
            table, offset, self._scale = given.table, given.model.constant, None
            n_blocks = given.model.classes - 1
        self._found = dependent_columns(table, offset, clock)
        self.offset = rows.table.n_columns  # its place, where comparisons have one
        starts = [k * (table.n_columns + offset) for k in range(n_blocks)]
        self._columns_of = {start + j: j for start in starts for j in self._found.columns}
        self.columns = sorted(self._columns_of)

    def is_known(self, place: int) -> bool:
        """Whether the relation has been worked out."""
        return self._columns_of[place] in self._found.known

    def relation(self, place: int) -> Relation:
        """Σ share·column over independent columns before this one, equal to it on every row."""
        column, scale = self._columns_of[place], self._scale
        relation = self._found.relation(column)
        if scale is not None:  # the table's columns are so many times those of the model
            last = Fraction(scale[column])
            relation = {j: share * Fraction(scale[j]) / last for j, share in relation.items()}
        return {place - column + j: share for j, share in relation.items()}


def why_dependent(given: ModelData, place: int, relation: dict[str, Fraction] | None) -> str | None:
    """How a coefficient depends on others, in the words of its model; None where it has none.

    Comparisons are no rows of X: what is zero in all of them may well not be zero.
    """
    if given.model.name == "bradley-terry" and place < given.model.classes - 1:
        return _never_met(given, place)
    if relation is None:
        return None
    named = f"column {given.coefficients()[place]!r}"
    if (within := given.kind.within) is not None:
        if relation:
            return f"{within[0]}, {named} is {combination(relation, None)}"
        if given.table is None or not abs(given.table.signs_from[:, [place]]).max():
            return f"{named} is zero on every row"
        return f"{named} does not vary {within[1]}"
    if given.model.name != "ordinal":
        return None
    thresholds = given.thresholds()  # a constant is what all of them have in common
    shares = {relation.get(one, Fraction(0)) for one in thresholds}
    if shares == {Fraction(0)} or len(shares) > 1:
        return None
    others = {key: share for key, share in relation.items() if key not in thresholds}
    if not others:
        return f"{named} is constant, the thresholds already have it"
    return f"{named} is {combination({CONSTANT: -shares.pop(), **others}, CONSTANT)}"


def _never_met(given: ModelData, place: int) -> str:
    """Players that no chain of contests joins with the reference."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    n = given.model.classes
    pairs = [np.array(given.response[part], dtype=np.intp) for part in ("winner", "loser")]
    graph = coo_matrix((np.ones(len(pairs[0])), pairs), (n, n))
    part = connected_components(graph, directed=False)[1]
    player = place + (place >= given.model.reference)
    mine = [label for k, label in enumerate(given.labels) if part[k] == part[player]]
    others = [label for k, label in enumerate(given.labels) if part[k] != part[player]]
    return f"{listed(mine)} never met {listed(others)}"


def rounding_notes(
    given: ModelData, rows: Comparisons, known: list[int], clock: Clock
) -> list[str]:
    """The notes about columns that depend on earlier ones but for rounding; OutOfTimeError.

    known : coefficients, by place, that depend exactly
    """
    table = given.table
    if table is None or table.has_changed or is_whole(table):
        return []
    within = given.kind.within
    compares = within is not None or given.model.name == "bradley-terry"  # other rows than X's
    if compares:
        names, ones = given.coefficients(), rows.table.n_columns
        scale = rows.scale or (1,) * ones
        sizes = np.append(np.ones(ones - table.n_columns), column_sizes(table))  # of players, 1
        sizes = sizes * np.array([float(share) for share in scale])
        found = [
            Nearly(j, {k: f * scale[k] / scale[j] for k, f in relation.items()})
            for j, relation in nearly_collinear(rows.table, False, sizes, known, clock)
        ]
    else:
        names, ones = [*given.design_names, given.constant_name], table.n_columns
        constant = given.model.constant or given.model.name == "ordinal"
        found = nearly_collinear(table, constant, None, given.design_columns(known), clock)
    if not found:
        return []
    exactly: Collection[int] | None = ()  # where floats are decimals; None: too many to tell
    if table.numbers == "binary64":
        exactly = None
        if table.n_rows * table.n_columns <= MOST_DECIMALS:
            other = replace(given, table=as_decimals(table))
            exactly = DependentCoefficients(other, rows_of(other), clock).columns
            exactly = exactly if compares else given.design_columns(exactly)
    where = "" if within is None else f"{within[0]}, "
    return in_words(found, names.__getitem__, ones, exactly, where)
