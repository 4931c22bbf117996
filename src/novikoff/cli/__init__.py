"""The `novikoff` command. Data goes to stdout, everything else to stderr.

Exit codes: 0 done, 1 bad data or an invalid proof, 2 wrong usage, 3 the data does not have
the status that was required, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import click

import novikoff
from novikoff.cli.certify import certify
from novikoff.cli.completion import completion
from novikoff.cli.datasets import datasets
from novikoff.cli.fit import fit
from novikoff.cli.predict import predict
from novikoff.cli.spoken import spoken
from novikoff.cli.stream import stream
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
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
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


for command in (certify, verify, trace, fit, predict, stream, studio, datasets, completion):
    commands.add_command(command)


def main() -> None:
    """Run the command line; a user's error is one sentence on stderr, never a traceback."""
    prepare_streams()
    try:
        commands(prog_name="novikoff", standalone_mode=False)
    except NovikoffError as error:
        _stop(f"novikoff: {spoken(str(error))}", 1)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.Abort:
        _stop("novikoff: stopped.", 130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except OSError as error:
        if error.filename is not None:
            _stop(f"novikoff: {error.filename} cannot be used: {error.strerror}.", 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # a full disk behind it
        _stop(f"novikoff: the answer cannot be written: {error.strerror or error}.", 1)


def _stop(message: str, code: int) -> None:
    click.echo(message, err=True)
    sys.exit(code)
