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

from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.regression.limit.core import Core, model_columns
from novikoff.regression.limit.likelihoods import Choices, Intervals, Likelihood, RiskSets, Rows
from novikoff.regression.limit.links import LINKS, Counts, Link
from novikoff.regression.limit.newton import Columns, Problem
from novikoff.regression.model_data import ModelData

ROW_MODELS = ("logistic", "binomial", "poisson", "bradley-terry")
MOST_CHOICES = 1_000_000  # alternatives of sets with several cases


def check_likelihood(given: ModelData) -> None:
    """InputError where the likelihood is not one that is computed here."""
    data, name = given.likelihood, given.model.name
    why = None
    if given.failures is not None:
        why = "the likelihood of a log-binomial model has an edge, where fitted probabilities are 1"
    elif data.link == "cauchit":
        why = (
            "the likelihood of a cauchit model is not concave, so a maximum may not be the only one"
        )
    elif data.dispersion is None:
        why = (
            "the dispersion of the negative binomial model is not given; ask for a poisson model, "
            "or give a GLM of statsmodels with family NegativeBinomial(alpha=…)"
        )
    elif name == "multinomial" and data.offset is not None:
        why = "an offset of a multinomial model does not say which class it is for"
    elif name in ("conditional", "cox") and _vary(data.weights) and data.ties != "breslow":
        why = f"weights of a {name} model with ties of kind {data.ties!r} have several meanings"
    elif name == "conditional" and _vary(data.weights):
        why = "weights of the members of a set have several meanings"
    if why is not None:
        raise InputError(f"limit() does not compute this model: {why}.")


def _vary(weights: np.ndarray | None) -> bool:
    return weights is not None and bool((weights != 1).any())


def link_of(given: ModelData) -> Link:
    """Of a model with one outcome a row, or with thresholds."""
    if given.model.name == "poisson":
        return Counts(given.likelihood.dispersion or 0.0)
    return LINKS[given.likelihood.link]


def outcomes_of(given: ModelData) -> tuple[np.ndarray, np.ndarray]:
    """Of a model with one outcome a row: the outcome, a share or a count, and its weight."""
    weights = _weights(given)
    names = {"poisson": "y", "logistic": "y", "bradley-terry": "result"}
    if given.model.name == "binomial":
        successes, trials = (_floats(given.response[part]) for part in ("successes", "trials"))
        return successes / trials, weights * trials
    return _floats(given.response[names[given.model.name]]), weights


def _floats(column: list[Any]) -> np.ndarray:
    return np.array([float(value) for value in column])


def _weights(given: ModelData) -> np.ndarray:
    found = given.likelihood.weights
    return np.ones(given.n_rows) if found is None else found


def _offset(given: ModelData) -> np.ndarray:
    found = given.likelihood.offset
    return np.zeros(given.n_rows) if found is None else found


def problem_of(given: ModelData, core: Core, pivots: list[int] | None = None) -> Problem:
    """The log-likelihood on the core, of the coefficients `pivots`; others are 0."""
    pivots = core.pivots if pivots is None else pivots
    name = given.model.name
    is_several = name == "conditional" and _most_cases(given) > 1
    if name == "cox" or is_several:
        return _of_sets(given, core, pivots)
    rows = core.rows
    places = np.flatnonzero(core.is_core)
    places = places[np.argsort(rows.observation[places], kind="stable")]  # those of one together
    columns = Columns.of(model_columns(rows, places, pivots))
    made_by = rows.observation[places]
    likelihood: Likelihood
    if name in ROW_MODELS:
        y, weights = outcomes_of(given)
        likelihood = Rows(link_of(given), y[made_by], weights[made_by])
        return Problem(likelihood, columns, _offset(given)[made_by])
    opponent = made_by if rows.opponent is None else rows.opponent[places]
    offset = _offset(given)
    first, starts = np.unique(made_by, return_index=True)
    if name == "ordinal":
        classes = np.array([int(k) for k in given.response["class"]])
        is_above = opponent > classes[made_by]
        outcome = np.searchsorted(first, made_by)
        above, below = (np.full(len(first), -1) for _ in range(2))
        above[outcome[is_above]] = np.flatnonzero(is_above)
        below[outcome[~is_above]] = np.flatnonzero(~is_above)
        # Thresholds at the shares of the classes, and no slopes: every outcome is possible.
        n_classes = given.model.classes
        shares = np.cumsum(np.bincount(classes, minlength=n_classes)) / len(classes)
        cuts = link_of(given).start(shares, np.full(n_classes, float(len(classes))))
        shift = np.where(is_above, -1.0, 1.0) * offset[made_by]
        near = shift + np.where(is_above, cuts[opponent - 1], -cuts[opponent])
        likelihood = Intervals(link_of(given), above, below, _weights(given)[first], near)
        return Problem(likelihood, columns, shift)
    likelihood = Choices(starts, _weights(given)[first])
    shift = np.zeros(len(places))
    if name == "conditional":
        shift = offset[made_by] - offset[opponent]
    return Problem(likelihood, columns, shift)


