"""Bradley-Terry without covariates: the graph of wins answers, and its proof is the common one.

A win is an arrow from the winner to the loser, a draw one each way. A win can be settled just when
no arrows lead back: winner and loser lie in different strong components. For δ take the place of
each component, counted from the end of an order in which arrows go forward only; it is the same
inside a component. There, walks from one player to every other along a tree of arrows, and back
along another, are closed, so the rows on them add up to zero; and a tree spans all rows inside.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from novikoff.regression.given import Given
from novikoff.search.complete import Pair

Arrow = tuple[int, int, int]  # from, to, and the contest


def graph_pair(given: Given) -> Pair:
    """The parts of a complete certificate, not yet checked; comparisons are the contests."""
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
    used: Counter[int] = Counter()
    for is_back in (False, True):
        for arrow, walks in _walks(arrows, part, n_players, is_back):
            start, _, place = arrows[arrow]
            used[place] += walks if start == winner[place] else -walks
    rows = sorted(place for place in used if is_win[place] and used[place])
    equalities = sorted(place for place in used if not is_win[place] and used[place])
    return Pair(
        [*weights, 0],
        rows,
        [used[place] for place in rows],
        equalities,
        [used[place] for place in equalities],
        np.flatnonzero(is_win & apart),
        np.flatnonzero(is_win & ~apart),
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
    arrows: list[Arrow], part: np.ndarray, n_players: int, is_back: bool
) -> list[tuple[int, int]]:
    """How many walks use each arrow, by place, of a tree from the first player of every component
    to all others of it, or, `is_back`, from them to it."""
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
    walks = [1] * n_players
    used = []
    for player, parent, place in reversed(found):  # children come after their parents
        used.append((place, walks[player]))
        walks[parent] += walks[player]
    return used
