"""BoundaryDisplay: rows, half-spaces and the hyperplane, or the hulls and what they share."""

from __future__ import annotations

from textwrap import fill
from typing import Any, Self

import numpy as np

from novikoff.display.plane import Plane, drawn_rows, hull, plane_of
from novikoff.display.style import COLOURS, FAINT, INK, MARKERS, Display, literal, short
from novikoff.errors import InputError
from novikoff.inputs import Table, read_labels, read_table
from novikoff.runs.run import Run
from novikoff.verdicts.fewest_answer import FewestMistakes
from novikoff.verdicts.hyperplane import Hyperplane
from novikoff.verdicts.verdict import Verdict

MOST_DRAWN = 4000  # rows; a quarter of them may be ringed
THINNEST = 4.0  # one side of the rows over the other, with equal units
LARGEST_DRAWN = 1e100  # what a picture can hold: squares of it are floats still


class BoundaryDisplay(Display):
    """Rows in a plane with the boundary x·w + b = 0, or with the point that both hulls share.

    Parameters
    ----------
    table, signs, classes : the rows and what they are called
    weights : the hyperplane (the offset last), or None
    support, ringed : row numbers to ring, and what the legend calls them
    blocking, point : the rows of an obstruction, and the point that it shows both hulls share
    cones : without an offset it is the cones of the classes, from the origin, that share a point
    title : what the picture says
    most_drawn : of more rows an even sample is drawn, with those that are ringed; the picture says
        so. Margin, hulls and limits are always those of all rows.

    Both axes have equal units, unless that would make the rows a strip; the picture says so.

    Attributes, after `plot`: ax_, figure_, rows_ (one artist per sign), boundary_, normal_,
    band_, hulls_, point_ (None where not drawn).
    """

    size = (7.6, 4.8)  # with the legend to the right

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
        cones: bool = False,
        title: str = "",
        most_drawn: int = MOST_DRAWN,
    ) -> None:
        self.table, self.signs, self.classes = table, signs, classes
        self.weights = None if weights is None else of_unit_size(weights)
        self.support, self.ringed = support, ringed
        self.blocking, self.point, self.cones = blocking, point, cones
        self.title = title
        _check_numbers(table)
        self.plane: Plane = plane_of(table, self.weights)
        self.points = self.plane.points(table.matrix)
        most_ringed = most_drawn // 4
        self.rings = []  # rows, line style, name
        for rows, style, name in ((support, "-", ringed), (blocking, "--", "blocking rows")):
            if rows is not None and len(rows):
                if len(rows) > most_ringed:
                    name += f" ({most_ringed:,} of {len(rows):,})"
                self.rings.append((rows[drawn_rows(len(rows), most_ringed)], style, name))
        ringed_rows = np.concatenate([np.empty(0, np.intp), *(rows for rows, *_ in self.rings)])
        self.drawn = drawn_rows(table.n_rows, most_drawn, ringed_rows)
        short_side, long_side = sorted(np.ptp(self.points, axis=0).tolist())
        self.is_thin = 0 < short_side * THINNEST < long_side

    @classmethod
    def from_run(cls, run: Run, k: int | None = None, ax: Any = None) -> Self:
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
    def from_verdict(
        cls, verdict: Verdict, ax: Any = None, *, most_drawn: int = MOST_DRAWN
    ) -> Self:
        """The separator with its margin band, or the hulls, their point and the blocking rows."""
        table, signs = verdict.signed_rows.table, verdict.labels.signs
        _check_numbers(table)
        weights = point = blocking = support = None
        if verdict.weights is not None:
            weights = Hyperplane(verdict.weights).floats
            support = nearest(table, signs, weights) if verdict.status == "separable" else None
        if len(verdict.rows) and verdict.point is not None:
            blocking = verdict.places
            point = np.array([float(value) for value in verdict.point])
        display = cls(
            table, signs, verdict.labels.classes, weights=weights, support=support,
            blocking=blocking, point=point, cones=not verdict.fit_intercept,
            title=verdict.status, ringed="nearest rows", most_drawn=most_drawn,
        )  # fmt: skip
        return display.plot(ax=ax)

    @classmethod
    def from_fewest(
        cls, few: FewestMistakes, ax: Any = None, *, most_drawn: int = MOST_DRAWN
    ) -> Self:
        """The best hyperplane found, with the rows that it gets wrong ringed."""
        weights = few.certificate.weights
        display = cls(
            few.table, few.labels.signs, few.classes,
            weights=None if weights is None else Hyperplane(weights).floats,
            support=few.places,
            ringed="trusted rows in the way" if few.impossible else "rows that are wrong",
            title=f"{few.lower} to {few.upper} mistakes" if not few.optimal
            else f"{few.upper} mistakes, the fewest", most_drawn=most_drawn,
        )  # fmt: skip
        return display.plot(ax=ax)

    def _draw(self, has_axes: bool) -> None:
        self.boundary_ = self.normal_ = self.band_ = self.point_ = None
        self.hulls_: list[Any] = []
        self._draw_rows()
        self._frame()
        if self.point is not None:
            self._draw_hulls()
        if self.weights is not None:
            self._draw_boundary(*self.plane.line(self.weights))
        across, up = map(short, self.plane.names)
        self.ax_.set_xlabel(across, parse_math=False)
        self.ax_.set_ylabel(up, parse_math=False)
        self.ax_.set_title(self.title, parse_math=False)
        note = self.note()
        if note:
            self.figure_.supxlabel(fill(note, 70), fontsize="small", color=FAINT)
        if has_axes:
            return literal(self.ax_.legend(loc="best", frameon=False))
        # Beside the axes a legend hides no row; the figure's layout makes room. The frame is
        # widened to the axes' shape: a layout cannot know how units will shrink a box.
        if not self.is_thin:
            self.ax_.dataLim.intervalx = self.ax_.get_xlim()
            self.ax_.dataLim.intervaly = self.ax_.get_ylim()
            self.ax_.margins(0)
            self.ax_.autoscale(True)
            self.ax_.set_aspect("equal", adjustable="datalim")
        return literal(
            self.figure_.legend(
                *self.ax_.get_legend_handles_labels(), loc="outside right upper", frameon=False,
                labelspacing=0.9,
            )
        )  # fmt: skip

    def note(self) -> str:
        """What a reader must know beside the picture: the projection, and rows left out."""
        n = self.table.n_rows
        few = f"{len(self.drawn):,} of {n:,} rows are drawn." if len(self.drawn) < n else ""
        units = "The axes have different units: right angles do not look right." * self.is_thin
        return " ".join(filter(None, (self.plane.note, units, few)))

    def _draw_rows(self) -> None:
        self.rows_ = {}
        points, signs = self.points[self.drawn], self.signs[self.drawn]
        size = min(42.0, max(9.0, 40_000 / len(points)))
        negative, positive = map(short, self.classes)
        for sign, label in ((1, f"+ {positive}"), (-1, f"− {negative}")):
            self.rows_[sign] = self.ax_.scatter(
                *points[signs == sign].T, marker=MARKERS[sign], color=COLOURS[sign], edgecolor=INK,
                linewidth=min(0.6, 0.1 + size / 100), s=size, label=label, zorder=3,
            )  # fmt: skip
        for rows, style, label in self.rings:
            self.ax_.scatter(
                *self.points[rows].T, s=150, facecolor="none", edgecolor=INK, linestyle=style,
                linewidth=1.1, label=label, zorder=4,
            )  # fmt: skip

    def _frame(self) -> None:
        """Fix the limits around the rows, with equal units, so that right angles look right."""
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        if self.cones and self.point is not None:
            low, high = np.minimum(low, 0.0), np.maximum(high, 0.0)
        room = 0.12 * (high - low)
        if not self.is_thin:
            room[:] = room.max() or max(1.0, float(np.abs(high).max()))
            self.ax_.set_aspect("equal", adjustable="box")
        self.ax_.set_xlim(low[0] - room[0], high[0] + room[0])
        self.ax_.set_ylim(low[1] - room[1], high[1] + room[1])

    def _draw_hulls(self) -> None:
        from matplotlib.patches import Polygon

        for sign in (1, -1):
            points = self.points[self.signs == sign]
            if self.cones:  # the origin, and far ends of the rows' rays
                lengths = np.hypot(*points.T)
                rays = points[lengths > 0] / lengths[lengths > 0, None]
                far = 10 * float(np.abs(self.points).max())
                points = np.vstack([np.zeros((1, 2)), rays * far])
            corners = hull(points)
            patch = Polygon(
                corners, closed=True, facecolor=(COLOURS[sign], 0.18), edgecolor=INK, linewidth=0.9,
                linestyle="-" if sign > 0 else "--", zorder=1,
            )  # fmt: skip
            self.hulls_.append(self.ax_.add_patch(patch))
        shared = self.plane.points(np.asarray(self.point))
        (self.point_,) = self.ax_.plot(
            *shared, marker="*", markersize=15, color=INK, linestyle="none",
            label=f"point both {'cones' if self.cones else 'hulls'} share", zorder=5,
        )  # fmt: skip

    def _draw_boundary(self, normal: np.ndarray, offset: float) -> None:
        length = float(np.hypot(*normal))
        if not length:
            return
        unit = normal / length
        foot = -(offset / length) * unit
        along = np.array([-unit[1], unit[0]])
        centre = self.points.mean(axis=0)
        middle = foot + ((centre - foot) @ along) * along
        reach = 10 * float(np.ptp(self.points, axis=0).max() or 1.0)
        ends = np.array([middle - reach * along, middle + reach * along])
        (self.boundary_,) = self.ax_.plot(*ends.T, color=INK, linewidth=1.6, zorder=2)
        self.ax_.autoscale(False)
        for sign in (1, -1):
            side = np.vstack([ends, ends[::-1] + sign * reach * unit])
            self.ax_.fill(*side.T, color=COLOURS[sign], alpha=0.07, linewidth=0, zorder=0)
        distances = (self.points @ normal + offset) / length * self.signs
        gap = float(distances.min())
        if gap > 0 and self.support is not None:
            corners = np.vstack([ends + gap * unit, ends[::-1] - gap * unit])
            (self.band_,) = self.ax_.fill(
                *corners.T, facecolor="none", edgecolor=FAINT, hatch="//", linewidth=0.8,
                zorder=1, label="margin",
            )  # fmt: skip
        if self.is_thin:  # w would not look perpendicular
            return
        size = 0.18 * float(np.ptp(self.points, axis=0).max() or 1.0)
        self.normal_ = self.ax_.annotate(
            "w", xy=middle, xytext=middle + size * unit, color=INK, zorder=5,
            arrowprops={"arrowstyle": "<-", "color": INK, "linewidth": 1.4},
        )  # fmt: skip


def nearest(table: Table, signs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The rows closest to the boundary on their own side, ties within rounding included."""
    scores = (np.asarray(table.matrix @ weights[:-1]) + weights[-1]) * signs
    return np.flatnonzero(scores <= scores.min() + 1e-9 * np.abs(scores).max())


def _check_numbers(table: Table) -> None:
    """Raise an InputError where numbers are too large for a picture."""
    values = table.matrix.data if table.is_sparse else table.matrix
    if max(values.max(initial=0.0), -values.min(initial=0.0)) >= LARGEST_DRAWN:
        raise InputError(
            f"the rows hold numbers of {LARGEST_DRAWN:g} or more, which a picture cannot show; "
            "divide the columns by a constant."
        )


def of_unit_size(weights: np.ndarray) -> np.ndarray:
    """The same hyperplane with a largest weight of 1, so that squares neither over- nor underflow.

    The offset is not among them: it may be far larger than the weights of large rows.
    """
    largest = float(np.abs(weights[:-1]).max(initial=0.0))
    with np.errstate(over="ignore"):
        scaled = weights / largest if largest else weights
    return scaled if np.isfinite(scaled).all() else weights
