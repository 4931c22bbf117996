"""Bradley-Terry without covariates: the graph of wins answers, and its proof is the common one.

A win is an arrow from the winner to the loser, a draw one each way. A win can be settled just when
no arrows lead back: winner and loser lie in different strong components. For δ take the number of
each component, in an order in which arrows go one way only; it is the same inside a component.
There every win can be closed to a cycle: from the loser back to the first player of the component
along one tree of arrows, and from there to the winner along another. The rows on a cycle add up to
zero, so all wins with all those ways back balance.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from novikoff.regression.model_data import ModelData
from novikoff.search.decide import Findings
from novikoff.search.engine import Balanced


def graph_findings(given: ModelData) -> Findings:
    """The parts of a claim, not yet checked; comparisons are the contests."""
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
    return Findings(
        weights=[*weights, 0] if any(weights) else None,
        balanced=Balanced(
            rows, [1 + used[k] for k in rows], equalities, [used[k] for k in equalities]
        ),
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
