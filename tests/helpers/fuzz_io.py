"""Mutated files for every reader: an error that says what is wrong, or every row, or a fault.

`fuzz(count, seed, folder)` makes `count` files, each a real one with a few bytes changed, cut,
doubled or swapped, and reads each. A reading may end in a NovikoffError of one sentence, or in
data; then every row of the file is there (counted here by other means), all numbers are finite,
and pyarrow and Python read the same, or refuse in the same words. Anything else is a FaultError,
which carries the bytes. Half of the CSV and svmlight files begin as a stretch of a real file: of
those that scikit-learn ships, and of any others in a folder that is given.

Run by itself: python tests/helpers/fuzz_io.py 100000 [SEED [FOLDER]]
"""

from __future__ import annotations

import csv
import faulthandler
import gzip
import io
import random
import re
import sys
import tempfile
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import sklearn.datasets

from novikoff.errors import NovikoffError
from novikoff.inputs import Table
from novikoff.io import chunks, read
from novikoff.io.formats import find_format
from novikoff.io.options import Options
from novikoff.io.sources import Source

PATIENCE = 60  # seconds for one file
SPICE = [
    b"\n", b"\r", b"\r\n", b"\n\n", b"\t", b" ", b",", b";", b'"', b'""', b"'", b"|", b":", b"#",
    b"\0", b"\xff", b"\xc3\xa9", b"\xef\xbb\xbf", b"nan", b"NA", b"?", b"inf", b"-", b"+", b".",
    b"e", b"1e999", b"1e-999", b"0", b"-0", b"99999999999999999999", b"1099511627776:1", b"qid:1",
    b"0.1234567890123456789012345678901234567890", b"9007199254740993", b"|f", b"|f:2", b"x:y",
]  # fmt: skip


class FaultError(Exception):
    """A file that was read wrongly, or not refused as it should be."""


def numeral(rng):
    kind = rng.randrange(6)
    if kind == 0:
        return str(rng.randrange(-9, 10))
    if kind == 1:
        return repr(rng.gauss(0, 1))
    if kind == 2:
        return f"{rng.gauss(0, 1):.{rng.randrange(12)}f}"
    if kind == 3:
        return f"{rng.gauss(0, 1):.{rng.randrange(25)}e}"
    if kind == 4:
        return str(rng.getrandbits(rng.randrange(1, 80)))
    return f"{rng.randrange(10**6)}e{rng.randrange(-30, 30)}"


def a_csv(rng):
    mark = rng.choice([",", ",", ";", "\t"])
    width, n = rng.randrange(2, 6), rng.randrange(1, 8)
    texts = {c for c in range(width) if rng.random() < 0.2}
    words = ["red", "blue", '"a, b"', '"say ""hi"""', "größe", "x"]

    def field(c):
        if c in texts or (c == width - 1 and rng.random() < 0.5):
            return rng.choice(words)
        text = numeral(rng)
        return f'"{text}"' if rng.random() < 0.05 else f" {text} " if rng.random() < 0.05 else text

    lines = [mark.join(field(c) for c in range(width)) for _ in range(n)]
    if rng.random() < 0.6:
        lines.insert(0, mark.join(f"c{c}" for c in range(width)))
    end = rng.choice(["\n", "\n", "\r\n", "\r"])
    return (end.join(lines) + rng.choice([end, ""])).encode()


def a_svmlight(rng):
    lines = []
    for _ in range(rng.randrange(1, 8)):
        columns = sorted(rng.sample(range(0 if rng.random() < 0.1 else 1, 30), rng.randrange(5)))
        query = f" qid:{rng.randrange(5)}" if rng.random() < 0.1 else ""
        comment = " # a 1:2" if rng.random() < 0.1 else ""
        entries = "".join(f" {c}:{numeral(rng)}" for c in columns)
        lines.append(f"{rng.choice(['1', '-1', '+1', '2.5'])}{query}{entries}{comment}")
    return (rng.choice(["\n", "\r\n"]).join(lines) + "\n").encode()


def a_vw(rng):
    lines = []
    for _ in range(rng.randrange(1, 8)):
        head = rng.choice(["1 ", "-1 ", "1 2.5 ", "1 0.5 'tag", "1 tag"])
        head = "" if rng.random() < 0.02 else head
        spaces = ""
        for _ in range(rng.randrange(1, 3)):
            spaces += rng.choice(["|f", "|", "|words:0.5", "|12"])
            for _ in range(rng.randrange(4)):
                name = rng.choice(["a", "b", "7", "größe", "city:paris"])
                value = f":{numeral(rng)}" if rng.random() < 0.5 and ":" not in name else ""
                spaces += f" {name}{value}"
            spaces += " "
        lines.append(head + spaces)
    return ("\n".join(lines) + "\n").encode()


