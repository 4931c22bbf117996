"""`novikoff fit`: learn a model from a file, pass by pass, and keep it.

With --resume a fit goes on from the model that it has saved, on the rows that it has learnt from:
a model that `novikoff fit` saves holds the digest of its rows. On any other rows its counts and
its clean pass would be claims about rows that it never saw.
"""

from __future__ import annotations

import json
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from novikoff import kinds
from novikoff.cli import options as shared
from novikoff.cli.data import check_files, load_data, reading_for, reading_of, scan_for
from novikoff.cli.options import OUTPUT, Command, Finite, arguments, option
from novikoff.cli.streams import say, waiting
from novikoff.errors import InputError
from novikoff.files import is_replaced
from novikoff.wording import count, keyword

if TYPE_CHECKING:
    from novikoff.io.data import Data
    from novikoff.models import Model

KINDS = {kinds.stem(kind): kind for kind in kinds.KINDS}
OF_PASSES = tuple(kind for kind in KINDS if kind != "rescaled")
FEW_ROWS = 20  # that may well be of as many classes


@click.command(cls=Command)
@shared.DATA
@shared.reading_options()
@shared.CACHE
@option("--output", "-o", required=True, type=OUTPUT, metavar="MODEL",
              help="Where the model goes (safetensors).")  # fmt: skip
@option("--kind", type=click.Choice(list(KINDS)), default="perceptron", show_default=True,
              help="Which member of the family.")  # fmt: skip
@option("--passes", type=click.IntRange(1), default=100, show_default=True, argument="max_iter",
        only={"kind": OF_PASSES},
        help="Most passes over the rows; a clean pass ends the fit earlier.")  # fmt: skip
@option("--order", type=click.Choice(["cyclic", "shuffled", "restart"]),
              help="Order of the rows in a pass.")  # fmt: skip
@shared.TIE
@option("--multiclass", type=click.Choice(["rest", "joint"]), help="For over two classes.")
@shared.INTERCEPT
@option("--kernel", type=click.Choice(["linear", "poly", "rbf"]), only={"kind": ("kernel",)},
        help="For --kind kernel; poly if not said.")  # fmt: skip
@option("--degree", type=click.IntRange(1),
        only={"kind": ("kernel",), "kernel": ("poly", None)},
        help="Of the kernel poly, (1 + gamma·x·x')^degree.")  # fmt: skip
@option("--gamma", type=Finite(0, min_open=True),
        only={"kind": ("kernel",), "kernel": ("poly", "rbf", None)},
        help="Of the kernels poly and rbf.")  # fmt: skip
@shared.SEED(help="For shuffled orders; else 0.")
@option("--jobs", type=int, argument="n_jobs",
        help="Threads; -1 for all cores. The model does not depend on it.")  # fmt: skip
@option("--test", "test_data", metavar="DATA2", help="Count the mistakes on these rows too.")
@option("--resume", is_flag=True,
              help="Go on from MODEL, if it is there, up to --passes passes in all.")  # fmt: skip
@option("--new-data", is_flag=True, needs=("resume",), only={"kind": OF_PASSES},
        help="With --resume: learn from DATA though MODEL has learnt from other rows; passes "
        "and mistakes are counted anew.")  # fmt: skip
@option("--save-every", type=Finite(0), default=2.0, show_default=True, metavar="SECONDS",
              help="How often a model in the making is saved.")  # fmt: skip
@shared.QUIET
@shared.AS_JSON(help="Print one JSON object about the fit.")
def fit(data: str, output: str, kind: str, passes: int, test_data: str | None, resume: bool,
        new_data: bool, save_every: float, cache: str | None, quiet: bool, as_json: bool,
        **options: Any) -> None:  # fmt: skip
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
    from novikoff import models

    is_shuffled = options["order"] == "shuffled" or (kind == "pocket" and not options["order"])
    if options["seed"] is not None and not is_shuffled and kind != "rescaled":
        raise click.UsageError("--seed is for --order shuffled.")
    check_files({"DATA": data, "--test": test_data}, {"--output": output})
    reading = reading_of(options, labels="auto")
    member = models.KINDS[KINDS[kind]]
    given, known = arguments(options), member.parameter_names()
    for name in given:
        if name not in known:
            raise click.UsageError(f"{name} is not for --kind {kind}.")
    settled = {"max_iter": passes, "random_state": 0, **given}
    model = member(**{name: value for name, value in settled.items() if name in known})
    begun = _begun_model(output, model) if resume else None
    if new_data and begun is not None:  # the same columns, by their names
        reading = reading_for(begun, reading, labels=True)
    read, _ = load_data(data, reading, "binary64", cache, quiet=quiet)
    _check_labels(read, has_begun=begun is not None)
    rows = RowsDigest(read)
    if begun is not None and not new_data:
        rows.check(begun, output, read.source)
    model, state = _learn(begun or model, read, rows, not new_data, output, save_every, quiet)
    facts = {"model": output, "kind": kind, "columns": model.n_features_in_,
             "classes": [str(label) for label in model.classes_], "passes": int(model.n_iter_),
             "label": getattr(model, "label_", None), "mistakes": int(model.n_mistakes_),
             "converged": bool(model.converged_), "stop_reason": model.stop_reason_,
             **state, "rows": read.n_rows, "dropped": read.n_dropped}  # fmt: skip
    if test_data is not None:
        with waiting(f"reading {test_data}", quiet):
            facts["test"] = _tested(model, test_data, reading)
    if as_json:
        print(json.dumps(facts))
    elif not quiet:
        _tell(facts)


