"""One row at a time: `nk.OnlinePerceptron` against river's Perceptron, in one run and in turns;
and how many rows a second `novikoff stream` learns from files.

Writes docs/benchmarks/online.md and online.json. `--small` tries everything on a tenth.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import river
from river import evaluate, linear_model, metrics
from river import stream as river_stream

import novikoff as nk
from novikoff.online.river import RiverPerceptron
from novikoff.online.stream.feed import Feed
from novikoff.online.stream.stream import Stream
from timing import in_turns

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 7
ASKED = {"dicts": 10.0, "arrays": 50.0}


def planted(n: int, d: int) -> tuple[np.ndarray, list[bool]]:
    rng = np.random.default_rng(d)
    X = rng.normal(size=(n, d))
    return X, (X @ rng.normal(size=d) > 0.0).tolist()


def ours_learns(rows: Any, y: list[bool]) -> Any:
    model = nk.OnlinePerceptron()
    learn = model.learn_one
    for x, label in zip(rows, y, strict=True):
        learn(x, label)
    return model


def ours_answers(rows: Any, y: list[bool]) -> list[Any]:
    learn = nk.OnlinePerceptron().learn_one
    return [learn(x, label) for x, label in zip(rows, y, strict=True)]


def ours_predicts(rows: Any, y: list[bool]) -> None:
    model = nk.OnlinePerceptron()
    predict, learn = model.predict_one, model.learn_one
    for x, label in zip(rows, y, strict=True):
        predict(x)
        learn(x, label)


def river_learns(rows: Any) -> None:
    learn = linear_model.Perceptron().learn_one
    for x, label in rows:
        learn(x, label)


def river_answers(rows: Any) -> list[Any]:
    model = linear_model.Perceptron()
    predict, learn = model.predict_one, model.learn_one
    answers = []
    for x, label in rows:
        answers.append(predict(x))
        learn(x, label)
    return answers


def validated(model: Any, rows: Any) -> float:
    """River's own protocol: predict_one, a metric, learn_one."""
    return float(evaluate.progressive_val_score(rows, model, metrics.Accuracy()).get())


