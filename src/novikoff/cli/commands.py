"""All commands as one, and what their end is told by: a sentence and an exit code."""

from __future__ import annotations

import io
import json
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any

import click

import novikoff
from novikoff.cli.streams import say, standard_streams
from novikoff.errors import NovikoffError, ParameterError

# Each is a function of this name in a file of this name, which is imported when it is asked for.
COMMANDS = {
    "certify": "Separable or not, with proof.",
    "datasets": "List the built-in sets, or print one.",
    "fewest": "The fewest rows that a hyperplane gets wrong.",
    "fit": "Learn a model and save it.",
    "predict": "Labels or scores for new rows.",
    "stream": "Learn from rows as they arrive.",
    "studio": "Drag rows and step through runs in the browser.",
    "trace": "Run the perceptron and print every update.",
    "verify": "Check a proof against its data.",
}


class Commands(click.Group):
    """The commands; when the reader of their output leaves, as `head` does, they end in peace."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"novikoff.cli.{cmd_name}"), cmd_name)
        command.short_help = COMMANDS[cmd_name]
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

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

    DATA is a file (CSV, TSV, JSON Lines, svmlight, Vowpal Wabbit, Parquet, Arrow, npy, npz; gz and
    zst too), a quoted pattern such as 'part-*.csv', - for standard input, or a built-in set such
    as lecture:002 (`novikoff datasets` lists them).

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


def run() -> int:
    """Run the command line; its exit code. A user's error is one sentence on stderr."""
    with standard_streams() as answers:
        code = _run()
        if answers is not None:
            with suppress(OSError):
                sys.stdout.flush()
            if answers.lost is not None:
                say(f"the answer cannot be written: {answers.lost}.")
                code = code or 1
    return code


def _run() -> int:
    """Say why there is no answer, as a sentence or, where JSON is wanted, as an object."""
    words = sys.argv[1:]  # what is wrong may be that these could not be parsed
    wants_json = "--json" in (words[: words.index("--")] if "--" in words else words)
    try:
        commands(prog_name="novikoff", standalone_mode=False)
        return 0
    except NovikoffError as error:
        what, code = str(error), 2 if isinstance(error, ParameterError) else 1
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except SystemExit as stop:
        return int(stop.code or 0)
    except click.Abort:
        what, code = "stopped.", 130
    except click.ClickException as error:
        what, code = error.format_message(), error.exit_code
        if not wants_json:
            shown = io.StringIO()  # click would write past a stream whose encoding is ASCII
            error.show(shown)
            sys.stderr.write(shown.getvalue())
            return code
    except MemoryError as error:
        why = f" ({str(error).splitlines()[0][:200].rstrip('.')})" if str(error) else ""
        advice = "take fewer rows or columns, or map them: --cache."
        what, code = f"the memory does not suffice{why}; {advice}", 1
    except OSError as error:
        name = f"{error.filename}: " if error.filename is not None else ""
        what, code = f"the system says: {name}{error.strerror or error}.", 1
    if wants_json:
        print(json.dumps({"error": what, "exit": code}), file=sys.stderr)
    else:
        say(what)
    return code
