"""scikit-learn's checks of an estimator, all but those that cannot hold."""

from __future__ import annotations

import warnings

from sklearn.utils.estimator_checks import check_estimator

NOT_EQUIVALENT = "an update of size 2 is not two visits: the second may be no mistake"
OF_ANY_PERCEPTRON = {  # scikit-learn lists both for its own Perceptron
    "check_sample_weight_equivalence_on_dense_data": NOT_EQUIVALENT,
    "check_sample_weight_equivalence_on_sparse_data": NOT_EQUIVALENT,
}


def assert_scikit_learn_accepts(estimator, **more_failures):
    """Every check passes but the expected ones, and these all fail."""
    expected = {**OF_ANY_PERCEPTRON, **more_failures}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the checks provoke many
        results = check_estimator(
            estimator, expected_failed_checks=expected, on_fail=None, on_skip=None
        )
    names = {status: set() for status in ("passed", "failed", "xfail", "skipped")}
    for result in results:
        names[result["status"]].add(result["check_name"])
    assert names["failed"] == set()
    assert names["xfail"] - names["passed"] == set(expected)
    assert len(names["passed"]) > 40
