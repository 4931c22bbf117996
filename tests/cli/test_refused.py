"""What cannot be done is said in one sentence, in the words of a command line, before any work.

One table of commands: the exit code, what is typed, and a part of what is said. A case of exit code
0 says something, too. None has a word of Python in it, and where it is refused, no file is written.
"""

from __future__ import annotations

import re
import shlex

import click
import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

import novikoff as nk
from command import every_command, novikoff
from novikoff.cli.messages import Options, name_of
from novikoff.wording import keyword

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
    "cell.csv": "a,b,y\n1,x,0\n3,4,1\n",
    "gap.csv": "a,b,y\n1,,0\n3,4,1\n",
    "one.csv": "a,b,y\n1,2,0\n3,4,0\n",
    "two.csv": "a,b,y\n1,2,0\n3,4,1\n",
    "real.csv": "a,b\n1,2.5\n2,3\n",
    "rows.csv": "a,b,id\n" + "".join(f"{i * i % 17},{i % 7},u{i}\n" for i in range(101)),
    "wide.csv": f"a,t,y\n1,{'q' * 140_000},x\n2,b,z\n",
    "texts.csv": "c,b,y\nred,1,p\nblue,2,q\nred,3,q\n",
    "unseen.csv": "c,b,y\ngreen,1,p\n",
    "d.svm": "1 1:1\n0 2:1\n",
    "zero.svm": "1 0:1\n0 2:1\n",
    "d.vw": "1 |f a:1\n-1 |f b:2\n",
    "bare.vw": "1 |f a:1\n|f b:2\n",
    "comma.jsonl": '{"a": "1,5", "label": 2}\n{"a": "2,5", "label": 1}\n',
    "x.csv": "a,b\n" + "".join(f"{i * i % 11},{i % 5}\n" for i in range(12)),
    "empty": "",
    "l.csv": "u,v\n" + "0,1\n1,0\n" * 6,
    "l.txt": "a,b\n",
    "ragged.csv": "a,b,c\n1,2,3\n1,2\n",
    "pair.csv": "a,a\n1,2\n",
    "short.csv": "a,b\n0,1\n1,0\n",
    "costs2": "1\n1\n",
    "negative": "1\n" * 11 + "-1\n",
    "huge": "1e999999999\n",
    "under_score": "1_0\n",
    "by_zero": "1/0\n",
    "much": "much\n",
    "row99": "99\n",
    "minus": "-1\n",
    "x": "x\n",
}
CASES = """
1 | certify three.csv | 3 classes
1 | certify d.csv --positive nope | --positive is 'nope'
1 | certify words.csv | say --header or --no-header.
1 | certify comma.csv | --decimal
1 | certify points.csv | --decimal
1 | certify under.csv | --thousands
1 | certify id.csv | leave it out with --drop id, or keep it with --keep id.
0 | certify rise.csv |
0 | certify index.csv | (--keep 1 keeps it)
1 | certify mixed.csv | the value is 'red'; a finite number is needed
1 | certify names.csv |
1 | certify twice.csv | two columns named
2 | certify d.csv --thousands x |
1 | certify d.csv --drop a --keep a |
1 | certify d.csv --classes a,nowhere |
2 | certify d.csv --encoding nothing | --encoding is 'nothing'
2 | certify d.svm --na 1 |
1 | certify d.csv --label nowhere | no column 'nowhere'; its first line is 'a'
2 | certify d.csv --bits 3 |
2 | certify lecture:002 --numbers decimal | is about files
2 | certify d.csv --model poisson --trials a | --trials is for --model binomial
1 | certify d.csv --model cox --time a --event nowhere | nowhere
2 | certify d.csv --limit | --limit goes with --model
1 | certify d.csv --model multinomial --reference nope |
1 | certify zero.svm --one-based |
1 | certify bare.vw |
1 | certify d.npz --label nowhere | d.npz has no array 'nowhere'
1 | certify odd.parquet |
2 | certify d.csv --cache d.csv | a cache is a folder
1 | certify planted:1,2,0.1 |
2 | fit d.csv -o m2 --jobs 0 |
2 | fit d.csv -o m --resume --no-intercept | holds a model of --intercept;
2 | fit d.csv -o m --resume --tie positive | holds a model of --tie mistake;
2 | fit d.csv -o m --resume --kind averaged | holds a Perceptron
2 | fit d.csv -o m --resume --kind voted | holds a Perceptron
1 | fit id.csv -o m --resume | --drop id
0 | fit index.csv -o m2 --passes 1 | not converged
2 | trace d.csv --start nan,1,1 |
2 | trace d.csv --order 1,2 | is not an order of the 12 rows: each number from 1 to 12
1 | predict m d.vw | is not like the rows that the model learnt
1 | predict m comma.csv |
2 | predict m d.csv --unseen zeros | --unseen is for models of text columns
1 | predict texts unseen.csv | the level 'green' is not in the encoding
1 | predict d.csv d.csv | is no model file
2 | verify proof.json d.csv --no-header | says otherwise
1 | stream comma.jsonl |
0 | stream index.csv | --keep
0 | stream names.csv |
2 | stream d.svm --drop 1 | --drop is for arrow, csv, jsonl,
2 | stream d.csv --model online --tie zero --no-intercept | leave these options out
2 | stream d.csv --checkpoint point --resume --drop a --predictions p |
1 | studio id.csv --no-browser | --drop id
1 | datasets nowhere |
1 | trace none.csv | does not exist
1 | trace lectur:002 | did you mean 'lecture'
1 | trace d.csv --label z | no column 'z'
1 | trace cell.csv | line 2, column 'b': the value is 'x'
1 | trace gap.csv | line 2, column 'b': the value is missing
1 | trace one.csv | the label has 1 class ('0'); 2 are needed
1 | trace three.csv | the label has 3 classes
1 | trace two.csv --positive 7 | --positive is '7'
2 | trace | Missing argument 'DATA'
2 | trace xor --tie win | 'win' is not one of
2 | trace xor --order up | 'up' is neither cyclic
2 | trace xor --start x | 'x' is neither random
2 | trace xor --max-iter 0 | not in the range
2 | fly | No such command
2 | trace xor --order 0,1,2,3 | 0,1,2,3 is not an order of the 4 rows: each number from 1 to 4
2 | trace xor --order 1,2,3 | 1,2,3 is not an order of the 4 rows: each number from 1 to 4
2 | trace xor --order 1,1,2,3 | 1,1,2,3 is not an order of the 4 rows: each number from 1 to 4
1 | fit words.csv -o m2 | say --header or --no-header.
1 | fit real.csv -o m2 | the label (column 'b') holds measurements such as 2.5;
1 | fit rows.csv -o m2 | (column 'id') has 101 classes in 101 rows,
1 | fit wide.csv -o m2 | line 2: a field has more than 131,072
1 | fit d.csv -o no/m | there is no folder no; make it first.
1 | certify none.csv --proof no/p | there is no folder no; make it first.
1 | certify none.csv --report no/p | there is no folder no; make it first.
1 | predict none none.csv -o no/p | there is no folder no; make it first.
1 | stream none.csv -o no/p | there is no folder no; make it first.
1 | stream none.csv --checkpoint no/p | there is no folder no; make it first.
1 | stream none.csv --predictions no/p | there is no folder no; make it first.
1 | certify https://a.org/rows.csv | https://a.org/rows.csv is an address on the network; download
1 | certify s3://bucket/rows.csv | is an address on the network; download it, and give the file.
1 | certify http://a.org/*.csv | is an address on the network; download it, and give the file.
1 | fit https://a.org/rows.csv -o m2 | is an address on the network; download it, and give the file.
1 | trace ftp://a.org/m | is an address on the network; download it, and give the file.
1 | stream https://a.org/rows.csv | is an address on the network; download it, and give the file.
1 | predict https://a.org/m d.csv | is an address on the network; download it, and give the file.
1 | verify https://a.org/p d.csv | is an address on the network; download it, and give the file.
1 | studio https://a.org/rows.csv | is an address on the network; download it, and give the file.
1 | certify link | link is a link to nowhere.csv, where there is no file.
1 | fit link -o m2 | link is a link to nowhere.csv, where there is no file.
1 | stream link | link is a link to nowhere.csv, where there is no file.
1 | predict link d.csv | link is a link to nowhere.csv, where there is no file.
1 | stream - --model link | link is a link to nowhere.csv, where there is no file.
1 | studio link | link is a link to nowhere.csv, where there is no file.
1 | certify loop | loop cannot be read: Too many levels of symbolic links.
2 | predict sub d.csv | sub
1 | predict empty d.csv | empty
1 | predict loop d.csv | loop
1 | predict /dev/null d.csv | /dev/null
2 | verify sub d.csv | sub
1 | verify none d.csv | none
1 | verify empty d.csv | empty
1 | verify link d.csv | link
1 | verify loop d.csv | loop
1 | verify /dev/null d.csv | /dev/null
2 | certify xor --time-limit nan | nan is not a finite number.
2 | certify xor --time-limit inf | inf is not a finite number.
2 | fit xor -o m2 --save-every inf | inf is not a finite number.
2 | fit xor -o m2 --kind kernel --gamma nan | nan is not a finite number.
1 | certify x.csv --labels none.csv | none.csv is no file
1 | certify x.csv --labels l.txt | does not end in
1 | certify x.csv --labels ragged.csv | 2 fields in its line 3
1 | certify x.csv --labels pair.csv | two columns of one name
1 | certify x.csv --labels short.csv | X has 12 rows and labelling 'a' has 2 labels
1 | certify x.csv --labels bad.npy | cannot be read as an array
1 | certify x.csv --labels pickle.npy | cannot be read as an array
2 | certify d.csv --labels l.csv --proof q | does not go with --proof
2 | certify d.csv --labels l.csv --rocq f.v | does not go with --rocq
2 | certify d.csv --labels l.csv --label x | does not go with --label
2 | certify d.csv --labels l.csv --table t.xls | must end in .csv or .json
2 | certify d.csv --labels l.csv --table l.csv | would overwrite it
2 | certify d.csv --label a --label a | named twice
2 | certify d.csv --label a --label b --require separable | is for one labelling
2 | certify d.csv --table t.csv | --table goes with --labels
2 | certify d.csv --jobs 2 | --jobs goes with --labels
2 | fit d.csv --label a --label b -o m2 | --label is given 2 times
1 | fewest d.csv --costs none | none
1 | fewest d.csv --costs much | has the line 'much'; a cost is a number.
1 | fewest d.csv --costs costs2 | --costs has 2 numbers and there are 12 rows; give one each.
1 | fewest d.csv --costs negative | the cost of row 11 is -1; a cost is 0 (free to give up)
1 | fewest d.csv --costs huge | has the line '1e999999999'; a cost is a number.
1 | fewest d.csv --costs under_score | has the line '1_0'; a cost is a number.
1 | fewest d.csv --costs by_zero | has the line '1/0'; a cost is a number.
1 | fewest d.csv --costs bytes | it is not text in UTF-8.
1 | fewest d.csv --trusted x | has the line 'x'; it must be the number of a row.
1 | fewest d.csv --trusted row99 | --trusted has row 99, and the rows are 0 … 11.
1 | fewest d.csv --trusted minus | has the line '-1'; it must be the number of a row.
1 | fewest iris | Choose two of them, or use novikoff fewest --against rest.
2 | fewest iris --against each --proof q | --proof does not go with --against
2 | certify d.csv --against rest --proof q | --proof does not go with --against
2 | fit d.csv -o m2 --gamma 1 | --gamma is for --kind kernel
2 | fit d.csv -o m2 --kind kernel --kernel rbf --degree 2 | --degree is for --kernel poly
2 | fit d.csv -o m2 --kind kernel --kernel linear --gamma 2 | --gamma is for --kernel poly or rbf
2 | fit d.csv -o m2 --seed 1 | --seed is for --order shuffled
2 | fit d.csv -o m2 --kind rescaled --passes 3 | --passes is for --kind
2 | trace d.csv --seed 1 | --seed is for --order shuffled and --start random
2 | certify or --label a | --label is about files, and or is a built-in set
2 | fit iris -o m2 --drop a | --drop is about files, and iris is a built-in set
2 | certify xor --cache | --cache is about files, and xor is a built-in set
2 | certify d.csv --model poisson --time a | --time is for --model cox
1 | certify d.csv --model binomial --label a --trials n | no column 'n'
2 | certify d.csv --model cox | --model cox needs --time
2 | certify d.csv --model cox --time a --label b | --label does not go with --model cox
2 | certify d.csv --model cox --time a --no-intercept | --no-intercept does not go with
2 | certify d.csv --model poisson --positive a | --positive does not go with --model poisson
2 | certify d.csv --model poisson --against rest | --against does not go with --model
2 | certify d.csv --model poisson --require separable | --require separable does not go with
2 | certify d.csv --require finite | --require finite goes with --model
2 | certify d.csv --weights a | --weights goes with --model
2 | certify d.csv --signs | --signs goes with --model
2 | certify d.csv --model poisson --formula y~a --label b | --formula does not go with --label
2 | certify xor --model logistic | --model is about files, and xor is a built-in set
2 | studio --label a | --label goes with DATA
2 | studio --projection | --projection goes with DATA
2 | studio iris --label a | --label is about files, and iris is a built-in set
2 | stream d.csv --every 3 | --every goes with --checkpoint
3 | certify d.csv --time-limit 1e-9 --proof q | undecided, so there is no proof to write.
""".strip().splitlines()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """All files of the table, with a model, a proof and a checkpoint."""
    here = tmp_path_factory.mktemp("refused")
    for name, text in FILES.items():
        (here / name).write_text(text)
    (here / "bytes").write_bytes(b"\xff\xfe\n" * 12)
    (here / "bad.npy").write_bytes(b"\x93NUMPY")
    objects = np.array([[print, 1]] * 12, dtype=object)  # whose pickle is never read
    np.save(here / "pickle.npy", objects, allow_pickle=True)
    np.savez(here / "d.npz", X=np.arange(8.0).reshape(4, 2), y=np.array([0, 1, 0, 1]))
    odd = {"when": [b"1", b"2"], "a": [1.0, 2.0], "y": ["p", "q"]}
    pyarrow.parquet.write_table(pyarrow.table(odd), here / "odd.parquet")
    (here / "link").symlink_to("nowhere.csv")
    (here / "loop").symlink_to("loop")
    (here / "sub").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        for line in ("fit d.csv -o m", "fit texts.csv -o texts", "certify d.csv --proof proof.json",
                     "stream d.csv -o online --predictions p",
                     "stream d.csv --checkpoint point --predictions p"):  # fmt: skip
            done = novikoff(*line.split())
            assert done.returncode == 0, (line, done.stderr)
    return here


