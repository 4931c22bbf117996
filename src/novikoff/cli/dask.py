"""`--dask`: the same commands on a cluster, for a pattern of files that all workers see."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from novikoff.cli.option import arguments
from novikoff.cli.terminal import say
from novikoff.errors import InputError
from novikoff.files import is_replaced


@contextmanager
def cluster(spec: str, quiet: bool) -> Iterator[Any]:
    """novikoff.distributed with a client to the cluster."""
    try:
        from novikoff import distributed
    except ImportError as error:
        raise InputError(str(error)) from None
    with distributed.connect(spec) as client:
        if not quiet and sys.stderr.isatty():
            say(f"Dask's dashboard is at {client.dashboard_link}")
        yield distributed


def fit_on(spec: str, data: str, output: str, kind: str, passes: int, resume: bool, quiet: bool,
           reading: dict[str, Any], options: dict[str, Any]) -> Any:  # fmt: skip
    """The model of all shards; a checkpoint beside it is kept from round to round."""
    if kind not in ("perceptron", "averaged"):
        raise click.UsageError(f"--dask is for --kind perceptron and averaged, not {kind}.")
    given = {name: value for name, value in options.items() if value is not None}
    for name in ("kernel", "degree", "gamma", "jobs"):
        if name in given:
            raise click.UsageError(f"--{name} does not go with --dask.")
    given = arguments(given)
    if not is_replaced(output):
        raise click.UsageError(f"--dask: {output} is no regular file; name one.")
    checkpoint = Path(f"{output}.checkpoint")
    if not resume:
        checkpoint.unlink(missing_ok=True)
    from sklearn.exceptions import ConvergenceWarning

    with cluster(spec, quiet) as distributed, warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        try:
            model = distributed.fit(
                data, kind=kind, rounds=passes, checkpoint=checkpoint, verbose=not quiet,
                **given, **reading,
            )  # fmt: skip
        except KeyboardInterrupt:
            if checkpoint.exists():
                say(f"stopped; the last round is in {checkpoint}. --resume goes on from there.")
            sys.exit(130)
    model.save(output)
    checkpoint.unlink(missing_ok=True)
    return model
