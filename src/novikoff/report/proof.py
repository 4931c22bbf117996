"""The certificate inside the page, and the commands that check it."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from novikoff.certificates import Claim, Mistakes
from novikoff.report.markup import Markup, element, section
from novikoff.report.numerals import count_text
from novikoff.verdicts.bracket import FewestMistakes
from novikoff.verdicts.verdict import Verdict
from novikoff.wording import file_word

LARGEST = 1_200_000  # bytes of a proof that still goes into the page, a third longer as base64
FILE, ROWS = "proof.json", "rows.csv"
# Options of reading with which a table is still the cells of its file as they stand.
PLAIN = {"format", "label", "header", "delimiter", "decimal", "numbers", "labels", "missing"}


def proof_section(
    verdict: Verdict | FewestMistakes,
    source: str | None,
    proof: str | None = None,
    rows: str | None = None,
) -> Markup:
    certificate = verdict.certificate
    if certificate is None:
        why = verdict.why_undecided if isinstance(verdict, Verdict) else None
        return section("proof", "The proof", element("p", f"There is none: {why}."))
    is_fewest = isinstance(certificate, Mistakes)
    result, command = ("few", "fewest") if is_fewest else ("verdict", "certify")
    content = certificate.to_json().encode()
    size = f"{count_text(len(content))} bytes"
    if isinstance(certificate, Mistakes):
        kind = f"The certificate is {_claim_of_mistakes(certificate)} "
    else:
        kind = f"The certificate is {_claim(certificate)} "
    parts = [element("p", kind, "It can be checked without a solver and without trust in us.")]
    if len(content) <= LARGEST:
        link = element(
            "a",
            f"Download {FILE}",
            download=FILE,
            href="data:application/json;base64," + base64.b64encode(content).decode(),
        )
        parts.append(element("p", link, f" ({size})", class_="download"))
    else:
        parts.append(
            element(
                "p",
                f"With {size} it is too large for this page. Save it with ",
                element("code", f'{result}.certificate.save("{FILE}")'),
                ", or with ",
                element("code", f"--proof {FILE}"),
                f" beside the other options of novikoff {command}.",
            )
        )
    parts += _commands(certificate, source, proof or FILE, rows)
    return section("proof", "The proof", *parts)


def _claim_of_mistakes(certificate: Mistakes) -> str:
    several = f"{count_text(len(certificate.obstructions))} obstructions, each of which has a row "
    several += "that any hyperplane gets wrong"
    if certificate.weights is None:
        return "an obstruction: trusted rows whose signed, weighted sum is zero."
    return (
        f"the hyperplane, whose mistakes cost {certificate.upper}, and {several}. By "
        f"{certificate.method} they show that any hyperplane's cost at least {certificate.lower}."
    )


def _claim(certificate: Claim) -> str:
    settled, core = count_text(certificate.n_settled), count_text(certificate.n_core)
    if certificate.status == "separable":
        return "weights with every row strictly on its side."
    balance = "positive multipliers, 1 unless they are written down, under which the signed sum of "
    if certificate.status == "overlapping":
        return f"{balance}all rows is zero, so that no weights move any row off the hyperplane."
    return (
        f"weights with {settled} rows strictly on their side and the other {core} on the "
        f"hyperplane, and {balance}those {core} rows is zero: no weights have more rows strictly "
        "on their side and none on the wrong one."
    )


def _commands(certificate: Any, source: str | None, proof: str, rows: str | None) -> list[Markup]:
    """The very commands that check this proof: what it rests on, it says itself."""
    name, file = data_word(source), file_word(proof)
    reading = certificate.stamp.reading
    checker = f"python checker.py {file} {name}"
    alone = "With nothing but Python, on a CSV file; "
    if reading is None:
        checker = f"python checker.py {file} {name if _is_file(source) else 'data.csv'}"
    elif not _is_plain(reading, name):
        table = file_word(rows or ROWS)
        checker = f"python checker.py {file} --rows {table}"
        if rows is None:
            checker = f"novikoff verify {file} {name} --rows {table}\n{checker}"
        alone = (
            "With nothing but Python, once the very rows that the proof is about are written as "
            "plain numbers; "
        )
    return [
        element("p", "With novikoff installed:"),
        element("pre", element("code", f"novikoff verify {file} {name}")),
        element(
            "p",
            alone,
            "checker.py is one file of the package (novikoff/certificates/checker.py), which may "
            "be copied anywhere:",
        ),
        element("pre", element("code", checker)),
        element("p", "In Python" + (":" if reading else ", where X and y are the data:")),
        element("pre", element("code", _in_python(source, proof, reading is not None))),
    ]


def _in_python(source: str | None, proof: str, is_read: bool) -> str:
    if not is_read:
        return f"novikoff.load_certificate({proof!r}).verify(X, y)"
    file = "data.csv" if source in (None, "-", "standard input") else str(source)
    return (
        f"proof = novikoff.load_certificate({proof!r})\n"
        f"X, y = novikoff.read({file!r}, **proof.stamp.reading.options)\n"
        "proof.verify(X, y)"
    )


def _is_plain(reading: Any, name: str) -> bool:
    """Whether the rows are the cells of a CSV file as they stand, so that the checker reads it."""
    options = reading.options
    derived = options.keys() - PLAIN
    derived |= {"decimal"} if options.get("decimal", ".") != "." else set()
    is_text = options.get("format") in ("csv", "tsv") and options.get("delimiter") in (
        ",",
        ";",
        "\t",
    )
    packed = name.endswith((".gz", ".bz2", ".xz", ".zst", ".zstd")) or "*" in name or "?" in name
    return is_text and not derived and not reading.left_out and not packed


def _is_file(source: str | None) -> bool:
    return bool(source and Path(source).suffix[1:].isalpha())


def data_word(source: str | None) -> str:
    """The data as a word of a shell command."""
    usual = source in (None, "-", "standard input")
    return "data.csv" if usual else file_word(str(source))
