"""`novikoff datasets`: the built-in sets, by name, or one of them as CSV."""

from __future__ import annotations

import csv
import json
import sys

import click

from novikoff.cli.options import AS_JSON


@click.command()
@click.argument("name", required=False)
@AS_JSON(help="Print JSON instead of text.")
def datasets(name: str | None, as_json: bool) -> None:
    """List the built-in sets, or print the set NAME as CSV (the label in the last column).

    \b
    Examples:
      novikoff datasets
      novikoff datasets lecture:002 > points.csv
    """
    from novikoff import datasets as sets

    if name is None:
        listing = sets.catalogue()
        if as_json:
            print(json.dumps(listing))
            return
        width = max(len(known) for known in listing)
        for known, what in listing.items():
            print(f"{known.ljust(width)}  {what}")
        return
    found = sets.load(name)
    if as_json:  # row by row, since texts take far more room than numbers
        out = sys.stdout
        out.write(f'{{"name": {json.dumps(name)}, "X": [')
        for i, row in enumerate(found.X):
            out.write(f"{', ' * (i > 0)}{json.dumps([str(value) for value in row.tolist()])}")
        out.write(f'], "y": {json.dumps([str(label) for label in found.y])}}}\n')
        return
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow([*(f"x{j + 1}" for j in range(found.X.shape[1])), "label"])
    for row, label in zip(found.X, found.y, strict=True):
        writer.writerow([*row.tolist(), label])
