"""What processes that share a state know of callers together: who asked how often, who is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Taken:
    """A tenant's bucket after a request was taken from it, or was not."""

    allowed: bool
    left: float
    """Requests in the bucket."""
    used: float = 0.0
    """What the user took of it lately, if one was named."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Tenants that the model server accepted or refused since a moment, in no order."""

    moment: int
    """Of the server's clock, for the next question."""
    accepted: Sequence[str]
    refused: Sequence[str]


class Admission(Protocol):
    """One for all processes. Every moment is one of the server's clock."""

    async def take(self, tenant: str, user: str | None, *, burst: int, per_second: float) -> Taken:
        """Take a request from a token bucket of `burst` requests that fills at a pace.

        With a `user`, which never takes what is left for the others (`proxy.access.buckets`). One
        whose answer is lost may be taken twice. Raises StateError.
        """

    async def judge(self, tenant: str, *, accepted: bool) -> None:
        """Note what the model server said of a tenant's credentials. Raises StateError."""

    async def judged(self, since: int) -> Judged:
        """What was noted at or after a moment; 0: everything. Raises StateError."""
