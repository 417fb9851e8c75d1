"""What a filter is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from .exchange import Exchange


class RequestFilter(Protocol):
    """One step between a request and its memories.

    Runs once for a request, after the filters before it in `filters.request_filters` and only if
    none of them set `exchange.verdict`. May take its time and may raise: the pipeline around it has
    the deadline and decides what a failure means. It never sees the bytes of the request.
    """

    @property
    def name(self) -> str:
        """For spans and logs."""

    async def request(self, exchange: Exchange) -> None:
        """Read the exchange, note something in it."""


@runtime_checkable
class CallsOut(RequestFilter, Protocol):
    """A filter that asks parts which can be slow or dead: the pipeline guards it."""

    def calls_out(self, exchange: Exchange) -> bool:
        """Whether it will for this exchange, and not answer from what it remembers."""


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


@runtime_checkable
class Improves(RequestFilter, Protocol):
    """A filter whose result will do, and that knows an opt-in, slower way to a better one."""

    def improvement(self, exchange: Exchange) -> Improvement | None:
        """What to try after `request`, if anything for this exchange."""


@runtime_checkable
class Settles(RequestFilter, Protocol):
    """A filter that has a last word, whatever the verdict is."""

    def settle(self, exchange: Exchange) -> None:
        """Runs after the verdict and outside the deadline: quick, no IO."""
