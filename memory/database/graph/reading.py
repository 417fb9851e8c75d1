"""Scripts that read entities, their relations and the ledger. What is read is bounded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Literal

from ...model.graph import (
    MOST_SURFACES,
    EntityKind,
    EntityMention,
    EntityMerge,
    EntityRelation,
    KnownEntity,
    MemoryLinks,
    graph_owner,
)
from ...model.types import OwnerRef, Scope
from ..rows import named, owner_key, scope_columns, scope_from
from ..scripts import Escaped, Row, Script, SqlStatement, escaped
from .rows import (
    ENTITY,
    KEY_START,
    MENTION,
    MERGE,
    after_all,
    known_from,
    merge_from,
    moment_from,
    seeing,
    seen,
)

Whole = Literal["root", "id"]
"""The column of an entity that tells what it is seen as: with what it is merged into, or alone."""

_MOST_KEYS = 4 * MOST_SURFACES
"""A surface can have several keys."""
_ROOTS = "SELECT root FROM graph_entities WHERE tenant = :tenant AND id IN :ids[]"
_MEMBERS = f"SELECT id FROM graph_entities WHERE tenant = :tenant AND root IN ({_ROOTS})"  # noqa: S608 - a constant
_JOINED = "JOIN graph_mentions n ON n.tenant = e.tenant AND n.entity_id = e.id"


def entities(
    owner_ref: OwnerRef,
    *,
    name: str | None = None,
    also: str | None = None,
    ids: Collection[str] | None = None,
    apart: bool = False,
    limit: int = 100,
    offset: int = 0,
) -> Script[list[KnownEntity]]:
    """What the memories of a scope speak of, the most spoken of first; of equals by id.

    `name` is a key of its name or of an alias; with ``*`` at its end, a prefix. `also`: a key
    that it has, too, such as that of a kind. `ids`: only
    these; those of merged ones mean the one that was kept. With `apart` each entity by itself,
    as if nothing were merged.
    """
    whole: Whole = "id" if apart else "root"
    conditions, values = _filters(owner_ref, whole, name, also, ids)
    by_user = ids is None and name is None
    page = yield SqlStatement(
        f"SELECT e.{whole}, COUNT(DISTINCT n.memory_id) AS memories "  # noqa: S608 - see `seen`
        f"FROM graph_entities e {_JOINED} "
        f"WHERE {seen(owner_ref, 'n', by_user=by_user)}{conditions} "
        f"GROUP BY e.{whole} ORDER BY memories DESC, e.{whole} "
        "LIMIT :limit OFFSET :offset",
        {**values, "limit": limit, "offset": offset},
    )
    return (yield from _described(owner_ref, dict(_counted(page)), whole))


def resolve(owner: Scope, keys: Collection[str], *, limit: int = 200) -> Script[list[KnownEntity]]:
    """The entities of an owner that any memory calls by one of these keys, by id.

    Each by itself, as if nothing were merged; `merged_into` tells. `keys` may end in ``*``: a
    prefix.
    """
    exact = sorted(key for key in keys if not key.endswith("*"))
    found: dict[str, None] = {}
    for condition, values in (
        _called_exactly(exact),
        *map(_called, sorted(set(keys) - set(exact))),
    ):
        rows = yield SqlStatement(
            "SELECT DISTINCT n.entity_id FROM graph_mentions n WHERE n.owner = :owner "  # noqa: S608 - constants
            f"AND {condition} ORDER BY n.entity_id LIMIT :limit",
            {**values, **scope_columns(owner), "owner": owner_key(owner), "limit": limit},
        )
        found |= dict.fromkeys(str(entity_id) for (entity_id,) in rows)
    ids = sorted(list(found)[:limit])
    page = yield SqlStatement(
        "SELECT n.entity_id, COUNT(DISTINCT n.memory_id) FROM graph_mentions n "  # noqa: S608 - see `seen`
        f"WHERE {seen(owner, 'n')} AND n.entity_id IN :ids[] GROUP BY n.entity_id",
        {**seeing(owner), "ids": ids},
    )
    return (yield from _described(owner, dict(sorted(_counted(page))), "id"))


def links_of(tenant: str, memory_ids: Collection[str]) -> Script[dict[str, MemoryLinks]]:
    """What these memories say; those that speak of nothing are left out."""
    values: dict[str, object] = {"tenant": tenant, "memories": list(memory_ids)}
    where = "WHERE tenant = :tenant AND memory_id IN :memories[] ORDER BY memory_id"
    sql = f"SELECT {MENTION} FROM graph_mentions {where}, number"  # noqa: S608 - constants
    mentions: defaultdict[str, list[EntityMention]] = defaultdict(list)
    scopes: dict[str, Scope] = {}
    for memory_id, entity_id, surface, key, *scope in (yield SqlStatement(sql, values)):
        mentions[memory_id].append(EntityMention(entity_id=entity_id, surface=surface, key=key))
        scopes[memory_id] = scope_from(*scope)
    if not mentions:
        return {}
    values["memories"] = list(mentions)
    relations: defaultdict[str, list[EntityRelation]] = defaultdict(list)
    sql = f"SELECT source, relation, target, memory_id, quote FROM graph_relations {where}, number"  # noqa: S608 - constants
    for row in (yield SqlStatement(sql, values)):
        relations[row[3]].append(_relation(row))
    merges: defaultdict[str, list[EntityMerge]] = defaultdict(list)
    sql = f"SELECT {MERGE} FROM graph_merges {where}, position"  # noqa: S608 - constants
    for entry in map(merge_from, (yield SqlStatement(sql, values))):
        merges[entry.memory_id or ""].append(entry)
    return {
        memory_id: MemoryLinks(
            memory_id=memory_id,
            scope=scope,
            mentions=tuple(mentions[memory_id]),
            relations=tuple(relations[memory_id]),
            merges=tuple(merges[memory_id]),
        )
        for memory_id, scope in scopes.items()
    }


def memories_of(
    owner_ref: OwnerRef, entity_ids: Collection[str], *, limit: int, after: str | None = None
) -> Script[list[str]]:
    """Ids of memories of a scope that speak of these, in order, those greater than `after`.

    The ids of merged entities mean the one that was kept.
    """
    rows = yield SqlStatement(
        f"SELECT DISTINCT n.memory_id FROM graph_mentions n WHERE {seen(owner_ref, 'n')} "  # noqa: S608 - see `seen`
        f"AND n.entity_id IN ({_MEMBERS}) AND n.memory_id > :after "
        "ORDER BY n.memory_id LIMIT :limit",
        {**seeing(owner_ref), "ids": list(entity_ids), "limit": limit, "after": after or ""},
    )
    return [str(memory_id) for (memory_id,) in rows]


def relations(
    owner_ref: OwnerRef,
    entity_ids: Collection[str],
    *,
    relation: str | None = None,
    limit: int,
    offset: int = 0,
) -> Script[list[EntityRelation]]:
    """Relations from or to these entities, in order of all their fields.

    The ids of merged entities mean the one that was kept, and only ids of kept ones are told.
    """
    ends = " UNION ".join(
        f"SELECT memory_id, number FROM graph_relations WHERE tenant = :tenant AND {end} "  # noqa: S608 - constants
        f"IN ({_MEMBERS})"
        for end in ("source", "target")
    )
    named_so = "" if relation is None else " AND x.relation = :relation"
    rows = yield SqlStatement(
        "SELECT s.root AS source, x.relation, t.root AS target, x.memory_id, x.quote "  # noqa: S608 - see `seen`
        f"FROM ({ends}) AS related "
        "JOIN graph_relations x ON x.memory_id = related.memory_id AND x.number = related.number "
        "JOIN graph_entities s ON s.tenant = x.tenant AND s.id = x.source "
        "JOIN graph_entities t ON t.tenant = x.tenant AND t.id = x.target "
        f"WHERE {seen(owner_ref, 'x')}{named_so} "
        "ORDER BY x.relation, s.root, t.root, x.memory_id, x.number LIMIT :limit OFFSET :offset",
        {
            **seeing(owner_ref),
            "ids": list(entity_ids),
            "limit": limit,
            "offset": offset,
            **({} if relation is None else {"relation": relation}),
        },
    )
    return [_relation(row) for row in rows]


def merges(
    owner_ref: OwnerRef,
    *,
    ids: Collection[str] | None = None,
    limit: int = 100,
    offset: int = 0,
) -> Script[list[EntityMerge]]:
    """The ledger, newest first, with what was undone; `ids`: only these entries.

    An entry is of a scope if the scope admits its owner: that of an agent of a user has none.
    """
    whose = named(owner_ref)
    where = " AND ".join(f"{column} = :{column}" for column in whose)
    among = "" if ids is None else " AND id IN :ids[]"
    rows = yield SqlStatement(
        f"SELECT {MERGE} FROM graph_merges WHERE {where}{among} "  # noqa: S608 - constants
        "ORDER BY position DESC LIMIT :limit OFFSET :offset",
        {
            **whose,
            "limit": limit,
            "offset": offset,
            **({} if ids is None else {"ids": list(ids)}),
        },
    )
    return [merge_from(row) for row in rows]


def held_by(tenant: str, memory_ids: Collection[str]) -> Script[tuple[int, int]]:
    """How many of these memories speak of anything, and of how many entities they alone do."""
    values = {"tenant": tenant, "memories": list(memory_ids)}
    of_these = "tenant = :tenant AND memory_id IN :memories[]"
    sql = f"SELECT DISTINCT memory_id, entity_id FROM graph_mentions WHERE {of_these}"  # noqa: S608 - a constant
    said = yield SqlStatement(sql, values)
    if not said:
        return 0, 0
    spoken = {str(entity_id) for _, entity_id in said}
    rows = yield SqlStatement(
        "SELECT DISTINCT entity_id FROM graph_mentions WHERE tenant = :tenant "
        "AND entity_id IN :ids[] AND NOT (memory_id IN :memories[])",
        {**values, "ids": sorted(spoken)},
    )
    return len({memory_id for memory_id, _ in said}), len(spoken) - len(rows)


def founded(owner: Scope) -> Script[dict[str, tuple[EntityKind, datetime]]]:
    """`kind` and `created_at` of all entities of a graph's owner, by id."""
    rows = yield SqlStatement(
        "SELECT id, kind, created_at FROM graph_entities WHERE tenant = :tenant AND owner = :owner",
        {"tenant": owner.tenant, "owner": owner_key(owner)},
    )
    return {str(each): (EntityKind(kind), moment_from(at)) for each, kind, at in rows}


