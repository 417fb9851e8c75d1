"""Captured turns in a dictionary."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from ...types import Recorded, Scope, Turn


class InMemoryConversations:
    """A `ConversationStore` that lives as long as the process."""

    def __init__(self) -> None:
        self._turns: dict[str, dict[str, Turn]] = {}
        self._learned: dict[str, int] = {}

    async def record(self, turn: Turn) -> Recorded:
        turns = self._turns.setdefault(turn.conversation_id, {})
        known = turns.get(turn.id)
        turns[turn.id] = (
            replace(known, assistant_text=turn.assistant_text, model=turn.model)
            if known
            else replace(turn, seq=len(turns) + 1)
        )
        pending = len(turns) - self._learned.get(turn.conversation_id, 0)
        return Recorded(turns[turn.id].seq, pending)

    async def unlearned(self, conversation_id: str, upto_seq: int) -> list[Turn]:
        learned = self._learned.get(conversation_id, 0)
        turns = self._turns.get(conversation_id, {}).values()
        return [turn for turn in turns if learned < turn.seq <= upto_seq]

    async def mark_learned(self, conversation_id: str, upto_seq: int) -> None:
        bound = min(upto_seq, len(self._turns.get(conversation_id, {})))
        self._learned[conversation_id] = max(bound, self._learned.get(conversation_id, 0))

    async def pending(self, *, idle_since: datetime | None, scope: Scope | None) -> list[Turn]:
        found = []
        for conversation_id, turns in self._turns.items():
            last = list(turns.values())[-1]
            if self._learned.get(conversation_id, 0) >= last.seq:
                continue
            if idle_since is not None and max(t.created_at for t in turns.values()) > idle_since:
                continue
            if scope is None or scope.admits(last.scope):
                found.append(last)
        return sorted(found, key=lambda turn: turn.created_at)

    async def close(self) -> None:
        self._turns.clear()
