"""A request must arrive whole and in time: who sends half of one and stalls is hung up on.

uvicorn waits for the rest of a request without end, and every connection that waits takes one of
the few that the system lends to the studio.
"""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

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
