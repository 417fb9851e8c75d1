"""What replicas on one state ask and tell each other."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

Handler = Callable[[Mapping[str, Any]], Awaitable[Any]]
"""Acts on a message; what it returns is the answer, as JSON."""


class Replicas(Protocol):
    """One process' connection to all others. For one event loop."""

    name: str
    """Of this process."""
    gaps: list[Callable[[], None]]
    """Called when messages may have been missed that would have been heard."""

    def on(self, topic: str, handler: Handler) -> None:
        """Act on messages about this topic."""

    async def tell(self, topic: str, **values: Any) -> None:
        """Tell all that listen, this process included: all hear it in one order.

        Raises StateError: it may not have been told.
        """

    async def ask_all(self, topic: str, **values: Any) -> dict[str, Any]:
        """The answers of the others by their names.

        Without those that fail, and those that do not answer in time. Raises StateError.
        """

    async def listen(self) -> None:
        """Hear the others until cancelled; `gaps` are called whenever it begins again."""
