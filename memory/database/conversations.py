"""Captured turns.

There is one table: a conversation is the set of turns that name it, its watermark the turns marked
as learned. Every answer waits for the recording of its turn, so recording is one statement. An
erased turn stays as a row without text, so that it is recognised when a client sends it again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from ..model.across_scopes import TurnCounts
from ..model.owner import owning_tenant
from ..model.times import from_ms, to_ms
from ..model.types import OwnerRef, Recent, Recorded, Scope, Turn
from .rows import filled, scope_columns, scope_from, whose, whose_or_all
from .scripts import Row, Script, SqlStatement, each, listed
from .summaries import SqlSummaries
from .turn_rows import LEARNED, TURN, UNREAD, name_of, recent_from, turn_from, values_of

T = TypeVar("T")
_SELECT = f"SELECT {TURN.names} FROM turns"  # noqa: S608 - a constant
_RECENT = f"SELECT {TURN.names}, note, learned FROM turns"  # noqa: S608 - a constant
_KEPT = "erased = 0 AND remembered = 0"
# The first condition is what an index is read by.
_AFTER = """
    created_at <= (SELECT created_at FROM turns WHERE id = :after)
    AND (created_at, position) < (SELECT created_at, position FROM turns WHERE id = :after)
"""

# What others of the conversation await is counted without the turn itself: in PostgreSQL a
# statement does not see its own row.
_OTHERS = "FROM turns WHERE conversation_id = :conversation_id AND learned = 0 AND id <> :id"
_RECORD = f"""
    INSERT INTO turns (id, conversation_id, seq, tenant, user_id, agent_id, run_id, user_text,
                       assistant_text, model, created_at, steps, recalled, images, tokens,
                       response_id, upstream_id, zone, before, asked, uncounted, learned)
    VALUES (:id, :conversation_id,
            (SELECT coalesce(max(seq), 0) + 1 FROM turns WHERE conversation_id = :conversation_id),
            :tenant, :user_id, :agent_id, :run_id, :user_text, :assistant_text, :model, :created_at,
            :steps, :recalled, :images, :tokens, :response_id, :upstream_id, :zone,
            -- What was erased comes back with no later turn.
            CASE WHEN EXISTS (SELECT 1 FROM turns WHERE id IN :before_ids[] AND erased = 1)
                 THEN NULL ELSE :before END,
            :asked, coalesce(:asked, :recalled), :learned)
    ON CONFLICT (id) DO UPDATE SET
        assistant_text = CASE turns.erased WHEN 1 THEN '' ELSE excluded.assistant_text END,
        model = excluded.model,
        steps = CASE turns.erased WHEN 0 THEN excluded.steps END,
        recalled = CASE turns.erased WHEN 0 THEN excluded.recalled END,
        -- A request that goes on with a tool's result asks for nothing more.
        asked = CASE WHEN turns.erased = 1 THEN NULL
                     WHEN excluded.asked = '[]' THEN turns.asked ELSE excluded.asked END,
        tokens = CASE turns.erased WHEN 0 THEN excluded.tokens ELSE 0 END,
        response_id = CASE turns.erased WHEN 0 THEN excluded.response_id END,
        upstream_id = CASE turns.erased WHEN 0 THEN excluded.upstream_id END,
        -- Added to what is not counted yet: another answer may have been shown other memories.
        uncounted = CASE turns.erased WHEN 0 THEN coalesce(
            turns.uncounted || '\n' || coalesce(excluded.asked, excluded.recalled),
            turns.uncounted, excluded.asked, excluded.recalled) END
    RETURNING seq, learned, tokens, erased, before, note IS NOT NULL,
        (SELECT count(*) {_OTHERS}), (SELECT coalesce(sum(tokens), 0) {_OTHERS})
"""  # noqa: S608 - constants

_ERASE = """
    UPDATE turns SET learned = 1, erased = 1, user_text = '', assistant_text = '', steps = NULL,
                     recalled = NULL, asked = NULL, images = NULL, tokens = 0, note = NULL,
                     uncounted = NULL, response_id = NULL, upstream_id = NULL, before = NULL
    WHERE erased = 0 AND {where} RETURNING seq
