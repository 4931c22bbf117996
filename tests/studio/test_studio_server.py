"""The studio answers its own page on this machine, and nobody else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from novikoff.cli.studio import studio
from novikoff.errors import FileError, InputError
from novikoff.studio import server
from novikoff.studio.assets import joined, styles
from novikoff.studio.guard import MOST_SCREENS, Guard, Rate, host_names
from novikoff.studio.server import application, bound_socket
from novikoff.studio.session import Session

HOST = "127.0.0.1:8765"
HOME = f"http://{HOST}"
TOKEN = "secret-token"
FILES = ("/", "/main.js", "/studio.css")


@pytest.fixture
def client():
    guard = Guard(TOKEN, host_names("127.0.0.1", 8765))
    with TestClient(application(guard, Session), base_url=HOME) as one:
        yield one


def talk(client, token=TOKEN, **headers):
    headers = {"origin": HOME, "host": HOST, **headers}
    return client.websocket_connect(f"/talk?token={token}", headers=headers)


@pytest.mark.parametrize("path", FILES)
def test_every_file_needs_the_token(client, path):
    assert client.get(path, params={"token": TOKEN}).status_code == 200
    for wrong in ("", "wrong", TOKEN[:-1], TOKEN + "x", "ü"):
        reply = client.get(path, params={"token": wrong})
        assert reply.status_code == 403
        assert TOKEN not in reply.text
        assert "main.js" not in reply.text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "127.0.0.1", "0.0.0.0:8765"])
def test_a_foreign_host_is_refused_even_with_the_token(client, host):
    reply = client.get("/", params={"token": TOKEN}, headers={"host": host})
    assert reply.status_code == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "https://127.0.0.1:8765"]
)
def test_a_foreign_origin_is_refused_even_with_the_token(client, origin):
    reply = client.get("/", params={"token": TOKEN}, headers={"origin": origin})
    assert reply.status_code == 403
    with pytest.raises(WebSocketDisconnect), talk(client, origin=origin):
        pass


def test_the_socket_needs_the_token_the_host_and_an_origin(client):
    with talk(client) as socket:
        socket.send_json({"id": 1, "hello": True})
        assert socket.receive_json()["id"] == 1
    with pytest.raises(WebSocketDisconnect), talk(client, token="wrong"):
        pass
    with pytest.raises(WebSocketDisconnect), talk(client, host="evil.example"):
        pass
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(f"/talk?token={TOKEN}", headers={"host": HOST}),
    ):
        pass


def test_every_answer_forbids_inline_code_foreign_code_and_guessing(client):
    for path in (*FILES, "/gate.js", "/nothing"):
        headers = client.get(path, params={"token": TOKEN}).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert not re.search(r"https?://", policy)
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    [
        "/../session.py",
        "/%2e%2e/session.py",
        "/page/main.js",
        "/studio.js",
        "/etc/passwd",
        "/main.js/%2e%2e/session.py",
        "//etc/passwd",
    ],
)
def test_no_path_reaches_the_file_system(client, path):
    assert client.get(path, params={"token": TOKEN}).status_code == 404


def test_the_page_holds_nothing_inline_names_nobody_else_and_is_light():
    page = Path(server.__file__).parent / "page"
    html = (page / "index.html").read_text() + (page / "gate.html").read_text()
    assert not re.search(r"<style|style=|\son\w+=|<script[^>]*>[^<]", html)
    for name in ("index.html", "gate.html", "studio.js", "studio.css", "gate.js"):
        addresses = re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", (page / name).read_text())
        assert {a for a in addresses if "www.w3.org" not in a} == set()
    assert 'setAttribute("style"' not in (page / "studio.js").read_text()
    assert len(joined()) + len(styles()) + len(html) < 260_000  # all that a browser asks for


def test_edits_are_answered_and_nonsense_does_not_end_the_talk(client):
    with talk(client) as socket:
        socket.send_json({"id": 1, "hello": True})
        first = socket.receive_json()
        assert first["view"]["verdict"]["drawn"][0]["status"] == "separable"
        for nonsense in ("not json", "[]", "[" * 100_000, '"text"'):
            socket.send_text(nonsense)
            assert "JSON" in socket.receive_json()["error"]
        socket.send_bytes(b'{"id": 1}\xff')
        assert "JSON" in socket.receive_json()["error"]
        socket.send_json({"id": 2, "edits": [{"do": "load", "name": "xor"}]})
        assert socket.receive_json()["view"]["verdict"]["drawn"][0]["status"] == "overlapping"


def test_a_page_that_lost_its_connection_comes_back_with_its_rows(client):
    with talk(client) as socket:
        socket.send_json(
            {"id": 1, "hello": True, "edits": [{"do": "add", "class": 0, "at": [9, 9]}]}
        )
        reply = socket.receive_json()
        state = {**reply["state"], "rows": reply["rows"]}
    with talk(client) as socket:
        socket.send_json({"id": 1, "hello": True, "state": state})
        again = socket.receive_json()
    assert again["rows"] == reply["rows"]
    assert json.dumps(again["view"]) == json.dumps(reply["view"])


def test_a_failure_of_ours_is_said_and_costs_no_rows(client, monkeypatch):
    with talk(client) as socket:
        socket.send_json({"id": 1, "hello": True})
        socket.receive_json()
        monkeypatch.setattr(Session, "news", lambda _self: 1 // 0)
        socket.send_json({"id": 2, "edits": []})
        assert "failed" in socket.receive_json()["error"]
        monkeypatch.undo()
        socket.send_json({"id": 3, "edits": []})
        assert socket.receive_json()["id"] == 3


def test_too_many_messages_end_the_talk(client, monkeypatch):
    monkeypatch.setattr(server, "Rate", lambda: Rate(per_second=0.0, burst=3))
    with talk(client) as socket:
        for place in range(3):
            socket.send_json({"id": place, "ask": "csv"})
            assert socket.receive_json()["answer"]["name"] == "rows.csv"
        socket.send_json({"id": 9, "ask": "csv"})
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 1008


def test_a_message_that_is_too_large_ends_the_talk(client, monkeypatch):
    monkeypatch.setattr(server, "MOST_MESSAGE_BYTES", 1000)
    with talk(client) as socket:
        socket.send_text(json.dumps({"edits": [{"do": "csv", "text": "x" * 2000}]}))
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()


def test_there_are_only_so_many_screens(client, monkeypatch):
    monkeypatch.setattr(server, "MOST_SCREENS", 1)
    assert MOST_SCREENS > 1
    with talk(client) as one:
        one.send_json({"id": 1, "ask": "csv"})
        one.receive_json()
        with talk(client) as two, pytest.raises(WebSocketDisconnect):
            two.receive_json()


def test_a_bucket_lets_through_its_burst_and_then_its_rate():
    now = [0.0]
    rate = Rate(per_second=10.0, burst=5.0, clock=lambda: now[0])
    assert [rate.allows() for _ in range(6)] == [True] * 5 + [False]
    now[0] = 0.25
    assert [rate.allows() for _ in range(3)] == [True, True, False]


def test_a_port_that_is_taken_is_one_sentence():
    with bound_socket("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(InputError, match="port="), bound_socket("127.0.0.1", port):
            pass


def test_the_studio_answers_to_loopback_names_and_to_those_it_is_told():
    assert host_names("127.0.0.1", 8765) == {"127.0.0.1:8765", "localhost:8765", "[::1]:8765"}
    reached = host_names("0.0.0.0", 80, ("Hall.local",))
    assert {"hall.local", "hall.local:80"} <= reached
    assert not any("0.0.0.0" in name for name in reached)


@pytest.fixture
def served(monkeypatch):
    """What the command line would have served."""
    calls = []
    monkeypatch.setattr(server, "serve", lambda new, **options: calls.append((new(), options)))
    return calls


def test_the_command_serves_on_loopback_unless_told_otherwise(served, tmp_path):
    (tmp_path / "points.csv").write_text("a,b,c,kind\n1,2,3,x\n4,5,6,y\n")
    run = CliRunner().invoke
    run(studio, [], catch_exceptions=False)
    run(studio, ["xor", "--host", "0.0.0.0", "--no-browser"], catch_exceptions=False)
    path = str(tmp_path / "points.csv")
    run(studio, [path, "--columns", "c, a"], catch_exceptions=False)
    sets = [session.state for session, _ in served]
    assert [options["host"] for _, options in served] == ["127.0.0.1", "0.0.0.0", "127.0.0.1"]
    assert [options["open_browser"] for _, options in served] == [True, False, True]
    assert sets[1].source["name"] == "xor"
    assert sets[2].axes == ("c", "a")
    assert sets[2].points.tolist() == [[3, 1], [6, 4]]


@pytest.mark.parametrize("data", ["missing.csv", "no-such-set", "/"])
def test_the_command_says_what_is_wrong_with_its_data(served, data):
    with pytest.raises((FileError, InputError), match=re.escape(data)):
        CliRunner().invoke(studio, [data], catch_exceptions=False)
    assert not served


@pytest.fixture
def listening(monkeypatch):
    """A studio that waits a moment for requests, and a way to send it bytes as they are."""
    import socket

    monkeypatch.setattr(server, "MOST_SECONDS", 0.2)
    with bound_socket("127.0.0.1", 0) as listener:
        address = listener.getsockname()

        def send(*pieces: bytes) -> bytes:
            with socket.create_connection(address, timeout=20) as one:
                for piece in pieces:
                    one.sendall(piece.replace(b"HOST", b"127.0.0.1:%d" % address[1]))
                return b"".join(iter(lambda: one.recv(1 << 16), b""))

        with server.Server(listener, "127.0.0.1", Session, TOKEN).running():
            yield send, address


@pytest.mark.parametrize(
    "half",
    [
        b"",
        b"GET /",
        b"GET / HTTP/1.1\r\nHost: HOST\r\n",
        b"GET /gate.js HTTP/1.1\r\nHost: HOST\r\n\r\nGET /gate.js HTTP",
        b"POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 100000\r\n\r\nabc",
    ],
)
def test_who_sends_half_a_request_is_hung_up_on(listening, half):
    send, _ = listening
    reply = send(half)
    assert b" 408 " in reply or half.startswith((b"POST", b"GET /gate"))
    assert reply.startswith(b"HTTP/1.1 ")


def test_many_half_requests_leave_the_studio_to_others(listening, monkeypatch):
    import socket

    monkeypatch.setattr(server, "MOST_SECONDS", 3600.0)
    send, address = listening
    many = [socket.create_connection(address, timeout=20) for _ in range(300)]
    for one in many:
        one.sendall(b"GET /")
    assert send(b"GET / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n").startswith(
        b"HTTP/1.1 403"
    )
    assert b" 408 " in many[0].recv(1 << 16)
    for one in many:
        one.close()
