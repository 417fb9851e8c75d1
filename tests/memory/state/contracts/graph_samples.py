"""Memories that speak of people, for the contracts of the graph."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta

from recollect.memory.database.graph import SqlGraph
from recollect.memory.database.graph.link_writes import unlink
from recollect.memory.model.graph import (
    Entity,
    EntityKind,
    EntityMention,
    EntityMerge,
    EntityRelation,
    MemoryLinks,
    graph_owner,
)
from recollect.memory.model.types import Scope
from tests.memory.state.contracts.graph_model import (
    key_of,
)
from tests.memory.state.samples import ALICE, NOON

NOTHING = dict.fromkeys(
    ("entities", "mentions", "relations", "merges", "stale", "marks", "orphans"), 0
)
LATER = NOON + timedelta(hours=1)


def somebody(name: str, owner: Scope = ALICE, *, kind: EntityKind = EntityKind.PERSON) -> Entity:
    """An entity whose id is its name in small letters; by age in the order of their names."""
    return Entity(
        id=name.lower(), owner=owner, name=name, kind=kind, key=name.lower(), created_at=NOON
    )


def says(
    memory_id: str,
    *spoken: str | tuple[str, str],
    scope: Scope = ALICE,
    related: Sequence[tuple[str, str, str]] = (),
    merges: Sequence[EntityMerge] = (),
) -> MemoryLinks:
    """A memory that speaks of these, each by its name or as (name, surface)."""
    pairs = [(each, each) if isinstance(each, str) else each for each in spoken]
    return MemoryLinks(
        memory_id=memory_id,
        scope=scope,
        mentions=tuple(
            EntityMention(entity_id=name.lower(), surface=surface, key=key_of(surface))
            for name, surface in pairs
        ),
        relations=tuple(
            EntityRelation(source=a, relation=relation, target=b, memory_id=memory_id, quote="q")
            for a, relation, b in related
        ),
        merges=tuple(merges),
    )


async def tell(graph: SqlGraph, *links: MemoryLinks) -> None:
    """Link these memories, and all that they name."""
    named = {
        mention.entity_id: somebody(mention.entity_id, graph_owner(each.scope))
        for each in links
        for mention in each.mentions
    }
    assert await graph.link(links, list(named.values())) == frozenset()


async def fall(graph: SqlGraph, memory_ids: Collection[str], tenant: str = "local") -> None:
    """What goes with memories that are deleted."""
    await graph.scripts.change(lambda: unlink(tenant, memory_ids), tenants={tenant}, erases=True)


def joined(kept: str, gone: str, *, by: str = "person", owner: Scope = ALICE) -> EntityMerge:
    """An entry that makes two of them one."""
    return EntityMerge(
        id=f"{kept}+{gone}", owner=owner, kept=kept, gone=gone, at=NOON, by=by, score=0.5
    )


async def names(graph: SqlGraph, scope: Scope = ALICE) -> list[str]:
    return [each.entity.name for each in await graph.entities(scope)]


async def groups(graph: SqlGraph) -> dict[str, str | None]:
    """By entity of alice: the one it is merged into."""
    listed = await graph.entities(ALICE, apart=True)
    return {each.entity.id: each.entity.merged_into for each in listed}
