"""The pages of two classes: the rows and columns that cause a verdict and its mistake bound, and
the fewest mistakes, with the rows in the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from novikoff.certificates import Stamp
from novikoff.report.markup import Markup, element, facts, joined, section, shortened, table
from novikoff.report.pictures import fewest_picture, run_pictures, verdict_picture
from novikoff.report.tables import (
    LONGEST_NAME,
    MOST_COLUMNS_SHOWN,
    Contents,
    columns_note,
    count_text,
    exact_text,
    first_of,
    offset_text,
    row_label,
    rows_table,
    size_facts,
    weights_table,
)
from novikoff.runs.run import trace
from novikoff.verdicts.answer import SIGNS
from novikoff.verdicts.fewest_answer import ALWAYS, FewestMistakes
from novikoff.verdicts.hyperplane import Hyperplane
from novikoff.verdicts.max_margin import max_margin
from novikoff.verdicts.numerals import about
from novikoff.verdicts.verdict import Verdict
from novikoff.verdicts.words import bound_facts, collinear_columns_text, separated_text
from novikoff.wording import plural

MOST_OBSTRUCTION_ROWS = 100  # of an obstruction
MOST_WRONG_ROWS = 200
SUSPECT_SECONDS = 10.0  # for the rows to look at
COEFFICIENTS = {**SIGNS, "unknown": "not decided"}
INFINITE_SECONDS = 10.0  # for the question which coefficients are infinite
MOST_AUDITED_CELLS = 1_000_000  # of data for which a run is audited
MOST_AUDITED_MISTAKES, MOST_AUDITED_PASSES = 5000, 300
LARGEST_RADIUS = 1e150  # beyond it squares leave the range of floats
MARGIN_SECONDS = 10.0  # for the largest margin, which the audit compares with


def verdict_contents(verdict: Verdict) -> Contents:
    """What a page shows of a verdict on two classes."""
    plane = None if verdict.weights is None else Hyperplane(verdict.weights)
    certificate, signs = verdict.certificate, verdict.labels.signs
    stamp: Stamp = (
        certificate.stamp
        if certificate is not None
        else Stamp.of(
            verdict.signed_rows.table, verdict.labels, verdict.fit_intercept,
            reading=verdict.reading,
        )
    )  # fmt: skip
    sides = [
        (
            f"label of sign {sign}",
            f"{shortened(label)} ({count_text(int((signs == value).sum()))} rows)",
        )
        for sign, label, value in (("+", stamp.positive, 1), ("−", stamp.negative, -1))
    ]
    is_overlapping = verdict.status == "overlapping"
    return Contents(
        "Is there a separating hyperplane?",
        verdict.status,
        "good" if verdict.status == "separable" else "bad" if is_overlapping else "maybe",
        [verdict_picture(verdict), _causes(verdict, plane), _bound(verdict)],
        [*size_facts(verdict), *sides, ("hyperplanes", offset_text(stamp.offset))],
        stamp,
    )


def _causes(verdict: Verdict, plane: Hyperplane | None) -> Markup:
    parts: list[Markup] = []
    if verdict.findings.obstruction is not None:
        parts.append(_obstruction(verdict, *verdict.findings.obstruction))
    if plane is not None:
        parts.append(_weights(verdict, plane))
    if verdict.status == "quasi-separable":
        separated = separated_text(verdict, MOST_OBSTRUCTION_ROWS)
        parts.append(element("p", f"Separated rows: {separated}."))
    if not parts:
        parts.append(element("p", "Neither a separator nor rows that rule one out were proven."))
    undetermined = collinear_columns_text(verdict)
    if undetermined is not None:
        parts.append(element("p", f"Collinear columns: {undetermined}."))
    return section("causes", "The rows and columns that cause it", *parts)


def _obstruction(verdict: Verdict, rows: np.ndarray, multipliers: Sequence[int]) -> Markup:
    """The rows that rule out a strict separator, each with its sign, its label and its share."""
    pairs = sorted(zip(rows.tolist(), multipliers, strict=True))
    total, source = sum(multipliers), verdict.signed_rows.table
    shown = []
    for row, multiplier in pairs[:MOST_OBSTRUCTION_ROWS]:
        sign = int(verdict.labels.signs[row])
        label = shortened(verdict.labels.classes[sign > 0], LONGEST_NAME)
        share = f"{100 * float(Fraction(multiplier, total)):.3g} %"
        said = ["+−"[sign < 0], label, _multiplier(multiplier), share]
        shown.append((row, row_label(verdict.number(row), source, row), said))
    foot = None
    if verdict.point is not None and len(pairs) > 1:
        what = "point of both" if verdict.fit_intercept else "direction of both"
        point = [exact_text(value) for value in verdict.point[:MOST_COLUMNS_SHOWN]]
        foot = [what, "", "", _multiplier(total), "100 %", *point]
    caption = "Rows that alone rule out a strict separator, with their multipliers"
    caption += first_of(MOST_OBSTRUCTION_ROWS, len(pairs))
    head = ["sign", "label", "multiplier λ", "share"]
    made = rows_table(caption, source, head, shown, foot, numeric=(2, 3))
    if len(pairs) == 1:
        why = "This row is zero: no hyperplane through the origin has it on a side."
    elif not verdict.fit_intercept:
        why = (
            "The sum of λ·sign·row over these rows is zero, so no w through the origin is "
            "strictly right on all of them. Look here first for a wrong label or number."
        )
    else:
        why = (
            "Weighted by λ, the rows of + and the rows of − have one and the same mean"
            f"{'' if verdict.point is None else ', the point in the last line'}, so no hyperplane "
            "has all of these rows strictly on their sides. None of them can be left out. Look "
            "here first for a wrong label or number."
        )
    return joined([made, element("p", why, columns_note(source))])


def _multiplier(value: int) -> str:
    return str(value) if value < 10**15 else f"≈ {about(value)}"


def _weights(verdict: Verdict, plane: Hyperplane) -> Markup:
    source = verdict.signed_rows.table
    weights = plane.floats[: source.n_columns + verdict.fit_intercept]
    infinite = verdict.columns_if_quick(INFINITE_SECONDS)
    collinear = verdict.collinear_if_quick() or ()
    names = [source.column_name(j) for j in range(source.n_columns)] + [verdict.offset_name]
    caption = f"Weights of the {'weak ' * (verdict.status != 'separable')}separator"
    caption += ", the largest scaled to 1"
    said = None
    if infinite is None:
        why = (
            "Which coefficients of a logistic regression are infinite is two exact questions a "
            "column, too many to ask in passing here: verdict.columns answers them."
        )
    else:
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


def _bound(verdict: Verdict) -> Markup:
    """The mistake bound and, on separable data, a run that is audited against it."""
    parts = [facts("Radius, margin and bound", bound_facts(verdict, narrowed=True))]
    n_cells = verdict.n_rows * (verdict.n_columns + 1)
    is_moderate = 1 / LARGEST_RADIUS < verdict.radius < LARGEST_RADIUS
    if verdict.status == "separable" and n_cells <= MOST_AUDITED_CELLS and is_moderate:
        parts += _audited_run(verdict)
    elif verdict.status == "separable":
        why = (
            "No run is audited here, because the data is large or its numbers are extreme; "
            "novikoff.trace(X, y).audit() does it."
        )
        parts.append(element("p", why))
    return section("bound", "The mistake bound", *parts)


def _audited_run(verdict: Verdict) -> list[Markup]:
    """A run from zeros over the rows in order, and what the theorem promises of it."""
    run = trace(
        verdict.signed_rows.table,
        verdict.labels.signs,
        fit_intercept=verdict.fit_intercept,
        max_iter=MOST_AUDITED_PASSES,
        max_mistakes=MOST_AUDITED_MISTAKES,
        positive=1,
    )
    audit = run.audit(separator=max_margin(verdict, time_limit=MARGIN_SECONDS).separator)
    caption = f"The inequalities of the proof at every k = 0 … {count_text(audit.n_mistakes)}"
    if audit.margin is not None:
        caption += f", for R = {audit.radius:.6g} and γ = {audit.margin:.6g}"
        caption += " (of the largest margin that was found)"
    entries = []
    for check in audit.checks:
        outcome = "holds" if check.holds else f"FAILS, first at k = {check.first_failure}"
        if check.holds is None:
            outcome = f"not checked: {check.note}"
        slack = "" if check.slack is None else f"{check.slack:.3g}"
        entries.append([check.formula, outcome, slack])
    checks = table(caption, ["inequality", "outcome", "smallest slack"], entries, numeric=[2])
    passes = f"{count_text(run.n_passes)} {plural(run.n_passes, 'pass')}"
    mistakes = f"{count_text(run.n_mistakes)} {plural(run.n_mistakes, 'mistake')}"
    ending = f"was stopped after {mistakes} in {passes}, before it had converged."
    if run.converged:
        ending = f"made {mistakes} in {passes}; the last pass was without one."
    ran = element("p", f"A perceptron from zeros, over the rows in their order, {ending}")
    return [ran, checks, *run_pictures(run, audit)]


def fewest_contents(few: FewestMistakes) -> Contents:
    """What a page shows of the fewest mistakes."""
    plane = None if few.certificate.weights is None else Hyperplane(few.certificate.weights)
    found = "impossible" if few.impossible else "optimal" if few.optimal else "bracketed"
    sections = [_wrong_rows(few, plane)]
    if plane is not None:
        names = [*(few.table.column_name(j) for j in range(few.n_columns)), "offset"]
        caption = "Weights of the hyperplane, the largest scaled to 1"
        weights = weights_table(caption, names, plane.floats)
        sections = [
            fewest_picture(few),
            *sections,
            section("hyperplane", "The hyperplane", weights),
        ]
    return Contents(
        "The fewest mistakes of a hyperplane",
        found,
        "good" if few.optimal else "maybe",
        sections,
        [
            *size_facts(few),
            ("labels", f"+ is {few.classes[1]!r}, − is {few.classes[0]!r}"),
            ("hyperplanes", offset_text(few.fit_intercept)),
            ("lower bound by", few.certificate.method),
        ],
        few.certificate.stamp,
    )


def _wrong_rows(few: FewestMistakes, plane: Hyperplane | None) -> Markup:
    """The rows that are wrong, with their columns: labels to look at."""
    source = few.table
    known = {suspect.row: suspect for suspect in few.find_suspects(SUSPECT_SECONDS)}
    rows = []
    for place in few.places[:MOST_WRONG_ROWS].tolist():
        row, sign = few.number(place), int(few.labels.signs[place])
        far = "" if plane is None else about(-plane.distance(source, place, sign))
        every = known[row].always if row in known else None
        share = f"{100 * known[row].share:.0f} %" if row in known else ""
        label = shortened(few.classes[sign > 0], LONGEST_NAME)
        rows.append((place, row_label(row, source, place), [label, far, share, ALWAYS[every]]))
    if not rows:
        return Markup("")
    caption = "Labels to look at: the rows that the hyperplane gets wrong"
    if few.impossible:
        caption = "Trusted rows that alone rule out a separator"
    caption += first_of(MOST_WRONG_ROWS, len(few.places))
    head = ["label", "distance beyond", "of answers found", "in every best answer"]
    note = (
        "A label here may well be right: the list says which rows stand in the way of a "
        "hyperplane, not which are mislabelled. “In every best answer” is proven: with the row "
        f"kept, any hyperplane gets more rows wrong.{columns_note(source)}"
    )
    made = rows_table(caption, source, head, rows, numeric=(1, 2))
    return section("causes", "The rows in the way", made, element("p", note))
