"""Captured turns in SQLite.

There is one table: a conversation is the set of turns that name it, its watermark the turns marked
as learned (1, or 2 if they were given up). Every answer waits for the recording of its turn, so
recording is one statement. An erased turn stays as a row without text, so that it is recognised
when a client sends it again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from ...database.rows import scope_from
from ...model.times import from_ms, to_ms
from ...model.types import OwnerRef, Recent, Recorded, Scope, Turn
from ...model.wide import TurnCounts
from .rows import id_list, where_whose
from .summaries import SqliteSummaries
from .turn_rows import COLUMNS, recent_from, turn_from, values_of

_SELECT = f"SELECT {COLUMNS} FROM turns"  # noqa: S608 - a constant

_RECORD = """
    INSERT INTO turns (id, conversation_id, seq, tenant, user_id, agent_id, run_id, user_text,
                       assistant_text, model, created_at, steps, recalled, images, tokens,
                       response_id, upstream_id, zone, before, asked, uncounted)
    VALUES (:id, :conversation_id,
            (SELECT coalesce(max(seq), 0) + 1 FROM turns WHERE conversation_id = :conversation_id),
            :tenant, :user_id, :agent_id, :run_id, :user_text, :assistant_text, :model, :created_at,
            :steps, :recalled, :images, :tokens, :response_id, :upstream_id, :zone,
            -- What was erased comes back with no later turn.
            iif(EXISTS (SELECT 1 FROM json_each(:before, '$[#-3]') AS named
                        JOIN turns AS gone ON gone.id = named.value WHERE gone.erased),
                NULL, :before),
            :asked, coalesce(:asked, :recalled))
    ON CONFLICT (id) DO UPDATE SET
        assistant_text = iif(erased, '', excluded.assistant_text),
        model = excluded.model,
        steps = iif(erased, NULL, excluded.steps),
        recalled = iif(erased, NULL, excluded.recalled),
        -- A request that goes on with a tool's result asks for nothing more.
        asked = iif(erased, NULL, iif(excluded.asked = '[]', asked, excluded.asked)),
        tokens = iif(erased, 0, excluded.tokens),
        response_id = iif(erased, NULL, excluded.response_id),
        upstream_id = iif(erased, NULL, excluded.upstream_id),
        -- Added to what is not counted yet: another answer may have been shown other memories.
        uncounted = iif(erased, NULL, coalesce(
            uncounted || char(10) || coalesce(excluded.asked, excluded.recalled),
            uncounted, excluded.asked, excluded.recalled))
    RETURNING seq,
        (SELECT count(*) FROM turns WHERE conversation_id = :conversation_id AND NOT learned),
        (SELECT coalesce(sum(tokens), 0) FROM turns
         WHERE conversation_id = :conversation_id AND NOT learned),
        -- Not IS NULL: SQLite 3.40 takes that for false here.
        erased, typeof(before) = 'null'
"""

_ERASE = """
    UPDATE turns SET learned = 1, erased = 1, user_text = '', assistant_text = '', steps = NULL,
                     recalled = NULL, asked = NULL, images = NULL, tokens = 0, note = NULL,
                     uncounted = NULL, response_id = NULL, upstream_id = NULL, before = NULL
    WHERE NOT erased AND
"""

_CUT_LOOSE = """
    UPDATE turns SET before = NULL, note = NULL
    WHERE before IS NOT NULL AND tenant = :tenant AND conversation_id IN (
        SELECT conversation_id FROM turns WHERE id IN (SELECT value FROM json_each(:ids))
    ) AND EXISTS (
        SELECT 1 FROM json_each(before, '$[#-3]') AS named
        WHERE named.value IN (SELECT value FROM json_each(:ids))
    )
