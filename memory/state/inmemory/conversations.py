"""Captured turns in a dictionary."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from ...model.owner import covers, owning_tenant
from ...model.types import OwnerRef, Recent, Recorded, Scope, Turn


@dataclass(slots=True)
class _Row:
    turn: Turn
    learned: bool = False
    erased: bool = False
    given_up: bool = False
    note: str | None = None
    remembered: bool = False
    uncounted: list[str] = field(default_factory=list)

    def erase(self) -> None:
        """Keep only that the turn is known and learned."""
        self.learned = self.erased = True
        self.note = None
        self.uncounted.clear()
        self.turn = replace(
            self.turn,
            user_text="",
            assistant_text="",
            steps=(),
            recalled=(),
            images=(),
            tokens=0,
            response_id="",
            upstream_id="",
            before=None,
        )


class InMemoryConversations:
    """A `ConversationStore` that lives as long as the process."""

    def __init__(self) -> None:
        self._conversations: dict[str, dict[str, _Row]] = {}

    async def record(self, turn: Turn) -> Recorded:
        rows = self._conversations.setdefault(turn.conversation_id, {})
        row = rows.setdefault(turn.id, _Row(replace(turn, seq=len(rows) + 1)))
        if not row.erased:
            row.turn = _told_again(row.turn, turn)
            row.uncounted += turn.recalled
        left = [row.turn.tokens for row in rows.values() if not row.learned]
        return Recorded(row.turn.seq, len(left), sum(left))

    async def unlearned(self, conversation_id: str, upto_seq: int) -> list[Turn]:
        rows = self._conversations.get(conversation_id, {}).values()
        return [row.turn for row in rows if not row.learned and row.turn.seq <= upto_seq]

    async def turns(
        self, conversation_id: str, after_seq: int, upto_seq: int, *, learned_only: bool = False
    ) -> list[Turn]:
        rows = self._conversations.get(conversation_id, {}).values()
        return [
            row.turn
            for row in rows
            if not row.erased
            and after_seq < row.turn.seq <= upto_seq
            and ((row.learned and not row.given_up) or not learned_only)
        ]

    async def thread(self, scope: Scope, name: str, *, limit: int) -> list[Turn]:
        named = [
            row.turn
            for row in self._rows()
            if not row.erased
            and row.turn.scope == scope
            and name in (row.turn.response_id, row.turn.upstream_id)
        ]
        if not named or not name:
            return []
        last = max(named, key=lambda turn: (turn.created_at, turn.seq))
        return (await self.turns(last.conversation_id, 0, last.seq))[-limit:]

    async def mark_learned(
        self, conversation_id: str, upto_seq: int, *, after_seq: int | None = None
    ) -> None:
        for row in self._conversations.get(conversation_id, {}).values():
            if row.turn.seq <= upto_seq:
                row.learned = True
                retried = after_seq is not None and row.turn.seq > after_seq
                row.given_up = row.given_up and not retried

    async def give_up(self, conversation_id: str, after_seq: int, upto_seq: int) -> None:
        for row in self._conversations.get(conversation_id, {}).values():
            if after_seq < row.turn.seq <= upto_seq:
                row.learned = row.given_up = True

    async def recent(self, scope: Scope, *, limit: int) -> list[Recent]:
        left = [each for each in self._said(scope.tenant) if scope.admits(each.turn.scope)]
        left.sort(key=lambda each: (each.turn.created_at, each.turn.seq), reverse=True)
        return left[:limit]

    async def named(self, tenant: str, turn_ids: Sequence[str]) -> list[Recent]:
        wanted = set(turn_ids)
        return [each for each in self._said(tenant) if each.turn.id in wanted]

    async def recent_ids(self, scope: Scope, *, limit: int) -> list[str]:
        return [each.turn.id for each in await self.recent(scope, limit=limit)]

    async def scopes(self, whose: OwnerRef | None) -> list[Scope]:
        said = self._said(None if whose is None else owning_tenant(whose))
        found = dict.fromkeys(each.turn.scope for each in said)
        return [scope for scope in found if whose is None or covers(whose, scope)]

    def _said(self, tenant: str | None) -> list[Recent]:
        """The turns of a tenant, or of all, that are neither erased nor memories."""
        return [
            Recent(row.turn, row.note, row.learned and not row.given_up)
            for row in self._rows()
            if not row.erased and not row.remembered and tenant in (None, row.turn.scope.tenant)
        ]

    async def annotate(self, conversation_id: str, notes: Mapping[str, str]) -> None:
        rows = self._conversations.get(conversation_id, {})
        for turn_id, note in notes.items():
            if (row := rows.get(turn_id)) is not None and not row.erased:
                row.note = note

    async def mark_remembered(
        self, scope: Scope, conversation_id: str, turn_ids: Collection[str]
    ) -> None:
        del scope  # a conversation is of one scope
        rows = self._conversations.get(conversation_id, {})
        for turn_id in turn_ids:
            if (row := rows.get(turn_id)) is not None:
                row.remembered = True

    async def pending(self, *, idle_since: datetime | None, scope: Scope | None) -> list[Turn]:
        found = []
        for rows in self._conversations.values():
            left = [row.turn for row in rows.values() if not row.learned]
            latest = max(row.turn.created_at for row in rows.values())
            silent = idle_since is None or latest <= idle_since
            if left and silent and (scope is None or scope.admits(left[-1].scope)):
                found.append(left[-1])
        return sorted(found, key=lambda turn: turn.created_at)

    async def erase(self, whose: OwnerRef) -> int:
        return _erase(row for row in self._rows() if covers(whose, row.turn.scope))

    async def erase_turns(self, tenant: str, turn_ids: Sequence[str]) -> int:
        named = set(turn_ids)
        for row in self._rows():
            before = row.turn.before
            if before and row.turn.scope.tenant == tenant and not named.isdisjoint(before.turn_ids):
                row.turn, row.note = replace(row.turn, before=None), None
        return _erase(
            row for row in self._rows() if row.turn.id in named and row.turn.scope.tenant == tenant
        )

    async def prune(self, *, learned_before: datetime) -> int:
        return _erase(
            row
            for row in self._rows()
            if row.learned and not row.given_up and row.turn.created_at < learned_before
        )

    def take_uncounted(self, limit: int) -> list[tuple[Turn, list[str]]]:
        """Turns with the recalled memories that were not taken yet."""
        rows = [row for row in self._rows() if row.uncounted][:limit]
        taken = [(row.turn, row.uncounted) for row in rows]
        for row in rows:
            row.uncounted = []
        return taken

    def may_be_told_again(self, turn_id: str) -> bool:
        """Whether recording this turn again would note memories."""
        return any(row.turn.id == turn_id and not row.erased for row in self._rows())

    async def close(self) -> None:
        self._conversations.clear()

    def _rows(self) -> Iterable[_Row]:
        return (row for rows in self._conversations.values() for row in rows.values())


def _told_again(known: Turn, told: Turn) -> Turn:
    return replace(
        known,
        assistant_text=told.assistant_text,
        model=told.model,
        steps=told.steps,
        recalled=told.recalled,
        tokens=told.tokens,
        response_id=told.response_id,
        upstream_id=told.upstream_id,
    )


def _erase(rows: Iterable[_Row]) -> int:
    held = [row for row in rows if not row.erased]
    for row in held:
        row.erase()
    return len(held)
