"""`novikoff fewest`: the fewest rows that any hyperplane gets wrong, and the proof of it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import click

from novikoff.cli import options as shared
from novikoff.cli.options import INPUT, Command, option
from novikoff.cli.question import Question, rows_of
from novikoff.cli.streams import say, waiting
from novikoff.errors import FileError, InputError


@click.command(cls=Command)
@shared.exact_data
@shared.CACHE
@shared.INTERCEPT
@option("--costs", type=INPUT, without=("against",), metavar="FILE",
        help="A number for each row of DATA, one a line: what it costs when wrong.")  # fmt: skip
@option("--trusted", type=INPUT, without=("against",), metavar="FILE",
        help="Numbers of rows of DATA, from 0, one a line, not to be given up.")  # fmt: skip
@shared.TIME_LIMIT(default=60.0, show_default=True)
@option("--suspects", is_flag=True, without=("against",), help="List the labels to look at.")
@shared.PROOF
@shared.ROWS
@shared.REPORT
@option("--require-optimal", is_flag=True, help="Exit with 3 if the bracket is not closed.")
@shared.AGAINST(without=("positive",))
@shared.SEED(help="Seed of the search; every bound is true of any.")
@shared.QUIET
@shared.AS_JSON()
def fewest(
    data: str, costs: str | None, trusted: str | None, suspects: bool, require_optimal: bool,
    against: Literal["rest", "each"] | None, **options: Any,
) -> None:  # fmt: skip
    """How many rows of DATA any hyperplane gets wrong at least, and a hyperplane near that.

    The answer is a bracket with both ends proven; often they are the same. A row on the
    hyperplane counts as wrong. The time limit, or Ctrl-C, ends the search with the bracket so
    far. With --proof it is saved: `novikoff verify` checks both ends against the data, and so does
    checker.py. With --report the rows in the way, a picture and the proof go into one HTML file.

    \b
    Examples:
      novikoff fewest spam.csv --label class --proof proof.json
      novikoff fewest spam.csv --label class --suspects --report rows.html
      novikoff fewest iris.csv --against each
    """
    question = Question.of(data, options, costs=costs, trusted=trusted)
    question.check_outputs()
    read, positive, arguments = question.read()
    from novikoff.verdicts.fewest import fewest_mistakes, fewest_mistakes_classes

    if against is not None:
        with waiting(f"searching {read.source}", question.quiet):
            many = fewest_mistakes_classes(read, against=against, **arguments)
        question.show(many, is_table=True)
        is_optimal = all(few.optimal for few in many.values())
    else:
        few = fewest_mistakes(
            read,
            costs=_each_line(costs, _cost, "a cost is a number"),
            trusted=_each_line(trusted, _row, "it must be the number of a row"),
            progress=_tell if sys.stderr.isatty() and not question.quiet else None,
            positive=positive,
            **arguments,
        )
        found = few.find_suspects(question.time_limit) if suspects else None
        question.show(few, suspects=found)
        question.write(few, rows_of(read, few.certificate))
        is_optimal = few.optimal
    if require_optimal and not is_optimal:
        say("the bracket is not closed; a longer --time-limit may close it.", question.quiet)
        sys.exit(3)


def _each_line(path: str | None, read: Callable[[str], Any], what: str) -> list[Any] | None:
    """What the lines of a file say, one each; None where no file is named."""
    if path is None:
        return None
    from novikoff.io.fields import FieldError

    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise FileError(f"cannot read {path}: it is not text in UTF-8.") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise FileError(f"cannot read {path}: {why}.") from None
    found = []
    for line in filter(None, map(str.strip, text.splitlines())):
        try:
            found.append(read(line))
        except (FieldError, ValueError, ZeroDivisionError):
            raise InputError(f"{path} has the line {line[:40]!r}; {what}.") from None
    return found


def _cost(text: str) -> Fraction:
    from novikoff.io.fields import as_fraction

    above, slash, below = (part.strip() for part in text.partition("/"))
    return as_fraction(above) / (as_fraction(below) if slash else 1)


def _row(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise ValueError
    return int(text)


def _tell(lower: Any, upper: Any, spent: float) -> None:
    say(f"at least {lower}, at most {'unknown' if upper is None else upper} after {spent:.1f} s")