def an_npy(rng):
    out = io.BytesIO()
    made = np.random.default_rng(rng.randrange(2**32))
    np.save(out, made.normal(size=(rng.randrange(1, 6), rng.randrange(2, 5))))
    return out.getvalue()


def an_npz(rng):
    from scipy import sparse

    out = io.BytesIO()
    made = np.random.default_rng(rng.randrange(2**32))
    X = made.normal(size=(4, 3))
    if rng.random() < 0.5:
        np.savez(out, X=X, y=np.arange(4))
    else:
        form = rng.choice(["csr", "csc", "coo", "bsr", "dia"])
        sparse.save_npz(out, sparse.csr_matrix(X).asformat(form), compressed=rng.random() < 0.5)
    return out.getvalue()


def _a_table(rng):
    import pyarrow

    n = rng.randrange(1, 6)
    return pyarrow.table(
        {
            "a": [rng.gauss(0, 1) for _ in range(n)],
            "b": [rng.choice([1, 2, None]) for _ in range(n)],
            "c": [rng.choice(["x", "y"]) for _ in range(n)],
            "y": [rng.randrange(2) for _ in range(n)],
        }
    )


def a_parquet(rng):
    import pyarrow.parquet

    out = io.BytesIO()
    pyarrow.parquet.write_table(_a_table(rng), out)
    return out.getvalue()


def an_arrow(rng):
    import pyarrow

    out, table = io.BytesIO(), _a_table(rng)
    new = pyarrow.ipc.new_file if rng.random() < 0.5 else pyarrow.ipc.new_stream
    with new(out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


def a_gzip(rng):
    return gzip.compress(a_csv(rng), mtime=0)


def real_files(folder=None):
    """{form: contents} of the CSV, svmlight and Vowpal Wabbit files at hand, up to 3 MB each."""
    shipped = Path(sklearn.datasets.__file__).parent
    paths = [*shipped.glob("data/*.csv"), *shipped.glob("tests/data/svmlight_*.txt")]
    paths += sorted(Path(folder).iterdir()) if folder else []
    found = {}
    for path in paths:
        if path.is_file() and path.stat().st_size < 3_000_000:
            source = Source(str(path), path)
            if source.is_plain and (form := find_format(source, Options())) in REAL_FORMS:
                found.setdefault(form, []).append(path.read_bytes())
    return found


def stretch(content, rng):
    """Some lines of a file, its first one perhaps among them."""
    lines = content.splitlines(keepends=True)
    start, count = rng.randrange(len(lines)), rng.randrange(1, 12)
    first = lines[:1] if rng.random() < 0.5 else []
    return b"".join(first + lines[start : start + count])[:4000]


REAL_FORMS = ("csv", "svmlight", "vw")
MAKERS = {
    "csv": a_csv,
    "svmlight": a_svmlight,
    "vw": a_vw,
    "npy": an_npy,
    "npz": an_npz,
    "parquet": a_parquet,
    "arrow": an_arrow,
    "csv.gz": a_gzip,
}
# Text has the more intricate readers, and is the faster to try.
WEIGHTS = {"csv": 8, "svmlight": 6, "vw": 6, "csv.gz": 2}


def mutated(content, rng):
    """The content after a few small accidents."""
    text = bytearray(content)
    for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 3, 6])):
        at = rng.randrange(len(text) + 1)
        kind = rng.randrange(8)
        if kind <= 2:
            text[at:at] = rng.choice(SPICE)
        elif kind == 3 and at < len(text):
            text[at] = rng.randrange(256)
        elif kind == 4:
            del text[at : at + rng.choice([1, 1, 2, 8])]
        elif kind == 5:
            text[at:at] = text[at : at + rng.randrange(1, 40)]
        elif kind == 6 and rng.random() < 0.3:
            del text[at:]
        elif kind == 7 and at < len(text):
            text[at] ^= 1 << rng.randrange(8)
    return bytes(text)


@contextmanager
def read_by(library):
    """Large chunks and small ones read by 'pyarrow', or all of them by 'python' alone."""
    kept, chunks.ARROW_FROM = chunks.ARROW_FROM, 0 if library == "pyarrow" else 1 << 62
    try:
        yield
    finally:
        chunks.ARROW_FROM = kept