def note(name: str) -> Script[str | None]:
    """What was kept under this name."""
    rows = yield SqlStatement("SELECT value FROM graph_notes WHERE name = :name", {"name": name})
    return str(rows[0][0]) if rows else None


def _filters(
    owner_ref: OwnerRef,
    whole: Whole,
    name: str | None,
    also: str | None,
    ids: Collection[str] | None,
) -> tuple[str, dict[str, object]]:
    """Further conditions on entities `e`, with all values."""
    conditions, values = "", seeing(owner_ref)
    if ids is not None:
        meant = ":ids[]" if whole == "id" else f"({_ROOTS})"
        conditions += f" AND e.{whole} IN {meant}"
        values["ids"] = list(ids)
    if name is not None:
        called, its = _called(name)
        if isinstance(owner_ref, Scope) and owner_ref.user_id is not None:
            called = f"n.owner = :owner AND {called}"
            its = {**its, "owner": owner_key(graph_owner(owner_ref))}
        conditions += (
            f" AND e.{whole} IN (SELECT e.{whole} FROM graph_mentions n "  # noqa: S608 - see `seen`
            "JOIN graph_entities e ON e.tenant = n.tenant AND e.id = n.entity_id "
            f"WHERE {seen(owner_ref, 'n')} AND {called})"
        )
        values |= its
    if also is not None:
        conditions += (
            f" AND e.{whole} IN (SELECT e.{whole} FROM graph_mentions n "  # noqa: S608 - see `seen`
            "JOIN graph_entities e ON e.tenant = n.tenant AND e.id = n.entity_id "
            f"WHERE {seen(owner_ref, 'n')} AND n.key_start = :also_start AND n.key = :also)"
        )
        values |= {"also": also, "also_start": also[:KEY_START]}
    return conditions, values


