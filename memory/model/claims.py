"""What a model found in a fact: who and what it speaks of, and how these are connected.

It is kept with the memory (`Provenance.claims`), so that it falls with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class EntityKind(StrEnum):
    """What an entity is."""

    PERSON = "person"
    ORGANIZATION = "organization"
    PLACE = "place"
    EVENT = "event"
    THING = "thing"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityClaim:
    """An entity as a model found it in a fact: kept with the memory, checked against its text."""

    name: str
    kind: EntityKind = EntityKind.THING
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationClaim:
    """A relation as a model found it in a fact."""

    source: str
    """A name, as in an `EntityClaim`."""
    relation: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphClaims:
    """All of them, of one fact. Falsy if there are none."""

    entities: tuple[EntityClaim, ...] = ()
    relations: tuple[RelationClaim, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.entities or self.relations)


NO_CLAIMS = GraphClaims()
