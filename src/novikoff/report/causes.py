"""The rows and columns that cause the verdict, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from novikoff.report.hyperplane import Hyperplane
from novikoff.report.markup import Markup, element, joined, section, shortened, table
from novikoff.report.numerals import about, cells, count_text, exact_text
from novikoff.verdicts.separated import text as separated_text
from novikoff.verdicts.verdict import Verdict
from novikoff.verdicts.words import collinear_text

MOST_COLUMNS = 12  # of a row's numbers
MOST_ROWS = 100  # of an obstruction
NEAREST = 10
MOST_WEIGHTS = 50
SIGNS = {"+": "+∞", "-": "−∞", "either": "±∞", "infinite": "∞", "unknown": "not decided"}
SECONDS = 10.0  # for the question which coefficients are infinite


def causes_section(verdict: Verdict, plane: Hyperplane | None) -> Markup:
    parts: list[Markup] = []
    if verdict.findings.obstruction is not None:
        parts.append(_obstruction(verdict, *verdict.findings.obstruction))
    if plane is not None:
        if verdict.status == "separable" and plane.square:
            parts.append(_nearest(verdict, plane))
        parts.append(_weights(verdict, plane))
    if verdict.status == "quasi-separable":
        parts.append(element("p", f"Separated rows: {separated_text(verdict, MOST_ROWS)}."))
    undetermined = collinear_text(verdict)
    if not parts:
        parts.append(element("p", "Neither a separator nor rows that rule one out were proven."))
    if undetermined is not None:
        parts.append(element("p", f"Collinear columns: {undetermined}."))
    return section("causes", "The rows and columns that cause it", *parts)


def _shown_columns(verdict: Verdict) -> tuple[int, list[str], str]:
    """How many columns of a row are shown, their names, and a note on the rest."""
    source = verdict.signed_rows.table
    shown = min(source.n_columns, MOST_COLUMNS)
    rest = source.n_columns - shown
    note = (
        f" The first {shown} of {count_text(source.n_columns)} columns are shown." if rest else ""
    )
    return shown, [shortened(source.column_name(j), 40) for j in range(shown)], note


def _obstruction(verdict: Verdict, rows: np.ndarray, multipliers: Sequence[int]) -> Markup:
    pairs = sorted(zip(rows.tolist(), multipliers, strict=True))
    total = sum(multipliers)
    shown, names, note = _shown_columns(verdict)
    entries = []
    for row, multiplier in pairs[:MOST_ROWS]:
        share = f"{100 * float(Fraction(multiplier, total)):.3g} %"
        entries.append([*_signed(verdict, row), _multiplier(multiplier), share])
        entries[-1] += cells(verdict.signed_rows.table, row, shown)
    foot = None
    if verdict.point is not None and len(pairs) > 1:
        what = "point of both" if verdict.fit_intercept else "direction of both"
        point = [exact_text(value) for value in verdict.point[:shown]]
        foot = [what, "", "", _multiplier(total), "100 %", *point]
    head = ["row (from 0)", "sign", "label", "multiplier λ", "share", *names]
    caption = "Rows that alone rule out a strict separator, with their multipliers"
    caption += _first_rows(len(pairs))
    made = table(caption, head, entries, foot, numeric=[0, *range(3, 5 + shown)])
    return joined([made, element("p", _why(verdict, len(pairs)), note)])


def _first_rows(count: int) -> str:
    return f" (the first {MOST_ROWS} of {count_text(count)})" if count > MOST_ROWS else ""


def _signed(verdict: Verdict, row: int) -> list[object]:
    """What names a row, its sign and its label."""
    sign = int(verdict.labels.signs[row])
    label = shortened(verdict.labels.classes[sign > 0], 40)
    return [_row(verdict, row), "+−"[sign < 0], label]


def _row(verdict: Verdict, row: int) -> object:
    """The number of a row, and what the index calls it."""
    source, number = verdict.signed_rows.table, verdict.number(row)
    return number if source.index is None else f"{number}: {shortened(source.row_name(row), 40)}"


def _multiplier(value: int) -> str:
    return str(value) if value < 10**15 else f"≈ {about(value)}"


def _why(verdict: Verdict, count: int) -> str:
    if count == 1:
        return "This row is zero: no hyperplane through the origin has it on a side."
    if not verdict.fit_intercept:
        return (
            "The sum of λ·sign·row over these rows is zero, so no w through the origin is "
            "strictly right on all of them. Look here first for a wrong label or number."
        )
    return (
        "Weighted by λ, the rows of + and the rows of − have one and the same mean"
        f"{'' if verdict.point is None else ', the point in the last line'}, so no hyperplane has "
        "all of these rows strictly on their sides. None of them can be left out. Look here first "
        "for a wrong label or number."
    )


def _nearest(verdict: Verdict, plane: Hyperplane) -> Markup:
    source, labels = verdict.signed_rows.table, verdict.labels
    scores = plane.scores(verdict.signed_rows)
    count = min(NEAREST, len(scores))
    near = np.argpartition(scores, count - 1)[:count].tolist()
    measured = sorted((plane.distance(source, row, int(labels.signs[row])), row) for row in near)
    shown, names, note = _shown_columns(verdict)
    entries = []
    for distance, row in measured:
        sign = int(labels.signs[row])
        label = shortened(labels.classes[sign > 0], 40)
        numbers = cells(source, row, shown)
        entries.append([_row(verdict, row), "+−"[sign < 0], label, about(distance), *numbers])
    made = table(
        "Rows nearest to the hyperplane of the certificate",
        ["row (from 0)", "sign", "label", "distance", *names],
        entries,
        numeric=[0, *range(3, 4 + shown)],
    )
    why = (
        "The certificate's hyperplane separates; it need not be the one of largest margin, which "
        "max_margin finds."
    )
    return joined([made, element("p", why, note)])


def _weights(verdict: Verdict, plane: Hyperplane) -> Markup:
    source = verdict.signed_rows.table
    weights = plane.floats[: source.n_columns + verdict.fit_intercept]
    infinite = verdict.columns_if_quick(SECONDS)
    collinear = verdict.collinear_if_quick() or ()
    names = [source.column_name(j) for j in range(source.n_columns)] + [verdict.offset_name]
    order = list(range(len(weights)))
    caption = f"Weights of the {'weak ' * (verdict.status != 'separable')}separator"
    caption += ", the largest scaled to 1"
    if infinite is not None:
        caption += ", and the columns whose maximum-likelihood coefficient is infinite"
    if len(order) > MOST_WEIGHTS:
        order = sorted(order, key=lambda j: (-abs(weights[j]), j))[:MOST_WEIGHTS]
        caption += f" (the {MOST_WEIGHTS} largest of {count_text(len(weights))} weights)"
    head = ["column", "weight"]
    entries: list[list[object]] = [
        [shortened(names[j], 60), about(float(weights[j]))] for j in order
    ]
    if infinite is not None:
        head.append("coefficient")
        for j, entry in zip(order, entries, strict=True):
            known = "not determined" if names[j] in collinear else "finite"
            entry.append(SIGNS.get(infinite.get(names[j], ""), known))
        why = (
            "A logistic regression on these columns raises its likelihood without end by letting "
            "the coefficients marked ∞ grow; ±∞ where they can go either way."
        )
        if {"infinite", "unknown"} & set(infinite.values()):
            why += f" What {SECONDS:g} s did not suffice for: verdict.columns answers it."
    else:
        why = (
            "Which coefficients of a logistic regression are infinite is two exact questions a "
            "column, too many to ask in passing here: verdict.columns answers them."
        )
    return joined([table(caption, head, entries, numeric=[1]), element("p", why)])