def _begun_model(output: str, wanted: Model) -> Model | None:
    """The model that was saved, if it was made in the way that is asked for now; None if none."""
    if not is_replaced(output):
        raise click.UsageError(f"--resume: {output} is no regular file to go on from.")
    if not Path(output).exists():
        return None
    from novikoff import models

    model: Model = models.read(output)
    theirs, ours = model.parameters(), wanted.parameters()
    what = None if type(model) is type(wanted) else f"a {model.kind}, which is another --kind"
    for name in sorted(ours.keys() - {"max_iter", "n_jobs", "verbose"}):
        if what is None and theirs[name] != ours[name]:
            is_none = theirs[name] is None
            what = f"a model of {f'no {keyword(name)}' if is_none else keyword(name, theirs[name])}"
    if what is not None:
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


def _learn(
    model: Model, read: Data, digest: RowsDigest, same_rows: bool, output: str, save_every: float,
    quiet: bool,
) -> tuple[Model, dict[str, Any]]:  # fmt: skip
    """Pass after pass, saved as it goes; into a pipe or device only at the end."""
    from novikoff import models

    goes_on = is_replaced(output)
    most = getattr(model, "max_iter", None) or getattr(model, "max_rescalings", 0) + 1
    rows, started, saved = 0, time.perf_counter(), time.monotonic()
    begun = model if same_rows and model.is_fitted else None  # a pass that is broken off never was
    try:
        with waiting(f"pass 1 of {most:,}", quiet) as show:
            for begun in models.passes(model, read, same_rows=same_rows):
                rows += read.n_rows
                speed = rows / (time.perf_counter() - started)
                show(
                    f"pass {begun.n_iter_:,} of {most:,}: "
                    f"{count(begun.last_mistakes_, 'mistake', ',')}, {speed:,.0f} rows a second"
                )
                if goes_on and time.monotonic() - saved >= save_every:
                    digest.save(begun, output)
                    saved = time.monotonic()
    except KeyboardInterrupt:
        if begun is None:
            _stopped("stopped in the first pass; nothing was saved.")
        digest.save(begun, output)
        _stopped(
            f"stopped; the model after {count(begun.n_iter_, 'pass')} was saved to {output}."
            + " --resume goes on from there." * goes_on
        )
    model = begun or model
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


def _check_labels(read: Data, has_begun: bool) -> None:
    """Labels must be two classes or more: not measurements, and not a name for every row."""
    import numpy as np

    y: Any = read.y
    where = f"{read.source}: the label" + (f" (column {read.label!r})" if read.label else "")
    if y.dtype.kind == "f" and (broken := y[y % 1 != 0])[:1].size:
        raise InputError(
            f"{where} holds measurements such as {broken[0]!s}; classes are needed, words or "
            "whole numbers: name another column by --label."
        )
    n_classes = len(np.unique(y, return_counts=True)[0])  # alone it would import numpy.ma
    if len(y) > FEW_ROWS and 2 * n_classes > len(y):
        raise InputError(
            f"{where} has {n_classes:,} classes in {len(y):,} rows, so that nearly every row "
            "has its own; name another column by --label."
        )
    if n_classes == 1 and not has_begun:
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


def _tell(facts: dict[str, Any]) -> None:
    """Say in a few lines what came of the fit."""
    last, speed = facts.get("last_pass_mistakes"), facts["rows_a_second"]
    if facts["converged"]:
        reached = "a clean pass: every row is on its side"
    elif last is not None:
        reached = f"not converged: the last pass made {count(last, 'mistake', ',')}"
    else:
        reached = f"not converged ({facts['stop_reason']})"
    say(
        f"{count(facts['rows'], 'row', ',')} of {count(facts['columns'], 'column', ',')}, "
        f"{count(len(facts['classes']), 'class')}"
        f"{'' if facts['label'] is None else ' of ' + repr(facts['label'])}; "
        f"{count(facts['passes'], 'pass', ',')}, {count(facts['mistakes'], 'mistake', ',')}"
        f"{f', {speed:,} rows a second' if speed else ''}; {reached}."
    )
    if test := facts.get("test"):
        say(
            f"{test['wrong']:,} of the {test['rows']:,} rows of {test['data']} are wrong "
            f"({test['error']:.2%})."
        )
    say(f"the model is in {facts['model']}.")