"""
"""Turns that repeat what is erased forget it; what was found in them is found again."""


class SqliteConversations(SqliteSummaries):
    """A `ConversationStore` in one file."""

    async def record(self, turn: Turn) -> Recorded:
        [recorded] = await self._database.statement(_RECORD, values_of(turn))
        seq, pending, tokens, erased, alone = recorded
        alone = turn.before is not None and bool(alone)
        return Recorded(seq, pending, tokens, erased=bool(erased), alone=alone)

    async def unlearned(self, conversation_id: str, upto_seq: int) -> list[Turn]:
        return await self._read(
            f"{_SELECT} WHERE conversation_id = ? AND NOT learned AND seq <= ? ORDER BY seq",
            [conversation_id, upto_seq],
        )

    async def turns(
        self, conversation_id: str, after_seq: int, upto_seq: int, *, learned_only: bool = False
    ) -> list[Turn]:
        return await self._read(
            f"{_SELECT} WHERE conversation_id = ? AND NOT erased AND seq > ? AND seq <= ? "
            "AND (learned = 1 OR NOT ?) ORDER BY seq",
            [conversation_id, after_seq, upto_seq, learned_only],
        )

    async def thread(self, scope: Scope, name: str, *, limit: int) -> list[Turn]:
        found: dict[str, Turn] = {}
        for column in ("response_id", "upstream_id"):
            # A scope id is never empty. `IS` finds the ids that are not set.
            for turn in await self._read(
                f"{_SELECT} WHERE {column} = ? AND NOT erased AND tenant = ? "
                "AND user_id IS ? AND agent_id IS ? AND run_id IS ? "
                "ORDER BY created_at DESC, seq DESC LIMIT 1",
                [name, scope.tenant, scope.user_id, scope.agent_id, scope.run_id],
            ):
                found[turn.id] = turn
        if not found:
            return []
        last = max(found.values(), key=lambda turn: (turn.created_at, turn.seq))
        before = await self._read(
            f"{_SELECT} WHERE conversation_id = ? AND NOT erased AND seq <= ? "
            "ORDER BY seq DESC LIMIT ?",
            [last.conversation_id, last.seq, limit],
        )
        return before[::-1]

    async def mark_learned(
        self, conversation_id: str, upto_seq: int, *, after_seq: int | None = None
    ) -> None:
        which, values = "NOT learned", [conversation_id, upto_seq]
        if after_seq is not None:
            which, values = "(NOT learned OR seq > ?)", [*values, after_seq]
        await self._database.change(
            f"UPDATE turns SET learned = 1 WHERE conversation_id = ? AND seq <= ? AND {which}",  # noqa: S608 - constants
            values,
        )

    async def give_up(self, conversation_id: str, after_seq: int, upto_seq: int) -> None:
        await self._database.change(
            "UPDATE turns SET learned = 2 "
            "WHERE conversation_id = ? AND seq > ? AND seq <= ? AND NOT erased",
            (conversation_id, after_seq, upto_seq),
        )

    async def dates(
        self, conversation_id: str, turn_ids: Sequence[str]
    ) -> dict[str, datetime | None]:
        rows = await self._database.statement(
            "SELECT id, iif(erased, NULL, created_at) FROM turns WHERE conversation_id = :place "
            "AND id IN (SELECT value FROM json_each(:ids))",
            {"place": conversation_id, "ids": id_list(turn_ids)},
        )
        return {turn_id: None if at is None else from_ms(at) for turn_id, at in rows}

    async def recent(self, scope: Scope, *, limit: int) -> list[Recent]:
        where, values = where_whose(scope)
        return await self._database.read(
            f"SELECT {COLUMNS}, note, learned FROM turns "  # noqa: S608 - see where_whose
            f"WHERE NOT erased AND NOT remembered AND {where} "
            "ORDER BY created_at DESC, rowid DESC LIMIT ?",
            [*values, limit],
            recent_from,
        )

    async def named(self, tenant: str, turn_ids: Sequence[str]) -> list[Recent]:
        return await self._database.read(
            f"SELECT {COLUMNS}, note, learned FROM turns "  # noqa: S608 - constants
            "WHERE NOT erased AND NOT remembered AND tenant = ? "
            "AND id IN (SELECT value FROM json_each(?))",
            [tenant, id_list(turn_ids)],
            recent_from,
        )

    async def recent_ids(self, scope: Scope, *, limit: int) -> list[str]:
        where, values = where_whose(scope)
        return await self._database.read(
            "SELECT id FROM turns "  # noqa: S608 - see where_whose
            f"WHERE NOT erased AND NOT remembered AND {where} "
            "ORDER BY created_at DESC, rowid DESC LIMIT ?",
            [*values, limit],
            lambda row: str(row[0]),
        )

    async def scopes(self, owner_ref: OwnerRef | None) -> list[Scope]:
        where, values = ("TRUE", []) if owner_ref is None else where_whose(owner_ref)
        return await self._database.read(
            "SELECT DISTINCT tenant, user_id, agent_id, run_id FROM turns "  # noqa: S608 - as above
            f"WHERE NOT erased AND NOT remembered AND {where}",
            values,
            lambda row: scope_from(*row),
        )

    async def counts(self, owner_ref: OwnerRef) -> TurnCounts:
        where, values = where_whose(owner_ref)
        [counts] = await self._database.read(
            "SELECT (SELECT count(*) FROM turns "  # noqa: S608 - see where_whose
            f"WHERE NOT erased AND NOT remembered AND {where}), "
            f"(SELECT count(*) FROM turns WHERE NOT learned AND {where})",
            [*values, *values],
            lambda row: TurnCounts(int(str(row[0])), int(str(row[1]))),
        )
        return counts

    async def annotate(self, notes: Mapping[str, Mapping[str, str]]) -> None:
        rows = [
            (note, turn_id, conversation_id)
            for conversation_id, found in notes.items()
            for turn_id, note in found.items()
        ]
        await self._database.run(
            lambda connection: connection.executemany(
                "UPDATE turns SET note = ? WHERE id = ? AND conversation_id = ? AND NOT erased",
                rows,
            )
        )

    async def mark_remembered(
        self, scope: Scope, conversation_id: str, turn_ids: Collection[str]
    ) -> None:
        del scope  # a conversation is of one scope
        await self._database.change(
            "UPDATE turns SET remembered = 1 "
            "WHERE conversation_id = ? AND id IN (SELECT value FROM json_each(?))",
            (conversation_id, id_list(list(turn_ids))),
        )

    async def pending(self, *, idle_since: datetime | None, scope: Scope | None) -> list[Turn]:
        where, values = ("TRUE", []) if scope is None else where_whose(scope)
        silent = ""
        if idle_since is not None:
            # All turns count here, whether they are learned or not.
            silent = (
                "AND NOT EXISTS (SELECT 1 FROM turns later WHERE created_at > ? "
                "AND later.conversation_id = turns.conversation_id)"
            )
            values = [*values, to_ms(idle_since)]
        # Turns of one conversation have one scope.
        return await self._read(
            f"{_SELECT} WHERE (conversation_id, seq) IN (SELECT conversation_id, max(seq) "  # noqa: S608 - see where_whose
            f"FROM turns WHERE NOT learned AND {where} GROUP BY conversation_id) {silent} "
            "ORDER BY created_at",
            values,
        )

    async def erase(self, owner_ref: OwnerRef) -> int:
        where, values = where_whose(owner_ref)
        return await self._erase(where, values)

    async def erase_turns(self, tenant: str, turn_ids: Sequence[str]) -> int:
        named = id_list(turn_ids)
        where = "tenant = ? AND id IN (SELECT value FROM json_each(?))"

        def erase(connection: sqlite3.Connection) -> int:
            connection.execute(_CUT_LOOSE, {"tenant": tenant, "ids": named})
            return connection.execute(f"{_ERASE} {where}", [tenant, named]).rowcount

        return await self._database.run(erase, erases=True)

    async def prune(self, *, learned_before: datetime) -> int:
        # `learned` alone lets SQLite use the partial index.
        where = "learned AND learned = 1 AND created_at < ?"
        return await self._erase(where, [to_ms(learned_before)])

    async def close(self) -> None:
        await self._database.close()

    async def _read(self, sql: str, values: Sequence[object]) -> list[Turn]:
        return await self._database.read(sql, values, turn_from)

    async def _erase(self, where: str, values: Sequence[object]) -> int:
        return await self._database.change(f"{_ERASE} {where}", values, erases=True)
