"""Ports of what learning and upkeep cost: what was asked of models, and how each of them did."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date, datetime
from typing import NamedTuple, Protocol, runtime_checkable

from .jobs import JobKind, Spent

LEARNING = frozenset({JobKind.LEARN, JobKind.JUDGE})
"""The kinds of work whose tokens `learn.daily_tokens` bounds."""
UPKEEP = frozenset(JobKind) - LEARNING
"""Those whose tokens `upkeep.daily_tokens` bounds."""


def total_of(costs: Mapping[JobKind, Spent], kinds: Collection[JobKind]) -> Spent:
    """The sum of what these kinds cost."""
    found = [costs[kind] for kind in kinds if kind in costs]
    return Spent(
        calls=sum(one.calls for one in found),
        prompt_tokens=sum(one.prompt_tokens for one in found),
        completion_tokens=sum(one.completion_tokens for one in found),
    )


class ModelIdentity(NamedTuple):
    """Which model answers: another identity is another model, with a record of its own."""

    name: str
    where: str = ""
    """A digest of its address and of what else decides whether it answers; holds no secret."""


@runtime_checkable
class Identified(Protocol):
    """An optional ability of a `ChatModel`: it tells which model it is."""

    @property
    def identity(self) -> ModelIdentity: ...


class Ledger(Protocol):
    """The cost of asking models, by tenant, day and kind of work."""

    async def spend(
        self, tenant: str, day: date, spent: Spent, *, kind: JobKind = JobKind.LEARN
    ) -> Spent:
        """Add to a kind's total of a day atomically; returns the new total of this kind."""

    async def spent(self, tenant: str, day: date, kinds: Collection[JobKind] = LEARNING) -> Spent:
        """The total of these kinds on a day; zeros if nothing was spent."""

    async def between(
        self, tenant: str, first: date, last: date
    ) -> dict[date, dict[JobKind, Spent]]:
        """The totals of these days by kind, inclusive, oldest first.

        Days and kinds without any are left out.
        """

    async def call(self, tenant: str, hour: datetime, *, most: int | None) -> int | None:
        """Count a call of this hour atomically, before it is made; returns how many there are.

        None, and nothing is counted, if there are `most` already. `hour` is a full hour; only the
        calls of a tenant's latest hour are kept.
        """

    async def called(self, tenant: str, hour: datetime) -> int:
        """How many calls of this hour were counted."""


class Standings(Protocol):
    """What is known of models at extraction, by tenant and model. The texts are the caller's."""

    async def of(self, tenant: str) -> dict[str, str]:
        """All of a tenant's, by model."""

    async def change(self, tenant: str, model: str, before: str | None, after: str) -> bool:
        """Write one durably if it still is as `before`, None for unknown; whether it was."""
