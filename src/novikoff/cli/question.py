"""What an exact command asks of DATA, and where its answer goes, as it was typed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from novikoff.cli.data import check_files, load_data, reading_of
from novikoff.cli.messages import in_options
from novikoff.cli.streams import say, visible, waiting, wrapped
from novikoff.errors import InputError
from novikoff.wording import count

if TYPE_CHECKING:
    from novikoff.io import Data

FILES = ("proof", "rows", "report", "rocq")


@dataclass(frozen=True)
class Question:
    """DATA and how it is read, what is asked of it, and the files that the answer goes into."""

    data: str
    reading: dict[str, Any]
    numbers: str | None
    cache: str | None
    positive: str | None
    intercept: bool | None
    time_limit: float | None
    seed: int | None
    quiet: bool
    as_json: bool
    proof: str | None
    rows: str | None
    report: str | None
    rocq: str | None

    @classmethod
    def of(cls, data: str, options: dict[str, Any], **inputs: str | None) -> Question:
        """The question of a command's options, which are taken out of `options`.

        inputs : other files that are read, by the names of their options
        """
        reading = reading_of(options)
        own = {one.name: options.pop(one.name, None) for one in fields(cls)[2:]}
        if own["intercept"] is not False:
            reading["levels"] = "reference"  # all levels of a text and the offset are collinear
        read = {"DATA": data, **{f"--{name}": path for name, path in inputs.items()}}
        check_files(read, {f"--{name}": own[name] for name in FILES})
        return cls(data, reading, **own)

    def check_outputs(self) -> None:
        """See, before anything is read or decided, that what is asked for can be written."""
        if self.report:
            from novikoff.display.style import require_matplotlib

            require_matplotlib("the pictures of a report need")
        if self.rocq:
            from novikoff.report.rocq import check_name

            check_name(self.rocq)

    def read(self) -> tuple[Data, Any, dict[str, Any]]:
        """The rows, the positive class if one is named, and the other arguments of the question.

        What is not typed is as the lecture of a built-in set has it.
        """
        read, conventions = load_data(
            self.data, self.reading, self.numbers, self.cache, quiet=self.quiet
        )
        offset, positive = self.intercept, self.positive
        arguments = {
            "fit_intercept": conventions.get("fit_intercept", True) if offset is None else offset,
            "time_limit": self.time_limit,
            "random_state": self.seed,
        }
        return read, conventions.get("positive") if positive is None else positive, arguments

    def show(self, found: Any, is_table: bool = False, **beside: Any) -> None:
        """Print the answer, and after it what was asked for beside it, such as suspects."""
        beside = {name: part for name, part in beside.items() if part is not None}
        if self.as_json:
            answer = found.to_dict()
            if "notes" in answer:
                answer["notes"] = [in_options(note) for note in answer["notes"]]
            print(json.dumps({**answer, **{name: part.to_dict() for name, part in beside.items()}}))
            return
        text = visible(in_options(str(found)))
        print(text if is_table else wrapped(text))
        for part in beside.values():
            print("\n" + visible(in_options(str(part))))

    def write(
        self,
        found: Any,
        write_rows: Callable[[str], int],
        table: Callable[[], Any] | None = None,
        labels: Any = None,
    ) -> None:
        """Write the report, the rows, the proof and the theorem of an answer, as is wanted.

        write_rows : writes the rows of the proof to a path, and gives their number
        table, labels : what a theorem is about; a model has no labels
        """
        certificate = found.certificate
        source = Path(self.data).name if Path(self.data).exists() else self.data
        if self.report:
            with waiting(f"writing {self.report}", self.quiet):
                found.report(self.report, source, self.proof, self.rows)
            say(f"wrote the report to {self.report}.", self.quiet)
        write_proof_rows(self.rows, write_rows, self.quiet)
        for path, what in ((self.proof, "proof"), (self.rocq, "theorem")):
            if path and certificate is None:
                say(f"undecided, so there is no {what} to write.")
                sys.exit(3)
        if self.proof:
            certificate.save(self.proof)
            say(f"wrote the proof to {self.proof}.", self.quiet)
        if self.rocq and table is not None:
            from novikoff.report.rocq import write_rocq

            signs = None if labels is None else certificate.stamp.read_signs(labels)
            write_rocq(self.rocq, certificate, table(), signs, source)
            say(f"wrote the theorem to {self.rocq}; check it with coqc {self.rocq}.", self.quiet)


def write_proof_rows(path: str | None, write_rows: Callable[[str], int], quiet: bool) -> None:
    """Write the rows that a proof is about, where they are wanted."""
    if path:
        say(f"wrote the {count(write_rows(path), 'row', ',')} of the proof to {path}.", quiet)


def rows_of(read: Any, certificate: Any) -> Callable[[str], int]:
    """What writes the rows that a proof is about to a path."""

    def write(path: str) -> int:
        from novikoff.io.writing import write_exact_rows

        if certificate is None:
            raise InputError("undecided, so there is no proof to write the rows of.")
        return write_exact_rows(path, read, certificate.stamp.numbers)

    return write
