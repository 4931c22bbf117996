"""Proofs of the fewest mistakes: two checkers, and none that is false may be accepted."""

from __future__ import annotations

import contextlib
import copy
import json
import random
from fractions import Fraction

import numpy as np
import pytest

import novikoff as nk
from mistakes_oracle import fewest_of, tiny_set
from novikoff.certificates import Mistakes, Stamp, checker
from novikoff.certificates.certificate import from_bytes
from novikoff.certificates.mistakes import Branch, Leaf
from novikoff.errors import CertificateError
from novikoff.inputs import read_labels, read_table
from tampering import changed, changed_fields, changed_text

# Three rows of each class on a line, mixed up: + - + - + -. Pairs out of order must each lose one.
X = [[1], [2], [3], [4], [5], [6]]
Y = ["a", "b", "a", "b", "a", "b"]


def stamp_of(X, y, offset=True):
    table = read_table(np.array(X))
    return Stamp.of(table, read_labels(y, len(X)), offset, None)


def claim(**changes):
    """The true proof that 2 of 6 is the least, by two disjoint obstructions; or a change of it."""
    fields = {
        "weights": [2, -3],
        "mistakes": [2, 4],
        "costs": None,
        "unit": Fraction(1),
        "trusted": [],
        "obstructions": [([0, 1, 2], [1, 2, 1]), ([3, 4, 5], [1, 2, 1])],
        "scale": 1,
        "tree": Leaf(((0, 1), (1, 1))),
        "stamp": stamp_of(X, Y),
    }
    return Mistakes(**{**fields, **changes})


def test_a_true_proof_is_accepted_and_says_what_it_proves():
    proof = claim()
    proof.verify(np.array(X), Y)
    assert (proof.lower, proof.upper, proof.method) == (2, 2, "disjoint obstructions")
    assert (proof.status, claim(tree=Leaf(((0, 1),))).status) == ("optimal", "bracketed")
    said = "any hyperplane gets at least 2 of the 6 rows of x.csv wrong, and one gets 2 wrong"
    assert proof.says("x.csv") == said


def test_numbers_of_numpy_never_wrap_around():
    """Shares that sum to 2^63 + 2 in int64 are negative, and below any cost."""
    share = np.int64(2**62 + 1)
    with pytest.raises(CertificateError, match="more than its cost"):
        claim(tree=Leaf(((0, share), (0, share))))
    small = claim(scale=np.int8(1), unit=np.int64(1), mistakes=np.array([2, 4]))
    assert type(small.scale) is int
    assert json.loads(small.to_json())["lower"] == "0x2"


def test_a_branch_adds_what_is_given_up_and_frees_what_is_kept(tmp_path):
    same, labels = [[1], [2], [2], [3], [5], [0]], ["a", "b", "a", "b", "b", "a"]
    parts = {"weights": [2, -3], "mistakes": [2], "stamp": stamp_of(same, labels)}
    tree = Branch(2, Leaf(), Branch(1, Leaf(), Leaf(((0, 1),))))
    proof = claim(**parts, obstructions=[([1, 2], [1, 1])], tree=tree)
    proof.verify(np.array(same), labels)
    assert (proof.lower, proof.upper, proof.method) == (1, 1, "a branch tree")
    assert main_accepts(proof.to_json(), same, labels)
    assert plain_accepts(proof.to_json(), same, labels, tmp_path)
    other = claim(**parts, obstructions=[([0, 1, 2], [1, 2, 1])], tree=Leaf(((0, 1),)))
    with pytest.raises(CertificateError, match="not zero"):  # this is no obstruction
        other.verify(np.array(same), labels)


def test_a_trusted_row_may_be_in_obstructions_that_cost_more_than_it(tmp_path):
    same, labels = [[2], [2], [2]], ["b", "a", "a"]
    proof = claim(weights=[0, 1], mistakes=[1, 2], trusted=[0], stamp=stamp_of(same, labels),
                  obstructions=[([0, 1], [1, 1]), ([0, 2], [1, 1])])  # fmt: skip
    assert (proof.lower, proof.upper) == (2, 2)
    assert main_accepts(proof.to_json(), same, labels)
    assert plain_accepts(proof.to_json(), same, labels, tmp_path)


def test_trusted_rows_that_no_hyperplane_gets_right_leave_nothing_to_bound(tmp_path):
    proof = claim(weights=None, mistakes=[], trusted=[0, 1, 2])
    assert (proof.lower, proof.upper, proof.status) == (None, None, "impossible")
    assert proof.method == "an obstruction of trusted rows"
    assert proof.says("x.csv") == "any hyperplane gets a trusted one of the 6 rows of x.csv wrong"
    assert main_accepts(proof.to_json(), X, Y)
    assert plain_accepts(proof.to_json(), X, Y, tmp_path)
    with pytest.raises(CertificateError, match="just where the trusted rows allow one"):
        claim(weights=None, mistakes=[], trusted=[0, 1])


