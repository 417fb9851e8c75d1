"""A graph that tests write by hand: who a memory speaks of, and how these are connected."""

from __future__ import annotations

import re
from dataclasses import dataclass

from recollect.memory import AsyncMemory
from recollect.memory.database.graph import SqlGraph
from recollect.memory.graph import EntityFinder, Graph, key_of_kind
from recollect.memory.model.graph import (
    Entity,
    EntityKind,
    EntityMention,
    EntityRelation,
    MemoryLinks,
    graph_owner,
)
from recollect.memory.model.types import Scope
from tests.memory.learn.doubles import NOON
from tests.support.state import in_memory_graph


@dataclass
class Report:
    """What a rebuild found."""

    memories: int = 0
    entities: int = 0
    relations: int = 0
    seconds: float = 0.25


class GraphByHand:
    """Knows only what it is told, and notes what it is asked to do."""

    def __init__(self, store: SqlGraph | None = None) -> None:
        self.store = store or in_memory_graph()
        self.changes = 0
        self.rebuilt: list[object] = []
        self.waited = 0
        self.instead_of: Graph | None = None
        """The engine's own, which follows its writes all the same."""

    def key(self, name: str) -> str:
        return " ".join(re.findall(r"\w+", name.casefold()))

    async def caught_up(self) -> None:
        self.waited += 1

    def changed(self) -> None:
        self.changes += 1

    async def rebuild(self, owner_ref: object = None) -> Report:
        self.rebuilt.append(owner_ref)
        return Report(memories=3)

    async def close(self, seconds: float) -> None:
        if self.instead_of is not None:
            await self.instead_of.close(seconds)


def graphed(memory: AsyncMemory, graph: GraphByHand | None = None) -> GraphByHand:
    """Let a memory have this graph."""
    made = graph or GraphByHand()
    own = memory._engine.graph
    made.instead_of = own if isinstance(own, Graph) else None
    memory._engine.graph = made
    memory._engine.queries.spoken_of = EntityFinder(made)
    return made


async def speaks(
    memory: AsyncMemory,
    graph: GraphByHand,
    text: str,
    *names: str,
    relations: tuple[tuple[str, str, str], ...] = (),
    **scope: str,
) -> str:
    """Keep a text that speaks of these names, and return its id.

    Names are of persons; ``Google:organization`` says otherwise, ``Anna#2`` is another Anna.
    """
    ids = scope or {"user_id": "alice"}
    added = await memory.add(text, infer=False, dedupe=False, **ids)
    memory_id = added["results"][0]["id"]
    place = Scope(tenant=memory.tenant, **ids)
    owner = graph_owner(place)
    said = [Said.of(name, owner) for name in names]
    by_name = {one.name: one.id for one in said}
    links = MemoryLinks(
        memory_id=memory_id,
        scope=place,
        mentions=tuple(
            EntityMention(entity_id=one.id, surface=one.surface, key=key)
            for one in said
            for key in (graph.key(one.surface), key_of_kind(one.kind))
        ),
        relations=tuple(
            EntityRelation(
                source=by_name[source], relation=word, target=by_name[target], memory_id=memory_id
            )
            for source, word, target in relations
        ),
    )
    assert await graph.store.link([links], [one.entity(graph) for one in said]) == frozenset()
    return memory_id


@dataclass(frozen=True)
class Said:
    """A name in a memory."""

    name: str
    surface: str
    kind: EntityKind
    owner: Scope

    @classmethod
    def of(cls, told: str, owner: Scope) -> Said:
        name, _, kind = told.partition(":")
        return cls(name, name.partition("#")[0], EntityKind(kind or "person"), owner)

    @property
    def id(self) -> str:
        whose = "-".join(self.owner.ids().values())
        return f"{self.owner.tenant}-{whose}-{self.name.casefold()}"

    def entity(self, graph: GraphByHand) -> Entity:
        return Entity(
            id=self.id,
            owner=self.owner,
            name=self.surface,
            kind=self.kind,
            key=graph.key(self.surface),
            created_at=NOON,
        )
