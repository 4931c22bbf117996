"""The `novikoff` command. Data goes to stdout, everything else to stderr.

Exit codes: 0 done, 1 bad data or an invalid proof, 2 wrong usage, 3 the data does not have
the status that was required.
"""

from __future__ import annotations

import os
import sys

import click

import novikoff
from novikoff.cli.certify import certify
from novikoff.cli.datasets import datasets
from novikoff.cli.fit import fit
from novikoff.cli.predict import predict
from novikoff.cli.stream import stream
from novikoff.cli.studio import studio
from novikoff.cli.trace import trace
from novikoff.cli.verify import verify
from novikoff.errors import NovikoffError


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(novikoff.__version__, prog_name="novikoff")
def commands() -> None:
    """Perceptrons that prove their answers.

    DATA is a CSV file, - for standard input, or a built-in set such as lecture:002
    (`novikoff datasets` lists them).
    """


for command in (certify, verify, trace, fit, predict, stream, studio, datasets):
    commands.add_command(command)


def main() -> None:
    """Run the command line; a user's error is one sentence on stderr, never a traceback."""
    try:
        commands(standalone_mode=False)
    except NovikoffError as error:
        _stop(f"novikoff: {error}", 1)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.Abort:
        _stop("novikoff: stopped.", 130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except BrokenPipeError:  # the reader of our output left, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _stop(message: str, code: int) -> None:
    click.echo(message, err=True)
    sys.exit(code)
