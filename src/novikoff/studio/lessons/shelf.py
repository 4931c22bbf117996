"""The lessons that there are: those that ship with the studio, and one of a person's own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from novikoff.errors import FileError, InputError, no_file
from novikoff.studio.lessons.reading import MOST_TEXT, Lesson, read_lesson

SHIPPED = ("tour", "000", "001", "002", "003", "004")
OWN = "own"


@lru_cache(maxsize=len(SHIPPED))
def shipped(name: str) -> Lesson:
    """A lesson that comes with the studio."""
    if name not in SHIPPED:
        raise InputError(f"there is no lesson {name[:40]!r}; there are {', '.join(SHIPPED)}.")
    text = files("novikoff.studio.lessons").joinpath(f"{name}.md").read_text(encoding="utf-8")
    return read_lesson(text, f"lesson {name}")


@dataclass
class OwnLesson:
    """A lesson file that somebody is writing: read again whenever it has changed.

    A version with a fault does not replace the last one without; the fault is said instead.
    """

    path: Path
    lesson: Lesson
    seen: tuple[int, int]  # when it was written, and its size
    fault: str = ""

    @classmethod
    def open(cls, path: Path) -> OwnLesson:
        return cls(path, read_lesson(_text(path), path.name), _stamp(path))

    def has_changed(self) -> bool:
        try:
            return _stamp(self.path) != self.seen
        except FileError:
            return False  # an editor may be replacing it

    def refresh(self) -> None:
        """Read the file again, if it has changed."""
        if not self.has_changed():
            return
        self.seen = _stamp(self.path)
        try:
            self.lesson, self.fault = read_lesson(_text(self.path), self.path.name), ""
        except (InputError, FileError) as error:
            self.fault = str(error)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except FileNotFoundError:
        raise no_file(str(path)) from None
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}.") from None
    return found.st_mtime_ns, found.st_size


def _text(path: Path) -> str:
    if _stamp(path)[1] > 4 * MOST_TEXT:
        raise InputError(
            f"{path.name} is too large; a lesson has at most {MOST_TEXT:,} characters."
        )
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise FileError(f"{path} is not text in UTF-8.") from None
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}.") from None
