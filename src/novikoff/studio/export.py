"""What can be saved from the screen: rows, proofs, Python that makes the same run, and links.

A link holds the state in its fragment; built-in sets that were not edited go by name.
"""

from __future__ import annotations

import base64
import binascii
import csv
import io
import json
import re
import zlib
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from novikoff.errors import InputError
from novikoff.inputs import Table, read_table
from novikoff.io.writing import exact_text, harmless
from novikoff.report.page import report_html
from novikoff.studio.computations import Computations
from novikoff.studio.features import MAPS
from novikoff.studio.sources import load_set, open_columns
from novikoff.studio.state import Conventions, State, read_state
from novikoff.studio.timeline import labels_of, proof_labels
from novikoff.studio.views import place, shown_owner
from novikoff.studio.whole import is_projection, whole_table


def exported(computations: Computations, state: State, what: Any) -> dict[str, str]:
    """The file that is asked for, with a name for it.

    A proof is of all columns, or, under 'drawn_proof', of those that are drawn (with the
    columns of a feature map); 'proof_rows' and 'drawn_rows' are the rows that each speaks of.
    """
    if what == "share":
        return {"fragment": encode(state)}
    if what == "csv":
        names = ("x1", "x2") if len({*state.axes, "label"}) < 3 else state.axes
        rows = [[_plain(x), _plain(y)] for x, y in state.points.tolist()]
        labels = map(harmless, labels_of(state).tolist())
        return {"name": "rows.csv", "text": as_csv([*map(harmless, names), "label"], rows, labels)}
    if problem := computations.problem(state):
        raise InputError(problem)
    timeline = computations.timeline(state)
    if what == "code":
        return {"name": "studio.py", "text": as_python(state, place(state, timeline))}
    owner = shown_owner(state, timeline)
    if what == "report":
        verdict = computations.verdict(state, owner)
        if verdict is None:
            raise InputError("there is no report yet: the verdict is not known, or of features.")
        name = str(state.source.get("name", "rows"))
        return {"name": "report.html", "text": report_html(verdict, name)}
    if what not in ("proof", "drawn_proof", "proof_rows", "drawn_rows"):
        raise InputError(f"{str(what)[:40]!r} is not something to ask for.")
    of_all = what.startswith("proof") and _is_of_all(computations, state)
    name = "proof" if what.startswith("proof") else "drawn_proof"
    if what.endswith("rows"):
        columns = computations.columns(state) if of_all else None
        if columns is None:
            table = read_table(computations.rows(state))
            header = [*MAPS[state.feature_map].names, "label"]
        else:
            table = whole_table(state, columns)
            header = [*columns.names, columns.source.get("label", "label")]
        text = as_csv(header, _exact_rows(table), proof_labels(state, owner))
        return {"name": f"{name}.csv", "text": text}
    found = (computations.whole if of_all else computations.finding)(state, owner)
    if found.certificate is None:
        raise InputError("there is no proof: the verdict is undecided or not known.")
    text = json.dumps(found.certificate.to_dict(), indent=1) + "\n"
    return {"name": f"{name}.json", "text": text}


def _is_of_all(computations: Computations, state: State) -> bool:
    """Whether the proof speaks of the table behind the plane, not of what is drawn alone."""
    if is_projection(state):
        return True
    known = computations.whole(state, 1, now=False).status != "unknown"
    return state.feature_map == "none" and known


