"""Mixing and certifying on a cluster of real processes, against one machine and plain loops."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import threading
import warnings
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from distributed import Client, KilledWorker, LocalCluster
from distributed.client import FutureCancelledError
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

import novikoff as nk
from novikoff.distributed.shards import plan
from novikoff.distributed.tasks import FAN_IN
from textbook import is_mistake


@pytest.fixture(scope="module")
def client():
    """Two worker processes of one thread."""
    with dask.config.set({"distributed.comm.timeouts.connect": "5s"}):  # to a worker that is dead
        cluster = LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0",
            memory_limit=0,
        )  # fmt: skip
        with cluster, Client(cluster) as made:
            yield made


@pytest.fixture(scope="module")
def alone():
    """One worker, a thread of this process."""
    cluster = LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0", memory_limit=0
    )
    with cluster, Client(cluster, set_as_default=False) as made:
        yield made


def planted(n=300, d=4, seed=0, gap=0.4, noise=0, holes=0.0):
    """Rows with a gap around a hyperplane; `noise` labels are turned around."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(3 * n, d))
    X[np.abs(X) < holes] = 0.0
    w = rng.normal(size=d + 1)
    scores = X @ w[:-1] + w[-1]
    X = X[np.abs(scores) > gap * np.linalg.norm(w)][:n]
    y = np.where(X @ w[:-1] + w[-1] > 0, 1, 0)
    y[rng.choice(n, noise, replace=False)] ^= 1
    return X, y


