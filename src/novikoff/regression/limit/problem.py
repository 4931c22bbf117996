"""The log-likelihood of a model on its core, ready for Newton's steps.

In the limit a settled comparison is certain, and adds nothing. What is left of each model:

    logistic, binomial, poisson, bradley-terry   the rows of the core
    multinomial, conditional with one case       of each outcome, the others that it is not ahead of
    ordinal                                      of each outcome, the thresholds that stay near
    cox, conditional with several cases          the same model with finer strata, or sets: those
                                                 that comparisons of the core connect

For the last: along the direction that settles the most, an event is level with the j at risk that
still count, and a chain of comparisons of the core leads to each of them, since every pair is a sum
of the comparisons that the model keeps. Where tied events are exact, or a set has several cases,
every choice of as many members of a finer set is an alternative of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaln, xlogy

from novikoff.errors import InputError
from novikoff.regression.limit.core import Core, model_columns
from novikoff.regression.limit.likelihoods import (
    LINKS,
    Binary,
    Counts,
    Likelihood,
    of_choices,
    of_intervals,
    of_risk_sets,
    of_rows,
)
from novikoff.regression.limit.newton import Problem
from novikoff.regression.model_data import ModelData

MOST_CHOICES = 1_000_000  # alternatives of sets with several cases


def check_likelihood(given: ModelData) -> None:
    """InputError where the likelihood is not one that is computed here."""
    name, is_weighted, why = given.model.name, bool((given.weights != 1).any()), None
    if given.failures is not None:
        why = "the likelihood of a log-binomial model has an edge, where fitted probabilities are 1"
    elif given.link == "cauchit":
        why = (
            "the likelihood of a cauchit model is not concave, so a maximum may not be the only one"
        )
    elif given.dispersion is None:
        why = (
            "the dispersion of the negative binomial model is not given; ask for a poisson model, "
            "or give a GLM of statsmodels with family NegativeBinomial(alpha=…)"
        )
    elif name == "multinomial" and given.offset.any():
        why = "an offset of a multinomial model does not say which class it is for"
    elif is_weighted and name == "conditional":
        why = "weights of the members of a set have several meanings"
    elif is_weighted and name == "cox" and given.ties != "breslow":
        why = f"weights of a cox model with ties of kind {given.ties!r} have several meanings"
    if why is not None:
        raise InputError(f"limit() does not compute this model: {why}.")


def link_of(given: ModelData) -> Binary | Counts:
    """Of a model with one outcome a row, or with thresholds."""
    if given.model.name == "poisson":
        return Counts(given.dispersion or 0.0)
    return LINKS[given.link]


def outcomes_of(given: ModelData) -> tuple[np.ndarray, np.ndarray]:
    """Of a model with one outcome a row: the outcome, a share or a count, and its weight."""
    if given.model.name == "binomial":
        trials = given.floats("trials")
        return given.floats("successes") / trials, given.weights * trials
    return given.floats("result" if given.model.name == "bradley-terry" else "y"), given.weights


def constants_of(given: ModelData, core: Core) -> tuple[float, float | None]:
    """What of a log-likelihood no coefficient moves: what is added to the maximum on the core; and
    the saturated model's on the core, without what is added, None where there is none."""
    name, alpha = given.model.name, given.dispersion or 0.0
    if not given.kind.has_rows:
        return 0.0, None
    y, weights = outcomes_of(given)
    added = np.zeros(len(y))
    if name != "poisson":
        saturated = xlogy(y, y) + xlogy(1 - y, 1 - y)
    elif alpha:
        saturated = xlogy(y, y) - (y + 1 / alpha) * np.log1p(alpha * y)
        added = gammaln(y + 1 / alpha) - gammaln(1 / alpha) + y * np.log(alpha) - gammaln(y + 1)
    else:
        saturated = np.zeros(len(y))  # as the link has it
        added = xlogy(y, y) - y - gammaln(y + 1)
    if name == "binomial":
        trials = given.floats("trials")
        hits = y * trials
        ways = gammaln(trials + 1) - gammaln(hits + 1) - gammaln(trials - hits + 1)
        added = np.where(trials > 1, ways, 0.0)
    return float(given.weights @ added), float(weights[core.left] @ saturated[core.left])


