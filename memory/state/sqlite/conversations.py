"""Captured turns in SQLite.

One table: a conversation is the turns that name it, its watermark is which of them are learned.
Recording a turn is on the way of every answer, so it is two statements.
"""

from __future__ import annotations

import sqlite3
from datetime import datetime

from ...times import from_ms, to_ms
from ...types import Recorded, Scope, Turn
from .database import Database
from .rows import scope_from

_SELECT = """
    SELECT id, conversation_id, seq, user_text, assistant_text, model, created_at,
           tenant, user_id, agent_id, run_id
    FROM turns
"""

_RECORD = """
    INSERT INTO turns (id, conversation_id, seq, tenant, user_id, agent_id, run_id, user_text,
                       assistant_text, model, created_at)
    VALUES (:id, :conversation_id,
            (SELECT coalesce(max(seq), 0) + 1 FROM turns WHERE conversation_id = :conversation_id),
            :tenant, :user_id, :agent_id, :run_id, :user_text, :assistant_text, :model, :created_at)
    ON CONFLICT (id) DO UPDATE SET assistant_text = excluded.assistant_text, model = excluded.model
    RETURNING seq
"""

_PENDING = "SELECT count(*) FROM turns WHERE conversation_id = :id AND NOT learned"


class SqliteConversations:
    """A `ConversationStore` in one file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def record(self, turn: Turn) -> Recorded:
        [(seq,)] = await self._database.statement(_RECORD, _values(turn))
        [(pending,)] = await self._database.statement(_PENDING, {"id": turn.conversation_id})
        return Recorded(seq, pending)

    async def unlearned(self, conversation_id: str, upto_seq: int) -> list[Turn]:
        def read(connection: sqlite3.Connection) -> list[Turn]:
            rows = connection.execute(
                f"{_SELECT} WHERE conversation_id = ? AND NOT learned AND seq <= ? ORDER BY seq",
                (conversation_id, upto_seq),
            )
            return [_turn(row) for row in rows]

        return await self._database.run(read)

    async def mark_learned(self, conversation_id: str, upto_seq: int) -> None:
        await self._database.run(
            lambda connection: (
                connection.execute(
                    "UPDATE turns SET learned = 1 "
                    "WHERE conversation_id = ? AND NOT learned AND seq <= ?",
                    (conversation_id, upto_seq),
                ).rowcount
            )
        )

    async def pending(self, *, idle_since: datetime | None, scope: Scope | None) -> list[Turn]:
        where, values = _matching(scope)
        silent = ""
        if idle_since is not None:
            silent = "HAVING max(created_at) <= ?"
            values.append(to_ms(idle_since))
        # Turns of one conversation have one scope, and the newest of those unlearned is its last.
        sql = (
            f"{_SELECT} WHERE (conversation_id, seq) IN (SELECT conversation_id, max(seq) "  # noqa: S608 - see _matching
            f"FROM turns WHERE {where} GROUP BY conversation_id {silent}) ORDER BY created_at"
        )

        def read(connection: sqlite3.Connection) -> list[Turn]:
            return [_turn(row) for row in connection.execute(sql, values)]

        return await self._database.run(read)

    async def close(self) -> None:
        await self._database.close()


def _matching(scope: Scope | None) -> tuple[str, list[object]]:
    """The condition for unlearned turns of a scope; the columns are ours, the values are bound."""
    conditions, values = ["NOT learned"], list[object]()
    if scope is not None:
        for column, value in {"tenant": scope.tenant, **scope.ids()}.items():
            conditions.append(f"{column} = ?")
            values.append(value)
    return " AND ".join(conditions), values


def _values(turn: Turn) -> dict[str, object]:
    scope = turn.scope
    return {
        "id": turn.id,
        "conversation_id": turn.conversation_id,
        "tenant": scope.tenant,
        "user_id": scope.user_id,
        "agent_id": scope.agent_id,
        "run_id": scope.run_id,
        "user_text": turn.user_text,
        "assistant_text": turn.assistant_text,
        "model": turn.model,
        "created_at": to_ms(turn.created_at),
    }


def _turn(row: tuple[object, ...]) -> Turn:
    turn_id, conversation_id, seq, user_text, assistant_text, model, created_at = row[:7]
    return Turn(
        id=str(turn_id),
        conversation_id=str(conversation_id),
        scope=scope_from(*row[7:]),
        user_text=str(user_text),
        assistant_text=str(assistant_text),
        model=str(model),
        created_at=from_ms(int(str(created_at))),
        seq=int(str(seq)),
    )
