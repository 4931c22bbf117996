"""Checkpoints: a model file that also tells how far a stream has come.

A checkpoint is written to a temporary name, synced and renamed, after the predictions that it
counts were synced: whenever a process dies, the last checkpoint and what it speaks of are whole.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from novikoff.errors import FileError, ParameterError
from novikoff.files import write_whole
from novikoff.io.formats import TEXT
from novikoff.model_format import Stored, read_stored
from novikoff.online.perceptron import OnlinePerceptron
from novikoff.wording import keyword

KEY = "stream"


@dataclass
class Progress:
    """How far a stream has come; everything in it is plain JSON."""

    rows: int = 0
    lines: int = 0
    n_bytes: int = 0  # of the input
    digest: str = ""  # of these bytes
    predictions: int = 0  # bytes written
    labelled: int = 0
    wrong: int = 0
    dropped: int = 0
    next_report: int = 1
    labelled_then: int = 0  # at the last report
    wrong_then: int = 0
    format: str = ""
    reader: dict[str, Any] = field(default_factory=dict)


def save_checkpoint(
    path: str | os.PathLike[str],
    model: OnlinePerceptron,
    progress: Progress,
    options: dict[str, Any],
) -> None:
    content = model.to_bytes(**{KEY: {"progress": asdict(progress), "options": options}})
    write_whole(path, content)


def load_checkpoint(
    path: str | os.PathLike[str], options: dict[str, Any], is_own_model: bool = False
) -> tuple[OnlinePerceptron, Progress]:
    """The model and the progress; FileError if the file is no checkpoint, or of other options.

    Where `is_own_model`, the model that the run began from may have been replaced by what it
    saved: options["model"] becomes what it was.
    """
    stored = read_stored(path)
    if KEY not in stored.head:
        raise FileError(
            f"{path} is a model, but no checkpoint of a stream; start from it by "
            f"{keyword('model')}."
        )
    model = model_in(stored, path)
    try:
        progress = Progress(**stored.head[KEY]["progress"])
        then = dict(stored.head[KEY]["options"])
        _check(progress)
    except (KeyError, TypeError, ValueError) as error:
        raise FileError(f"{path} is a checkpoint that does not fit together ({error}).") from None
    if is_own_model and options["model"] is not None and then.get("model") is not None:
        options["model"] = then["model"]
    if then.get("model") != options.get("model") and options.get("model") is not None:
        raise ParameterError(
            f"{path} was made with {'another' if then.get('model') else 'no'} {keyword('model')}; "
            f"give the file that the run began from, or leave {keyword('resume')} out to start "
            "anew."
        )
    for name, value in options.items():
        if then.get(name) != value:
            raise ParameterError(
                f"{path} was made with {_said(name, then.get(name))}, and this run has "
                f"{_said(name, value)}; say the same options again, or leave {keyword('resume')} "
                "out to start anew."
            )
    return model, progress


def _check(progress: Progress) -> None:
    """ValueError where the numbers cannot be those of a stream."""
    for kept in fields(Progress):
        value = getattr(progress, kept.name)
        if type(value) is not type(getattr(Progress(), kept.name)):
            raise ValueError(f"{kept.name} is {value!r:.40}")
        if isinstance(value, int) and value < 0:
            raise ValueError(f"{kept.name} is {value}")
    if progress.format not in ("", *TEXT):
        raise ValueError(f"the format is {progress.format!r:.40}")
    if progress.next_report <= progress.rows:
        raise ValueError(f"the next report is at {progress.next_report} rows")


def model_in(stored: Stored, path: str | os.PathLike[str]) -> OnlinePerceptron:
    """The model in a file that was read; FileError if it is one of another kind."""
    kind = stored.head.get("class")
    if kind != OnlinePerceptron.__name__:
        raise FileError(
            f"{path} holds a {kind}; a stream goes on from an OnlinePerceptron, which "
            "`novikoff stream -o` and OnlinePerceptron.save write."
        )
    try:
        return OnlinePerceptron.from_stored(stored)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        raise FileError(f"{path} holds a {kind} that does not fit together ({error}).") from None


def _said(name: str, value: Any) -> str:
    name = "fit_intercept" if name == "intercept" else name
    if value is None:
        return f"no {keyword(name)}"
    many = value if isinstance(value, list) else [value]
    return " ".join(keyword(name, one) for one in many)
