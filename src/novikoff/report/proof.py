"""The certificate inside the page, and the commands that check it."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from novikoff.certificates import Claim, Mistakes
from novikoff.regression.verdict import RegressionVerdict
from novikoff.report.markup import Markup, element, section
from novikoff.report.numerals import count_text
from novikoff.verdicts.answer import Answer
from novikoff.wording import file_word

LARGEST_EMBEDDED = 1_200_000  # bytes of a proof inside the page, a third longer as base64
FILE, ROWS = "proof.json", "rows.csv"
# Options of reading with which a table is still the cells of its file as they stand.
PLAIN = {"format", "label", "header", "delimiter", "decimal", "numbers", "labels", "missing"}


def proof_section(
    answer: Answer, source: str | None, proof: str | None = None, rows: str | None = None
) -> Markup:
    """What the proof says, the proof itself, and how to check it."""
    certificate = answer.certificate
    if certificate is None:
        why = getattr(answer, "why_undecided", None)
        return section("proof", "The proof", element("p", f"There is none: {why}."))
    content = certificate.to_json().encode()
    size = f"{count_text(len(content))} bytes"
    trust = "It can be checked without a solver and without trust in us."
    parts = [element("p", f"The certificate is {_in_words(answer)} ", trust)]
    if len(content) <= LARGEST_EMBEDDED:
        href = "data:application/json;base64," + base64.b64encode(content).decode()
        link = element("a", f"Download {FILE}", download=FILE, href=href)
        parts.append(element("p", link, f" ({size})", class_="download"))
    else:
        command = "fewest" if isinstance(certificate, Mistakes) else "certify"
        parts.append(
            element(
                "p",
                f"With {size} it is too large for this page. Save it with ",
                element("code", f'certificate.save("{FILE}")'),
                ", or with ",
                element("code", f"--proof {FILE}"),
                f" beside the other options of novikoff {command}.",
            )
        )
    commands = _of_regression if isinstance(answer, RegressionVerdict) else _commands
    parts += commands(certificate, source, proof or FILE, rows)
    return section("proof", "The proof", *parts)


def _in_words(answer: Answer) -> str:
    certificate = answer.certificate
    if isinstance(answer, RegressionVerdict):
        return _regression(certificate, answer.comparison_rows.table.n_rows)
    return _mistakes(certificate) if isinstance(certificate, Mistakes) else _claim(certificate)


def _mistakes(certificate: Mistakes) -> str:
    several = f"{count_text(len(certificate.obstructions))} obstructions, each of which has a row "
    several += "that any hyperplane gets wrong"
    if certificate.weights is None:
        return "an obstruction: trusted rows whose signed, weighted sum is zero."
    return (
        f"the hyperplane, whose mistakes cost {certificate.upper}, and {several}. By "
        f"{certificate.method} they show that any hyperplane's cost at least {certificate.lower}."
    )


def _regression(claim: Claim, n_comparisons: int) -> str:
    return (
        f"a direction of the coefficients that settles {count_text(claim.n_settled)} of "
        f"{count_text(n_comparisons)} comparisons and is exactly zero on the others, and "
        "positive multipliers of those, 1 unless they are written down, that balance them, so that "
        "no direction settles more."
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


def _checked_by(why: str, command: str) -> list[Markup]:
    return [element("p", why), element("pre", element("code", command))]


def _by_rows(file: str, name: str, rows: str | None) -> str:
    """The commands that write the rows of a proof, if need be, and check it on them."""
    table = file_word(rows or ROWS)
    checker = f"python checker.py {file} {table}"
    return (
        checker if rows is not None else f"novikoff verify {file} {name} --rows {table}\n{checker}"
    )


def _of_regression(
    certificate: Claim, source: str | None, proof: str, rows: str | None
) -> list[Markup]:
    if certificate.stamp.derivation is None:
        code = f"novikoff.load_certificate({proof!r}).verify(table)"
        return _checked_by("In Python, on the design table with its response columns:", code)
    file, name = file_word(proof), data_word(source)
    return [
        *_checked_by(
            "With novikoff installed, from the file on:", f"novikoff verify {file} {name}"
        ),
        *_checked_by("With nothing but Python, on the design table:", _by_rows(file, name, rows)),
    ]


def _commands(certificate: Any, source: str | None, proof: str, rows: str | None) -> list[Markup]:
    """The very commands that check this proof: what it rests on, it says itself."""
    name, file = data_word(source), file_word(proof)
    reading = certificate.stamp.reading
    checker = f"python checker.py {file} {name}"
    alone = "With nothing but Python, on a CSV file; "
    if reading is None:
        checker = f"python checker.py {file} {name if _is_file(source) else 'data.csv'}"
    elif not _is_plain(reading, name):
        checker = _by_rows(file, name, rows)
        alone = (
            "With nothing but Python, once the very rows that the proof is about are written as "
            "plain numbers; "
        )
    alone += "checker.py is one file of the package (novikoff/certificates/checker.py), which may "
    alone += "be copied anywhere:"
    in_python = "In Python" + (":" if reading else ", where X and y are the data:")
    return [
        *_checked_by("With novikoff installed:", f"novikoff verify {file} {name}"),
        *_checked_by(alone, checker),
        *_checked_by(in_python, _in_python(source, proof, reading is not None)),
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
