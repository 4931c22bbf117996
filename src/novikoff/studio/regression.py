"""What a verdict means to a statistician: the remark on logistic regression, the coefficients that
are infinite, and the blocking rows with all their columns."""

from __future__ import annotations

from novikoff.report.numerals import cells
from novikoff.studio.fields import Fact, Regression
from novikoff.studio.state import State
from novikoff.verdicts.answer import SIGNS
from novikoff.verdicts.verdict import Verdict
from novikoff.wording import count

SECONDS = 20.0  # for the signs of infinite coefficients, in the background
MOST_ROWS, MOST_COLUMNS = 60, 60  # of the table of blocking rows
REMARKS = {
    "separable": "Complete separation: a logistic regression on these columns has no "
    "maximum-likelihood estimate.",
    "quasi-separable": "Quasi-complete separation: a logistic regression on these columns has no "
    "finite maximum-likelihood estimate.",
    "overlapping": "A logistic regression on these columns has a finite maximum-likelihood "
    "estimate.",
    "undecided": "Whether a logistic regression on these columns has a finite estimate is not "
    "decided.",
}


def regression(verdict: Verdict, state: State) -> Regression:
    """The card's part for a statistician."""
    table = verdict.signed_rows.table
    found = verdict.columns_if_quick(SECONDS)
    infinite: list[Fact] = [
        {"name": name, "value": SIGNS.get(word, word)} for name, word in (found or {}).items()
    ]
    remark = REMARKS[verdict.status]
    if verdict.status in ("separable", "quasi-separable"):
        if found is None:
            remark += " Which coefficients are infinite was not searched for: the table is large."
        else:
            some = count(len(infinite), "coefficient")
            remark += f" {some} {'is' if len(infinite) == 1 else 'are'} infinite."
    collinear = verdict.collinear_if_quick()
    if collinear:
        names = ", ".join(str(name) for name in list(collinear)[:6])
        remark += f" Collinear, and so not determined: {names}{', …' * (len(collinear) > 6)}."
    width = min(table.n_columns, MOST_COLUMNS)
    blocking = [i for i in verdict.rows[:MOST_ROWS].tolist() if i < state.n_rows]
    return {
        "remark": remark,
        "infinite": infinite,
        "header": ["row", "class", *(table.column_name(j) for j in range(width))],
        "rows": [[str(i + 1), state.classes[state.codes[i]], *cells(table, i, width)]
                 for i in blocking],
        "more": f"The first {width} of {table.n_columns} columns."
        if width < table.n_columns
        else "",
    }  # fmt: skip
