"""How often callers asked, as processes that share a Redis count it together."""

from __future__ import annotations

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


class Admission(Protocol):
    """One for all processes. Every moment is one of the server's clock."""

    async def take(self, tenant: str, user: str | None, *, burst: int, per_second: float) -> Taken:
        """Take a request from a token bucket of `burst` requests that fills at a pace.

        With a `user`, which never takes what is left for the others (`proxy.access.buckets`). One
        whose answer is lost may be taken twice. Raises StateError.
        """
