"""The data that the verdict speaks of, and how it was reached."""

from __future__ import annotations

import novikoff
from novikoff.certificates import Stamp
from novikoff.report.markup import Markup, element, facts, section, shortened, table
from novikoff.report.numerals import count_text, seconds_text
from novikoff.verdicts.verdict import Verdict
from novikoff.verdicts.words import numbers_in_words

NUMBERS = {
    "binary64": "binary64: each float as the binary number that it is",
    "decimal": "decimal: as written, without rounding",
    "rational": "rational: as given, without rounding",
}


def stamp_of(verdict: Verdict) -> Stamp:
    """What identifies the data, with or without a certificate."""
    if verdict.certificate is not None:
        stamp: Stamp = verdict.certificate.stamp
        return stamp
    return Stamp.of(
        verdict.signed_rows.table, verdict.labels, verdict.fit_intercept, reading=verdict.reading
    )


def data_section(verdict: Verdict, source: str | None) -> Markup:
    stamp = stamp_of(verdict)
    signs = verdict.labels.signs
    positive = int((signs > 0).sum())
    pairs: list[tuple[str, object]] = [("source", source)] if source else []
    pairs += [
        ("rows", count_text(stamp.n_rows)),
        ("columns", count_text(stamp.n_columns)),
        ("label of sign +", f"{shortened(stamp.positive)} ({count_text(positive)} rows)"),
        (
            "label of sign −",
            f"{shortened(stamp.negative)} ({count_text(len(signs) - positive)} rows)",
        ),
    ]
    if stamp.label is not None:
        pairs.append(("label column", shortened(stamp.label)))
    if stamp.reading is not None:
        left_out = stamp.reading.n_left_out
        if left_out:
            pairs.append(("rows left out", count_text(left_out)))
        pairs += [("reading", shortened(note, 400)) for note in stamp.reading.notes]
    pairs += [("rounding", shortened(note, 400)) for note in verdict.rounding]
    pairs += [
        ("numbers", _numbers(stamp)),
        ("layout", stamp.layout),
        ("hyperplanes", "with an offset" if stamp.offset else "through the origin only"),
        ("digest", element("code", stamp.digest)),
    ]
    about = element(
        "p",
        "The digest is a SHA-256 over all numbers and signs. A proof is refused for data with "
        "another one.",
    )
    return section("data", "The data", facts("What the verdict speaks of", pairs), about)


def _numbers(stamp: Stamp) -> str:
    words = numbers_in_words(stamp.numbers, stamp.reading)
    if words.endswith("as given"):
        return NUMBERS.get(stamp.numbers, stamp.numbers)
    return f"binary64: the {words}, each as the binary number that it is"


def decided_section(verdict: Verdict) -> Markup:
    done = verdict.certificate is not None
    pairs: list[tuple[str, object]] = [
        ("outcome", f"{verdict.status}{', checked exactly' if done else ''}"),
        ("in all", seconds_text(verdict.seconds)),
    ]
    if verdict.how:
        pairs.insert(1, ("decided by" if done else "tried", ", then ".join(verdict.how)))
    pairs.append(("software", f"novikoff {novikoff.__version__}"))
    content = [facts("How the verdict was reached", pairs)]
    if verdict.stages:
        entries = [(name, seconds_text(spent)) for name, spent in verdict.stages.items()]
        content.append(table("Time in each stage", ["stage", "time"], entries, numeric=[1]))
    return section("decided", "How it was decided", *content)