def blocks_of(X, y, n_shards):
    """The data as Dask arrays of so many blocks, and the blocks themselves."""
    size = -(-len(y) // n_shards)
    cuts = range(0, len(y), size)
    parts = [(X[a : a + size], y[a : a + size]) for a in cuts]
    if sparse.issparse(X):
        made = [da.from_delayed(dask.delayed(p), p.shape, dtype=p.dtype) for p, _ in parts]
        return (da.concatenate(made), da.from_array(y, chunks=size)), parts
    return (da.from_array(X, chunks=(size, X.shape[1])), da.from_array(y, chunks=size)), parts


def write_svmlight(X, y, path):
    lines = [
        " ".join([str(label), *(f"{j + 1}:{x[j]!r}" for j in np.flatnonzero(x))])
        for x, label in zip(X.tolist(), y.tolist(), strict=True)
    ]
    path.write_text("\n".join(lines) + "\n")


def textbook_pass(X, y, w):
    """One pass of the textbook's perceptron, every score exact: the weights and the mistakes."""
    w, k = w.copy(), 0
    for x, sign in zip(X, np.where(y == 1, 1.0, -1.0), strict=True):
        if is_mistake(x, sign, w, "mistake"):
            w += sign * np.append(x, 1.0)
            k += 1
    return w, k, None


def averaged_pass(X, y, w):
    clf = nk.AveragedPerceptron(start=w).partial_fit(X, y, classes=[0, 1])
    mean = np.append(clf.coef_, clf.intercept_)
    return np.append(clf.last_coef_, clf.last_intercept_), clf.n_mistakes_, len(y) * mean


def simulate(parts, one_pass, rounds, mixing):
    """Iterative parameter mixing in a plain loop: the weights, their mean, all mistakes."""
    w, means, mistakes = np.zeros(parts[0][0].shape[1] + 1), 0.0, []
    while len(mistakes) < rounds and not (mistakes and not any(mistakes[-1])):
        learnt = [one_pass(X, y, w) for X, y in parts]
        mistakes.append([k for _, k, _ in learnt])
        shares = [1 if mixing == "uniform" else k for k in mistakes[-1]]
        if any(mistakes[-1]):
            w = tree_sum([c * own for c, (own, _, _) in zip(shares, learnt, strict=True)])
            w = w / sum(shares)
        if learnt[0][2] is not None:
            means = means + tree_sum([m for _, _, m in learnt]) / sum(len(y) for _, y in parts)
    return w, means / len(mistakes), mistakes


def tree_sum(parts):
    while len(parts) > 1:
        parts = [sum(parts[k + 1 : k + FAN_IN], parts[k]) for k in range(0, len(parts), FAN_IN)]
    return parts[0]


def same_bits(one, other):
    return np.asarray(one).tobytes() == np.asarray(other).tobytes()


def same_models(one, other):
    names = ["coef_", "intercept_", "round_mistakes_"]
    return all(same_bits(getattr(one, name), getattr(other, name)) for name in names)


@pytest.mark.parametrize("mixing", ["uniform", "mistakes"])
@pytest.mark.parametrize("n_shards", [1, 3, 11])
def test_rounds_are_those_of_a_plain_loop_bit_for_bit(client, alone, mixing, n_shards):
    X, y = planted(n=120)
    data, parts = blocks_of(X, y, n_shards)
    w, _, mistakes = simulate(parts, textbook_pass, 30, mixing)
    for cluster in (client, alone):
        model = nk.distributed.fit(data, cluster, mixing=mixing, rounds=30)
        assert same_bits(np.append(model.coef_, model.intercept_), w)
        assert model.round_mistakes_.tolist() == mistakes
        assert (model.n_iter_, model.n_mistakes_) == (len(mistakes), sum(map(sum, mistakes)))
        assert model.converged_
        assert model.stop_reason_ == "clean pass"
        assert np.array_equal(model.predict(X), y)


@pytest.mark.parametrize("mixing", ["uniform", "mistakes"])
def test_averaged_rounds_are_those_of_a_plain_loop_bit_for_bit(client, alone, mixing):
    X, y = planted(n=200, noise=10)
    data, parts = blocks_of(X, y, 5)
    w, mean, mistakes = simulate(parts, averaged_pass, 6, mixing)
    for cluster in (client, alone):
        with pytest.warns(ConvergenceWarning, match="6 rounds"):
            model = nk.distributed.fit(data, cluster, kind="averaged", mixing=mixing, rounds=6)
        assert same_bits(np.append(model.last_coef_, model.last_intercept_), w)
        assert same_bits(np.append(model.coef_, model.intercept_), mean)
        assert model.round_mistakes_.tolist() == mistakes
        assert (model.n_visits_, model.stop_reason_) == (6 * 200, "rounds")


def test_sparse_and_dense_blocks_and_files_give_the_same_bits(alone, tmp_path):
    X, y = planted(n=200, d=6, holes=0.7)
    size = 50
    for i, a in enumerate(range(0, 200, size)):
        part = X[a : a + size], y[a : a + size]
        write_svmlight(*part, tmp_path / f"{i}.svm")
        frame = pa.table({**{f"x{j}": part[0][:, j] for j in range(6)}, "y": part[1]})
        pq.write_table(frame, tmp_path / f"{i}.parquet")
    options = {"rounds": 300, "mixing": "mistakes"}
    dense = nk.distributed.fit(blocks_of(X, y, 4)[0], alone, **options)
    others = [blocks_of(sparse.csr_matrix(X), y, 4)[0]]
    others += [str(tmp_path / f"*.{kind}") for kind in ("svm", "parquet")]
    others += [sorted(tmp_path.glob("*.parquet"))]
    others += [[dask.delayed((X[a : a + size], y[a : a + size])) for a in range(0, 200, size)]]
    for data in others:
        assert same_models(nk.distributed.fit(data, alone, **options), dense)


def test_more_than_two_classes_are_mixed_line_by_line(alone):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(240, 2)) * 0.2 + np.repeat([[3, 0], [-3, 3], [-3, -3]], 80, axis=0)
    y = np.repeat(["a", "b", "c"], 80)
    mixed = rng.permutation(240)
    X, y = X[mixed], y[mixed]
    model = nk.distributed.fit(blocks_of(X, y, 4)[0], alone)
    assert model.converged_
    assert model.coef_.shape == (3, 2)
    assert np.array_equal(model.predict(X), y)
    for c, label in enumerate("abc"):
        rest, _ = blocks_of(X, np.where(y == label, 1, 0), 4)
        line = nk.distributed.fit(rest, alone)
        assert model.n_iter_ >= line.n_iter_
        assert same_bits(model.coef_[c], line.coef_[0])


