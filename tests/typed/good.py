"""A user's file that every static tool accepts."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

import novikoff as nk
from novikoff import Perceptron, certify, datasets, geometry

X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
y = ["off", "off", "off", "on"]

verdict: nk.Verdict = certify(X, y, time_limit=1.0)
status: str = verdict.status
few: NDArray[Any] = verdict.rows
perfect: NDArray[Any] | None = verdict.separated
bracket: tuple[float, float] = verdict.margin
if verdict.certificate is not None:
    verdict.certificate.verify(X, y)
    verdict.certificate.save("proof.json")
if isinstance(verdict.certificate, nk.Claim):
    settled: int = verdict.certificate.n_settled
nk.load_certificate("proof.json").verify(X, y)
nk.certify([[Fraction(1, 3)], [Fraction(1, 10)]], [0, 1])
nk.certify([[Decimal("0.1")], [Decimal("0.2")]], [0, 1])
nk.certify(nk.read("iris.csv"))
nk.read("iris.csv", "species", drop=["id"], levels="reference", numbers="decimal")
nk.scan("iris.csv", header=None, encoding={"color": ["blue", "red"]})
labellings: np.ndarray[tuple[int, int], np.dtype[np.bool_]] = np.eye(4, 2, dtype=np.bool_)
asked: nk.LabellingVerdicts = nk.certify(X, labellings, n_jobs=2, time_limit_each=1.0)
first: nk.Verdict = asked[0]
for name in nk.certify_classes(X, y, against="each"):
    print(name)
widest: float = nk.max_margin(X, y, rtol=1e-9).lower
fewest: nk.FewestMistakes = nk.fewest_mistakes(X, y, costs=[1] * len(y), time_limit=5.0)
in_the_way: NDArray[Any] = fewest.rows
proven: nk.Mistakes = fewest.certificate

run: nk.Run = nk.trace(X, y, tie="positive", order="restart", start="random", random_state=0)
held: bool = run.audit().holds
mistakes: int = run.n_mistakes

clf: nk.Perceptron = Perceptron(order="shuffled", tol=1e-3, class_weight="balanced").fit(X, y)
classes: NDArray[Any] = clf.predict(X)
share: float = clf.score(X, y)
reason: str = clf.stop_reason_
nk.Perceptron(order=[3, 2, 1, 0], start=[0.0, 1.0, 2.0]).fit(X, y, sample_weight=[1, 2, 3, 4])
nk.AveragedPerceptron(multiclass="joint").partial_fit(X, y, classes=["off", "on"])
nk.VotedPerceptron(randomized=True).fit(X.tolist(), y).predict(X=X)
nk.PocketPerceptron(early_stopping=True, shuffle=False).fit(X, y)
nk.KernelPerceptron(kernel="rbf", gamma="scale").fit(X, y)
nk.RescaledPerceptron().fit(X, y).save("model.safetensors")
nk.load("model.safetensors").predict(X)

model = nk.OnlinePerceptron(tie="zero")
model.learn_one({"win": 1.0}, "spam", weight=2.0)
model.predict_one([1.0, 2.0])
wrong: int = model.n_wrong_

planted: nk.datasets.Dataset = datasets.planted(10, 2, 0.1, random_state=1)
distance: float | NDArray[Any] = geometry.signed_distance(X, [1, 2], 0.5)
longest: float = geometry.radius(planted.X)
try:
    nk.certify(planted.X, planted.y)
except (nk.InputError, nk.CertificateError) as error:
    print(error)
print(nk.__version__, nk.distributed.fit, nk.Studio, nk.BoundaryDisplay)
again: float = nk.max_margin(verdict).upper

fit: nk.RegressionVerdict = nk.certify_regression(X, [0, 1, 2, 0], model="poisson", time_limit=1.0)
exists: bool = fit.status == "finite"
blamed: NDArray[Any] | None = fit.separated
if fit.certificate is not None:
    fit.certificate.save("proof.json")
nk.certify_regression("y ~ x", data={"x": [1.0], "y": [0]}, model="logistic", missing="drop")
nk.certify_regression(X, model="cox", time=[1, 2, 3, 4], event=[1, 0, 1, 1], ties="exact")
nk.certify_regression(model="bradley-terry", winner=["a", "b"], loser=["b", "a"])
nk.certify_regression(X, y, model=LogisticRegression(C=1e9))
outcome: Literal["separable", "quasi-separable", "overlapping", "undecided"] = verdict.status
