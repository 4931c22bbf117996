"""A user's file with one mistake on each marked line, and none elsewhere."""

from __future__ import annotations

import novikoff as nk
from novikoff import certfy  # wrong

X, y = [[0.0], [1.0]], [0, 1]
nk.Percptron()  # wrong
print(nk.certify(X, y).statuss)  # wrong
nk.certify(X, y, time_limit="long")  # wrong
nk.certify_classes(X, y, against="all")  # wrong
nk.trace(X, y, tie="positiv")  # wrong
nk.trace(X, y, order="random")  # wrong
nk.Perceptron(shuffle="no")  # wrong
nk.RescaledPerceptron(shuffle=True)  # wrong
nk.Perceptron(tie="never")  # wrong
nk.Perceptron().fit(X, y, coef_init=[1.0])  # wrong
nk.Perceptron(multiclass="each").fit(X, y)  # wrong
nk.KernelPerceptron(prediction="mean")  # wrong
nk.max_margin(X, y, rtol="tight")  # wrong
nk.datasets.planted("ten", 2, 0.1)  # wrong
nk.geometry.radios(X)  # wrong
count: int = nk.certify(X, y).margin  # wrong
nk.OnlinePerceptron().learn_on({}, 1)  # wrong
nk.scan(3)  # wrong
nk.scan("iris.csv", numbers="decimal")  # wrong
nk.read("iris.csv", levels="none")  # wrong
nk.read("iris.csv", colums=["a"])  # wrong
nk.read("iris.csv", bits="ten")  # wrong
certfy(X, y)
nk.Perceptron().fit(X, y).prdict(X)  # wrong
print(nk.AveragedPerceptron().fit(X, y).ceof_)  # wrong
verdict = nk.certify(X, y)
if verdict.status == "seperable":  # wrong
    print(verdict)
nk.certify_regression(X, y, model="logsitic")  # wrong
nk.certify_regression(X, y, model="cox", ties="efrom")  # wrong
nk.certify_regression(X, y, model="logistic", missing="omit")  # wrong
if nk.certify_regression(X, y, model="poisson").status == "separable":  # wrong
    print(y)
