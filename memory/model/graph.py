"""Entities, mentions and relations, and the port that keeps them.

A memory owns what it says: its text, and the entities and relations that a model found in it
(`Provenance`). The graph owns who is one and the same (aliases and merges). All else in it follows
from the memories and is built again from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from .claims import EntityKind as EntityKind  # noqa: PLC0414 - the kind of an `Entity`
from .scope import Scope

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
