"""The rows of the graph, and which of them a reader may see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from ...model.graph import (
    DESCRIPTION,
    MOST_SURFACES,
    Entity,
    EntityKind,
    EntityMerge,
    KnownEntity,
    MemoryLinks,
    graph_owner,
)
from ...model.times import from_ms, to_ms
from ...model.types import OwnerRef, Scope
from ..rows import owner_key, scope_columns, scope_from

KEY_START = 200
"""Keys are looked up by so many characters: an index of PostgreSQL holds no longer ones."""
_LAST_CHARACTER, _SURROGATES = 0x10FFFF, range(0xD800, 0xE000)

ENTITY = "id, tenant, user_id, agent_id, run_id, kind, created_at, root"
MERGE = (
    "id, tenant, user_id, agent_id, run_id, kept, gone, at, by_whom, memory_id, score, undone_at"
)
MENTION = "memory_id, entity_id, surface, key, tenant, user_id, agent_id, run_id"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def micros(moment: datetime) -> int:
    """Microseconds since 1970: a datetime exactly."""
    return (moment - _EPOCH) // _MICROSECOND


def moment_from(us: int) -> datetime:
    """The moment that `micros` tells."""
    return _EPOCH + us * _MICROSECOND


def seen(owner_ref: OwnerRef, table: str, *, by_user: bool = False) -> str:
    """The condition for the rows of `table` that an owner may see; see `seeing` for its values.

    With `by_user` an index of the user's rows may be used: for reading most of them.
    """
    clauses = [f"{table}.tenant = :tenant"]
    if isinstance(owner_ref, Scope):
        for name, values in owner_ref.values().items():
            column = f"{table}.{name}"
            if None in values:
                clauses.append(f"({column} = :{name} OR {column} IS NULL)")
            elif by_user:
                clauses.append(f"{column} = :{name}")
            else:
                clauses.append(f"COALESCE({column}, '') = :{name}")
    return " AND ".join(clauses)


def seeing(owner_ref: OwnerRef) -> dict[str, object]:
    """The values of `seen`."""
    if isinstance(owner_ref, str):
        return {"tenant": owner_ref}
    return {"tenant": owner_ref.tenant, **owner_ref.ids()}


def entity_row(entity: Entity) -> dict[str, object]:
    """A new entity: it is merged into none."""
    return {
        **scope_columns(entity.owner),
        "id": entity.id,
        "owner": owner_key(entity.owner),
        "kind": entity.kind.value,
        "created_at": micros(entity.created_at),
    }


def mention_rows(links: MemoryLinks) -> list[dict[str, object]]:
    """The mentions of a memory, numbered."""
    about = {
        **scope_columns(links.scope),
        "memory_id": links.memory_id,
        "owner": owner_key(graph_owner(links.scope)),
    }
    return [
        {
            **about,
            "number": number,
            "entity_id": mention.entity_id,
            "surface": mention.surface,
            "key": mention.key,
            "key_start": mention.key[:KEY_START],
        }
        for number, mention in enumerate(dict.fromkeys(links.mentions))
    ]


def relation_rows(links: MemoryLinks) -> list[dict[str, object]]:
    """The relations of a memory whose ends it speaks of, numbered."""
    about = {**scope_columns(links.scope), "memory_id": links.memory_id}
    named = {mention.entity_id for mention in links.mentions}
    return [
        {
            **about,
            "number": number,
            "source": relation.source,
            "relation": relation.relation,
            "target": relation.target,
            "quote": relation.quote,
        }
        for number, relation in enumerate(dict.fromkeys(links.relations))
        if {relation.source, relation.target} <= named
    ]


def merge_row(merge: EntityMerge) -> dict[str, object]:
    """An entry of the ledger."""
    return {
        **scope_columns(merge.owner),
        "id": merge.id,
        "kept": merge.kept,
        "gone": merge.gone,
        "at": to_ms(merge.at),
        "by_whom": merge.by,
        "memory_id": merge.memory_id,
        "score": merge.score,
        "undone_at": None if merge.undone_at is None else to_ms(merge.undone_at),
    }


def merge_rows(links: MemoryLinks) -> list[dict[str, object]]:
    """The merges that a memory says: in its owner's ledger, in its name."""
    about = {**scope_columns(graph_owner(links.scope)), "memory_id": links.memory_id}
    return [{**merge_row(merge), **about} for merge in links.merges]


def merge_from(row: Sequence[Any]) -> EntityMerge:
    """The entry in a row of `MERGE`."""
    merge_id, *owner, kept, gone, at, by_whom, memory_id, score, undone_at = row
    return EntityMerge(
        id=merge_id,
        owner=scope_from(*owner),
        kept=kept,
        gone=gone,
        at=from_ms(at),
        by=by_whom,
        memory_id=memory_id,
        score=score,
        undone_at=None if undone_at is None else from_ms(undone_at),
    )


def known_from(
    row: Sequence[Any], surfaces: Sequence[tuple[str, str]], *, memories: int, whole: str
) -> KnownEntity:
    """An entity by a row of `ENTITY`, and its (surface, key), most used first.

    `whole` is the id that it is seen as.
    """
    _, *owner, kind, created_at, root = row
    name, key = fullest(surfaces)
    aliases = dict.fromkeys(surface for surface, _ in surfaces if surface != name)
    return KnownEntity(
        entity=Entity(
            id=whole,
            owner=scope_from(*owner),
            name=name,
            kind=EntityKind(kind),
            key=key,
            created_at=moment_from(created_at),
            merged_into=None if root == whole else root,
        ),
        aliases=tuple(aliases)[:MOST_SURFACES],
        memories=memories,
        keys=frozenset(key for _, key in surfaces),
    )


def fullest(surfaces: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """Of (surface, key), most used first: the name with the longest key, else the first."""
    listed = list(surfaces)
    names = [each for each in listed if not each[1].startswith(DESCRIPTION)]
    return max(names or listed[:1], key=lambda each: len(each[1]), default=("", ""))


def after_all(prefix: str) -> str | None:
    """The least text that is greater than all that begin with `prefix`; None if none is."""
    for end in range(len(prefix), 0, -1):
        following = ord(prefix[end - 1]) + 1
        if following in _SURROGATES:
            following = _SURROGATES.stop
        if following <= _LAST_CHARACTER:
            return prefix[: end - 1] + chr(following)
    return None
