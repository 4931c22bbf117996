"""The page of a regression's verdict: coefficients, observations with their columns, the proof."""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping

from novikoff.files import write_whole
from novikoff.regression.verdict import RegressionVerdict
from novikoff.regression.words import SIGNS, collinear_text, runs_of, sentence
from novikoff.report.markup import (
    Markup,
    element,
    facts,
    joined,
    section,
    shortened,
    table,
)
from novikoff.report.numerals import cells, count_text
from novikoff.report.page import whole_page
from novikoff.report.proof import data_word
from novikoff.wording import file_word, label_fact

MOST_COEFFICIENTS = 500
MOST_OBSERVATIONS = 200
MOST_COLUMNS = 12
LARGEST = 1_200_000  # bytes of a proof that still goes into the page
FILE, ROWS = "proof.json", "rows.csv"


def write_regression_report(
    verdict: RegressionVerdict,
    path: str | os.PathLike[str],
    source: str | None = None,
    proof: str | None = None,
    rows: str | None = None,
) -> None:
    """Write the page, whole or not at all: see `RegressionVerdict.report`."""
    text = regression_html(verdict, source, proof, rows)
    write_whole(path, text.encode("utf-8", "replace"))


def regression_html(
    verdict: RegressionVerdict,
    source: str | None = None,
    proof: str | None = None,
    rows: str | None = None,
) -> str:
    """The page as text."""
    name = shortened(source, 200) if source else f"A {verdict.model} model"
    kind = {"finite": "good", "infinite": "bad"}.get(verdict.status, "maybe")
    status = element("span", verdict.status, class_=f"status {kind}")
    main = joined(
        [
            element("h1", name, " ", status),
            element("p", sentence(verdict), class_="answer"),
            _coefficients(verdict),
            _observations(verdict),
            _proof(verdict, source, proof or FILE, rows),
            _facts(verdict),
        ]
    )
    return whole_page(f"{name}: {verdict.status}", main)


def _coefficients(verdict: RegressionVerdict) -> Markup:
    infinite: Mapping[str, str] | None = verdict.infinite
    collinear = verdict.collinear_if_quick()
    entries = []
    for name in verdict.coefficients[:MOST_COEFFICIENTS]:
        if name in (collinear or ()):
            said = "not determined: it depends on columns before it"
        elif infinite is None:
            said = "not decided"
        else:
            said = SIGNS[infinite[name]] if name in infinite else "finite"
        entries.append([name, said])
    total = len(verdict.coefficients)
    caption = "Coefficients and what their estimates are"
    if total > MOST_COEFFICIENTS:
        caption += f" (the first {MOST_COEFFICIENTS} of {count_text(total)})"
    parts = [table(caption, ["coefficient", "estimate"], entries)]
    if collinear:
        parts.append(element("p", f"Collinear: {collinear_text(collinear)}."))
    return section("coefficients", "The coefficients", *parts)


def _observations(verdict: RegressionVerdict) -> Markup:
    given = verdict.given
    if verdict.separated is None:
        return section("rows", "The observations", element("p", "Nothing is known of them."))
    separated = verdict.separated.tolist()
    if not separated and not verdict.comparisons:
        said = "None is predicted perfectly."
        return section("rows", "The observations", element("p", said))
    place = {number: k for k, number in enumerate(given.numbers.tolist())}
    names = given.design_names[:MOST_COLUMNS]
    entries = []
    for number in separated[:MOST_OBSERVATIONS]:
        k = place[number]
        label = number if given.index is None else f"{number}: {given.row_name(number)}"
        response = [_short(column[k]) for column in given.response.values()]
        numbers = [] if given.table is None else cells(given.table, k, len(names))
        entries.append([label, *response, *numbers])
    parts = []
    if entries:
        caption = "Observations that are predicted perfectly, with their columns"
        if len(separated) > MOST_OBSERVATIONS:
            caption += f" (the first {MOST_OBSERVATIONS} of {count_text(len(separated))})"
        head = ["row (from 0)", *given.response, *names]
        parts.append(table(caption, head, entries, numeric=range(len(head))))
        parts.append(element("p", f"All of them: {runs_of(separated)}."))
    if verdict.comparisons:
        pairs = verdict.comparisons
        few = [[i, k] for i, k in pairs[:MOST_OBSERVATIONS]]
        caption = "Strict comparisons"
        if len(pairs) > MOST_OBSERVATIONS:
            caption += f" (the first {MOST_OBSERVATIONS} of {count_text(len(pairs))})"
        parts.append(table(caption, ["row (from 0)", "against"], few))
    found = verdict.drop()
    dropping = verdict.why_no_drop if found is None else f"Proposed: {found}."
    parts.append(element("p", dropping or ""))
    return section("rows", "The observations that decide it", *parts)


def _proof(verdict: RegressionVerdict, source: str | None, proof: str, rows: str | None) -> Markup:
    certificate = verdict.certificate
    if certificate is None:
        said = f"There is none: {verdict.why_undecided}."
        return section("proof", "The proof", element("p", said))
    claim, content = certificate.claim, certificate.to_json().encode()
    parts = [
        element(
            "p",
            f"A direction of the coefficients that settles {count_text(claim.n_settled)} of "
            f"{count_text(claim.stamp.n_rows)} comparisons and is exactly zero on the others, and "
            "positive multipliers of those, 1 unless they are written down, that balance them, so "
            "that no direction settles more. It can be checked without a solver and without trust "
            "in us.",
        )
    ]
    if len(content) <= LARGEST:
        href = "data:application/json;base64," + base64.b64encode(content).decode()
        link = element("a", f"Download {FILE}", download=FILE, href=href)
        parts.append(element("p", link, f" ({count_text(len(content))} bytes)", class_="download"))
    file, name = file_word(proof), data_word(source)
    written = file_word(rows or ROWS)
    checker = f"python checker.py {file} --rows {written}"
    if rows is None:
        checker = f"novikoff verify {file} {name} --rows {written}\n{checker}"
    if certificate.derivation is not None:
        parts.append(element("p", "With novikoff installed, from the file on:"))
        parts.append(element("pre", element("code", f"novikoff verify {file} {name}")))
        parts.append(element("p", "With nothing but Python, on the design table:"))
        parts.append(element("pre", element("code", checker)))
    else:
        parts.append(element("p", "In Python, on the design table with its response columns:"))
        code = f"novikoff.load_certificate({proof!r}).verify(table)"
        parts.append(element("pre", element("code", code)))
    return section("proof", "The proof", *parts)


def _facts(verdict: RegressionVerdict) -> Markup:
    given = verdict.given
    pairs: list[tuple[str, object]] = [
        ("model", verdict.model),
        *label_fact(given.reading),
        ("observations", count_text(verdict.n_rows)),
        ("comparisons", count_text(verdict.rows.table.n_rows)),
        ("coefficients", count_text(len(verdict.coefficients))),
        ("numbers", "binary64" if given.table is None else given.table.numbers),
        ("decided in", f"{verdict.seconds:.3g} s"),
    ]
    pairs += [("note", note) for note in verdict.notes]
    return section("data", "The data", facts("The model and its data", pairs))


def _short(value: object) -> str:
    return shortened(value, 24)
