"""`certify(X, Y)` on a GPU: times, memory, and what the device is trusted with.

Normal rows, made on the device by torch; labels by planted directions, of which a share is flipped.
Every case is asked twice: the first time has what the device compiles and sets up, the second has
not. `python benchmarks/device.py OUT.json [SECTION …]`. Sections are independent, and the file is
written after each. Without a GPU it says so and ends. `--page OUT.json` writes what was found into
docs/benchmarks/labellings.md, and keeps the file beside it as device.json.

    --small      small tables, to try the script
    --pretend    tensors of the processor are treated as those of a device, to try it without one
    --also DIR   a folder of packages, for those that are not installed
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 60.0  # a case may take
LOADED = 1 << 22  # rows times columns of labels that are made at once
CASES = (  # name, rows, columns, labellings, share flipped, type, condition
    ("80,000, one labelling", 80_000, 4_096, 1, 0.02, "float32", 1.0),
    ("50,000, 1,000 labellings", 50_000, 2_048, 1_000, 0.02, "float32", 1.0),
    ("80,000, bfloat16", 80_000, 4_096, 1, 0.02, "bfloat16", 1.0),
    ("80,000, condition 10,000", 80_000, 4_096, 1, 0.02, "float32", 1e4),
    ("80,000, float64", 80_000, 4_096, 1, 0.02, "float64", 1.0),
    ("1,000,000, 1% flipped", 1_000_000, 4_096, 1, 0.01, "float32", 1.0),
    ("1,000,000, separable", 1_000_000, 4_096, 1, 0.0, "float32", 1.0),
    ("1,000,000, 0.1% flipped", 1_000_000, 4_096, 1, 0.001, "float32", 1.0),
    ("1,000,000, 100 labellings", 1_000_000, 4_096, 100, 0.01, "float32", 1.0),
)
HOST_CASES = (
    ("20,000, 100 labellings", 20_000, 1_000, 100, 0.02),
    ("80,000, one labelling", 80_000, 4_096, 0, 0.02),  # 0: a single question
)
GOALS = {  # seconds
    "80,000, one labelling": 0.2,
    "50,000, 1,000 labellings": 1.0,
    "1,000,000, 1% flipped": 1.0,
    "1,000,000, separable": 0.3,
    "1,000,000, 0.1% flipped": 2.0,
    "1,000,000, 100 labellings": 5.0,
}
HOST_GOALS = {"20,000, 100 labellings": 1.5, "80,000, one labelling": 6.0}
HEADING = "## On a GPU"  # of the part of the page that is written here
PARTS = {  # what a run is made of, to be timed apart
    "novikoff.verdicts.certify:read_arguments": "reading X",
    "novikoff.verdicts.certify:read_labellings": "reading Y",
    "novikoff.certificates.labellings:Labellings.__init__": "sums of all rows",
    "novikoff.verdicts.together:Together.__init__": "view",
    "novikoff.search.labellings:Level._measure": "lengths and G",
    "novikoff.search.labellings:Level._inverse": "factor of the search",
    "novikoff.search.labellings:Level._descend": "steps",
    "novikoff.certificates.labellings:Labellings.check_separators": "check of separators",
    "novikoff.certificates.labellings:Labellings.margins_above": "margins",
    "novikoff.certificates.labellings:Labellings.factor": "factor of the check",
    "novikoff.certificates.labellings:Labellings.check_balances": "check of multipliers",
    "novikoff.verdicts.together:_multipliers": "multipliers to the host",
    "novikoff.verdicts.together:host_table": "X to the host",
}


class Bench:
    """The device, the sizes, and what was found so far."""

    def __init__(self, given: argparse.Namespace) -> None:
        import torch

        self.torch, self.given = torch, given
        self.device = "cpu" if given.pretend else "cuda"
        self.found: dict[str, Any] = {}
        self.made: tuple[Any, ...] = ()
        self.X: Any = None

    def sized(self, n: int, d: int, labellings: int) -> tuple[int, int, int]:
        return (n // 16, d // 16, -(-labellings // 20)) if self.given.small else (n, d, labellings)

    def wait(self) -> None:
        if self.device == "cuda":
            self.torch.cuda.synchronize()

    def rows(self, n: int, d: int, dtype: str = "float32", condition: float = 1.0) -> Any:
        """Normal rows on the device; made once for cases that follow each other."""
        torch, key = self.torch, (n, d, dtype, condition)
        if self.made == key:
            return self.X
        self.X, self.made = None, key
        self.empty()
        draw = torch.Generator(device=self.device).manual_seed(0)
        X = torch.empty((n, d), dtype=getattr(torch, dtype), device=self.device)
        for start in range(0, n, 65_536):
            part = X[start : start + 65_536]
            part.copy_(torch.randn(part.shape, generator=draw, device=self.device))
        if condition > 1.0:  # columns that share one direction, and sizes that fall
            sizes = torch.logspace(0, -float(torch.log10(torch.tensor(condition))), d)
            turn = torch.linalg.qr(torch.randn((d, d), generator=draw, device=self.device))[0]
            for start in range(0, n, 65_536):
                part = X[start : start + 65_536]
                part.copy_((part.float() * sizes.to(self.device)) @ turn)
        self.X = X
        return X

    def labels(self, X: Any, n_labellings: int, share: float) -> Any:
        """Labels on the host, by planted directions in float64."""
        import numpy as np

        torch = self.torch
        draw = torch.Generator(device=self.device).manual_seed(1)
        size = (X.shape[1], n_labellings)
        planted = torch.randn(size, generator=draw, device=self.device, dtype=torch.float64)
        found = []
        for start in range(0, X.shape[0], max(1, LOADED // n_labellings)):
            part = X[start : start + max(1, LOADED // n_labellings)]
            sides = torch.cat([few.double() @ planted > 0 for few in part.split(8_192)])
            drawn = torch.rand(sides.shape, generator=draw, device=self.device)
            found.append((sides ^ (drawn < share)).cpu().numpy())
        return np.concatenate(found)

    def empty(self) -> None:
        if self.device == "cuda":
            self.torch.cuda.empty_cache()

    def asked(self, X: Any, Y: Any, **options: Any) -> tuple[Any, dict[str, Any]]:
        """All labellings asked: the verdicts, seconds, and memory beyond X as a share of it."""
        import novikoff as nk

        torch, extra = self.torch, {}
        self.wait()
        if self.device == "cuda":
            torch.cuda.reset_peak_memory_stats()
            before = torch.cuda.memory_allocated()
        began = time.perf_counter()
        verdicts = nk.certify(X, named(Y), progress=False, time_limit=SECONDS, **options)
        self.wait()
        extra["seconds"] = time.perf_counter() - began
        if self.device == "cuda":
            extra["bytes"] = torch.cuda.max_memory_allocated() - before
            extra["share"] = extra["bytes"] / (X.numel() * X.element_size())
        return verdicts, {**extra, "counts": verdicts.counts}

    def write(self) -> None:
        Path(self.given.out).write_text(json.dumps(self.found, indent=1) + "\n", encoding="utf-8")


def named(Y: Any) -> Any:
    """A single column by name: it is then asked about as many are."""
    import numpy as np

    return Y if Y.shape[1] > 1 else {0: np.ascontiguousarray(Y[:, 0])}


# Sections


def first_call(bench: Bench) -> dict[str, Any]:
    """The first questions of a process: libraries, compilers, the test of the device."""
    X = bench.rows(4_000, 256)
    Y = bench.labels(X, 2, 0.02)
    return {f"call {k + 1}": bench.asked(X, Y)[1] for k in range(3)}


def primitives(bench: Bench) -> dict[str, Any]:
    """What the machine does at most: the median of five runs, in milliseconds."""
    torch, found = bench.torch, {}
    n, d, _ = bench.sized(80_000, 4_096, 1)
    X = bench.rows(n, d)
    part = X[: max(1, min(n, (1 << 25) // d))]
    wide, v1, v100 = part.double(), *(torch.randn(d, k, device=X.device) for k in (1, 100))
    k1, k100 = (torch.randn(n, k, device=X.device) for k in (1, 100))
    gram = (X.T @ X) / n + torch.eye(d, device=X.device)
    gram64 = gram.double()
    upper, upper64 = torch.linalg.cholesky(gram).T, torch.linalg.cholesky(gram64).T
    from novikoff.inputs.device import Place, inverse_of_triangle

    place = Place.of(X)
    works: dict[str, Callable[[], Any]] = {
        "copy of X": X.clone,
        "float32 X·V, 1": lambda: X @ v1,
        "float32 X·V, 100": lambda: X @ v100,
        "float32 Xᵀ·K, 1": lambda: X.T @ k1,
        "float32 Xᵀ·K, 100": lambda: X.T @ k100,
        "float32 G of X": lambda: X.T @ X,
        "block to float64": part.double,
        "|block|": wide.abs,
        "float64 sum of block": lambda: wide.sum(dim=0),
        "float64 block·V, 1": lambda: wide @ v1.double(),
        "float64 block·V, 100": lambda: wide @ v100.double(),
        "float64 blockᵀ·K, 1": lambda: wide.T @ k1[: len(wide)].double(),
        "float64 blockᵀ·K, 100": lambda: wide.T @ k100[: len(wide)].double(),
        "float64 G of block": lambda: wide.T @ wide,
        "Cholesky, float32": lambda: torch.linalg.cholesky(gram),
        "Cholesky, float64": lambda: torch.linalg.cholesky(gram64),
        "inv, float32": lambda: torch.linalg.inv(upper),
        "inverse by halves, float32": lambda: inverse_of_triangle(place, upper),
        "inverse by halves, float64": lambda: inverse_of_triangle(place, upper64),
        "sums of columns": lambda: torch.sum(torch.abs(X), dim=0, dtype=torch.float64),
        "block to the host": wide.cpu,
    }
    for name, work in works.items():
        times = []
        for _ in range(6):
            bench.wait()
            began = time.perf_counter()
            work()
            bench.wait()
            times.append(1e3 * (time.perf_counter() - began))
        found[name] = sorted(times[1:])[2]
    return {"rows": n, "columns": d, "rows of a block": len(part), "milliseconds": found}


def cases(bench: Bench) -> dict[str, Any]:
    """The table: two runs of each, and one in which the parts are timed."""
    found: dict[str, Any] = {}
    for name, n, d, n_labellings, share, dtype, condition in CASES:
        try:
            n, d, n_labellings = bench.sized(n, d, n_labellings)
            X = bench.rows(n, d, dtype, condition)
            Y = bench.labels(X, n_labellings, share)
            size = {"rows": n, "columns": d, "labellings": n_labellings, "flipped": share}
            case: dict[str, Any] = {**size, "type": dtype, "condition": condition}
            found[name] = case
            verdicts, case["first"] = bench.asked(X, Y)
            case["warm"] = bench.asked(X, Y)[1]
            with Parts(bench) as parts:
                case["timed apart"] = bench.asked(X, Y)[1]
            case["parts"] = parts.seconds
            case["levels"] = parts.levels
            if n_labellings == 1 and dtype == "float32" and condition == 1.0:
                case["torch L-BFGS"] = probe(bench, X, Y[:, 0])
            del verdicts
        except Exception:
            found.setdefault(name, {})["error"] = traceback.format_exc()
        print(name, json.dumps(found[name]), flush=True)
        bench.found["cases"] = found
        bench.write()
    return found


class Parts:
    """While it is entered, the parts of a run are waited for and timed."""

    def __init__(self, bench: Bench) -> None:
        self.bench, self.kept = bench, []
        self.seconds: dict[str, float] = {}
        self.levels: list[str] = []

    def __enter__(self) -> Parts:
        for path, name in PARTS.items():
            home, _, words = path.partition(":")
            try:
                owner: Any = import_module(home)
                *outer, last = words.split(".")
                for word in outer:
                    owner = getattr(owner, word)
                work = getattr(owner, last)
            except (ImportError, AttributeError):
                continue
            self.kept.append((owner, last, work))
            setattr(owner, last, self._timed(work, name))
        return self

    def __exit__(self, *_: object) -> None:
        for owner, last, work in self.kept:
            setattr(owner, last, work)

    def _timed(self, work: Callable[..., Any], name: str) -> Callable[..., Any]:
        def timed(*args: Any, **options: Any) -> Any:
            self.bench.wait()
            began = time.perf_counter()
            found = work(*args, **options)
            self.bench.wait()
            spent = time.perf_counter() - began
            self.seconds[name] = self.seconds.get(name, 0.0) + spent
            if name == "steps":
                level = args[0]
                self.levels.append(
                    f"{level.n_rows} rows, {level.type}, {len(args[1])} labellings: "
                    f"{len(found.balanced)} balanced, {len(found.parted)} parted, {spent:.3f} s"
                )
            return found

        return timed


def probe(bench: Bench, X: Any, y: Any) -> dict[str, Any]:
    """What people use: a logistic regression by torch's L-BFGS, on the device."""
    torch = bench.torch
    labels = torch.asarray(y).to(X.device, torch.float32)
    w = torch.zeros(X.shape[1] + 1, requires_grad=True, device=X.device)
    optimiser = torch.optim.LBFGS([w], max_iter=100, line_search_fn="strong_wolfe")

    def loss() -> Any:
        optimiser.zero_grad()
        scores = X @ w[:-1] + w[-1]
        found = torch.nn.functional.binary_cross_entropy_with_logits(scores, labels)
        found.backward()
        return found

    bench.wait()
    began = time.perf_counter()
    optimiser.step(loss)
    bench.wait()
    seconds = time.perf_counter() - began
    with torch.no_grad():
        right = float(((X @ w[:-1] + w[-1] > 0) == (labels > 0.5)).float().mean())
    return {"seconds": seconds, "right": right, "steps": 100}


