"""From what is given to a proof: comparisons, a search, and the check of what it found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from novikoff.certificates import Claim, Stamp
from novikoff.certificates.comparisons import NOTHING, Comparisons, comparisons
from novikoff.certificates.model import Model
from novikoff.errors import CertificateError, InputError
from novikoff.inputs.csr import csr_over
from novikoff.regression.model_data import ModelData
from novikoff.search.clock import TIME_ENDED, Clock, OutOfTimeError
from novikoff.search.decide import Findings, search
from novikoff.search.engine import Balanced
from novikoff.search.signed_rows import SignedRows
from novikoff.search.threads import one_thread
from novikoff.verdicts.single import claim_of
from novikoff.wording import first_few


@dataclass(frozen=True, eq=False)
class Decided:
    """The rows of the model and, where it was decided in time, the proof and what is settled."""

    rows: Comparisons
    proof: Claim | None
    settled: np.ndarray | None  # places among the comparisons
    clock: Clock
    why: str | None = None  # it is not decided


def decide(given: ModelData, time_limit: float | None, seed: int) -> Decided:
    """Find the largest set of comparisons that a direction settles, and prove that it is."""
    clock = Clock(time_limit)
    rows = rows_of(given)
    if given.table is not None:
        given.table.watch()
    if given.failures is not None and (why := _open(given, time_limit, seed)):
        return Decided(rows, None, None, clock, why)
    z = SignedRows(rows.table, rows.signs, rows.offset)
    try:
        findings = Findings()
        if given.model.name == "bradley-terry" and given.table is None:
            with clock.stage("strong components"):
                findings = _of_contests(given)
        else:
            search(z, clock, np.random.default_rng(seed), findings)
        clock.time_limit = None  # what is found is checked, however long that takes
        with clock.stage("exact check"), one_thread(z.dim):
            stamp = Stamp.of_rows(rows.table.n_rows, rows.table.n_columns, rows.offset)
            found = claim_of(findings, stamp, rows.table, rows.signs)
            settled = found.settled(rows.table, rows.signs)
            proof = found.of_model(rows, given.model, stamp_of(given))
    except OutOfTimeError:
        return Decided(rows, None, None, clock, f"{TIME_ENDED} after {clock.spent():.3g} s")
    except CertificateError as error:  # never a guess
        why = f"the proof that the search found does not pass its check: {error}".rstrip(".")
        return Decided(rows, None, None, clock, why)
    return Decided(rows, proof, settled, clock)


def _open(given: ModelData, time_limit: float | None, seed: int) -> str | None:
    """Why it is open whether any coefficients of a log-binomial model make the data possible.

    They must keep x·β <= 0 on every row, and < 0 where there is a failure. A constant does, and so
    does a column of one sign; else it is the question which rows -x·β >= 0 can be strict at once,
    that of a logistic model of failures. None where there are some; InputError where there are
    none.
    """
    table, n = given.table, given.n_rows
    if table is None or given.failures is None or given.model.constant:
        return None
    signs = table.signs_from
    if any((np.asarray(side.sum(axis=0)).ravel() == n).any() for side in (signs > 0, signs < 0)):
        return None
    model = Model("logistic", ("y",))
    asked = replace(given, response={"y": [0] * n}, model=model, failures=None)
    found = decide(asked, time_limit, seed)
    if found.settled is None:
        return found.why
    never = np.setdiff1d(np.flatnonzero(given.failures), found.settled)
    if len(never):
        few = first_few(given.numbers[never].tolist(), show=str)
        raise InputError(
            "the likelihood of the log-binomial model is zero whatever its coefficients, so there "
            "is no estimate: none keep every probability at most 1 and those of rows with a "
            f"failure ({few}) below 1; give the model a constant."
        )
    return None


def rows_of(given: ModelData) -> Comparisons:
    """The comparisons; InputError where there are none."""
    try:
        return comparisons(given.table, given.response, given.model, csr_over)
    except CertificateError as error:
        if not str(error).startswith(NOTHING):
            raise
        raise InputError(f"{NOTHING}: {given.kind.nothing}.") from None


def stamp_of(given: ModelData) -> Stamp:
    """The stamp of the data; a sparse table is copied for its digest, and only then."""
    table = given.table
    if table is None or not table.is_sparse:
        constant, ways = given.model.constant, (given.reading, given.derivation)
        return Stamp.of(given.whole(), None, constant, None, *ways)
    given.check_rounding()
    n_columns = table.n_columns + len(given.response)
    signs = np.ones(given.n_rows, dtype=np.int8)
    return Stamp(
        given.n_rows, n_columns, table.numbers, given.model.constant, None, None, None,
        lambda: (given.whole(), signs), given.reading, given.derivation,
    )  # fmt: skip


def _of_contests(given: ModelData) -> Findings:
    """Of Bradley-Terry without covariates the graph of wins answers: a claim, not yet checked.

    A win is an arrow from the winner to the loser, a draw one each way. A win can be settled just
    when no arrows lead back: winner and loser lie in different strong components. For δ take the
    number of each component, in an order in which arrows go one way only. Inside a component every
    win can be closed to a cycle: from the loser back to the first player of the component along one
    tree of arrows, and from there to the winner along another. The rows on a cycle add up to zero,
    so all wins with all those ways back balance.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    n_players, reference = given.model.classes, given.model.reference
    winner, loser = (np.array(given.response[part], dtype=np.intp) for part in ("winner", "loser"))
    is_win = np.array([result == 1 for result in given.response["result"]], dtype=bool)
    first = np.concatenate([winner, loser[~is_win]])
    second = np.concatenate([loser, winner[~is_win]])
    contest = np.concatenate([np.arange(len(winner)), np.flatnonzero(~is_win)])
    graph = csr_matrix((np.ones(len(first)), (first, second)), (n_players, n_players))
    part = connected_components(graph, connection="strong")[1].astype(np.int64)
    down = part[first] - part[second]  # components are found in the order of their arrows
    heights = (part - part[reference]) * (1 if down.max() > 0 else -1)
    weights = np.delete(heights, reference).tolist()
    inside, is_inside = down == 0, is_win & (part[winner] == part[loser])
    contests, starts = contest[inside], first[inside]
    used = np.zeros(len(winner), dtype=object)
    for ends, players in (((first, second), winner), ((second, first), loser)):
        demand = np.bincount(players[is_inside], minlength=n_players)
        for arrow, walks in _walks(ends[0][inside], ends[1][inside], part, demand):
            place = contests[arrow]
            used[place] += walks if starts[arrow] == winner[place] else -walks
    rows = np.flatnonzero(is_win & (used != 0)).tolist()
    equalities = np.flatnonzero(~is_win & (used != 0)).tolist()
    multipliers = [1 + used[k] for k in rows], [used[k] for k in equalities]
    return Findings(
        weights=[*weights, 0] if any(weights) else None,
        balanced=Balanced(rows, multipliers[0], equalities, multipliers[1]),
        is_done=True,
        how=["strong components"],
    )


def _walks(
    first: np.ndarray, second: np.ndarray, part: np.ndarray, demand: np.ndarray
) -> Iterator[tuple[int, int]]:
    """How many walks use each arrow, by place, of a tree from the first player of every component
    to all others of it: so many to each player as it demands."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import breadth_first_order

    n = len(demand)
    roots = np.unique(part, return_index=True)[1]
    ends = np.append(first, np.full(len(roots), n)), np.append(second, roots)
    tree = csr_matrix((np.ones(len(ends[0])), ends), (n + 1, n + 1))
    order, parent = breadth_first_order(tree, n)
    place = {pair: k for k, pair in enumerate(zip(first.tolist(), second.tolist(), strict=True))}
    walks = [*demand.tolist(), 0]
    for player in order[:0:-1].tolist():  # children come after their parents
        above = int(parent[player])
        walks[above] += walks[player]
        if above < n:
            yield place[above, player], walks[player]
