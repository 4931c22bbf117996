"""What strangers tried: small things that were said wrongly, or not at all."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

import pytest

import novikoff as nk
from command import novikoff
from novikoff.errors import FileError, InputError, KeywordError

pd = pytest.importorskip("pandas")
KINDS = ["Perceptron", "AveragedPerceptron", "VotedPerceptron", "PocketPerceptron",
         "KernelPerceptron", "RescaledPerceptron"]  # fmt: skip


def test_a_constant_column_is_named_on_however_few_rows():
    verdict = nk.certify(pd.DataFrame({"c": [1.0] * 4}), [0, 1, 1, 0])
    assert "column 'c' is constant, the offset already has it" in str(verdict)
    frame = pd.DataFrame({"a": [1.0, 0, 1, 0], "b": [0, 1.0, 0, 1]})
    collinear = nk.certify(frame, [0, 1, 1, 0]).to_dict()["collinear"]
    assert collinear == {"b": {"(intercept)": "1", "a": "-1"}}


@pytest.mark.parametrize("kind", KINDS)
def test_estimators_name_doubled_columns_huge_integers_and_unknown_keywords(kind):
    estimator = getattr(nk, kind)
    frame = pd.DataFrame([[1.0, 2], [2, 1]], columns=["a", "a"])
    with pytest.raises(InputError, match="two columns named 'a'"):
        estimator().fit(frame, [0, 1])
    with pytest.raises(InputError, match=r"beyond 1\.8e308"):
        estimator().fit([[10**400], [1]], [0, 1])
    with pytest.raises(KeywordError, match=f"{kind} has no parameter 'passes'"):
        estimator(passes=3)


def test_rescaled_says_what_its_limits_are():
    with pytest.raises(KeywordError, match="max_rescalings and max_mistakes"):
        nk.RescaledPerceptron(max_iter=2)


def test_a_feature_beyond_floats_is_called_that():
    with pytest.raises(InputError, match=r"beyond 1\.8e308"):
        nk.OnlinePerceptron().learn_one({"a": 10**400}, 1)


def test_labels_given_twice_are_refused():
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4], "t": [0, 1, 0, 1]})
    with pytest.raises(InputError, match="give one of them"):
        nk.certify(frame, [0, 1, 0, 1], label="t")
    assert nk.certify(frame[["x"]], [0, 1, 0, 1], label="t").status == "overlapping"


@pytest.mark.parametrize("labels", [("-", "+"), ("\u22121", "+1"), ("\u2212", "+"), ("-1", "1")])
def test_signs_as_labels_mean_their_sign(labels):
    negative, positive = labels
    verdict = nk.certify([[1.0], [2.0]], [positive, negative])
    assert verdict.classes == (negative, positive)


def test_audits_take_margins_and_separators_in_every_form():
    X, y = nk.datasets.load("planted:30,2,0.1")
    run = nk.trace(X, y)
    expected = run.audit(margin=Fraction(1, 1000)).checks
    assert run.audit(margin=Decimal("0.001")).checks == expected
    assert run.audit(separator=nk.max_margin(X, y)).holds
    with pytest.raises(InputError, match="finite numbers"):
        run.audit(separator=["1", "0", "0"])


LABELS = ["p", "q", "q", "p"] * 10


def column(cells, name="x", mark=","):
    """A table of one odd column beside two honest ones."""
    rows = [
        mark.join([cell, f"{(7 * i) % 11}.5", f"{(3 * i) % 7}", label])
        for i, (cell, label) in enumerate(zip(cells, LABELS, strict=True))
    ]
    return "\n".join([mark.join([name, "z", "w", "y"]), *rows, ""])


def cells(form):
    return [form.format((5 * i) % 17 / 10 + 1) for i in range(40)]


ODD_TEXTS = {
    "less than": (column(cells("<{}")), "'<1.0' is a number in the form '<…'"),
    "brackets": (column(cells("[{}]")), "'[1.0]' is a number in another notation"),
    "footnote": (column(cells("{} [1]")), "a number in another notation"),
    "stars": (column(cells("{}***")), "a number in another notation"),
    "dagger": (column(cells("{}†")), "a number in another notation"),
    "p values": (column(cells("p={}")), "a number in the form 'p=…'"),
    "numpy": (column(cells("np.float64({})")), "a number in the form 'np.float…(…)'"),
    "html": (column(cells("<b>{}</b>")), "a number in the form '<b>…</b>'"),
    "inches": (column(cells("{}''")), "a number in another notation"),
    "degrees": (column(cells("{} °C")), "a number in the form '… °C'"),
    "micro": (column(cells("{} µg/ml")), "a number in the form '… µg/ml'"),
    "times": (column(cells("{}x")), "a number in the form '…x'"),
    "million": (column(cells("{} million")), "a number in the form '… million'"),
    "out of": (column(cells("{} out of 10")), "a number in the form '… out of …'"),
    "version": (column(cells("v{}")), "a number in the form 'v…'"),
    "zero-width": (column(cells("\u200b{}")), "a number in another notation"),
    "bold digits": (column([c.translate({48 + k: 0x1D7CE + k for k in range(10)})
                            for c in cells("{}")]), "a number in another notation"),
    "thin blanks": (column([f"1\u2009{100 + i % 7}" for i in range(40)]), "thousands=' '"),
    "lakh": (column([f'"1,{10 + i % 7},000"' for i in range(40)]), "a number in another notation"),
    "iso time": (column([f"2024-01-01T00:{i}:00Z" for i in range(40)]), "name the rows"),
    "clock": (column([f"{i % 12}:30" for i in range(40)]), "a number in another notation"),
    "yes and numbers": (column(["yes", *cells("{}")[1:]]), "the column has numbers"),
    "infinity": (column(["inf", *cells("{}")[1:]]), "x"),
    "counter": (column([str(i) for i in range(40)]), "column 'x' rises or falls with the rows"),
    "counter from the end": (column([str(99 - i) for i in range(40)]), "rises or falls"),
    "uuid": (column([f"{i:08x}-77aa" for i in range(40)]), "name the rows rather than"),
    "bars": (column(cells("{}"), mark="|"), "delimiter='|'"),
    "tildes": (column(cells("{}"), mark="~"), "delimiter='~'"),
    "blanks": (column(cells("{}"), mark=" "), "put commas there"),
    "one more field": (column(cells("{}")) + "1,2,3,4,p\n", "5 fields where line 1 has 4"),
    "one field fewer": (column(cells("{}")) + "1,2\n", "2 fields where line 1 has 4"),
    "open quote": (column(cells("{}")) + '"1,2,p\n', "quote|unexpected end of data"),
    "header twice": (column(cells("{}"), name="z"), "two columns named 'z'"),
    "header alone": ("x,y\n", "has a header and no rows"),
    "nothing": ("", "is empty"),
    "blank lines": ("\n\n \n", "is empty"),
    "a NUL": (column(cells("{}")) + "1\0,2,3,p\n", "binary data"),
    "a hole": (column(["", *cells("{}")[1:]]), "missing"),
    "NaN-like": (column(["#N/A", *cells("{}")[1:]]), "'#N/A'"),
    "a lone label": ("x,y\n1,p\n2,p\n", None),
    "svmlight comma": ("1 1:1,5\n-1 1:2,5\n", "write it like 1234.5"),
    "svmlight twice": ("1 1:1 1:2\n-1 1:2\n", "an index twice"),
    "svmlight order": ("1 2:1 1:2\n-1 1:2\n", None),
    "svmlight hex": ("1 1:0x10\n-1 1:2\n", "the value is '0x10'; a finite number is needed"),
    "svmlight infinity": ("1 1:inf\n-1 1:2\n", "'inf'"),
    "svmlight beyond": ("1 1:1e999\n-1 1:2\n", "beyond"),
    "svmlight empty": ("1 1:\n-1 1:2\n", "has 1 column"),
    "vw comma": ("1 | a:1,5\n-1 | a:2\n", "write it like 1234.5"),
    "vw no bar": ("1 | a:1\n-1 a:2\n", "has 1 column"),
    "vw word": ("1 | city:paris\n-1 | city:rome\n", None),
    "vw scale": ("1 |s:1,5 a\n-1 |s:2 a\n", "not a number|write it like"),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD_TEXTS)
def test_an_odd_text_is_read_right_or_refused_with_a_sentence(name, tmp_path):
    text, told = ODD_TEXTS[name]
    path = tmp_path / "odd.txt"
    path.write_text(text, encoding="utf-8")
    if told is None:
        assert nk.read(path).n_rows == 2
        return
    with pytest.raises(FileError) as error:
        nk.read(path)
    sentence = str(error.value)
    assert re.search(told if "|" in told and "'|'" not in told else re.escape(told), sentence)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    if "counter" in name:  # which only all rows together show
        return
    with pytest.raises(FileError):
        list(nk.scan(path))


@pytest.mark.parametrize("form", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"])
@pytest.mark.parametrize("text", ["a,b,y\n1.5,2,p\n2,3,q\n", "1 1:2\n-1 1:3\n", "1 | a\n-1 | b\n"])
def test_wide_letters_are_named(form, text, tmp_path):
    path = tmp_path / "wide"
    path.write_bytes(text.encode(form))
    with pytest.raises(FileError, match=r"not UTF-8 text but UTF-(16|32)"):
        nk.read(path)
    done = novikoff("stream", path, "--format", "csv", "--predictions", tmp_path / "out")
    assert "UTF-" in done.stderr
    assert done.returncode == 1


def test_a_mark_that_is_two_things_is_named(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("a,b,y\n1.5,2,p\n2.5,3,q\n")
    with pytest.raises(FileError, match=r"'1\.5', which is no number with decimal=','\.$"):
        nk.read(path, decimal=",")
    with pytest.raises(FileError, match=r"'1\.5', which is no number with decimal=','\.$"):
        nk.read(path, decimal=",", delimiter=",")
    path.write_text("a,b,y\n1,5,2,p\n2,5,3,q\n")
    with pytest.raises(FileError, match="4 fields where line 1 has 3"):
        nk.read(path, decimal=",", delimiter=",")
    path.write_text('a,b,y\n"1,5",2,p\n"2,5",3,q\n')
    assert nk.read(path, decimal=",", delimiter=",").X.tolist() == [[1.5, 2], [2.5, 3]]


def test_a_stream_asks_about_a_label_that_numbers_its_rows(tmp_path):
    path = tmp_path / "d.csv"
    rows = [f"{(7 * i) % 11}.5,{'pq'[i % 2]},{i}" for i in range(60)]
    path.write_text("\n".join(["a,b,id", *rows, ""]))
    done = novikoff("stream", path, "--predictions", tmp_path / "out")
    assert done.returncode == 1
    assert "30 classes in 30 rows, here 29; is this the label (--label)?" in done.stderr


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_columns_of_true_and_false_are_said(form, tmp_path):
    frame = pd.DataFrame({"a": [0.5, 1.5, 2.5], "b": [True, False, True], "y": [0, 1, 0]})
    path = tmp_path / f"d.{form}"
    frame.to_parquet(path) if form == "parquet" else frame.to_feather(path)
    data = nk.read(path)
    assert data.X[:, 1].tolist() == [1, 0, 1]
    assert data.notes == ("true and false are taken as 1 and 0: column 'b'",)
