"""Finds the claims of a model that a text supports. Pure.

A name must stand in the words that it is said to be from: letter by letter but for case, accents
and the endings or particles that the language puts on names. So must a description. A relation must
be between two of these, or one and the user. What is not supported is dropped alone.

What a relation says is not proved by this: two names of a text may be connected in another way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

import regex

from ..language import from_packs, language_of, packs, stored_terms
from ..language.fold import clean, fold
from ..language.scripts import HANGUL, UNSPACED
from ..model.claims import (
    MAX_ENTITIES,
    MAX_RELATIONS,
    NO_CLAIMS,
    USER,
    EntityClaim,
    GraphClaims,
    RelationClaim,
)

_WORDS = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_UNSPACED = regex.compile(f"[{UNSPACED}]")
_HANGUL = regex.compile(f"[{HANGUL}]")
_JOINS_BEFORE = regex.compile(r"[\p{Arabic}\p{Hebrew}]")
"""Scripts in which "and", "to" and "in" are written together with the word that follows."""
_BUCKET = 2
"""First letters by which words are found."""
_PARTICLE = 3
"""Most letters that are joined to a name."""
_JOINED_BEFORE = 2
_SHORT = 3
"""Letters of a name that changes one of them at most."""
_CHANGED = 2
"""Most letters at the end of a longer name that an ending takes the place of."""
_ENDING = 5
"""Most letters of an ending."""


class NameText:
    """The words of some texts, to find names in; the constructor takes linear time."""

    def __init__(self, *texts: str | None) -> None:
        said = [clean(text) for text in texts if text]
        self._words = [word for text in said for word in (*_WORDS.findall(text), "")]
        self._folded = [fold(word) for word in self._words]
        self._plain = "\n".join("".join(_WORDS.findall(fold(text))) for text in said)
        self._inflects = any(map(_may_inflect, said))
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, word in enumerate(self._folded):
            before = range(_JOINED_BEFORE + 1) if _JOINS_BEFORE.match(word) else (0,)
            for key in {word[start : start + _BUCKET] for start in before} - {""}:
                self._places[key].append(place)

    def says(self, name: str) -> bool:
        """Whether a name stands in one of the texts."""
        words = [fold(word) for word in _WORDS.findall(clean(name))]
        if not words:
            return False
        if _UNSPACED.search(name):
            return "".join(words) in self._plain
        starts = self._places.get(words[0][:_BUCKET], ())
        return any(self._stands_at(place, words) for place in starts)

    def _stands_at(self, place: int, words: list[str]) -> bool:
        return len(self._words) - place >= len(words) and all(
            self._is(word, place + number) for number, word in enumerate(words)
        )

    def _is(self, name: str, place: int) -> bool:
        said = self._folded[place]
        if said == name:
            return True
        if _HANGUL.match(name):
            return len(name) > 1 and said.startswith(name) and len(said) <= len(name) + _PARTICLE
        if _JOINS_BEFORE.match(name):
            joined = len(said) - len(name) <= _JOINED_BEFORE
            return len(name) > 1 and joined and said.endswith(name)
        # What is written small is another word: a name is not found in "market".
        return self._inflects and not self._words[place][:1].islower() and _is_form(name, said)


def supported(claims: GraphClaims, *wordings: NameText) -> GraphClaims:
    """The claims whose names stand in each of the wordings."""
    if not claims:
        return NO_CLAIMS
    entities: dict[str, EntityClaim] = {}
    called: dict[str, str] = {}
    for claim in claims.entities:
        names = [name for name in (claim.name, *claim.aliases) if _is_said(name, wordings)]
        if not names:
            continue
        key = _key(names[0])
        told = claim.description if all(each.says(claim.description) for each in wordings) else ""
        known = entities.get(key, replace(claim, name=names[0], aliases=(), description=""))
        aliases = dict.fromkeys((*known.aliases, *names[1:]))
        entities[key] = replace(
            known,
            aliases=tuple(n for n in aliases if _key(n) != key),
            description=known.description or told,
        )
        for name in (claim.name, *claim.aliases):
            called.setdefault(_key(name), known.name)
    relations = _relations(claims.relations, called)
    return GraphClaims(entities=tuple(entities.values()), relations=relations) or NO_CLAIMS


def together(*claims: GraphClaims) -> GraphClaims:
    """All of them as one, within the bounds; of entities of one name the first counts."""
    entities: dict[str, EntityClaim] = {}
    for one in (one for each in claims for one in each.entities):
        entities.setdefault(_key(one.name), one)
    relations = dict.fromkeys(one for each in claims for one in each.relations)
    both = GraphClaims(
        entities=tuple(entities.values())[:MAX_ENTITIES], relations=tuple(relations)[:MAX_RELATIONS]
    )
    return both or NO_CLAIMS


def _relations(
    claims: Iterable[RelationClaim], called: Mapping[str, str]
) -> tuple[RelationClaim, ...]:
    found: dict[RelationClaim, None] = {}
    for claim in claims:
        source, target = _end(claim.source, called), _end(claim.target, called)
        if source and target and source != target:
            found[replace(claim, source=source, target=target)] = None
    return tuple(found)


def _end(name: str, called: Mapping[str, str]) -> str | None:
    return USER if is_user(name) else called.get(_key(name))


def _is_said(name: str, wordings: Iterable[NameText]) -> bool:
    named = not (_is_pronoun(name) or is_user(name))
    return named and all(wording.says(name) for wording in wordings)


def _is_pronoun(name: str) -> bool:
    """Whether it only points at somebody: it would be everybody's name."""
    if not stored_terms(name):
        return True
    words, (pointing, characters) = _key(name).split(), _pointing_words()
    small = name == name.lower()
    return small and (set(words) <= pointing or set("".join(words)) <= characters)


@from_packs
def _pointing_words() -> tuple[frozenset[str], frozenset[str]]:
    """Function words of all languages, and characters of those without blanks."""
    every = packs().values()
    terms = (term for pack in every for term in (*pack.words.stop, *pack.requests.anaphora))
    single = (sign for pack in every for term in pack.words.stop_characters for sign in term)
    return frozenset(fold(term.rstrip("*")) for term in terms), frozenset(single)


def is_user(name: str) -> bool:
    """Whether a name means the person whose memory it is, in any language."""
    words = _key(name).split()
    user, first_person = _user_words()
    # With an article at most.
    return bool(words) and (
        (len(words) <= 2 and words[-1] in user) or " ".join(words) in first_person  # noqa: PLR2004
    )


@from_packs
def _user_words() -> tuple[frozenset[str], frozenset[str]]:
    people = [pack.people for pack in packs().values()]
    user = {fold(word) for each in people for word in each.user} | {USER}
    return frozenset(user), frozenset(fold(word) for each in people for word in each.first_person)


def _key(name: str) -> str:
    return " ".join(fold(word) for word in _WORDS.findall(clean(name)))


def _may_inflect(text: str) -> bool:
    """Whether its language puts endings on names; a short text may be of any."""
    pack = packs().get(language_of(text))
    return pack is None or pack.words.inflects_names


def _is_form(name: str, said: str) -> bool:
    """Whether a word is a name with another ending."""
    same = 0
    while same < min(len(name), len(said)) and name[same] == said[same]:
        same += 1
    lost, ending = len(name) - same, len(said) - same
    if len(name) <= _SHORT:
        return same > 1 and lost <= 1 and ending <= 1
    return same >= _SHORT and lost <= _CHANGED and ending <= _ENDING
