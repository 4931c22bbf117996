"""Options: what one is, and every one that more than one command has, once.

An option that was typed acts, or is refused with a sentence that says with what it goes. It knows
which argument of the library it stands for (messages.py). READING_OPTIONS say how a file is read.
They have the names of the arguments of `novikoff.read`, and `data.reading_of` hands them on: an
option that is added here acts in every command that reads DATA.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping
from functools import partial, reduce
from typing import Any

import click
from click.core import ParameterSource

from novikoff.cli.messages import errors_in_options, name_of
from novikoff.files import check_output

Decorator = Callable[[Any], Any]


class Option(click.Option):
    """An option with what it needs beside it.

    only : the values that other options must have for this one to mean anything; None among
        them stands for one that is not given
    needs : options (or arguments) that must be given too
    without : options that it does not go with
    of_files : whether it says how to read a file, and so nothing about a built-in set
    argument : the argument of the library that it stands for, where that has another name
    """

    def __init__(
        self,
        *names: Any,
        only: Mapping[str, tuple[Any, ...]] | None = None,
        needs: tuple[str, ...] = (),
        without: tuple[str, ...] = (),
        of_files: bool = False,
        argument: str | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(*names, **settings)
        self.only, self.needs, self.without = dict(only or {}), needs, without
        self.of_files, self.argument = of_files, argument or self.name or ""

    def check(self, context: click.Context) -> None:
        """Raise UsageError where the option was typed and cannot act."""
        if not is_typed(context, self.name):
            return
        is_no = self.secondary_opts and context.params.get(self.name or "") is False
        typed = max(self.secondary_opts if is_no else self.opts, key=len)
        for name in self.needs:
            if not is_typed(context, name):
                raise click.UsageError(f"{typed} goes with {_shown(context, name)}.", context)
        for name in self.without:
            if is_typed(context, name):
                raise click.UsageError(
                    f"{typed} does not go with {_shown(context, name)}.", context
                )
        for name, values in self.only.items():
            if context.params.get(name) not in values:
                *others, last = (str(value) for value in values if value is not None)
                known = f"{', '.join(others)} or {last}" if others else last
                raise click.UsageError(f"{typed} is for {_shown(context, name)} {known}.", context)


class Finite(click.FloatRange):
    """A finite number: nan is in every range, and inf in most."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        found = super().convert(value, param, ctx)
        if not math.isfinite(found):
            self.fail(f"{found} is not a finite number.", param, ctx)
        return found


class Listed(click.ParamType):
    """Words between commas; one that has a comma stands in double quotes."""

    name = "list"

    def convert(self, value: Any, param: Any, ctx: Any) -> list[str]:
        if isinstance(value, list):
            return value
        try:
            words = next(csv.reader([value], skipinitialspace=True, strict=True), [])
        except csv.Error:
            words = []
        if not words:
            self.fail(f"{value!r} is no list of words with commas between them.", param, ctx)
        return [word.strip() for word in words]


class Output(click.Path):
    """A file to be written, which can be as far as is seen before any work is done."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        check_output(value)
        return super().convert(value, param, ctx)


INPUT, OUTPUT = click.Path(dir_okay=False), Output(dir_okay=False)


def option(*names: Any, **settings: Any) -> Decorator:
    """A decorator as click.option, for an Option."""
    return click.option(*names, cls=Option, **settings)


class Command(click.Command):
    """A command that looks, before any work, whether what was typed goes together."""

    def invoke(self, ctx: click.Context) -> Any:
        for parameter in self.params:
            if isinstance(parameter, Option):
                parameter.check(ctx)
        with errors_in_options():
            return super().invoke(ctx)


def arguments(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given, by the names of the arguments that they stand for."""
    parameters = click.get_current_context().command.params
    names = {one.name: name_of(one) for one in parameters}
    return {names.get(name, name): value for name, value in options.items() if value is not None}


def is_typed(context: click.Context, name: str | None) -> bool:
    """Whether a parameter was given on the command line."""
    given = context.get_parameter_source(name or "") is ParameterSource.COMMANDLINE
    return given and context.params.get(name or "") not in (None, ())


def refuse_of_files(why: str) -> None:
    """Raise where an option that says how to read a file was typed; `why` ends the sentence."""
    context = click.get_current_context(silent=True)
    for one in [] if context is None else context.command.params:
        if isinstance(one, Option) and one.of_files and is_typed(context, one.name):  # type: ignore[arg-type]
            raise click.UsageError(f"{max(one.opts, key=len)} {why}")


def _shown(context: click.Context, name: str) -> str:
    """What a parameter is called: --label, or DATA."""
    found = next(parameter for parameter in context.command.params if parameter.name == name)
    if isinstance(found, click.Argument):
        return found.make_metavar(context).strip("[]")
    return max(found.opts, key=len)


