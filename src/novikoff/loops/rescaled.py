"""The rescaled perceptron: for margins so small that the plain one would need years.

The perceptron runs on the rows Z·T, each of length 1. When a batch of mistakes has not
finished, their counts confine every separator to an ellipsoid; T squeezes space along the
directions that it excludes, and the perceptron starts again on the rows seen through the new T.
O(D·log 1/ρ) rescalings are enough for a margin ρ. Where no separator exists it does not end by
itself, so rescalings are limited. After Dunagan & Vempala (2004) and Dadush, Végh & Zambelli
(2016).
"""

from __future__ import annotations

import math

import numpy as np

from novikoff.loops.counting import counting_pass
from novikoff.loops.rows import Dense

LEAST_VOLUME_GAIN = math.log(16 / 9)  # of the volume that one rescaling must exclude
LEAST_CLEARANCE = (
    2.0**-40
)  # of ‖w‖: a row seen must be so far on its side, for rounding not to undo it


def seen_through(rows, transform):
    """The rows times `transform`, each of length 1 (zero rows stay zero)."""
    seen = rows @ transform
    norms = np.sqrt(np.einsum("ij,ij->i", seen, seen))
    return seen / np.where(norms > 0.0, norms, 1.0)[:, None]


def rescaling(seen, counts, w):
    """A matrix that shrinks what the counts exclude, or None if they exclude too little.

    With λ = counts/M, ε = ‖w‖/M and C = Σ λ_i·max(1, λ_i/ε)·z_i·z_iᵀ, every unit w with
    z_i·w >= 0 on all rows has wᵀ(I + tC)w <= 1 + tε for each t > 0; the best t is searched.
    """
    total = counts.sum()
    touched = np.flatnonzero(counts)
    share = counts[touched] / total
    epsilon = float(np.linalg.norm(w)) / total
    if epsilon == 0.0:
        return None
    weight = share * np.maximum(1.0, share / epsilon)
    spread = (seen[touched] * weight[:, None]).T @ seen[touched]
    values, vectors = np.linalg.eigh(spread)
    values = np.maximum(values, 0.0)
    best, best_gain = 0.0, LEAST_VOLUME_GAIN
    for t in np.geomspace(1e-3, 1e9, 121):
        gain = np.log1p(t * values).sum() - len(values) * math.log1p(t * epsilon)
        if gain > best_gain:
            best, best_gain = t, gain
    if best == 0.0:
        return None
    stretch = np.sqrt((1.0 + best * epsilon) / (1.0 + best * values))
    return (vectors * stretch) @ vectors.T


def until_rescaled(rows, steps, transform, batch, max_mistakes):
    """The perceptron on signed rows seen through `transform`, until it is clean, has made about
    `max_mistakes`, or can rescale; returns (w, mistakes, clean, the next transform or None).
    """
    n, dim = rows.shape
    order, n_mistakes, work = np.arange(n), 0, 0.0
    seen = seen_through(rows, transform)
    w, counts = np.zeros(dim + 1), np.zeros(n)
    goal = batch
    while True:
        work += n * dim
        made = counting_pass.for_work(work)(Dense(seen, 0.0), steps, order, w, counts, goal)
        n_mistakes += made
        if made == 0:
            close = np.flatnonzero(seen @ w[:-1] <= LEAST_CLEARANCE * np.linalg.norm(w))
            if not len(close):
                return w[:-1], n_mistakes, True, None
            w[:-1] += steps[close] @ seen[close]
            counts[close] += 1
            n_mistakes += len(close)
        if n_mistakes >= max_mistakes:
            return w[:-1], n_mistakes, False, None
        if counts.sum() >= goal:
            squeeze = rescaling(seen, counts * steps, w[:-1])
            if squeeze is not None:
                break
            goal = 2 * goal
    squeezed = transform @ squeeze
    return w[:-1], n_mistakes, False, squeezed / np.linalg.norm(squeezed, 2)
