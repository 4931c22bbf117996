"""Bradley-Terry without covariates: the graph of wins answers, and its proof is the common one.

A win is an arrow from the winner to the loser, a draw one each way. A win can be settled just when
no arrows lead back: winner and loser lie in different strong components. For δ take the place of
each component, counted from the end of an order in which arrows go forward only; it is the same
inside a component. There every win can be closed to a cycle: from the loser back to the first
player of the component along one tree of arrows, and from there to the winner along another. The
rows on a cycle add up to zero, so all wins with all those ways back balance.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from novikoff.regression.model_data import ModelData
from novikoff.search.decide import Findings
from novikoff.search.engine import Balanced

Arrow = tuple[int, int, int]  # from, to, and the contest


def graph_findings(given: ModelData) -> Findings:
    """The parts of a claim, not yet checked; comparisons are the contests."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    n_players = given.model.classes
    winner, loser = (np.array(given.response[part], dtype=np.int64) for part in ("winner", "loser"))
    is_win = np.array([result == 1 for result in given.response["result"]], dtype=bool)
    first = np.concatenate([winner, loser[~is_win]])
    second = np.concatenate([loser, winner[~is_win]])
    contest = np.concatenate([np.arange(len(winner)), np.flatnonzero(~is_win)])
    graph = csr_matrix((np.ones(len(first)), (first, second)), (n_players, n_players))
    n_parts, part = connected_components(graph, connection="strong")
    apart = part[winner] != part[loser]
    heights = _heights(part[first], part[second], n_parts)[part]
    heights = heights - heights[given.model.reference]
    weights = [int(h) for k, h in enumerate(heights.tolist()) if k != given.model.reference]
    inside = part[first] == part[second]
    arrows = list(zip(first[inside].tolist(), second[inside].tolist(),
                      contest[inside].tolist(), strict=True))  # fmt: skip
    inside_wins = is_win & ~apart
    used: Counter[int] = Counter()
    for is_back, player in ((False, winner), (True, loser)):
        demand = np.bincount(player[inside_wins], minlength=n_players).tolist()
        for arrow, walks in _walks(arrows, part, demand, is_back):
            start, _, place = arrows[arrow]
            used[place] += walks if start == winner[place] else -walks
    rows = sorted(place for place in used if is_win[place] and used[place])
    equalities = sorted(place for place in used if not is_win[place] and used[place])
    return Findings(
        weights=[*weights, 0] if any(weights) else None,
        balanced=Balanced(
            rows,
            [1 + used[place] for place in rows],
            equalities,
            [used[place] for place in equalities],
        ),
        is_done=True,
        how=["strong components"],
    )


def _heights(first: np.ndarray, second: np.ndarray, n_parts: int) -> np.ndarray:
    """A number for each component, larger before every arrow between two than after it."""
    pairs = np.unique(np.stack([first, second])[:, first != second], axis=1)
    after: list[list[int]] = [[] for _ in range(n_parts)]
    n_before = np.zeros(n_parts, dtype=np.int64)
    for a, b in pairs.T.tolist():
        after[a].append(b)
        n_before[b] += 1
    ready = np.flatnonzero(n_before == 0).tolist()
    heights = np.zeros(n_parts, dtype=np.int64)
    left = n_parts
    while ready:
        one = ready.pop()
        heights[one] = left
        left -= 1
        for other in after[one]:
            n_before[other] -= 1
            if n_before[other] == 0:
                ready.append(other)
    return heights


def _walks(
    arrows: list[Arrow], part: np.ndarray, demand: list[int], is_back: bool
) -> list[tuple[int, int]]:
    """How many walks use each arrow, by place, of a tree from the first player of every component
    to all others of it, or, `is_back`, from them to it: so many to each player as it demands."""
    n_players = len(demand)
    leaving: list[list[tuple[int, int]]] = [[] for _ in range(n_players)]
    for place, (a, b, _) in enumerate(arrows):
        (leaving[b] if is_back else leaving[a]).append((a if is_back else b, place))
    roots = np.unique(part, return_index=True)[1].tolist()
    reached = np.zeros(n_players, dtype=bool)
    found: list[tuple[int, int, int]] = []  # player, its parent, and the arrow between them
    for root in roots:
        reached[root] = True
        queue = [root]
        for player in queue:
            for other, place in leaving[player]:
                if not reached[other]:
                    reached[other] = True
                    queue.append(other)
                    found.append((other, player, place))
    walks = list(demand)
    used = []
    for player, parent, place in reversed(found):  # children come after their parents
        used.append((place, walks[player]))
        walks[parent] += walks[player]
    return used