@pytest.mark.parametrize("case", CASES)
def test_what_a_command_says_is_a_sentence_without_a_word_of_python(case, folder, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.setattr("novikoff.studio.server.serve", lambda *_, **__: None)
    code, line, message = (part.strip() for part in case.split("|"))
    words = shlex.split(line)
    if words[0] == "stream" and "--predictions" not in words and code == "0":
        words += ["--predictions", "p"]
    before = {path: path.lstat().st_mtime_ns for path in folder.iterdir()}
    done = novikoff(*words)
    assert done.returncode == int(code), done.stderr
    said = " ".join(done.stderr.split())
    assert said, "this case has nothing to say any more; take it out"
    assert message in said
    assert not PYTHON.search(said), said
    assert "Traceback" not in said
    if done.returncode == 1:
        assert done.stdout == ""
        assert done.stderr.count("\n") == 1
    if done.returncode:
        assert {path: path.lstat().st_mtime_ns for path in folder.iterdir()} == before


@pytest.mark.parametrize("command", ["certify {}", "stream {}", "stream - --model {}",
                                     "predict {} {}", "verify {} {}", "studio {}"])  # fmt: skip
def test_an_input_that_cannot_be_used_is_not_called_the_answer(command):
    name = "n" * 300  # longer than a name may be
    done = novikoff(*command.format(name, name).split())
    assert done.returncode == 1
    assert name in done.stderr
    assert "the answer" not in done.stderr
    assert done.stderr.count("\n") == 1


def test_one_error_is_said_in_two_ways(folder):
    with pytest.raises(nk.FileError) as error:
        nk.read(folder / "id.csv")
    assert str(error.value).endswith("leave it out with drop='id', or keep it with keep='id'.")
    assert "(keep='1' keeps it)" in " ".join(nk.read(folder / "index.csv").remarks)


def test_threads_that_read_ahead_speak_as_their_caller(tmp_path, monkeypatch):
    """Of a file of several chunks all but the first are read by threads."""
    monkeypatch.setattr("novikoff.io.chunks.CHUNK_BYTES", 1 << 12)
    rows = "".join(f"{i * i % 11},{i % 5},{'pq'[i % 2]}\n" for i in range(4000))
    (tmp_path / "long.csv").write_text(f'a,b,y\n{rows}1,"1,5",p\n')
    told = novikoff("fit", tmp_path / "long.csv", "-o", tmp_path / "m3").stderr
    assert "--decimal ','" in told, told
    assert not PYTHON.search(told), told


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
