"""Who and what memories speak of, how these are connected, and the port that keeps it.

A memory owns what it says: its text, and the entities and relations that a model found in it
(`Provenance`). The graph owns who is one and the same (aliases and merges). All else in it follows
from the memories and is built again from them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from .claims import EntityKind as EntityKind  # noqa: PLC0414 - the kind of an `Entity`
from .scope import Scope
from .types import OwnerRef

DESCRIPTION = "@"
"""The keys of surfaces that are no names ("my sister", "User") begin with it: ``@sister``."""
USER_KEY = "@user"
"""The key of the user, of whom most memories speak: this entity connects nothing."""
MOST_SURFACES = 50
"""Of one entity, as many are told: the most used."""


def graph_owner(scope: Scope) -> Scope:
    """Within whose memories names are resolved: one user, or else one agent, or else one run."""
    if scope.user_id is not None:
        return Scope(tenant=scope.tenant, user_id=scope.user_id)
    if scope.agent_id is not None:
        return Scope(tenant=scope.tenant, agent_id=scope.agent_id)
    return Scope(tenant=scope.tenant, run_id=scope.run_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """Somebody or something that memories of one owner speak of."""

    id: str
    """Derived from the owner, the memory that first named it, and the name there."""
    owner: Scope
    """`graph_owner` of the memories that speak of it."""
    name: str
    """The fullest name it is called by, as written. It is not kept: it follows from the mentions
    that a reader may see."""
    kind: EntityKind
    key: str
    """The name as it is compared (`graph.reading.keys`). It is not kept either."""
    created_at: datetime
    """When the memory was created that first named it: of entities that are one, the one with the
    smallest (`created_at`, `id`) is kept, in whatever order they were merged."""
    merged_into: str | None = None
    """The entity that it is one with; that one is merged into none (one level)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityMention:
    """That a memory speaks of an entity."""

    entity_id: str
    surface: str
    """How the memory calls it, as written: an alias ("Anna S.", "my sister")."""
    key: str
    """The surface as it is compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityRelation:
    """A named, directed connection of two entities, with the memory that says so."""

    source: str
    """An entity's id."""
    relation: str
    """Lower case with underscores: ``works_at``, ``sister_of``."""
    target: str
    """An entity's id."""
    memory_id: str
    quote: str = ""
    """The words of the memory that say it; empty: all of its text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityMerge:
    """An entry of the ledger: two entities are one, why, and whether that was undone."""

    id: str
    owner: Scope
    kept: str
    gone: str
    at: datetime
    by: str
    """``spelling``, ``alias``, ``meaning``, ``model`` or ``person``."""
    memory_id: str | None = None
    """The memory whose words say so: the merge falls with it. None: a person said so."""
    score: float | None = None
    undone_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryLinks:
    """All that one memory says of entities: kept, replaced and dropped as a whole.

    The ends of its relations are among its mentions; other relations are not kept.
    """

    memory_id: str
    scope: Scope
    """The memory's own: what a reader may see is decided by it."""
    mentions: tuple[EntityMention, ...] = ()
    relations: tuple[EntityRelation, ...] = ()
    merges: tuple[EntityMerge, ...] = ()
    """That two entities are one, by its words ("my sister Anna")."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refold:
    """That all memories of one owner are being linked again."""

    owner: Scope
    fold: str
    """Its name, and that of no other."""
    version: int
    """What had disturbed the owner when it began."""


ReadVersion = tuple[int, str, Scope]
"""The version of a memory that was read, the hash of its text, and its scope."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownEntity:
    """An entity with what is seen of it from a scope."""

    entity: Entity
    aliases: tuple[str, ...]
    """The surfaces in the memories that the scope admits, most used first, without its name."""
    memories: int
    """How many of these memories speak of it."""
    keys: frozenset[str] = frozenset()
    """All keys of these surfaces, and of its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectedMemory:
    """A memory that shares an entity with another, or is one relation away from it."""

    memory_id: str
    source_id: str
    """The memory from which it was reached."""
    entity_id: str
    """The entity through which."""
    relation: str | None = None
    """The relation, if it was reached by one."""
    spread: int = 1
    """How many memories that the scope admits speak of that entity: fewer tell more."""


class GraphStore(Protocol):
    """Keeps the graph. All methods raise StateError.

    `scope` is a hard predicate on the memories that say something, as in `VectorStore`: an entity
    is seen if a memory that the scope admits speaks of it, by the names these memories use. Merged
    entities are seen as the one that was kept.
    """

    async def link(
        self, links: Sequence[MemoryLinks], entities: Sequence[Entity]
    ) -> frozenset[str]:
        """Keep what these memories say, in place of what was kept of them, and new entities.

        In one transaction: entities that nothing speaks of any more go, with the merges that name
        them. Entities with known ids take the kind and `created_at` that are given. A memory's
        merge that is kept already stays as it is; one of two that were parted before is kept as
        undone.

        Returns the memories that were left as they were: they name an entity that is neither kept
        nor given, or is of another owner.
        """

    async def claim(self, tenant: str, read: Mapping[str, ReadVersion]) -> dict[str, bool]:
        """Note that these memories are linked as they were read, within the transaction of `link`.

        Those that still are as they were read, each with whether it was to be linked.
        """

    async def latest(self, owner: Scope) -> tuple[datetime, str] | None:
        """`created_at` and id of the newest memory of a graph's owner that has been linked."""

    async def disturb(self, owner: Scope) -> None:
        """Note that all memories of a graph's owner are to be linked again."""

    async def come_between(self, owner: Scope) -> None:
        """Note that whoever is linking all of an owner again is to do so once more."""

    async def disturbed(self, *, limit: int) -> list[Scope]:
        """The owners all of whose memories are to be linked again."""

    async def begin(self, owner: Scope) -> Refold:
        """Begin to link all of an owner again: whoever was about it does not go on."""

    async def goes_on(self, refold: Refold) -> bool:
        """Whether nobody began it since."""

    async def end(self, refold: Refold) -> bool:
        """All are linked again; False if somebody disturbed it, or began since: they are not."""

    async def resolve(
        self, owner: Scope, keys: Collection[str], *, limit: int = 200
    ) -> list[KnownEntity]:
        """The entities of an owner that any memory calls by one of these keys, by id.

        Each by itself, as if nothing were merged; `merged_into` tells. `keys` may end in ``*``: a
        prefix.
        """

    async def entities(
        self,
        owner_ref: OwnerRef,
        *,
        name: str | None = None,
        also: str | None = None,
        ids: Collection[str] | None = None,
        apart: bool = False,
        limit: int = 100,
        offset: int = 0,
    ) -> list[KnownEntity]:
        """What the memories of a scope speak of, the most spoken of first; of equals by id.

        `name` is a key of its name or of an alias; with ``*`` at its end, a prefix. `also`: a key
        that it has, too, such as that of a kind. `ids`: only
        these; those of merged ones mean the one that was kept. With `apart` each entity by itself,
        as if nothing were merged.
        """

    async def links_of(self, tenant: str, memory_ids: Collection[str]) -> dict[str, MemoryLinks]:
        """What these memories say; those that speak of nothing are left out."""

    async def memories_of(
        self,
        owner_ref: OwnerRef,
        entity_ids: Collection[str],
        *,
        limit: int,
        after: str | None = None,
    ) -> list[str]:
        """Ids of memories of a scope that speak of these, in order, those greater than `after`.

        The ids of merged entities mean the one that was kept.
        """

    async def relations(
        self,
        owner_ref: OwnerRef,
        entity_ids: Collection[str],
        *,
        relation: str | None = None,
        limit: int,
        offset: int = 0,
    ) -> list[EntityRelation]:
        """Relations from or to these entities, in order of all their fields.

        The ids of merged entities mean the one that was kept, and only ids of kept ones are told.
        """

    async def connected(
        self, scope: Scope, memory_ids: Collection[str], *, limit: int, most_spread: int = 50
    ) -> list[ConnectedMemory]:
        """Memories one step from these, those through the rarest entities first; each once.

        A step is an entity that both speak of, or one relation. Entities that more than
        `most_spread` memories of the scope speak of connect nothing, nor does the user. Memories
        that the scope does not admit lead nowhere.
        """

    async def aliases(self, scope: Scope, memory_ids: Collection[str]) -> dict[str, frozenset[str]]:
        """By memory: the surfaces, in the scope's memories, of the entities that it speaks of.

        Of each entity the `MOST_SURFACES` most used; of the user, and of entities that more than
        300 memories speak of, none.
        """

    async def merge(self, merge: EntityMerge) -> bool:
        """Note that two entities are one; False if they are already.

        Also False if this entry is there already, or if the two were parted before and it is not a
        person who joins them again. It stays as long as both are spoken of, and disturbs the owner.

        Raises:
            NotFoundError: the owner has no such entity.
        """

    async def merges(
        self,
        owner_ref: OwnerRef,
        *,
        ids: Collection[str] | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[EntityMerge]:
        """The ledger, newest first, with what was undone; `ids`: only these entries.

        An entry is of a scope if the scope admits its owner: that of an agent of a user has none.
        """

    async def undo_merge(self, tenant: str, merge_id: str, *, at: datetime) -> EntityMerge | None:
        """Part them again: this entry and all others of the same two are undone.

        They stay one if other merges lead from one to the other. None if there is no such entry, or
        it was undone before.
        """

    async def held_by(self, tenant: str, memory_ids: Collection[str]) -> tuple[int, int]:
        """How many of these memories speak of anything, and of how many entities they alone do."""

    async def founded(self, owner: Scope) -> dict[str, tuple[EntityKind, datetime]]:
        """`kind` and `created_at` of all entities of a graph's owner, by id."""

    async def note(self, name: str) -> str | None:
        """What was kept under this name."""

    async def keep_note(self, name: str, value: str | None) -> None:
        """Keep it, or None of it: how far a rebuild got, and by which reader."""

    async def counts(self, owner_ref: OwnerRef | None = None) -> dict[str, int]:
        """``entities``, ``mentions``, ``relations``, ``merges``, ``stale``, ``marks``, ``orphans``.

        Stale are the memories that are to be linked; marks are these and the owners of whom all
        memories are.

        An orphan is an entity without a mention, a mention or a relation with an end that is not
        there, or a merge of such: always 0.
        """

    async def ping(self) -> None:
        """Return if the store answers. Raises StateError."""

    async def close(self) -> None:
        """Release everything."""