@pytest.mark.parametrize(
    ("cost", "unit"), [(2**13_000, 1), (2**12_999, 2), (1, Fraction(1, 2**13_000))]
)
def test_costs_that_could_not_be_printed_are_refused_by_both_checkers(cost, unit, tmp_path):
    for over in (1, 2):  # half of it is the largest that is taken
        less = {
            "costs": [max(1, cost // over)] * 6,
            "unit": Fraction(unit) * (over if cost == 1 else 1),
        }
        fields = claim(costs=[1] * 6).to_dict()
        fields |= {"costs": list(map(hex, less["costs"])), "lower": hex(2 * less["costs"][0])}
        fields |= {"upper": fields["lower"]}
        fields["unit"] = [hex(less["unit"].numerator), hex(less["unit"].denominator)]
        share = hex(less["costs"][0])
        fields["tree"] = {"obstructions": [0, 1], "shares": [share, share]}
        text = json.dumps(fields)
        assert main_accepts(text, X, Y) == plain_accepts(text, X, Y, tmp_path) == (over == 2)
        if over == 1:
            with pytest.raises(CertificateError, match="more than 13000 bits"):
                claim(**less)


def leaf(*pairs):
    return {"obstructions": [k for k, _ in pairs], "shares": [hex(share) for _, share in pairs]}


def branch(row, removed, kept):
    return {"row": row, "removed": removed, "kept": kept}


SLIPS = [
    {"trusted": [4]}, {"trusted": [3, 3]}, {"trusted": [6]}, {"mistakes": [2]},
    {"mistakes": [2, 4, 5]}, {"mistakes": [2, 4, 4]}, {"weights": None}, {"weights": ["0x2"]},
    {"weights": ["0x1", "-0x2"]},  # row 1 is on it
    {"upper": "0x3"}, {"upper": None}, {"lower": "0x1"}, {"lower": "0x3"}, {"lower": None},
    {"unit": ["0x2", "0x1"]}, {"unit": ["0x1"]}, {"unit": ["0x1", "0x0"]}, {"scale": "0x0"},
    {"scale": "-0x1"}, {"costs": ["0x1"] * 5}, {"costs": ["0x1"] * 5 + ["-0x1"]},
    {"tree": leaf((0, 1), (0, 1))}, {"tree": leaf((0, 1), (2, 1))}, {"tree": leaf((0, 2))},
    {"tree": leaf((0, 1), (1, 0))},
    {"tree": {**leaf((0, 1), (1, 1)), "shares": ["0x1"]}}, {"tree": {}}, {"tree": []},
    {"tree": branch(6, leaf(), leaf((0, 1), (1, 1)))},
    {"tree": branch(2, leaf((0, 1), (1, 1)), leaf((0, 1), (1, 1)))},
    {"tree": branch(0, branch(0, leaf((1, 1)), leaf()), leaf((0, 1), (1, 1)))},
    {"obstructions": [{"rows": [0, 1, 2], "multipliers": ["0x1", "0x2", "0x1"]}]},
    {"obstructions": [{"rows": [0, 1], "multipliers": ["0x1", "0x1"]}] * 2},
    {"obstructions": [{"rows": [], "multipliers": []}] * 2},
    {"tree": branch(2, leaf((0, 1)), leaf((0, 1)))}, {"weights": None, "mistakes": []},
]  # fmt: skip


@pytest.mark.parametrize("slip", SLIPS, ids=str)
def test_both_checkers_refuse_the_same_slip_in_a_file(slip, tmp_path):
    fields = claim().to_dict()
    assert main_accepts(json.dumps(fields), X, Y)
    assert plain_accepts(json.dumps(fields), X, Y, tmp_path)
    assert not main_accepts(json.dumps({**fields, **slip}), X, Y)
    assert not plain_accepts(json.dumps({**fields, **slip}), X, Y, tmp_path)


@pytest.mark.parametrize(("depth", "is_fit"), [(300, True), (301, False)])
def test_a_tree_is_at_most_300_branches_deep(depth, is_fit, tmp_path):
    rows, labels = [[i + 1] for i in range(-152, 152)], ["a"] * 152 + ["b"] * 152
    parts = {"weights": [2, -1], "mistakes": [], "obstructions": [], "tree": Leaf()}
    fields = claim(**parts, stamp=stamp_of(rows, labels)).to_dict()
    for row in range(depth):
        leaf = {"obstructions": [], "shares": []}
        fields["tree"] = {"row": row, "removed": leaf, "kept": fields["tree"]}
    tree = Leaf()
    for row in range(depth):
        tree = Branch(row, Leaf(), tree)
    with contextlib.nullcontext() if is_fit else pytest.raises(CertificateError, match="deeper"):
        claim(**{**parts, "tree": tree}, stamp=stamp_of(rows, labels))
    assert main_accepts(json.dumps(fields), rows, labels) == is_fit
    assert plain_accepts(json.dumps(fields), rows, labels, tmp_path) == is_fit


def proofs(seed, count):
    """True proofs with their data, of every shape that a proof can have."""
    rng = np.random.default_rng(seed)
    made = []
    while len(made) < count:
        X, signs, offset = tiny_set(rng)
        n = len(X)
        costs = rng.integers(0, 4, n).tolist() if len(made) % 3 == 1 else None
        trusted = rng.permutation(n)[: n // 2].tolist() if len(made) % 3 == 2 else None
        few = nk.fewest_mistakes(
            np.array(X), signs, costs=costs, trusted=trusted, fit_intercept=offset
        )
        if few.certificate.obstructions:
            made.append((X, signs, few.certificate))
    return made


def is_true(fields, X, signs):
    """Whether the bracket that the fields state holds, by trying every set of rows."""
    costs = None if fields["costs"] is None else [int(c, 16) for c in fields["costs"]]
    best, _ = fewest_of(X, signs, fields["offset"], costs, fields["trusted"])
    if fields["lower"] is None:
        return best is None
    return best is not None and int(fields["lower"], 16) <= best <= int(fields["upper"], 16)


def main_accepts(text, X, signs):
    try:
        from_bytes(text.encode(), "proof").verify(np.array(X), signs)
    except CertificateError:
        return False
    return True


def plain_accepts(text, X, signs, folder):
    (folder / "proof.json").write_text(text, encoding="utf-8")
    lines = [",".join(map(str, [*row, sign])) for row, sign in zip(X, signs, strict=True)]
    (folder / "data.csv").write_text("\n".join(lines) + "\n")
    try:
        checker.check(str(folder / "proof.json"), str(folder / "data.csv"))
    except checker.ProofError:
        return False
    return True


NAMES = ("weights", "mistakes", "costs", "trusted", "obstructions", "scale", "tree", "lower",
         "upper", "unit")  # fmt: skip


def attacked(rng, X, signs, certificate):
    """The proof file with a change, and its data; sometimes either, and a stamp that is right."""
    X, fields = copy.deepcopy(X), certificate.to_dict()
    attack = rng.choice(("text", "fields", "fields", "fields", "data", "claim"))
    if attack == "text":
        return X, changed_text(rng, certificate.to_json())
    if attack == "fields":
        return X, json.dumps(changed_fields(rng, fields))
    name = rng.choice(NAMES)
    if attack == "data":
        X[rng.randrange(len(X))][rng.randrange(len(X[0]))] += rng.choice((-1, 1))
    elif fields[name]:
        fields[name] = changed(rng, fields[name])
    fields["data"]["digest"] = stamp_of(X, signs, fields["offset"]).digest
    return X, json.dumps(fields)


def test_no_tampered_proof_is_accepted_by_either_checker(tmp_path, fresh_seed):
    rng = random.Random(fresh_seed)
    known = proofs(fresh_seed, 15)
    for X, signs, certificate in known:
        assert main_accepts(certificate.to_json(), X, signs)
        assert plain_accepts(certificate.to_json(), X, signs, tmp_path)
    accepted = 0
    for trial in range(1200):
        X, signs, certificate = known[trial % len(known)]
        X, text = attacked(rng, X, signs, certificate)
        both = main_accepts(text, X, signs), plain_accepts(text, X, signs, tmp_path)
        # The main checker is given X and y, so it does not look for a column by its name.
        assert both[0] == both[1] or '"label": null' not in text, text
        if both[0]:
            accepted += 1
            assert is_true(json.loads(text), X, signs), text
    assert accepted < 600


def test_the_checker_alone_prints_both_bounds(tmp_path):
    claim(tree=Leaf(((0, 1),))).save(tmp_path / "p.json")
    lines = [f"{x[0]},{label}" for x, label in zip(X, Y, strict=True)]
    (tmp_path / "d.csv").write_text("\n".join(lines) + "\n")
    said = checker.check(str(tmp_path / "p.json"), str(tmp_path / "d.csv"))
    assert "at least 1 and at most 2 rows wrong" in said
