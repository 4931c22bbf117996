"""The mistake bound, and a run of the perceptron that is audited against it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from novikoff.report.markup import Markup, element, facts, section, table
from novikoff.report.numerals import count_text
from novikoff.runs.audit import Audit
from novikoff.runs.inequalities import Check
from novikoff.runs.run import Run, trace
from novikoff.verdicts.hyperplane import Hyperplane
from novikoff.verdicts.max_margin import max_margin
from novikoff.verdicts.verdict import Verdict
from novikoff.verdicts.words import bound_facts
from novikoff.wording import plural

MOST_AUDITED_MISTAKES = 5000
MOST_WORK = 300_000_000  # numbers that a run may read
MOST_AUDITED_ROWS, MOST_AUDITED_CELLS = 100_000, 5_000_000  # of data for which a run is audited
LARGEST_RADIUS = 1e150  # radius; beyond it squares leave the range of floats
MOST_SEARCHED_CELLS = 200_000  # cells up to which the largest margin is looked for
SEARCH_SECONDS = 10.0


@dataclass(frozen=True, eq=False)
class AuditedRun:
    """A run from zeros over the rows in order, and what the theorem promises of it."""

    run: Run
    audit: Audit
    margin_source: str  # where the γ of the audit is from


def audited_run(verdict: Verdict, plane: Hyperplane | None) -> AuditedRun | None:
    """A run on separable data of a size for which that is a matter of seconds."""
    n_cells = verdict.n_rows * (verdict.n_columns + 1)
    if verdict.status != "separable" or plane is None:
        return None
    if (
        verdict.n_rows > MOST_AUDITED_ROWS
        or n_cells > MOST_AUDITED_CELLS
        or not 1 / LARGEST_RADIUS < verdict.radius < LARGEST_RADIUS
    ):
        return None
    run = trace(
        verdict.signed_rows.table,
        verdict.labels.signs,
        fit_intercept=verdict.fit_intercept,
        max_iter=max(1, min(1000, MOST_WORK // n_cells)),
        max_mistakes=MOST_AUDITED_MISTAKES,
        positive=1,
    )
    separator: Any = plane.floats
    source = "of the certificate"
    if n_cells <= MOST_SEARCHED_CELLS:
        separator = max_margin(verdict, time_limit=SEARCH_SECONDS).separator
        source = "the largest, to six figures"
    return AuditedRun(run, run.audit(separator=separator), source)


def bound_section(verdict: Verdict, audited: AuditedRun | None, *pictures: Markup) -> Markup:
    parts = [facts("Radius, margin and bound", bound_facts(verdict, narrowed=True))]
    if audited is not None:
        parts += [_what_ran(audited.run), _checks(audited), *pictures]
    elif verdict.status == "separable":
        parts.append(
            element(
                "p",
                "No run is audited here, because the data is large or its numbers are extreme; "
                "novikoff.trace(X, y).audit() does it.",
            )
        )
    return section("bound", "The mistake bound", *parts)


def _what_ran(run: Run) -> Markup:
    passes = f"{count_text(run.n_passes)} {plural(run.n_passes, 'pass')}"
    mistakes = f"{count_text(run.n_mistakes)} {plural(run.n_mistakes, 'mistake')}"
    if run.converged:
        ending = f"made {mistakes} in {passes}; the last pass was without one."
    else:
        ending = f"was stopped after {mistakes} in {passes}, before it had converged."
    return element("p", f"A perceptron from zeros, over the rows in their order, {ending}")


def _checks(audited: AuditedRun) -> Markup:
    audit = audited.audit
    entries = [[check.formula, *_outcome(check)] for check in audit.checks]
    caption = f"The inequalities of the proof at every k = 0 … {count_text(audit.n_mistakes)}"
    if audit.margin is not None:
        caption += f", for R = {audit.radius:.6g} and γ = {audit.margin:.6g}"
        caption += f" ({audited.margin_source})"
    return table(caption, ["inequality", "outcome", "smallest slack"], entries, numeric=[2])


def _outcome(check: Check) -> tuple[str, str]:
    slack = "" if check.slack is None else f"{check.slack:.3g}"
    if check.holds is None:
        return f"not checked: {check.note}", slack
    if check.holds:
        return "holds", slack
    return f"FAILS, first at k = {check.first_failure}", slack
