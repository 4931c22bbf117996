"""What can be saved from the screen: rows, proofs, links, and Python that makes the same run."""

from __future__ import annotations

import csv
import io
import json
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.conventions import ORDERS
from novikoff.errors import InputError
from novikoff.inputs import Table
from novikoff.io.cells import harmless
from novikoff.report.page import report_html
from novikoff.studio.computations import Computations
from novikoff.studio.features import MAPS, mapped
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
        return {"name": "rows.csv", "text": as_csv(state)}
    if problem := computations.problem(state):
        raise InputError(problem)
    timeline = computations.timeline(state)
    if what == "code":
        return {"name": "studio.py", "text": as_python(state, place(state, timeline))}
    owner = shown_owner(state, timeline)
    if what in ("proof", "drawn_proof"):
        certificate = _finding(computations, state, owner, what == "proof").certificate
        if certificate is None:
            raise InputError("there is no proof: the verdict is undecided or not known.")
        name = "proof.json" if what == "proof" else "drawn_proof.json"
        return {"name": name, "text": json.dumps(certificate.to_dict(), indent=1) + "\n"}
    if what == "report":
        verdict = computations.verdict(state, owner)
        if verdict is None:
            raise InputError("there is no report yet: the verdict is not known, or of features.")
        name = str(state.source.get("name", "rows"))
        return {"name": "report.html", "text": report_html(verdict, name)}
    if what == "drawn_rows":
        return {"name": "drawn_proof.csv", "text": proof_csv(state, owner)}
    if what == "proof_rows":
        columns = computations.columns(state)
        if not _is_of_the_table(computations, state) or columns is None:
            return {"name": "proof.csv", "text": proof_csv(state, owner)}
        table = whole_table(state, columns)
        label = columns.source.get("label", "label")
        text = whole_csv(table, columns.names, state, owner, label)
        return {"name": "proof.csv", "text": text}
    raise InputError(f"{str(what)[:40]!r} is not something to ask for.")


def _is_of_the_table(computations: Computations, state: State) -> bool:
    """Whether the proof speaks of the table behind the plane, not of what is drawn alone."""
    if is_projection(state):
        return True
    return (
        state.feature_map == "none"
        and computations.whole_of(state, 1, now=False).status != "unknown"
    )


def _finding(computations: Computations, state: State, owner: int, of_all: bool) -> Any:
    if of_all and _is_of_the_table(computations, state):
        return computations.whole_of(state, owner)
    return computations.finding(state, owner)


WIDTH = 96


def as_csv(state: State) -> str:
    """The rows with their labels in the last column; each number as it is on the screen."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = ["x1", "x2"] if len({*state.axes, "label"}) < 3 else list(state.axes)
    writer.writerow([*map(harmless, names), "label"])
    for (x, y), label in zip(state.points.tolist(), labels_of(state).tolist(), strict=True):
        writer.writerow([_plain(x), _plain(y), harmless(label)])
    return out.getvalue()


def proof_csv(state: State, owner: int) -> str:
    """The rows that a proof speaks of: with the columns of the feature map, one class against
    the rest. `novikoff verify` takes it beside the proof."""
    if state.numbers == "decimal":
        exact = np.array([Decimal(_plain(v)) for v in state.points.ravel().tolist()], dtype=object)
        with localcontext(Context(prec=200)):
            rows = mapped(exact.reshape(-1, 2), state.feature_map)
        shown = rows.tolist()
    else:
        shown = [
            [_plain(v) for v in row] for row in mapped(state.points, state.feature_map).tolist()
        ]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*MAPS[state.feature_map].names, "label"])
    for row, label in zip(shown, proof_labels(state, owner).tolist(), strict=True):
        writer.writerow([*row, label])
    return out.getvalue()


def whole_csv(table: Table, names: tuple[str, ...], state: State, owner: int, label: str) -> str:
    """All columns of the rows that a proof speaks of, one class against the rest."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*names, label])
    exact = table.exact
    rows = (
        [[_plain(v) for v in row] for row in table.dense_rows(slice(None)).tolist()]
        if exact is None
        else [[_decimal(v) for v in row] for row in exact.tolist()]
    )
    for row, text in zip(rows, proof_labels(state, owner).tolist(), strict=True):
        writer.writerow([*row, text])
    return out.getvalue()


def _decimal(value: Fraction) -> str:
    """A fraction whose denominator divides a power of ten, written out."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        raise InputError(f"{value} has no end as a decimal, so the rows cannot be saved as CSV.")
    with localcontext(Context(prec=2000)):
        return str(Decimal(value.numerator) / Decimal(value.denominator))


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
    shown = _exact_number if exact else _number
    rows = [f"[{shown(x)}, {shown(y)}]" for x, y in state.points.tolist()]
    wrap = ", dtype=object)" if exact else ")"
    labels = [_label(state, int(code)) for code in state.codes]
    return [
        *_list("X = np.array([", rows, "]" + wrap),
        *_list("y = np.array([", labels, "])"),
    ]


def _list(head: str, items: list[str], tail: str) -> list[str]:
    """The items in as many lines as they need."""
    one_line = head + ", ".join(items) + tail
    if len(one_line) <= WIDTH:
        return [one_line]
    written, line = [head], "   "
    for item in items:
        if len(line) + len(item) + 2 > WIDTH:
            written.append(line)
            line = "   "
        line += f" {item},"
    return [*written, line, tail]


def _two(state: State, k: int) -> list[str]:
    positive = _label(state, 1)
    written = [
        *_call("run = nk.trace(X, y, ", [*_conventions(state, state.run), f"positive={positive}"]),
        "print(run)",
        f"print(run.weights_at({k}))  # the boundary on the screen",
        "",
        f"verdict = nk.certify(X, y, fit_intercept={state.offset})",
        "print(verdict)",
    ]
    if state.overlays:
        written += ["", "# The runs drawn over it."]
    for i, overlay in enumerate(state.overlays, start=1):
        keywords = [*_conventions(state, overlay), f"positive={positive}"]
        written += [
            *_call(f"run_{i} = nk.trace(X, y, ", keywords),
            f"print(run_{i}.weights_at(run_{i}.n_mistakes))",
        ]
    return written


def _many(state: State, k: int) -> list[str]:
    keywords = _conventions(state, state.run)
    return [
        "# One run per class against the rest; k counts the updates of all of them by visits.",
        "classes = [" + ", ".join(_label(state, code) for code in range(len(state.classes))) + "]",
        "runs = [",
        *_call("    nk.trace(X, np.where(y == c, 1, -1), ", keywords),
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


def _call(head: str, keywords: list[str]) -> list[str]:
    """A call in one line, or with its keywords indented on the next."""
    one_line = head + ", ".join(keywords) + ")"
    if len(one_line) <= WIDTH:
        return [one_line]
    indent = " " * (len(head) - len(head.lstrip()))
    return [head.rstrip(), f"{indent}    {', '.join(keywords)},", f"{indent})"]


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


def _number(value: float) -> str:
    return repr(value)


def _exact_number(value: float) -> str:
    return f'Fraction("{_plain(value)}")'
