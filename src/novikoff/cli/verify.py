"""`novikoff verify`: check a proof file against the data it speaks of."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from novikoff.cli.data import (
    CACHE_OPTION,
    QUIET_OPTION,
    READING_OPTIONS,
    decorated,
    is_file,
    load_data,
    reading_of,
)
from novikoff.cli.option import Command, is_typed, option
from novikoff.cli.outputs import OUTPUT, check_files, rows_of, write_proof_rows
from novikoff.cli.progress import waiting
from novikoff.cli.regression import given_again, response_columns, write_model_rows
from novikoff.cli.terminal import visible
from novikoff.files import opened_once
from novikoff.wording import was_given

if TYPE_CHECKING:
    from novikoff.certificates import Certificate, Claim, Reading, Stamp

OF_ALL_FORMATS = ("label", "columns", "encoding", "levels", "missing", "numbers", "positive")


@click.command(cls=Command)
@click.argument("proof", type=click.Path(dir_okay=False))
@click.argument("data")
@decorated(READING_OPTIONS)
@CACHE_OPTION
@option("--rows", type=OUTPUT, metavar="FILE",
        help="Write the very rows of the proof here, as CSV, for checker.py.")  # fmt: skip
@QUIET_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def verify(
    proof: str,
    data: str,
    cache: str | None,
    rows: str | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Check the certificate in the file PROOF against DATA, exactly and without a solver.

    DATA is read as it was when the proof was made, which the proof says; options are needed only
    for proofs that do not, and refused where they contradict. Exit code 0 means that the claim is
    true of these numbers; 1 that it is not, with the reason.

    \b
    Example:
      novikoff certify data.csv --proof proof.json && novikoff verify proof.json data.csv
    """
    check_files({"PROOF": proof, "DATA": data}, {"--rows": rows})
    from novikoff.certificates import Claim

    certificate = _certificate(proof)
    stamp = certificate.stamp
    reading = reading_of(options)
    if stamp.reading is not None and is_file(data):
        reading = _as_recorded(dict(stamp.reading.options), reading, proof, data)
        if not is_typed(click.get_current_context(), "header"):
            reading.pop("header", None)  # the file decides what its first line is
        numbers = reading.setdefault("numbers", None)
    else:
        numbers = "binary64" if stamp.numbers == "binary64" else "decimal"
        if stamp.label is not None:
            reading.setdefault("label", stamp.label)
    if isinstance(certificate, Claim) and certificate.model is not None:
        name = certificate.model.name
        _verify_model(certificate, name, proof, data, reading, cache, rows, quiet, as_json)
        return
    read = load_data(data, reading, numbers, cache, quiet=quiet).data
    _check_read_alike(stamp, read.origin, data)
    with waiting(f"checking {proof}", quiet):
        certificate.verify(read.X, read.y)
    write_proof_rows(rows, rows_of(read, certificate), quiet)
    if as_json:
        found = {"valid": True, "status": certificate.status, "label": read.label,
                 "notes": list(read.remarks)}  # fmt: skip
        click.echo(json.dumps(found))
    else:
        label = "" if read.label is None else f", the label column is {read.label!r}"
        said = (
            f"The proof holds: {certificate.says(str(read.source))} "
            f"({stamp.numbers} numbers, {'with' if stamp.offset else 'without'} an offset{label}, "
            f"+ is {stamp.positive!r}, − is {stamp.negative!r})."
        )
        click.echo(visible(said))


def _certificate(proof: str) -> Certificate:
    """The proof in a file, in a pipe, or, for -, in standard input."""
    from novikoff.certificates import load_certificate
    from novikoff.certificates.certificate import MOST_BYTES
    from novikoff.certificates.files import from_bytes

    with opened_once(proof) as stream:
        if stream is None:
            return load_certificate(proof)
        name = "standard input" if proof == "-" else proof
        return from_bytes(stream.read(MOST_BYTES + 1), name)


def _verify_model(
    certificate: Claim, model: str, proof: str, data: str, reading: dict[str, Any],
    cache: str | None, rows: str | None, quiet: bool, as_json: bool,
) -> None:  # fmt: skip
    """Derive the table of a regression's proof from the file again, and check the proof on it."""
    from novikoff.inputs.csr import csr_over

    given = given_again(certificate, data, reading, cache, quiet)
    _check_read_alike(certificate.stamp, given.reading, data)
    with waiting(f"checking {proof}", quiet):
        certificate.verify_table(given.whole(), csr_over)
    write_proof_rows(rows, lambda path: write_model_rows(path, given), quiet)
    columns = response_columns(given)
    label = None if given.reading is None else given.reading.label
    if as_json:
        found = {"valid": True, "status": certificate.status, "model": model,
                 "columns": columns, "label": label, "notes": given.notes}  # fmt: skip
        click.echo(json.dumps(found))
        return
    named = "".join(f", {role} is {column!r}" for role, column in columns.items())
    said = (
        f"The proof holds: the estimate of the {model} model of {data} is "
        f"{certificate.status} ({certificate.n_settled} comparisons settled, "
        f"{certificate.n_core} not, {certificate.stamp.numbers} numbers{named})."
    )
    click.echo(visible(said))


def _check_read_alike(stamp: Stamp, read: Reading | None, data: str) -> None:
    """Raise unless the file is what the proof says: its label column, and what its line 1 is."""
    from novikoff.errors import CertificateError

    if read is None:
        return
    label = read.options.get("label")
    if stamp.label is not None and label != stamp.label:
        raise CertificateError(
            f"the label column of {data} is {label!r}; the proof calls it {stamp.label!r}."
        )
    recorded = {} if stamp.reading is None else stamp.reading.options
    is_header, was_header = (one.get("header") for one in (read.options, recorded))
    if None not in (is_header, was_header) and is_header != was_header:
        what = ("a row", "no row, but names columns")
        raise CertificateError(
            f"line 1 of {data} is {what[bool(is_header)]}, and the proof takes it for "
            f"{'a header' if was_header else 'a row'}; if that is right, say "
            f"{'--header' if was_header else '--no-header'}."
        )


def _as_recorded(
    recorded: dict[str, Any], typed: dict[str, Any], proof: str, data: str
) -> dict[str, Any]:
    """How the proof says that its rows were read; UsageError where an option says otherwise."""
    from novikoff.errors import CertificateError, NovikoffError
    from novikoff.io.formats import format_of_file
    from novikoff.io.options import options

    try:
        options(**recorded)
    except NovikoffError as error:
        raise CertificateError(f"{proof} does not say how its rows can be read: {error}") from None
    context = click.get_current_context()
    used = recorded.get("columns")
    for name, value in typed.items():
        if not is_typed(context, name):
            continue
        options(**{name: value}).check_meant_for(recorded.get("format", "csv"))
        if name == "drop":
            agrees = used is not None and not set(value) & set(used)
        elif name == "keep":
            of_array = recorded.get("format") in ("npy", "npz")  # which records what was kept
            kept = recorded.get("keep", ()) if of_array else used
            agrees = kept is None or set(value) <= set(kept)
        elif name == "categorical":
            agrees = set(value) <= set(recorded.get("encoding", {}))
        else:
            agrees = recorded.get(name) == value or (name == "decimal" and value == ".")
            agrees = agrees or (name == "missing" and value == recorded.get(name, "error"))
        if not agrees:
            said = was_given(name, value)
            raise click.UsageError(
                f"{proof} says how its rows were read, and {said} says otherwise; leave it out."
            )
    found = format_of_file(data)
    if found not in (None, recorded.get("format")):
        return {name: recorded[name] for name in OF_ALL_FORMATS if name in recorded}
    return recorded
