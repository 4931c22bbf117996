"""`novikoff verify`: check a proof file against the data it speaks of."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from novikoff.cli import options as shared
from novikoff.cli.data import check_files, is_file, load_data, reading_of
from novikoff.cli.labellings import with_labels
from novikoff.cli.options import INPUT, Command, is_typed, option
from novikoff.cli.question import rows_of, write_proof_rows
from novikoff.cli.regression import data_of_proof, write_model_rows
from novikoff.cli.streams import visible, waiting
from novikoff.errors import CertificateError, NovikoffError
from novikoff.files import opened_once
from novikoff.wording import was_given

if TYPE_CHECKING:
    from novikoff.certificates import Certificate, Reading, Stamp

OF_ALL_FORMATS = ("label", "columns", "encoding", "levels", "missing", "numbers")


@click.command(cls=Command)
@click.argument("proof", type=INPUT)
@shared.DATA
@shared.reading_options()
@shared.CACHE
@option("--labels", "labels_file", type=INPUT, without=("label",), metavar="FILE",
        help="The file of labels, for a proof of `certify --labels`.")  # fmt: skip
@shared.ROWS
@shared.QUIET
@shared.AS_JSON()
def verify(
    proof: str, data: str, cache: str | None, labels_file: str | None, rows: str | None,
    quiet: bool, as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Check the certificate in the file PROOF against DATA, exactly and without a solver.

    DATA is read as it was when the proof was made, which the proof says; options are needed only
    for proofs that do not, and refused where they say otherwise. Exit code 0 means that the
    claim is true of these numbers; 1 that it is not, with the reason.

    \b
    Examples:
      novikoff certify data.csv --proof proof.json && novikoff verify proof.json data.csv
      novikoff verify proofs/0_smokes.json activations.npy --labels concepts.csv
    """
    check_files({"PROOF": proof, "DATA": data, "--labels": labels_file}, {"--rows": rows})
    certificate: Any = _certificate(proof)
    stamp = certificate.stamp
    reading, numbers = _how_to_read(stamp, reading_of(options), proof, data, labels_file)
    if getattr(certificate, "model", None) is None:
        read, _ = load_data(data, reading, numbers, cache, quiet=quiet)
        _check_read_alike(stamp, read.origin, data, has_label=labels_file is None)
        if labels_file is not None:
            read = with_labels(read, labels_file, stamp.label)
        with waiting(f"checking it against {data}", quiet):
            certificate.verify(read.X, read.y)
        facts = {"label": read.label, "notes": list(read.remarks)}
        write_rows = rows_of(read, certificate)
        label = "" if read.label is None else f", the label column is {read.label!r}"
        sentence = (
            f"{certificate.says(str(read.source))} "
            f"({stamp.numbers} numbers, {'with' if stamp.offset else 'without'} an offset{label}, "
            f"+ is {stamp.positive!r}, − is {stamp.negative!r})."
        )
    else:
        facts, sentence, write_rows = _check_model(certificate, data, reading, cache, quiet)
    write_proof_rows(rows, write_rows, quiet)
    if as_json:
        print(json.dumps({"valid": True, "status": certificate.status, **facts}))
    else:
        print(visible(f"The proof holds: {sentence}"))


def _check_model(
    certificate: Any, data: str, reading: dict[str, Any], cache: str | None, quiet: bool
) -> tuple[dict[str, Any], str, Any]:
    """Derive the table of a regression's proof from the file again, and check the proof on it.

    What is said of it, as facts and as a sentence, and what writes its rows.
    """
    from novikoff.inputs.csr import csr_over

    given = data_of_proof(certificate, data, reading, cache, quiet)
    made: Any = given.derivation
    read = given.reading
    _check_read_alike(certificate.stamp, read, data)
    with waiting(f"checking it against {data}", quiet):
        certificate.verify_table(given.whole(), csr_over)
    drawn = None if read is None else read.options.get("label")
    columns = {} if drawn is None else {made.label or "y": str(drawn)}
    columns |= made.columns
    model, named = certificate.model.name, "".join(f", {k} is {v!r}" for k, v in columns.items())
    sentence = (
        f"the estimate of the {model} model of {data} is "
        f"{certificate.status} ({certificate.n_settled} comparisons settled, "
        f"{certificate.n_core} not, {certificate.stamp.numbers} numbers{named})."
    )
    label = None if read is None else read.label
    facts = {"model": model, "columns": columns, "label": label, "notes": given.notes}
    return facts, sentence, lambda path: write_model_rows(path, given)


