"""A conversation store in a few lines, to compare real ones with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

import hypothesis.strategies as st

from recollect.memory.database.conversations import SqlConversations
from recollect.memory.model.types import Scope, Turn
from tests.memory.state.samples import NOON, turn


class Step(NamedTuple):
    """One thing that is done: what, to which of two conversations, and a number for it."""

    kind: str
    conversation: int
    number: int


steps = st.builds(
    Step,
    st.sampled_from(
        [
            *("record", "record", "record", "learned", "turns", "scope", "tenant", "prune"),
            *("dead", "after all"),
        ]
    ),
    st.integers(0, 1),
    st.integers(0, 5),
)


@dataclass(slots=True)
class _Row:
    turn: Turn
    learned: bool = False
    erased: bool = False
    given_up: bool = False


class ConversationModel:
    """Does each step to itself and to a store, in a tenant of its own, and compares answers."""

    def __init__(self, tenant: str) -> None:
        self._tenant = tenant
        self._rows: dict[str, list[_Row]] = {self._name(0): [], self._name(1): []}

    async def take(self, step: Step, store: SqlConversations) -> None:
        name = self._name(step.conversation)
        scope = self._scope(step.conversation)
        rows = self._rows[name]
        match step.kind:
            case "record":
                # Times are out of order on purpose.
                minutes = (step.number * 7) % 5
                told = turn(str(step.number), name, scope=scope, minutes=minutes, tokens=len(rows))
                seq = self._record(rows, told)
                left = [row for row in rows if not row.learned]
                kept = await store.record(told)
                assert (kept.seq, kept.pending) == (seq, len(left))
                assert kept.pending_tokens == sum(row.turn.tokens for row in left)
            case "learned":
                for row in rows[: step.number]:
                    row.learned = True
                await store.mark_learned(name, step.number)
            case "dead":
                for row in rows[max(0, step.number - 1) : step.number + 1]:
                    row.learned = row.given_up = True
                await store.give_up(name, max(0, step.number - 1), step.number + 1)
            case "after all":
                for number, row in enumerate(rows[: step.number + 1], start=1):
                    row.given_up &= number < step.number
                    row.learned = True
                await store.mark_learned(name, step.number + 1, after_seq=step.number - 1)
            case "turns":
                ids = [f"{name}/{step.number}", f"{name}/{step.number + 1}"]
                gone = self._erase([row for row in rows if row.turn.id in ids])
                assert await store.erase_turns(self._tenant, ids) == gone
            case "scope":
                assert await store.erase(scope) == self._erase(rows)
            case "tenant":
                gone = sum(self._erase(rows) for rows in self._rows.values())
                assert await store.erase(self._tenant) == gone
            case _:
                # Pruning is for everybody: other examples' turns may be among what it counts.
                before = NOON + timedelta(minutes=step.number)
                for rows_ in self._rows.values():
                    self._erase([r for r in rows_ if _old(r, before)])
                await store.prune(learned_before=before)

    async def compare(self, store: SqlConversations) -> None:
        """Both know the same turns that await learning, and the same conversations."""
        for name, rows in self._rows.items():
            found = await store.unlearned(name, 99)
            assert [(t.seq, t.user_text, t.tokens) for t in found] == [
                (seq, row.turn.user_text, row.turn.tokens)
                for seq, row in enumerate(rows, start=1)
                if not row.learned
            ]
            known = await store.turns(name, 1, 99)
            assert [t.seq for t in known] == [
                seq for seq, row in enumerate(rows, start=1) if seq > 1 and not row.erased
            ]
            proven = await store.turns(name, 0, 4, learned_only=True)
            assert [t.seq for t in proven] == [
                seq
                for seq, row in enumerate(rows[:4], start=1)
                if row.learned and not row.given_up and not row.erased
            ]
        for number in (0, 1):
            await self._compare_pending(store, number, NOON + timedelta(minutes=2))
            await self._compare_pending(store, number, None)
            await self._compare_summary(store, number)

    async def _compare_summary(self, store: SqlConversations, number: int) -> None:
        """A conversation is told by the turns that are left, in their order."""
        name, scope = self._name(number), self._scope(number)
        left = [
            (seq, row.turn) for seq, row in enumerate(self._rows[name], start=1) if not row.erased
        ]
        told = [
            (name, len(left), first.created_at, left[-1][1].created_at, first.user_text)
            for _, first in left[:1]
        ]
        found = await store.conversations(scope, limit=9)
        assert [(s.id, s.turns, s.started_at, s.last_at, s.begins) for s in found] == told
        latest = await store.latest_turns(scope, name, limit=3)
        assert [each.seq for each in latest] == [seq for seq, _ in left[::-1][:3]]
        read = await store.conversation_turns(scope, name, after_seq=2, limit=3)
        assert [each.seq for each in read] == [seq for seq, _ in left if seq > 2][:3]

    async def _compare_pending(
        self, store: SqlConversations, number: int, idle_since: datetime | None
    ) -> None:
        rows = self._rows[self._name(number)]
        left = [seq for seq, row in enumerate(rows, start=1) if not row.learned]
        latest = max((row.turn.created_at for row in rows), default=NOON)
        if idle_since is not None and latest > idle_since:
            left = []
        found = await store.pending(idle_since=idle_since, scope=self._scope(number))
        assert [t.seq for t in found] == left[-1:]

    def _record(self, rows: list[_Row], told: Turn) -> int:
        for seq, row in enumerate(rows, start=1):
            if row.turn.id == told.id:
                if not row.erased:
                    row.turn = told
                return seq
        rows.append(_Row(told))
        return len(rows)

    def _erase(self, rows: list[_Row]) -> int:
        held = [row for row in rows if not row.erased]
        for row in held:
            row.learned = row.erased = True
        return len(held)

    def _name(self, number: int) -> str:
        return f"{self._tenant}-c{number}"

    def _scope(self, number: int) -> Scope:
        return Scope(tenant=self._tenant, user_id=f"user{number}")


def _old(row: _Row, before: datetime) -> bool:
    return row.learned and not row.given_up and row.turn.created_at < before
