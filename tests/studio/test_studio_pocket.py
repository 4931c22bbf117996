"""A page without Python against Python: the same sections of the screen, state by state."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import numpy as np
import pytest

from node import in_node, needs_node
from novikoff.conventions import ORDERS, TIES
from novikoff.studio.computations import Computations
from novikoff.studio.lessons.handout import handout
from novikoff.studio.lessons.numbers import is_answer, readings
from novikoff.studio.lessons.shelf import SHIPPED, shipped
from novikoff.studio.session import Session

SIZE = [640.0, 480.0]  # small pictures are recorded for this one
DESK = """import { pocketDesk } from "./pocket.js";
told(given.talks.map((talk) => {
  const desk = pocketDesk(given.data), view = {};
  return talk.map((edits) => {
    const reply = desk.answer({ hello: true, edits });
    return { view: reply.view, rows: reply.rows, error: reply.error };
  });
}));"""
# Of rows that were changed the page says less: it has no proof.
OF_PROOFS = ("verdict", "chart", "cursor", "proof", "live", "extra")
COMPARED = ("frame", "controls", "selected", "problem", "scene", "table", "inset", "step",
            "overlays")  # fmt: skip


def data_of(page: str) -> Any:
    found = re.search(r'id="novikoff-data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


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


def without_proof(scene: Any) -> Any:
    """What follows from the run alone."""
    return scene | {"proof": None}


def edits_of_step(step: int, k: int | None) -> list[dict[str, Any]]:
    first = [{"do": "lesson", "name": "own", "step": step}, {"do": "fit"}]
    return [{"do": "size", "size": SIZE}, *first, {"do": "go", "k": k}]


@pytest.fixture(scope="module")
def pages() -> dict[str, Any]:
    return {name: data_of(handout(shipped(name), Computations(), "novikoff")) for name in SHIPPED}


@needs_node
@pytest.mark.parametrize("name", SHIPPED)
def test_each_step_is_what_the_studio_shows_at_every_recorded_mistake(pages, name, tmp_path):
    data = pages[name]
    places = [
        (at, int(k)) for at, step in enumerate(data["steps"]) if not step["frozen"]
        for k in list(step["at"])[:12] + list(step["at"])[-2:]
    ]  # fmt: skip
    talks = [[edits_of_step(at, k)] for at, k in places]
    session = Session()
    for (at, k), (told,) in zip(
        places, in_node(DESK, {"data": data, "talks": talks}, tmp_path), strict=True
    ):
        session.handle({"edits": [*edits_of_step(at, k)[:1],
                                  {"do": "lesson", "name": name, "step": at},
                                  *edits_of_step(at, k)[2:]]})  # fmt: skip
        session.handle({"ask": "decide"})
        wanted = json.loads(json.dumps(session.view(session.state)))
        wanted["lesson"]["name"] = "own"
        if wanted["verdict"] is not None:
            wanted["verdict"]["regression"] = None
        if session.state.view == "gallery":  # its panels are trained anew each time
            del told["view"]["extra"]["panels"], wanted["extra"]["panels"]
        for section in (*COMPARED, *OF_PROOFS, "lesson"):
            assert differences(told["view"][section], wanted[section], section) == [], (at, k)


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


@needs_node
def test_whatever_a_hand_does_the_page_shows_what_the_studio_shows(pages, tmp_path):
    """Sequences of edits on the small steps of all lessons."""
    seed = int(np.random.SeedSequence().entropy % 2**32)
    print("seed", seed)
    random = np.random.default_rng(seed)
    for name in SHIPPED:
        data = pages[name]
        small = [at for at, step in enumerate(data["steps"])
                 if not step["frozen"] and len(data["parts"][step["rows"]]) <= 8]  # fmt: skip
        talks = []
        for at in (int(random.choice(small)) for _ in range(14)):
            steps = [[random_edit(random)] for _ in range(6)]
            talks.append([edits_of_step(at, None), *steps])
        told = in_node(DESK, {"data": data, "talks": talks}, tmp_path)
        for talk, replies in zip(talks, told, strict=True):
            session = Session()
            for edits, reply in zip(talk, replies, strict=True):
                edits = [{**one, "name": name} if one["do"] == "lesson" else one for one in edits]
                answered = session.handle({"edits": edits})
                assert bool(answered.get("error")) == bool(reply.get("error")), (seed, edits)
                view = json.loads(json.dumps(session.view(session.state)))
                shown = reply["view"]
                where = (seed, name, talk)
                assert differences(reply["rows"], session.state.rows_json()) == [], where
                assert bool(shown["problem"]) == bool(view["problem"]), where
                if view["problem"]:
                    break
                for part in (view, shown):
                    part["scene"] = without_proof(part["scene"])
                    part["controls"]["note"] = ""
                for section in COMPARED:
                    assert differences(shown[section], view[section], section) == [], where
                if shown["lesson"]["ask"] and "studio" not in str(shown["lesson"]["ask"]["said"]):
                    assert shown["lesson"]["ask"] == view["lesson"]["ask"], where
                assert shown["verdict"]["status"] == view["verdict"]["status"], where


@needs_node
def test_typed_numbers_are_read_as_python_reads_them(tmp_path):
    texts = ["0.5", "0,5", "1/2", "√5", "1,073", "3/√2", "1,073.5", "2√5/3", "sqrt(5)", "1e-3",
             "−4", "x", "", "1/0", "√(1/2)", "1 000", "1'000", ".5", "5.", "--3", "1,2,3", "1/2/3",
             "\\sqrt{2}", "0.707", "0.71", "0.7", "2.236", "1e400", "²", "٣"]  # fmt: skip
    truths = [0.5, math.sqrt(5), 1073.0, 1.073, 3 / math.sqrt(2), math.sqrt(0.5), -4.0, 1000.0]
    script = 'import { isAnswer, readingsOf } from "./figures.js";\n'
    script += """told(given.texts.map((text) => ({ read: readingsOf(text).map((one) => one.value),
      right: given.truths.map((value) => isAnswer(text, value)) })));"""
    told = in_node(script, {"texts": texts, "truths": truths}, tmp_path)
    for text, one in zip(texts, told, strict=True):
        assert one["read"] == [reading.value for reading in readings(text)], text
        assert one["right"] == [is_answer(text, value) for value in truths], text


@pytest.mark.parametrize("name", SHIPPED)
def test_a_lesson_is_under_a_megabyte_and_a_half(name):
    page = handout(shipped(name), Computations(), f"novikoff studio --lesson {name}")
    assert len(page.encode()) < 1_500_000
