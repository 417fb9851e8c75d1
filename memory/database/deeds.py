"""The chains of what the memory did, one of each user, and the keys of the texts that they tell.

A link is added within the transaction of the change that it tells of, which no other one of its
tenant runs beside: so a chain has no forks.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby

from ..model.deeds import ChainHead, Deed, DeedLine, Link, link
from ..model.owner import owning_tenant, user_of
from ..model.row_kinds import is_passage, turns_in
from ..model.times import to_ms
from ..model.types import OwnerRef, Scope
from .changes import owner_of
from .rows import filled, owner_key, whose
from .scripts import Row, Script, SqlStatement
from .sql_part import SqlPart

PAGE = 500
"""Links of one reading."""
MOST_OLD = 200
"""Chains of one call of `prune`."""
_HEAD = "owner, tenant, user_id, agent_id, run_id, seq, hash, first_seq, first_hash"
_IS_KEY, _IS_THERE = -1, -2
"""In place of the number of a head: the row has a key, or the id of something that is there."""
_KNOWN = f"""
    SELECT {_HEAD} FROM deed_heads WHERE owner IN :owners[]
    UNION ALL SELECT memory_id, '', '', '', '', {_IS_KEY}, salt, 0, '' FROM deed_salts
    WHERE tenant = :tenant AND memory_id IN :ids[]
"""  # noqa: S608 - a constant
_SALT = """
    INSERT INTO deed_salts (tenant, memory_id, ground, user_id, agent_id, run_id, salt)
    VALUES (:tenant, :memory_id, :ground, :user_id, :agent_id, :run_id, :salt)
"""
_ADD = """
    INSERT INTO deeds (owner, seq, at, told, hash) VALUES (:owner, :seq, :at, :told, :hash)
"""
_SET = f"""
    INSERT INTO deed_heads ({_HEAD}) VALUES (:owner, :tenant, :user_id, :agent_id, :run_id,
        :seq, :hash, :first_seq, :first_hash)
    ON CONFLICT (owner) DO UPDATE SET seq = excluded.seq, hash = excluded.hash
"""  # noqa: S608 - a constant
_SALTS = """
    SELECT memory_id, salt FROM deed_salts WHERE tenant = :tenant AND memory_id IN :ids[]
"""
_THERE = f"""
    {_KNOWN}
    UNION ALL SELECT id, '', '', '', '', {_IS_THERE}, '', 0, '' FROM memories
    WHERE tenant = :tenant AND id IN :ids[]
    UNION ALL SELECT id, '', '', '', '', {_IS_THERE}, '', 0, '' FROM turns
    WHERE tenant = :tenant AND id IN :turns[] AND erased = 0
"""  # noqa: S608 - constants
_OLD = f"""
    SELECT DISTINCT deeds.owner, tenant FROM deeds JOIN deed_heads ON deed_heads.owner = deeds.owner
    WHERE at < :before LIMIT {MOST_OLD}
"""  # noqa: S608 - a number
_LAST_OLD = """
    SELECT seq, hash FROM deeds WHERE owner = :owner AND seq < coalesce(
        (SELECT min(seq) FROM deeds WHERE owner = :owner AND at >= :before),
        (SELECT max(seq) + 1 FROM deeds WHERE owner = :owner))
    ORDER BY seq DESC LIMIT 1
"""
_BEGIN = "UPDATE deed_heads SET first_seq = :seq, first_hash = :hash WHERE owner = :owner"
_UNSAID = """
    DELETE FROM deed_salts WHERE ground <> ''
    AND EXISTS (SELECT 1 FROM turns WHERE turns.id = deed_salts.ground AND turns.erased = 1)
