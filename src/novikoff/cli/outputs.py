"""Which files a command reads and writes: no output is also an input, nor another output.

Files are compared by what they are, not by what they are called: a link is the file it leads to.
"""

from __future__ import annotations

import glob
import json
import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from novikoff.cli.messages import in_options
from novikoff.cli.progress import waiting
from novikoff.cli.terminal import say, visible, wrapped
from novikoff.errors import InputError
from novikoff.files import check_output, descriptor_of
from novikoff.wording import count

STDOUT = "standard output"


class Output(click.Path):
    """A file to be written, which can be as far as is seen before any work is done."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False)

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        check_output(value)
        return super().convert(value, param, ctx)


OUTPUT = Output()


def check_files(inputs: Mapping[str, str | None], outputs: Mapping[str, str | None]) -> None:
    """Refuse an output that is also an input or another output; both by the names of options.

    An input may be a pattern, - or a built-in set. Devices such as /dev/null take anything.
    """
    read: dict[Any, str] = {}
    for option, given in inputs.items():
        for path in _files(given):
            for mark in _marks(path):
                if mark[0] == "pipe" and mark in read:
                    raise click.UsageError(
                        f"{path} is given for {read[mark]} and for {option}, but a pipe can be "
                        "read only once; save it to a file first."
                    )
                if mark[0] != "new":  # what is not there is a built-in set
                    read.setdefault(mark, option)
    written: dict[Any, str] = {}
    for option, output in {**outputs, STDOUT: STDOUT}.items():
        for mark in _marks(output):
            if mark in read and option == STDOUT:
                raise click.UsageError(
                    f"standard output goes into the file that {read[mark]} is read from; send it "
                    "to another."
                )
            if mark in read:
                raise click.UsageError(
                    f"{output} is the file that {read[mark]} is read from, and {option} would "
                    "overwrite it; name another file."
                )
            if mark in written:
                raise click.UsageError(
                    f"{written[mark]} and {option} are one file; give each its own."
                )
            written[mark] = option


def _files(given: str | None) -> Iterator[str]:
    if given is not None and given != "-" and not Path(given).exists() and glob.has_magic(given):
        yield from glob.glob(given, recursive=True)  # noqa: PTH207 - a path's glob is relative
    elif given is not None:
        yield given


def _marks(path: str | None) -> list[tuple[Any, ...]]:
    """What a file is; nothing where that takes or gives anything, as a device does."""
    if path is None:
        return []
    descriptor: int | None
    if path in ("-", STDOUT):
        stream = sys.stdin if path == "-" else sys.stdout
        descriptor = _descriptor(stream)
        own = [("pipe", 0)] if path == "-" else []
    else:
        descriptor = descriptor_of(path)
        own = [("pipe", descriptor)] if descriptor in (0, 1) else []
    if descriptor is None and path in ("-", STDOUT):
        return own
    try:
        found = Path(path).stat() if descriptor is None else os.fstat(descriptor)
    except FileNotFoundError:
        return [("new", os.path.realpath(path))]
    except OSError:
        return own
    kinds = {stat.S_IFREG: "file", stat.S_IFBLK: "file", stat.S_IFIFO: "pipe"}
    kind = kinds.get(stat.S_IFMT(found.st_mode))
    if kind is None or ("pipe", 1) in own:  # standard output is marked where it is looked at
        return own
    return [*own, (kind, found.st_dev, found.st_ino)]


def _descriptor(stream: Any) -> int | None:
    try:
        return None if stream is None else int(stream.fileno())
    except (OSError, ValueError):
        return None


@dataclass(frozen=True)
class Answer:
    """Where the answer of an exact command goes: to stdout, and into the files that are named."""

    data: str
    proof: str | None
    rows: str | None
    report: str | None
    rocq: str | None
    as_json: bool
    quiet: bool

    @classmethod
    def of(cls, data: str, options: dict[str, Any], **inputs: str | None) -> Answer:
        """The outputs among a command's options, which are taken out of `options`."""
        files = {name: options.pop(name, None) for name in ("proof", "rows", "report", "rocq")}
        outputs = {f"--{name}": path for name, path in files.items()}
        check_files({"DATA": data, **{f"--{name}": path for name, path in inputs.items()}}, outputs)
        return cls(data, **files, as_json=options.pop("as_json"), quiet=options["quiet"])

    def prepare(self) -> None:
        """See, before anything is read or decided, that what is asked for can be written."""
        if self.report:
            from novikoff.report.drawing import require_matplotlib

            require_matplotlib()
        if self.rocq:
            from novikoff.report.rocq import check_name

            check_name(self.rocq)

    def show(self, found: Any, is_table: bool = False, **beside: Any) -> None:
        """Print the answer, and after it what was asked for beside it, such as suspects."""
        beside = {name: part for name, part in beside.items() if part is not None}
        if self.as_json:
            fields = found.to_dict()
            if "notes" in fields:
                fields["notes"] = [in_options(note) for note in fields["notes"]]
            more = {name: part.to_dict() for name, part in beside.items()}
            click.echo(json.dumps({**fields, **more}))
            return
        text = visible(in_options(str(found)))
        click.echo(text if is_table else wrapped(text))
        for part in beside.values():
            click.echo("\n" + visible(in_options(str(part))))

    def write(self, found: Any, write_rows: Callable[[str], int], **named: str | None) -> None:
        """Write the report, the rows and the proof of an answer, where they are wanted.

        write_rows : writes the rows of the proof to a path, and gives their number
        named : other files that the report names
        """
        if self.report:
            with waiting(f"writing {self.report}", self.quiet):
                found.report(self.report, _name_of(self.data), self.proof, **named)
            say(f"wrote the report to {self.report}.", self.quiet)
        write_proof_rows(self.rows, write_rows, self.quiet)
        self.write_proof(found.certificate)

    def write_proof(self, certificate: Any) -> None:
        if not self.proof:
            return
        if certificate is None:
            say("undecided, so there is no proof to write.")
            sys.exit(3)
        certificate.save(self.proof)
        say(f"wrote the proof to {self.proof}.", self.quiet)

    def write_rocq(self, certificate: Any, table: Callable[[], Any], labels: Any = None) -> None:
        """Write the theorem of a claim, where it is wanted; of a model, `labels` is None."""
        if not self.rocq:
            return
        from novikoff.report.rocq import write_rocq

        if certificate is None:
            say("undecided, so there is no theorem to write.")
            sys.exit(3)
        signs = None if labels is None else certificate.stamp.read_signs(labels)
        write_rocq(self.rocq, certificate, table(), signs, _name_of(self.data))
        say(f"wrote the theorem to {self.rocq}; check it with coqc {self.rocq}.", self.quiet)


def _name_of(data: str) -> str:
    """DATA as it is typed beside the file: a pattern as it is, a file by its name."""
    return Path(data).name if Path(data).exists() else data


def write_proof_rows(path: str | None, write_rows: Callable[[str], int], quiet: bool) -> None:
    """Write the rows that a proof is about, where they are wanted."""
    if path:
        n_rows = write_rows(path)
        say(f"wrote the {count(n_rows, 'row', ',')} of the proof to {path}.", quiet)


def rows_of(read: Any, certificate: Any) -> Callable[[str], int]:
    """What writes the rows that a proof is about to a path."""

    def write(path: str) -> int:
        from novikoff.io.writing import write_exact_rows

        if certificate is None:
            raise InputError("undecided, so there is no proof to write the rows of.")
        return write_exact_rows(path, read, certificate.stamp.numbers)

    return write