def against_river(form: str, d: int, share: int) -> dict[str, Any]:
    X, y = planted((4000 if d < 500 else 1000) // share, d)
    names = [f"x{j}" for j in range(d)]
    dicts = [dict(zip(names, row, strict=True)) for row in X.tolist()]
    rows: Any = dicts if form == "dicts" else list(X)

    def theirs() -> Any:
        """What river is given: the dicts, or the dicts that its own function makes of arrays."""
        if form == "dicts":
            return zip(dicts, y, strict=True)
        return river_stream.iter_array(X, y, feature_names=names)

    taken = in_turns(
        {
            "ours, learn": lambda: ours_learns(rows, y),
            "ours, answer and learn": lambda: ours_answers(rows, y),
            "ours, predict_one, learn_one": lambda: ours_predicts(rows, y),
            "river, learn": lambda: river_learns(theirs()),
            "river, predict_one, learn_one": lambda: river_answers(theirs()),
            "ours, progressive_val_score": lambda: validated(RiverPerceptron(), theirs()),
            "river, progressive_val_score": lambda: validated(linear_model.Perceptron(), theirs()),
        },
        ROUNDS,
    )
    mine, other = ours_answers(rows, y), river_answers(theirs())
    both = max(y.index(True), y.index(False)) + 1  # from here on both classes are known to us
    return {
        "rows": form,
        "columns": d,
        "µs": {name: 1e6 * time_taken / len(y) for name, time_taken in taken.items()},
        "asked": ASKED[form],
        "predictions that differ": sum(
            a != b for a, b in zip(mine[both:], other[both:], strict=True)
        ),
        "of": len(y) - both,
    }


def write_svmlight(path: Path, n: int) -> None:
    rng = np.random.default_rng(0)
    with path.open("w") as file:
        for _ in range(n):
            columns = np.sort(rng.choice(100_000, 75, replace=False)) + 1
            values = rng.random(75)
            pairs = zip(columns.tolist(), values.tolist(), strict=True)
            entries = " ".join(f"{column}:{value:.4f}" for column, value in pairs)
            file.write(f"{1 if values[0] < 0.5 else -1} {entries}\n")


def write_tables(folder: Path, n: int) -> None:
    """The same rows of 20 columns in every format; JSON Lines has a tenth of them."""
    X, y = planted(n, 20)
    with (
        (folder / "a.csv").open("w") as table,
        (folder / "a.svm").open("w") as pairs,
        (folder / "a.vw").open("w") as spaces,
        (folder / "a.jsonl").open("w") as objects,
    ):
        table.write(",".join([*(f"x{j}" for j in range(20)), "label"]) + "\n")
        for i, (row, label) in enumerate(zip(X.round(4).tolist(), y, strict=True)):
            word, sign = "yes" if label else "no", 1 if label else -1
            table.write(",".join([*map(str, row), word]) + "\n")
            entries = " ".join(f"{j}:{value}" for j, value in enumerate(row, 1))
            pairs.write(f"{sign} {entries}\n")
            spaces.write(f"{sign} |x {entries}\n")
            if i < n // 10:
                named = {f"x{j}": value for j, value in enumerate(row)}
                objects.write(json.dumps({**named, "label": word}) + "\n")


def learnt(path: Path) -> None:
    """The run alone, without the start of the command."""
    feed = Feed(str(path))
    with feed.open(), Path(os.devnull).open("wb") as nowhere:
        Stream(feed, nk.OnlinePerceptron(), nowhere).run()


def streamed(path: Path, name: str) -> dict[str, Any]:
    """The whole command, its start included, and the run alone."""
    command = [sys.executable, "-m", "novikoff", "stream", str(path), "--quiet"]
    spent = []

    def work() -> None:
        before = os.times()
        with Path(os.devnull).open("wb") as nowhere:
            subprocess.run(command, check=True, stdout=nowhere)
        after = os.times()
        spent.append(after.children_user - before.children_user)

    with path.open("rb") as file:
        n = sum(1 for _ in file) - path.name.endswith(".csv")
    taken = in_turns({"typed": work, "alone": lambda: learnt(path)}, rounds=3)
    MB = path.stat().st_size / 1e6
    return {"file": name, "MB": MB, "rows": n, "CPU": statistics.median(spent[1:]), **taken}


def report(found: dict[str, Any]) -> str:
    facts = found["machine"]
    lines = [
        "# One row at a time, timed",
        "",
        f"`python benchmarks/online.py`, medians of {ROUNDS}, in one process and in turns. "
        "Microseconds a row, two classes, standard normal numbers.",
        "",
        f"{facts['cores']} cores, {facts['machine']}, Python {facts['python']}, numpy "
        f"{np.__version__}, river {river.__version__}; load before the "
        f"run {facts['load']:.1f}.",
        "",
        "## Against river's Perceptron",
        "",
        "One call: river's `predict_one` then `learn_one`, against our `learn_one` alone, which "
        "returns the prediction that it made before it learnt. Two calls: `predict_one` then "
        "`learn_one` of both, which is what river's own tools do; ours then reads and scores every "
        "row twice. progressive_val_score: river's whole loop with an accuracy, which takes the "
        "same time around either, with `RiverPerceptron` as ours. "
        "Dicts share their keys, as those of a CSV file do. Of arrays river is given the dicts "
        "that its own `stream.iter_array` makes. Predictions are compared once both classes were "
        "seen.",
        "",
        "| rows | columns | river, predict and learn | ours, one call | ratio | asked | "
        "ours, two calls | ratio | progressive_val_score, river | ours | ratio | river, learn | "
        "ratio | predictions that differ |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for r in found["river"]:
        t = r["µs"]
        both, learn = t["river, predict_one, learn_one"], t["river, learn"]
        ours, two = t["ours, answer and learn"], t["ours, predict_one, learn_one"]
        scored, mine = t["river, progressive_val_score"], t["ours, progressive_val_score"]
        lines.append(
            f"| {r['rows']} | {r['columns']} | {both:.2f} | {ours:.2f} | **{both / ours:.1f}×** | "
            f"{r['asked']:.0f}× | {two:.2f} | {both / two:.1f}× | {scored:.2f} | {mine:.2f} | "
            f"{scored / mine:.1f}× | {learn:.2f} | "
            f"{learn / t['ours, learn']:.1f}× | {r['predictions that differ']} of {r['of']:,} |"
        )
    lines += [
        "",
        "A row of Python floats must be read one float at a time, which alone takes about a "
        "hundredth of a microsecond each: beyond that, what is left is the call itself.",
        "",
        "## `novikoff stream`",
        "",
        f"As typed: the whole command, its start included, predictions to /dev/null; beside it the "
        f"seconds that its processor was at work. Alone: the run without the start. Load before "
        f"the run {facts['stream load']:.1f} on {facts['cores']} cores; medians of 3.",
        "",
        "| file | MB | rows | as typed, s | CPU, s | rows/s | alone, s | rows/s |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for r in found["stream"]:
        n = r["rows"]
        lines.append(
            f"| {r['file']} | {r['MB']:.0f} | {n:,} | {r['typed']:.2f} | {r['CPU']:.2f} | "
            f"{n / r['typed']:,.0f} | {r['alone']:.2f} | {n / r['alone']:,.0f} |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="a tenth of the rows")
    parser.add_argument("--stream", action="store_true", help="only the command; the rest as it is")
    given = parser.parse_args()
    share = 10 if given.small else 1
    target = ROOT / "docs" / "benchmarks"
    if given.stream:
        found: dict[str, Any] = json.loads((target / "online.json").read_text(encoding="utf-8"))
    else:
        found = {
            "machine": {
                "cores": os.cpu_count(),
                "machine": platform.machine(),
                "python": platform.python_version(),
                "load": os.getloadavg()[0],
            }
        }
        found["river"] = [
            against_river(form, d, share) for form in ("dicts", "arrays") for d in (20, 100, 784)
        ]
    found["machine"]["stream load"] = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_svmlight(folder / "b.svm", 30_000 // share)
        write_tables(folder, 300_000 // share)
        found["stream"] = [
            streamed(folder / "a.csv", "CSV, 20 columns"),
            streamed(folder / "a.svm", "svmlight, 20 columns"),
            streamed(folder / "b.svm", "svmlight, 75 of 100,000 columns"),
            streamed(folder / "a.vw", "Vowpal Wabbit, 20 columns"),
            streamed(folder / "a.jsonl", "JSON Lines, 20 columns"),
        ]
    text = report(found)
    target.mkdir(parents=True, exist_ok=True)
    (target / "online.md").write_text(text, encoding="utf-8")
    (target / "online.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
