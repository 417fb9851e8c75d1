"""The log of changes: lines that a transaction adds, and that every process reads in one order.

A line tells whose memories something happened to, never a text of one. It is there if, and only if,
what it tells of is there.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ..model.times import to_ms
from ..model.types import OwnerRef, Scope, utc_now
from .rows import filled
from .scripts import Row, Script, ScriptRunner, SqlStatement


class ChangeKind(StrEnum):
    """What a line of the log tells."""

    PUT = "put"
    DELETE = "delete"
    """They are gone, or in another scope: a line of that one follows."""
    RESET = "reset"
    """The tenant has no memories any more. It has a line for each thousand of them."""
    GONE = "gone"
    """What caches know of an owner, or of these ids, is out of date."""
    FORGOTTEN = "forgotten"
    """Something of an owner was erased everywhere."""
    EMPTIED = "emptied"
    """Everything of an owner was."""
    SAID = "said"
    """What a user said, or how it is shown, has changed."""
    SWITCHES = "switches"
    """What an operator turned on or off, of no owner: whether recall and learning are on."""
    POLICY = "policy"
    """The rules of a user on what may go to which model: all that count now."""
    ACCEPTED = "accepted"
    """Whether the model server accepts the credentials of a tenant."""
    EVENTS = "events"
    """What followers of changes are told."""


ROW_KINDS = (ChangeKind.PUT, ChangeKind.DELETE, ChangeKind.RESET)
"""Lines about rows of memories: their ids are pairs of a position and an id."""
IS_OF_ROWS = f"kind IN ({', '.join(repr(kind.value) for kind in ROW_KINDS)})"


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """One line."""

    kind: ChangeKind
    owner_ref: OwnerRef
    told: Sequence[Any] = ()
    """Ids, pairs of them, or events without texts."""

    @property
    def ids(self) -> list[str]:
        """The ids of memories that a line about rows, or about what is gone, names."""
        if self.kind in ROW_KINDS:
            return [str(name) for _, name in self.told]
        return [str(name) for name in self.told]


_ADD = """
    INSERT INTO changes (tenant, user_id, agent_id, run_id, kind, ids, at, writer)
    VALUES (:tenant, :user_id, :agent_id, :run_id, :kind, :ids, :at, :writer)
"""
_AFTER = """
    SELECT seq, writer, kind, ids, tenant, user_id, agent_id, run_id FROM changes
    WHERE seq > :seq ORDER BY seq LIMIT {limit}
"""
_LAST = "SELECT COALESCE(MAX(seq), 0) FROM changes"


def add_lines(lines: Sequence[ChangeLine], writer: str) -> Script[None]:
    """Add these lines, the last statement of a transaction."""
    if not lines:
        return
    at = to_ms(utc_now())
    rows = [
        {
            **filled(line.owner_ref),
            "kind": line.kind.value,
            "ids": json.dumps(list(line.told), separators=(",", ":")),
            "at": at,
            "writer": writer,
        }
        for line in lines
    ]
    yield SqlStatement(_ADD, many=rows, in_line=True)


class SqlChanges:
    """The log as one process, `writer`, writes and reads it. Raises StateError."""

    def __init__(self, scripts: ScriptRunner, writer: str) -> None:
        self._scripts = scripts
        self.writer = writer

    async def add(self, lines: Sequence[ChangeLine]) -> None:
        """Add lines; they are there when it returns, or with the transaction that it is in."""
        await self._scripts.change(lambda: add_lines(lines, self.writer), tenants=())

    async def last(self) -> int:
        """The number of the last line; 0 before the first."""
        [(seq,)] = await self._scripts.rows(_LAST, {}, tuple)
        return int(seq)

    async def after(self, seq: int, *, limit: int) -> list[tuple[int, str, ChangeLine]]:
        """Up to `limit` lines after that one: their numbers, and who wrote them."""
        return await self._scripts.rows(_AFTER.format(limit=limit), {"seq": seq}, _line_of)


def _line_of(row: Row) -> tuple[int, str, ChangeLine]:
    seq, writer, kind, ids, tenant, user, agent, run = row
    told = json.loads(ids)
    return int(seq), writer, ChangeLine(ChangeKind(kind), owner_of(tenant, user, agent, run), told)


def owner_of(tenant: str, user_id: str, agent_id: str, run_id: str) -> OwnerRef:
    """Whose a line is, by its columns."""
    if not (user_id or agent_id or run_id):
        return tenant
    return Scope(
        tenant=tenant, user_id=user_id or None, agent_id=agent_id or None, run_id=run_id or None
    )