def as_csv(header: list[Any], rows: list[list[Any]], labels: Iterable[Any]) -> str:
    """The rows with their labels in the last column."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([*row, label] for row, label in zip(rows, labels, strict=True))
    return out.getvalue()


def _exact_rows(table: Table) -> list[list[str]]:
    """The numbers of a table, from which a reader makes the very same."""
    if table.exact is not None:
        return [[exact_text(value) for value in row] for row in table.exact.tolist()]
    write = _plain if table.numbers == "binary64" else exact_text
    return [[write(value) for value in row] for row in table.dense_rows(slice(None)).tolist()]


def as_python(state: State, k: int) -> str:
    """A program that makes the same run, the same weights after k updates, the same verdict."""
    exact = state.numbers == "decimal"
    shown = (lambda value: f'Fraction("{_plain(value)}")') if exact else repr
    written = ["import numpy as np", "", "import novikoff as nk", "", "X = np.array(["]
    if exact:
        written.insert(0, "from fractions import Fraction\n")
    written += [f"    [{shown(x)}, {shown(y)}]," for x, y in state.points.tolist()]
    written += ["], dtype=object)" if exact else "])", "y = np.array(["]
    written += [f"    {_label(state, int(code))}," for code in state.codes]
    written.append("])")
    if state.feature_map != "none":
        columns = MAPS[state.feature_map].code
        written += ["", f"# The feature map: {', '.join(MAPS[state.feature_map].names)}."]
        written.append(f"X = np.stack([{columns}], axis=1)")
    written += ["", *(_two(state, k) if state.is_binary else _many(state, k))]
    return "\n".join(written) + "\n"


def _two(state: State, k: int) -> list[str]:
    positive = f"    positive={_label(state, 1)},"
    written = [
        *_call("run = nk.trace(X, y,", state, state.run, positive),
        "print(run)",
        f"print(run.weights_at({k}))  # the boundary on the screen",
        "",
        f"verdict = nk.certify(X, y, fit_intercept={state.offset})",
        "print(verdict)",
    ]
    for i, overlay in enumerate(state.overlays, start=1):
        written += ["", *_call(f"run_{i} = nk.trace(X, y,", state, overlay, positive)]
        written.append(f"print(run_{i}.weights_at(run_{i}.n_mistakes))")
    return written


def _many(state: State, k: int) -> list[str]:
    return [
        "# One run per class against the rest; k counts the updates of all of them by visits.",
        "classes = [" + ", ".join(_label(state, code) for code in range(len(state.classes))) + "]",
        *_call("runs = [nk.trace(X, np.where(y == c, 1, -1),", state, state.run),
        "    for c in classes]",
        "visits = np.concatenate([run.tape.visits for run in runs])",
        "owners = np.repeat(np.arange(len(runs)), [run.n_mistakes for run in runs])",
        f"told = owners[np.lexsort((owners, visits))][:{k}]",
        "for place, (c, run) in enumerate(zip(classes, runs)):",
        "    print(c, run.weights_at(int((told == place).sum())))",
        "",
        "print(nk.certify_classes(X, y))",
    ]


def _call(head: str, state: State, run: Conventions, *more: str) -> list[str]:
    """A call with the conventions of a run, a line for each."""
    order: Any = run.order if isinstance(run.order, str) else list(run.order)
    start: Any = list(run.start) if isinstance(run.start, tuple) else run.start
    given = {
        "tie": state.tie, "order": order, "start": start, "fit_intercept": state.offset,
        "max_iter": state.max_iter, "max_mistakes": state.limit, "random_state": run.seed,
    }  # fmt: skip
    return [head, *(f"    {name}={value!r}," for name, value in given.items()), *more, ")"]


def _label(state: State, code: int) -> str:
    """A label as Python writes it: whole numbers where all labels are such."""
    whole = all(_WHOLE.fullmatch(text) for text in state.classes)
    return state.classes[code] if whole else repr(state.classes[code])


_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}")


def _plain(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


PREFIX = "s1."
MOST_LINK = 64_000  # characters; browsers take more, chat programs less
MOST_UNPACKED = 4_000_000  # of the state inside


def encode(state: State) -> str:
    """The fragment of a link that opens this state."""
    given = state.to_json()
    del given["size"], given["selected"]
    kept = {k: v for k, v in state.source.items() if k not in ("names", "labels")}
    given["source"] = kept
    if _is_as_loaded(state):
        given["rows"] = None
    packed = zlib.compress(json.dumps(given, separators=(",", ":")).encode(), 9)
    text = PREFIX + base64.urlsafe_b64encode(packed).decode().rstrip("=")
    if len(text) > MOST_LINK:
        raise InputError(
            f"{state.n_rows} rows do not fit into a link; export the CSV file instead."
        )
    return text


def decode(fragment: Any, size: tuple[float, float]) -> State:
    """The state of a fragment; of a whole link, what stands after its #."""
    if not isinstance(fragment, str) or len(fragment) > MOST_LINK:
        raise InputError("the link is not one of this studio, or was cut short.")
    text = fragment.rpartition("#")[2]
    try:
        if not text.startswith(PREFIX):
            raise ValueError
        body = text.removeprefix(PREFIX)
        packed = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
        unpacker = zlib.decompressobj()
        raw = unpacker.decompress(packed, MOST_UNPACKED)
        if unpacker.unconsumed_tail or not unpacker.eof:
            raise ValueError
        given = json.loads(raw)
        rows_are_named = given["rows"] is None
    except (ValueError, binascii.Error, zlib.error, RecursionError, TypeError, KeyError):
        raise InputError("the link is not one of this studio, or was cut short.") from None
    given["size"] = list(size)
    if rows_are_named:
        source = given.get("source") or {}
        loaded = open_columns(load_set(str(source.get("name"))), source.get("columns"))
        given |= {"rows": loaded.rows_json(), "classes": list(loaded.classes)}
    return read_state(given)


def _is_as_loaded(state: State) -> bool:
    source = state.source
    if source.get("kind") != "set" or source.get("edited"):
        return False
    loaded = open_columns(load_set(source["name"]), source.get("columns"))
    return replace(state, numbers=loaded.numbers).rows_key == loaded.rows_key
