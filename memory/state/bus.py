"""The port that carries messages between processes on several machines."""

from __future__ import annotations

from typing import Protocol


class Listener(Protocol):
    """Fails on a broken connection instead of reconnecting, so that no gap goes unnoticed."""

    async def receive(self, seconds: float) -> str | None:
        """The next message; None if none arrived in `seconds` and the server still answers.

        Raises:
            StateError: the connection is lost.
        """

    async def close(self) -> None:
        """Hear no more."""


class Bus(Protocol):
    """Messages are not stored: a process that does not listen misses them."""

    async def publish(self, channel: str, text: str) -> None:
        """Send it to all current listeners, the sender included. Raises StateError."""

    async def listen(self, *channels: str) -> Listener:
        """Hear these channels; returns when it hears. Raises StateError."""
