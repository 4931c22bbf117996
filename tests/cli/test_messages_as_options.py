"""Messages name an argument as their reader gives it: drop='id' in Python, --drop id in a shell.

Real errors are walked through the command line.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import novikoff as nk
from command import every_command, novikoff
from novikoff.cli.messages import Options, name_of
from novikoff.wording import keyword

SOURCE = Path(nk.__file__).parent
OPTIONS = {name_of(one) for command in every_command().values() for one in command.params
           if isinstance(one, click.Option)}  # fmt: skip
ARGUMENTS = OPTIONS | {"labels", "levels", "encoding", "n_columns", "unseen", "columns"}
PYTHON = re.compile(
    rf"(?<![\w-])(?:{'|'.join(sorted(ARGUMENTS))})=(?!=)|\b(?:True|False|None)\b|"
    rf"(?<![\w.-])(?:{'|'.join(sorted(name for name in ARGUMENTS if '_' in name))})\b"
)

FILES = {
    "d.csv": "a,b,y\n" + "".join(f"{i * i % 11},{i % 5},{'pq'[i % 2]}\n" for i in range(12)),
    "three.csv": "a,y\n1,u\n2,v\n3,w\n",
    "words.csv": "red,yes\nblue,no\n",
    "comma.csv": 'a,b,y\n"1,5",2,p\n"2,5",1,q\n"3,5",4,p\n"0,5",6,q\n',
    "points.csv": "a;b;y\n1.234,5;2;p\n2.345,5;1;q\n3.456,5;4;p\n",
    "under.csv": "a,b,y\n1_000,2,p\n2_000,1,q\n3_000,4,p\n",
    "id.csv": "id,b,c,y\n" + "".join(f"{i},{i * i % 7},{i * 3 % 5},{i % 2}\n" for i in range(40)),
    "rise.csv": "".join(f"{i},{i * i % 7},{i % 2}\n" for i in range(40)),
    "index.csv": ",b,y\n" + "".join(f"{i},{i * i % 7},{i % 2}\n" for i in range(20)),
    "mixed.csv": "a,b,y\n1,2,p\nred,3,q\n2,4,p\nblue,1,q\n",
    "names.csv": "n,b,y\n" + "".join(f"w{i},{i * i % 7},{i % 2}\n" for i in range(80)),
    "twice.csv": "a,a,y\n1,2,p\n2,1,q\n",
    "d.svm": "1 1:1\n0 2:1\n",
    "zero.svm": "1 0:1\n0 2:1\n",
    "d.vw": "1 |f a:1\n-1 |f b:2\n",
    "bare.vw": "1 |f a:1\n|f b:2\n",
    "comma.jsonl": '{"a": "1,5", "label": 2}\n{"a": "2,5", "label": 1}\n',
}
CASES = """
certify three.csv
certify d.csv --positive nope
certify words.csv
certify comma.csv
certify points.csv
certify under.csv
certify id.csv
certify rise.csv
certify index.csv
certify mixed.csv
certify names.csv
certify twice.csv
certify d.csv --thousands x
certify d.csv --drop a --keep a
certify d.csv --classes a,nowhere
certify d.csv --encoding nothing
certify d.svm --na 1
certify d.csv --label nowhere
certify d.csv --bits 3
certify lecture:002 --numbers decimal
certify d.csv --model poisson --trials a
certify d.csv --model cox --time a --event nowhere
certify d.csv --limit
certify d.csv --model multinomial --reference nope
certify zero.svm --one-based
certify bare.vw
certify d.npz --label nowhere
certify odd.parquet
certify d.csv --cache d.csv
certify planted:1,2,0.1
fit d.csv -o m2 --jobs 0
fit d.csv -o m --resume --no-intercept
fit id.csv -o m --resume
fit index.csv -o m2 --passes 1
trace d.csv --start nan,1,1
trace d.csv --order 1,2
predict m d.vw
predict m comma.csv
predict m d.csv --unseen zeros
predict texts unseen.csv
predict d.csv d.csv
verify proof.json d.csv --no-header
stream comma.jsonl
stream index.csv
stream names.csv
stream d.svm --drop 1
stream d.csv --model online --tie zero --no-intercept
stream d.csv --checkpoint point --resume --drop a --predictions p
studio id.csv --no-browser
datasets nowhere
""".strip().splitlines()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    here = tmp_path_factory.mktemp("messages")
    for name, text in FILES.items():
        (here / name).write_text(text)
    make_arrays(here)
    (here / "texts.csv").write_text("c,b,y\nred,1,p\nblue,2,q\nred,3,q\n")
    (here / "unseen.csv").write_text("c,b,y\ngreen,1,p\n")
    for words in ("fit d.csv -o m", "fit texts.csv -o texts",
                  "certify d.csv --proof proof.json", "stream d.csv -o online --predictions p",
                  "stream d.csv --checkpoint point --predictions p"):  # fmt: skip
        done = run(here, words)
        assert done.returncode == 0, (words, done.stderr)
    return here


def make_arrays(here):
    import pyarrow
    import pyarrow.parquet

    X, y = np.arange(8.0).reshape(4, 2), np.array([0, 1, 0, 1])
    np.savez(here / "d.npz", X=X, y=y)
    table = {"a": [1.0, 2.0], "y": ["p", "q"]}
    pyarrow.parquet.write_table(pyarrow.table(table), here / "d.parquet")
    odd = {"when": [b"1", b"2"], **table}
    pyarrow.parquet.write_table(pyarrow.table(odd), here / "odd.parquet")


def run(here, line):
    words = shlex.split(line)
    if words[0] == "stream" and "--predictions" not in words:
        words += ["--predictions", "p"]
    files = {path.name for path in here.iterdir()} | {"m2", "p", "proof.json", "point", "online"}
    files |= {"texts", "m"}
    return novikoff(*(here / word if word in files else word for word in words))


@pytest.mark.parametrize("line", CASES)
def test_what_a_command_says_has_no_python_in_it(line, folder, monkeypatch):
    monkeypatch.setattr("novikoff.studio.server.serve", lambda *_, **__: None)
    done = run(folder, line)
    said = done.stderr.replace(str(folder), "")
    assert said, "this case has nothing to say any more; take it out"
    assert not PYTHON.search(said), said
    assert "Traceback" not in said
    assert done.returncode in (0, 1, 2)


def test_one_error_is_said_in_two_ways(folder):
    with pytest.raises(nk.FileError) as error:
        nk.read(folder / "id.csv")
    assert str(error.value).endswith("leave it out with drop='id', or keep it with keep='id'.")
    told = novikoff("certify", folder / "id.csv").stderr
    assert told.endswith("leave it out with --drop id, or keep it with --keep id.\n")


def test_threads_that_read_ahead_speak_as_their_caller(folder, monkeypatch):
    """Of a file of several chunks all but the first are read by threads."""
    monkeypatch.setattr("novikoff.io.chunks.CHUNK_BYTES", 1 << 12)
    rows = "".join(f"{i * i % 11},{i % 5},{'pq'[i % 2]}\n" for i in range(4000))
    (folder / "long.csv").write_text(f'a,b,y\n{rows}1,"1,5",p\n')
    told = novikoff("fit", folder / "long.csv", "-o", folder / "m3").stderr
    assert "--decimal ','" in told, told
    assert not PYTHON.search(told), told


def test_notes_name_options_too(folder):
    assert "(--keep 1 keeps it)" in novikoff("certify", folder / "index.csv").stderr
    assert "(keep='1' keeps it)" in " ".join(nk.read(folder / "index.csv").remarks)


OF_A_COMMAND = Options({"drop": ("--drop", ""), "header": ("--header", "--no-header"),
                        "max_iter": ("--passes", ""), "start": ("--start", "")})  # fmt: skip


@pytest.mark.parametrize(
    ("message", "at_a_shell"),
    [
        ("leave it out with drop='a b'.", "leave it out with --drop 'a b'."),
        ("say drop='.'.", "say --drop '.'."),
        ("say drop=\"'\".", "say --drop \"'\"."),
        ("column 3; say header=False, or name it.", "column 3; say --no-header, or name it."),
        ("say header= once", "say --header or --no-header once"),
        ("start is 'x'; it must be None, 'random' or 3 numbers.",
         "--start is 'x'; it must be 'random' or 3 numbers."),
        ("stopped after max_iter = 5 passes. Raise max_iter.",
         "stopped after --passes = 5 passes. Raise --passes."),
        ("y has 1 class ('u'); 2 are needed.", "the label has 1 class ('u'); 2 are needed."),
        # An advice that this command has no option for is left out.
        ("no entry, so no columns; n_columns= says how many.", "no entry, so no columns."),
        ("it is kept (label=False reads rows without).", "it is kept."),
        ("say drop='a', or take it as levels with categorical='a'.", "say --drop a."),
        ("take it as levels with categorical='a', or say drop='a'.",
         "take it as levels with an argument of Python, or say --drop a."),
        # What the data says stays.
        ("column 'drop=1' holds 'header=True'.", "column 'drop=1' holds 'header=True'."),
        ("my_max_iter.csv and max_iter/y.csv hold 'y' and y~x", None),
    ],
)  # fmt: skip
def test_a_message_names_the_options_of_the_command(message, at_a_shell):
    assert OF_A_COMMAND.rewrite(message) == (message if at_a_shell is None else at_a_shell)


@given(st.text(st.characters(exclude_characters="\0")))  # which no argument can hold
def test_a_value_is_quoted_for_a_shell(value):
    said = OF_A_COMMAND.rewrite(f"say {keyword('drop', value)}")
    assert shlex.split(said) == ["say", "--drop", value]


def test_nothing_slow_is_imported_before_control_c_is_heeded():
    program = (
        f"import sys; sys.path.insert(0, {str(SOURCE.parent)!r}); import novikoff.cli; "
        "print([n for n in ('typing', 're', 'enum', 'importlib.util', 'inspect', 'click') "
        "if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True,
                          text=True, check=True)  # fmt: skip
    assert done.stdout == "[]\n"
