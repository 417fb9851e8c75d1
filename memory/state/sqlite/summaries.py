"""Whole conversations in SQLite: listed by their last turns, read page by page.

The list walks the turns of a user from the newest on and takes those that no other turn follows:
it reads as many turns as the listed conversations have, however many there are in all.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...database.rows import scope_from
from ...model.conversations import PREVIEW_CHARS, ConversationMark, ConversationSummary
from ...model.times import from_ms
from ...model.types import Scope, Turn
from .database import Database
from .rows import where_whose
from .turn_rows import COLUMNS, turn_from

_LIST = """
    SELECT conversation_id, created_at, tenant, user_id, agent_id, run_id,
        (SELECT count(*) FROM turns AS each
         WHERE each.conversation_id = last.conversation_id AND NOT each.erased),
        (SELECT created_at FROM turns AS first
         WHERE first.conversation_id = last.conversation_id AND NOT first.erased
         ORDER BY seq LIMIT 1),
        (SELECT substr(user_text, 1, {chars}) FROM turns AS first
         WHERE first.conversation_id = last.conversation_id AND NOT first.erased
         ORDER BY seq LIMIT 1)
    FROM turns AS last
    WHERE NOT erased AND {where} AND created_at <= ? AND (created_at < ? OR conversation_id > ?)
    AND NOT EXISTS (
        SELECT 1 FROM turns AS later WHERE later.conversation_id = last.conversation_id
        AND later.seq > last.seq AND NOT later.erased
    )
    ORDER BY created_at DESC, conversation_id LIMIT ?
"""
_FROM_THE_START = ConversationMark(2**62, "")


class SqliteSummaries:
    """`ConversationReads` in one file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def conversations(
        self, scope: Scope, *, after: ConversationMark | None = None, limit: int
    ) -> Sequence[ConversationSummary]:
        where, values = where_whose(scope)
        last, name = after or _FROM_THE_START
        return await self._database.read(
            _LIST.format(where=where, chars=PREVIEW_CHARS),
            [*values, last, last, name, limit],
            _summary_from,
        )

    async def conversation_turns(
        self, scope: Scope, conversation_id: str, *, after_seq: int = 0, limit: int
    ) -> Sequence[Turn]:
        return await self._turns(scope, conversation_id, after_seq, "seq", limit)

    async def latest_turns(
        self, scope: Scope, conversation_id: str, *, limit: int
    ) -> Sequence[Turn]:
        return await self._turns(scope, conversation_id, 0, "seq DESC", limit)

    async def _turns(
        self, scope: Scope, conversation_id: str, after_seq: int, order: str, limit: int
    ) -> Sequence[Turn]:
        where, values = where_whose(scope)
        return await self._database.read(
            f"SELECT {COLUMNS} FROM turns WHERE conversation_id = ? AND seq > ? "  # noqa: S608 - see where_whose
            f"AND NOT erased AND {where} ORDER BY {order} LIMIT ?",
            [conversation_id, after_seq, *values, limit],
            turn_from,
        )


def _summary_from(row: tuple[object, ...]) -> ConversationSummary:
    conversation_id, last, *ids, turns, first, begins = row
    return ConversationSummary(
        id=str(conversation_id),
        scope=scope_from(*ids),
        turns=int(str(turns)),
        started_at=from_ms(int(str(first))),
        last_at=from_ms(int(str(last))),
        begins=str(begins),
    )
