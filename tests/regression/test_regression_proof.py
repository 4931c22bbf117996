"""A proof about a regression: both checkers accept it, and nothing that was tampered with."""

from __future__ import annotations

import copy
import json
import random
import tracemalloc

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import novikoff as nk
from novikoff.certificates import checker
from novikoff.certificates.certificate import from_dict
from novikoff.certificates.model import parted
from novikoff.cli.regression import write_model_rows
from novikoff.errors import CertificateError
from novikoff.inputs import read_table
from regression_draws import DRAWS, fit_of


def proof_of(draw, model):
    """A random verdict of this model, and the fields of its proof."""
    fit, _ = fit_of(draw, model)
    return fit, fit.certificate.to_dict()


def both(fields, table, rows, tmp_path):
    """What the library and the plain file say: True where the proof is accepted."""
    path = tmp_path / "p.json"
    path.write_text(json.dumps(fields))
    try:
        from_dict(copy.deepcopy(fields)).verify_table(table)
        ours = True
    except CertificateError:
        ours = False
    try:
        checker.check(str(path), str(rows))
        theirs = True
    except checker.ProofError:
        theirs = False
    return ours, theirs


@pytest.mark.parametrize("seed", [1, None])
@pytest.mark.parametrize("model", DRAWS)
def test_both_checkers_accept_what_is_proven_and_agree_on_what_is_tampered_with(
    model, seed, fresh_seed, tmp_path
):
    draw = random.Random(fresh_seed if seed is None else seed)
    rows = tmp_path / "rows.csv"
    refused = 0
    for _ in range(12):
        fit, fields = proof_of(draw, model)
        table = fit.given.whole()
        write_model_rows(str(rows), fit.given)
        assert both(fields, table, rows, tmp_path) == (True, True)
        for _ in range(12):
            changed = copy.deepcopy(fields)
            what = tamper(draw, changed)
            ours, theirs = both(changed, table, rows, tmp_path)
            assert ours == theirs, (what, changed)
            if ours:  # such as another direction that settles the same rows
                assert changed["settled"] == fields["settled"], (what, changed)
                assert changed["model"]["name"] == fields["model"]["name"] or (
                    what == "name" and same_rows(fit, changed)
                )
            refused += not ours
    assert refused > 60


def same_rows(fit, changed):
    """Whether another model makes the very same comparisons of this table."""
    other = from_dict(changed)
    from novikoff.certificates.comparisons import comparisons

    made = comparisons(*parted(fit.given.whole(), other.model), other.model)
    return (made.signs == fit.comparison_rows.signs).all()


def tamper(draw, fields):
    """Change one thing; its name."""
    model = fields["model"]
    what = draw.choice(
        ["weight", "settled", "core", "multiplier", "row", "more", "digest", "name", "constant",
         "classes", "reference", "ties", "response", "shorter", "labels", "negate"]
    )  # fmt: skip
    if what == "weight":
        k = draw.randrange(len(fields["weights"]))
        fields["weights"][k] = hex(int(fields["weights"][k], 16) + draw.choice([-3, -1, 1, 5]))
    elif what == "negate":
        fields["weights"] = [hex(-int(text, 16)) for text in fields["weights"]]
    elif what in ("settled", "core"):
        fields[what] = max(0, fields[what] + draw.choice([-1, 1]))
    elif what == "multiplier":
        k = draw.randrange(len(fields["multipliers"]) or 1)
        fields["multipliers"][k : k + 1] = [hex(draw.choice([-1, 0, 7]))]
    elif what == "row":
        k = draw.randrange(len(fields["rows"]) or 1)
        fields["rows"][k : k + 1] = [draw.randrange(fields["settled"] + fields["core"] + 1)]
    elif what == "more":
        fields["rows"].append(draw.randrange(fields["settled"] + fields["core"] + 1))
        fields["multipliers"].append(hex(draw.choice([-1, 1])))
    elif what == "shorter":
        del fields["weights"][draw.randrange(len(fields["weights"])) :]
    elif what == "labels":
        fields["data"]["negative"] = "no"
    elif what == "digest":
        fields["data"]["digest"] = "0" * 64
    elif what == "name":
        model["name"] = draw.choice(list(DRAWS))
    elif what == "constant":
        fields["offset"] = not fields["offset"]
    elif what in ("classes", "reference"):
        model[what] = max(0, model[what] + draw.choice([-1, 1]))
    elif what == "ties":
        model["ties"] = draw.choice(["exact", "efron", "breslow"])
    else:
        model["response"] = model["response"][::-1] + draw.choice([[], ["entry"]])
    return what


@pytest.mark.parametrize("model", DRAWS)
def test_a_proof_is_of_its_own_data_only(model, fresh_seed, tmp_path):
    draw = random.Random(fresh_seed)
    fit, fields = proof_of(draw, model)
    rows = tmp_path / "rows.csv"
    write_model_rows(str(rows), fit.given)
    table = fit.given.whole()
    numbers = table.dense_rows(slice(None))
    for _ in range(6):
        changed = numbers.copy()
        i, j = draw.randrange(len(changed)), draw.randrange(changed.shape[1])
        changed[i, j] += 1
        lines = rows.read_text().splitlines()
        body = [",".join(repr(float(v)) for v in row) for row in changed]
        rows.write_text("\n".join([lines[0], *body]) + "\n")
        assert both(fields, read_table(changed), rows, tmp_path) == (False, False)


@pytest.mark.parametrize("model", ["poisson", "multinomial", "cox"])
def test_proofs_about_sparse_tables_are_checked_alike(model, fresh_seed, tmp_path):
    draw, rows = random.Random(fresh_seed), tmp_path / "rows.csv"
    for _ in range(8):
        options, given, _, X, _ = DRAWS[model](draw)
        sparse = csr_matrix(np.array(X, dtype=float))
        fit = nk.certify_regression(sparse, model=model, **options, **given)
        fields = fit.certificate.to_dict()
        write_model_rows(str(rows), fit.given)
        assert both(fields, fit.given.whole(), rows, tmp_path) == (True, True)
        fields["data"]["layout"] = "dense"
        assert both(fields, fit.given.whole(), rows, tmp_path) == (False, False)


@pytest.mark.parametrize("n_classes", [4, 20_000, 1_000_000])
def test_classes_that_no_row_has_are_refused_before_any_work(n_classes, tmp_path):
    fit = nk.certify_regression([[1], [2], [3]], ["a", "b", "c"], model="multinomial")
    rows, fields = tmp_path / "rows.csv", fit.certificate.to_dict()
    write_model_rows(str(rows), fit.given)
    fields["model"]["classes"] = n_classes
    tracemalloc.start()
    assert both(fields, fit.given.whole(), rows, tmp_path) == (False, False)
    assert tracemalloc.get_traced_memory()[1] < 2**27  # room to read the largest proof file
    tracemalloc.stop()
