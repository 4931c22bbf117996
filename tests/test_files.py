"""Outputs: only a regular file is ever replaced, and what is asked of it is kept."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
import threading
from pathlib import Path

import pytest

from command import in_shell, novikoff
from novikoff.errors import FileError
from novikoff.files import descriptor_of, whole_file, write_whole

ROWS = "a,b,y\n1,2,p\n2,1,n\n3,5,p\n4,1,n\n"


@pytest.fixture
def rows(tmp_path):
    (tmp_path / "rows.csv").write_text(ROWS)
    return tmp_path / "rows.csv"


def written_in_parts(path, content):
    with whole_file(path) as part:
        part.write_bytes(content)


WAYS = pytest.mark.parametrize("write", [write_whole, written_in_parts])


def names_in(folder):
    return [path.name for path in folder.iterdir()]


def read_aside(fifo):
    """A reader of the pipe, and where what it reads is found."""
    found = []
    reader = threading.Thread(target=lambda: found.append(fifo.read_bytes()))
    reader.start()
    return reader, found


@WAYS
def test_a_pipe_is_written_into_and_stays_a_pipe(write, tmp_path):
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    reader, found = read_aside(fifo)
    write(fifo, b"whole")
    reader.join()
    assert found == [b"whole"]
    assert stat.S_ISFIFO(fifo.stat().st_mode)
    assert names_in(tmp_path) == ["pipe"]


@WAYS
def test_a_device_is_written_into_and_stays_a_device(write, tmp_path):
    master, slave = os.openpty()
    name = os.ttyname(slave)
    link = tmp_path / "terminal"
    link.symlink_to(name)
    for path in (name, link):
        write(path, b"x1")
        assert os.read(master, 2) == b"x1"
    assert stat.S_ISCHR(Path(name).stat().st_mode)
    assert link.is_symlink()
    os.close(slave)
    os.close(master)


@WAYS
def test_a_device_that_is_full_is_one_sentence(write, tmp_path):
    full = tmp_path / "full"
    full.symlink_to("/dev/full")
    with pytest.raises(FileError, match=f"cannot write {full}: No space left on device."):
        write(full, b"x")
    assert stat.S_ISCHR(full.stat().st_mode)
    assert full.is_symlink()


@WAYS
@pytest.mark.parametrize("name", ["/dev/fd/{}", "/proc/self/fd/{}", "{link}"])
def test_a_descriptor_is_written_where_it_stands(write, name, tmp_path):
    with (tmp_path / "file").open("w+b") as file:
        file.write(b"before ")
        file.flush()
        (tmp_path / "link").symlink_to(f"/dev/fd/{file.fileno()}")
        path = name.format(file.fileno(), link=tmp_path / "link")
        assert descriptor_of(path) == file.fileno()
        write(path, b"after")
        file.write(b" all")
    assert (tmp_path / "file").read_bytes() == b"before after all"


@WAYS
def test_a_link_stays_and_its_target_is_new(write, tmp_path):
    (tmp_path / "folder").mkdir()
    target = tmp_path / "folder" / "target"
    target.write_bytes(b"old")
    (tmp_path / "second").symlink_to("folder/target")
    (tmp_path / "first").symlink_to(tmp_path / "second")
    write(tmp_path / "first", b"new")
    assert target.read_bytes() == b"new"
    assert (tmp_path / "first").is_symlink()
    assert (tmp_path / "second").is_symlink()
    assert names_in(tmp_path / "folder") == ["target"]


@WAYS
def test_a_link_to_itself_is_one_sentence(write, tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(FileError, match=os.strerror(errno.ELOOP)):
        write(tmp_path / "loop", b"new")
    assert names_in(tmp_path) == ["loop"]


@WAYS
@pytest.mark.parametrize("mode", [0o640, 0o600, 0o755, 0o666])
def test_the_mode_of_a_file_is_kept(write, mode, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(mode)
    write(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == mode


@WAYS
@pytest.mark.parametrize("umask", [0o022, 0o027, 0o077])
def test_a_new_file_has_the_mode_of_the_umask(write, umask, tmp_path):
    before = os.umask(umask)
    try:
        write(tmp_path / "file", b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o666 & ~umask


def test_nobody_else_can_read_a_private_file_while_it_is_written(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o600)
    with whole_file(path) as part:
        part.write_bytes(b"new")
        assert stat.S_IMODE(part.stat().st_mode) == 0o600


@WAYS
def test_owner_and_notes_of_a_file_are_kept_where_that_is_allowed(write, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    try:
        os.setxattr(path, "user.note", b"mine")
    except OSError:
        noted = False  # a file system without them
    else:
        noted = True
    if os.geteuid() == 0:
        os.chown(path, 12345, 12345)
    before = path.stat()
    write(path, b"new")
    after = path.stat()
    assert (after.st_uid, after.st_gid) == (before.st_uid, before.st_gid)
    assert not noted or os.getxattr(path, "user.note") == b"mine"


@WAYS
def test_another_hard_link_keeps_the_old_content(write, tmp_path):
    (tmp_path / "a").write_bytes(b"old")
    os.link(tmp_path / "a", tmp_path / "b")
    write(tmp_path / "a", b"new")
    assert (tmp_path / "b").read_bytes() == b"old"


@WAYS
def test_a_read_only_file_is_refused_as_cp_does(write):
    is_root = os.geteuid() == 0  # who may write anything
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(b"old")
        path.chmod(0o444)
        if is_root:
            os.chown(folder, 12345, -1)
            os.chown(path, 12345, -1)
            os.seteuid(12345)
        try:
            with pytest.raises(FileError, match=f"cannot write {path}: Permission denied."):
                write(path, b"new")
        finally:
            if is_root:
                os.seteuid(0)
        assert path.read_bytes() == b"old"


@WAYS
def test_a_folder_or_a_socket_is_no_output(write, tmp_path):
    import socket

    with pytest.raises(FileError, match="it is a folder; name a file"):
        write(tmp_path, b"x")
    with socket.socket(socket.AF_UNIX) as here:
        here.bind(str(tmp_path / "s"))
        with pytest.raises(FileError, match="it is a socket; name a file"):
            write(tmp_path / "s", b"x")


def test_what_fails_leaves_nothing_and_the_old_file_as_it_was(tmp_path):
    (tmp_path / "file").write_bytes(b"old")

    def fail():
        with whole_file(tmp_path / "file") as part:
            part.write_bytes(b"half")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert (tmp_path / "file").read_bytes() == b"old"
    assert names_in(tmp_path) == ["file"]


OUTPUTS = [
    "fit rows.csv -o",
    "fit rows.csv --kind voted -o",
    "fit rows.csv --save-every 0 --passes 5 -o",
    "certify rows.csv --proof",
    "certify rows.csv --report",
    "stream rows.csv --predictions",
    "stream rows.csv --predictions p -o",
    *(f"predict m rows.csv -o {suffix}" for suffix in (".csv", ".tsv", ".parquet", ".npy")),
]


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("line", OUTPUTS)
def test_every_output_of_every_command_is_written_into_a_pipe(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    novikoff("fit", "rows.csv", "-o", "m")
    words = line.split()
    suffix = words.pop() if words[-1].startswith(".") else ""
    fifo = tmp_path / f"pipe{suffix}"
    os.mkfifo(fifo)
    reader, found = read_aside(fifo)
    done = novikoff(*words, fifo)
    reader.join()
    assert done.returncode == 0, done.stderr
    assert stat.S_ISFIFO(fifo.stat().st_mode)
    novikoff(*words, f"file{suffix}")
    if "--report" in words:  # tells how long it took
        assert found[0].startswith(b"<!DOCTYPE html>")
        assert found[0].endswith(b"</html>\n")
    else:
        assert found == [(tmp_path / f"file{suffix}").read_bytes()]


def test_standard_output_takes_a_model_behind_what_was_said_before(rows, tmp_path):
    plain = tmp_path / "plain"
    (tmp_path / "stdout").symlink_to("/dev/stdout")  # whoever replaces it replaces but a link
    novikoff("fit", rows, "-o", plain)
    for line in ('"$@" > out', '"$@" | cat > out', '"$@" >> out'):
        (tmp_path / "out").unlink(missing_ok=True)
        done = in_shell(line, "fit", rows, "-o", "stdout", "-q", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert (tmp_path / "out").read_bytes() == plain.read_bytes()
