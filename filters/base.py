"""The interface of filters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

from recollect.memory.model.types import MemoryItem, MemoryType, Scope
from recollect.memory.recall import Query, Selection, Shown

from .exchange import Exchange


class Recalls(Protocol):
    """What the filters ask for memories: the recaller, or what listens to it (`explain`)."""

    async def recall(
        self,
        scope: Scope,
        query: Query,
        *,
        reserve_tokens: int,
        show: Callable[[MemoryItem], Shown],
        only: MemoryType | None,
    ) -> Selection:
        """The memories for a query. Raises as `Recaller.recall`."""

    async def wishes(
        self,
        scope: Scope,
        *,
        reserve_tokens: int,
        show: Callable[[MemoryItem], Shown],
        visible: frozenset[str],
    ) -> Selection:
        """How the user wants to be answered. Raises as `Recaller.wishes`."""


@dataclass(frozen=True, slots=True)
class Improvement:
    """An optional slow call that may improve a filter's result."""

    part: str
    """The name of the called part; each part has its own circuit breaker."""
    seconds: float
    """Longest time of the call, on top of the recall's deadline."""
    run: Callable[[], Awaitable[None]]
    """Makes the call. If it raises RecollectError, the exchange is unchanged."""
    give_up: Callable[[str], None]
    """Called with a reason word (`deadline`, `busy`, `circuit_open`, an error's code) if the call
    was not made or failed. Quick, without IO."""


class RequestFilter(ABC):
    """One step between a request and its memories.

    The pipeline enforces the deadline and handles failures. A filter never sees its bytes.
    """

    name: ClassVar[str]
    """For spans and logs."""

    @abstractmethod
    async def request(self, exchange: Exchange) -> None:
        """Read the exchange and note results in it.

        Runs once per request, unless an earlier filter has set `exchange.verdict`. May be slow and
        may raise.
        """

    def calls_out(self, exchange: Exchange) -> bool:  # noqa: ARG002 - for those that do
        """Whether `request` calls parts that can be slow or down, which the pipeline guards."""
        return False

    def improvement(self, exchange: Exchange) -> Improvement | None:  # noqa: ARG002 - as above
        """An optional slow call to try after `request`, or None."""
        return None

    def settle(self, exchange: Exchange) -> None:  # noqa: B027 - most have no last word
        """Runs last, whatever the verdict is, outside the deadline. Quick, without IO."""
