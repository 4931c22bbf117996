"""`novikoff verify`: check a proof file against the data it speaks of."""

from __future__ import annotations

import json
from typing import Any

import click

from novikoff.cli.data import (
    CACHE_OPTION,
    QUIET_OPTION,
    READING_OPTIONS,
    decorated,
    load_data,
    reading_of,
)
from novikoff.cli.outputs import check_files
from novikoff.cli.progress import waiting
from novikoff.cli.terminal import visible


@click.command(short_help="Check a proof against its data.")
@click.argument("proof", type=click.Path(dir_okay=False))
@click.argument("data")
@decorated(READING_OPTIONS)
@CACHE_OPTION
@QUIET_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def verify(
    proof: str, data: str, cache: str | None, quiet: bool, as_json: bool, **options: Any
) -> None:
    """Check the certificate in the file PROOF against DATA, exactly and without a solver.

    Exit code 0 means that the claim is true of these numbers; 1 that it is not, with the reason.

    \b
    Example:
      novikoff certify data.csv --proof proof.json && novikoff verify proof.json data.csv
    """
    check_files({"PROOF": proof, "DATA": data}, {})
    from novikoff.certificates import load_certificate

    certificate = load_certificate(proof)
    stamp = certificate.stamp
    numbers = "binary64" if stamp.numbers == "binary64" else "decimal"
    reading = reading_of(options)
    if stamp.label is not None:
        reading.setdefault("label", stamp.label)
    read = load_data(data, reading, numbers, cache, quiet=quiet).data
    with waiting(f"checking {proof}", quiet):
        certificate.verify(read.X, read.y)
    if as_json:
        click.echo(json.dumps({"valid": True, "status": certificate.status}))
    else:
        said = (
            f"The proof holds: the {stamp.n_rows} rows of {read.source} are {certificate.status} "
            f"({stamp.numbers} numbers, {'with' if stamp.offset else 'without'} an offset, "
            f"+ is {stamp.positive!r}, − is {stamp.negative!r})."
        )
        click.echo(visible(said))
