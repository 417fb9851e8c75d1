"""Puts what was read of a text together: names, descriptions, and how they are connected."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import regex

from ...model.claims import EntityKind
from .annotated_text import MINE, AnnotatedText
from .cased_names import NameSpan
from .draft import Drafts
from .keys import DESCRIBED, OF, ReadSurface, split, surface_of
from .kinds import kind_of, marks_of
from .kinship import Possession, possessions
from .relations import between, of_kin
from .uncased_names import all_names, maybe_names

_NOWHERE = -1
_ADDED = regex.compile(r"(?<=[a-z\u00c0-\u024f])['\u2019]\p{Ll}{1,5}$")
"""An ending of a name in Latin letters that an apostrophe parts from it."""


@dataclass(slots=True)
class Assembly:
    """The mentions of one text, put together step by step."""

    text: AnnotatedText
    trait: str
    """What the statement is about by meaning, "" if unknown."""
    drafts: Drafts = field(default_factory=Drafts)
    names: Sequence[NameSpan] = ()
    kin: Sequence[Possession] = ()
    surfaces: Sequence[ReadSurface] = ()
    """Of each name."""
    places: list[int] = field(default_factory=list)
    """The mention of each name, by its place among the drafts."""
    described: dict[int, list[int]] = field(default_factory=dict)
    """The mentions of each description, by its place in `kin`."""

    def read(self) -> None:
        """Read all that the text tells."""
        self.names = all_names(self.text)
        self.kin = possessions(self.text, self.names)
        self.surfaces = self._surfaces()
        people = {place for one in self.kin for place in (*one.names, one.by_name)}
        for place, span in enumerate(self.names):
            self.places.append(self._add_name(place, span, person=place in people))
        keys = self._keys()
        shared = self._shared(keys)
        for place in sorted(range(len(self.kin)), key=lambda at: not self.kin[at].names):
            self._add_description(place, keys[place], shared)
        self._relate_kin()
        starts = self.text.words.clause_starts
        subjects = {name for one in self.kin if one.start in starts for name in one.names}
        for source, relation, target in between(self.text, self.names, subjects):
            quote = self.text.surface(self.names[source].start, self.names[target].end)
            self.drafts.relate(self.places[source], relation, self.places[target], quote)

    def add_maybe(self) -> None:
        """Add the words that are mentions only if they are known."""
        known = {key for one in self.drafts.mentions for key in one.surfaces}
        for span in maybe_names(self.text, self.names):
            surface = surface_of(self.text.surface(span.start, span.end))
            if surface.key and surface.key not in known:
                known.add(surface.key)
                self.drafts.new(surface, only_known=True)

    def _surfaces(self) -> list[ReadSurface]:
        """How each name is written, without the ending of a genitive and what an apostrophe adds.

        "Petras Bruder" in German, "Ankara'da" in Turkish.
        """
        genitive = {one.by_name for one in self.kin if one.genitive}
        written = [self.text.surface(span.start, span.end) for span in self.names]
        if self.text.small.inflects:
            written = [_ADDED.sub("", name) for name in written]
        return [
            surface_of(name[:-1] if at in genitive else name) for at, name in enumerate(written)
        ]

    def _add_name(self, place: int, span: NameSpan, *, person: bool) -> int:
        surface = self.surfaces[place]
        if not surface.key:
            return _NOWHERE
        somebody = person or span.person or bool(split(surface.text)[0])
        at = self.drafts.place(surface, person=somebody)
        own = self.drafts.mentions[at]
        kind, is_told = kind_of(
            self.text, span, person=somebody, trait=self.trait, whose=self._tells_of_a_person()
        )
        own.is_a(kind, told=is_told)
        own.marks.update(marks_of(self.text, span))
        is_new = len(own.surfaces) == 1
        own.only_known = not (span.sure or person) and (own.only_known or is_new)
        return at

    def _tells_of_a_person(self) -> bool:
        """Whether the user or somebody of theirs is in it."""
        told = any(one.sure and one.kind is EntityKind.PERSON for one in self.drafts.mentions)
        return told or any(map(self.text.hits.get, MINE))

    def _keys(self) -> list[str]:
        """The key of each description: its owner's and the term; of the user's the term alone."""
        keys = [""] * len(self.kin)
        for _ in range(2):  # an owner may stand behind
            for place, one in enumerate(self.kin):
                keys[place] = f"{self._owner_key(one, keys)}{one.word}"
        return keys

    def _owner_key(self, one: Possession, keys: Sequence[str]) -> str:
        if one.by_kin is not None and one.by_kin < len(keys):
            return f"{keys[one.by_kin]}{OF}"
        if one.by_name is not None:
            return f"{DESCRIBED}{self.surfaces[one.by_name].key}{OF}"
        return DESCRIBED

    def _shared(self, keys: Sequence[str]) -> set[str]:
        """Descriptions of several ("my sister Anna and my sister Eva"): they name none of them."""
        whom: dict[str, set[int]] = {}
        for place, one in enumerate(self.kin):
            whom.setdefault(keys[place], set()).update(self.places[name] for name in one.names)
        return {key for key, found in whom.items() if len(found) > 1}

    def _add_description(self, place: int, key: str, shared: Collection[str]) -> None:
        """A further name of whom it describes, or a mention of its own."""
        one = self.kin[place]
        if not one.is_owned:
            return
        found = [at for name in one.names if (at := self.places[name]) != _NOWHERE]
        surface = ReadSurface(text=self.text.surface(one.start, one.last), key=key)
        if len(found) == 1 and not (one.indefinite or key in shared):
            self.drafts.mentions[found[0]].add(surface)
        elif not one.indefinite and not found:
            found = [self.drafts.place(surface)]
        for at in found:
            self.drafts.mentions[at].is_a(EntityKind.PERSON)
        self.described[place] = found

    def _relate_kin(self) -> None:
        for place, one in enumerate(self.kin):
            found = self.described.get(place, ())
            owner = self._owner(one) if found else _NOWHERE
            quote = self.text.surface(one.start, one.last)
            for at in found if owner != _NOWHERE else ():
                self.drafts.relate(at, of_kin(one.word), owner, quote)

    def _owner(self, one: Possession) -> int:
        if one.by_name is not None:
            return self.places[one.by_name]
        if one.by_kin is not None:
            return next(iter(self.described.get(one.by_kin, ())), _NOWHERE)
        mine = min(self.text.mine, default=None)
        if mine is None:
            return _NOWHERE
        return self.drafts.user(self.text.surface(mine, mine + 1))
