"""Captured turns in SQLite."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from ...types import Recorded, Scope, Turn
from .database import Database, from_ms, to_ms
from .rows import scope_from

_SELECT_TURNS = """
    SELECT t.id, t.conversation_id, t.seq, t.user_text, t.assistant_text, t.model, t.created_at,
           c.tenant, c.user_id, c.agent_id, c.run_id
    FROM turns t JOIN conversations c ON c.id = t.conversation_id
"""


class SqliteConversations:
    """A `ConversationStore` in one file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def record(self, turn: Turn) -> Recorded:
        return await self._database.run(lambda connection: _record(connection, turn))

    async def unlearned(self, conversation_id: str, upto_seq: int) -> list[Turn]:
        def read(connection: sqlite3.Connection) -> list[Turn]:
            rows = connection.execute(
                f"{_SELECT_TURNS} WHERE t.conversation_id = ? AND t.seq > c.learned_seq "
                "AND t.seq <= ? ORDER BY t.seq",
                (conversation_id, upto_seq),
            )
            return [_turn(row) for row in rows]

        return await self._database.run(read)

    async def mark_learned(self, conversation_id: str, upto_seq: int) -> None:
        def write(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE conversations SET learned_seq = min(max(learned_seq, ?), last_seq) "
                "WHERE id = ?",
                (upto_seq, conversation_id),
            )

        await self._database.run(write)

    async def pending(self, *, idle_since: datetime | None, scope: Scope | None) -> list[Turn]:
        where, values = ["c.learned_seq < c.last_seq", "t.seq = c.last_seq"], list[object]()
        if idle_since is not None:
            where.append("c.last_at <= ?")
            values.append(to_ms(idle_since))
        if scope is not None:
            for column, value in {"tenant": scope.tenant, **scope.ids()}.items():
                where.append(f"c.{column} = ?")
                values.append(value)

        def read(connection: sqlite3.Connection) -> list[Turn]:
            # The columns are ours, the values are bound.
            sql = f"{_SELECT_TURNS} WHERE {' AND '.join(where)} ORDER BY c.last_at"
            return [_turn(row) for row in connection.execute(sql, values)]

        return await self._database.run(read)

    async def close(self) -> None:
        await self._database.close()


def _record(connection: sqlite3.Connection, turn: Turn) -> Recorded:
    known = connection.execute(
        "UPDATE turns SET assistant_text = ?, model = ? WHERE id = ? RETURNING conversation_id, seq",
        (turn.assistant_text, turn.model, turn.id),
    ).fetchone()
    if known is not None:
        conversation_id, seq = known
        return Recorded(seq, _pending(connection, conversation_id))
    scope = turn.scope
    (seq,) = connection.execute(
        "INSERT INTO conversations (id, tenant, user_id, agent_id, run_id, last_seq, last_at) "
        "VALUES (?, ?, ?, ?, ?, 1, ?) ON CONFLICT (id) DO UPDATE SET "
        "last_seq = last_seq + 1, last_at = max(last_at, excluded.last_at) RETURNING last_seq",
        (
            turn.conversation_id,
            scope.tenant,
            scope.user_id,
            scope.agent_id,
            scope.run_id,
            to_ms(turn.created_at),
        ),
    ).fetchone()
    connection.execute(
        "INSERT INTO turns VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            turn.id,
            turn.conversation_id,
            seq,
            turn.user_text,
            turn.assistant_text,
            turn.model,
            to_ms(turn.created_at),
        ),
    )
    return Recorded(seq, _pending(connection, turn.conversation_id))


def _pending(connection: sqlite3.Connection, conversation_id: str) -> int:
    (pending,) = connection.execute(
        "SELECT last_seq - learned_seq FROM conversations WHERE id = ?", (conversation_id,)
    ).fetchone()
    return int(pending)


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
