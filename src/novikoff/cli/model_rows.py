"""DATA as a model reads it: the columns that it has learnt from, by name where they have names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from novikoff.cli.data import built_in, is_file
from novikoff.cli.messages import has_option
from novikoff.errors import FileError, InputError, ParameterError
from novikoff.wording import first_few


def scan_for(model: Any, data: str, reading: dict[str, Any], labels: bool) -> Iterator[Any]:
    """Blocks of DATA with the columns that the model was fitted on."""
    reading = reading_for(model, reading, labels)
    known = _known_columns(model)
    if "columns" not in reading and _has_names(known) and not _is_sparse(data, reading):
        reading["columns"] = known
    for block in _blocks(data, reading):
        if block.n_columns != model.n_features_in_:
            raise FileError(
                f"{data} has {block.n_columns} columns of numbers; the model was fitted on "
                f"{model.n_features_in_}."
            )
        yield block


def reading_for(model: Any, reading: dict[str, Any], labels: bool) -> dict[str, Any]:
    """How to read a file for this model, with labels or without."""
    like = dict(getattr(model, "reading_", {}))
    label = getattr(model, "label_", None)
    given = dict(reading)
    reading = {**like, **reading}
    if not has_texts(model):
        reading.pop("unseen", None)
    if labels:
        if label is not None:
            reading.setdefault("label", label)
        if model.classes_.dtype.kind == "U":  # though those of this file may all be numbers
            reading["labels"] = "as written"
    else:
        reading["label"] = False
        if "label" in given:  # a column that is there, and is not asked
            reading["drop"] = (*reading.get("drop", ()), given["label"])
    return reading


def by_position(model: Any, block: Any) -> tuple[str, ...]:
    """What to say where columns have names, in the file or in the model, and are not taken by them.

    Then nobody can see whether they are in another order.
    """
    known = _known_columns(model) or []
    found = block.reading.get("columns", None if block.names is None else list(block.names))
    if known == found or not (_has_names(known) or _has_names(found)):
        return ()
    if not _has_names(known):
        return (
            "the model knows its columns by their places alone: those of "
            f"{block.source} ({first_few(found)}) "
            "are taken in their order, whatever they are called",
        )
    return (f"the columns of {block.source} are taken by their places as {first_few(known)}",)


def _known_columns(model: Any) -> list[str] | None:
    """The columns that the model learnt from, by name or by number; None where it knows neither."""
    known: list[str] | None = getattr(model, "reading_", {}).get("columns")
    names = getattr(model, "feature_names_in_", None)  # of a DataFrame
    return known if known is not None or names is None else [str(name) for name in names]


def _is_sparse(data: str, reading: dict[str, Any]) -> bool:
    """Whether DATA is of a format whose columns have no names."""
    from novikoff.io.formats import format_of_file

    return (reading.get("format") or format_of_file(data)) in ("svmlight", "vw")


def _has_names(columns: list[str] | None) -> bool:
    return not all(name.isdecimal() for name in columns or ())


def has_texts(model: Any) -> bool:
    like = getattr(model, "reading_", {})
    return "encoding" in like and "bits" not in like


def _blocks(data: str, reading: dict[str, Any]) -> Iterator[Any]:
    from novikoff.io import scan

    if not is_file(data):
        yield built_in(data)[0]
        return
    named = "standard input" if data == "-" else data
    try:
        yield from scan(data, **reading)
    except FileError:
        raise
    except ParameterError as error:
        if has_option(error.parameter or ""):
            raise
        raise FileError(
            f"{named} is not like the rows that the model learnt: it is another kind of file; give "
            "one of the same columns."
        ) from None
    except InputError as error:
        raise InputError(f"{named} is not like the rows that the model learnt: {error}") from None