def _called(key: str) -> tuple[str, dict[str, object]]:
    """The condition for mentions `n` by this key, or with a key that begins so."""
    if not key.endswith("*"):
        return _called_exactly([key])
    start = escaped(key[:-1][:KEY_START])
    following = after_all(start)
    if following is None:
        return "n.key_start >= :start", {"start": start}
    return "n.key_start >= :start AND n.key_start < :following", {
        "start": start,
        "following": Escaped(following),
    }


def _called_exactly(keys: Sequence[str]) -> tuple[str, dict[str, object]]:
    return "n.key_start IN :starts[] AND n.key IN :keys[]", {
        "starts": [key[:KEY_START] for key in keys],
        "keys": list(keys),
    }


def _counted(rows: Sequence[Row]) -> list[tuple[str, int]]:
    return [(str(whole), int(memories)) for whole, memories in rows]


def _described(
    owner_ref: OwnerRef, memories: Mapping[str, int], whole: Whole
) -> Script[list[KnownEntity]]:
    """These entities, in their order, with what is seen of them."""
    values = {**seeing(owner_ref), "ids": list(memories)}
    spoken_of = (
        "EXISTS (SELECT 1 FROM graph_mentions n "  # noqa: S608 - see `seen`
        f"WHERE n.tenant = e.tenant AND n.entity_id = e.id AND {seen(owner_ref, 'n')})"
    )
    columns = ", ".join(f"e.{column}" for column in ENTITY.split(", "))
    # The one that was kept first; if no memory that is seen speaks of it, the oldest.
    rows = yield SqlStatement(
        f"SELECT e.{whole}, {columns} FROM graph_entities e WHERE e.tenant = :tenant "  # noqa: S608 - constants
        f"AND e.{whole} IN :ids[] AND {spoken_of} "
        "ORDER BY CASE WHEN e.id = e.root THEN 1 ELSE 0 END, e.created_at DESC, e.id DESC",
        values,
    )
    described = {row[0]: row[1:] for row in rows}
    surfaces = yield from surfaces_of(owner_ref, list(memories), whole)
    return [
        known_from(described[each], surfaces[each], memories=count, whole=each)
        for each, count in memories.items()
        if each in described and each in surfaces
    ]


