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


SETS = {
    "spector": lambda d: sm.Logit(d.endog, sm.add_constant(d.exog)),
    "star98": lambda d: sm.GLM(d.endog, sm.add_constant(d.exog), family=sm.families.Binomial()),
    "cpunish": lambda d: sm.GLM(d.endog, sm.add_constant(d.exog), family=sm.families.Poisson()),
    "heart": lambda d: sm.PHReg(d.endog, d.exog, status=d.censors),
    "modechoice": lambda d: ConditionalLogit(
        d.data["choice"], d.data[["ttme", "invc", "invt", "gc"]], groups=d.data["individual"]
    ),
    "anes96": lambda d: sm.MNLogit(
        d.data["PID"],
        sm.add_constant(d.data[["logpopul", "selfLR", "age", "educ", "income"]]),
    ),
    "anes96 ordered": lambda d: OrderedModel(
        d.data["PID"], d.data[["selfLR", "age", "educ", "income"]], distr="logit"
    ),
}


@pytest.mark.parametrize("name", SETS)
def test_what_has_a_published_fit_has_a_finite_estimate(name):
    data = getattr(sm.datasets, name.split()[0]).load_pandas()
    found = nk.certify_regression(SETS[name](data))
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
