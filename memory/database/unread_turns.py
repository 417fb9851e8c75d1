"""Turns that no model reads of its own accord: how long they are, without their texts."""

from __future__ import annotations

from typing import NamedTuple

from ..model.types import Scope
from .rows import scope_from, whose
from .scripts import Row, ScriptRunner
from .turn_rows import UNREAD

MOST = 200_000
"""Turns that are looked at: decades of chats."""
_UNREAD = f"""
    SELECT conversation_id, seq, tenant, user_id, agent_id, run_id, length(user_text),
           length(assistant_text)
    FROM turns WHERE learned = {UNREAD} AND erased = 0 AND {{where}}
    ORDER BY created_at DESC, position DESC LIMIT :limit
"""  # noqa: S608 - a constant


class UnreadTurn(NamedTuple):
    """A turn that no model has read."""

    scope: Scope
    conversation_id: str
    seq: int
    said: int
    """Characters of the user's message."""
    answered: int


async def unread_turns(scripts: ScriptRunner, scope: Scope) -> list[UnreadTurn]:
    """Those that the scope admits, newest first. Raises StateError."""
    where, ids = whose(scope)
    values = {**ids, "limit": MOST}
    return await scripts.rows(_UNREAD.format(where=where), values, _read)


def _read(row: Row) -> UnreadTurn:
    place, seq, tenant, user, agent, run, said, answered = row
    return UnreadTurn(scope_from(tenant, user, agent, run), place, seq, said, answered)
