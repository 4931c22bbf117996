"""An answer is neither true nor false: `if verdict:` raises, as it does for arrays."""

import pytest

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
