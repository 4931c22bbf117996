"""A page without Python against Python: its runs, its numbers and the facts that it shows."""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import novikoff as nk
from node import in_node, needs_node
from novikoff.conventions import ORDERS, TIES, read_random
from novikoff.studio.computations import Computations
from novikoff.studio.lessons.shelf import SHIPPED
from novikoff.studio.session import Session
from novikoff.studio.state import State, read_state
from novikoff.wording import number

pytestmark = needs_node
SIZE = [640.0, 480.0]  # small pictures are recorded for this one
DESK = """return given.talks.map((talk) => {
  const desk = page.pocketDesk(given.data);
  return talk.map((edits) => {
    const { view, rows, state, error } = desk.answer({ hello: true, edits });
    return { view, rows, state, error };
  });
});"""
# Of rows that were changed the page says less: it has no proof.
OF_PROOFS = ("verdict", "chart", "cursor", "proof", "live", "extra")
OF_RUNS = ("run", "lines", "scene", "problem")
SETTINGS = ("center", "span", "stretch", "tie", "order", "start", "seed", "offset", "overlays",
            "selected", "k", "show", "source")  # fmt: skip


@pytest.fixture
def random() -> np.random.Generator:
    """Drawn anew in every run; a failure shows the seed."""
    seed = int(np.random.SeedSequence().entropy % 2**32)
    print("seed", seed)
    return np.random.default_rng(seed)


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


RUNS = """return given.map(({ state, start }) => {
  const run = page.perceptronRun(state, () => start), all = [...Array(run.total + 1).keys()];
  return { tape: run.tape, looks: run.looks, visits: run.visits, passes: run.passes,
    converged: run.converged,
    exactly: all.map(run.exactly), weights: run.weights(run.total), cycle: run.cycle(),
    score: run.tape.map((row, k) => run.score(k, row)),
    status: page.separability(run.points, run.signs, state.offset) };
});"""


def test_a_thousand_runs_make_the_mistakes_and_weights_of_the_library(random):
    """Of each third run, whether a line separates its rows is compared too."""
    states = [random_state(random) for _ in range(1000)]
    starts = [read_random(one.run.seed).standard_normal(2 + one.offset).tolist() for one in states]
    given = [{"state": state.to_json(), "start": start}
             for state, start in zip(states, starts, strict=True)]  # fmt: skip
    seen = set()
    for i, (state, told) in enumerate(zip(states, in_node(RUNS, given), strict=True)):
        computations = Computations()
        timeline = computations.timeline(state)
        run = timeline.runs[0]
        assert told["tape"] == run.tape.rows.tolist(), state.to_json()
        assert told["looks"] == run.tape.visits.tolist()
        assert (told["visits"], told["passes"]) == (run.n_visits, run.n_passes)
        assert told["converged"] == run.converged
        exact = [[Fraction(text) for text in line] for line in told["exactly"]]
        assert exact == [run.exact_weights_at(k).fractions() for k in range(run.n_mistakes + 1)]
        assert told["weights"][: 2 + state.offset] == run.weights_at(run.n_mistakes).tolist()
        assert told["score"] == [step.score for step in run.steps(1, run.n_mistakes)]
        cycle = timeline.cycle
        assert told["cycle"] == (cycle and {"first": cycle.first, "last": cycle.last})
        if i % 3 == 0:
            rows = computations.rows(state)
            found = nk.certify(rows, state.signs, fit_intercept=state.offset).status
            seen.add(found)
            assert told["status"] == found, state.to_json()
    assert seen == {"separable", "quasi-separable", "overlapping"}


def test_numbers_are_written_as_python_writes_them():
    random = np.random.default_rng(5)
    values = [0.0, -0.0, 100000.5, 100001.5, -0.5, 999999.5, 1e-5, 1e22, 123456.5, 2.5e-7, 1 / 3]
    values += (random.standard_normal(3000) * 10.0 ** random.integers(-12, 12, 3000)).tolist()
    script = "return given.map((value) => page.figures(value));"
    assert in_node(script, values) == [number(value) for value in values]


def differences(one: Any, two: Any, at: str = "") -> list[str]:
    """Where two JSON values differ; numbers may by their last shown figure."""
    if isinstance(one, (list, tuple)) and isinstance(two, (list, tuple)):
        if len(one) != len(two):
            return [f"{at}: {len(one)} and {len(two)} entries: {one!r:.300} {two!r:.300}"]
        pairs = [(f"{at}/{i}", a, b) for i, (a, b) in enumerate(zip(one, two, strict=True))]
    elif isinstance(one, dict) and isinstance(two, dict):
        if set(one) != set(two):
            return [f"{at}: {set(one) ^ set(two)}"]
        pairs = [(f"{at}/{name}", one[name], two[name]) for name in one]
    elif isinstance(one, float | int) and isinstance(two, float | int):
        same = math.isclose(one, two, rel_tol=2e-5, abs_tol=1e-9)
        return [] if same else [f"{at}: {one} and {two}"]
    else:
        return [] if one == two else [f"{at}: {one!r:.200} and {two!r:.200}"]
    return [line for name, a, b in pairs for line in differences(a, b, name)]


def edits_of_step(name: str, step: int, k: int | None) -> list[dict[str, Any]]:
    first = [{"do": "lesson", "name": name, "step": step}, {"do": "fit"}]
    return [{"do": "size", "size": SIZE}, *first, {"do": "go", "k": k}]


