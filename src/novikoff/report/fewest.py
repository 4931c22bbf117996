"""The page of the fewest mistakes: a picture, the rows in the way, and the hyperplane."""

from __future__ import annotations

from novikoff.report.markup import Markup, element, section, shortened
from novikoff.report.pictures import fewest_picture
from novikoff.report.tables import (
    LONGEST_NAME,
    Contents,
    columns_note,
    first_of,
    offset_text,
    row_label,
    rows_table,
    size_facts,
    weights_table,
)
from novikoff.verdicts.fewest_answer import ALWAYS, FewestMistakes
from novikoff.verdicts.hyperplane import Hyperplane
from novikoff.verdicts.numerals import about

MOST_WRONG_ROWS = 200
SUSPECT_SECONDS = 10.0  # for the rows to look at


def fewest_contents(few: FewestMistakes) -> Contents:
    """What a page shows of the fewest mistakes."""
    plane = None if few.certificate.weights is None else Hyperplane(few.certificate.weights)
    found = "impossible" if few.impossible else "optimal" if few.optimal else "bracketed"
    sections = [_rows(few, plane)]
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


def _rows(few: FewestMistakes, plane: Hyperplane | None) -> Markup:
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
