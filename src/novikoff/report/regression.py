"""The page of a regression's verdict: its coefficients, and observations with their columns."""

from __future__ import annotations

from novikoff.regression.decide import stamp_of
from novikoff.regression.verdict import RegressionVerdict
from novikoff.report.markup import Markup, element, section, shortened, table
from novikoff.report.tables import Contents, count_text, first_of, row_label, rows_table
from novikoff.verdicts.answer import SIGNS, collinear_text, runs_of

MOST_COEFFICIENTS = 500
MOST_OBSERVATIONS = 200
ESTIMATES = {**SIGNS, "either": "not determined: may be anything"}


def regression_contents(fit: RegressionVerdict) -> Contents:
    """What a page shows of a regression's verdict."""
    return Contents(
        f"A {fit.model} model",
        fit.status,
        "good" if fit.status == "finite" else "bad" if fit.status == "infinite" else "maybe",
        [_coefficients(fit), _observations(fit)],
        [
            ("model", fit.model),
            ("observations", count_text(fit.n_rows)),
            ("comparisons", count_text(fit.comparison_rows.table.n_rows)),
            ("coefficients", count_text(len(fit.coefficients))),
        ],
        stamp_of(fit.given) if fit.certificate is None else fit.certificate.stamp,
    )


def _coefficients(fit: RegressionVerdict) -> Markup:
    infinite, collinear = fit.infinite, fit.collinear_if_quick()
    entries = []
    for name in fit.coefficients[:MOST_COEFFICIENTS]:
        if name in (collinear or ()):
            said = "not determined: it depends on columns before it"
        elif infinite is None:
            said = "not decided"
        else:
            said = ESTIMATES[infinite[name]] if name in infinite else "finite"
        entries.append([name, said])
    caption = "Coefficients and what their estimates are"
    caption += first_of(MOST_COEFFICIENTS, len(fit.coefficients))
    parts = [table(caption, ["coefficient", "estimate"], entries)]
    if collinear:
        parts.append(element("p", f"Collinear columns: {collinear_text(collinear)}."))
    return section("coefficients", "The coefficients", *parts)


def _observations(fit: RegressionVerdict) -> Markup:
    given = fit.given
    if fit.separated is None:
        return section("rows", "The observations", element("p", "Nothing is known of them."))
    separated = fit.separated.tolist()
    if not separated and not fit.comparisons:
        said = "None is predicted perfectly."
        return section("rows", "The observations", element("p", said))
    parts = []
    if separated:
        place = {number: k for k, number in enumerate(given.numbers.tolist())}
        rows = []
        for number in separated[:MOST_OBSERVATIONS]:
            k = place[number]
            response = [shortened(column[k], 24) for column in given.response.values()]
            rows.append((k, row_label(number, given, number), response))
        caption = "Observations that are predicted perfectly, with their columns"
        caption += first_of(MOST_OBSERVATIONS, len(separated))
        head = list(given.response)
        parts.append(rows_table(caption, given.table, head, rows, numeric=range(len(head))))
        parts.append(element("p", f"All of them: {runs_of(separated)}."))
    if fit.comparisons:
        caption = f"Strict comparisons{first_of(MOST_OBSERVATIONS, len(fit.comparisons))}"
        few = fit.comparisons[:MOST_OBSERVATIONS]
        parts.append(table(caption, ["row (from 0)", "against"], few))
    found = fit.drop()
    parts.append(element("p", str(fit.why_no_drop) if found is None else f"Proposed: {found}."))
    return section("rows", "The observations that decide it", *parts)