def problem_of(given: ModelData, core: Core, pivots: list[int] | None = None) -> Problem:
    """The log-likelihood on the core, of the coefficients `pivots`; others are 0."""
    pivots = core.pivots if pivots is None else pivots
    name, rows, offset = given.model.name, core.rows, given.offset
    if name == "cox" or (name == "conditional" and Times.of(given).has_ties):
        return _of_sets(given, core, pivots)
    places = np.flatnonzero(core.is_core)
    places = places[np.argsort(rows.observation[places], kind="stable")]  # those of one together
    columns, made_by = model_columns(rows, places, pivots), rows.observation[places]
    if given.kind.has_rows:
        link, (y, weights) = link_of(given), (part[made_by] for part in outcomes_of(given))
        eta = link.start(y, weights)
        near = eta, weights * link.at(y, eta).bend
        return Problem.of(of_rows(link, y, weights), columns, offset[made_by], near)
    opponent = made_by if rows.opponent is None else rows.opponent[places]
    first, starts, outcome = np.unique(made_by, return_index=True, return_inverse=True)
    weights = given.weights[first]
    if name != "ordinal":
        shift = offset[made_by] - offset[opponent] if name == "conditional" else 0.0 * made_by
        return Problem.of(of_choices(starts, weights), columns, shift)
    classes = given.floats("class").astype(np.intp)
    is_above = opponent > classes[made_by]
    above, below = (np.full(len(first), -1) for _ in range(2))
    above[outcome[is_above]] = np.flatnonzero(is_above)
    below[outcome[~is_above]] = np.flatnonzero(~is_above)
    # Thresholds at the shares of the classes, and no slopes: every outcome is possible.
    n_classes, link = given.model.classes, LINKS[given.link]
    shares = np.cumsum(np.bincount(classes, minlength=n_classes)) / len(classes)
    cuts = link.start(shares, np.full(n_classes, float(len(classes))))
    shift = np.where(is_above, -1.0, 1.0) * offset[made_by]
    near = shift + np.where(is_above, cuts[opponent - 1], -cuts[opponent]), np.ones(len(places))
    return Problem.of(of_intervals(link, above, below, weights), columns, shift, near)


