"""Which code of a response is 1, and in which order classes stand: said, and never guessed."""

from __future__ import annotations

import json
import re
import shlex
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas
import polars
import pytest
from sklearn.linear_model import LogisticRegression

import novikoff as nk
from command import novikoff
from novikoff.errors import InputError

X = [[1.0], [2.0], [3.0], [4.0], [2.5], [1.5]]
BITS = [0, 0, 1, 1, 1, 0]
WORDS = ["living" if bit == 0 else "dead" for bit in BITS]  # alphabetically the other way round
TIME = [3, 1, 4, 2, 6, 5]
ASKED = {
    "logistic": lambda y: {"y": y},
    "binomial": lambda y: {"y": y},
    "log-binomial": lambda y: {"y": y},
    "conditional": lambda y: {"y": y, "groups": [0, 0, 0, 1, 1, 1]},
    "cox": lambda y: {"time": TIME, "event": y},
}


def answer(fit):
    return fit.status, dict(fit.infinite), tuple(fit.separated)


@pytest.mark.parametrize("model", ASKED)
def test_texts_are_refused_with_what_to_say_and_then_mean_it(model):
    with pytest.raises(InputError, match="positive='dead' or positive='living'") as error:
        nk.certify_regression(X, model=model, **ASKED[model](WORDS))
    assert "codes 'dead', 'living'" in str(error.value)
    meant = nk.certify_regression(X, model=model, **ASKED[model](WORDS), positive="dead")
    assert answer(meant) == answer(nk.certify_regression(X, model=model, **ASKED[model](BITS)))
    where = "event" if model == "cox" else "y"
    assert f"'dead' counts as 1 in {where}, and 'living' as 0" in meant.notes
    other = nk.certify_regression(X, model=model, **ASKED[model](WORDS), positive="living")
    turned = nk.certify_regression(X, model=model, **ASKED[model]([1 - bit for bit in BITS]))
    assert answer(other) == answer(turned)
    with pytest.raises(
        InputError, match=r"positive is 'gone', and .* has the codes 'dead', 'living'"
    ):
        nk.certify_regression(X, model=model, **ASKED[model](WORDS), positive="gone")


@pytest.mark.parametrize(
    "codes",
    [
        [bool(bit) for bit in BITS],
        ["TRUE" if bit else "FALSE" for bit in BITS],
        [str(bit) for bit in BITS],
        [bit + 1 for bit in BITS],
        ["+1" if bit else "-1" for bit in BITS],
        pandas.Categorical(WORDS, categories=["living", "dead"], ordered=True),
        pandas.Categorical(WORDS, categories=["living", "dead"]),  # somebody's order
        polars.Series(WORDS, dtype=polars.Enum(["living", "dead"])),
    ],
)
@pytest.mark.parametrize("model", ["logistic", "conditional", "cox"])
def test_codes_that_say_it_themselves_need_no_option(model, codes):
    found = nk.certify_regression(X, model=model, **ASKED[model](codes))
    assert answer(found) == answer(nk.certify_regression(X, model=model, **ASKED[model](BITS)))


@pytest.mark.parametrize("kind", ["category", pandas.CategoricalDtype(["dead", "living"])])
def test_the_order_that_pandas_gives_a_categorical_is_the_alphabet_and_nobodys_choice(kind):
    codes = pandas.Series(WORDS).astype(kind)
    for model in ("logistic", "cox"):
        with pytest.raises(InputError, match="say which counts as 1"):
            nk.certify_regression(X, model=model, **ASKED[model](codes))
    sizes = pandas.Series(["low", "medium", "high", "low", "medium", "high"]).astype("category")
    with pytest.raises(InputError, match="'high', 'low', 'medium', whose order is not said"):
        nk.certify_regression(X, sizes, model="ordinal")


@pytest.mark.parametrize("is_ordered", [True, False])
def test_a_categorical_that_turns_zero_and_one_round_is_said(is_ordered):
    turned = pandas.Categorical(BITS, categories=[1, 0], ordered=is_ordered)
    found = nk.certify_regression(X, turned, model="logistic")
    assert "0 counts as 1 in y, and 1 as 0" in found.notes
    assert answer(found) == answer(nk.certify_regression(X, BITS, model="logistic", positive=0))
    assert nk.certify_regression(X, BITS, model="logistic", positive=1).notes == ()


def test_one_code_stands_against_several():
    states = ["dead", "alive", "lost", "dead", "alive", "dead"]
    bits = [int(state == "dead") for state in states]
    found = nk.certify_regression(X, model="cox", time=TIME, event=states, positive="dead")
    assert answer(found) == answer(nk.certify_regression(X, model="cox", time=TIME, event=bits))
    assert "'dead' counts as 1 in event, and 'alive', 'lost' as 0" in found.notes
    with pytest.raises(InputError, match="positive= sets one of them against the others"):
        nk.certify_regression(X, model="cox", time=TIME, event=states)
    numbers = [2, 0, 1, 2, 0, 2]
    coded = nk.certify_regression(X, model="cox", time=TIME, event=numbers, positive=2)
    assert answer(coded) == answer(found)


