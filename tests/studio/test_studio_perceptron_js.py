"""The perceptron of a page without Python against the library: the same mistakes and weights."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

import novikoff as nk
from node import in_node, needs_node
from novikoff.conventions import ORDERS, TIES, read_random
from novikoff.studio.computations import Computations
from novikoff.studio.state import State, read_state
from novikoff.wording import number


def random_state(random: np.random.Generator) -> State:
    """A small set on a coarse grid, so that ties and touching hulls are common."""
    n = int(random.integers(2, 9))
    numbers = str(random.choice(["binary64", "decimal"]))
    scale = float(random.choice([1.0, 0.1, 1e-7, 3e5, 1.0 / 3.0]))
    points = np.round(random.integers(-3, 4, (n, 2)) * scale, int(random.choice([1, 3, 9, 17])))
    if random.integers(5) == 0:
        points[:, 1] = points[:, 0] * random.integers(-1, 2)  # all rows on one line
    codes = random.integers(0, 2, n)
    codes[:2] = [0, 1]
    order: Any = str(random.choice([*ORDERS, "given"]))
    order = random.permutation(n).tolist() if order == "given" else order
    offset = bool(random.integers(2))
    start: Any = [None, "random", [0.3, -1.7, 0.1][: 2 + offset]][int(random.integers(3))]
    return read_state({
        "version": 1, "classes": ["-1", "1"], "axes": ["x1", "x2"], "source": {"kind": "own"},
        "rows": [[*point, int(code)] for point, code in zip(points.tolist(), codes, strict=True)],
        "numbers": numbers, "tie": str(random.choice(list(TIES))), "order": order, "start": start,
        "seed": int(random.integers(2**32)), "offset": offset,
        "passes": int(random.choice([1, 7, 60])), "limit": int(random.choice([1, 13, 100])),
    })  # fmt: skip


def drawn(state: State) -> list[float]:
    size = 3 if state.offset else 2
    return read_random(state.run.seed).standard_normal(size).tolist()


RUNS = """import { perceptronRun } from "./perceptron.js";
import { separability } from "./separable.js";
told(given.map(({ state, start }) => {
  const run = perceptronRun(state, () => start), all = [...Array(run.total + 1).keys()];
  return { tape: run.tape, looks: run.looks, visits: run.visits, passes: run.passes,
    converged: run.converged,
    exactly: all.map(run.exactly), weights: run.weights(run.total), cycle: run.cycle(),
    score: run.tape.map((row, k) => run.score(k, row)),
    status: separability(run.points, run.signs, state.offset) };
}));"""


@needs_node
def test_three_thousand_runs_make_the_mistakes_and_weights_of_the_library(tmp_path):
    seed = int(np.random.SeedSequence().entropy % 2**32)
    print("seed", seed)
    random = np.random.default_rng(seed)
    states = [random_state(random) for _ in range(3000)]
    given = [{"state": state.to_json(), "start": drawn(state)} for state in states]
    for state, told in zip(states, in_node(RUNS, given, tmp_path), strict=True):
        timeline = Computations().timeline(state)
        run = timeline.runs[0]
        assert told["tape"] == run.tape.rows.tolist(), (seed, state.to_json())
        assert told["looks"] == run.tape.visits.tolist()
        assert (told["visits"], told["passes"]) == (run.n_visits, run.n_passes)
        assert told["converged"] == run.converged
        exact = [[Fraction(text) for text in line] for line in told["exactly"]]
        assert exact == [run.exact_weights_at(k).fractions() for k in range(run.n_mistakes + 1)]
        assert told["weights"][: 2 + state.offset] == run.weights_at(run.n_mistakes).tolist()
        assert told["score"] == [step.score for step in run.steps(1, run.n_mistakes)]
        cycle = timeline.cycle
        assert told["cycle"] == (cycle and {"first": cycle.first, "last": cycle.last})


@needs_node
def test_a_page_decides_as_the_library_does(tmp_path):
    seed = int(np.random.SeedSequence().entropy % 2**32)
    print("seed", seed)
    random = np.random.default_rng(seed)
    states = [random_state(random) for _ in range(600)]
    given = [{"state": state.to_json(), "start": drawn(state)} for state in states]
    seen = set()
    for state, told in zip(states, in_node(RUNS, given, tmp_path), strict=True):
        rows = Computations().rows(state)
        labels = np.where(state.codes == 1, 1, -1)
        found = nk.certify(rows, labels, fit_intercept=state.offset).status
        seen.add(found)
        assert told["status"] == found, (seed, state.to_json())
    assert seen == {"separable", "quasi-separable", "overlapping"}


@needs_node
def test_numbers_are_written_as_python_writes_them(tmp_path):
    random = np.random.default_rng(5)
    values = [0.0, -0.0, 100000.5, 100001.5, -0.5, 999999.5, 1e-5, 1e22, 123456.5, 2.5e-7, 1 / 3]
    values += (random.standard_normal(3000) * 10.0 ** random.integers(-12, 12, 3000)).tolist()
    script = 'import { figures } from "./figures.js";\n'
    script += "told(given.map((value) => figures(value)));"
    assert in_node(script, values, tmp_path) == [number(value) for value in values]