def rows_of(content, form, header):
    """How many rows a text may hold, counted by other means than the reader's; () if unknown."""
    text = content.removeprefix(b"\xef\xbb\xbf")
    lines = text.replace(b"\r", b"\n").split(b"\n")
    if form == "svmlight":
        return (sum(bool(line.split(b"#")[0].strip(b" \t")) for line in lines),)
    if form == "vw":
        return (sum(bool(line.strip(b" \t")) for line in lines),)
    if form.startswith("csv"):
        plain = gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
        decoded = plain.decode("utf-8-sig")
        first = next(line for line in decoded.splitlines() if line.strip())
        mark = max(",;\t", key=re.sub('"[^"]*"', "", first).count)
        reader = csv.reader(io.StringIO(decoded, newline=""), delimiter=mark, skipinitialspace=True)
        records = [r for r in reader if [f.strip(" \t") for f in r] not in ([], [""])]
        return (len(records), len(records) - 1) if header is None else (len(records) - header,)
    return ()


def outcome(path, form, **options):
    """What reading gives: the data, or the sentence that refuses it."""
    try:
        data = read(path, format=form.removesuffix(".gz"), **options)
    except NovikoffError as error:
        sentence = str(error)
        if not sentence.endswith((".", "…")) or "\n" in sentence or len(sentence) > 1500:
            raise FaultError(f"not one sentence: {sentence!r}") from error
        return sentence
    return data


def numbers(data):
    """X as one array of bytes that says all of it, and its values."""
    X = data.X.matrix if isinstance(data.X, Table) else data.X
    if isinstance(X, np.ndarray):
        return X.tobytes(), X
    parts = (X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64))
    return b"".join(part.tobytes() for part in parts), X.data


def examine(path, content, form, options):
    """Read one file in all ways there are; raise FaultError where something is not right."""
    with read_by("python"):
        data = outcome(path, form, **options)
    if form in ("csv", "svmlight", "csv.gz"):
        with read_by("pyarrow"):
            again = outcome(path, form, **options)
        if isinstance(again, str) != isinstance(data, str) or (
            isinstance(data, str) and data != again
        ):
            raise FaultError(f"python: {data!r}; pyarrow: {again!r}")
        if not isinstance(data, str) and not (
            data.remarks == again.remarks
            and data.encoding == again.encoding
            and data.X.shape == again.X.shape
            and numbers(data)[0] == numbers(again)[0]
            and np.array_equal(data.y, again.y)
        ):
            raise FaultError(f"the two readers differ: {data.X} {again.X}")
    if isinstance(data, str):
        return "refused"
    if not np.isfinite(numbers(data)[1]).all():
        raise FaultError("a value is not finite")
    if data.y is None or len(data.y) != data.n_rows or data.n_rows < 1:
        raise FaultError("X and y differ in length")
    rows = rows_of(content, form, options.get("header"))
    if rows and data.n_rows + data.n_dropped not in rows:
        raise FaultError(f"{rows} rows in the file, {data.n_rows} read, {data.n_dropped} dropped")
    return "read"


def fuzz(count, seed=0, folder=None, forms=tuple(MAKERS), samples=None):
    """Try `count` files; how many of each form were read and refused. Raises FaultError.

    Files are written to `folder`; `samples` is a folder of real files to mutate.
    """
    rng = random.Random(seed)
    real = real_files(samples)
    weights = [WEIGHTS.get(form, 1) for form in forms]
    tally = Counter()
    with tempfile.TemporaryDirectory(dir=folder) as place:
        for number in range(count):
            form = rng.choices(forms, weights)[0]
            if form in real and rng.random() < 0.5:
                content = mutated(stretch(rng.choice(real[form]), rng), rng)
            else:
                content = mutated(MAKERS[form](rng), rng)
            path = Path(place) / f"file.{form}"
            path.write_bytes(content)
            options = {"missing": rng.choice(["error", "drop"])}
            if form in ("npz", "npy"):
                options["label"] = rng.choice([None, 1])
            if form.startswith("csv"):
                options["header"] = rng.choice([None, True, False])
            if form == "vw" and rng.random() < 0.5:
                options["bits"] = 10
            faulthandler.dump_traceback_later(PATIENCE, exit=True)
            try:
                tally[form, examine(path, content, form, options)] += 1
            except Exception as error:
                raise FaultError(
                    f"file {number} of seed {seed}, {form} {options}: {content!r}: "
                    f"{type(error).__name__}: {error}"
                ) from error
            finally:
                faulthandler.cancel_dump_traceback_later()
    return tally


def main(count="10000", seed="0", samples=None):
    for (form, what), times in sorted(fuzz(int(count), int(seed), samples=samples).items()):
        print(f"{form:10} {what:8} {times}")


if __name__ == "__main__":
    main(*sys.argv[1:])