@pytest.fixture
def data_of(lesson_file):
    """What the page of a lesson is told."""

    def read(name: str) -> Any:
        page = lesson_file(name).read_text(encoding="utf-8")
        found = re.search(r'id="novikoff-data">(.*?)</script>', page, re.DOTALL)
        return json.loads(found[1])

    return read


@pytest.mark.parametrize("name", SHIPPED)
def test_each_step_is_what_the_studio_shows_at_its_recorded_mistakes(data_of, name):
    data = data_of(name)
    places = [
        (at, int(k)) for at, step in enumerate(data["steps"]) if not step["frozen"]
        for k in dict.fromkeys([*list(step["at"])[:6], *list(step["at"])[-2:]])
    ]  # fmt: skip
    talks = [[edits_of_step(name, at, k)] for at, k in places]
    session = Session()
    for (at, k), (one,) in zip(places, in_node(DESK, {"data": data, "talks": talks}), strict=True):
        session.handle({"edits": edits_of_step(name, at, k)})
        session.handle({"ask": "decide"})
        wanted, told = json.loads(json.dumps(session.view(session.state))), one["view"]
        wanted["lesson"]["name"] = "own"
        if wanted["verdict"] is not None:
            wanted["verdict"]["regression"] = None
            for part in (wanted, told):  # as far as half a second lets a search come
                part["verdict"]["fewest"] = None
        if session.state.view == "gallery":  # its panels are trained anew each time
            del told["extra"]["panels"], wanted["extra"]["panels"]
        for section in (*OF_RUNS, *OF_PROOFS, "lesson"):
            assert differences(told[section], wanted[section], section) == [], (at, k)


def random_edit(random: np.random.Generator) -> dict[str, Any]:
    row = int(random.integers(0, 4))
    at = [float(random.integers(20, 600)), float(random.integers(20, 500))]
    numbers = np.round(random.uniform(-3, 3, 3), 1).tolist()
    return [
        {"do": "move", "row": row, "at": at},
        {"do": "move", "row": row, "at": at},
        {"do": "place", "row": row, "x": str(numbers[0]), "y": "−1,5" if row == 3 else "0.25"},
        {"do": "nudge", "row": row, "by": [int(random.integers(-3, 4)), 1]},
        {"do": "add", "class": int(random.integers(2)), "at": at},
        {"do": "flip", "row": row},
        {"do": "delete", "row": row},
        {"do": "select", "row": row},
        {"do": "select", "by": -1},
        {"do": "step", "by": int(random.integers(-3, 4))},
        {"do": "go", "k": int(random.integers(0, 30))},
        {"do": "end", "last": bool(random.integers(2))},
        {"do": "zoom", "steps": int(random.integers(-2, 3)), "at": at},
        {"do": "pan", "by": [7.0, -12.0]},
        {"do": "fit"},
        {"do": "set", "key": "tie", "value": str(random.choice(list(TIES)))},
        {"do": "set", "key": "order", "value": str(random.choice(list(ORDERS)))},
        {"do": "set", "key": "order", "value": "2, 1, 3, 4"},
        {"do": "set", "key": "start", "value": str(random.choice(["", "random", "1, -0.8"]))},
        {"do": "set", "key": "start", "value": ", ".join(map(str, numbers))},
        {"do": "set", "key": "seed", "value": int(random.integers(20))},
        {"do": "set", "key": "offset", "value": bool(random.integers(2))},
        {"do": "overlay", "preset": str(random.choice(["orders", "shuffles", "starts", "none"]))},
        {"do": "overlay", "preset": "pin"},
    ][int(random.integers(24))]  # fmt: skip


def noted(source: Any) -> Any:
    """Of a source, whether its rows were edited and whether its own words are still told."""
    return bool(source.get("edited")), source.get("note") or ""


@pytest.mark.parametrize("name", SHIPPED)
def test_whatever_a_hand_does_the_page_shows_what_the_studio_shows(data_of, name, random):
    """Sequences of edits on the small steps of a lesson."""
    data = data_of(name)
    small = [at for at, step in enumerate(data["steps"])
             if not step["frozen"] and len(data["parts"][step["rows"]]) <= 8]  # fmt: skip
    talks = []
    for at in (int(random.choice(small)) for _ in range(12)):
        talks.append([edits_of_step(name, at, None), *([random_edit(random)] for _ in range(6))])
    told = in_node(DESK, {"data": data, "talks": talks})
    for talk, replies in zip(talks, told, strict=True):
        session = Session()
        for edits, reply in zip(talk, replies, strict=True):
            answered = session.handle({"edits": edits})
            assert bool(answered.get("error")) == bool(reply.get("error")), edits
            view = json.loads(json.dumps(session.view(session.state)))
            settings = json.loads(json.dumps(session.state.settings()))
            shown = reply["view"]
            assert differences(reply["rows"], session.state.rows_json()) == [], talk
            assert bool(shown["problem"]) == bool(view["problem"]), talk
            if view["problem"]:
                break
            for part in (view, shown):
                part["scene"]["proof"] = None
            for one in (settings, reply["state"]):
                one["source"] = noted(one["source"])
            for section in OF_RUNS:
                assert differences(shown[section], view[section], section) == [], talk
            for key in SETTINGS:
                assert differences(reply["state"][key], settings[key], key) == [], talk
            ask, quantities = view["lesson"]["ask"], shown["lesson"]["quantities"]
            known = {key: view["lesson"]["quantities"][key] for key in quantities}
            assert shown["lesson"]["ask"] == ask, talk
            assert differences(quantities, known) == [], talk
            one, two = (part["verdict"]["drawn"][0]["status"] for part in (shown, view))
            assert one == two, talk
