"""The studio as a page on this machine: a few files and a WebSocket.

A request must arrive whole and in time. uvicorn waits for the rest of one without end, and every
connection that waits takes one of the few that the system lends to the studio; who sends half of a
request and stalls is hung up on (`InTime`).
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, ClassVar

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.http.h11_impl import H11Protocol

from novikoff.errors import InputError
from novikoff.studio.assets import joined, page_file, styles
from novikoff.studio.guard import (
    LOOPBACK,
    MOST_MESSAGE_BYTES,
    MOST_SCREENS,
    Guard,
    Guarded,
    Rate,
    host_names,
)
from novikoff.studio.lessons.shelf import OwnLesson
from novikoff.studio.session import Session
from novikoff.wording import keyword

log = logging.getLogger("novikoff.studio")

HTML, CSS, SCRIPT = (f"text/{kind}; charset=utf-8" for kind in ("html", "css", "javascript"))
# May take long: answered beside the other messages.
BESIDE = ("decide", "proof", "drawn_proof", "report", "thumbnails")
LOOK_AGAIN = 0.4  # seconds between two looks at a lesson that is being written
TOO_FAST, TOO_MANY = 1008, 1013  # close codes: policy violated, try again later


def application(guard: Guard, new_session: Callable[[], Session]) -> ASGIApp:
    """The studio as an ASGI application."""
    front = page_file("index.html").replace(b"{token}", guard.token.encode())
    # The only files that are ever sent. They are read once; no request names a path.
    page = {"/": (front, HTML), "/studio.css": (styles(), CSS), "/main.js": (joined(), SCRIPT)}
    gate, gate_script = page_file("gate.html"), page_file("gate.js")
    screens: set[WebSocket] = set()

    async def send(request: Request) -> Response:
        if request.url.path == "/gate.js":
            return Response(gate_script, media_type=SCRIPT)
        if not guard.knows(request.scope):
            return Response(gate, 403, media_type=HTML)
        content, kind = page[request.url.path]
        return Response(content, media_type=kind)

    async def talk(socket: WebSocket) -> None:
        await socket.accept()
        if len(screens) >= MOST_SCREENS:
            await socket.close(TOO_MANY, "too many screens are open")
            return
        screens.add(socket)
        try:
            await Talk(socket, new_session()).run()
        finally:
            screens.discard(socket)

    routes = [Route(path, send) for path in (*page, "/gate.js")]
    return Guarded(Starlette(routes=[*routes, WebSocketRoute("/talk", talk)]), guard)


class Talk:
    """One connection. The page sends one message of edits at a time, and joins those that wait."""

    def __init__(self, socket: WebSocket, session: Session, rate: Rate | None = None) -> None:
        self.socket, self.session = socket, session
        self.rate = rate or Rate()
        self.edits, self.questions = asyncio.Lock(), asyncio.Lock()  # one of each at a time
        self.tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        if self.session.own is not None:
            self._begin(self._watch(self.session.own))
        try:
            await self._listen()
        except WebSocketDisconnect:
            pass
        finally:
            for task in self.tasks:
                task.cancel()

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _listen(self) -> None:
        """Answer one message after the other; what waits stays in the system's own buffers."""
        while True:
            frame = await self.socket.receive()
            if frame["type"] == "websocket.disconnect":
                return
            text = frame.get("text") or ""  # of a binary frame: nothing that is said here
            if not self.rate.allows() or len(text) > MOST_MESSAGE_BYTES:
                await self.socket.close(TOO_FAST, "too many or too large messages")
                return
            try:
                message = json.loads(text)
            except (ValueError, RecursionError):
                message = None
            if isinstance(message, dict) and message.get("ask") in BESIDE:
                self._begin(self._reply(message, self.questions))
            else:
                await self._reply(message, self.edits)

    async def _watch(self, own: OwnLesson) -> None:
        """A lesson that is being written is shown anew whenever its file changes."""
        while True:
            await asyncio.sleep(LOOK_AGAIN)
            if await asyncio.to_thread(own.has_changed):
                await self._reply({"reload": True}, self.edits)

    async def _reply(self, message: Any, one_at_a_time: asyncio.Lock) -> None:
        try:
            async with one_at_a_time:
                reply = await asyncio.to_thread(self.session.handle, message)
        except Exception:  # a bug of ours must not cost a person their rows
            log.exception("the studio failed on a message")
            reply = {"id": message.get("id"), "error": "The studio failed at this; sorry."}
        with suppress(RuntimeError, WebSocketDisconnect):  # the page will come back with its state
            await self.socket.send_text(json.dumps(reply, separators=(",", ":")))


