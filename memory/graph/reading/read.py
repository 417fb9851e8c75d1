"""Reads who and what a text speaks of, without a model, and what a model claimed of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...model.claims import NO_CLAIMS, EntityKind, GraphClaims
from .claimed import add_claims, add_triple
from .draft import Drafts
from .keys import DESCRIBED, ReadSurface, split, surface_of
from .kin import Owned, owned
from .kinds import kind_of
from .names import Span
from .reading import NOTHING_READ, Reading
from .relations import between, of_kin
from .told import Told, told
from .uncased import all_names, maybe_names

READER: Final = "1"
"""The version of reading and resolving: another one reads otherwise."""
NO_TRIPLE: Final = (None, None, None)


def read(
    text: str,
    *,
    claims: GraphClaims = NO_CLAIMS,
    triple: tuple[str | None, str | None, str | None] = NO_TRIPLE,
    trait: str = "",
) -> Reading:
    """Who and what a text speaks of, and how these are connected. Any text is read, in linear time.

    Args:
        text: A fact or a statement; of a long one the beginning is read.
        claims: What a model found in it.
        triple: Subject, predicate and object, if known.
        trait: What the statement is about by meaning (`recall.prototypes`), if known.
    """
    if not text.strip():
        return NOTHING_READ
    known = told(text)
    drafts = Drafts()
    names = all_names(known)
    kin = owned(known, names)
    places = _add_names(drafts, known, names, kin, trait)
    _add_kin(drafts, known, names, kin, places)
    for source, relation, target in between(known, names):
        quote = known.surface(names[source].start, names[target].end)
        drafts.relate(places[source], relation, places[target], quote)
    add_claims(drafts, known.text, claims)
    add_triple(drafts, known.text, triple)
    _add_maybe(drafts, known, names)
    return drafts.reading()


def _surface(text: Told, span: Span) -> ReadSurface:
    return surface_of(text.surface(span.start, span.end))


def _add_names(
    drafts: Drafts, text: Told, names: Sequence[Span], kin: Sequence[Owned], trait: str
) -> list[int]:
    """A mention for each name; where it is, by the names' places (-1: nowhere)."""
    people = {place for one in kin for place in one.names}
    people |= {one.by_name for one in kin if one.by_name is not None}
    places = []
    for place, span in enumerate(names):
        surface = _surface(text, span)
        if not surface.key:
            places.append(-1)
            continue
        person = place in people or span.person or bool(split(surface.text)[0])
        at = drafts.place(surface, person=person)
        own = drafts.mentions[at]
        kind, is_told = kind_of(text, span, person=person, trait=trait)
        own.is_a(kind, told=is_told)
        known_only = not (span.sure or place in people)
        own.only_known = known_only and (own.only_known or len(own.surfaces) == 1)
        places.append(at)
    return places


def _add_kin(
    drafts: Drafts, text: Told, names: Sequence[Span], kin: Sequence[Owned], places: list[int]
) -> None:
    """Descriptions: further names of those whom they describe, or mentions of their own."""
    keys = _keys(text, names, kin)
    at: dict[int, int] = {}
    for place in sorted(range(len(kin)), key=lambda one: -kin[one].term):
        one = kin[place]
        if not one.is_owned:
            continue
        described = [places[name] for name in one.names if places[name] >= 0]
        surface = ReadSurface(text=text.surface(one.start, one.last), key=keys[place])
        if not one.indefinite and len(described) == 1:
            drafts.mentions[described[0]].add(surface)
        elif not one.indefinite and not described:
            described = [drafts.place(surface)]
        if described:
            at[place] = described[0]
        for who in described:
            drafts.mentions[who].is_a(EntityKind.PERSON)
    for place, one in enumerate(kin):
        described = [places[name] for name in one.names if places[name] >= 0] or (
            [at[place]] if place in at else []
        )
        owner = _owner(drafts, text, one, places, at) if described else None
        if owner is None:
            continue
        for who in described:
            drafts.relate(who, of_kin(one.word), owner, text.surface(one.start, one.last))


def _keys(text: Told, names: Sequence[Span], kin: Sequence[Owned]) -> list[str]:
    """The key of each description: the owner's and the term. The user's has the term alone."""
    keys = [""] * len(kin)
    for _ in (1, 2):  # an owner may stand behind
        for place, one in enumerate(kin):
            if one.by_kin is not None and one.by_kin < len(kin):
                keys[place] = f"{keys[one.by_kin]} {one.word}"
            elif one.by_name is not None:
                keys[place] = f"{DESCRIBED}{_surface(text, names[one.by_name]).key} {one.word}"
            else:
                keys[place] = DESCRIBED + one.word
    return keys


def _owner(
    drafts: Drafts, text: Told, one: Owned, places: Sequence[int], at: dict[int, int]
) -> int | None:
    if one.by_name is not None:
        return places[one.by_name] if places[one.by_name] >= 0 else None
    if one.by_kin is not None:
        return at.get(one.by_kin)
    mine = min(text.mine, default=None)
    return None if mine is None else drafts.user(text.surface(mine, mine + 1))


def _add_maybe(drafts: Drafts, text: Told, names: Sequence[Span]) -> None:
    known = {key for one in drafts.mentions for key in one.surfaces}
    for span in maybe_names(text, names):
        surface = _surface(text, span)
        if surface.key and surface.key not in known:
            known.add(surface.key)
            drafts.new(surface, only_known=True)