def finer_sets(given: ModelData, core: Core) -> np.ndarray:
    """For each observation of a Cox model, or of sets, a number of those that it is level with."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    n, rows = given.n_rows, core.rows
    opponent = rows.observation if rows.opponent is None else rows.opponent
    first, second = rows.observation[core.is_core], opponent[core.is_core]
    graph = coo_matrix((np.ones(len(first)), (first, second)), (n, n))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.intp)


class Times(NamedTuple):
    """Exit and entry as ranks, which are exact, which rows are events, and all strata.

    Matched sets are strata of one time.
    """

    exit: np.ndarray
    entry: np.ndarray
    is_event: np.ndarray
    stratum: np.ndarray

    @classmethod
    def of(cls, given: ModelData) -> Times:
        zeros = np.zeros(given.n_rows, dtype=np.intp)
        if given.model.name == "conditional":
            sets = given.floats("set").astype(np.intp)
            return cls(zeros, zeros - 1, given.floats("case") > 0, sets)
        exits, entries = given.response["time"], given.response.get("entry")
        rank = {time: k for k, time in enumerate(sorted({*exits, *(entries or ())}))}
        return cls(
            np.array([rank[time] for time in exits]),
            zeros - 1 if entries is None else np.array([rank[time] for time in entries]),
            given.floats("event") > 0,
            given.floats("stratum").astype(np.intp) if "stratum" in given.response else zeros,
        )

    @property
    def has_ties(self) -> bool:
        at = np.stack([self.stratum, self.exit])[:, self.is_event]
        return len(np.unique(at, axis=1).T) < len(at.T)


def _of_sets(given: ModelData, core: Core, pivots: list[int]) -> Problem:
    sets, times = finer_sets(given, core), Times.of(given)
    X = np.column_stack([given.design().dense_rows(slice(None))[:, pivots], given.offset])
    # What all of a set have in common moves no likelihood.
    X = X - X[np.unique(sets, return_index=True)[1]][sets]  # of numbers near each other it is exact
    sums = np.zeros((int(sets.max()) + 1, X.shape[1]))
    np.add.at(sums, sets, X)
    X = X - (sums / np.bincount(sets)[:, None])[sets]
    times = times._replace(stratum=_joined(times.stratum, sets))
    if given.model.name == "cox" and given.ties != "exact":
        likelihood = _risk_sets(times, given.ties == "efron", given.weights)
        return Problem.of(likelihood, X[:, :-1], X[:, -1])
    drawn = list(_drawn_at_events(times))
    total = sum(comb(len(members), len(cases)) for cases, members in drawn)
    if total > MOST_CHOICES:
        raise InputError(
            f"limit() does not compute this model: its sets have {total:,} choices of cases, more "
            f"than {MOST_CHOICES:,}; ties of kind 'efron' or 'breslow' need none."
        )
    Z: list[np.ndarray] = []
    starts: list[int] = []
    for cases, members in drawn:
        starts.append(len(Z))
        own = X[cases].sum(axis=0)
        for chosen in map(list, combinations(members.tolist(), len(cases))):
            if chosen != cases.tolist():
                Z.append(own - X[chosen].sum(axis=0))
    rows = np.array(Z).reshape(-1, X.shape[1])
    choices = of_choices(np.array(starts, dtype=np.intp), np.ones(len(starts)))
    return Problem.of(choices, rows[:, :-1], rows[:, -1])


def _members(sets: np.ndarray) -> list[np.ndarray]:
    order = np.argsort(sets, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(sets[order])) + 1)


def _joined(strata: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """A number for each pair of the two."""
    return np.unique(np.stack([strata, sets]), axis=1, return_inverse=True)[1].ravel()


def _drawn_at_events(times: Times) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """At each event time of each stratum, the events and those at risk, where they are more."""
    for members in _members(times.stratum):
        for time in np.unique(times.exit[members][times.is_event[members]]).tolist():
            at_risk = members[(times.exit[members] >= time) & (times.entry[members] < time)]
            cases = at_risk[times.is_event[at_risk] & (times.exit[at_risk] == time)]
            if len(cases) < len(at_risk):
                yield cases, at_risk


def _risk_sets(times: Times, is_efron: bool, weights: np.ndarray) -> Likelihood:
    from scipy.sparse import csr_matrix

    event, n = np.flatnonzero(times.is_event), len(weights)
    parts, holders = _at_risk(times, event)
    rows, columns, shares = [], [], []
    for tied in _members(_joined(times.stratum, times.exit)[event]) if is_efron else ():
        for k, place in enumerate(tied.tolist()):
            rows += [place] * len(tied)
            columns += event[tied].tolist()
            shares += [k / len(tied)] * len(tied)
    tied_shares = csr_matrix((np.array(shares, dtype=float), (rows, columns)), (len(event), n))
    tied_shares.eliminate_zeros()
    return of_risk_sets(event, parts, holders, times.stratum, tied_shares, weights)


def _at_risk(at: Times, event: np.ndarray) -> tuple[Any, Any]:
    """Parts by subjects, and events by parts, of a binary tree over the times of events.

    A subject is at risk at consecutive times of its stratum, which two nodes a level make up; an
    event's time lies below one node of each level.
    """
    from scipy.sparse import csr_matrix

    base = at.stratum * (int(at.exit.max()) + 2)  # entries are before exits, and may be -1
    times, leaf = np.unique((base + at.exit)[event], return_inverse=True)
    n, n_leaves = len(base), len(times)
    ends = base + at.entry, base + at.exit
    left, right = (n_leaves + np.searchsorted(times, end, "right") for end in ends)
    nodes, subjects = [], []
    while (left < right).any():
        for node, is_part in ((left, left % 2 == 1), (right - 1, right % 2 == 1)):
            who = np.flatnonzero((left < right) & is_part)
            nodes.append(node[who])
            subjects.append(who)
        left, right = (left + 1) // 2, right // 2
    rows, columns = np.concatenate(nodes), np.concatenate(subjects)
    parts = csr_matrix((np.ones(len(rows)), (rows, columns)), (2 * n_leaves, n))
    node = leaf.ravel() + n_leaves
    above = [node >> level for level in range(int(node.max()).bit_length())]
    where = np.concatenate(above)
    which = np.tile(np.arange(len(event)), len(above))[where > 0]
    where = where[where > 0]
    holders = csr_matrix((np.ones(len(where)), (which, where)), (len(event), 2 * n_leaves))
    return parts, holders