@pytest.mark.parametrize("mixing", ["uniform", "mistakes"])
@pytest.mark.parametrize("gap", [0.4, 0.1])
def test_mixed_mistakes_stay_under_the_bound(alone, mixing, gap):
    data, _ = blocks_of(*planted(n=400, gap=gap), 5)
    model = nk.distributed.fit(data, alone, mixing=mixing, rounds=2000)
    verdict = nk.distributed.certify(data, alone)
    shares = [[1] * 5 if mixing == "uniform" else k for k in model.round_mistakes_.tolist()]
    total = sum(
        Fraction(sum(c * k for c, k in zip(share, made, strict=True)), sum(share))
        for share, made in zip(shares, model.round_mistakes_.tolist(), strict=True)
        if any(made)
    )
    assert 0 < total <= (Fraction(model.radius_) / Fraction(verdict.margin[0])) ** 2


@pytest.mark.parametrize("layout", ["dense", "sparse"])
@pytest.mark.parametrize("status", ["separable", "quasi-separable", "overlapping"])
def test_the_proof_is_one_machines_proof(client, tmp_path, status, layout):
    n_rows = 9001
    X, y = planted(n=n_rows, gap=0.02)
    if status == "overlapping":
        y[[7, n_rows // 2]] ^= 1
    if status == "quasi-separable":
        X = np.rint(2 * X)
        y = np.where(X[:, 0] > 0, 1, 0)
        y[X[:, 0] == 0] = np.arange((X[:, 0] == 0).sum()) % 2
    X = sparse.csr_matrix(X) if layout == "sparse" else X
    data, _ = blocks_of(X, y, 4)
    here = nk.certify(X, y)
    verdict = nk.distributed.certify(data, client)
    assert verdict.status == here.status == status
    verdict.certificate.save(tmp_path / "proof.json")
    proof = nk.load_certificate(tmp_path / "proof.json")
    proof.verify(X, y)
    assert proof.stamp.digest == here.certificate.stamp.digest
    assert proof.to_dict()["data"] == here.certificate.to_dict()["data"]
    assert int(verdict.how[0].removeprefix("working set of ").partition(" ")[0]) < n_rows
    assert verdict.separated.tolist() == here.separated.tolist()
    assert verdict.n_separated == len(verdict.separated)
    if status == "separable":
        lower, upper = verdict.margin
        assert 0 < lower <= here.margin[1]
        assert here.margin[0] <= upper
        assert verdict.mistake_bound == math.floor(
            Fraction(verdict.radius) ** 2 / Fraction(lower) ** 2
        )
        assert verdict.radius == here.radius


@pytest.mark.parametrize("sizes", [[4096, 4096, 100], [1, 2, 4093, 5000], [10, 20, 30], [4097, 9]])
def test_the_digest_does_not_depend_on_the_shards(alone, sizes):
    X, y = planted(n=sum(sizes), gap=0.5)
    ends = np.cumsum([0, *sizes])
    parts = [dask.delayed((X[a:b], y[a:b])) for a, b in pairwise(ends)]
    verdict = nk.distributed.certify(parts, alone)
    assert verdict.certificate.stamp.digest == nk.certify(X, y).certificate.stamp.digest
    verdict.certificate.verify(X, y)


def test_rows_that_alone_reach_into_other_columns_are_balanced_too(alone):
    """The classes overlap in two columns; two far pairs alone reach into the other two."""
    rng = np.random.default_rng(5)
    X, y = np.zeros((6000, 4)), rng.integers(0, 2, 6000)
    X[:, :2] = rng.normal(size=(6000, 2))
    X[2437:2439, 2], X[4441:4443, 3] = 1.0, 1.0
    X[2438], X[4442] = X[2437], X[4441]
    y[2437:2439] = y[4441:4443] = [0, 1]
    verdict = nk.distributed.certify(blocks_of(X, y, 3)[0], alone)
    assert verdict.status == nk.certify(X, y).status == "overlapping"
    verdict.certificate.verify(X, y)


def test_any_few_rows_in_any_shards_have_one_machines_verdict_and_a_proof(alone, fresh_seed):
    """Empty shards, shards of one class, equal rows, sparse shards, and every scale."""
    rng = np.random.default_rng(fresh_seed)
    for _ in range(20):
        n, d = int(rng.integers(4, 60)), int(rng.integers(1, 5))
        X = rng.integers(-3, 4, size=(n, d)) * 10.0 ** rng.choice([0, 0, 150, -160], size=d)
        X[rng.integers(0, n, size=n // 3)] = X[0]
        scores = X @ rng.integers(-2, 3, size=d)
        y = np.where(scores == 0, rng.integers(0, 2, n), scores > 0).astype(int)
        y[rng.integers(0, n, size=int(rng.integers(0, 2)))] ^= 1
        y[:2] = 0, 1
        order = rng.permutation(n) if rng.random() < 0.5 else np.argsort(y, kind="stable")
        X, y = sparse.csr_array(X[order]) if rng.random() < 0.4 else X[order], y[order]
        ends = [0, *np.sort(rng.integers(0, n + 1, size=int(rng.integers(0, 6)))), n]
        parts = [dask.delayed((X[a:b], y[a:b])) for a, b in pairwise(ends)]
        offset = bool(rng.random() < 0.7)
        verdict = nk.distributed.certify(parts, alone, fit_intercept=offset)
        here = nk.certify(X, y, fit_intercept=offset)
        assert verdict.status == here.status
        verdict.certificate.verify(X, y)
        assert verdict.separated.tolist() == here.separated.tolist()
        assert max(verdict.margin[0], here.margin[0]) <= min(verdict.margin[1], here.margin[1])


def test_files_are_read_as_on_one_machine(alone, tmp_path):
    X, y = planted(n=700, gap=0.1, holes=0.5)
    for i, a in enumerate(range(0, 700, 100)):
        write_svmlight(X[a : a + 100], y[a : a + 100], tmp_path / f"{i}.svm")
    pattern = str(tmp_path / "*.svm")
    verdict = nk.distributed.certify(pattern, alone)
    verdict.certificate.verify(*nk.read(pattern))
    for i in range(2):
        colours = pd.Categorical(["red", "blue"], categories=["blue", "red"])
        frame = pd.DataFrame({"colour": colours.astype(str), "size": [1.5, i], "class": ["a", "b"]})
        frame.to_parquet(tmp_path / f"{i}.parquet", index=False)
    pattern = str(tmp_path / "?.parquet")
    verdict = nk.distributed.certify(pattern, alone)
    assert verdict.n_columns == 3
    assert verdict.certificate.stamp.label == "class"
    verdict.certificate.verify(*nk.read(pattern))


def test_shards_with_other_levels_or_in_other_formats_are_refused_with_a_cure(alone, tmp_path):
    for i, colours in enumerate((["red", "blue"], ["red", "green"])):
        frame = pd.DataFrame({"colour": colours, "size": [1.5, -1.0], "class": ["a", "b"]})
        frame.to_parquet(tmp_path / f"{i}.parquet", index=False)
    pattern = str(tmp_path / "*.parquet")
    with pytest.raises(nk.InputError, match=r"1\.parquet has other columns .* encoding="):
        nk.distributed.certify(pattern, alone)
    whole = nk.read(pattern)
    verdict = nk.distributed.certify(pattern, alone, encoding=whole.encoding)
    assert verdict.n_columns == 4
    verdict.certificate.verify(*whole)
    (tmp_path / "a.csv").write_text("x,y\n1,0\n2,1\n")
    with pytest.raises(nk.InputError, match=r"a\.csv is csv; .*dask\.dataframe\.read_csv"):
        nk.distributed.fit(tmp_path / "a.csv", alone)


def test_a_column_that_a_person_would_ask_about_is_named_once(alone, tmp_path):
    for i in range(2):
        k = np.arange(40)
        frame = pa.table({"a": k % 7 / 2, "when": k / 4, "y": k * 5 % 3 // 2})
        pq.write_table(frame, tmp_path / f"{i}.parquet")
    notes = nk.distributed.certify(str(tmp_path / "*.parquet"), alone).notes
    assert [note.partition(" (")[0] for note in notes if "'when'" in note] == [
        f"in {tmp_path / '0.parquet'}, column 'when' rises or falls with the rows and is kept"
    ]


def test_row_groups_are_put_together_and_never_split(tmp_path):
    frame = pa.table({"x": np.arange(1000.0), "y": np.arange(1000) % 2})
    pq.write_table(frame, tmp_path / "a.parquet", row_group_size=100)
    shards = plan(str(tmp_path / "a.parquet"), 250)
    assert [shard.row_groups for shard in shards] == [(0, 1), (2, 3), (4, 5), (6, 7), (8, 9)]
    loaded = np.concatenate([shard.load().X.ravel() for shard in shards])
    assert np.array_equal(loaded, np.arange(1000.0))
    assert [s.row_groups for s in plan(tmp_path / "a.parquet", 50)] == [(i,) for i in range(10)]


def test_a_file_that_changes_is_read_again(alone, tmp_path):
    def fitted(X):
        frame = pa.table({**dict(zip("abcd", X.T, strict=True)), "y": y})
        pq.write_table(frame, tmp_path / "a.parquet")
        return nk.distributed.fit(tmp_path / "a.parquet", alone)

    X, y = planted(n=100)
    first = fitted(X)
    assert same_bits(fitted(2 * X).coef_, nk.Perceptron().fit(2 * X, y).coef_)
    assert same_models(fitted(X), first)


def test_a_data_frame_has_its_label_column_and_an_index(alone):
    X, y = planted(n=300)
    frame = pd.DataFrame(X, columns=list("abcd")).assign(kind=np.where(y == 1, "on", "off"))
    parts = dd.from_pandas(frame, npartitions=3)
    model = nk.distributed.fit(parts, alone, label="kind")
    assert model.feature_names_in_.tolist() == list("abcd")
    with alone.as_current():
        labels = nk.distributed.predict(model, parts[list("abcd")]).compute()
    assert labels.tolist() == frame["kind"].tolist()
    assert labels.index.equals(frame.index)
    nk.distributed.certify(parts, alone, label="kind").certificate.verify(
        frame[list("abcd")], frame["kind"]
    )


def test_predictions_are_lazy_and_those_of_one_machine(alone, tmp_path):
    X, y = planted(n=300, noise=20)
    data, _ = blocks_of(X, y, 4)
    model = nk.AveragedPerceptron(max_iter=5).partial_fit(X, y)
    lazy = nk.distributed.predict(model, data[0])
    assert lazy.chunks == ((75,) * 4,)
    pq.write_table(
        pa.table({**dict(zip("abcd", X.T, strict=True)), "y": y}), tmp_path / "a.parquet"
    )
    with alone.as_current():
        assert np.array_equal(lazy.compute(), model.predict(X))
        of_files = nk.distributed.predict(model, str(tmp_path / "*.parquet"))
        assert np.array_equal(of_files.compute(), model.predict(X))


def test_a_model_takes_its_columns_from_files_as_on_one_machine(alone, tmp_path):
    X, y = planted(n=200, holes=0.7)
    X[:100, 3] = 0.0  # the first file has no last index
    for i in range(2):
        write_svmlight(
            X[100 * i : 100 * i + 100], y[100 * i : 100 * i + 100], tmp_path / f"{i}.svm"
        )
    frame = pd.DataFrame({"size": X[:, 0], "colour": np.where(X[:, 1] > 0, "red", "blue")})
    frame.assign(y=y)[:120].to_parquet(tmp_path / "0.parquet", index=False)
    frame.assign(y=y)[120:].to_parquet(tmp_path / "1.parquet", index=False)
    frame[["colour", "size"]].to_parquet(tmp_path / "unlabelled.parquet", index=False)
    for pattern, new in (("?.svm", "*.svm"), ("?.parquet", "unlabelled.parquet")):
        files = str(tmp_path / pattern)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = nk.distributed.fit(files, alone, rounds=3)
            here = nk.Perceptron().fit(nk.read(files))
        assert (model.reading_, model.label_) == (here.reading_, here.label_)
        model.save(tmp_path / "model.safetensors")
        model = nk.load(tmp_path / "model.safetensors")
        with alone.as_current():
            labels = nk.distributed.predict(model, str(tmp_path / new)).compute()
        assert np.array_equal(labels, model.predict(nk.read(files).X))


def kill_one(client):
    """SIGKILL to a worker process; its nanny starts another."""
    pids = sorted(client.run(os.getpid).values())
    os.kill(pids[0], signal.SIGKILL)


def test_a_killed_worker_changes_no_bit_of_the_model(client, alone):
    data, _ = blocks_of(*planted(n=4000, noise=40), 9)
    options = {"rounds": 12, "kind": "averaged", "order": "shuffled", "random_state": 3}
    with pytest.warns(ConvergenceWarning, match="12 rounds"):
        undisturbed = nk.distributed.fit(data, alone, **options)
    timers = []

    def disturb(ended):
        if ended.number == 3:  # in the midst of the next round
            timers.append(threading.Timer(0.02, kill_one, [client]))
            timers[-1].start()

    with pytest.warns(ConvergenceWarning, match="12 rounds"):
        model = nk.distributed.fit(data, client, progress=disturb, **options)
    timers[0].join()
    assert same_models(model, undisturbed)


def test_a_killed_worker_changes_nothing_in_the_proof(client, alone):
    data, _ = blocks_of(*planted(n=9000, gap=0.01), 7)
    undisturbed = nk.distributed.certify(data, alone)
    timer = threading.Timer(0.15, kill_one, [client])
    timer.start()
    verdict = nk.distributed.certify(data, client)
    timer.join()
    assert verdict.certificate.to_dict() == undisturbed.certificate.to_dict()


def test_what_dask_gives_up_on_is_asked_for_again(alone, tmp_path, monkeypatch):
    X, y = planted(n=200)
    pq.write_table(
        pa.table({**dict(zip("abcd", X.T, strict=True)), "y": y}), tmp_path / "a.parquet"
    )
    pattern = str(tmp_path / "*.parquet")
    undisturbed = nk.distributed.fit(pattern, alone)
    gather, failures = Client.gather, []

    def sometimes(self, futures):
        if len(failures) % 5 < 4 and futures:  # four times of five
            failures.append(MemoryError() if len(failures) % 2 else FutureCancelledError("a", ""))
            raise failures[-1]
        failures.append(None)
        return gather(self, futures)

    monkeypatch.setattr(Client, "gather", sometimes)
    assert same_models(nk.distributed.fit(pattern, alone), undisturbed)
    assert len(failures) == 5 * (1 + undisturbed.n_iter_)

    def never(_, futures):
        raise KilledWorker(futures[0].key, None, 3)

    monkeypatch.setattr(Client, "gather", never)
    with pytest.raises(nk.NovikoffError, match=r"gave up 5 times on .*a\.parquet"):
        nk.distributed.fit(pattern, alone)


SCRIPT = """
import os, signal, sys
import novikoff as nk
from distributed import Client, LocalCluster
data, checkpoint, last = sys.argv[1], sys.argv[2], int(sys.argv[3])
def progress(ended):
    if ended.number == last:
        os.kill(os.getpid(), signal.SIGKILL)
if __name__ == "__main__":
    cluster = LocalCluster(n_workers=1, threads_per_worker=1, processes=False,
                           dashboard_address=":0", memory_limit=0)
    with cluster, Client(cluster) as client:
        nk.distributed.fit(data, client, kind="averaged", rounds=2000, checkpoint=checkpoint,
                           progress=progress)
"""


def test_a_killed_client_goes_on_from_its_checkpoint_to_the_same_bits(alone, tmp_path):
    X, y = planted(n=900, gap=0.01)
    for i in range(3):
        part = slice(300 * i, 300 * i + 300)
        frame = pa.table({**dict(zip("abcd", X[part].T, strict=True)), "y": y[part]})
        pq.write_table(frame, tmp_path / f"{i}.parquet")
    pattern, checkpoint = str(tmp_path / "*.parquet"), tmp_path / "model.safetensors"
    undisturbed = nk.distributed.fit(pattern, alone, kind="averaged", rounds=2000)
    assert undisturbed.n_iter_ > 7

    def run(last):
        command = [sys.executable, "-c", SCRIPT, pattern, str(checkpoint), str(last)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert run(4).returncode == -signal.SIGKILL
    assert nk.load(checkpoint).n_iter_ == 4
    ended = run(0)
    assert ended.returncode == 0, ended.stderr
    model = nk.load(checkpoint)
    assert same_models(model, undisturbed)
    assert same_bits(model.last_coef_, undisturbed.last_coef_)
    undisturbed.save(tmp_path / "undisturbed.safetensors")
    assert checkpoint.read_bytes() == Path(tmp_path / "undisturbed.safetensors").read_bytes()
    with pytest.raises(nk.InputError, match="checkpoint of another run"):
        nk.distributed.fit(pattern, alone, mixing="mistakes", checkpoint=checkpoint)


def test_a_shard_that_cannot_be_read_is_named(alone, tmp_path):
    frame = pa.table({"x": np.arange(10.0), "y": np.arange(10) % 2})
    for i in range(3):
        pq.write_table(frame, tmp_path / f"{i}.parquet")
    pattern = str(tmp_path / "*.parquet")
    whole = (tmp_path / "1.parquet").read_bytes()
    damaged = bytearray(whole)
    damaged[4:60] = bytes(56)  # the pages, not the footer: only the worker can notice
    (tmp_path / "1.parquet").write_bytes(damaged)
    for job in (nk.distributed.fit, nk.distributed.certify):
        with pytest.raises(nk.FileError, match=r"1\.parquet"):
            job(pattern, alone)
    with pytest.raises(nk.FileError, match="no file matches"):
        nk.distributed.fit(str(tmp_path / "*.csv"), alone)
    (tmp_path / "a.svm").write_text("1 1:2\n0 1:x\n")
    with pytest.raises(nk.FileError, match=r"a\.svm, line 2"):
        nk.distributed.fit(str(tmp_path / "a.svm"), alone)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"kind": "voted"}, "kind is 'voted'"),
        ({"mixing": "best"}, "mixing is 'best'"),
        ({"rounds": 0}, "rounds"),
        ({"tie": "coin"}, "tie is 'coin'"),
        ({"order": "restart"}, "order is 'restart'"),
        ({"retries": -1}, "retries is -1"),
        ({"random_state": None}, "random_state is None"),
        ({"fit_intercept": 1}, "fit_intercept is 1"),
        ({"header": True}, "header= is about files"),
        ({"client": 3}, "client is a int"),
    ],
)
def test_a_bad_parameter_is_told(alone, wrong, message):
    data, _ = blocks_of(*planted(n=20), 2)
    with pytest.raises(nk.InputError, match=message):
        nk.distributed.fit(data, **{"client": alone, **wrong})


def test_bad_data_is_told(alone):
    X, y = planted(n=40)
    with pytest.raises(nk.InputError, match="1 class"):
        nk.distributed.fit(blocks_of(X, np.zeros(40, dtype=int), 2)[0], alone)
    with pytest.raises(nk.InputError, match="3 classes"):
        nk.distributed.certify(blocks_of(X, np.arange(40) % 3, 2)[0], alone)
    with pytest.raises(nk.InputError, match="data is a ndarray"):
        nk.distributed.fit(X, alone)
    with pytest.raises(nk.InputError, match="time_limit"):
        nk.distributed.certify(blocks_of(X, y, 2)[0], alone, time_limit=0)
    with pytest.raises(nk.InputError, match="40 rows and y has 30"):
        nk.distributed.fit((da.from_array(X), da.from_array(y[:30])), alone)
    hole = X.copy()
    hole[33, 2] = np.nan
    with pytest.raises(nk.InputError, match=r"block 3 of X: X contains NaN \(row 3, column 2\)"):
        nk.distributed.fit(blocks_of(hole, y, 4)[0], alone)
    parts = [dask.delayed((X, y)), dask.delayed((X[:, :3], y))]
    with pytest.raises(nk.InputError, match="other columns"):
        nk.distributed.fit(parts, alone)
    with pytest.raises(nk.InputError, match="'cloud'"), nk.distributed.connect("cloud"):
        pass


def test_connect_gives_a_client_of_processes_or_of_an_address(client):
    with nk.distributed.connect(client.scheduler.address) as other:
        pids = other.run(os.getpid)
        assert len(pids) == 2
        assert os.getpid() not in pids.values()
    with nk.distributed.connect("local:1") as other:
        assert list(other.nthreads().values()) == [1]


# ------------------------------------------------------------------ one Verdict for both


@pytest.mark.parametrize("status", ["separable", "quasi-separable", "overlapping", "undecided"])
def test_a_clusters_verdict_has_the_fields_and_words_of_one_machines(alone, status):
    X, y = planted(n=300)
    if status == "quasi-separable":
        X = np.column_stack([np.arange(300) % 3 == 0, np.arange(300) % 7]).astype(float)
        y = np.where(X[:, 0] > 0, 1, np.arange(300) % 2)
    if status == "overlapping":
        y = np.arange(300) % 2
    limit = 1e-9 if status == "undecided" else None
    here = nk.certify(X, y, time_limit=limit)
    verdict = nk.distributed.certify(blocks_of(X, y, 3)[0], alone, time_limit=limit)
    assert isinstance(verdict, nk.Verdict)
    assert verdict.status == here.status == status
    assert (verdict.certificate is None) == (status == "undecided")
    told, told_here = verdict.to_dict(), here.to_dict()
    assert list(told) == list(told_here)
    for same in ("n_rows", "n_columns", "negative", "positive", "offset", "numbers", "certificate"):
        assert told[same] == told_here[same], same
    json.loads(json.dumps(told), parse_constant=pytest.fail)
    lower, upper = verdict.margin
    assert lower <= here.margin[1]
    assert here.margin[0] <= upper
    told_status = f"{status.removesuffix('ping')}" if status == "overlapping" else status
    assert told_status in str(verdict).partition("\n")[0]
    assert "300 rows and" in str(verdict)
    assert "on 3 shards" in verdict._repr_html_()
    if status in ("separable", "quasi-separable"):
        assert "not known on a cluster" in str(verdict)
        with pytest.raises(nk.InputError, match=r"rows are on a cluster.*`columns`"):
            _ = verdict.columns
    else:
        assert verdict.columns == here.columns
    for ask in (verdict.plot, lambda: verdict.report("page.html"), lambda: verdict.collinear):
        with pytest.raises(nk.InputError, match="rows are on a cluster"):
            ask()
    with pytest.raises(nk.InputError, match="rows are on a cluster"):
        nk.max_margin(verdict)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e-9, 1e150])
def test_a_clusters_bound_is_exact_or_rounded_up_at_every_scale(alone, scale):
    X, y = planted(n=60)
    verdict = nk.distributed.certify(blocks_of(X * scale, y, 2)[0], alone)
    rows = [[Fraction(v) for v in row] for row in (X * scale).tolist()]
    square = max(sum(v * v for v in row) for row in rows) + 1
    assert square <= Fraction(verdict.radius) ** 2
    lower, upper = map(Fraction, verdict.margin)
    assert 0 < lower <= upper
    weights = [Fraction(v) for v in verdict.certificate.weights]
    scores = [
        sign * (sum(a * b for a, b in zip(row, weights[:-1], strict=True)) + weights[-1])
        for row, sign in zip(rows, np.where(y == 1, 1, -1).tolist(), strict=True)
    ]
    assert lower**2 * sum(w * w for w in weights) <= min(scores) ** 2
    assert verdict.mistake_bound >= square / lower**2 - 1
    told = verdict.to_dict()["mistake_bound"]
    assert told is None or told >= verdict.mistake_bound
    assert (told is None) == (verdict.mistake_bound > sys.float_info.max)