def _most_cases(given: ModelData) -> int:
    cases: dict[Any, int] = {}
    for case, group in zip(given.response["case"], given.response["set"], strict=True):
        cases[group] = cases.get(group, 0) + int(case)
    return max(cases.values(), default=0)


def finer_sets(given: ModelData, core: Core) -> np.ndarray:
    """For each observation of a Cox model, or of sets, a number of those that it is level with."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    n, rows = given.n_rows, core.rows
    opponent = rows.observation if rows.opponent is None else rows.opponent
    first, second = rows.observation[core.is_core], opponent[core.is_core]
    graph = coo_matrix((np.ones(len(first)), (first, second)), (n, n))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.intp)


def _of_sets(given: ModelData, core: Core, pivots: list[int]) -> Problem:
    X = given.design().dense_rows(slice(None))[:, pivots]
    sets, weights = finer_sets(given, core), _weights(given)
    X, offset = _centred(X, sets), _centred(_offset(given)[:, None], sets)[:, 0]
    if given.model.name == "cox" and given.likelihood.ties != "exact":
        return Problem(_risk_sets(given, sets, weights), Columns.of(X), offset)
    if given.model.name == "cox":
        drawn = _drawn_at_events(given, sets)
    else:
        cases = np.array([bool(case) for case in given.response["case"]])
        drawn = [
            (members[cases[members]], members)
            for members in _members(sets)
            if 0 < cases[members].sum() < len(members)
        ]
    total = sum(comb(len(members), len(cases)) for cases, members in drawn)
    if total > MOST_CHOICES:
        raise InputError(
            f"limit() does not compute this model: its sets have {total:,} choices of cases, more "
            f"than {MOST_CHOICES:,}; ties of kind 'efron' or 'breslow' need none."
        )
    Z: list[np.ndarray] = []
    shift: list[float] = []
    starts: list[int] = []
    for cases, members in drawn:
        starts.append(len(shift))
        own, mine = X[cases].sum(axis=0), offset[cases].sum()
        chosen = [np.array(c) for c in combinations(members.tolist(), len(cases))]
        chosen = [c for c in chosen if set(c.tolist()) != set(cases.tolist())]
        Z.append(np.array([own - X[c].sum(axis=0) for c in chosen]))
        shift += [mine - offset[c].sum() for c in chosen]
    matrix = np.vstack(Z) if Z else np.zeros((0, len(pivots)))
    likelihood = Choices(np.array(starts, dtype=np.intp), np.ones(len(starts)))
    return Problem(likelihood, Columns.of(matrix), np.array(shift))


def _centred(X: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """Without what all of a set have in common, which moves no likelihood."""
    first, sizes = np.unique(sets, return_index=True)[1], np.bincount(sets)[:, None]
    X = X - X[first][sets]  # of numbers near each other it is exact
    sums = np.zeros((len(sizes), X.shape[1]))
    np.add.at(sums, sets, X)
    return np.asarray(X - (sums / sizes)[sets])


def _members(sets: np.ndarray) -> list[np.ndarray]:
    order = np.argsort(sets, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(sets[order])) + 1)


def _times(given: ModelData) -> tuple[np.ndarray, np.ndarray, np.ndarray | None, np.ndarray]:
    """Exit and entry as ranks, which are exact, which rows are events, and all strata."""
    exits, entries = given.response["time"], given.response.get("entry")
    rank = {time: k for k, time in enumerate(sorted({*exits, *(entries or ())}))}
    at_exit = np.array([rank[time] for time in exits])
    at_entry = None if entries is None else np.array([rank[time] for time in entries])
    is_event = np.array([bool(event) for event in given.response["event"]])
    strata = np.array([int(s) for s in given.response.get("stratum", [0] * given.n_rows)])
    return at_exit, is_event, at_entry, strata


def _drawn_at_events(given: ModelData, sets: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """At each event time of each finer stratum, the events and those at risk."""
    at_exit, is_event, at_entry, strata = _times(given)
    drawn = []
    for members in _members(_joined(strata, sets)):
        for time in np.unique(at_exit[members][is_event[members]]).tolist():
            there = at_exit[members] >= time
            if at_entry is not None:
                there &= at_entry[members] < time
            at_risk = members[there]
            cases = at_risk[is_event[at_risk] & (at_exit[at_risk] == time)]
            if len(cases) < len(at_risk):
                drawn.append((cases, at_risk))
    return drawn


def _joined(strata: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """Sets within strata; comparisons never leave a stratum."""
    return np.unique(np.stack([strata, sets]), axis=1, return_inverse=True)[1].ravel()


def _risk_sets(given: ModelData, sets: np.ndarray, weights: np.ndarray) -> RiskSets:
    from scipy.sparse import csr_matrix

    at_exit, is_event, at_entry, strata = _times(given)
    finer, n = _joined(strata, sets), given.n_rows
    event = np.flatnonzero(is_event)
    parts, holders = _at_risk(finer, at_exit, at_entry, event)
    rows, columns, shares = [], [], []
    if given.likelihood.ties == "efron":
        order = np.lexsort((at_exit[event], finer[event]))
        keys = np.stack([finer[event], at_exit[event]])[:, order]
        cuts = np.flatnonzero((np.diff(keys, axis=1) != 0).any(axis=0)) + 1
        for tied in np.split(order, cuts):
            for k, place in enumerate(tied.tolist() if len(tied) > 1 else ()):
                if k:
                    rows += [place] * len(tied)
                    columns += event[tied].tolist()
                    shares += [k / len(tied)] * len(tied)
    tied_shares = csr_matrix((np.array(shares, dtype=float), (rows, columns)), (len(event), n))
    return RiskSets(event, parts, holders, finer, tied_shares, weights)


def _at_risk(
    finer: np.ndarray, at_exit: np.ndarray, at_entry: np.ndarray | None, event: np.ndarray
) -> tuple[Any, Any]:
    """Parts by subjects, and events by parts, of a binary tree over the times of events.

    A subject is at risk at consecutive times of its stratum, which two nodes a level make up; an
    event's time lies below one node of each level.
    """
    from scipy.sparse import csr_matrix

    base = finer * (int(at_exit.max()) + 2)  # entries are before exits
    times, leaf = np.unique((base + at_exit)[event], return_inverse=True)
    n, n_leaves = len(finer), len(times)
    before = base - 1 if at_entry is None else base + at_entry
    left, right = (n_leaves + np.searchsorted(times, t, "right") for t in (before, base + at_exit))
    nodes, subjects, every = [], [], np.arange(n)
    while (left < right).any():
        is_in = left < right
        for is_part, node in (
            (is_in & (left % 2 == 1), left),
            (is_in & (right % 2 == 1), right - 1),
        ):
            nodes.append(node[is_part])
            subjects.append(every[is_part])
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
