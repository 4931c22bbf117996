"""Options that say with what they go: one that was typed acts, or is refused with a sentence.

An option also knows which argument of the library it stands for (messages.py).
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from novikoff.cli.messages import errors_in_options, name_of
from novikoff.files import check_output

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


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
        self.only = dict(only or {})
        self.needs, self.without = needs, without
        self.of_files = of_files
        self.argument = argument or self.name or ""

    def check(self, context: click.Context) -> None:
        """Raise UsageError where the option was typed and cannot act."""
        if not is_typed(context, self.name):
            return
        typed = max(self.opts, key=len)
        if self.secondary_opts and context.params.get(self.name or "") is False:
            typed = max(self.secondary_opts, key=len)
        for name in self.needs:
            if not is_typed(context, name):
                raise click.UsageError(f"{typed} goes with {_shown(context, name)}.", context)
        for name in self.without:
            if is_typed(context, name):
                other = _shown(context, name)
                raise click.UsageError(f"{typed} does not go with {other}.", context)
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


def option(*names: Any, **settings: Any) -> Callable[[Decorated], Decorated]:
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


def refuse_of_files(data: str) -> None:
    """Raise where an option that says how to read a file was typed for a built-in set."""
    for typed in typed_of_files():
        raise click.UsageError(
            f"{typed} is about files, and {data} is a built-in set; leave it out."
        )


def typed_of_files() -> list[str]:
    """The options that were typed and say how to read a file."""
    context = click.get_current_context(silent=True)
    return [
        max(parameter.opts, key=len)
        for parameter in ([] if context is None else context.command.params)
        if isinstance(parameter, Option)
        and parameter.of_files
        and is_typed(context, parameter.name)  # type: ignore[arg-type]
    ]


def _shown(context: click.Context, name: str) -> str:
    """What a parameter is called: --label, or DATA."""
    found = next(parameter for parameter in context.command.params if parameter.name == name)
    if isinstance(found, click.Argument):
        return found.make_metavar(context).strip("[]")
    return max(found.opts, key=len)
