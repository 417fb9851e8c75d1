"""Scripts that follow what memories share: for recall, so each is short and bounded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from ...model.graph import MOST_SURFACES, USER_KEY, ConnectedMemory
from ...model.types import Scope
from ..scripts import Script, SqlStatement
from .reading import surfaces_of
from .rows import seeing, seen

MOST_SPOKEN_OF = 300
"""Entities that more memories speak of have no aliases: all these would have to be read."""
MOST_RELATIONS = 1_000
"""So many relations of the first memories' entities are followed."""


@dataclass(frozen=True, slots=True)
class GraphWay:
    """A way from a memory to an entity: one that it speaks of, or one with a relation to such."""

    entity_id: str
    source_id: str
    relation: str | None = None


def aliases(scope: Scope, memory_ids: Collection[str]) -> Script[dict[str, frozenset[str]]]:
    """By memory: the surfaces, in the scope's memories, of the entities that it speaks of.

    Of each entity the `MOST_SURFACES` most used; of the user, and of entities that more than
    300 memories speak of, none.
    """
    spoken = yield from _spoken_of(scope, memory_ids)
    spread = yield from _spread(scope, {root for _, root in spoken}, MOST_SPOKEN_OF)
    surfaces = yield from surfaces_of(scope, sorted(spread), "root")
    found: defaultdict[str, set[str]] = defaultdict(set)
    for memory_id, root in spoken:
        named = dict.fromkeys(surface for surface, _ in surfaces.get(root, ()))
        found[memory_id].update(list(named)[:MOST_SURFACES])
    return {memory_id: frozenset(names) for memory_id, names in found.items() if names}


def connected(
    scope: Scope, memory_ids: Collection[str], *, limit: int, most_spread: int = 50
) -> Script[list[ConnectedMemory]]:
    """Memories one step from these, those through the rarest entities first; each once.

    A step is an entity that both speak of, or one relation. Entities that more than
    `most_spread` memories of the scope speak of connect nothing, nor does the user. Memories
    that the scope does not admit lead nowhere.
    """
    spoken = yield from _spoken_of(scope, memory_ids)
    spread = yield from _spread(scope, {root for _, root in spoken}, most_spread)
    steps = [GraphWay(root, source) for source, root in spoken if root in spread]
    related = yield from _related(scope, spread)
    steps += [
        GraphWay(other, step.source_id, relation)
        for step in steps
        for relation, other in related.get(step.entity_id, ())
    ]
    further = {step.entity_id for step in steps} - spread.keys()
    spread |= yield from _spread(scope, further, most_spread)
    speaking = yield from _speaking(scope, spread)
    return nearest(steps, spread, speaking, without=frozenset(memory_ids))[:limit]


def nearest(
    steps: Iterable[GraphWay],
    spread: Mapping[str, int],
    speaking: Mapping[str, Collection[str]],
    *,
    without: Collection[str],
) -> list[ConnectedMemory]:
    """Each memory that a step leads to once, by its best step: the rarest entity, a shared one."""
    ways = sorted(
        (spread[step.entity_id], step.relation or "", memory_id, step.source_id, step.entity_id)
        for step in steps
        for memory_id in speaking.get(step.entity_id, ())
        if step.entity_id in spread and memory_id not in without
    )
    best: dict[str, ConnectedMemory] = {}
    for count, relation, memory_id, source_id, entity_id in ways:
        best.setdefault(
            memory_id,
            ConnectedMemory(
                memory_id=memory_id,
                source_id=source_id,
                entity_id=entity_id,
                relation=relation or None,
                spread=count,
            ),
        )
    return list(best.values())


def _spoken_of(scope: Scope, memory_ids: Collection[str]) -> Script[list[tuple[str, str]]]:
    """(memory, entity) of these memories, as far as the scope admits them."""
    rows = yield SqlStatement(
        "SELECT DISTINCT n.memory_id, e.root FROM graph_mentions n "  # noqa: S608 - see `seen`
        "JOIN graph_entities e ON e.tenant = n.tenant AND e.id = n.entity_id "
        f"WHERE {seen(scope, 'n')} AND n.memory_id IN :memories[] ORDER BY n.memory_id, e.root",
        {**seeing(scope), "memories": list(memory_ids)},
    )
    return [(str(memory_id), str(root)) for memory_id, root in rows]


def _spread(scope: Scope, entity_ids: Collection[str], most: int) -> Script[dict[str, int]]:
    """How many memories speak of each of these that connects: no more are counted than needed."""
    if not entity_ids:
        return {}
    rows = yield SqlStatement(
        "SELECT r.root, (SELECT COUNT(*) FROM ("  # noqa: S608 - see `seen`
        "SELECT DISTINCT n.memory_id FROM graph_entities e "
        "JOIN graph_mentions n ON n.tenant = e.tenant AND n.entity_id = e.id "
        f"WHERE e.tenant = :tenant AND e.root = r.root AND {seen(scope, 'n')} LIMIT :enough"
        ") AS counted) AS spread "
        "FROM (SELECT DISTINCT root FROM graph_entities "
        "WHERE tenant = :tenant AND root IN :ids[]) AS r "
        "WHERE NOT EXISTS (SELECT 1 FROM graph_entities e "
        "JOIN graph_mentions n ON n.owner = e.owner AND n.key_start = :user_key "
        "AND n.entity_id = e.id WHERE e.tenant = :tenant AND e.root = r.root "
        f"AND {seen(scope, 'n')})",
        {
            **seeing(scope),
            "ids": sorted(entity_ids),
            "enough": most + 1,
            "user_key": USER_KEY,
        },
    )
    return {str(root): int(count) for root, count in rows if 0 < count <= most}


def _related(scope: Scope, entity_ids: Collection[str]) -> Script[dict[str, list[tuple[str, str]]]]:
    """By entity: the relation and the other end, of its relations in either direction."""
    if not entity_ids:
        return {}
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for here, there in (("source", "target"), ("target", "source")):
        rows = yield SqlStatement(
            "SELECT DISTINCT a.root AS here, x.relation, b.root AS there "  # noqa: S608 - see `seen`
            "FROM graph_entities a "
            f"JOIN graph_relations x ON x.tenant = a.tenant AND x.{here} = a.id "
            f"JOIN graph_entities b ON b.tenant = x.tenant AND b.id = x.{there} "
            f"WHERE a.tenant = :tenant AND a.root IN :ids[] AND {seen(scope, 'x')} "
            f"ORDER BY here, x.relation, there LIMIT {MOST_RELATIONS}",
            {**seeing(scope), "ids": sorted(entity_ids)},
        )
        for root, relation, other in rows:
            if root != other:
                found[root].append((relation, other))
    return dict(found)


def _speaking(scope: Scope, entity_ids: Collection[str]) -> Script[dict[str, list[str]]]:
    """By entity: the memories that speak of it. Only for entities that few speak of."""
    if not entity_ids:
        return {}
    rows = yield SqlStatement(
        "SELECT DISTINCT e.root, n.memory_id FROM graph_entities e "  # noqa: S608 - see `seen`
        "JOIN graph_mentions n ON n.tenant = e.tenant AND n.entity_id = e.id "
        f"WHERE e.tenant = :tenant AND e.root IN :ids[] AND {seen(scope, 'n')}",
        {**seeing(scope), "ids": sorted(entity_ids)},
    )
    found: defaultdict[str, list[str]] = defaultdict(list)
    for root, memory_id in rows:
        found[str(root)].append(str(memory_id))
    return dict(found)
