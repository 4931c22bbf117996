"""The data that an answer speaks of, and how the answer was reached."""

from __future__ import annotations

import novikoff
from novikoff.certificates import Stamp
from novikoff.report.markup import Markup, element, facts, section, shortened, table
from novikoff.report.numerals import count_text, seconds_text
from novikoff.verdicts.answer import Answer, numbers_in_words

LONGEST_NOTE = 400  # characters
NUMBERS = {
    "binary64": "binary64: each float as the binary number that it is",
    "decimal": "decimal: as written, without rounding",
    "rational": "rational: as given, without rounding",
}

Pairs = list[tuple[str, object]]


def data_section(answer: Answer, source: str | None, own: Pairs, stamp: Stamp) -> Markup:
    """What the answer speaks of; `own` are facts that this kind of answer alone has."""
    pairs: Pairs = [("source", source)] if source else []
    pairs += own
    if answer.label is not None or stamp.label is not None:
        pairs.append(("label column", shortened(answer.label or stamp.label)))
    if answer.reading is not None and answer.reading.n_left_out:
        pairs.append(("rows left out", count_text(answer.reading.n_left_out)))
    pairs += [("note", shortened(note, LONGEST_NOTE)) for note in answer.notes]
    pairs += [("numbers", _numbers(answer)), ("digest", element("code", stamp.digest))]
    about = element(
        "p",
        "The digest is a SHA-256 over all numbers and signs. A proof is refused for data with "
        "another one.",
    )
    return section("data", "The data", facts("What the answer speaks of", pairs), about)


def _numbers(answer: Answer) -> str:
    words = numbers_in_words(answer.numbers, answer.reading)
    if words.endswith("as given"):
        return NUMBERS.get(answer.numbers, answer.numbers)
    return f"binary64: the {words}, each as the binary number that it is"


def decided_section(answer: Answer, outcome: str, stages: dict[str, float] | None) -> Markup:
    is_done = answer.certificate is not None
    pairs: Pairs = [("outcome", f"{outcome}{', checked exactly' if is_done else ''}")]
    if answer.how:
        pairs.append(("decided by" if is_done else "tried", ", then ".join(answer.how)))
    pairs.append(("in all", seconds_text(answer.seconds)))
    pairs.append(("software", f"novikoff {novikoff.__version__}"))
    content = [facts("How the answer was reached", pairs)]
    if stages:
        entries = [(name, seconds_text(spent)) for name, spent in stages.items()]
        content.append(table("Time in each stage", ["stage", "time"], entries, numeric=[1]))
    return section("decided", "How it was decided", *content)