def profile(bench: Bench) -> dict[str, Any]:
    """Where the time of a warm run goes, by torch's own profiler."""
    from torch.profiler import ProfilerActivity
    from torch.profiler import profile as profiled

    found = {}
    for share in (0.0, 0.01):
        n, d, _ = bench.sized(1_000_000, 4_096, 1)
        X = bench.rows(n, d)
        Y = bench.labels(X, 1, share)
        activities = [ProfilerActivity.CPU, *[ProfilerActivity.CUDA] * (bench.device == "cuda")]
        with profiled(activities=activities) as seen:
            bench.asked(X, Y)
        order = "self_cuda_time_total" if bench.device == "cuda" else "self_cpu_time_total"
        found[f"{share:.0%} flipped"] = seen.key_averages().table(sort_by=order, row_limit=25)
    return found


def equal(bench: Bench) -> dict[str, Any]:
    """Proofs and digests of the device beside those of the host, and the proofs checked there."""
    import numpy as np

    import novikoff as nk

    found = {}
    for dtype in ("float32", "bfloat16", "float64"):
        X = bench.rows(3_000, 300, dtype)
        Y = np.concatenate([bench.labels(X, 3, share) for share in (0.0, 0.02)], axis=1)
        host = X.float().cpu().numpy() if dtype == "bfloat16" else X.cpu().numpy()
        there, here = nk.certify(X, Y, progress=False), nk.certify(host, Y, progress=False)
        same = []
        for name in there:
            proof = there[name].certificate
            proof.verify(host, Y[:, name])
            same.append(proof.stamp.digest == here[name].certificate.stamp.digest)
        found[dtype] = {
            "same status": bool((there.status == here.status).all()), "same digests": all(same),
            "counts": there.counts,
        }  # fmt: skip
    return found