def _certificate(proof: str) -> Certificate:
    """The proof in a file, in a pipe, or, for -, in standard input."""
    from novikoff.certificates import load_certificate
    from novikoff.certificates.certificate import MOST_BYTES, from_bytes

    with opened_once(proof) as stream:
        if stream is None:
            return load_certificate(proof)
        name = "standard input" if proof == "-" else proof
        return from_bytes(stream.read(MOST_BYTES + 1), name)


def _how_to_read(
    stamp: Stamp, typed: dict[str, Any], proof: str, data: str, labels: str | None
) -> tuple[dict[str, Any], str | None]:
    """How DATA is read, and which numbers are meant: as the proof says, where it does.

    UsageError where an option says otherwise.
    """
    from novikoff.io.formats import format_of_file
    from novikoff.io.options import options

    recorded = {} if stamp.reading is None else dict(stamp.reading.options)
    if labels is not None and (stamp.label is None or recorded.get("label", False) is not False):
        raise click.UsageError(f"{proof} says that its labels are in DATA; leave --labels out.")
    if stamp.reading is None or not is_file(data):
        if stamp.label is not None:
            typed.setdefault("label", stamp.label if labels is None else False)
        return typed, "binary64" if stamp.numbers == "binary64" else "decimal"
    if labels is None and stamp.label is not None and recorded.get("label") is False:
        # A proof of several --label, unless its label is none of the columns that were X.
        if stamp.label in recorded.get("columns", (stamp.label,)):
            raise CertificateError(
                f"{data} has no labels, and {proof} is about labelling {stamp.label!r} of another "
                "file; name that file with --labels."
            )
        recorded["label"] = stamp.label
    try:
        options(**recorded)
    except NovikoffError as error:
        raise CertificateError(f"{proof} does not say how its rows can be read: {error}") from None
    context = click.get_current_context()
    for name, value in typed.items():
        if is_typed(context, name) and not _agrees(name, value, recorded):
            raise click.UsageError(
                f"{proof} says how its rows were read, and {was_given(name, value)} says "
                "otherwise; leave it out."
            )
    if format_of_file(data) not in (None, recorded.get("format")):
        recorded = {name: recorded[name] for name in OF_ALL_FORMATS if name in recorded}
    if not is_typed(context, "header"):
        recorded.pop("header", None)  # the file decides what its first line is
    return recorded, recorded.setdefault("numbers", None)


def _agrees(name: str, value: Any, recorded: dict[str, Any]) -> bool:
    """Whether an option says what the proof says of how its rows were read."""
    used = set(recorded.get("columns", ()))  # none are named in sparse text, and none can be kept
    if name == "drop":
        return bool(used) and used.isdisjoint(value)
    if name == "keep":
        of_array = recorded.get("format") in ("npy", "npz")  # which records what was kept
        return set(value) <= set(recorded.get("keep", ()) if of_array else used)
    if name == "categorical":
        return set(value) <= set(recorded.get("encoding", ()))
    return bool(recorded.get(name, {"missing": "error", "decimal": "."}.get(name)) == value)


def _check_read_alike(
    stamp: Stamp, read: Reading | None, data: str, has_label: bool = True
) -> None:
    """Raise unless the file is what the proof says: its label column, and what its line 1 is."""
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
