"""Scripts about what is to be linked: memories by their versions, and owners who were disturbed."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime

from ...index.digests import digest
from ...model.graph import ReadVersion, Refold
from ...model.times import from_ms
from ...model.types import OwnerRef, Scope, text_hash
from ..rows import owner_key, scope_columns, scope_from
from ..scripts import Row, Script, SqlStatement
from .rows import seeing

UNLINKED = "status = 'active' AND linked_version < version"
"""The memories that are to be linked: an index has just these."""
_FOLD_BYTES = 16
"""No two folds have the same name."""
_DISTURBED = """
    INSERT INTO graph_again (owner, tenant, user_id, agent_id, run_id, version, fold)
    VALUES (:owner, :tenant, :user_id, :agent_id, :run_id, 1, '')
    ON CONFLICT (owner) DO UPDATE SET version = graph_again.version + 1
"""
_COME_BETWEEN = "UPDATE graph_again SET version = version + 1 WHERE owner = :owner"
DISTURBED = "SELECT tenant, user_id, agent_id, run_id FROM graph_again ORDER BY owner LIMIT :limit"
_BEGIN = """
    INSERT INTO graph_again (owner, tenant, user_id, agent_id, run_id, version, fold)
    VALUES (:owner, :tenant, :user_id, :agent_id, :run_id, 1, :fold)
    ON CONFLICT (owner) DO UPDATE SET fold = excluded.fold RETURNING version
"""
_GOES_ON = "SELECT 1 FROM graph_again WHERE owner = :owner AND fold = :fold"
_END = """
    DELETE FROM graph_again WHERE owner = :owner AND fold = :fold AND version = :version
    RETURNING owner
"""
_READ = f"""
    SELECT id, version, text, tenant, user_id, agent_id, run_id, {UNLINKED} FROM memories
    WHERE tenant = :tenant AND id IN :ids[] AND status = 'active'
"""  # noqa: S608 - a constant
_LINKED = "UPDATE memories SET linked_version = version WHERE tenant = :tenant AND id IN :ids[]"


def claim(tenant: str, read: Mapping[str, ReadVersion]) -> Script[dict[str, bool]]:
    """Note that these memories are linked as they were read, within the transaction of `link`.

    Those that still are as they were read, each with whether it was to be linked.
    """
    rows = yield SqlStatement(_READ, {"tenant": tenant, "ids": sorted(read)})
    found = {}
    for memory_id, version, text, its_tenant, *ids, unlinked in rows:
        scope = scope_from(its_tenant, *(each or None for each in ids))
        if (version, text_hash(text), scope) == read[memory_id]:
            found[str(memory_id)] = bool(unlinked)
    if new := [each for each, unlinked in found.items() if unlinked]:
        yield SqlStatement(_LINKED, {"tenant": tenant, "ids": new})
    return found


def latest(owner: Scope) -> Script[tuple[datetime, str] | None]:
    """The newest memory of a graph's owner that is linked, or was before it was written again."""
    ids = {"user_id": "", "agent_id": "", "run_id": "", **owner.ids()}
    # Up to the first that is set, as in `graph_owner`.
    first = next(number for number, each in enumerate(ids.values(), 1) if each)
    ids = dict(list(ids.items())[:first])
    clauses = " AND ".join(f"{name} = :{name}" for name in ids)
    rows = yield SqlStatement(
        "SELECT created_at, id FROM memories WHERE owner = :owner AND tenant = :tenant "  # noqa: S608 - constants
        f"AND {clauses} AND linked_version != 0 ORDER BY created_at DESC, id DESC LIMIT 1",
        {
            "owner": digest(owner.tenant, owner.user_id or ""),
            "tenant": owner.tenant,
            **ids,
        },
    )
    return (from_ms(rows[0][0]), str(rows[0][1])) if rows else None


def unlinked(owner_ref: OwnerRef | None) -> Script[int]:
    """How many memories are to be linked, of an owner or of everybody."""
    where, values = UNLINKED, {} if owner_ref is None else seeing(owner_ref)
    if owner_ref is not None:
        where += " AND tenant = :tenant"
    if isinstance(owner_ref, Scope):
        for name, admitted in owner_ref.values().items():
            none = ", ''" if None in admitted else ""
            where += f" AND {name} IN (:{name}{none})"
    sql = f"SELECT count(*) FROM memories WHERE {where}"  # noqa: S608 - constants
    [(count,)] = yield SqlStatement(sql, values)
    return int(count)


def disturb(owner: Scope) -> Script[None]:
    """Let all memories of an owner be linked again; if none speaks of anybody, there is no need."""
    key = {"owner": owner_key(owner)}
    if (yield SqlStatement("SELECT 1 FROM graph_mentions WHERE owner = :owner LIMIT 1", key)):
        yield SqlStatement(_DISTURBED, {**scope_columns(owner), **key})
    else:
        yield SqlStatement("DELETE FROM graph_again WHERE owner = :owner", key)


def come_between(owner: Scope) -> Script[None]:
    """Note that whoever is linking all of an owner again is to do so once more."""
    yield SqlStatement(_COME_BETWEEN, {"owner": owner_key(owner)})


def begin(owner: Scope) -> Script[Refold]:
    """Begin to link all of an owner again: whoever was about it does not go on."""
    fold = secrets.token_hex(_FOLD_BYTES)
    values = {**scope_columns(owner), "owner": owner_key(owner), "fold": fold}
    [(version,)] = yield SqlStatement(_BEGIN, values)
    return Refold(owner=owner, fold=fold, version=int(version))


def goes_on(refold: Refold) -> Script[bool]:
    """Whether nobody else has begun it."""
    values = {"owner": owner_key(refold.owner), "fold": refold.fold}
    return bool((yield SqlStatement(_GOES_ON, values)))


def end(refold: Refold) -> Script[bool]:
    """All are linked again; False if somebody disturbed it, or began since: they are not."""
    values = {"owner": owner_key(refold.owner), "fold": refold.fold, "version": refold.version}
    return bool((yield SqlStatement(_END, values)))


def owners_in(rows: Sequence[Row]) -> list[Scope]:
    """The owners in rows of `DISTURBED`."""
    return [scope_from(*row) for row in rows]
