"""A graph in a few lines, to compare real ones with; and what is done to it, drawn at random."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

import hypothesis.strategies as st

from recollect.memory.model.graph import (
    Entity,
    EntityKind,
    EntityMention,
    EntityMerge,
    EntityRelation,
    MemoryLinks,
    graph_owner,
)
from recollect.memory.model.owner import covers
from recollect.memory.model.types import OwnerRef, Scope
from recollect.memory.model.visible_scope import VisibleScope
from tests.memory.state.samples import NOON

SURFACES = ("Anna", "Anna S.", "Anna Schmidt", "my sister", "Ann\x00", "100%_\\", "\U0001f600")
KINDS = tuple(EntityKind)


def key_of(surface: str) -> str:
    """A key for a surface: that of "my sister" is no name's."""
    return "@sister" if surface == "my sister" else surface.lower()


def owners(tenant: str) -> list[Scope]:
    """Three graphs, one of them of no user."""
    return [
        Scope(tenant=tenant, user_id="alice"),
        Scope(tenant=tenant, user_id="bob"),
        Scope(tenant=tenant, agent_id="work"),
    ]


def scopes(tenant: str) -> list[Scope]:
    """Where memories are: alice's alone, with her agents, in a run; bob's; those of no user."""
    return [
        Scope(tenant=tenant, user_id="alice"),
        Scope(tenant=tenant, user_id="alice", agent_id="work"),
        Scope(tenant=tenant, user_id="alice", agent_id="home", run_id="r"),
        Scope(tenant=tenant, user_id="bob"),
        Scope(tenant=tenant, agent_id="work"),
    ]


def readers(tenant: str) -> list[OwnerRef]:
    """Who reads: each scope, what an agent sees, and the whole tenant."""
    alice = Scope(tenant=tenant, user_id="alice", agent_id="work")
    return [*scopes(tenant), VisibleScope.of(alice), Scope(tenant=tenant, run_id="r"), tenant]


class GraphStep(NamedTuple):
    """One thing that is done, with numbers that say to which memory, scope and entities."""

    kind: str
    memory: int
    scope: int
    spoken: tuple[tuple[int, int], ...]
    """(entity, surface) of each mention."""
    one: int
    other: int


graph_steps = st.builds(
    GraphStep,
    st.sampled_from(
        ("link", "link", "link", "link", "unlink", "merge", "merge", "say", "undo", "erase")
    ),
    st.integers(0, 5),
    st.integers(0, 4),
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, len(SURFACES) - 1)), max_size=4).map(
        tuple
    ),
    st.integers(0, 5),
    st.integers(0, 5),
)


def entity(owner: Scope, number: int) -> Entity:
    """The entities of an owner differ in age, not in the order of their ids."""
    return Entity(
        id=f"e{number}-{owner.user_id}",
        owner=owner,
        name="",
        kind=KINDS[number % len(KINDS)],
        key="",
        created_at=NOON + timedelta(microseconds=(number * 7) % 5),
    )


def links_for(step: GraphStep, tenant: str) -> tuple[MemoryLinks, list[Entity]]:
    """What a memory says by this step, and the entities it names."""
    scope = scopes(tenant)[step.scope]
    owner = graph_owner(scope)
    named = [entity(owner, number) for number, _ in step.spoken]
    mentions = tuple(
        EntityMention(entity_id=each.id, surface=SURFACES[surface], key=key_of(SURFACES[surface]))
        for each, (_, surface) in zip(named, step.spoken, strict=True)
    )
    memory_id = f"m{step.memory}"
    pairs = list(pairwise(named))
    relations = tuple(
        EntityRelation(source=a.id, relation="knows", target=b.id, memory_id=memory_id)
        for a, b in pairs
    )
    merges = tuple(
        EntityMerge(
            id=f"{memory_id}/{a.id}/{b.id}",
            owner=owner,
            kept=a.id,
            gone=b.id,
            at=NOON,
            by="alias",
            memory_id=memory_id,
        )
        for a, b in pairs[: step.kind == "say"]
        if a.id != b.id
    )
    links = MemoryLinks(
        memory_id=memory_id,
        scope=scope,
        mentions=tuple(dict.fromkeys(mentions)),
        relations=tuple(dict.fromkeys(relations)),
        merges=tuple({merge.id: merge for merge in merges}.values()),
    )
    return links, named


