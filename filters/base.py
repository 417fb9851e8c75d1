"""What a filter is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import ClassVar

from .exchange import Exchange


@dataclass(frozen=True, slots=True)
class Improvement:
    """A call that takes its own time and may make a filter's result better, never worse."""

    part: str
    """Names what is asked: parts fail and are left alone one by one."""
    seconds: float
    """Longest it may take; the request is held for it on top of the recall's deadline."""
    run: Callable[[], Awaitable[None]]
    """Makes the call. Raises RecollectError and then leaves the exchange as it was."""
    give_up: Callable[[str], None]
    """Told why, in a word (`deadline`, `busy`, `circuit_open`, an error's code), if it was not made
    or brought nothing: quick, no IO."""


class RequestFilter(ABC):
    """One step between a request and its memories.

    The pipeline around it has the deadline and decides what a failure means. A filter never sees
    the bytes of the request.
    """

    name: ClassVar[str]
    """For spans and logs."""

    @abstractmethod
    async def request(self, exchange: Exchange) -> None:
        """Read the exchange, note something in it.

        Runs once for a request, after the filters before it in `filters.request_filters` and only
        if none of them set `exchange.verdict`. May take its time and may raise.
        """

    def calls_out(self, exchange: Exchange) -> bool:  # noqa: ARG002 - for those that do
        """Whether `request` will ask parts that can be slow or dead: the pipeline guards it."""
        return False

    def improvement(self, exchange: Exchange) -> Improvement | None:  # noqa: ARG002 - as above
        """An opt-in, slower way to a better result, to try after `request`, if there is one."""
        return None

    def settle(self, exchange: Exchange) -> None:  # noqa: B027 - most have no last word
        """A last word, whatever the verdict is: outside the deadline, quick, no IO."""
