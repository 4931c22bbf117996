"""Who may talk to the studio: this machine's own page, opened with the token, and nobody else.

- The Host header must name an address that the studio was started for. A page elsewhere that
  points its own domain at 127.0.0.1 (DNS rebinding) sends its own name and is refused.
- An Origin header, where there is one, must be the studio's own; a WebSocket must have it.
- Everything but the page that asks for a token needs the token, compared in constant time.
- A page may send only so many messages a second (`Rate`).

The token is kept for a day, so that a page finds its studio again when Python is restarted. It lies
in the person's own cache folder, readable by them alone, one for each port. Where it cannot be
kept, every start has a token of its own, and open pages need the address that is printed.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import re
import secrets
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class Guard:
    """The checks of one studio."""

    token: str
    hosts: frozenset[str]  # as a Host header names them, such as 127.0.0.1:8765

    def refusal(self, scope: Scope) -> str:
        """Why the request is refused, in a word; empty where it is not."""
        headers = {name.decode("latin-1"): value for name, value in scope["headers"]}
        if headers.get("host", b"").decode("latin-1").lower() not in self.hosts:
            return "host"
        origin = headers.get("origin")
        if origin is None:
            return "origin" if scope["type"] == "websocket" else ""
        return "" if origin.decode("latin-1").lower() in self.origins else "origin"

    @property
    def origins(self) -> frozenset[str]:
        return frozenset(f"http://{host}" for host in self.hosts)

    def knows(self, scope: Scope) -> bool:
        """Whether the request brings the token."""
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        return hmac.compare_digest(given.encode(), self.token.encode())


def host_names(host: str, port: int, also: tuple[str, ...] = ()) -> frozenset[str]:
    """The Host headers that a studio on this address answers to."""
    names = {*also, *LOOPBACK} if host in LOOPBACK else {*also, *LOOPBACK, host}
    names -= {"0.0.0.0", "::", ""}
    shown = {f"[{name}]" if ":" in name and not name.startswith("[") else name for name in names}
    with_port = {f"{name}:{port}".lower() for name in shown}
    return frozenset(with_port | {name.lower() for name in shown} if port == 80 else with_port)


def headers_for(hosts: frozenset[str]) -> list[tuple[bytes, bytes]]:
    """Headers of every answer: nothing from elsewhere, nothing inline, nothing kept."""
    # An IPv6 address is not allowed here; 'self' stands for it.
    sockets = " ".join(f"ws://{host}" for host in sorted(hosts) if not host.startswith("["))
    policy = (
        f"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
        f"connect-src 'self' {sockets}; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    return [
        (b"content-security-policy", policy.encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"cross-origin-resource-policy", b"same-origin"),
        (b"cache-control", b"no-store"),
    ]


class Guarded:
    """An ASGI application behind the guard's host and origin checks, with safe headers."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self.app, self.guard = app, guard
        self.headers = headers_for(guard.hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        reason = "" if scope["type"] == "lifespan" else self.guard.refusal(scope)
        if scope["type"] == "websocket" and (reason or not self.guard.knows(scope)):
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self.headers]
            await send(message)

        text = f"This studio does not answer to that {reason}.\n"
        app = PlainTextResponse(text, 403) if reason else self.app
        await app(scope, receive, send_safely)


MOST_MESSAGE_BYTES = 8_000_000
MOST_SCREENS = 16  # connections at a time
MESSAGES_PER_SECOND = 250.0
BURST = 500.0


class Rate:
    """A bucket of messages that fills at a steady rate."""

    def __init__(
        self, per_second: float = MESSAGES_PER_SECOND, burst: float = BURST,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self.per_second, self.burst, self.clock = per_second, burst, clock
        self.left, self.at = burst, clock()

    def allows(self) -> bool:
        """Take one message from the bucket, if there is one."""
        now = self.clock()
        self.left = min(self.burst, self.left + (now - self.at) * self.per_second)
        self.at = now
        if self.left < 1.0:
            return False
        self.left -= 1.0
        return True


TOKEN_SECONDS = 24 * 3600.0
FRESH = re.compile(r"[A-Za-z0-9_-]{32,64}")


def kept_token(port: int) -> str | None:
    """The token of the last studio on this port, or a new one; None where none can be kept."""
    if port == 0:  # any free port: no page can be waiting for it
        return None
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    path = Path(base) / "novikoff" / f"studio-{port}.token"
    with contextlib.suppress(OSError):
        token = _read(path)
        if token is None:
            token = secrets.token_urlsafe(24)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            with os.fdopen(os.open(path, flags, 0o600), "w", encoding="ascii") as stream:
                stream.write(token)
        os.utime(path)
        return token
    return None


def _read(path: Path) -> str | None:
    """The token in the file, if it is a day old at most, and nobody else's to read or write."""
    try:
        found, text = path.lstat(), path.read_text(encoding="ascii")
    except (FileNotFoundError, UnicodeDecodeError):
        return None
    mine = not hasattr(os, "getuid") or found.st_uid == os.getuid()
    private = os.name == "nt" or (stat.S_ISREG(found.st_mode) and found.st_mode & 0o177 == 0)
    young = 0 <= time.time() - found.st_mtime <= TOKEN_SECONDS
    return text if mine and private and young and FRESH.fullmatch(text) else None
