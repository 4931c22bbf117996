"""`novikoff fit`: learn a model from a file, pass by pass, and keep it."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any, NoReturn

import click

from novikoff import kinds
from novikoff.cli import shared_options as shared
from novikoff.cli.dask import fit_on
from novikoff.cli.data import load_data, reading_of
from novikoff.cli.option import Command, Finite, arguments, option
from novikoff.cli.outputs import OUTPUT, check_files
from novikoff.cli.predict import reading_for, scan_for
from novikoff.cli.progress import waiting
from novikoff.cli.resuming import RowsDigest, begun_model
from novikoff.cli.terminal import say
from novikoff.errors import InputError
from novikoff.files import is_replaced
from novikoff.kinds import stem
from novikoff.wording import count

if TYPE_CHECKING:
    from novikoff.io.data import Data
    from novikoff.models import Model, Session

KINDS = {stem(kind): kind for kind in kinds.KINDS}
FEW_ROWS = 20  # that may well be of as many classes


@click.command(cls=Command)
@shared.DATA
@shared.reading_options()
@shared.CACHE
@shared.DASK
@click.option("--output", "-o", required=True, type=OUTPUT, metavar="MODEL",
              help="Where the model goes (safetensors).")  # fmt: skip
@click.option("--kind", type=click.Choice(list(KINDS)), default="perceptron", show_default=True,
              help="Which member of the family.")  # fmt: skip
@option("--passes", type=click.IntRange(1), default=100, show_default=True, argument="max_iter",
        only={"kind": ("perceptron", "averaged", "voted", "pocket", "kernel")},
        help="Most passes over the rows; a clean pass ends the fit earlier.")  # fmt: skip
@click.option("--order", type=click.Choice(["cyclic", "shuffled", "restart"]),
              help="Order of the rows in a pass.")  # fmt: skip
@shared.TIE
@click.option("--multiclass", type=click.Choice(["rest", "joint"]), help="For over two classes.")
@shared.INTERCEPT
@option(
    "--kernel",
    type=click.Choice(["linear", "poly", "rbf"]),
    only={"kind": ("kernel",)},
    without=("dask",),
    help="For --kind kernel; poly if not said.",
)
@option(
    "--degree",
    type=click.IntRange(1),
    only={"kind": ("kernel",), "kernel": ("poly", None)},
    without=("dask",),
    help="Of the kernel poly, (1 + gamma·x·x')^degree.",
)
@option(
    "--gamma",
    type=Finite(0, min_open=True),
    only={"kind": ("kernel",), "kernel": ("poly", "rbf", None)},
    without=("dask",),
    help="Of the kernels poly and rbf.",
)
@shared.seed("For shuffled orders; else 0.")
@option("--jobs", type=int, argument="n_jobs",
        help="Threads; -1 for all cores. The model does not depend on it.")  # fmt: skip
@click.option("--test", "test_data", metavar="DATA2", help="Count the mistakes on these rows too.")
@click.option("--resume", is_flag=True,
              help="Go on from MODEL, if it is there, up to --passes passes in all.")  # fmt: skip
@option("--new-data", is_flag=True, needs=("resume",), without=("dask",),
        help="With --resume: learn from DATA though MODEL has learnt from other rows; passes "
        "and mistakes are counted anew.")  # fmt: skip
@option("--save-every", type=Finite(0), default=2.0, show_default=True,
        without=("dask",), metavar="SECONDS",
        help="How often a model in the making is saved.")  # fmt: skip
@shared.QUIET
@shared.as_json("Print one JSON object about the fit.")
def fit(data: str, output: str, kind: str, passes: int, test_data: str | None, resume: bool,
        new_data: bool, save_every: float, cache: str | None, dask: str | None, quiet: bool,
        as_json: bool, **options: Any) -> None:  # fmt: skip
    """Learn a model from DATA and save it.

    A fit ends with the first pass that makes no mistake: then every row is on its side. If that
    does not happen within --passes, the model is saved all the same, and said to be unconverged.

    MODEL is saved while the fit goes on, so that a fit that was stopped, by Ctrl-C or worse, goes
    on with --resume and ends in the same model, to the bit. MODEL knows the digest of its rows: on
    any others it goes on only with --new-data.

    \b
    Examples:
      novikoff fit spam.csv --label class -o spam.safetensors
      novikoff fit huge.svm --cache --kind averaged --passes 5 -o model.safetensors --resume
      novikoff fit digits.parquet --kind kernel --kernel poly --degree 3 --passes 1 -o digits.nk
    """
    is_shuffled = options["order"] == "shuffled" or (kind == "pocket" and not options["order"])
    if options["seed"] is not None and not is_shuffled and kind != "rescaled":
        raise click.UsageError("--seed is for --order shuffled.")
    if new_data and kind == "rescaled":
        raise click.UsageError("--new-data is not for --kind rescaled, which needs all rows.")
    outputs = {"--output": output}
    if dask is not None:
        outputs["the checkpoint of --dask"] = f"{output}.checkpoint"
    check_files({"DATA": data, "--test": test_data}, outputs)
    reading = reading_of(options, labels="auto")
    if dask is not None:
        if cache is not None:
            raise click.UsageError("--cache does not go with --dask: workers keep their shards.")
        model = fit_on(dask, data, output, kind, passes, resume, quiet, reading, options)
        state = {"last_pass_mistakes": int(model.last_mistakes_)}
    else:
        model = _blank(kind, passes, options)
        begun = begun_model(output, model) if resume else None
        if new_data and begun is not None:  # the same columns, by their names
            reading = reading_for(begun, reading, labels=True)
        read = load_data(data, reading, "binary64", cache, quiet=quiet).data
        _check_labels(read)
        rows = RowsDigest(read)
        if begun is None:
            _check_two_classes(read)
        elif not new_data:
            rows.check(begun, output, read.source)
        model, state = _learn(begun or model, read, rows, not new_data, output, save_every, quiet)
        state |= {"rows": read.n_rows, "dropped": read.n_dropped}
    facts = {"model": output, "kind": kind, "columns": model.n_features_in_,
             "classes": [str(label) for label in model.classes_], "passes": int(model.n_iter_),
             "label": getattr(model, "label_", None), "mistakes": int(model.n_mistakes_),
             "converged": bool(model.converged_), "stop_reason": model.stop_reason_,
             **state}  # fmt: skip
    if test_data is not None:
        with waiting(f"reading {test_data}", quiet):
            facts["test"] = _tested(model, test_data, reading)
    if as_json:
        click.echo(json.dumps(facts))
    elif not quiet:
        click.echo(_told(facts), err=True)
        if dask is None and not model.converged_ and model.parameters().get("order") == "cyclic":
            _warn_of_sorted(read.y)


def _warn_of_sorted(labels: Any) -> None:
    import numpy as np

    from novikoff.models.orders import together

    classes, codes = np.unique(labels, return_inverse=True)
    place = together([codes], len(classes))
    if place is not None:
        say(
            f"every pass saw all rows of class {classes[place]} one after the other, so that the "
            "weights follow whatever class came last; --order shuffled mixes the rows."
        )


def _blank(kind: str, passes: int, options: dict[str, Any]) -> Model:
    """The model that has learnt nothing, with the options that its kind knows."""
    from novikoff import models

    member = models.KINDS[KINDS[kind]]
    given = arguments({name: value for name, value in options.items() if value is not None})
    known = member.parameter_names()
    for name in given:
        if name not in known:
            raise click.UsageError(f"{name} is not for --kind {kind}.")
    settled = {"max_iter": passes, "random_state": 0, **given}
    return member(**{name: value for name, value in settled.items() if name in known})


def _learn(
    model: Model, read: Data, digest: RowsDigest, same_rows: bool, output: str, save_every: float,
    quiet: bool,
) -> tuple[Model, dict[str, Any]]:  # fmt: skip
    """Pass after pass, saved as it goes; into a pipe or device only at the end."""
    from novikoff import models

    goes_on = is_replaced(output)
    most = getattr(model, "max_iter", None) or getattr(model, "max_rescalings", 0) + 1
    rows, started, saved = 0, time.perf_counter(), time.monotonic()
    session: Session | None = None
    try:
        session = models.Session(model, read, same_rows=same_rows)
        with waiting(f"pass 1 of {most:,}", quiet) as show:
            while not session.is_over:
                last, rows = session.one_pass(), rows + read.n_rows
                speed = rows / (time.perf_counter() - started)
                show(
                    f"pass {session.passes:,} of {most:,}: {count(last, 'mistake', ',')}, "
                    f"{speed:,.0f} rows a second"
                )
                if goes_on and time.monotonic() - saved >= save_every:
                    digest.save(session.model(), output)
                    saved = time.monotonic()
    except KeyboardInterrupt:
        done = session.passes if session else 0  # a pass that was broken off never was
        if session is None or not done:
            _stopped("stopped in the first pass; nothing was saved.")
        digest.save(session.model(), output)
        _stopped(
            f"stopped; the model after {count(done, 'pass')} was saved to {output}."
            + " --resume goes on from there." * goes_on
        )
    model = session.model()
    digest.save(model, output)
    seconds = time.perf_counter() - started
    state: dict[str, Any] = {
        "seconds": round(seconds, 3),
        "rows_a_second": round(rows / seconds) if rows else None,
    }
    if "max_iter" in model.parameter_names():  # else they are lines that do not separate the rows
        state["last_pass_mistakes"] = int(model.last_mistakes_)
    return model, state


def _stopped(what: str) -> NoReturn:
    say(what)
    sys.exit(130)


def _check_labels(read: Data) -> None:
    """Labels must be classes: not measurements, and not a name for every row."""
    y: Any = read.y
    where = f"{read.source}: the label" + (f" (column {read.label!r})" if read.label else "")
    if y.dtype.kind == "f" and (broken := y[y % 1 != 0])[:1].size:
        raise InputError(
            f"{where} holds measurements such as {broken[0]!s}; classes are needed, words or "
            "whole numbers: name another column by --label."
        )
    if len(y) > FEW_ROWS:
        import numpy as np

        n_classes = len(np.unique(y, return_counts=True)[0])  # alone it would import numpy.ma
        if n_classes == len(y):
            raise InputError(
                f"{where} is another one in each of the {len(y):,} rows; classes are needed: name "
                "another column by --label."
            )
        if 2 * n_classes > len(y):
            raise InputError(
                f"{where} has {n_classes:,} classes in {len(y):,} rows, so that nearly every row "
                "has its own; name another column by --label."
            )


def _check_two_classes(read: Data) -> None:
    y: Any = read.y
    if (y == y[0]).all():
        raise InputError(f"{read.source} has 1 class ({y[0]!s}); a classifier needs at least 2.")


def _tested(model: Model, test_data: str, reading: dict[str, Any]) -> dict[str, Any]:
    """How many rows of other data the model gets wrong."""
    wrong = rows = 0
    for block in scan_for(model, test_data, reading, labels=True):
        if (block.y.dtype.kind == "U") != (model.classes_.dtype.kind == "U"):
            known, found = (labels[0].item() for labels in (model.classes_, block.y))
            raise InputError(
                f"the labels of {test_data} are such as {found!r}, and the classes of the model "
                f"such as {known!r}: text beside numbers; name the label column by --label."
            )
        wrong += int((model.predict(block) != block.y).sum())
        rows += block.n_rows
    return {"data": test_data, "rows": rows, "wrong": wrong, "error": wrong / rows}


def _told(facts: dict[str, Any]) -> str:
    n, k, last = facts["passes"], facts["mistakes"], facts.get("last_pass_mistakes")
    reached = (
        "a clean pass: every row is on its side"
        if facts["converged"]
        else f"not converged: the last pass made {count(last, 'mistake', ',')}"
        if last is not None
        else f"not converged ({facts['stop_reason']})"
    )
    speed = facts.get("rows_a_second")
    of = "" if facts["label"] is None else f" of {facts['label']!r}"
    rows = f"{count(facts['rows'], 'row', ',')} of " if "rows" in facts else ""
    said = [
        f"novikoff: {rows}{count(facts['columns'], 'column', ',')}, "
        f"{count(len(facts['classes']), 'class')}{of}; {count(n, 'pass', ',')}, "
        f"{count(k, 'mistake', ',')}{f', {speed:,} rows a second' if speed else ''}; {reached}.",
    ]
    if test := facts.get("test"):
        said.append(
            f"novikoff: {test['wrong']:,} of the {test['rows']:,} rows of {test['data']} are wrong "
            f"({test['error']:.2%})."
        )
    return "\n".join([*said, f"novikoff: the model is in {facts['model']}."])
