"""What `AsyncMemory.graph` answers: its dictionaries, and how they are made. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired

from typing_extensions import TypedDict

from ..graph import USER_NAME, description_in, kind_told
from ..model.graph import USER_KEY, EntityMerge, EntityRelation, KnownEntity
from .showing import shown_as


class GraphEntityDict(TypedDict):
    """Somebody or something that memories speak of."""

    id: str
    name: str
    """The fullest name that these memories call it by."""
    type: str | None
    """`person`, `organization`, `place`, `event`, `concept`, `technology` or `product`; None if no
    memory tells it."""
    description: str | None
    """What it is, in the words of a memory, as a model found them; None if it found none."""
    aliases: list[str]
    """How else they call it, most used first."""
    memories: int
    """How many of them speak of it."""
    created_at: str
    """When the memory was created that first named it."""
    user_id: NotRequired[str]
    agent_id: NotRequired[str]
    run_id: NotRequired[str]


class GraphEntityResults(TypedDict):
    """Entities, the most spoken of first."""

    results: list[GraphEntityDict]
    more: bool
    """Whether there are more after these."""


class RelationDict(TypedDict):
    """A named connection, from its source to its target."""

    source: str
    source_id: str
    relation: str
    """Lower case with underscores: `works_at`."""
    target: str
    target_id: str
    memory_id: str
    """The memory that says so."""
    quote: str
    """Its words that say it, or all of its text."""


class RelationResults(TypedDict):
    """Relations from and to an entity, in order of their names."""

    results: list[RelationDict]
    more: bool


class NamedEntity(TypedDict):
    """One side of a merge."""

    id: str
    name: str | None
    """None if no memory that may be seen speaks of it any more."""


class EntityMergeDict(TypedDict):
    """An entry of the ledger: two entities are one."""

    id: str
    kept: NamedEntity
    gone: NamedEntity
    by: str
    """`spelling`, `alias`, `meaning`, `model` or `person`."""
    at: str
    score: NotRequired[float]
    undone_at: NotRequired[str]
    """When somebody parted them again."""


class EntityMergeResults(TypedDict):
    """The ledger, newest first."""

    results: list[EntityMergeDict]
    more: bool


class JoinedDict(TypedDict):
    """What became of two entities that are one."""

    entity: GraphEntityDict
    """As it is seen now."""
    merge: NotRequired[EntityMergeDict]
    """The new entry of the ledger."""
    already: bool
    """Whether they were one before."""


class PartedDict(TypedDict):
    """What became of a merge that is undone."""

    merge: EntityMergeDict
    already: bool
    """Whether somebody had undone it before."""


class RebuiltDict(TypedDict):
    """What a rebuild read and found."""

    memories: int
    entities: int
    relations: int
    seconds: float


class GraphExportDict(TypedDict):
    """A part of the graph for another database of graphs."""

    cypher: str
    """Statements, a line each. They can be run again, and in any order."""
    entities: int
    relations: int
    more: bool


class GraphFileDict(TypedDict):
    """The result of `export_file`."""

    entities: int
    relations: int
    bytes: int


class GraphCheckDict(TypedDict):
    """What the graph holds, and what is wrong with it."""

    entities: int
    mentions: int
    relations: int
    merges: int
    marks: int
    """What waits to be read: memories that changed, and owners of whom all are read again."""
    orphans: int
    """Entities, relations and merges that no memory holds up: always 0."""
    stale: int
    """Memories that changed since they were read, or were never read."""


def name_of(known: KnownEntity) -> str:
    """What an entity is called where it is shown: the user is `User`, whatever memories write."""
    return USER_NAME if USER_KEY in known.keys else known.entity.name


def entity_dict(known: KnownEntity) -> GraphEntityDict:
    """An entity as it is shown."""
    entity, name, kind = known.entity, name_of(known), kind_told(known.keys)
    aliases = known.aliases if name == entity.name else (entity.name, *known.aliases)
    return shown_as(
        GraphEntityDict,
        entity,
        name=name,
        type=kind,
        description=description_in(known.keys),
        aliases=[alias for alias in aliases if alias != name],
        memories=known.memories,
        **entity.owner.ids(),
    )


def relation_dict(relation: EntityRelation, names: Mapping[str, str], quote: str) -> RelationDict:
    """A relation as it is shown."""
    return shown_as(
        RelationDict,
        relation,
        source=names[relation.source],
        source_id=relation.source,
        target=names[relation.target],
        target_id=relation.target,
        quote=quote,
    )


def merge_dict(merge: EntityMerge, names: Mapping[str, str]) -> EntityMergeDict:
    """An entry of the ledger as it is shown."""
    kept, gone = (NamedEntity(id=side, name=names.get(side)) for side in (merge.kept, merge.gone))
    score = None if merge.score is None else round(merge.score, 4)
    return shown_as(EntityMergeDict, merge, kept=kept, gone=gone, score=score)