@pytest.mark.parametrize("codes", [[1, 1, 2, 2, 2, 1], [-1, -1, 1, 1, 1, -1], WORDS])
@pytest.mark.parametrize("keep", [0, 1])
def test_a_code_means_the_same_whichever_rows_are_left_out(codes, keep):
    """Of the codes 1 and 2, a 1 is no event, also where every 2 is of weight 0 or lacks a value."""
    more = {"positive": "dead"} if codes is WORDS else {}
    weights = [float(bit == keep) for bit in BITS]
    bits = nk.certify_regression(X, BITS, model="logistic", weights=weights)
    assert bits.status == "infinite"
    assert f"y is {keep} on every row" in bits.notes
    found = nk.certify_regression(X, codes, model="logistic", weights=weights, **more)
    assert answer(found) == answer(bits)
    holes = [[x[0] if weight else np.nan] for x, weight in zip(X, weights, strict=True)]
    found = nk.certify_regression(holes, codes, model="logistic", missing="drop", **more)
    assert answer(found) == answer(bits)


def test_classes_of_weight_zero_do_not_count():
    fitter = LogisticRegression(C=np.inf, class_weight={0: 0, 1: 1})
    found = nk.certify_regression(X, BITS, model=fitter)
    bits = nk.certify_regression(X, BITS, model="logistic", weights=BITS)
    assert answer(found) == answer(bits)
    assert any("3 rows of weight 0 are deleted" in note for note in found.notes)
    kinds = ["a", "b", "c", "a", "b", "c"]
    three = nk.certify_regression(X, kinds, model=LogisticRegression(class_weight={"c": 0}))
    assert three.given.labels == ["a", "b"]
    assert set(three.separated) | set(three.rest) == {0, 1, 3, 4}
    frame = pandas.DataFrame({"x": [x[0] for x in X], "k": kinds, "w": [1, 1, 1, 0, 1, 1]})
    both = nk.certify_regression(frame, "k", model=LogisticRegression(class_weight={"c": 0}),
                                 weights="w")  # fmt: skip
    assert (both.n_rows, both.coefficients) == (3, ("b: x", "b: (intercept)"))
    balanced = nk.certify_regression(X, BITS, model=LogisticRegression(class_weight="balanced"))
    assert balanced.n_rows == 6


def test_scikit_learn_has_an_order_of_its_own():
    """Its classes are sorted, and the second is the positive one."""
    found = nk.certify_regression(X, WORDS, model=LogisticRegression())
    assert "'living' counts as 1 in y, and 'dead' as 0" in found.notes
    assert LogisticRegression().fit(X, WORDS).classes_[1] == "living"


SIZES = ["low", "medium", "high", "low", "medium", "high"]


def test_an_order_is_given_and_is_the_order():
    codes = [["low", "medium", "high"].index(size) for size in SIZES]
    numbers = nk.certify_regression(X, codes, model="ordinal")
    for y in (SIZES, pandas.Series(SIZES), pandas.Series(SIZES).astype("category")):
        found = nk.certify_regression(X, y, model="ordinal", order=["low", "medium", "high"])
        assert answer(found)[::2] == answer(numbers)[::2]
        assert found.coefficients == ("low/medium", "medium/high", "x1")
    with pytest.raises(InputError, match="'high', 'low', 'medium', whose order is not said"):
        nk.certify_regression(X, SIZES, model="ordinal")
    empty = nk.certify_regression(X, SIZES, model="ordinal",
                                  order=["low", "medium", "rare", "high"])  # fmt: skip
    assert empty.coefficients == ("low/medium", "medium/rare = rare/high", "x1")
    assert "nobody has the class 'rare'" in empty.notes
    other = nk.certify_regression(X, codes, model="ordinal", order=[2, 1, 0])
    assert other.coefficients == ("2/1", "1/0", "x1")


@pytest.mark.parametrize(
    ("order", "says"),
    [
        (["low", "high"], "order lacks 'medium'"),
        (["low", "low", "medium", "high"], "names a class twice"),
        ("low,medium,high", "it must be a list of classes"),
        (3, "it must be a list of classes"),
    ],
)
def test_an_order_that_is_none_is_said(order, says):
    with pytest.raises(InputError, match=says):
        nk.certify_regression(X, SIZES, model="ordinal", order=order)


def test_a_reference_that_nobody_has_named_is_said():
    found = nk.certify_regression(X, SIZES, model="multinomial")
    assert "the reference is the first class, 'high'" in found.notes
    named = nk.certify_regression(X, SIZES, model="multinomial", reference="low")
    assert not any("reference" in note for note in named.notes)
    players = nk.certify_regression(model="bradley-terry", winner=["a", "b"], loser=["b", "a"])
    assert "the reference is the first player, 'a'" in players.notes


