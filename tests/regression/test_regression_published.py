"""Real data that ships with statsmodels, whose published fits are finite; and made-up sets of the
kinds on which published fits are not, each with an answer that is known without any search."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pandas
import pytest

import novikoff as nk
from command import novikoff
from test_fixed_effects import _by_components

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import statsmodels.api as sm
    from statsmodels.discrete.conditional_models import ConditionalLogit
    from statsmodels.miscmodels.ordinal_model import OrderedModel


def spector():
    data = sm.datasets.spector.load_pandas()
    return sm.Logit(data.endog, sm.add_constant(data.exog))


def star98():
    data = sm.datasets.star98.load_pandas()
    return sm.GLM(data.endog, sm.add_constant(data.exog), family=sm.families.Binomial())


def anes96():
    data = sm.datasets.anes96.load_pandas()
    columns = data.data[["logpopul", "selfLR", "age", "educ", "income"]]
    return sm.MNLogit(data.data["PID"], sm.add_constant(columns))


def ordered_anes96():
    data = sm.datasets.anes96.load_pandas().data
    return OrderedModel(data["PID"], data[["selfLR", "age", "educ", "income"]], distr="logit")


def modechoice():
    data = sm.datasets.modechoice.load_pandas().data
    columns = data[["ttme", "invc", "invt", "gc"]]
    return ConditionalLogit(data["choice"], columns, groups=data["individual"])


def heart():
    data = sm.datasets.heart.load_pandas()
    return sm.PHReg(data.endog, data.exog, status=data.censors)


def cpunish():
    data = sm.datasets.cpunish.load_pandas()
    return sm.GLM(data.endog, sm.add_constant(data.exog), family=sm.families.Poisson())


@pytest.mark.parametrize(
    "make", [spector, star98, anes96, ordered_anes96, modechoice, heart, cpunish]
)
def test_what_has_a_published_fit_has_a_finite_estimate(make):
    model = make()
    found = nk.certify_regression(model)
    assert found.status == "finite", str(found)
    assert (found.infinite, list(found.separated)) == ({}, [])
    found.certificate.verify_table(found.given.whole())


def test_a_sign_that_only_cases_have_is_all_that_is_infinite():
    """Of two measures that overlap and a sign seen in cases only, the sign goes to +∞, the other
    coefficients stay finite, and the rows with the sign are those predicted perfectly: what
    penalised likelihoods are usually introduced with."""
    random = np.random.default_rng(11)
    n = 79
    depth, index = random.integers(0, 50, n), random.integers(27, 362, n) / 100
    case = (random.random(n) < 1 / (1 + np.exp(3 - 0.04 * depth - index))).astype(int)
    sign = case * (random.random(n) < 0.4)
    frame = pandas.DataFrame({"sign": sign, "depth": depth, "index": index, "case": case})
    found = nk.certify_regression(frame, "case", model="logistic")
    assert found.infinite == {"sign": "+"}
    assert list(found.separated) == list(np.flatnonzero(sign))
    proposed = found.drop()
    assert proposed.columns == ("sign",)
    assert list(proposed.observations) == list(found.separated)


def test_two_fixed_effects_in_a_file_are_decided_as_their_graph_says(tmp_path):
    random = np.random.default_rng(4)
    n, sizes = 100, (12, 40)
    codes = np.stack([random.integers(0, size, n) for size in sizes], axis=1)
    y = random.poisson(0.3, n)
    separated = _by_components(codes + np.array([0, sizes[0]]), np.where(y > 0, 0, -1))
    assert 0 < len(separated) < np.count_nonzero(y == 0)
    told = [int(i in separated) for i in range(n)]
    frame = pandas.DataFrame({"y": y, "id1": codes[:, 0], "id2": codes[:, 1], "separated": told})
    path = tmp_path / "levels.csv"
    frame.to_csv(path, index=False)
    words = ["--model", "poisson", "--label", "y", "--categorical", "id1", "--categorical", "id2"]
    done = novikoff("certify", path, *words, "--drop", "separated", "--json")
    assert json.loads(done.stdout)["separated"] == sorted(separated)
