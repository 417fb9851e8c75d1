"""Claims of a model about a fact: entities and their relations.

It is kept with the memory (`Provenance.claims`), so that it falls with it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class EntityKind(StrEnum):
    """What an entity is."""

    PERSON = "person"
    ORGANIZATION = "organization"
    PLACE = "place"
    EVENT = "event"
    THING = "thing"
    CONCEPT = "concept"
    TECHNOLOGY = "technology"
    PRODUCT = "product"

    @property
    def is_thing(self) -> bool:
        """Whether it tells no two entities apart: what one calls a product is a thing elsewhere."""
        return self in _THINGS


_THINGS = frozenset(
    (EntityKind.THING, EntityKind.CONCEPT, EntityKind.TECHNOLOGY, EntityKind.PRODUCT)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityClaim:
    """An entity as a model found it in a fact: kept with the memory, checked against its text."""

    name: str
    kind: EntityKind = EntityKind.THING
    aliases: tuple[str, ...] = ()
    description: str = ""
    """What the text says that it is, in the text's words; empty if it says nothing."""


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

USER = "user"
"""How a `RelationClaim` calls the person whose memory it is, whatever the language."""
MAX_ENTITIES = 12
"""Of one fact."""
MAX_RELATIONS = 12
MAX_ALIASES = 4
"""Of one entity."""
MAX_NAME_CHARS = 80
MAX_DESCRIPTION_CHARS = 120
MAX_RELATION_CHARS = 40
MAX_RELATION_WORDS = 5

_KNOWN_BY = 4
"""Letters by which a kind is known: "org", "organisation", "Person"; a project is no product."""
_LEAST = 3
_SAME_KIND = {"loca": EntityKind.PLACE}
"""The word of other formats for a kind of ours."""


def claims_dict(claims: GraphClaims) -> dict[str, Any]:
    """Claims as a JSON value; only what is set."""
    if not claims:
        return {}
    entities = [
        {"name": one.name, "type": one.kind.value}
        | ({"aliases": list(one.aliases)} if one.aliases else {})
        | ({"description": one.description} if one.description else {})
        for one in claims.entities
    ]
    relations = [
        {"source": one.source, "relation": one.relation, "target": one.target}
        for one in claims.relations
    ]
    both = {"entities": entities, "relations": relations}
    return {name: listed for name, listed in both.items() if listed}


def claims_of(value: object) -> GraphClaims:
    """The claims in a JSON value that anybody may have written, within the bounds.

    What is not as it should be is left out alone; whether a text says it is not looked at
    (`trust.claims`).
    """
    if not isinstance(value, Mapping):
        return NO_CLAIMS
    entities = filter(None, map(_entity, _listed(value.get("entities"), MAX_ENTITIES)))
    relations = filter(None, map(_relation, _listed(value.get("relations"), MAX_RELATIONS)))
    found = GraphClaims(entities=tuple(entities), relations=tuple(relations))
    return found or NO_CLAIMS


def relation_name(said: object) -> str:
    """A relation in lower case with underscores ("works at": ``works_at``), or "" if it is none.

    A number is no part of one, and neither is a sentence.
    """
    if not isinstance(said, str) or len(said) > MAX_RELATION_CHARS:
        return ""
    words = "".join(one if _of_word(one) else " " for one in said.casefold()).split()
    name = "_".join(words)
    bare = not any(map(str.isdigit, said)) and any(map(str.isalpha, name))
    short = len(words) <= MAX_RELATION_WORDS and len(name) <= MAX_RELATION_CHARS
    return name if bare and short else ""


def _of_word(character: str) -> bool:
    """Whether it is a letter or a mark on one."""
    return character.isalpha() or unicodedata.category(character).startswith("M")


def _listed(value: object, most: int) -> Sequence[object]:
    return value[:most] if isinstance(value, list | tuple) else ()


def _entity(value: object) -> EntityClaim | None:
    if not isinstance(value, Mapping):
        return None
    name = _name(value.get("name"))
    if not name:
        return None
    others = (_name(one) for one in _listed(value.get("aliases"), MAX_ALIASES))
    aliases = dict.fromkeys(one for one in others if one and one != name)
    return EntityClaim(
        name=name,
        kind=_kind(value.get("type")),
        aliases=tuple(aliases),
        description=_name(value.get("description"), MAX_DESCRIPTION_CHARS),
    )


def _relation(value: object) -> RelationClaim | None:
    if not isinstance(value, Mapping):
        return None
    source, target = _name(value.get("source")), _name(value.get("target"))
    relation = relation_name(value.get("relation"))
    if not (source and relation and target):
        return None
    return RelationClaim(source=source, relation=relation, target=target)


def _name(value: object, most: int = MAX_NAME_CHARS) -> str:
    """On one line and without what stores refuse; "" if it is too long, or has no letter."""
    if not isinstance(value, str) or len(value) > most:
        return ""
    line = " ".join(value.encode("utf-8", "replace").decode().replace("\0", " ").split())
    return line if any(map(str.isalpha, line)) else ""


def _kind(value: object) -> EntityKind:
    said = value.strip().casefold()[:_KNOWN_BY] if isinstance(value, str) else ""
    if len(said) < _LEAST or said in _SAME_KIND:
        return _SAME_KIND.get(said, EntityKind.THING)
    known = (kind for kind in EntityKind if kind.value.startswith(said))
    return next(known, EntityKind.THING)