"""
_NAMED = "tenant = :tenant AND id IN :ids[]"
_ERASE_NAMED = _ERASE.format(where=_NAMED)
_UNANSWER = f"UPDATE turns SET assistant_text = '', steps = NULL WHERE {_NAMED} RETURNING seq"  # noqa: S608 - a constant
_REPEATING = """
    SELECT id, before FROM turns WHERE before IS NOT NULL AND tenant = :tenant
    AND conversation_id IN (SELECT conversation_id FROM turns WHERE id IN :ids[])
"""
_CUT_LOOSE = "UPDATE turns SET before = NULL, note = NULL WHERE tenant = :tenant AND id IN :ids[]"
_THREAD = f"""
    {_SELECT} WHERE {{column}} = :name AND erased = 0 AND tenant = :tenant
    AND coalesce(user_id, '') = :user_id AND coalesce(agent_id, '') = :agent_id
    AND coalesce(run_id, '') = :run_id ORDER BY created_at DESC, seq DESC LIMIT 1
"""
_BEFORE = f"""
    {_SELECT} WHERE conversation_id = :place AND erased = 0 AND seq <= :upto
    ORDER BY seq DESC LIMIT :limit
"""
_DATES = """
    SELECT id, CASE erased WHEN 0 THEN created_at END FROM turns
    WHERE conversation_id = :place AND id IN :ids[]
"""
_COUNTS = f"""
    SELECT (SELECT count(*) FROM turns WHERE {_KEPT} AND {{where}}),
           (SELECT count(*) FROM turns WHERE learned = 0 AND {{where}})
"""  # noqa: S608 - a constant
# Since it was read, what a turn repeated may have been erased, or somebody may have noted something
# else, as a person who judges what it says: then it is found again.
_ANNOTATE = """
    UPDATE turns SET note = :note WHERE id = :id AND conversation_id = :conversation_id
    AND erased = 0 AND coalesce(before, '') = :before AND coalesce(note, '') = :note_was
    RETURNING id
"""
_REMEMBERED = "UPDATE turns SET remembered = 1 WHERE conversation_id = :place AND id IN :ids[]"
_LEARNED = "UPDATE turns SET learned = 1 WHERE conversation_id = :place AND seq <= :upto AND "
_READ = """
    UPDATE turns SET learned = 1 WHERE conversation_id = :place AND learned = 0 AND id IN :ids[]
"""
_TAIL = f"{_SELECT} WHERE conversation_id = :place ORDER BY seq DESC LIMIT :limit"
_GIVE_UP = """
    UPDATE turns SET learned = 2
    WHERE conversation_id = :place AND seq > :after AND seq <= :upto AND erased = 0
"""
# All turns count here, whether they are learned or not.
_SILENT = """
    AND NOT EXISTS (SELECT 1 FROM turns AS later WHERE created_at > :since
                    AND later.conversation_id = turns.conversation_id)
"""
# The id is that of `learn.job_for`.
_UNQUEUED = """
    AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = turns.conversation_id || ':' || turns.seq)
"""
# Turns of one conversation have one scope.
_PENDING = f"""
    {_SELECT} WHERE (conversation_id, seq) IN (
        SELECT conversation_id, max(seq) FROM turns WHERE learned = 0 AND {{where}}
        GROUP BY conversation_id
    ) {{silent}} ORDER BY created_at