"""


class SqlDeeds(SqlPart):
    """What was done, in the order in which it was, and the keys of the texts it tells."""

    async def add(self, deeds: Sequence[Deed], *, late: bool = False) -> list[Link]:
        """Add these to the chains of their users, in this order; the links.

        `late`: some time after it was done. Of what is gone by then, no text is told.
        """
        tenants = {deed.scope.tenant for deed in deeds}
        return await self.scripts.change(lambda: _add(deeds, late=late), tenants=tenants)

    async def heads(self, owner_ref: OwnerRef) -> list[ChainHead]:
        """The chains of a tenant or of a user, by their ids."""
        where, values = whose(owner_ref)
        ids = "tenant, user_id, agent_id, run_id"
        sql = f"SELECT {_HEAD} FROM deed_heads WHERE {where} ORDER BY {ids}"  # noqa: S608 - see whose
        return await self.scripts.rows(sql, values, _head_of)

    async def page(self, owner: str, after: int, upto: int) -> list[Link]:
        """The next links of a chain after one number, and not after another."""
        sql = f"""
            SELECT owner, seq, told, hash FROM deeds
            WHERE owner = :owner AND seq > :after AND seq <= :upto ORDER BY seq LIMIT {PAGE}
        """  # noqa: S608 - a number
        values = {"owner": owner, "after": after, "upto": upto}
        return await self.scripts.rows(sql, values, lambda row: Link(*row))

    async def salts(self, tenant: str, memory_ids: Collection[str]) -> dict[str, str]:
        """The keys of the texts of these memories, as far as they are not forgotten."""
        rows = await self.scripts.statement(_SALTS, {"tenant": tenant, "ids": memory_ids})
        return {row[0]: row[1] for row in rows}

    async def forget(self, tenant: str, ids: Collection[str], turns: Collection[str] = ()) -> None:
        """Drop the keys of all texts of these memories, and of what was said in these turns."""
        of = {"memory_id": ids, "ground": turns}
        for column, names in of.items():
            if names:
                sql = f"DELETE FROM deed_salts WHERE tenant = :tenant AND {column} IN :names[]"  # noqa: S608 - constants
                await self.scripts.statement(sql, {"tenant": tenant, "names": names})

    async def forget_all(self, owner_ref: OwnerRef) -> None:
        """Drop the keys of all texts of a tenant, or of all that a scope admits."""
        where, values = whose(owner_ref)
        sql = f"DELETE FROM deed_salts WHERE {where} RETURNING salt"  # noqa: S608 - see whose
        await self._erased(sql, values, tenants={owning_tenant(owner_ref)})

    async def forget_unsaid(self) -> None:
        """Drop the keys of what was said in turns whose texts were erased."""
        await self._erased(f"{_UNSAID} RETURNING salt", {})

    async def prune(self, *, before: datetime) -> None:
        """Remove the links from before then; each chain notes where it begins since."""
        values = {"before": to_ms(before)}
        for owner, tenant in await self.scripts.statement(_OLD, values):
            of = {**values, "owner": owner}
            await self.scripts.change(lambda of=of: _prune(of), tenants={tenant})  # type: ignore[misc]


def _add(deeds: Sequence[Deed], *, late: bool) -> Script[list[Link]]:
    links: list[Link] = []
    for tenant, some in groupby(deeds, key=lambda deed: deed.scope.tenant):
        links += yield from _add_of(tenant, list(some), late=late)
    return links


def _add_of(tenant: str, deeds: Sequence[Deed], *, late: bool) -> Script[list[Link]]:
    heads = {head.owner: head for head in map(_new_head, deeds)}
    told = {line.memory_id: deed.scope for deed, line in _told(deeds)}
    values: dict[str, object] = {"owners": list(heads), "tenant": tenant, "ids": list(told)}
    if late:
        turns = {each: ground_of(each) for each in told}
        known = yield SqlStatement(_THERE, values | {"turns": [*filter(None, turns.values())]})
        there = {row[0] for row in known if row[5] == _IS_THERE}
        # Whoever forgets a memory has dropped its key, and none is made for it again.
        told = {each: told[each] for each in told if {each, turns[each]} & there}
    else:
        known = yield SqlStatement(_KNOWN, values)
    keys = {row[0]: row[6] for row in known if row[5] == _IS_KEY}
    heads |= {row[0]: _head_of(row) for row in known if row[5] >= 0}
    new = {each: secrets.token_hex(16) for each in told if each not in keys}
    if new:
        rows = [_salt_row(each, told[each], salt) for each, salt in new.items()]
        yield SqlStatement(_SALT, many=rows)
    salts = {each: (keys | new)[each] for each in told}
    links = []
    for deed in deeds:
        head = heads[owner_key(user_of(deed.scope))]
        made = link(deed, head, salts)
        heads[head.owner] = replace(head, seq=made.seq, hash=made.hash)
        links.append((made, to_ms(deed.at)))
    yield SqlStatement(_ADD, many=[_row(made, at) for made, at in links])
    yield SqlStatement(_SET, many=list(map(_head_row, heads.values())))
    return [made for made, _ in links]


def _new_head(deed: Deed) -> ChainHead:
    user = user_of(deed.scope)
    return ChainHead(owner_key(user), user)


def _told(deeds: Sequence[Deed]) -> Iterator[tuple[Deed, DeedLine]]:
    """The lines that tell a text."""
    for deed in deeds:
        for line in deed.lines:
            if line.digest is not None:
                yield deed, line


def ground_of(memory_id: str) -> str:
    """The turn whose text a line shows; '' for a memory."""
    return turns_in(memory_id)[-1] if is_passage(memory_id) else ""


def _prune(values: dict[str, object]) -> Script[None]:
    last = yield SqlStatement(_LAST_OLD, values)
    if last:
        end = {"owner": values["owner"], "seq": last[0][0], "hash": last[0][1]}
        yield SqlStatement("DELETE FROM deeds WHERE owner = :owner AND seq <= :seq", end)
        yield SqlStatement(_BEGIN, end)


def _row(made: Link, at: int) -> dict[str, object]:
    return {"owner": made.owner, "seq": made.seq, "at": at, "told": made.told, "hash": made.hash}


def _salt_row(memory_id: str, scope: Scope, salt: str) -> dict[str, object]:
    named = {"memory_id": memory_id, "ground": ground_of(memory_id), "salt": salt}
    return {**filled(scope), **named}


def _head_row(head: ChainHead) -> dict[str, object]:
    ends = {"seq": head.seq, "hash": head.hash}
    begin = {"first_seq": head.first_seq, "first_hash": head.first_hash}
    return {"owner": head.owner, **filled(head.scope), **ends, **begin}


def _head_of(row: Row) -> ChainHead:
    owner, tenant, user, agent, run, seq, hashed, first_seq, first_hash = row
    scope = owner_of(tenant, user, agent, run)
    assert isinstance(scope, Scope)  # noqa: S101 - a chain is a user's, an agent's or a run's
    return ChainHead(owner, scope, int(seq), hashed, int(first_seq), first_hash)