@dataclass(slots=True)
class GraphModel:
    """One tenant's graph."""

    tenant: str
    entities: dict[str, Entity] = field(default_factory=dict)
    links: dict[str, MemoryLinks] = field(default_factory=dict)
    merges: list[EntityMerge] = field(default_factory=list)

    def link(self, links: MemoryLinks, entities: list[Entity]) -> None:
        self.entities |= {each.id: each for each in entities}
        parted = {pair(each): each.undone_at for each in self.merges if each.undone_at}
        said = {each.id for each in links.merges}
        self.merges = [
            each for each in self.merges if each.memory_id != links.memory_id or each.id in said
        ]
        there = {each.id for each in self.merges}
        self.merges += [
            replace(each, undone_at=parted.get(pair(each)))
            for each in links.merges
            if each.id not in there
        ]
        self.links[links.memory_id] = links
        self._tidy()

    def unlink(self, memory_id: str) -> None:
        self.merges = [each for each in self.merges if each.memory_id != memory_id]
        self.links.pop(memory_id, None)
        self._tidy()

    def merge(self, entry: EntityMerge) -> bool | None:
        """None: there is no such entity."""
        if not {entry.kept, entry.gone} <= self.entities.keys():
            return None
        if self.root(entry.kept) == self.root(entry.gone):
            return False
        self.merges.append(entry)
        return True

    def undo(self, merge_id: str, at: datetime) -> bool:
        entry = next((each for each in self.merges if each.id == merge_id), None)
        if entry is None or entry.undone_at is not None:
            return False
        self.merges = [
            replace(each, undone_at=at)
            if pair(each) == pair(entry) and each.undone_at is None
            else each
            for each in self.merges
        ]
        return True

    def root(self, entity_id: str) -> str:
        group, grown = {entity_id}, True
        while grown:
            near = [pair(each) for each in self.merges if not each.undone_at]
            wider = group.union(*(ends for ends in near if ends & group))
            grown, group = wider != group, wider
        return min(group, key=lambda each: (self.entities[each].created_at, each))

    def _tidy(self) -> None:
        spoken = {m.entity_id for each in self.links.values() for m in each.mentions}
        self.entities = {each: its for each, its in self.entities.items() if each in spoken}
        self.merges = [each for each in self.merges if pair(each) <= self.entities.keys()]

    # What a reader sees.

    def seen(self, reader: OwnerRef) -> list[MemoryLinks]:
        return [
            self.links[each]
            for each in sorted(self.links)
            if covers(reader, self.links[each].scope)
        ]

    def listed(
        self, reader: OwnerRef, *, apart: bool = False
    ) -> list[tuple[str, str, int, set[str]]]:
        """(id, name, memories, all surfaces) in order."""
        memories: dict[str, set[str]] = {}
        uses: dict[str, Counter[str]] = {}
        for links in self.seen(reader):
            for mention in links.mentions:
                whole = mention.entity_id if apart else self.root(mention.entity_id)
                memories.setdefault(whole, set()).add(links.memory_id)
                uses.setdefault(whole, Counter())[mention.surface] += 1
        found = [
            (whole, named(uses[whole]), len(ids), set(uses[whole]))
            for whole, ids in memories.items()
        ]
        return sorted(found, key=lambda each: (-each[2], each[0]))

    def relations(self, reader: OwnerRef, entity_ids: list[str]) -> list[tuple[str, str, str, str]]:
        wanted = {self.root(each) for each in entity_ids if each in self.entities}
        told = [
            (each.relation, self.root(each.source), self.root(each.target), each.memory_id)
            for links in self.seen(reader)
            for each in links.relations
        ]
        return sorted(each for each in told if {each[1], each[2]} & wanted)

    def spoken(self, reader: OwnerRef) -> dict[str, set[str]]:
        """By root: the memories that speak of it."""
        found: dict[str, set[str]] = {}
        for links in self.seen(reader):
            for mention in links.mentions:
                found.setdefault(self.root(mention.entity_id), set()).add(links.memory_id)
        return found

    def connected(self, reader: OwnerRef, seeds: set[str], most: int) -> dict[str, tuple[int, str]]:
        """By memory: the spread of the best way to it, and its relation."""
        spoken = {root: its for root, its in self.spoken(reader).items() if len(its) <= most}
        near = {root for root, its in spoken.items() if its & seeds}
        ways = [(root, "") for root in near]
        for relation, source, target, _ in self.relations(reader, sorted(self.entities)):
            ways += [(target, relation)] * (source in near) + [(source, relation)] * (
                target in near
            )
        best: dict[str, tuple[int, str]] = {}
        for root, relation in ways:
            for memory_id in spoken.get(root, set()) - seeds:
                way = (len(spoken[root]), relation)
                best[memory_id] = min(best.get(memory_id, way), way)
        return best

    def aliases(self, reader: OwnerRef) -> dict[str, set[str]]:
        """By memory that is seen."""
        surfaces = {whole: its for whole, _, _, its in self.listed(reader)}
        found = {
            links.memory_id: set().union(
                *(surfaces[self.root(m.entity_id)] for m in links.mentions)
            )
            for links in self.seen(reader)
        }
        return {memory_id: its for memory_id, its in found.items() if its}


def pair(merge: EntityMerge) -> frozenset[str]:
    """The two entities of an entry."""
    return frozenset({merge.kept, merge.gone})


def named(uses: Counter[str]) -> str:
    """The name among these: the longest that is one, of equals the most used."""
    order = sorted(uses, key=lambda each: (-uses[each], each.replace("\x00", "\x1b0")))
    names = [each for each in order if not key_of(each).startswith("@")]
    return max(names or order[:1], key=lambda each: len(key_of(each)))
