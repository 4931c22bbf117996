"""The fewest mistakes as a page: the answer, the rows to look at, and the proof."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from novikoff.display import BoundaryDisplay
from novikoff.display.sample import drawn_rows
from novikoff.files import write_whole
from novikoff.inputs import Table
from novikoff.report.drawing import figure, require_matplotlib
from novikoff.report.hyperplane import Hyperplane
from novikoff.report.markup import Markup, element, facts, joined, section, shortened, table
from novikoff.report.numerals import about, cells, count_text, seconds_text
from novikoff.report.page import whole_page
from novikoff.report.proof import proof_section
from novikoff.verdicts.bracket import FewestMistakes
from novikoff.verdicts.suspects import ALWAYS, Suspects
from novikoff.wording import label_fact

MOST_ROWS, MOST_COLUMNS, MOST_WEIGHTS, MOST_DRAWN = 200, 12, 50, 1500
LARGEST = 1e100  # numbers that a picture can hold
SECONDS = 10.0  # for the rows to look at


def write_fewest_report(
    few: FewestMistakes,
    path: str | os.PathLike[str],
    source: str | None = None,
    proof: str | None = None,
) -> None:
    """Write the page, whole or not at all: see `FewestMistakes.report`."""
    write_whole(path, fewest_html(few, source, proof).encode("utf-8", "replace"))


def fewest_html(few: FewestMistakes, source: str | None = None, proof: str | None = None) -> str:
    """The page as text."""
    require_matplotlib()
    name = shortened(source, 200) if source else None
    found = "impossible" if few.impossible else "optimal" if few.optimal else "bracketed"
    status = element("span", found, class_=f"status {'good' if few.optimal else 'maybe'}")
    plane = None if few.certificate.weights is None else Hyperplane(few.certificate.weights)
    main = joined(
        [
            element("h1", name or "The fewest mistakes of a hyperplane", " ", status),
            element("p", few.sentence(), class_="answer"),
            _picture(few, plane),
            _rows(few, plane, few.find_suspects(SECONDS)),
            _weights(few, plane),
            proof_section(few, source, proof),
            section("data", "The data, and how it was decided", _facts(few, name)),
        ]
    )
    return whole_page(f"{name or 'Two classes'}: fewest mistakes", main)


def _picture(few: FewestMistakes, plane: Hyperplane | None) -> Markup:
    wrong = few.places[:MOST_ROWS]
    chosen = drawn_rows(few.n_rows, MOST_DRAWN, wrong)
    matrix = few.table.dense_rows(chosen)
    if plane is None or not float(np.abs(matrix).max(initial=0.0)) < LARGEST:
        return Markup("")
    small = Table(matrix, few.table.names, "binary64")
    display = BoundaryDisplay(
        small, few.labels.signs[chosen], few.classes, weights=plane.floats,
        support=np.searchsorted(chosen, wrong), ringed="rows that are wrong",
    )  # fmt: skip
    drawn = f" {count_text(len(chosen))} of {count_text(few.n_rows)} rows are drawn."
    return figure(
        "rows",
        lambda ax: display.plot(ax=ax),
        "The rows of the two classes in a plane, with a straight boundary; rows on its wrong "
        "side are ringed.",
        "The best hyperplane found. The rows that it gets wrong are ringed."
        + drawn * (len(chosen) < few.n_rows),
        (4.8, 4.2),
    )


def _rows(few: FewestMistakes, plane: Hyperplane | None, suspects: Suspects) -> Markup:
    """The rows that are wrong, with their columns: labels to look at."""
    source, shown = few.table, min(few.n_columns, MOST_COLUMNS)
    known = {suspect.row: suspect for suspect in suspects}
    entries = []
    for place in few.places[:MOST_ROWS].tolist():
        row, sign = few.number(place), int(few.labels.signs[place])
        name: Any = row
        if source.index is not None:
            name = f"{row}: {shortened(source.row_name(place), 40)}"
        far = "" if plane is None else about(-plane.distance(source, place, sign))
        every = known[row].always if row in known else None
        share = f"{100 * known[row].share:.0f} %" if row in known else ""
        label = shortened(few.classes[sign > 0], 40)
        entries.append([name, label, far, share, ALWAYS[every], *cells(source, place, shown)])
    if not entries:
        return Markup("")
    names = [shortened(source.column_name(j), 40) for j in range(shown)]
    caption = "Labels to look at: the rows that the hyperplane gets wrong"
    if few.impossible:
        caption = "Trusted rows that alone rule out a separator"
    if len(few.places) > MOST_ROWS:
        caption += f" (the first {MOST_ROWS} of {count_text(len(few.places))})"
    head = ["row (from 0)", "label", "distance beyond", "of answers found",
            "in every best answer", *names]  # fmt: skip
    note = (
        "A label here may well be right: the list says which rows stand in the way of a "
        "hyperplane, not which are mislabelled. “In every best answer” is proven: with the row "
        "kept, any hyperplane gets more rows wrong."
    )
    if few.n_columns > shown:
        note += f" The first {shown} of {count_text(few.n_columns)} columns are shown."
    made = table(caption, head, entries, numeric=[0, 2, 3, *range(5, 5 + shown)])
    return section("causes", "The rows in the way", made, element("p", note))


def _weights(few: FewestMistakes, plane: Hyperplane | None) -> Markup:
    if plane is None:
        return Markup("")
    names = [few.table.column_name(j) for j in range(few.n_columns)] + ["offset"]
    order = sorted(range(len(names)), key=lambda j: (-abs(plane.floats[j]), j))
    if len(order) <= MOST_WEIGHTS:
        order = list(range(len(names)))
    entries = [[shortened(names[j], 60), about(float(plane.floats[j]))]
             for j in order[:MOST_WEIGHTS]]  # fmt: skip
    caption = "Weights of the hyperplane, the largest scaled to 1"
    return section("hyperplane", "The hyperplane", table(caption, ["column", "weight"], entries,
                                                         numeric=[1]))  # fmt: skip


def _facts(few: FewestMistakes, name: str | None) -> Markup:
    pairs: list[tuple[str, object]] = [] if name is None else [("source", name)]
    pairs += [
        ("rows", count_text(few.n_rows)),
        ("columns", count_text(few.n_columns)),
        *label_fact(few.reading),
        ("labels", f"+ is {few.classes[1]!r}, − is {few.classes[0]!r}"),
        ("numbers", few.numbers),
        ("offset", "with" if few.fit_intercept else "without"),
        ("lower bound by", few.certificate.method),
        ("found by", ", then ".join(few.how)),
        ("time", seconds_text(few.seconds)),
    ]
    if few.notes:
        pairs.append(("reading" if few.reading else "columns", "; ".join(few.notes)))
    return facts("What was asked, and how it was answered", pairs)
