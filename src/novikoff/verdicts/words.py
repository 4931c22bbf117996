"""A verdict in words: a sentence for a paper, then the rows and columns by name."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from novikoff.verdicts.verdict import Verdict

MANY = 20


def as_text(verdict: Verdict) -> str:
    """The sentence, a blank line, and one aligned line for each fact."""
    facts = facts_of(verdict)
    width = max(len(name) for name, _ in facts)
    lines = [f"  {name:<{width}}  {text}" for name, text in facts]
    return "\n".join([sentence(verdict), "", *lines])


def as_html(verdict: Verdict) -> str:
    """The same for a notebook."""
    cells = "".join(
        f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
        f"<td style='text-align:left'>{html.escape(text)}</td></tr>"
        for name, text in facts_of(verdict)
    )
    return f"<p>{html.escape(sentence(verdict))}</p><table>{cells}</table>"


def sentence(verdict: Verdict) -> str:
    """What is true, in a sentence or two that a paper can quote."""
    negative, positive = (repr(label) for label in verdict.labels.classes)
    size = f"{_count(verdict.n_rows, 'row')} and {_count(verdict.n_columns, 'column')}"
    plane = "hyperplane" if verdict.fit_intercept else "hyperplane through the origin"
    exact = f"exact for the {verdict.numbers} numbers as given"
    if verdict.status == "separable":
        return (
            f"The classes {negative} and {positive} ({size}) are linearly separable: a {plane} has "
            f"every row strictly on its side ({exact}). A logistic regression on these columns "
            "has no maximum-likelihood estimate: complete separation."
        )
    if verdict.status == "quasi-separable":
        return (
            f"The classes {negative} and {positive} ({size}) are quasi-separable: a {plane} has no "
            f"row on its wrong side, but none has every row strictly on its side ({exact}). A "
            "logistic regression on these columns has no finite maximum-likelihood estimate: "
            "quasi-complete separation."
        )
    if verdict.status == "overlapping":
        return (
            f"The classes {negative} and {positive} ({size}) overlap: no {plane} separates them, "
            f"not even weakly ({exact}). A logistic regression on these columns has a finite "
            f"maximum-likelihood estimate{_how_unique(verdict)}."
        )
    return (
        f"It is undecided whether a {plane} separates the classes {negative} and {positive} "
        f"({size}): the time limit ended the search after {verdict.seconds:.3g} s. A separator "
        f"would have a margin of at most {verdict.margin[1]:.6g}."
    )


def _how_unique(verdict: Verdict) -> str:
    """Whether a finite estimate is the only one."""
    collinear = verdict.collinear_if_quick()
    if collinear is None:
        return ", a unique one unless columns are collinear"
    if not collinear:
        return ""
    if len(collinear) == 1:
        name = next(iter(collinear))
        return f", but not a unique one: {collinear.why(name) or f'column {name!r} is collinear'}"
    return (
        f", but not a unique one: {len(collinear)} columns are combinations of the offset and of "
        "columns before them"
        if verdict.fit_intercept
        else f", but not a unique one: {len(collinear)} columns are combinations of others"
    )


def facts_of(verdict: Verdict) -> list[tuple[str, str]]:
    """Name and text of everything else that is worth a line."""
    facts: list[tuple[str, str]] = []
    if verdict.status == "separable":
        lower, upper = verdict.margin
        facts.append(("margin", f"{lower:.6g} to {upper:.6g}{_with_one(verdict)}"))
        facts.append(("radius", f"{verdict.radius:.6g}{_with_one(verdict)}"))
        facts.append(("mistakes", f"at most {_bound(verdict)} of a perceptron from zeros"))
    if verdict.rows:
        facts.append(("rows", f"{_listed(verdict.rows)}, {_what_rows_do(verdict)}"))
        if verdict.signed_rows.table.index is not None:
            facts.append(("index", f"{_listed(verdict.row_names)}, the same rows by name"))
    if verdict.status in ("separable", "quasi-separable"):
        facts.append(("infinite", _columns(verdict)))
    if (collinear := collinear_text(verdict)) is not None:
        facts.append(("collinear", collinear))
    if verdict.reading is not None and verdict.reading.notes:
        facts.append(("reading", "; ".join(verdict.reading.notes)))
    if verdict.certificate is not None:
        facts.append(("proof", f"{type(verdict.certificate).__name__}, checked exactly"))
    how = f" by {', then '.join(verdict.how)}" if verdict.how else ""
    facts.append(
        ("decided" if verdict.certificate else "tried", f"in {verdict.seconds:.3g} s{how}")
    )
    return facts


def _what_rows_do(verdict: Verdict) -> str:
    if len(verdict.rows) == 1:
        return "counted from 0, is zero, so no hyperplane through the origin has it on a side"
    return "counted from 0, alone rule out a strict separator: look here for a wrong label"


def _columns(verdict: Verdict) -> str:
    columns = verdict.columns_if_quick()
    if columns is None:
        return "coefficients: ask for verdict.columns, which solves two programs a column"
    signs = {"+": "+∞", "-": "-∞", "either": "±∞"}
    named = [f"{name} ({signs[sign]})" for name, sign in columns.items()]
    listed = ", ".join(named[:MANY]) + f", … ({len(named)} in all)" * (len(named) > MANY)
    return f"{'coefficient of' if len(named) == 1 else 'coefficients of'} {listed}"


def collinear_text(verdict: Verdict) -> str | None:
    """The columns whose coefficients are not determined, and why; None where there are none."""
    collinear = verdict.collinear_if_quick()
    if collinear is None:
        least = verdict.n_columns + verdict.fit_intercept - verdict.n_rows
        sure = f"at least {_count(least, 'column')}, of so few rows; " if least > 0 else ""
        return f"{sure}ask for verdict.collinear, which is more work than printing should be"
    if not collinear:
        return None
    shown = list(collinear)[:MANY]
    parts = [why for name in shown if (why := collinear.why(name)) is not None]
    others = [name for name in shown if collinear.why(name) is None]
    if others:
        named = ", ".join(map(repr, others))
        many = len(others) > 1
        parts.append(
            f"column{'s' * many} {named} depend{'s' * (not many)} on columns before "
            f"{'them' if many else 'it'}"
        )
    more = f"; … ({len(collinear)} in all)" * (len(collinear) > MANY)
    its = "its coefficient is" if len(collinear) == 1 else "their coefficients are"
    return f"{'; '.join(parts)}{more}: {its} not determined"


def _bound(verdict: Verdict) -> str:
    bound = verdict.mistake_bound
    if bound is None:
        return "finitely many"
    return str(bound) if bound < 10**15 else f"10^{math.ceil(math.log10(bound))}"


def _with_one(verdict: Verdict) -> str:
    return ", of the rows with their constant 1" if verdict.fit_intercept else ""


def _listed(rows: tuple[Any, ...]) -> str:
    shown = ", ".join(map(str, rows[:MANY]))
    return shown + f", … ({len(rows)} in all)" * (len(rows) > MANY)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def table_text(headers: list[str], lines: list[list[str]]) -> str:
    """A plain table, each column as wide as its widest entry."""
    widths = [max(len(line[k]) for line in [headers, *lines]) for k in range(len(headers))]
    rule = ["-" * width for width in widths]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in [headers, rule, *lines]
    )


def table_html(headers: list[str], lines: list[list[str]]) -> str:
    def row(cells: list[str], tag: str) -> str:
        inner = "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells)
        return f"<tr>{inner}</tr>"

    body: list[Any] = [row(headers, "th"), *(row(line, "td") for line in lines)]
    return f"<table>{''.join(body)}</table>"
