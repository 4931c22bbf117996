"""From what is given to a proof: comparisons, a search, and the check of what it found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from novikoff.certificates import Complete, RegressionProof, Stamp
from novikoff.certificates.arithmetic import as_integers
from novikoff.certificates.comparisons import NOTHING, Comparisons, comparisons
from novikoff.certificates.regression import stamp_of_comparisons, stamp_of_data, stamp_of_table
from novikoff.errors import CertificateError, InputError
from novikoff.io.data import csr_over
from novikoff.regression.contests import graph_pair
from novikoff.regression.given import Given
from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.search.complete import Pair, complete
from novikoff.search.signed_rows import SignedRows
from novikoff.search.threads import one_thread

WHY_NOTHING = {
    "conditional": "no set has a case beside others",
    "cox": "at no event is anybody else at risk",
}


@dataclass(frozen=True, eq=False)
class Decided:
    """The rows of the model and, where it was decided in time, the proof and what is settled."""

    rows: Comparisons
    proof: RegressionProof | None
    settled: np.ndarray | None  # places among the comparisons
    clock: Clock


def decide(given: Given, time_limit: float | None, seed: int) -> Decided:
    """Find the largest set of comparisons that a direction settles, and prove that it is."""
    clock = Clock(time_limit)
    rows = rows_of(given)
    z = SignedRows(rows.table, rows.signs, rows.offset)
    try:
        if given.model.name == "bradley-terry" and given.table is None:
            with clock.stage("strong components"):
                pair = graph_pair(given)
        else:
            with one_thread(z.dim):
                pair = complete(z, clock, np.random.default_rng(seed))
        clock.time_limit = None  # what is found is checked, however long that takes
        with clock.stage("exact check"):
            proof = _proof(given, rows, pair)
            settled = proof.check_comparisons(rows)
    except (OutOfTimeError, CertificateError):  # never a guess
        return Decided(rows, None, None, clock)
    return Decided(rows, proof, settled, clock)


def rows_of(given: Given) -> Comparisons:
    """The comparisons; InputError where there are none."""
    try:
        return comparisons(given.table, given.response, given.model, csr_over)
    except CertificateError as error:
        if not str(error).startswith(NOTHING):
            raise
        why = WHY_NOTHING.get(given.model.name, "there is one class only")
        raise InputError(f"{NOTHING}: {why}.") from None


def _proof(given: Given, rows: Comparisons, pair: Pair) -> RegressionProof:
    inner = stamp_of_comparisons(rows.table.n_rows, rows.table.n_columns, rows.offset)
    weights = as_integers(rows.outward(pair.weights))
    claim = Complete(
        tuple(weights.tolist()),
        pair.rows,
        tuple(pair.multipliers),
        pair.equalities,
        pair.factors,
        len(pair.settled),
        len(pair.core),
        inner,
    )
    return RegressionProof(claim, given.model, _stamp(given), given.derivation)


def _stamp(given: Given) -> Stamp:
    """The stamp of the data; a sparse table is copied for its digest, and only then."""
    table = given.table
    if table is None or not table.is_sparse:
        return stamp_of_table(given.whole(), given.reading)
    given.check_rounding()
    n_columns = table.n_columns + len(given.response)
    signs = np.ones(given.n_rows, dtype=np.int8)
    return stamp_of_data(
        given.n_rows, n_columns, table.numbers, "sparse", lambda: (given.whole(), signs),
        given.reading,
    )  # fmt: skip