def models(bench: Bench) -> dict[str, Any]:
    """Predictions on the device beside those of the host."""
    import numpy as np

    import novikoff as nk

    X = bench.rows(20_000, 64)
    y = bench.labels(X, 1, 0.02)[:, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # three passes are enough here
        model = nk.AveragedPerceptron(max_iter=3).fit(X.cpu().numpy(), y)
    scores, classes = model.decision_function(X), model.predict(X)
    return {
        "on": str(scores.device),
        "same classes": bool(np.array_equal(classes.cpu().numpy(), model.predict(X.cpu().numpy()))),
        "same signs": bool(
            np.array_equal(
                np.sign(scores.cpu().numpy()),
                np.sign(model.decision_function(X.cpu().numpy())),
            )
        ),
    }


def others(bench: Bench) -> dict[str, Any]:
    """CuPy and JAX, once each, and the float32 of JAX, which must be refused."""
    import numpy as np

    import novikoff as nk

    X = bench.rows(3_000, 300).cpu().numpy()
    Y = np.stack([bench.labels(bench.rows(3_000, 300), 1, s)[:, 0] for s in (0.0, 0.02)], axis=1)
    found: dict[str, Any] = {}

    def attempt(name: str, make: Callable[[], Any]) -> None:
        try:
            began = time.perf_counter()
            verdicts = nk.certify(make(), Y, progress=False, time_limit=SECONDS)
            for k in verdicts:
                verdicts[k].certificate.verify(X, Y[:, k])
            spent = time.perf_counter() - began
            kind = type(verdicts._table_of_rows).__name__
            found[name] = {"counts": verdicts.counts, "seconds": spent, "table": kind}
        except Exception as error:
            found[name] = f"{type(error).__name__}: {error}"
            if not isinstance(error, (ImportError, nk.InputError)):
                found[name] += "\n" + traceback.format_exc()

    def cupy() -> Any:
        return import_module("cupy").asarray(X)

    def jax(wide: bool) -> Any:
        library = import_module("jax")
        library.config.update("jax_enable_x64", wide)
        return library.numpy.asarray(X)

    attempt("CuPy", cupy)
    attempt("JAX without float64", lambda: jax(False))
    attempt("JAX", lambda: jax(True))
    return found


def settings(bench: Bench) -> dict[str, Any]:
    """Settings that change products: TF32 for float32, and emulated float64, in processes."""
    found: dict[str, Any] = {}
    X = bench.rows(20_000, 512)
    Y = bench.labels(X, 3, 0.02)
    before = bench.torch.backends.cuda.matmul.allow_tf32
    bench.torch.backends.cuda.matmul.allow_tf32 = True
    try:
        found["TF32 for float32"] = bench.asked(X, Y)[1]
    finally:
        bench.torch.backends.cuda.matmul.allow_tf32 = before
    for strategy in ("performant", "eager"):
        extra = {"CUBLAS_EMULATE_DOUBLE_PRECISION": "1", "CUBLAS_EMULATION_STRATEGY": strategy}
        words = [sys.executable, __file__, "--emulated", *own_words(bench.given)]
        done = subprocess.run(
            words, capture_output=True, text=True, timeout=120, env={**os.environ, **extra}
        )
        found[f"emulated float64, {strategy}"] = (done.stdout + done.stderr[-500:]).strip()
    return found


def emulated(bench: Bench) -> None:
    """What the test of the device says here, and how far products of float64 are from true."""
    from novikoff.inputs.device import Place, check_products

    torch = bench.torch
    X = bench.rows(64, 64)
    try:
        check_products(Place.of(X))
        print("the device passes;", end=" ")
    except Exception as error:
        print(f"{type(error).__name__}: {error};", end=" ")
    draw = torch.Generator(device="cpu").manual_seed(2)
    for size in (96, 1_024, 4_096):
        left, right = (
            torch.randn((min(size, 1_024), size), generator=draw, dtype=torch.float64)
            * torch.exp2(torch.randint(-40, 40, (min(size, 1_024), size), generator=draw))
            for _ in range(2)
        )
        here = (left.to(bench.device) @ right.T.to(bench.device)).cpu()
        bound = left.abs() @ right.abs().T * 2.0**-53 * size
        share = float(((here - left @ right.T).abs() / bound).max())
        print(f"{size}: {share:.2g} of twice the bound of rounding;", end=" ")
    print()


def on_the_host(bench: Bench) -> dict[str, Any]:
    """The processor of the same machine."""
    import novikoff as nk

    found: dict[str, Any] = {"cores": os.cpu_count()}
    for name, n, d, n_labellings, share in HOST_CASES:
        n, d, _ = bench.sized(n, d, 1)
        made = bench.rows(n, d)
        Y = bench.labels(made, max(1, n_labellings), share)
        X, case = made.cpu().numpy(), {"rows": n, "columns": d, "labellings": n_labellings}
        for run in ("first", "warm"):
            began = time.perf_counter()
            if n_labellings:
                case["counts"] = nk.certify(X, Y, progress=False, time_limit=SECONDS).counts
            else:
                verdict = nk.certify(X, Y[:, 0], time_limit=SECONDS)
                case["counts"] = {verdict.status: 1}
            case[run] = time.perf_counter() - began
        if not n_labellings:
            began = time.perf_counter()
            if verdict.certificate is not None:
                verdict.certificate.verify(X, Y[:, 0])
            case["proof checked again"] = time.perf_counter() - began
        found[name] = case
        print(name, json.dumps(case), flush=True)
    return found


def peers(bench: Bench) -> dict[str, Any]:
    """scikit-learn, one labelling of 20,000 × 1,000 on the processor; all are extrapolated."""
    n, d, n_labellings = bench.sized(20_000, 1_000, 100)
    found: dict[str, Any] = {"rows": n, "columns": d, "labellings": n_labellings}
    for name in ("LogisticRegression", "LinearSVC"):
        words = [sys.executable, __file__, "--peer", name, *own_words(bench.given)]
        try:
            done = subprocess.run(
                words, capture_output=True, text=True, timeout=90.0, env=os.environ
            )
            found[name] = json.loads(done.stdout.splitlines()[-1])
            found[name]["seconds of all, extrapolated"] = found[name]["seconds"] * n_labellings
        except (subprocess.TimeoutExpired, IndexError, ValueError) as error:
            found[name] = f"{type(error).__name__}"
    return found


def own_words(given: argparse.Namespace) -> list[str]:
    """Options that a process of this script hands on."""
    also = ["--also", given.also] if given.also else []
    flags = ["--small"] * given.small + ["--pretend"] * given.pretend
    return [*also, *flags, given.out]


SECTIONS: dict[str, Callable[[Bench], dict[str, Any]]] = {
    "first call": first_call,
    "equal": equal,
    "primitives": primitives,
    "cases": cases,
    "profile": profile,
    "settings": settings,
    "models": models,
    "others": others,
    "host": on_the_host,
    "peers": peers,
}


def machine(bench: Bench) -> dict[str, Any]:
    """The machine and the versions of what is used."""
    torch = bench.torch
    found: dict[str, Any] = {
        "python": platform.python_version(), "torch": torch.__version__,
        "cores": os.cpu_count(), "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "TF32": torch.backends.cuda.matmul.allow_tf32,
    }  # fmt: skip
    for name in (
        "numpy", "scipy", "scikit-learn", "narwhals", "array-api-compat", "python-flint", "numba",
        "highspy", "threadpoolctl", "jax", "cupy-cuda13x",
    ):  # fmt: skip
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = None
    if bench.device == "cuda":
        found["device"] = torch.cuda.get_device_name()
        found["CUDA"] = torch.version.cuda
        free, total = torch.cuda.mem_get_info()
        found["memory"] = {"free": free, "total": total}
    try:
        from threadpoolctl import threadpool_info

        found["BLAS"] = [f"{p['internal_api']} {p['num_threads']}" for p in threadpool_info()]
    except ImportError:
        pass
    return found


def write_page(source: Path) -> None:
    """The part of the page about a GPU, anew."""
    folder = ROOT / "docs" / "benchmarks"
    found = json.loads(source.read_text(encoding="utf-8"))
    page = folder / "labellings.md"
    before = page.read_text(encoding="utf-8").partition(HEADING)[0].rstrip()
    page.write_text("\n".join([before, "", *lines_of(found)]) + "\n", encoding="utf-8")
    (folder / "device.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def lines_of(found: dict[str, Any]) -> list[str]:
    """What was found, in words and tables."""
    on, host, peers = found["machine"], found["host"], found["peers"]
    names = {"python": "Python", "cupy-cuda13x": "CuPy", "jax": "JAX"}
    kept = ("python", "torch", "numpy", "numba", "scikit-learn", "cupy-cuda13x", "jax")
    versions = ", ".join(f"{names.get(name, name)} {on[name]}" for name in kept if on[name])
    lines = [
        HEADING,
        "",
        f"Written by `benchmarks/device.py` on {on['date']}: {on.get('device', 'no GPU')}, CUDA "
        f"{on.get('CUDA', '–')}, {on['cores']} cores; {versions}.",
        "",
        "Normal rows that torch made on the device; every proof is checked there. *s* is a second",
        "run in the same process, and *first* the one before it. *Memory* is what the device held",
        "at most beyond X. *Condition* is that of the columns. The last column is one logistic",
        "regression by 100 steps of torch's L-BFGS on the same device, and the rows that it has",
        "right: it proves nothing, and cannot tell whether the others could be right as well.",
        "",
        "| rows | columns | labellings | flipped | type | condition | s | goal | first "
        "| memory, GB | share of X | decided | torch L-BFGS |",
        "| --- " * 13 + "|",
    ]
    for name, case in found["cases"].items():
        if "warm" not in case:
            lines.append(f"| {name}: failed |" + " |" * 12)
            continue
        warm, probed = case["warm"], case.get("torch L-BFGS")
        told = f"{probed['seconds']:.2f} s, {probed['right']:.2%} right" if probed else ""
        goal = f"{GOALS[name]:g}" if name in GOALS else ""
        lines.append(
            f"| {case['rows']:,} | {case['columns']:,} | {case['labellings']:,} | "
            f"{case['flipped']:.1%} | {case['type']} | {case['condition']:,.0f} | "
            f"{warm['seconds']:.2f} | {goal} | {case['first']['seconds']:.2f} | "
            f"{warm.get('bytes', 0) / 1e9:.1f} | {warm.get('share', 0):.0%} | "
            f"{counted(warm['counts'])} | {told} |"
        )
    calls = [f"{call['seconds']:.2f}" for call in found["first call"].values()]
    lines += [
        "",
        "The first three questions of a process, 4,000 rows of 256 columns, took "
        f"{', '.join(calls[:-1])} and {calls[-1]} s:",
        "libraries are loaded, and the device is tested.",
        "",
        "Beside the same rows on the processor, 3,000 × 300 and six labellings:",
        "",
        *[
            f"- {name}: {'the same' if case['same status'] else 'OTHER'} verdicts, "
            f"{'the same' if case['same digests'] else 'OTHER'} digests ({counted(case['counts'])})"
            for name, case in found["equal"].items()
        ],
        "",
        "Other libraries, and settings that change products:",
        "",
        *[
            f"- {name}: "
            + (case.partition("\n")[0] if isinstance(case, str) else counted(case["counts"]))
            for name, case in {**found["others"], **found["settings"]}.items()
        ],
        "",
        f"The processor of the same machine, {host['cores']} cores, float32, 2% flipped:",
        "",
        "| rows | columns | labellings | s | goal | decided |",
        "| --- " * 6 + "|",
    ]
    for name, goal in HOST_GOALS.items():
        case = host[name]
        lines.append(
            f"| {case['rows']:,} | {case['columns']:,} | {case['labellings'] or 1:,} | "
            f"{case['warm']:.2f} | {goal:g} | {counted(case['counts'])} |"
        )
    lines += [
        "",
        f"scikit-learn there, one labelling of {peers['rows']:,} × {peers['columns']:,}, and "
        f"{peers['labellings']:,} extrapolated from it:",
        "",
    ]
    for name in ("LogisticRegression", "LinearSVC"):
        case = peers[name]
        if isinstance(case, str):
            lines.append(f"- {name}: {case}")
            continue
        lines.append(
            f"- {name}: {case['seconds']:.1f} s, {', '.join(case['tells'])}; all: "
            f"{case['seconds of all, extrapolated']:,.0f} s"
        )
    return lines


def counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{number:,} {status}" for status, number in counts.items())


def pretend() -> None:
    """Let tensors of the processor be treated as those of a device."""
    import torch

    import novikoff.inputs.device as device
    import novikoff.models.predicting as predicting

    for module in (device, predicting):
        if hasattr(module, "is_elsewhere"):
            module.is_elsewhere = lambda X: isinstance(X, torch.Tensor)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", nargs="?", default=str(ROOT / "docs" / "benchmarks" / "device.json"))
    parser.add_argument("sections", nargs="*")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--pretend", action="store_true")
    parser.add_argument("--also")
    parser.add_argument("--page", type=Path, metavar="OUT.json", help="write the page of a run")
    parser.add_argument("--emulated", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--peer", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.page:
        write_page(given.page)
        return
    if given.also:
        sys.path.append(given.also)
    if given.peer:
        sys.path.insert(0, str(ROOT / "benchmarks"))
        n, d = (1_250, 62) if given.small else (20_000, 1_000)
        print(json.dumps(import_module("labellings").peer(n, d, 1, 0.02, given.peer)))
        return
    try:
        import torch
    except ImportError:
        print("no torch: nothing is measured on a device.")
        return
    if not given.pretend and not torch.cuda.is_available():
        print("no GPU: nothing is measured on a device.")
        return
    if given.pretend:
        pretend()
    bench = Bench(given)
    if given.emulated:
        emulated(bench)
        return
    bench.found["machine"] = machine(bench)
    print(json.dumps(bench.found["machine"]), flush=True)
    for name in given.sections or SECTIONS:
        began = time.perf_counter()
        try:
            bench.found[name] = SECTIONS[name](bench)
        except Exception:
            bench.found[name] = {**bench.found.get(name, {}), "error": traceback.format_exc()}
        bench.empty()
        bench.found.setdefault("seconds", {})[name] = time.perf_counter() - began
        print(name, json.dumps(bench.found[name])[:3000], flush=True)
        bench.write()
    print("seconds", json.dumps(bench.found["seconds"]), flush=True)


if __name__ == "__main__":
    main()
