"""`novikoff verify`: check a proof file against the data it speaks of."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from novikoff.cli import shared_options as shared
from novikoff.cli.data import is_file, load_data, reading_of
from novikoff.cli.labellings import with_labels
from novikoff.cli.option import Command, is_typed, option
from novikoff.cli.outputs import check_files, rows_of, write_proof_rows
from novikoff.cli.progress import waiting
from novikoff.cli.regression import data_of_proof, response_columns, write_model_rows
from novikoff.cli.terminal import visible
from novikoff.files import opened_once
from novikoff.wording import was_given

if TYPE_CHECKING:
    from novikoff.certificates import Certificate, Reading, Stamp

OF_ALL_FORMATS = ("label", "columns", "encoding", "levels", "missing", "numbers", "positive")


@click.command(cls=Command)
@click.argument("proof", type=click.Path(dir_okay=False))
@shared.DATA
@shared.reading_options()
@shared.CACHE
@option(
    "--labels",
    "labels_file",
    type=click.Path(dir_okay=False),
    without=("label",),
    metavar="FILE",
    help="The file of labels, for a proof of `certify --labels`.",
)
@shared.rows_option()
@shared.QUIET
@shared.as_json()
def verify(
    proof: str,
    data: str,
    cache: str | None,
    labels_file: str | None,
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
    Examples:
      novikoff certify data.csv --proof proof.json && novikoff verify proof.json data.csv
      novikoff verify proofs/0_smokes.json activations.npy --labels concepts.csv
    """
    check_files({"PROOF": proof, "DATA": data, "--labels": labels_file}, {"--rows": rows})
    certificate = _certificate(proof)
    typed = reading_of(options)
    reading, numbers = _how_to_read(certificate.stamp, typed, proof, data, labels_file)
    with_model = getattr(certificate, "model", None) is not None
    read = GivenData(data, reading, numbers, cache, labels_file, quiet)
    checked = (_check_model if with_model else _check)(certificate, read)
    write_proof_rows(rows, checked.write_rows, quiet)
    if as_json:
        click.echo(json.dumps({"valid": True, "status": certificate.status, **checked.facts}))
    else:
        click.echo(visible(f"The proof holds: {checked.sentence}"))


class GivenData(NamedTuple):
    """DATA, and how it is read for the proof."""

    data: str
    options: dict[str, Any]
    numbers: str | None
    cache: str | None
    labels: str | None  # the file of them, where they are not in DATA
    quiet: bool


class Checked(NamedTuple):
    """What is said of a proof that holds, and what writes its rows."""

    facts: dict[str, Any]
    sentence: str
    write_rows: Callable[[str], int]


def _check(certificate: Certificate, reading: GivenData) -> Checked:
    """Check a proof about two classes."""
    data, options, numbers, cache, labels, quiet = reading
    read = load_data(data, options, numbers, cache, quiet=quiet).data
    stamp = certificate.stamp
    _check_read_alike(stamp, read.origin, data, has_label=labels is None)
    if labels is not None:
        read = with_labels(read, labels, stamp.label)
    with waiting(f"checking it against {data}", quiet):
        certificate.verify(read.X, read.y)
    label = "" if read.label is None else f", the label column is {read.label!r}"
    sentence = (
        f"{certificate.says(str(read.source))} "
        f"({stamp.numbers} numbers, {'with' if stamp.offset else 'without'} an offset{label}, "
        f"+ is {stamp.positive!r}, − is {stamp.negative!r})."
    )
    facts = {"label": read.label, "notes": list(read.remarks)}
    return Checked(facts, sentence, rows_of(read, certificate))


def _check_model(certificate: Any, reading: GivenData) -> Checked:
    """Derive the table of a regression's proof from the file again, and check the proof on it."""
    from novikoff.inputs.csr import csr_over

    data, options, _, cache, _, quiet = reading
    given = data_of_proof(certificate, data, options, cache, quiet)
    _check_read_alike(certificate.stamp, given.reading, data)
    with waiting(f"checking it against {data}", quiet):
        certificate.verify_table(given.whole(), csr_over)
    model, columns = certificate.model.name, response_columns(given)
    named = "".join(f", {role} is {column!r}" for role, column in columns.items())
    sentence = (
        f"the estimate of the {model} model of {data} is "
        f"{certificate.status} ({certificate.n_settled} comparisons settled, "
        f"{certificate.n_core} not, {certificate.stamp.numbers} numbers{named})."
    )
    label = None if given.reading is None else given.reading.label
    facts = {"model": model, "columns": columns, "label": label, "notes": given.notes}
    return Checked(facts, sentence, lambda path: write_model_rows(path, given))


def _how_to_read(
    stamp: Stamp, typed: dict[str, Any], proof: str, data: str, labels: str | None
) -> tuple[dict[str, Any], str | None]:
    """How DATA is read, and which numbers are meant: as the proof says, where it does."""
    if labels is not None:
        _check_for_labels(stamp, proof)
    if stamp.reading is None or not is_file(data):
        if stamp.label is not None:
            typed.setdefault("label", stamp.label if labels is None else False)
        return typed, "binary64" if stamp.numbers == "binary64" else "decimal"
    recorded = dict(stamp.reading.options)
    if labels is None and stamp.label is not None and recorded.get("label") is False:
        recorded["label"] = _column_of_labels(stamp, proof, data)
    reading = _as_recorded(recorded, typed, proof, data)
    if not is_typed(click.get_current_context(), "header"):
        reading.pop("header", None)  # the file decides what its first line is
    return reading, reading.setdefault("numbers", None)


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


def _check_for_labels(stamp: Stamp, proof: str) -> None:
    """Raise where the proof says that its labels are in DATA."""
    recorded = {} if stamp.reading is None else stamp.reading.options
    if stamp.label is None or recorded.get("label", False) is not False:
        raise click.UsageError(f"{proof} says that its labels are in DATA; leave --labels out.")


def _column_of_labels(stamp: Stamp, proof: str, data: str) -> str:
    """The column of DATA that has the labels of a proof which was made with several --label."""
    from novikoff.errors import CertificateError

    columns = None if stamp.reading is None else stamp.reading.options.get("columns")
    if stamp.label is None or columns is None or stamp.label in columns:
        raise CertificateError(
            f"{data} has no labels, and {proof} is about labelling {stamp.label!r} of another "
            "file; name that file with --labels."
        )
    return stamp.label


def _check_read_alike(
    stamp: Stamp, read: Reading | None, data: str, has_label: bool = True
) -> None:
    """Raise unless the file is what the proof says: its label column, and what its line 1 is."""
    from novikoff.errors import CertificateError

    if read is None:
        return
    label = read.options.get("label")
    if has_label and stamp.label is not None and label != stamp.label:
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
