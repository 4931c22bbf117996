"""BoundaryDisplay: rows, half-spaces and the hyperplane, or the hulls and what they share."""

from __future__ import annotations

from textwrap import fill
from typing import Any, Self

import numpy as np

from novikoff.display.plane import Plane, plane_of
from novikoff.display.style import COLOURS, FAINT, INK, MARKERS, axes
from novikoff.errors import InputError
from novikoff.inputs import Table, read_labels, read_table


class BoundaryDisplay:
    """Rows in a plane with the boundary x·w + b = 0, or with the point that both hulls share.

    Parameters
    ----------
    table, signs, classes : the rows and what they are called
    weights : the hyperplane (the offset last), or None
    support, ringed : row numbers to ring, and what the legend calls them
    blocking, point : the rows of an obstruction, and the point that it shows both hulls share
    title : what the picture says

    Attributes, after `plot`: ax_, figure_, rows_ (one artist per sign), boundary_, normal_,
    band_, hulls_, point_ (None where not drawn).
    """

    def __init__(
        self,
        table: Table,
        signs: np.ndarray,
        classes: tuple[Any, Any],
        *,
        weights: np.ndarray | None = None,
        support: np.ndarray | None = None,
        ringed: str = "support rows",
        blocking: np.ndarray | None = None,
        point: np.ndarray | None = None,
        title: str = "",
    ) -> None:
        self.table, self.signs, self.classes = table, signs, classes
        self.weights, self.support = weights, support
        self.ringed = ringed
        self.blocking, self.point, self.title = blocking, point, title
        self.plane: Plane = plane_of(table, weights)
        self.points = self.plane.points(table.matrix)

    @classmethod
    def from_run(cls, run: Any, k: int | None = None, ax: Any = None) -> Self:
        """The boundary after k mistakes (by default the last), the rows updated on ringed."""
        k = run.n_mistakes if k is None else k
        weights = run.weights_at(k)
        if not run.fit_intercept:
            weights = np.append(weights, 0.0)
        title = f"after {k} of {run.n_mistakes} mistakes"
        display = cls(
            run.table, run.signs, run.classes, weights=weights, title=title,
            support=np.unique(run.tape.rows[:k]), ringed="rows updated on",
        )  # fmt: skip
        return display.plot(ax=ax)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, ax: Any = None) -> Self:
        """The boundary of a fitted linear classifier of two classes, the nearest rows ringed."""
        coef = getattr(estimator, "coef_", None)
        if coef is None or np.shape(coef)[0] != 1:
            raise InputError(
                f"{type(estimator).__name__} has no single line of weights (coef_ of one row); "
                "a boundary can be drawn for a fitted linear classifier of two classes."
            )
        table = read_table(X)
        labels = read_labels(y, table.n_rows, positive=estimator.classes_[1])
        weights = np.append(coef[0], estimator.intercept_[0]).astype(np.float64)
        display = cls(
            table, labels.signs, labels.classes, weights=weights, title=type(estimator).__name__,
            support=nearest(table, labels.signs, weights),
        )  # fmt: skip
        return display.plot(ax=ax)

    @classmethod
    def from_verdict(cls, verdict: Any, ax: Any = None) -> Self:
        """The separator with its margin band, or the hulls, their point and the blocking rows."""
        table, signs = verdict.signed_rows.table, verdict.labels.signs
        weights = point = blocking = support = None
        if verdict.status in ("separable", "quasi-separable"):
            weights = np.array([float(value) for value in verdict.certificate.weights])
            support = nearest(table, signs, weights) if verdict.status == "separable" else None
        if verdict.rows and verdict.point is not None:
            blocking = np.array(verdict.rows)
            point = np.array([float(value) for value in verdict.point])
        display = cls(
            table, signs, verdict.labels.classes, weights=weights, support=support,
            blocking=blocking, point=point, title=verdict.status,
        )  # fmt: skip
        return display.plot(ax=ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw; `ax_` and `figure_` hold the result."""
        self.ax_, self.figure_ = axes(ax)
        self.boundary_ = self.normal_ = self.band_ = self.point_ = None
        self.hulls_: list[Any] = []
        self._draw_rows()
        self._frame()
        if self.point is not None:
            self._draw_hulls()
        if self.weights is not None:
            self._draw_boundary(*self.plane.line(self.weights))
        self.ax_.set(xlabel=self.plane.names[0], ylabel=self.plane.names[1], title=self.title)
        if self.plane.note:
            self.figure_.supxlabel(fill(self.plane.note, 70), fontsize="small", color=FAINT)
        self.ax_.legend(loc="best", frameon=False)
        return self

    def _draw_rows(self) -> None:
        self.rows_ = {}
        for sign, label in ((1, f"+ {self.classes[1]}"), (-1, f"− {self.classes[0]}")):
            chosen = self.points[self.signs == sign]
            self.rows_[sign] = self.ax_.scatter(
                *chosen.T, marker=MARKERS[sign], color=COLOURS[sign], edgecolor=INK,
                linewidth=0.6, s=42, label=label, zorder=3,
            )  # fmt: skip
        for rows, style, label in (
            (self.support, "-", self.ringed),
            (self.blocking, "--", "blocking rows"),
        ):
            if rows is not None and len(rows):
                self.ax_.scatter(
                    *self.points[rows].T, s=150, facecolor="none", edgecolor=INK, linestyle=style,
                    linewidth=1.1, label=label, zorder=4,
                )  # fmt: skip

    def _frame(self) -> None:
        """Fix the limits around the rows; equal units, so that right angles look right."""
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        room = 0.12 * max(float((high - low).max()), 1e-300)
        self.ax_.set_xlim(low[0] - room, high[0] + room)
        self.ax_.set_ylim(low[1] - room, high[1] + room)
        self.ax_.set_aspect("equal", adjustable="box")

    def _draw_hulls(self) -> None:
        from matplotlib.patches import Polygon

        for sign in (1, -1):
            corners = hull(self.points[self.signs == sign])
            patch = Polygon(
                corners, closed=True, facecolor=COLOURS[sign], alpha=0.18, edgecolor=INK,
                linestyle="-" if sign > 0 else "--", zorder=1,
            )  # fmt: skip
            self.hulls_.append(self.ax_.add_patch(patch))
        shared = self.plane.points(np.asarray(self.point))
        (self.point_,) = self.ax_.plot(
            *shared, marker="*", markersize=15, color=INK, linestyle="none",
            label="point both hulls share", zorder=5,
        )  # fmt: skip

    def _draw_boundary(self, normal: np.ndarray, offset: float) -> None:
        length = float(np.hypot(*normal))
        if not length:
            return
        unit, foot = normal / length, -offset * normal / length**2
        along = np.array([-unit[1], unit[0]])
        centre = self.points.mean(axis=0)
        middle = foot + ((centre - foot) @ along) * along
        reach = 10 * float(np.ptp(self.points, axis=0).max() or 1.0)
        ends = np.array([middle - reach * along, middle + reach * along])
        (self.boundary_,) = self.ax_.plot(*ends.T, color=INK, linewidth=1.6, zorder=2)
        self.ax_.autoscale(False)
        self._shade(ends, unit, reach)
        distances = (self.points @ normal + offset) / length * self.signs
        gap = float(distances.min())
        if gap > 0 and self.support is not None:
            corners = [ends[0] + gap * unit, ends[1] + gap * unit]
            corners += [ends[1] - gap * unit, ends[0] - gap * unit]
            (self.band_,) = self.ax_.fill(
                *np.array(corners).T, facecolor="none", edgecolor=FAINT, hatch="//", linewidth=0.8,
                zorder=1, label="margin",
            )  # fmt: skip
        size = 0.18 * float(np.ptp(self.points, axis=0).max() or 1.0)
        self.normal_ = self.ax_.annotate(
            "w", xy=middle, xytext=middle + size * unit, color=INK, zorder=5,
            arrowprops={"arrowstyle": "<-", "color": INK, "linewidth": 1.4},
        )  # fmt: skip

    def _shade(self, ends: np.ndarray, unit: np.ndarray, reach: float) -> None:
        for sign in (1, -1):
            far = ends + sign * reach * unit
            corners = np.array([ends[0], ends[1], far[1], far[0]])
            self.ax_.fill(*corners.T, color=COLOURS[sign], alpha=0.07, linewidth=0, zorder=0)


def nearest(table: Table, signs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The rows closest to the boundary on their own side, ties within rounding included."""
    scores = (np.asarray(table.matrix @ weights[:-1]) + weights[-1]) * signs
    return np.flatnonzero(scores <= scores.min() + 1e-9 * np.abs(scores).max())


def hull(points: np.ndarray) -> np.ndarray:
    """The corners of the convex hull of points in the plane, in order (Andrew's chain)."""
    ordered = sorted(set(map(tuple, points.tolist())))
    if len(ordered) < 3:
        return np.array(ordered)

    def half(sequence: Any) -> list[tuple[float, float]]:
        chain: list[tuple[float, float]] = []
        for p in sequence:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return np.array(half(ordered) + half(reversed(ordered)))


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