def test_a_code_that_has_nothing_to_be_a_code_of_is_said():
    with pytest.raises(InputError, match="positive is 'dead', a code of event, which is missing"):
        nk.certify_regression(X, model="cox", time=TIME, positive="dead")
    with pytest.raises(InputError, match="y has labels, and counts of successes are needed"):
        nk.certify_regression(X, WORDS, model="binomial", trials=[2] * 6)


def test_no_sentence_has_a_fraction_as_python_writes_it():
    for kind in (Fraction, Decimal):
        codes = np.array([kind(bit + 1) for bit in BITS], dtype=object)
        found = nk.certify_regression(X, model="cox", time=TIME, event=codes)
        assert "2 counts as 1 in event, and 1 as 0" in found.notes
        assert kind.__name__ not in str(found)
    days = pandas.to_datetime([f"2020-01-0{bit + 1}" for bit in BITS])
    with pytest.raises(InputError, match="codes 2020-01-01 00:00:00, 2020-01-02 00:00:00; say wh"):
        nk.certify_regression(X, days, model="logistic")
    with pytest.raises(InputError, match=r"y is -0\.5 in row 0; a count cannot be negative"):
        nk.certify_regression(X, [Fraction(-1, 2), 1, 1, 1, 1, 1], model="poisson")
    with pytest.raises(InputError, match=r"entry is 1/3 in row 0"):
        nk.certify_regression(X[:1], model="cox", time=[Fraction(1, 3)], entry=[Fraction(1, 3)])


# ---------------------------------------------------------------- at the command line


@pytest.fixture
def study(tmp_path):
    path = tmp_path / "study.csv"
    columns = {"x": [x[0] for x in X], "days": TIME, "status": WORDS, "size": SIZES,
               "code": [bit + 1 for bit in BITS], "g": list("aaabbb")}  # fmt: skip
    frame = pandas.DataFrame(columns)
    frame.to_csv(path, index=False)
    return path


MODELS = {"cox": ["--time", "days", "--event", "status"],
          "conditional": ["--label", "status", "--groups", "g"]}  # fmt: skip


def asked_of(study, model, given, *kept):
    """The command, which drops all other columns."""
    taken = {*given, *kept, "x", "days" * (model != "ordinal")}
    dropped = [name for name in ("days", "status", "size", "code", "g") if name not in taken]
    return ["certify", study, "--model", model, *given, *(f"--drop={name}" for name in dropped)]


@pytest.mark.parametrize("model", MODELS)
def test_the_command_names_the_option_and_the_option_works(model, study, tmp_path):
    base = asked_of(study, model, MODELS[model])
    refused = novikoff(*base)
    assert refused.returncode == 1
    cure = re.search(
        r"\((--positive dead) or (--positive living)\)", " ".join(refused.stderr.split())
    )
    proof = tmp_path / "p.json"
    done = novikoff(*base, *shlex.split(cure[1]), "--json", "--proof", proof)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert any("'dead' counts as 1" in note for note in found["notes"])
    given = {"time": TIME, "event": BITS}
    if model == "conditional":
        given = {"y": BITS, "groups": list("aaabbb")}
    columns = {"x": [x[0] for x in X]} | ({} if model == "cox" else {"days": TIME})
    exact = nk.certify_regression(pandas.DataFrame(columns), model=model, **given)
    assert (found["status"], found["infinite"]) == (exact.status, dict(exact.infinite))
    checked = novikoff("verify", proof, study)
    assert checked.returncode == 0, checked.stderr
    assert "Fraction" not in done.stdout + done.stderr + checked.stdout
    assert "0s and 1s" not in done.stderr + done.stdout  # of columns of the response


def test_the_command_takes_an_order(study, tmp_path):
    base = asked_of(study, "ordinal", ["--label", "size"])
    refused = novikoff(*base)
    assert refused.returncode == 1
    assert "--order" in refused.stderr
    proof = tmp_path / "p.json"
    done = novikoff(*base, "--order", "low,medium,high", "--json", "--proof", proof)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["coefficients"] == ["low/medium", "medium/high", "x"]
    assert novikoff("verify", proof, study).returncode == 0


def test_numbers_as_codes_are_said_as_numbers_and_texts_of_columns_as_levels(study):
    done = novikoff(*asked_of(study, "cox", ["--time", "days", "--event", "code"], "size"))
    assert done.returncode == 0, done.stderr
    assert "2 counts as 1 in event, and 1 as 0" in " ".join(done.stdout.split())
    assert "0s and 1s: 'size' ('low', 'medium'; the reference is 'high')." in done.stderr
    assert "'code'" not in done.stderr