MOST_SECONDS = 10.0  # from the first byte of a request, or from the connection, to its last byte
MOST_WAITING = 128  # connections at a time; of more, the oldest is hung up on
GOODBYE = 1.0  # seconds that are left to read the answer


class InTime(H11Protocol):
    """HTTP as uvicorn speaks it, with an end to waiting."""

    timer: asyncio.TimerHandle | None = None
    waiting: ClassVar[dict[InTime, None]] = {}  # the connections with a timer, the oldest first

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        if self.timer is None:
            self._wait()
        super().data_received(data)
        is_between = self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]
        if is_between or self.conn.their_state in (h11.DONE, h11.MUST_CLOSE, h11.SWITCHED_PROTOCOL):
            self._stop()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._stop()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self.timer = self.loop.call_later(MOST_SECONDS, self._hang_up)
        self.waiting[self] = None
        if len(self.waiting) > MOST_WAITING:
            next(iter(self.waiting))._hang_up()

    def _stop(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
            self.waiting.pop(self, None)

    def _hang_up(self) -> None:
        self._stop()
        if self.conn.our_state is h11.IDLE:
            text = f"The request was not sent in full within {MOST_SECONDS:g} seconds.\n".encode()
            self.transport.write(
                b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-type: text/plain\r\n"
                b"content-length: %d\r\n\r\n%b" % (len(text), text)
            )
        self.transport.close()
        self.loop.call_later(GOODBYE, self.transport.abort)  # of who does not read either


@contextmanager
def bound_socket(host: str, port: int) -> Iterator[socket.socket]:
    """A listening socket, or one sentence on why there is none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as found:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, port))
            found.listen(64)  # from here on a browser waits for the studio instead of failing
        except OSError as error:
            raise InputError(
                f"cannot listen on {host}, port {port}: {error.strerror}; choose another with "
                f"{keyword('host')} or {keyword('port')}; port 0 is any free one."
            ) from None
        yield found


class Server:
    """A studio bound to an address, not yet serving."""

    def __init__(
        self,
        listener: socket.socket,
        host: str,
        new_session: Callable[[], Session],
        token: str | None = None,
        also: tuple[str, ...] = (),
    ) -> None:
        self.listener = listener
        port = listener.getsockname()[1]
        guard = Guard(token or secrets.token_urlsafe(24), host_names(host, port, also))
        shown = "127.0.0.1" if host in ("", "0.0.0.0", "::") else host
        shown = f"[{shown}]" if ":" in shown else shown
        self.origin = f"http://{shown}:{port}"
        self.url = f"{self.origin}/?token={guard.token}"
        config = uvicorn.Config(
            application(guard, new_session), http=InTime, ws="websockets-sansio",
            ws_max_size=MOST_MESSAGE_BYTES, log_level="warning", access_log=False,
            server_header=False, lifespan="off",
        )  # fmt: skip
        self.uvicorn = uvicorn.Server(config)

    def run(self) -> None:
        self.uvicorn.run(sockets=[self.listener])

    @contextmanager
    def running(self) -> Iterator[Server]:
        """Serve from a thread for as long as the block runs."""
        thread = threading.Thread(target=self.run, daemon=True)
        thread.start()
        while not self.uvicorn.started and thread.is_alive():
            threading.Event().wait(0.01)
        try:
            yield self
        finally:
            self.uvicorn.should_exit = True
            thread.join(10)


def warm() -> None:
    """Load and compile what a large set will need, before somebody waits for it."""
    import numpy as np

    from novikoff.loops.compiled import INTERPRETED_WORK
    from novikoff.runs.run import trace

    n = INTERPRETED_WORK // 2
    trace(np.arange(2.0 * n).reshape(n, 2), np.arange(n) % 2, max_iter=1, max_mistakes=1)


def serve(
    session: Callable[[], Session] = Session,
    host: str = "127.0.0.1",
    port: int = 8765,
    open_browser: bool = True,
    token: str | None = None,
    also: tuple[str, ...] = (),
    fragment: str = "",
) -> None:
    """Serve the studio until interrupted; `session` makes the state that a new screen shows.

    also: further names that the Host header may have, for a studio that other machines reach.
    """
    with bound_socket(host, port) as listener:
        server = Server(listener, host, session, token, also)
        address = server.url + (f"#{fragment}" if fragment else "")
        print(f"The studio is at {address}", file=sys.stderr)
        if host not in LOOPBACK:
            warning = f"It listens on {host}: whoever has this address and its token can use it."
            print(warning, file=sys.stderr)
        print("Ctrl+C stops it.", file=sys.stderr, flush=True)
        browser = [threading.Timer(0.4, webbrowser.open, [address])] if open_browser else []
        for timer in (threading.Timer(1.5, warm), *browser):
            timer.daemon = True
            timer.start()
        server.run()
