"""Adds a model's claims about a text to what was read.

Claims are kept only as far as the words support them (`trust.claims`), so all of them are used.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...model.claims import EntityClaim, EntityKind, GraphClaims
from .annotated_text import AnnotatedText, told
from .draft import Drafts
from .keys import (
    ABOUT,
    DESCRIBED,
    Name,
    ReadSurface,
    is_name,
    key_of,
    key_of_kind,
    surface_of,
    words_in,
)
from .kinship import possessions
from .readings import USER_NAME
from .relations import relation_of

MOST_CLAIMS = 40
"""Entities, and relations, of one text that are read."""
MOST_NAME = 120
"""Characters of a name."""


def add_claims(drafts: Drafts, text: str, claims: GraphClaims) -> None:
    """Put the claims beside what was read."""
    entities = claims.entities[:MOST_CLAIMS]
    _part(drafts, [key_of(claim.name[:MOST_NAME]) for claim in entities])
    for claim in entities:
        _add(drafts, claim)
    for one in claims.relations[:MOST_CLAIMS]:
        _relate(drafts, text, one.source, one.relation, one.target)


def add_triple(
    drafts: Drafts, text: str, triple: tuple[str | None, str | None, str | None]
) -> None:
    """Put a subject, predicate and object beside it, if both ends are mentions."""
    subject, predicate, object_ = triple
    if subject and predicate and object_:
        _relate(drafts, text, subject, predicate, object_)


def _part(drafts: Drafts, keys: Sequence[str]) -> None:
    """Shorten names that are two claimed ones: "Deniz Ankara'da" is Deniz, and Ankara."""
    claimed = {words for key in keys if (words := words_in(key))}
    for one in drafts.mentions:
        for key, surface in list(one.surfaces.items()):
            words = words_in(key)
            parts = [part for part in claimed if len(part) < len(words) and _is_in(part, words)]
            if is_name(key) and words not in claimed and len(parts) > 1:
                first = min(parts, key=lambda part: (_place(part, words), -len(part)))
                del one.surfaces[key]
                at = _place(first, words)
                one.add(surface_of(" ".join(surface.text.split()[at : at + len(first)])))


def _is_in(part: Name, words: Name) -> bool:
    return _place(part, words) < len(words)


def _place(part: Name, words: Name) -> int:
    """Where words stand in others, of which the last may have an ending; behind them if nowhere."""
    for at in range(len(words) - len(part) + 1):
        here = words[at : at + len(part)]
        if here[:-1] == part[:-1] and here[-1].startswith(part[-1]):
            return at
    return len(words)


def _add(drafts: Drafts, claim: EntityClaim) -> None:
    names = (one for one in (claim.name, *claim.aliases[:MOST_CLAIMS]) if len(one) <= MOST_NAME)
    surfaces = [one for one in map(_surface, names) if one is not None]
    if not surfaces:
        return
    place = next((at for one in surfaces if (at := _find(drafts, one)) is not None), None)
    if place is None:
        place = drafts.new(surfaces[0])
    own = drafts.mentions[place]
    own.only_known = False
    for surface in surfaces:
        if _find(drafts, surface) in (None, place):
            own.add(surface)
    if not claim.kind.is_thing:
        own.kind, own.sure = claim.kind, True
    elif claim.kind is not EntityKind.THING:
        own.marks.add(key_of_kind(claim.kind))
    if claim.description:
        own.marks.add(ABOUT + claim.description)


def _surface(name: str) -> ReadSurface | None:
    """A claimed name with its keys: a description if it is one, nothing if it is the user."""
    own = told(name)
    if _is_user(own):
        return None
    for one in possessions(own, ()):
        if one.mine and (one.start, one.last) == (0, len(own.words.raw)):
            return ReadSurface(text=name, key=DESCRIBED + one.word)
    surface = surface_of(name)
    return surface if surface.key else None


def _is_user(name: AnnotatedText) -> bool:
    words = range(len(name.words.raw))
    return bool(words) and all(at in name.mine or name.is_stop(at) for at in words)


def _find(drafts: Drafts, surface: ReadSurface) -> int | None:
    """The only mention that is called so, or nearly; None if there is none or more."""
    like = [(one.likeness(surface), place) for place, one in enumerate(drafts.mentions)]
    best = max((score for score, _ in like), default=0.0)
    found = [place for score, place in like if score == best]
    return found[0] if best > 0 and len(found) == 1 else None


def _relate(drafts: Drafts, text: str, source: str, relation: str, target: str) -> None:
    ends = [_end(drafts, text, one) for one in (source, target)]
    if ends[0] is not None and ends[1] is not None:
        drafts.relate(ends[0], relation_of(relation[:MOST_NAME].split()), ends[1])


def _end(drafts: Drafts, text: str, name: str) -> int | None:
    if not name or len(name) > MOST_NAME:
        return None
    own = told(name)
    if _is_user(own):
        whole = told(text)
        at = min(whole.mine, default=None)
        return drafts.user(USER_NAME if at is None else whole.surface(at, at + 1))
    surface = _surface(name)
    return None if surface is None else _find(drafts, surface)
