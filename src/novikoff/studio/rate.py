"""How much a page may ask of the studio."""

from __future__ import annotations

import time
from collections.abc import Callable

MOST_MESSAGE_BYTES = 8_000_000
MOST_WAITING = 4  # of the largest messages, while one is answered
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
