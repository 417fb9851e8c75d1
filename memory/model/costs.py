"""Ports of what learning costs: what was asked of models, and how each of them did."""

from __future__ import annotations

from datetime import date, datetime
from typing import NamedTuple, Protocol, runtime_checkable

from .types import Spent


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
    """The cost of learning, by tenant and day."""

    async def spend(self, tenant: str, day: date, spent: Spent) -> Spent:
        """Add to a day's total atomically; returns the new total."""

    async def spent(self, tenant: str, day: date) -> Spent:
        """The total of a day; zeros if nothing was spent."""

    async def between(self, tenant: str, first: date, last: date) -> dict[date, Spent]:
        """The totals of these days, inclusive, oldest first; days without any are left out."""

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
