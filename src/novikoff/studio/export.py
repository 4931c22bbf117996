"""What can be saved from the screen: rows, proofs, links, and Python that makes the same run."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from typing import Any

from novikoff.conventions import ORDERS
from novikoff.errors import InputError
from novikoff.inputs import Table, read_table
from novikoff.io.cells import harmless
from novikoff.io.writing import exact_text
from novikoff.report.page import report_html
from novikoff.studio.computations import Computations
from novikoff.studio.features import MAPS
from novikoff.studio.share import encode
from novikoff.studio.state import Conventions, State
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


WIDTH = 96


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
    written = ["import numpy as np", "", "import novikoff as nk", ""]
    if exact:
        written.insert(0, "from fractions import Fraction\n")
    written += _data(state, exact)
    if state.feature_map != "none":
        columns = MAPS[state.feature_map].code
        written += ["", f"# The feature map: {', '.join(MAPS[state.feature_map].names)}."]
        written.append(f"X = np.stack([{columns}], axis=1)")
    written += ["", *(_two(state, k) if state.is_binary else _many(state, k))]
    return "\n".join(written) + "\n"


def _data(state: State, exact: bool) -> list[str]:
    shown = (lambda value: f'Fraction("{_plain(value)}")') if exact else repr
    rows = [f"[{shown(x)}, {shown(y)}]" for x, y in state.points.tolist()]
    labels = [_label(state, int(code)) for code in state.codes]
    return [
        *_wrapped("X = np.array([", rows, "], dtype=object)" if exact else "])"),
        *_wrapped("y = np.array([", labels, "])"),
    ]


def _wrapped(head: str, items: list[str], tail: str) -> list[str]:
    """The items between head and tail, in as many lines as they need."""
    one_line = head + ", ".join(items) + tail
    if len(one_line) <= WIDTH:
        return [one_line]
    indent = " " * (len(head) - len(head.lstrip()))
    written, line = [head.rstrip()], f"{indent}   "
    for item in items:
        if len(line) + len(item) + 2 > WIDTH:
            written.append(line)
            line = f"{indent}   "
        line += f" {item},"
    return [*written, line, indent + tail]


def _two(state: State, k: int) -> list[str]:
    positive = f"positive={_label(state, 1)}"
    written = [
        *_wrapped("run = nk.trace(X, y, ", [*_conventions(state, state.run), positive], ")"),
        "print(run)",
        f"print(run.weights_at({k}))  # the boundary on the screen",
        "",
        f"verdict = nk.certify(X, y, fit_intercept={state.offset})",
        "print(verdict)",
    ]
    if state.overlays:
        written += ["", "# The runs drawn over it."]
    for i, overlay in enumerate(state.overlays, start=1):
        keywords = [*_conventions(state, overlay), positive]
        written += [
            *_wrapped(f"run_{i} = nk.trace(X, y, ", keywords, ")"),
            f"print(run_{i}.weights_at(run_{i}.n_mistakes))",
        ]
    return written


def _many(state: State, k: int) -> list[str]:
    keywords = _conventions(state, state.run)
    return [
        "# One run per class against the rest; k counts the updates of all of them by visits.",
        "classes = [" + ", ".join(_label(state, code) for code in range(len(state.classes))) + "]",
        "runs = [",
        *_wrapped("    nk.trace(X, np.where(y == c, 1, -1), ", keywords, ")"),
        "    for c in classes",
        "]",
        "visits = np.concatenate([run.tape.visits for run in runs])",
        "owners = np.repeat(np.arange(len(runs)), [run.n_mistakes for run in runs])",
        f"told = owners[np.lexsort((owners, visits))][:{k}]",
        "for place, (c, run) in enumerate(zip(classes, runs)):",
        "    print(c, run.weights_at(int((told == place).sum())))",
        "",
        "print(nk.certify_classes(X, y))",
    ]


def _conventions(state: State, run: Conventions) -> list[str]:
    order: Any = run.order if run.order in ORDERS else [int(i) for i in run.order]
    start: Any = list(run.start) if isinstance(run.start, tuple) else run.start
    return [
        f'tie="{state.tie}"',
        f'order="{order}"' if isinstance(order, str) else f"order={order}",
        *([] if start is None else [f'start="{start}"' if start == "random" else f"start={start}"]),
        f"fit_intercept={state.offset}",
        f"max_iter={state.max_iter}",
        f"max_mistakes={state.limit}",
        f"random_state={run.seed}",
    ]


def _label(state: State, code: int) -> str:
    """A label as Python writes it: whole numbers where all labels are such."""
    texts = state.classes
    whole = all(_is_whole(text) for text in texts)
    return texts[code] if whole else repr(texts[code])


def _is_whole(text: str) -> bool:
    try:
        return str(int(text)) == text and abs(int(text)) < 2**62
    except ValueError:
        return False


def _plain(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
