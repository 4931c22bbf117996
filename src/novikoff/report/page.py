"""The whole page of any answer: what is true first, then what it rests on."""

from __future__ import annotations

import os
from importlib.resources import files

import novikoff
from novikoff.files import write_whole
from novikoff.regression.verdict import RegressionVerdict
from novikoff.report.contents import Contents
from novikoff.report.data import data_section, decided_section
from novikoff.report.drawing import require_matplotlib
from novikoff.report.fewest import fewest_contents
from novikoff.report.markup import element, escaped, joined, shortened
from novikoff.report.proof import proof_section
from novikoff.report.regression import regression_contents
from novikoff.report.two_classes import verdict_contents
from novikoff.verdicts.answer import Answer
from novikoff.verdicts.fewest_answer import FewestMistakes
from novikoff.verdicts.verdict import Verdict

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)


def write_report(
    answer: Answer,
    path: str | os.PathLike[str],
    source: str | None = None,
    proof: str | None = None,
    rows: str | None = None,
) -> None:
    """Write the page, whole or not at all: see `Answer.report`."""
    write_whole(path, report_html(answer, source, proof, rows).encode("utf-8", "replace"))


def report_html(
    answer: Answer, source: str | None = None, proof: str | None = None, rows: str | None = None
) -> str:
    """The page as text."""
    name = shortened(source, 200) if source else None
    contents = _contents(answer)
    status = element("span", contents.status, class_=f"status {contents.grade}")
    main = joined(
        [
            element("h1", name or contents.heading, " ", status),
            element("p", answer.sentence(), class_="answer"),
            *contents.sections,
            proof_section(answer, source, proof, rows),
            decided_section(answer, contents.status, contents.stages),
            data_section(answer, name, contents.data, contents.stamp),
        ]
    )
    return _PAGE.format(
        policy=POLICY,
        title=escaped(f"{name or contents.heading}: {contents.status} – novikoff"),
        style=files("novikoff.report").joinpath("style.css").read_text(encoding="utf-8"),
        main=main,
        version=escaped(novikoff.__version__),
    )


def _contents(answer: Answer) -> Contents:
    if isinstance(answer, RegressionVerdict):
        return regression_contents(answer)
    require_matplotlib()
    if isinstance(answer, FewestMistakes):
        return fewest_contents(answer)
    if isinstance(answer, Verdict):
        return verdict_contents(answer)
    raise TypeError(f"there is no page for a {type(answer).__name__}.")


_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
{main}
</main>
<footer><p>Made by novikoff {version}: perceptrons that prove their answers.</p></footer>
</body>
</html>
"""
