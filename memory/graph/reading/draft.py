"""The mentions of a text while they are put together: one for all that is one and the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ...model.claims import EntityKind
from .keys import ALIKE, FAMILY, ReadSurface, is_name, key_of_kind, likeness, surface_of, words_in
from .readings import USER_KEY, GraphReading, ReadMention, ReadRelation

MOST_MENTIONS = 100
"""Of one text."""


@dataclass(slots=True)
class Draft:
    """A mention that may still get further names."""

    surfaces: dict[str, ReadSurface] = field(default_factory=dict)
    """By their keys."""
    kind: EntityKind = EntityKind.THING
    sure: bool = False
    only_known: bool = False
    marks: set[str] = field(default_factory=set)
    """Further keys of its names: a title before it, a kind that it may be."""

    def add(self, surface: ReadSurface) -> None:
        """A further name or description; the first with a key stays."""
        if surface.key:
            self.surfaces.setdefault(surface.key, surface)

    def is_a(self, kind: EntityKind, *, told: bool = True) -> None:
        """Note its kind: what is told counts more than a guess, a guess more than none."""
        if (told and not self.sure) or (not self.sure and self.kind is EntityKind.THING):
            self.kind, self.sure = kind, told

    def likeness(self, surface: ReadSurface) -> float:
        """How alike a name is to the most alike one of its own."""
        if not is_name(surface.key):
            return float(surface.key in self.surfaces)
        own = (words_in(key) for key in self.surfaces if is_name(key))
        return max((likeness(words_in(surface.key), name) for name in own), default=0.0)

    def mention(self) -> ReadMention:
        """As it is handed out, the fullest name first."""
        kind = self.kind if self.sure else None
        named = [
            surface_of(one.text, kind, self.marks)
            for key, one in self.surfaces.items()
            if is_name(key)
        ]
        named.sort(key=lambda one: -len(one.key))
        told = () if kind is None else (key_of_kind(kind),)
        others = [
            replace(one, more=(*one.more, *told))
            for key, one in self.surfaces.items()
            if not is_name(key)
        ]
        return ReadMention(
            surfaces=(*named, *others), kind=self.kind, sure=self.sure, named=bool(named),
            only_known=self.only_known,
        )  # fmt: skip


@dataclass(slots=True)
class Drafts:
    """All of a text, with their relations."""

    mentions: list[Draft] = field(default_factory=list)
    relations: dict[tuple[int, str, int], str] = field(default_factory=dict)
    """The quote of each relation."""

    def place(self, surface: ReadSurface, *, person: bool = False) -> int:
        """Where the mention with a name is: a new one, if none is called so.

        `person`: a part of a name is enough, if one only has it.
        """
        found = [at for at, one in enumerate(self.mentions) if surface.key in one.surfaces]
        if not found:
            least = FAMILY if person else ALIKE
            liked = (one.likeness(surface) >= least for one in self.mentions)
            found = [at for at, is_like in enumerate(liked) if is_like]
        if not found or len(found) > 1:
            return self.new(surface)
        self.mentions[found[0]].add(surface)
        return found[0]

    def new(self, surface: ReadSurface, *, only_known: bool = False) -> int:
        """A new mention with a name, and where it is."""
        one = Draft(only_known=only_known)
        one.add(surface)
        self.mentions.append(one)
        return len(self.mentions) - 1

    def user(self, text: str) -> int:
        """Where the user is, who is called so in the text."""
        for place, one in enumerate(self.mentions):
            if USER_KEY in one.surfaces:
                return place
        place = self.new(ReadSurface(text=text, key=USER_KEY))
        self.mentions[place].is_a(EntityKind.PERSON)
        return place

    def relate(self, source: int, relation: str, target: int, quote: str = "") -> None:
        """Note a relation of two mentions; one that is known stays as it is."""
        if relation and source != target:
            self.relations.setdefault((source, relation, target), quote)

    def reading(self) -> GraphReading:
        """All of it, without mentions that have no name and no description."""
        kept = {place: number for number, place in enumerate(self._kept())}
        return GraphReading(
            mentions=tuple(self.mentions[place].mention() for place in kept),
            relations=tuple(
                ReadRelation(source=kept[one], relation=name, target=kept[other], quote=quote)
                for (one, name, other), quote in self.relations.items()
                if one in kept and other in kept
            ),
        )

    def _kept(self) -> Iterable[int]:
        sure = [i for i, one in enumerate(self.mentions) if one.surfaces and not one.only_known]
        maybe = [i for i, one in enumerate(self.mentions) if one.surfaces and one.only_known]
        return [*sure, *maybe][:MOST_MENTIONS]