"""  # noqa: S608 - a constant


class SqlConversations(SqlSummaries):
    """The captured turns, and how far each conversation was learned."""

    async def record(self, turn: Turn) -> Recorded:
        """Keep the turn durably.

        A turn with a known id is the same turn sent again: its answer, steps and recalled memories
        are replaced, and nothing is counted twice. A learned turn stays learned, an erased one
        stays erased and learned.
        """
        # What a turn repeats of others may be erased at the same time.
        once = turn.scope.tenant if turn.before else None
        [row] = await self.scripts.statement(_RECORD, _recorded(Recent(turn)), once=once)
        seq, learned, tokens, erased, kept, is_noted, others, their_tokens = row
        pending = learned == 0
        return Recorded(
            seq,
            others + pending,
            int(their_tokens) + pending * tokens,
            erased=bool(erased),
            alone=turn.before is not None and kept is None,
            is_noted=bool(is_noted),
        )

    async def record_read(self, found: Sequence[Recent]) -> None:
        """Record turns in their order, as `record` does, of one tenant.

        Those that are `learned` or `unread` await no learning; it is as `record` left it for those
        that were known.
        """
        tenants = {one.turn.scope.tenant for one in found}
        rows = list(map(_recorded, found))
        await self.scripts.change(lambda: each(_RECORD, rows), tenants=tenants)

    async def unlearned(self, conversation_id: str, upto_seq: int) -> list[Turn]:
        """Turns after the watermark and up to `upto_seq`, in order."""
        where = "conversation_id = :place AND learned = 0 AND seq <= :upto"
        return await self._read(where, {"place": conversation_id, "upto": upto_seq})

    async def turns(
        self, conversation_id: str, after_seq: int, upto_seq: int, *, learned_only: bool = False
    ) -> list[Turn]:
        """Turns after one position and up to another, in order; none erased.

        With `learned_only` without those that await learning or were given up.
        """
        where = "conversation_id = :place AND erased = 0 AND seq > :after AND seq <= :upto"
        if learned_only:
            where = f"{where} AND learned = 1"
        values = {"place": conversation_id, "after": after_seq, "upto": upto_seq}
        return await self._read(where, values)

    async def thread(self, scope: Scope, name: str, *, limit: int) -> list[Turn]:
        """The turn that `name` continues from, after at most `limit` - 1 turns before it, in order.

        `name` is a `response_id` or an `upstream_id`; of several turns the last one is meant. Only
        turns of exactly this scope; empty if the turn is unknown or was erased.
        """
        return await self.scripts.read(lambda: _thread(scope, name, limit))

    async def begun_with(self, owner_ref: OwnerRef, name: str) -> list[Turn]:
        """The newest turns whose ids, or their conversations', begin so; none erased."""
        where, values = whose(owner_ref)
        sql = f"""
            {_SELECT} WHERE erased = 0 AND {where}
            AND :name IN (substr(conversation_id, 1, :chars), substr(id, 1, :chars))
            ORDER BY created_at DESC, position DESC LIMIT 200
        """
        named = {**values, "name": name, "chars": len(name)}
        return await self.scripts.rows(sql, named, turn_from)

    async def mark_learned(
        self, conversation_id: str, upto_seq: int, *, after_seq: int | None = None
    ) -> None:
        """Move the watermark; it never moves back.

        With `after_seq` the given up turns after it are learned too.
        """
        which = "learned = 0" if after_seq is None else "(learned = 0 OR seq > :after)"
        values = {"place": conversation_id, "upto": upto_seq, "after": after_seq}
        await self.scripts.statement(_LEARNED + which, values)

    async def mark_read(self, conversation_id: str, turn_ids: Collection[str]) -> None:
        """Count these turns as learned, and no others: whoever recorded them has read them."""
        await self.scripts.statement(_READ, {"place": conversation_id, "ids": turn_ids})

    async def tail(self, conversation_id: str, *, limit: int) -> list[Turn]:
        """The last turns, in order; those that were erased too, without their texts."""
        values = {"place": conversation_id, "limit": limit}
        return (await self.scripts.rows(_TAIL, values, turn_from))[::-1]

    async def give_up(self, conversation_id: str, after_seq: int, upto_seq: int) -> None:
        """Count the turns after one position and up to another as learned, but keep their texts.

        `prune` leaves them until `mark_learned` learns them after all.
        """
        values = {"place": conversation_id, "after": after_seq, "upto": upto_seq}
        await self.scripts.statement(_GIVE_UP, values)

    async def dates(
        self, conversation_id: str, turn_ids: Sequence[str]
    ) -> dict[str, datetime | None]:
        """When each of these turns was created, None for one that was erased.

        Those that this conversation did not record are left out.
        """
        values = {"place": conversation_id, "ids": turn_ids}
        rows = await self.scripts.statement(_DATES, values)
        return {turn_id: None if at is None else from_ms(at) for turn_id, at in rows}

    async def recent(
        self, scope: Scope, *, limit: int, until: datetime | None = None, after: str = ""
    ) -> list[Recent]:
        """The newest turns that the scope admits, newest first.

        Without those that were erased, and those whose facts are memories (`mark_remembered`). Of
        `until` or before, and those that come after the turn with the id `after`.
        """
        return await self._newest(
            _RECENT, scope, recent_from, limit=limit, until=until, after=after
        )

    async def notes(
        self, scope: Scope, read: Callable[[str | None], T], *, until: datetime | None = None
    ) -> list[tuple[str, T]]:
        """The ids of all turns that `recent` finds, each with what `read` makes of its note."""
        return await self._newest(
            "SELECT id, note FROM turns", scope, lambda row: (row[0], read(row[1])), until=until
        )

    async def named(self, tenant: str, turn_ids: Sequence[str]) -> list[Recent]:
        """The turns of a tenant with these ids, in any order; others than `recent` finds never."""
        sql = f"{_RECENT} WHERE {_KEPT} AND {_NAMED}"
        return await self.scripts.rows(sql, {"tenant": tenant, "ids": turn_ids}, recent_from)

    async def recent_ids(self, scope: Scope, *, limit: int) -> list[str]:
        """The ids of the turns that `recent` finds, and maybe of others, newest first.

        For reading many turns some at a time, by `named`.
        """
        return await self._newest(
            "SELECT id FROM turns", scope, lambda row: str(row[0]), limit=limit
        )

    async def scopes(self, owner_ref: OwnerRef | None) -> list[Scope]:
        """Every scope of an owner, and maybe others of it, that `recent` finds a turn of.

        None: of all tenants.
        """
        where, values = whose_or_all(owner_ref)
        sql = f"""
            SELECT DISTINCT tenant, user_id, agent_id, run_id FROM turns WHERE {_KEPT} AND {where}
        """  # noqa: S608 - see `whose`
        return await self.scripts.rows(sql, values, lambda row: scope_from(*row))

    async def counts(self, owner_ref: OwnerRef) -> TurnCounts:
        """How many turns of an owner there are. Reads no texts."""
        where, values = whose(owner_ref)
        sql = _COUNTS.format(where=where)
        [counts] = await self.scripts.rows(sql, values, lambda row: TurnCounts(*row))
        return counts

    async def annotate(self, found: Sequence[tuple[Recent, str]]) -> int:
        """Keep what was found in turns as they were read, until they are erased; of how many.

        The text is the caller's business. Nothing is kept of a turn that is unknown, that lost what
        it repeated since, or of which something else was noted since: that stays.
        """
        rows = [_noted(read, note) for read, note in found]
        if not rows:  # as most often, when somebody denies what nothing else says
            return 0
        return len(await self.scripts.change(lambda: each(_ANNOTATE, rows), tenants=()))

    async def mark_remembered(
        self, scope: Scope, conversation_id: str, turn_ids: Collection[str]
    ) -> None:
        """Note that memories took the place of these turns of a scope: `recent` omits them."""
        del scope  # a conversation is of one scope
        await self.scripts.statement(_REMEMBERED, {"place": conversation_id, "ids": turn_ids})

    async def pending(
        self, *, idle_since: datetime | None, scope: Scope | None, queued: bool = True
    ) -> list[Turn]:
        """The last turn of each conversation that has unlearned turns.

        Only conversations without a turn after `idle_since`, and with records that `scope` admits;
        without those of which that turn is `queued` already, unless they are wanted too.
        """
        where, ids = whose_or_all(scope)
        values: dict[str, Any] = {**ids}
        silent = ""
        if idle_since is not None:
            silent, values["since"] = _SILENT, to_ms(idle_since)
        if not queued:
            silent = _UNQUEUED + silent
        sql = _PENDING.format(where=where, silent=silent)
        return await self.scripts.rows(sql, values, turn_from)

    async def erase(self, owner_ref: OwnerRef) -> int:
        """Erase the texts of all turns of a tenant, or of all that a scope admits.

        The turns stay known and learned: a client that sends one again does not bring it back.
        Returns how many held text.
        """
        where, values = whose(owner_ref)
        return await self._erased(
            _ERASE.format(where=where), values, tenants={owning_tenant(owner_ref)}
        )

    async def erase_turns(self, tenant: str, turn_ids: Sequence[str]) -> int:
        """The same for single turns of a tenant; unknown ids are no error.

        Later turns whose `before` names one of them lose that, and what was found in them.
        """
        return await self.scripts.change(
            lambda: _cut_loose(_ERASE_NAMED, {"tenant": tenant, "ids": turn_ids}),
            tenants={tenant},
            erases=True,
        )

    async def erase_answers(self, tenant: str, turn_ids: Sequence[str]) -> None:
        """Erase what models said and tools found in turns; what the user said stays.

        Later turns whose `before` names one of them lose that, and what was found in them.
        """
        values = {"tenant": tenant, "ids": turn_ids}
        await self.scripts.change(
            lambda: _cut_loose(_UNANSWER, values), tenants={tenant}, erases=True
        )

    async def prune(self, *, learned_before: datetime) -> int:
        """Erase the texts of turns created before then; how many held text.

        Of those that were learned or are left unread: the texts of what awaits learning stay, and
        of what was given up.
        """
        erased = 0
        for how in (LEARNED, UNREAD):
            sql = _ERASE.format(where=f"learned = {how} AND created_at < :learned_before")
            erased += await self._erased(sql, {"learned_before": to_ms(learned_before)})
        return erased

    async def _read(self, where: str, values: Mapping[str, object]) -> list[Turn]:
        return await self.scripts.rows(f"{_SELECT} WHERE {where} ORDER BY seq", values, turn_from)

    async def _newest(
        self,
        select: str,
        scope: Scope,
        decode: Callable[[Row], T],
        *,
        limit: int = 2**62,
        until: datetime | None = None,
        after: str = "",
    ) -> list[T]:
        where, values = whose(scope)
        more: dict[str, Any] = {"limit": limit}
        if until is not None:
            where, more["until"] = f"{where} AND created_at <= :until", to_ms(until)
        if after:
            where, more["after"] = f"{where} AND {_AFTER}", after
        sql = f"""
            {select} WHERE {_KEPT} AND {where} ORDER BY created_at DESC, position DESC LIMIT :limit
        """
        return await self.scripts.rows(sql, {**values, **more}, decode)


