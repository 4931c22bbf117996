"""The certificate inside the page, and the commands that check it."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from novikoff.certificates import Claim, Mistakes
from novikoff.regression.verdict import RegressionVerdict
from novikoff.report.markup import Markup, element, section
from novikoff.report.tables import count_text
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
        how = element("code", f'certificate.save("{FILE}")')
        option = element("code", f"--proof {FILE}")
        large = f"With {size} it is too large for this page. Save it with "
        parts.append(element("p", large, how, ", or with ", option, " at the command line."))
    commands = _of_regression if isinstance(answer, RegressionVerdict) else _of_two_classes
    for why, command in commands(certificate, source, proof or FILE, rows):
        parts += [element("p", why), element("pre", element("code", command))]
    return section("proof", "The proof", *parts)


def _in_words(answer: Answer) -> str:
    """What the certificate is."""
    certificate = answer.certificate
    if isinstance(certificate, Mistakes):
        if certificate.weights is None:
            return "an obstruction: trusted rows whose signed, weighted sum is zero."
        return (
            f"the hyperplane, whose mistakes cost {certificate.upper}, and "
            f"{count_text(len(certificate.obstructions))} obstructions, each of which has a row "
            f"that any hyperplane gets wrong. By {certificate.method} they show that any "
            f"hyperplane's cost at least {certificate.lower}."
        )
    settled, core = count_text(certificate.n_settled), count_text(certificate.n_core)
    balance = "positive multipliers, 1 unless they are written down, "
    if isinstance(answer, RegressionVerdict):
        return (
            f"a direction of the coefficients that settles {settled} of "
            f"{count_text(answer.comparison_rows.table.n_rows)} comparisons and is exactly zero on "
            f"the others, and {balance}of those that balance them, so that no direction settles "
            "more."
        )
    if certificate.status == "separable":
        return "weights with every row strictly on its side."
    balance += "under which the signed sum of "
    if certificate.status == "overlapping":
        return f"{balance}all rows is zero, so that no weights move any row off the hyperplane."
    return (
        f"weights with {settled} rows strictly on their side and the other {core} on the "
        f"hyperplane, and {balance}those {core} rows is zero: no weights have more rows strictly "
        "on their side and none on the wrong one."
    )


def _of_regression(
    certificate: Claim, source: str | None, proof: str, rows: str | None
) -> list[tuple[str, str]]:
    """The commands that check the proof of a regression, each with what it needs."""
    if certificate.stamp.derivation is None:
        code = f"novikoff.load_certificate({proof!r}).verify(table)"
        return [("In Python, on the design table with its response columns:", code)]
    file, name = file_word(proof), data_word(source)
    return [
        ("With novikoff installed, from the file on:", f"novikoff verify {file} {name}"),
        ("With nothing but Python, on the design table:", _by_rows(file, name, rows)),
    ]


def _of_two_classes(
    certificate: Any, source: str | None, proof: str, rows: str | None
) -> list[tuple[str, str]]:
    """The very commands that check this proof: what it rests on, it says itself."""
    name, file = data_word(source), file_word(proof)
    reading = certificate.stamp.reading
    code = f"novikoff.load_certificate({proof!r})"
    if reading is None:
        is_file = bool(source and Path(source).suffix[1:].isalpha())
        checker = f"python checker.py {file} {name if is_file else 'data.csv'}"
        in_python = ("In Python, where X and y are the data:", f"{code}.verify(X, y)")
    else:
        checker = f"python checker.py {file} {name}"
        data = "data.csv" if name == "data.csv" else str(source)
        read = f"X, y = novikoff.read({data!r}, **proof.stamp.reading.options)"
        in_python = ("In Python:", f"proof = {code}\n{read}\nproof.verify(X, y)")
    alone = "on a CSV file; "
    if reading is not None and not _is_plain(reading, name):
        checker = _by_rows(file, name, rows)
        alone = "once the very rows that the proof is about are written as plain numbers; "
    return [
        ("With novikoff installed:", f"novikoff verify {file} {name}"),
        (
            f"With nothing but Python, {alone}checker.py is one file of the package "
            "(novikoff/certificates/checker.py), which may be copied anywhere:",
            checker,
        ),
        in_python,
    ]


def _by_rows(file: str, name: str, rows: str | None) -> str:
    """The commands that write the rows of a proof, if need be, and check it on them."""
    table = file_word(rows or ROWS)
    checker = f"python checker.py {file} {table}"
    write = f"novikoff verify {file} {name} --rows {table}\n"
    return checker if rows is not None else write + checker


def _is_plain(reading: Any, name: str) -> bool:
    """Whether the rows are the cells of a CSV file as they stand, so that the checker reads it."""
    options = reading.options
    is_text = options.get("format") in ("csv", "tsv") and options.get("delimiter") in tuple(",;\t")
    is_derived = bool(options.keys() - PLAIN) or options.get("decimal", ".") != "."
    packed = name.endswith((".gz", ".bz2", ".xz", ".zst", ".zstd")) or "*" in name or "?" in name
    return is_text and not is_derived and not reading.left_out and not packed


def data_word(source: str | None) -> str:
    """The data as a word of a shell command."""
    usual = source in (None, "-", "standard input")
    return "data.csv" if usual else file_word(str(source))
