"""Which of many rows a picture draws, and the hull of all of them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

SIEVE_DIRECTIONS = 32
HULL_WITHOUT_SIEVE = 500  # points: the hull of these needs no sieve


def drawn_rows(n_rows: int, room: int, needed: np.ndarray) -> np.ndarray:
    """At most about `room` rows, evenly spaced, with all that are `needed`; sorted."""
    spaced = np.unique(np.linspace(0, n_rows - 1, min(n_rows, room)).astype(np.intp))
    return np.union1d(spaced, needed)


def thinned(rows: np.ndarray, most: int) -> np.ndarray:
    """At most `most` of the rows, evenly spaced among them."""
    return rows[drawn_rows(len(rows), most, np.empty(0, np.intp))] if len(rows) else rows


def hull(points: np.ndarray) -> np.ndarray:
    """The corners of the convex hull of points in the plane, in order (Andrew's chain)."""
    if len(points) > HULL_WITHOUT_SIEVE:
        points = _sieved(points)
    ordered = sorted(set(map(tuple, points.tolist())))
    if len(ordered) < 3:
        return np.array(ordered)

    def half(sequence: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
        chain: list[tuple[float, float]] = []
        for p in sequence:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return np.array(half(ordered) + half(reversed(ordered)))


def _sieved(points: np.ndarray) -> np.ndarray:
    """The points without those well inside the hull of the outermost in some directions."""
    angles = np.linspace(0, 2 * np.pi, SIEVE_DIRECTIONS, endpoint=False)
    outermost = {int((points @ (np.cos(a), np.sin(a))).argmax()) for a in angles}
    corners = hull(points[sorted(outermost)])
    if len(corners) < 3:
        return points
    inside = np.ones(len(points), dtype=bool)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        side = (b - a)[0] * (points[:, 1] - a[1]) - (b - a)[1] * (points[:, 0] - a[0])
        inside &= side > 1e-9 * np.abs(side).max()
    return np.asarray(points[~inside])


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
