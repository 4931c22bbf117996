"""The whole page of any answer: what is true first, then what it rests on."""

from __future__ import annotations

import os
from importlib.resources import files
from typing import cast

import novikoff
from novikoff.display.style import require_matplotlib
from novikoff.files import write_whole
from novikoff.regression.verdict import RegressionVerdict
from novikoff.report.markup import Markup, element, escaped, facts, joined, section, shortened
from novikoff.report.proof import proof_section
from novikoff.report.regression import regression_contents
from novikoff.report.tables import Contents, Pairs, count_text
from novikoff.report.two_classes import fewest_contents, verdict_contents
from novikoff.verdicts.answer import Answer, numbers_in_words
from novikoff.verdicts.fewest_answer import FewestMistakes
from novikoff.verdicts.verdict import Verdict

LONGEST_NOTE = 400  # characters
NUMBERS = {
    "binary64": "binary64: each float as the binary number that it is",
    "decimal": "decimal: as written, without rounding",
    "rational": "rational: as given, without rounding",
}
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
    if isinstance(answer, RegressionVerdict):
        contents = regression_contents(answer)
    else:
        require_matplotlib("the pictures of a report need")
        if isinstance(answer, FewestMistakes):
            contents = fewest_contents(answer)
        else:
            contents = verdict_contents(cast("Verdict", answer))
    status = element("span", contents.status, class_=f"status {contents.grade}")
    main = joined(
        [
            element("h1", name or contents.heading, " ", status),
            element("p", answer.sentence(), class_="answer"),
            *contents.sections,
            proof_section(answer, source, proof, rows),
            _decided(answer, contents.status),
            _data(answer, name, contents),
        ]
    )
    return _PAGE.format(
        policy=POLICY,
        title=escaped(f"{name or contents.heading}: {contents.status} – novikoff"),
        style=files("novikoff.report").joinpath("style.css").read_text(encoding="utf-8"),
        main=main,
        version=escaped(novikoff.__version__),
    )


def _decided(answer: Answer, status: str) -> Markup:
    """How the answer was reached."""
    is_done = answer.certificate is not None
    pairs: Pairs = [("outcome", f"{status}{', checked exactly' if is_done else ''}")]
    if answer.how:
        pairs.append(("decided by" if is_done else "tried", ", then ".join(answer.how)))
    spent = f"{answer.seconds:.3g} s" if answer.seconds >= 1e-3 else "under 1 ms"
    pairs += [("in all", spent), ("software", f"novikoff {novikoff.__version__}")]
    return section("decided", "How it was decided", facts("How the answer was reached", pairs))


def _data(answer: Answer, source: str | None, contents: Contents) -> Markup:
    """What the answer speaks of."""
    stamp, reading = contents.stamp, answer.reading
    pairs: Pairs = [("source", source)] if source else []
    pairs += contents.data
    if answer.label is not None or stamp.label is not None:
        pairs.append(("label column", shortened(answer.label or stamp.label)))
    if reading is not None and reading.n_left_out:
        pairs.append(("rows left out", count_text(reading.n_left_out)))
    pairs += [("note", shortened(note, LONGEST_NOTE)) for note in answer.notes]
    numbers = numbers_in_words(answer.numbers, reading)
    if numbers.endswith("as given"):
        numbers = NUMBERS.get(answer.numbers, answer.numbers)
    else:
        numbers = f"binary64: the {numbers}, each as the binary number that it is"
    pairs += [("numbers", numbers), ("digest", element("code", stamp.digest))]
    about = element(
        "p",
        "The digest is a SHA-256 over all numbers and signs. A proof is refused for data with "
        "another one.",
    )
    return section("data", "The data", facts("What the answer speaks of", pairs), about)


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
