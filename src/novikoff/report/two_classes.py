"""The page of a verdict on two classes: the rows and columns that cause it, and the bound."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.certificates import Stamp
from novikoff.report.bound import audited_run, bound_section
from novikoff.report.contents import Contents
from novikoff.report.markup import Markup, element, joined, section, shortened
from novikoff.report.numerals import count_text, exact_text
from novikoff.report.pictures import run_pictures, verdict_picture
from novikoff.report.tables import (
    LONGEST_NAME,
    MOST_COLUMNS_SHOWN,
    columns_note,
    first_of,
    rows_table,
    weights_table,
)
from novikoff.verdicts.answer import SIGNS
from novikoff.verdicts.hyperplane import Hyperplane
from novikoff.verdicts.numerals import about
from novikoff.verdicts.verdict import Verdict
from novikoff.verdicts.words import collinear_columns_text, separated_text

MOST_OBSTRUCTION_ROWS = 100  # of an obstruction
MOST_NEAREST_ROWS = 10
COEFFICIENTS = {**SIGNS, "unknown": "not decided"}
INFINITE_SECONDS = 10.0  # for the question which coefficients are infinite


def verdict_contents(verdict: Verdict) -> Contents:
    """What a page shows of a verdict on two classes."""
    plane = None if verdict.weights is None else Hyperplane(verdict.weights)
    audited = audited_run(verdict, plane)
    stamp, is_overlapping = _stamp(verdict), verdict.status == "overlapping"
    signs = verdict.labels.signs
    n_positive = int((signs > 0).sum())
    return Contents(
        "Is there a separating hyperplane?",
        verdict.status,
        "good" if verdict.status == "separable" else "bad" if is_overlapping else "maybe",
        [
            verdict_picture(verdict),
            _causes(verdict, plane),
            bound_section(verdict, audited, *run_pictures(audited)),
        ],
        [
            ("rows", count_text(verdict.n_rows)),
            ("columns", count_text(verdict.n_columns)),
            ("label of sign +", f"{shortened(stamp.positive)} ({count_text(n_positive)} rows)"),
            (
                "label of sign −",
                f"{shortened(stamp.negative)} ({count_text(len(signs) - n_positive)} rows)",
            ),
            ("hyperplanes", "with an offset" if stamp.offset else "through the origin only"),
        ],
        stamp,
        verdict.stages,
    )


def _stamp(verdict: Verdict) -> Stamp:
    """What identifies the data, with or without a certificate."""
    if verdict.certificate is not None:
        stamp: Stamp = verdict.certificate.stamp
        return stamp
    return Stamp.of(
        verdict.signed_rows.table, verdict.labels, verdict.fit_intercept, reading=verdict.reading
    )


def _causes(verdict: Verdict, plane: Hyperplane | None) -> Markup:
    parts: list[Markup] = []
    if verdict.findings.obstruction is not None:
        parts.append(_obstruction(verdict, *verdict.findings.obstruction))
    if plane is not None:
        if verdict.status == "separable" and plane.square:
            parts.append(_nearest(verdict, plane))
        parts.append(_weights(verdict, plane))
    if verdict.status == "quasi-separable":
        parts.append(
            element("p", f"Separated rows: {separated_text(verdict, MOST_OBSTRUCTION_ROWS)}.")
        )
    undetermined = collinear_columns_text(verdict)
    if not parts:
        parts.append(element("p", "Neither a separator nor rows that rule one out were proven."))
    if undetermined is not None:
        parts.append(element("p", f"Collinear columns: {undetermined}."))
    return section("causes", "The rows and columns that cause it", *parts)


def _signed(verdict: Verdict, row: int, *said: object) -> tuple[int, int, Any, Sequence[object]]:
    """A row for a table, with its sign, its label and what else is said of it."""
    sign, source = int(verdict.labels.signs[row]), verdict.signed_rows.table
    label = shortened(verdict.labels.classes[sign > 0], LONGEST_NAME)
    name = None if source.index is None else source.row_name(row)
    return row, verdict.number(row), name, ["+−"[sign < 0], label, *said]


def _obstruction(verdict: Verdict, rows: np.ndarray, multipliers: Sequence[int]) -> Markup:
    pairs = sorted(zip(rows.tolist(), multipliers, strict=True))
    total, source = sum(multipliers), verdict.signed_rows.table
    shown = []
    for row, multiplier in pairs[:MOST_OBSTRUCTION_ROWS]:
        share = f"{100 * float(Fraction(multiplier, total)):.3g} %"
        shown.append(_signed(verdict, row, _multiplier(multiplier), share))
    foot = None
    if verdict.point is not None and len(pairs) > 1:
        what = "point of both" if verdict.fit_intercept else "direction of both"
        point = [exact_text(value) for value in verdict.point[:MOST_COLUMNS_SHOWN]]
        foot = [what, "", "", _multiplier(total), "100 %", *point]
    caption = "Rows that alone rule out a strict separator, with their multipliers"
    caption += first_of(MOST_OBSTRUCTION_ROWS, len(pairs))
    head = ["sign", "label", "multiplier λ", "share"]
    made = rows_table(caption, source, head, shown, foot, numeric=(2, 3))
    return joined([made, element("p", _why(verdict, len(pairs)), columns_note(source))])


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
    source, signs = verdict.signed_rows.table, verdict.labels.signs
    scores = plane.scores(verdict.signed_rows)
    count = min(MOST_NEAREST_ROWS, len(scores))
    near = np.argpartition(scores, count - 1)[:count].tolist()
    measured = sorted((plane.distance(source, row, int(signs[row])), row) for row in near)
    made = rows_table(
        "Rows nearest to the hyperplane of the certificate",
        source,
        ["sign", "label", "distance"],
        [_signed(verdict, row, about(distance)) for distance, row in measured],
        numeric=(2,),
    )
    why = (
        "The certificate's hyperplane separates; it need not be the one of largest margin, which "
        "max_margin finds."
    )
    return joined([made, element("p", why, columns_note(source))])


def _weights(verdict: Verdict, plane: Hyperplane) -> Markup:
    source = verdict.signed_rows.table
    weights = plane.floats[: source.n_columns + verdict.fit_intercept]
    infinite = verdict.columns_if_quick(INFINITE_SECONDS)
    collinear = verdict.collinear_if_quick() or ()
    names = [source.column_name(j) for j in range(source.n_columns)] + [verdict.offset_name]
    caption = f"Weights of the {'weak ' * (verdict.status != 'separable')}separator"
    caption += ", the largest scaled to 1"
    if infinite is None:
        why = (
            "Which coefficients of a logistic regression are infinite is two exact questions a "
            "column, too many to ask in passing here: verdict.columns answers them."
        )
        return joined([weights_table(caption, names, weights), element("p", why)])
    caption += ", and the columns whose maximum-likelihood coefficient is infinite"
    said = {name: "not determined" if name in collinear else "finite" for name in names}
    said |= {name: COEFFICIENTS[word] for name, word in infinite.items()}
    why = (
        "A logistic regression on these columns raises its likelihood without end by letting "
        "the coefficients marked ∞ grow; ±∞ where they can go either way."
    )
    if {"infinite", "unknown"} & set(infinite.values()):
        why += f" What {INFINITE_SECONDS:g} s did not suffice for: verdict.columns answers it."
    return joined([weights_table(caption, names, weights, said), element("p", why)])