def surfaces_of(
    owner_ref: OwnerRef, ids: Sequence[str], whole: Whole
) -> Script[dict[str, list[tuple[str, str]]]]:
    """By entity: the (surface, key) that are seen of it, the most used first; bounded."""
    rows = yield SqlStatement(
        "SELECT whole, surface, key FROM ("  # noqa: S608 - see `seen`
        "SELECT whole, surface, key, uses, "
        "ROW_NUMBER() OVER (PARTITION BY whole ORDER BY uses DESC, surface, key) AS place "
        f"FROM (SELECT e.{whole} AS whole, n.surface, n.key, COUNT(*) AS uses "
        f"FROM graph_entities e {_JOINED} WHERE e.tenant = :tenant AND e.{whole} IN :ids[] "
        f"AND {seen(owner_ref, 'n')} GROUP BY e.{whole}, n.surface, n.key) AS used) AS placed "
        f"WHERE place <= {_MOST_KEYS} ORDER BY whole, place",
        {**seeing(owner_ref), "ids": list(ids)},
    )
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for each, surface, key in rows:
        found[each].append((surface, key))
    return dict(found)


def _relation(row: Row) -> EntityRelation:
    source, relation, target, memory_id, quote = row
    return EntityRelation(
        source=source, relation=relation, target=target, memory_id=memory_id, quote=quote
    )
