"""The protocol by which other rooms read statements."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from datetime import datetime
from typing import Protocol

from ...model.types import MemoryItem, MemoryStatus, OwnerRef, Recent, Scope
from .entry import SaidPassage, is_left


class StatementReader(Protocol):
    """Finds what was said, as `StatementRows` does. All methods raise StateError."""

    async def of_scope(self, scope: Scope) -> Sequence[SaidPassage]:
        """Everything that was said in a scope."""

    def told_in(
        self, scope: Scope, *, until: datetime | None = None
    ) -> AsyncIterator[Sequence[SaidPassage]]:
        """The same, without what was only asked or handed over; newest first, some at a time."""

    def recalled_in(self, scope: Scope) -> AsyncIterator[Sequence[SaidPassage]]:
        """Of that, what can be recalled."""

    async def count_told(
        self, scope: Scope, learned: Collection[str], *, until: datetime | None = None
    ) -> int:
        """How many `told_in` finds, but for what memories of the turns in `learned` tell."""

    def of_tenant(self, tenant: str) -> AsyncIterator[Sequence[SaidPassage]]:
        """Everything that was said in a tenant, some at a time."""

    def turns_of(self, owner_ref: OwnerRef) -> AsyncIterator[Sequence[Recent]]:
        """The turns in which something was said, oldest first, some at a time."""

    async def tenants(self) -> Collection[str]:
        """The tenants in which something may have been said."""

    async def of_turns(self, tenant: str, turn_ids: Sequence[str]) -> Sequence[SaidPassage]:
        """The passages of these turns; a fresh read."""

    async def named(self, tenant: str, ids: Iterable[str]) -> Sequence[SaidPassage]:
        """The passages with these ids; a fresh read."""

    async def shown(self, scope: Scope, ids: Iterable[str]) -> bool:
        """Whether a recall for this scope may still find one of these."""

    async def stale(self, scopes: Iterable[Scope]) -> None:
        """Tell every process to read again what was said in these scopes."""


def turns_of_active(memories: Iterable[MemoryItem]) -> set[str]:
    """The turns that active memories were learned from, and not only tell. Pure."""
    active = (item for item in memories if item.status is MemoryStatus.ACTIVE)
    return {turn for item in active for turn in item.provenance.replaces}


def unlearned(passages: Iterable[SaidPassage], memories: Iterable[MemoryItem]) -> list[SaidPassage]:
    """The passages of turns that none of the active memories was learned from. Pure.

    A turn stays for a moment after a memory was made of it: then the memory tells it.
    """
    return not_of(turns_of_active(memories), passages)


def not_of(learned: Collection[str], passages: Iterable[SaidPassage]) -> list[SaidPassage]:
    """The same, where those turns are known."""
    return [one for one in passages if one.turn_id not in learned or is_left(one.item)]
