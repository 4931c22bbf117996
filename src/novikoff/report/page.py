"""The whole page: the answer first, then what it rests on."""

from __future__ import annotations

import os
from importlib.resources import files

import novikoff
from novikoff.files import write_whole
from novikoff.report.bound import audited_run, bound_section
from novikoff.report.causes import causes_section
from novikoff.report.drawing import require_matplotlib
from novikoff.report.facts import data_section, decided_section
from novikoff.report.hyperplane import hyperplane_of
from novikoff.report.markup import Markup, element, escaped, joined, shortened
from novikoff.report.pictures import boundary_picture, run_pictures
from novikoff.report.proof import proof_section
from novikoff.verdicts.verdict import Verdict
from novikoff.verdicts.words import sentence

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)


def write_report(
    verdict: Verdict,
    path: str | os.PathLike[str],
    source: str | None = None,
    proof: str | None = None,
    rows: str | None = None,
) -> None:
    """Write the page, whole or not at all: see `Verdict.report`."""
    write_whole(path, report_html(verdict, source, proof, rows).encode("utf-8", "replace"))


def report_html(
    verdict: Verdict,
    source: str | None = None,
    proof: str | None = None,
    rows: str | None = None,
) -> str:
    """The page as text."""
    require_matplotlib()
    name = shortened(source, 200) if source else None
    plane = hyperplane_of(verdict)
    audited = audited_run(verdict, plane)
    title = f"{name or 'Two classes'}: {verdict.status}"
    main = joined(
        [
            _answer(verdict, name),
            boundary_picture(verdict, plane),
            causes_section(verdict, plane),
            bound_section(verdict, audited, *run_pictures(audited)),
            proof_section(verdict, source, proof, rows),
            decided_section(verdict),
            data_section(verdict, name),
        ]
    )
    return whole_page(title, main)


def whole_page(title: str, main: Markup) -> str:
    """The page around its content."""
    return _PAGE.format(
        policy=POLICY,
        title=escaped(f"{title} – novikoff"),
        style=files("novikoff.report").joinpath("style.css").read_text(encoding="utf-8"),
        main=main,
        version=escaped(novikoff.__version__),
    )


def _answer(verdict: Verdict, name: str | None) -> Markup:
    kind = {"separable": "good", "overlapping": "bad"}.get(verdict.status, "maybe")
    status = element("span", verdict.status, class_=f"status {kind}")
    heading = element("h1", name or "Is there a separating hyperplane?", " ", status)
    return joined([heading, element("p", sentence(verdict), class_="answer")])


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
