"""`--resume`: a fit goes on from the model that it has saved, on the rows that it has learnt from.

A model that `novikoff fit` saves holds the digest of its rows. On any other rows its counts and
its clean pass would be claims about rows that it never saw.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import click

from novikoff.errors import InputError
from novikoff.files import is_replaced
from novikoff.wording import keyword

if TYPE_CHECKING:
    from novikoff.io.data import Data
    from novikoff.models import Model


def begun_model(output: str, wanted: Model) -> Model | None:
    """The model that was saved, if it was made in the way that is asked for now; None if none."""
    if not is_replaced(output):
        raise click.UsageError(f"--resume: {output} is no regular file to go on from.")
    if not Path(output).exists():
        return None
    from novikoff import models

    model: Model = models.read(output)
    is_same = type(model) is type(wanted)
    theirs, ours = model.parameters(), wanted.parameters()
    other = [name for name in ours if is_same and theirs[name] != ours[name] and
             name not in ("max_iter", "n_jobs", "verbose")]  # fmt: skip
    if not is_same or other:
        what = f"a {model.kind}, which is another --kind"
        if other:
            known = theirs[other[0]]
            given = f"no {keyword(other[0])}" if known is None else keyword(other[0], known)
            what = f"a model of {given}"
        raise click.UsageError(
            f"{output} holds {what}; --resume goes on only with the options that a fit began with."
        )
    for name in ("max_iter", "n_jobs"):
        if name in ours:
            setattr(model, name, ours[name])
    return model


class RowsDigest:
    """The digest of the rows at hand, made by a thread while the first pass is under way."""

    def __init__(self, read: Data) -> None:
        from novikoff.io.rows_digest import digest_of_rows
        from novikoff.models.data import matrix_of

        pool = ThreadPoolExecutor(1)
        self._made: Future[str] = pool.submit(
            digest_of_rows, matrix_of(read), read.y, read.weights, read.names
        )
        pool.shutdown(wait=False)

    def check(self, model: Model, output: str, source: str) -> None:
        """Refuse rows that are not those that the model has learnt from, in their order."""
        known = getattr(model, "rows_digest_", None)
        go_on = "--new-data learns from these as well, and counts passes and mistakes anew"
        if model.kind == "RescaledPerceptron":
            go_on = "fit it anew, without --resume: it needs all rows at once"
        if known is None:
            raise InputError(
                f"{output} was saved in Python and does not say which rows it has learnt from, so "
                f"they may not be these; {go_on}."
            )
        if known != self._made.result():
            raise InputError(
                f"{output} has learnt from other rows than those of {source}: another value, "
                f"column, label or order. Give the same data again; or {go_on}."
            )

    def save(self, model: Model, output: str) -> None:
        from novikoff import models

        model.rows_digest_ = self._made.result()
        models.write(model, output)
