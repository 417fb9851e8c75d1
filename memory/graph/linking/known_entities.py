"""The entities of one owner while its memories are linked one after the other. No IO."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from ...model.graph import DESCRIPTION, MOST_SURFACES, Entity, EntityMention, KnownEntity

MOST_CALLED = 50
"""Entities with one key that are compared with a mention: of more, none is meant for sure."""
_PREFIX = "*"


@dataclass(slots=True)
class _One:
    """An entity as it is known so far."""

    entity: Entity
    surfaces: Counter[str] = field(default_factory=Counter)
    key_of: dict[str, str] = field(default_factory=dict)
    """The first key of each surface."""
    keys: set[str] = field(default_factory=set)
    memories: int = 0
    shown: KnownEntity | None = None
    """As `resolve` is given it, until something of it changes."""


class KnownEntities:
    """Finds entities by the keys of their names, each by itself; knows which ones are one."""

    def __init__(self, known: Iterable[KnownEntity] = ()) -> None:
        self._all: dict[str, _One] = {}
        self._by_key: dict[str, set[str]] = {}
        self._keys: list[str] = []
        """Sorted, for prefixes."""
        self._joined: dict[str, set[str]] = {}
        """By root: all that are one with it, itself too."""
        self._root: dict[str, str] = {}
        for one in known:
            self._place(one)

    def __contains__(self, entity_id: str) -> bool:
        return entity_id in self._all

    def of(self, entity_ids: Collection[str]) -> list[Entity]:
        """These entities, by id."""
        return [self._all[one].entity for one in sorted(entity_ids) if one in self._all]

    def found(self, keys: Collection[str]) -> list[KnownEntity]:
        """Those that are called by one of these keys: of each key some, the same each time."""
        chosen = {one for key in keys for one in self._with(key)}
        return [self._shown(one) for one in sorted(chosen)]

    def _with(self, key: str) -> list[str]:
        found = {one for known in self._spelt(key) for one in self._by_key[known]}
        return sorted(found)[:MOST_CALLED] if len(found) > MOST_CALLED else list(found)

    def add(self, entity: Entity) -> None:
        """A new entity, that nothing speaks of yet."""
        self._all[entity.id] = _One(entity)
        if (root := self._root.get(entity.id)) is not None:
            self._settle(root, self._joined[root])

    def mention(self, entity_id: str, mentions: Iterable[EntityMention]) -> None:
        """One more memory speaks of it, in these words."""
        one = self._all[entity_id]
        one.memories += 1
        for each in mentions:
            one.surfaces[each.surface] += 1
            # How often something is said changes nothing of who is meant (`resolving`).
            if each.surface not in one.key_of:
                one.key_of[each.surface] = each.key
                one.shown = None
            self._keyed(one, each.key)

    def root(self, entity_id: str) -> str:
        """The entity that it is seen as."""
        return self._root.get(entity_id, entity_id)

    def join(self, one: str, other: str) -> bool:
        """Two are one from now on; False if they are already. The oldest is the root of all."""
        first, second = self.root(one), self.root(other)
        if first == second:
            return False
        joined = self._joined.pop(first, {first}) | self._joined.pop(second, {second})
        self._settle(first, joined)
        return True

    def _settle(self, root: str, joined: set[str]) -> None:
        """Choose the root of some that are one."""
        self._joined.pop(root, None)
        there = [self._all[one] for one in joined if one in self._all]
        root = min(there, key=_age).entity.id if there else min(joined)
        self._joined[root] = joined
        for each in joined:
            self._root[each] = root
            if known := self._all.get(each):
                known.shown = None

    def _place(self, known: KnownEntity) -> None:
        entity = replace(known.entity, merged_into=None)
        one = self._all[entity.id] = _One(entity, memories=known.memories)
        for surface in (known.entity.name, *known.aliases):
            one.key_of[surface] = known.entity.key
            one.surfaces[surface] += 1
        for key in known.keys:
            self._keyed(one, key)
        one.shown = known
        if (root := known.entity.merged_into) is not None:
            self._root[entity.id] = root
            self._joined.setdefault(root, {root}).add(entity.id)
            self._root[root] = root

    def _keyed(self, one: _One, key: str) -> None:
        if key in one.keys:
            return
        one.keys.add(key)
        one.shown = None
        if key not in self._by_key:
            self._by_key[key] = set()
            insort(self._keys, key)
        self._by_key[key].add(one.entity.id)

    def _spelt(self, key: str) -> Iterator[str]:
        """The known keys that a key to look for stands for."""
        if not key.endswith(_PREFIX):
            if key in self._by_key:
                yield key
            return
        begun = key.removesuffix(_PREFIX)
        for at in range(bisect_left(self._keys, begun), len(self._keys)):
            if not self._keys[at].startswith(begun):
                return
            yield self._keys[at]

    def _shown(self, entity_id: str) -> KnownEntity:
        one = self._all[entity_id]
        if one.shown is None:
            one.shown = self._seen(one)
        return one.shown

    def _seen(self, one: _One) -> KnownEntity:
        name = _name(one.key_of)
        root = self.root(one.entity.id)
        entity = replace(
            one.entity,
            name=name,
            key=one.key_of[name],
            merged_into=None if root == one.entity.id else root,
        )
        used = sorted(one.surfaces, key=lambda each: (-one.surfaces[each], each))
        others = tuple(each for each in used if each != name)[:MOST_SURFACES]
        return KnownEntity(
            entity=entity, aliases=others, memories=one.memories, keys=frozenset(one.keys)
        )


def _name(key_of: dict[str, str]) -> str:
    """The fullest name among surfaces: a name before a description, then the longest."""

    def rank(surface: str) -> tuple[bool, int, str]:
        key = key_of[surface]
        return key.startswith(DESCRIPTION), -len(key), surface

    return min(key_of, key=rank)


def _age(one: _One) -> tuple[datetime, str]:
    return one.entity.created_at, one.entity.id
