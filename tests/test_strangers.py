"""What strangers tried: small things that were said wrongly, or not at all."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

import novikoff as nk
from novikoff.errors import InputError, KeywordError

pd = pytest.importorskip("pandas")
KINDS = ["Perceptron", "AveragedPerceptron", "VotedPerceptron", "PocketPerceptron",
         "KernelPerceptron", "RescaledPerceptron"]  # fmt: skip


def test_a_constant_column_is_named_on_however_few_rows():
    verdict = nk.certify(pd.DataFrame({"c": [1.0] * 4}), [0, 1, 1, 0])
    assert "column 'c' is constant, the offset already has it" in str(verdict)
    frame = pd.DataFrame({"a": [1.0, 0, 1, 0], "b": [0, 1.0, 0, 1]})
    collinear = nk.certify(frame, [0, 1, 1, 0]).to_dict()["collinear"]
    assert collinear == {"b": {"(intercept)": "1", "a": "-1"}}


@pytest.mark.parametrize("kind", KINDS)
def test_estimators_name_doubled_columns_huge_integers_and_unknown_keywords(kind):
    estimator = getattr(nk, kind)
    frame = pd.DataFrame([[1.0, 2], [2, 1]], columns=["a", "a"])
    with pytest.raises(InputError, match="two columns named 'a'"):
        estimator().fit(frame, [0, 1])
    with pytest.raises(InputError, match=r"beyond 1\.8e308"):
        estimator().fit([[10**400], [1]], [0, 1])
    with pytest.raises(KeywordError, match=f"{kind} has no parameter 'passes'"):
        estimator(passes=3)


def test_rescaled_says_what_its_limits_are():
    with pytest.raises(KeywordError, match="max_rescalings and max_mistakes"):
        nk.RescaledPerceptron(max_iter=2)


def test_a_feature_beyond_floats_is_called_that():
    with pytest.raises(InputError, match=r"beyond 1\.8e308"):
        nk.OnlinePerceptron().learn_one({"a": 10**400}, 1)


def test_labels_given_twice_are_refused():
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4], "t": [0, 1, 0, 1]})
    with pytest.raises(InputError, match="give one of them"):
        nk.certify(frame, [0, 1, 0, 1], label="t")
    assert nk.certify(frame[["x"]], [0, 1, 0, 1], label="t").status == "overlapping"


@pytest.mark.parametrize("labels", [("-", "+"), ("\u22121", "+1"), ("\u2212", "+"), ("-1", "1")])
def test_signs_as_labels_mean_their_sign(labels):
    negative, positive = labels
    verdict = nk.certify([[1.0], [2.0]], [positive, negative])
    assert verdict.classes == (negative, positive)


def test_audits_take_margins_and_separators_in_every_form():
    X, y = nk.datasets.load("planted:30,2,0.1")
    run = nk.trace(X, y)
    expected = run.audit(margin=Fraction(1, 1000)).checks
    assert run.audit(margin=Decimal("0.001")).checks == expected
    assert run.audit(separator=nk.max_margin(X, y)).holds
    with pytest.raises(InputError, match="finite numbers"):
        run.audit(separator=["1", "0", "0"])
