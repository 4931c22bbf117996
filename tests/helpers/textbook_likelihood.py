"""Log-likelihoods of every model straight from the textbook, with products and sums over all
members of every set; nothing of them is shared with the library. And their suprema, by a general
optimiser that is let out farther and farther."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_expit, xlogy


def log_likelihood(fit, beta):
    """Of the coefficients in the order of `fit.coefficients`, without factorials; of counts less
    that of the saturated model."""
    given, model = fit.given, fit.given.model
    X = np.zeros((given.n_rows, 0))
    if given.table is not None:
        X = given.table.dense_rows(slice(None))
    if model.constant:
        X = np.hstack([X, np.ones((len(X), 1))])
    r = {name: np.array([float(v) for v in column]) for name, column in given.response.items()}
    return _OF[model.name](given, X, r, np.asarray(beta, dtype=float))


def _binary(_given, X, r, beta):
    y, n = (r["y"], 1.0) if "y" in r else (r["successes"], r["trials"])
    eta = X @ beta
    return float(np.sum(y * log_expit(eta) + (n - y) * log_expit(-eta)))


def _poisson(_given, X, r, beta):
    with np.errstate(over="ignore"):
        eta, y = X @ beta, r["y"]
        return float(np.sum(y * eta - np.exp(eta) - xlogy(y, y) + y))


def _multinomial(given, X, r, beta):
    K, ref = given.model.classes, given.model.reference
    B = np.insert(beta.reshape(K - 1, X.shape[1]), ref, 0.0, axis=0)
    scores = X @ B.T
    own = scores[np.arange(len(X)), r["class"].astype(int)]
    return float(np.sum(own - np.logaddexp.reduce(scores, axis=1)))


def _ordinal(given, X, r, beta):
    K = given.model.classes
    cuts = np.concatenate([[-np.inf], beta[: K - 1], [np.inf]])
    eta = X @ beta[K - 1 :]
    k = r["class"].astype(int)
    high, low = cuts[k + 1] - eta, cuts[k] - eta
    # F(high) - F(low) = F(high)·F(-low)·(1 - exp(low - high))
    gap = low - high
    if (gap >= 0).any():
        return -np.inf
    return float(np.sum(log_expit(high) + log_expit(-low) + np.log(-np.expm1(gap))))


def _subsets(eta, cases, members):
    sums = [sum(eta[j] for j in chosen) for chosen in combinations(members, len(cases))]
    return sum(eta[j] for j in cases) - np.logaddexp.reduce(sums)


def _conditional(_given, X, r, beta):
    eta, total = X @ beta, 0.0
    for group in np.unique(r["set"]):
        members = np.flatnonzero(r["set"] == group)
        total += _subsets(eta, [j for j in members if r["case"][j]], members)
    return float(total)


def _cox(given, X, r, beta):
    eta, total, n = X @ beta, 0.0, len(X)
    entry, stratum = r.get("entry", np.full(n, -np.inf)), r.get("stratum", np.zeros(n))
    events = np.flatnonzero(r["event"] == 1)
    for time, group in sorted({(r["time"][i], stratum[i]) for i in events}):
        risk = np.flatnonzero((entry < time) & (r["time"] >= time) & (stratum == group))
        tied = [i for i in risk if r["event"][i] and r["time"][i] == time]
        if given.ties == "exact":
            total += _subsets(eta, tied, risk)
            continue
        with np.errstate(over="ignore"):
            odds = np.exp(eta - eta[risk].max())
        for k, i in enumerate(tied):
            gone = k / len(tied) if given.ties == "efron" else 0.0
            at_risk = odds[risk].sum() - gone * odds[tied].sum()
            with np.errstate(divide="ignore"):
                total += eta[i] - eta[risk].max() - np.log(at_risk)
    return float(total)


def _contests(given, X, r, beta):
    n = given.model.classes
    skill = np.insert(beta[: n - 1], given.model.reference, 0.0)
    ahead = skill[r["winner"].astype(int)] - skill[r["loser"].astype(int)] + X @ beta[n - 1 :]
    return float(np.sum(r["result"] * log_expit(ahead) + (1 - r["result"]) * log_expit(-ahead)))


_OF = {
    "logistic": _binary, "binomial": _binary, "poisson": _poisson, "multinomial": _multinomial,
    "ordinal": _ordinal, "conditional": _conditional, "cox": _cox, "bradley-terry": _contests,
}  # fmt: skip


def supremum(fit, hold=None, bound=40.0, left_out=()):
    """The largest log-likelihood with no coefficient beyond ±bound, perhaps where c·β = b.

    hold : (c, b)
    left_out : places of coefficients that are 0
    """
    width = len(fit.coefficients)
    start = np.zeros(width)
    if fit.given.model.name == "ordinal":
        n = len(fit.given.thresholds())
        start[:n] = np.arange(n) - n / 2
    origin, basis = np.zeros(width), np.eye(width)
    if hold is not None:
        c, b = np.asarray(hold[0], dtype=float), hold[1]
        held = np.vstack([c, np.eye(width)[list(left_out)]])
        basis = np.linalg.svd(held)[2][len(held) :].T
        origin = c * b / (c @ c)
        start = basis.T @ start

    def minus(t):
        value = log_likelihood(fit, origin + basis @ t)
        return 1e6 if not np.isfinite(value) else -value

    if basis.shape[1] == 0:
        return log_likelihood(fit, origin)
    best = -np.inf
    for far in (5.0, bound):
        for method in ("L-BFGS-B", "Powell"):
            found = minimize(minus, start, method=method, bounds=[(-far, far)] * len(start),
                             options={"maxiter": 5000})  # fmt: skip
            if -found.fun > best:
                best, start = -found.fun, found.x
    return best
