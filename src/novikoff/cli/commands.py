"""All commands as one, and what their end is told by: a sentence and an exit code."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any

import click

import novikoff
from novikoff.cli.certify import certify
from novikoff.cli.completion import completion
from novikoff.cli.datasets import datasets
from novikoff.cli.fewest import fewest
from novikoff.cli.fit import fit
from novikoff.cli.predict import predict
from novikoff.cli.spoken import spoken
from novikoff.cli.stream import stream
from novikoff.cli.streams import standard_streams
from novikoff.cli.studio import studio
from novikoff.cli.terminal import prepare_streams
from novikoff.cli.trace import trace
from novikoff.cli.verify import verify
from novikoff.errors import NovikoffError


class Commands(click.Group):
    """The commands; when the reader of their output leaves, as `head` does, they end in peace."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # click itself would make it an error
            raise click.exceptions.Exit(0) from None


@click.group(
    cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(novikoff.__version__, prog_name="novikoff")
def commands() -> None:
    """Perceptrons that prove their answers.

    DATA is a file (CSV, TSV, svmlight, Vowpal Wabbit, Parquet, Arrow, npy, npz; gz and zst too),
    a quoted pattern such as 'part-*.csv', - for standard input, or a built-in set such as
    lecture:002 (`novikoff datasets` lists them).

    Answers go to stdout, everything else to stderr. In a pipe there is neither colour nor
    progress; NO_COLOR is heeded on a terminal too.

    \b
    Examples:
      novikoff certify spam.csv --label class --proof proof.json
      novikoff fewest spam.csv --label class
      novikoff fit spam.csv --label class -o spam.safetensors
      novikoff predict spam.safetensors new.csv > labels.txt
      novikoff trace lecture:002

    \b
    Exit codes:
      0    done
      1    bad data, or a proof that does not hold
      2    wrong usage
      3    the data does not have the status that --require names
      130  stopped by Ctrl-C; what was saved is said
    """


for command in (certify, verify, fewest, trace, fit, predict, stream, studio, datasets, completion):
    commands.add_command(command)


def run() -> int:
    """Run the command line; its exit code. A user's error is one sentence on stderr."""
    with standard_streams() as answers:
        prepare_streams()
        code = _run()
        if answers is not None:
            with suppress(OSError):
                sys.stdout.flush()
            if answers.lost is not None:
                _say(f"the answer cannot be written: {answers.lost}.")
                code = code or 1
    return code


def _run() -> int:
    try:
        commands(prog_name="novikoff", standalone_mode=False)
    except NovikoffError as error:
        _say(spoken(str(error)))
        return 1
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except SystemExit as stop:
        return int(stop.code or 0)
    except click.Abort:
        _say("stopped.")
        return 130
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except MemoryError as error:
        why = f" ({str(error).splitlines()[0][:200].rstrip('.')})" if str(error) else ""
        _say(f"the memory does not suffice{why}; take fewer rows or columns, or map them: --cache.")
        return 1
    except OSError as error:
        name = f"{error.filename}: " if error.filename is not None else ""
        _say(f"the system says: {name}{error.strerror or error}.")
        return 1
    return 0


def _say(what: str) -> None:
    click.echo(f"novikoff: {what}", err=True)