SEVERAL_LABELS = "certify"  # the command that takes --label more than once
NEXT_TO_IT = "beside"  # what --cache without a folder means


def _labels(context: click.Context, _option: Any, given: tuple[str, ...]) -> Any:
    """One label column, or several where the command takes them."""
    if len(given) < 2:
        return given[0] if given else None
    if context.command.name != SEVERAL_LABELS:
        raise click.UsageError(f"--label is given {len(given)} times; name one column.")
    return given


of_files = partial(option, of_files=True)
columns = partial(of_files, metavar="COL", multiple=True)
READING_OPTIONS = {
    "label": columns(
        "--label", callback=_labels, help="Label column: name or number, else last."
    ),
    "format": of_files(
        "--format", metavar="NAME", help="csv, svmlight, parquet, …; else found out."
    ),
    "header": of_files(
        "--header/--no-header", default=None, help="Of a CSV file; else found out."
    ),
    "missing": of_files(
        "--missing", type=click.Choice(["error", "drop"]), default="error", show_default=True,
        help="A missing value is an error, or its row is left out.",
    ),
    "na": of_files(
        "--na", type=Listed(), metavar="VALUES",
        help="Texts that stand for a missing value too: -99,unknown.",
    ),
    "classes": of_files(
        "--classes", type=Listed(), metavar="A,B", help="Leave out the rows of all other classes."
    ),
    "skip_rows": of_files(
        "--skip-rows", type=click.IntRange(0), metavar="N",
        help="Lines of a text file above its table.",
    ),
    "text_encoding": of_files(
        "--encoding", "text_encoding", metavar="NAME",
        help="Of the letters of a text file: cp1252; else utf-8.",
    ),
    "drop": columns("--drop", help="Leave a column out. Repeatable."),
    "keep": columns("--keep", help="Keep a column that numbers the rows. Repeatable."),
    "categorical": columns("--categorical", help="Take what a column holds as levels. Repeatable."),
    "delimiter": of_files("--delimiter", metavar="CHAR", help="Of a CSV file; else found out."),
    "decimal": of_files("--decimal", metavar="CHAR", help="Decimal mark of a CSV file: , or ."),
    "thousands": of_files(
        "--thousands", metavar="CHAR", help="Between thousands in a CSV file: . , ' _ or a blank."
    ),
    "zero_based": of_files(
        "--zero-based/--one-based", default=None, help="Of svmlight; else found out."
    ),
    "bits": of_files("--bits", type=click.IntRange(1, 30), help="Hash features of vw to 2^bits."),
}  # fmt: skip

DATA = click.argument("data")
POSITIVE = option("--positive", metavar="CLASS", help="Label of sign +; else the larger.")
NUMBERS = of_files(
    "--numbers", type=click.Choice(["decimal", "binary64"]),
    help="Take numbers as they are in the file, or as the nearest float64. By default as they are, "
    "but in text of over 32 MB, unpacked.",
)  # fmt: skip
CACHE = of_files(
    "--cache", is_flag=False, flag_value=NEXT_TO_IT, metavar="[DIR]",
    help="Keep the rows in a binary cache, beside the file or in DIR, and map them from there: "
    "for files larger than memory.",
)  # fmt: skip
INTERCEPT = option(
    "--intercept/--no-intercept", default=None, argument="fit_intercept",
    help="With or without an offset.",
)  # fmt: skip
TIE = option(
    "--tie", type=click.Choice(["mistake", "positive", "zero"]), help="What a score of 0 is."
)
QUIET = option("--quiet", "-q", is_flag=True, help="Nothing on stderr but errors.")
AGAINST = partial(
    option, "--against", type=click.Choice(["rest", "each"]), help="For more than two classes."
)
SEED = partial(option, "--seed", type=click.IntRange(0, 2**32 - 1), argument="random_state")
TIME_LIMIT = partial(option, "--time-limit", type=Finite(0, min_open=True), help="Seconds to try.")
AS_JSON = partial(
    option, "--json", "as_json", is_flag=True, help="Print one JSON object instead of text."
)


def decorated(*options: Decorator) -> Decorator:
    """One decorator for several options, in this order in the help."""
    return lambda command: reduce(lambda made, one: one(made), reversed(options), command)


def reading_options(*names: str, but: tuple[str, ...] = ()) -> Decorator:
    """These of READING_OPTIONS, or all `but` some."""
    chosen = names or tuple(name for name in READING_OPTIONS if name not in but)
    return decorated(*(READING_OPTIONS[name] for name in chosen))


written = partial(option, type=OUTPUT, metavar="FILE", without=("against",))
PROOF = written("--proof", help="Write the certificate here.")
ROWS = written("--rows", help="Write the very rows of the proof here, as CSV, for checker.py.")
REPORT = written("--report", help="Write an HTML page here.")
# DATA and how to read it, for the commands that are exact.
exact_data = decorated(DATA, reading_options(), POSITIVE, NUMBERS)
