"""Load files that strangers could send, each altered in every place, and print what is amiss.

A process of its own, because audit hooks stay: python hostile.py FOLDER. Each file is loaded twice.
The first time warms up, so that what a loader imports is there; the second time nothing may be
compiled, run, imported, or opened outside of FOLDER.
"""

from __future__ import annotations

import copy
import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import numpy as np

import novikoff as nk
from command import Done, novikoff
from novikoff.certificates import checker
from novikoff.errors import NovikoffError
from novikoff.model_format import digest, read_stored
from novikoff.online.stream.checkpoint import load_checkpoint
from novikoff.studio.lessons.reading import read_lesson

FORBIDDEN = ("exec", "compile", "import", "os.system", "os.exec", "os.fork", "os.posix_spawn",
             "subprocess.Popen", "pickle.find_class", "marshal.loads", "socket.connect", "open",
             "ctypes.dlopen", "code.__new__")  # fmt: skip
CALL = '__import__("os").system("id > PWNED")'
WRONG = (f"y ~ {{({CALL}, x)[1]}}", [","], None, 10**18)
DATA = """y,x,z,g,n
0,1,2.5,a,4
1,2,1.5,b,4
0,3,3.25,c,4
1,4,0.5,a,4
1,5,2,b,4
0,6,1,c,4
0,2,7,a,4
1,1,8,b,4
"""
LESSON = """---
title: {0}
about: {0}
notation: 000
---

## {0}

$w = {0}$ and `{0}`, [a link]({0})

```show
data: four
k: {1}
```

```data four
x,label
{2},1
7,-1
```

```ask
question: {0}
kind: {3}
answer: {4}
right: Yes.
hint: No.
```
"""
FILES = (
    ("certify", "--model", "logistic", "--formula", "y ~ x + C(g):z + I(x ** 2)"),
    ("certify", "--model", "binomial", "--label", "y", "--trials", "n", "--weights", "n"),
    ("certify", "--label", "y"),
    ("fewest", "--label", "y"),
)


def altered(value, wrong):
    """The same JSON with one part replaced, or one field left out, in every place."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield {key: rest for key, rest in value.items() if key != name}
            yield from ({**value, name: one} for one in altered(part, wrong))
        yield {**value, CALL: CALL}
    elif isinstance(value, list):
        for k in {0, len(value) - 1} if value else ():
            yield from ([*value[:k], one, *value[k + 1 :]] for one in altered(value[k], wrong))
    yield from (copy.deepcopy(one) for one in wrong)


class Watch:
    """What happens while a file is loaded that must not."""

    def __init__(self, folder):
        self.folder, self.strict, self.seen = str(folder), False, []
        sys.addaudithook(self)

    def __call__(self, event, arguments):
        if event not in FORBIDDEN:
            return
        own = event == "open" and str(arguments[0]).startswith(self.folder)
        if "PWNED" in str(arguments) or (self.strict and not own and arguments[:1] != (2,)):
            self.seen.append(f"{event} {arguments!r:.200}")


def verified(proof, data, rows):
    """A problem with how a checker ends, or None: it says a sentence, and exits with 0 or 1."""
    path = data.with_name("altered.json")
    path.write_text(json.dumps(proof))
    for check in (lambda: novikoff("verify", path, data), lambda: alone(path, rows)):
        try:
            done = check()
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        said = (done.stdout or done.stderr).strip()
        if done.returncode not in (0, 1) or "Traceback" in said or not said.endswith("."):
            return f"exit {done.returncode}: {said[-300:]}"
    return None


def alone(*words):
    """The stand-alone checker."""
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as errors:
        code = checker.main([str(word) for word in words])
    return Done(code, out.getvalue(), errors.getvalue())


def loaded(load, *arguments):
    try:
        load(*arguments)
    except NovikoffError as error:
        return None if str(error).endswith(".") else f"no sentence: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def with_head(path, target, head):
    """A model file with another head, and the digest that fits it."""
    from safetensors.numpy import save_file

    stored = read_stored(path)
    rest = {name: value for name, value in head.items() if name != "digest"}
    sealed = {**rest, "digest": digest(rest, stored.tensors)}
    save_file(stored.tensors, target, {"novikoff": json.dumps(sealed)})


def attacks(folder):
    """Every file in every altered form: what it is, and how it is loaded."""
    data = folder / "data.csv"
    for k, (command, *options) in enumerate(FILES):
        proof, rows = folder / f"{k}.json", folder / f"{k}.csv"
        assert novikoff(command, data, *options, "--proof", proof, "-q").returncode == 0
        assert novikoff("verify", proof, data, "--rows", rows).returncode == 0
        assert alone(proof, rows).returncode == 0
        for changed in altered(json.loads(proof.read_text()), WRONG):
            yield f"{command} {options}", verified, changed, data, rows
    X, y = np.array([[0.0, 1.0], [2.0, 3.0], [1.0, 0.0]]), ["a", "b", "a"]
    model, target = folder / "model.safetensors", folder / "altered.safetensors"
    nk.Perceptron().fit(X, y).save(model)
    stream = folder / "stream.safetensors"
    (folder / "rows.csv").write_text(DATA)
    wanted = ("--checkpoint", stream, "--predictions", folder / "predictions.csv")
    done = novikoff("stream", folder / "rows.csv", "--label", "y", *wanted)
    assert done.returncode == 0, done.stderr
    for path, load in ((model, nk.load), (stream, lambda at: load_checkpoint(at, {}))):
        for head in altered(read_stored(path).head, WRONG):
            if isinstance(head, dict):
                with_head(path, target, head)
                yield path.name, loaded, load, target
    for k in range(5):
        words = [("four", "end", "0", "number", "1")[i] if i != k else CALL for i in range(5)]
        yield "lesson", loaded, read_lesson, LESSON.format(*words)
    nk.scan(data, "y", cache=True).cached()
    header = next(folder.glob("*.novikoff/header.json"))
    from novikoff.io.cache import sealed

    whole = json.loads(header.read_text())
    for changed in altered(whole, WRONG):
        if isinstance(changed, dict):
            header.parent.mkdir(exist_ok=True)
            header.write_text(json.dumps(sealed(changed)))
            yield "cache", loaded, lambda: nk.scan(data, "y", cache=True).cached()


def main(folder):
    (folder / "data.csv").write_text(DATA)
    watch, problems, n_loaded = Watch(folder), [], 0
    for what, load, *arguments in attacks(folder):
        for strict in (False, True):
            watch.strict = strict
            problem = load(*arguments)
            watch.strict = False
            if problem or watch.seen:
                problems.append(f"{what}: {problem} {watch.seen[:3]} {str(arguments)[:2000]}")
                watch.seen.clear()
        n_loaded += 1
    if Path("PWNED").exists() or (folder / "PWNED").exists():
        problems.append("a file ran a command")
    print(json.dumps({"loaded": n_loaded, "problems": problems}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
