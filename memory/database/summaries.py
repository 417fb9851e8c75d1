"""Whole conversations: listed by their last turns, read page by page.

The list walks the turns of a user from the newest on and takes those that no other turn follows:
it reads as many turns as the listed conversations have, however many there are in all.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from ..model.conversations import PREVIEW_CHARS, ConversationMark, ConversationSummary
from ..model.times import from_ms
from ..model.turns import GivenAnswer
from ..model.types import Scope, Turn
from .rows import scope_from, whose
from .scripts import Row
from .sql_part import SqlPart
from .turn_rows import TURN, turn_from

_LIST = """
    SELECT conversation_id, created_at, tenant, user_id, agent_id, run_id,
        (SELECT count(*) FROM turns AS each
         WHERE each.conversation_id = newest.conversation_id AND each.erased = 0),
        (SELECT created_at FROM turns AS oldest
         WHERE oldest.conversation_id = newest.conversation_id AND oldest.erased = 0
         ORDER BY seq LIMIT 1),
        (SELECT substr(user_text, 1, {chars}) FROM turns AS oldest
         WHERE oldest.conversation_id = newest.conversation_id AND oldest.erased = 0
         ORDER BY seq LIMIT 1)
    FROM turns AS newest
    WHERE erased = 0 AND {where} AND created_at <= :at
    AND (created_at < :at OR conversation_id > :name)
    AND NOT EXISTS (
        SELECT 1 FROM turns AS later WHERE later.conversation_id = newest.conversation_id
        AND later.seq > newest.seq AND later.erased = 0
    )
    ORDER BY newest.created_at DESC, newest.conversation_id LIMIT :limit
"""
_ANSWERS = """
    SELECT id, conversation_id, recalled, assistant_text, steps FROM turns
    WHERE erased = 0 AND {where} ORDER BY created_at DESC, position DESC LIMIT :limit
"""
_FROM_THE_START = ConversationMark(2**62, "")


class SqlSummaries(SqlPart):
    """The reads of whole conversations. None of them finds the text of a turn that was erased.

    A conversation is of one scope; one that the scope does not admit does not exist.
    """

    async def conversations(
        self, scope: Scope, *, after: ConversationMark | None = None, limit: int
    ) -> Sequence[ConversationSummary]:
        """Those that the scope admits, the one with the newest turn first; of equal times by id.

        At most `limit` of those that are listed after a mark. One that goes on meanwhile moves to
        the beginning, so that pages repeat nothing.
        """
        where, ids = whose(scope)
        at, name = after or _FROM_THE_START
        sql = _LIST.format(where=where, chars=PREVIEW_CHARS)
        values = {**ids, "at": at, "name": name, "limit": limit}
        return await self.scripts.rows(sql, values, _summary_from)

    async def conversation_turns(
        self, scope: Scope, conversation_id: str, *, after_seq: int = 0, limit: int
    ) -> Sequence[Turn]:
        """At most `limit` turns after a position, in order."""
        return await self._turns(scope, conversation_id, after_seq, "seq", limit)

    async def latest_turns(
        self, scope: Scope, conversation_id: str, *, limit: int
    ) -> Sequence[Turn]:
        """The last `limit` turns, the newest first."""
        return await self._turns(scope, conversation_id, 0, "seq DESC", limit)

    async def _turns(
        self, scope: Scope, conversation_id: str, after_seq: int, order: str, limit: int
    ) -> Sequence[Turn]:
        where, ids = whose(scope)
        sql = f"""
            SELECT {TURN.names} FROM turns WHERE conversation_id = :place AND seq > :after
            AND erased = 0 AND {where} ORDER BY {order} LIMIT :limit
        """  # noqa: S608 - see `whose`
        values = {**ids, "place": conversation_id, "after": after_seq, "limit": limit}
        return await self.scripts.rows(sql, values, turn_from)

    async def answers(self, scope: Scope, *, limit: int) -> list[GivenAnswer]:
        """The answers of the newest turns that a scope admits, with what tools found for them."""
        where, ids = whose(scope)
        sql = _ANSWERS.format(where=where)
        return await self.scripts.rows(sql, {**ids, "limit": limit}, _answer_from)


def _summary_from(row: Row) -> ConversationSummary:
    conversation_id, latest, *ids, turns, first, begins = row
    return ConversationSummary(
        id=conversation_id,
        scope=scope_from(*ids),
        turns=turns,
        started_at=from_ms(first),
        last_at=from_ms(latest),
        begins=begins[:PREVIEW_CHARS],
    )


def _answer_from(row: Row) -> GivenAnswer:
    turn_id, conversation_id, recalled, answer, steps = row
    text = f"{answer}\n{steps or ''}"
    return GivenAnswer(turn_id, conversation_id, tuple(json.loads(recalled or "[]")), text)
