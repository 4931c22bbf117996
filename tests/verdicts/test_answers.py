"""What every answer does: it has no truth value, says what ended it, and knows its rows."""

from dataclasses import replace
from fractions import Fraction
from threading import Event, Thread

import numpy as np
import pytest
from scipy.sparse import csr_array
from threadpoolctl import threadpool_info

import novikoff as nk

X, y = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]], [0, 0, 1]


@pytest.mark.parametrize(("ask", "instead"), [
    (lambda: nk.certify(X, y), "verdict.status == 'separable'"),
    (lambda: nk.certify_regression(X, y, model="logistic"), "fit.status == 'finite'"),
    (lambda: nk.fewest_mistakes(X, y), "few.upper == 0"),
    (lambda: nk.max_margin(X, y), "widest.lower"),
    (lambda: nk.trace(X, y), "run.converged"),
    (lambda: nk.trace(X, y).audit(), "audit.holds"),
])  # fmt: skip
def test_an_answer_says_what_to_ask_instead_of_its_truth(ask, instead):
    answer = ask()
    with pytest.raises(ValueError, match="has no truth value") as caught:
        bool(answer)
    assert instead in str(caught.value)


@pytest.mark.parametrize("limit", [None, 60.0])
def test_a_proof_that_fails_its_check_is_not_blamed_on_time(limit, monkeypatch, tmp_path):
    def refuse(*_):
        raise nk.CertificateError("row 0 is on the hyperplane.")

    monkeypatch.setattr(nk.Claim, "checked", refuse)
    verdict = nk.certify(X, y, time_limit=limit)
    fit = nk.certify_regression(X, y, model="logistic", time_limit=limit)
    for answer in (verdict, fit):
        assert answer.status == "undecided"
        answer.report(tmp_path / "page.html")
        page, why = (
            (tmp_path / "page.html").read_text(),
            "does not pass its check: row 0 is on the ",
        )
        assert f"There is none: the proof that the search found {why}hyperplane." in page
        for said in (str(answer), page):
            assert why in said
            assert "time limit" not in said


def test_a_search_that_time_ended_says_so():
    rows = nk.datasets.planted(400, 30, 0.001, random_state=0)
    found = nk.certify(rows.X, rows.y, time_limit=1e-9)
    assert "the time limit ended the search" in str(found)
    known = nk.certify(rows.X, rows.y)
    assert known.status == "separable"
    widest = nk.max_margin(known, time_limit=1e-9)
    assert widest.time_ended
    assert "(the time limit ended the search)" in str(widest)
    assert "as narrow as" not in str(widest)


def test_certificates_of_any_numbers_are_printed():
    rows, labels = [[0.0], [1.0], [1.0], [2.0]], [0, 0, 1, 1]
    found = nk.certify(rows, labels).certificate
    assert repr(found) == "<Claim of 4 × 1 binary64 numbers, with an offset: quasi-separable>"
    separator = nk.certify(X, y).certificate
    long = [Fraction(10**400, 3), Fraction(1), Fraction(-1)]
    assert repr(replace(separator, weights=long)).endswith(": separable>")


def test_threads_that_search_at_once_leave_the_threads_of_blas_as_they_were():
    """The first to begin is the first to end, so that the last has met the limit of the first."""
    random = np.random.default_rng(0)
    rows, labels = random.normal(size=(60, 3)), random.integers(0, 2, 60)
    begun, met = Event(), Event()

    def wait(*_):
        begun.set()
        met.wait(60)

    def end_first(*_):
        met.set()
        first.join()

    nk.fewest_mistakes(rows, labels)  # loads what it needs
    before = [library["num_threads"] for library in threadpool_info()]
    first = Thread(target=nk.fewest_mistakes, args=(rows, labels), kwargs={"progress": wait})
    first.start()
    begun.wait(60)
    nk.fewest_mistakes(rows, labels, progress=end_first)
    assert [library["num_threads"] for library in threadpool_info()] == before


@pytest.mark.parametrize("make", [np.array, csr_array], ids=["dense", "sparse"])
def test_rows_that_were_changed_in_place_answer_nothing_more(make, tmp_path):
    """The margin of other rows, with the status of these, would be a false answer."""
    rows, labels = make([[0.0, 1.0], [1.0, 0.25], [2.0, 2.0], [3.0, 5.0]]), [0, 0, 1, 1]
    verdict = nk.certify(rows, labels)
    fit = nk.certify_regression(rows, labels, model="logistic")
    few = nk.fewest_mistakes(rows, labels)
    saved, known = nk.certify(rows, labels), nk.certify(rows, labels)
    saved.certificate.save(tmp_path / "proof.json")
    margin = known.margin
    cells = rows if isinstance(rows, np.ndarray) else rows.data
    cells[...] = cells[::-1].copy()
    asked = [
        lambda: verdict.margin,
        lambda: verdict.columns,
        lambda: verdict.collinear,
        lambda: verdict.radius,
        lambda: verdict.certificate.save(tmp_path / "other.json"),
        lambda: nk.max_margin(verdict),
        lambda: verdict.report(tmp_path / "page.html"),
        lambda: fit.infinite,
        lambda: fit.collinear,
        lambda: fit.drop(),
        lambda: few.suspects,
        lambda: few.certificate.save(tmp_path / "few.json"),
    ]
    for ask in asked:
        with pytest.raises(nk.InputError, match="changed in place"):
            ask()
    assert "changed in place" in str(verdict)
    assert "no finite maximum-likelihood estimate" in str(fit)
    assert known.margin == margin
    assert nk.load_certificate(tmp_path / "proof.json").to_dict() == saved.certificate.to_dict()
    assert not (tmp_path / "other.json").exists()