def _thread(scope: Scope, name: str, limit: int) -> Script[list[Turn]]:
    values = {**filled(scope), "name": name_of(name)}
    found: list[Turn] = []
    for column in ("response_id", "upstream_id"):
        found += yield from listed(_THREAD.format(column=column), values, turn_from)
    if not found:
        return []
    latest = max(found, key=lambda turn: (turn.created_at, turn.seq))
    place = {"place": latest.conversation_id, "upto": latest.seq, "limit": limit}
    before = yield from listed(_BEFORE, place, turn_from)
    return before[::-1]


def _cut_loose(erasing: str, values: Mapping[str, Any]) -> Script[int]:
    """Erase; turns that repeat what is erased forget it, and what is in them is found again."""
    gone = set(values["ids"])
    repeating = yield SqlStatement(_REPEATING, values)
    loose = [turn_id for turn_id, before in repeating if not gone.isdisjoint(json.loads(before)[0])]
    if loose:
        yield SqlStatement(_CUT_LOOSE, {**values, "ids": loose})
    erased = yield SqlStatement(erasing, values)
    return len(erased)


def _recorded(found: Recent) -> dict[str, object]:
    turn = found.turn
    learned = LEARNED if found.learned else UNREAD if found.unread else 0
    before_ids = turn.before.turn_ids if turn.before else ()
    return values_of(turn) | {"before_ids": before_ids, "learned": learned}


def _noted(read: Recent, note: str) -> dict[str, object]:
    turn = read.turn
    of = {"id": turn.id, "conversation_id": turn.conversation_id, **scope_columns(turn.scope)}
    was = {"before": values_of(turn)["before"] or "", "note_was": read.note or ""}
    return {**of, **was, "note": note}
