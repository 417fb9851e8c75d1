"""Decides which known entity a mention is. In doubt it is a new one: nothing is merged then.

It depends on what the known entities are called, and on nothing else: neither on their order nor
on how often they are mentioned. So linking memories one by one gives what linking all again gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ...model.claims import EntityKind
from ...model.graph import KnownEntity
from ..reading.keys import (
    ALIKE,
    FULLER,
    SAME,
    TITLED,
    Name,
    is_contrary,
    is_description,
    is_name,
    is_role,
    likeness,
    words_in,
)
from ..reading.readings import GraphReading, ReadMention
from .groups import Group, groups_of, user_in
from .resolution import ProposedMerge, Resolution

MOST_NAMESAKES = 20
"""Entities that a mention may be, from which on it is not linked: a name of many tells nobody."""
_ALIAS = 0.9
"""The score of a description that is the same."""
_NEW = Resolution(entity_id=None, reason="unknown")
_AMBIGUOUS = Resolution(entity_id=None, reason="ambiguous")


@dataclass(frozen=True, slots=True)
class _Called:
    """The names of a mention, ready to be compared."""

    mention: ReadMention
    names: tuple[Name, ...]
    described: frozenset[str]
    titles: frozenset[str]

    @property
    def roles(self) -> frozenset[str]:
        return frozenset(filter(is_role, self.described))


def resolve(reading: GraphReading, known: Sequence[KnownEntity]) -> tuple[Resolution, ...]:
    """Which known entity each mention is, in the order of the mentions."""
    groups = groups_of(known)
    found = [_resolved(mention, groups) for mention in reading.mentions]
    return tuple(_apart(reading.mentions, found))


def _called(mention: ReadMention) -> _Called:
    keys = sorted(mention.keys)
    names = (words_in(one.key) for one in mention.surfaces if is_name(one.key))
    return _Called(
        mention,
        tuple(names),
        frozenset(filter(is_description, keys)),
        frozenset(key for key in keys if key.startswith(TITLED)),
    )


def _resolved(mention: ReadMention, groups: Sequence[Group]) -> Resolution:
    if mention.is_user:
        user = user_in(groups)
        key = mention.surfaces[0].key
        return _NEW if user is None else Resolution(
            entity_id=user.called(key), by="alias", score=1.0, reason="the user"
        )  # fmt: skip
    own = _called(mention)
    found = _by_name(own, groups) if own.names else _by_description(own, groups)
    if mention.only_known and found.entity_id is None:
        return replace(found, dropped=True)
    return found


def _by_description(own: _Called, groups: Sequence[Group]) -> Resolution:
    """Of one without a name: the only one that is so described."""
    same = [one for one in groups if own.described & one.described and _agrees(own, one)]
    if not same:
        return _NEW
    if len(same) > 1:
        return _AMBIGUOUS
    key = min(own.described & same[0].described)
    return Resolution(
        entity_id=same[0].called(key), by="alias", score=_ALIAS, reason="described so"
    )


def _by_name(own: _Called, groups: Sequence[Group]) -> Resolution:
    scored = [(score, one) for one in groups if (score := _score(own, one)) > 0]
    best = _best(own, scored)
    bare = _bare(own, groups)
    if best is None:
        if scored:
            return replace(_AMBIGUOUS, dropped=len(scored) >= MOST_NAMESAKES)
        if bare is not None:
            key = min(own.described & bare.described)
            return Resolution(
                entity_id=bare.called(key), by="alias", score=_ALIAS, reason="described so"
            )
        return _NEW
    score, group = best
    merges: tuple[ProposedMerge, ...] = ()
    if bare is not None and bare is not group:
        merges = (ProposedMerge(entity_id=bare.members[0].entity.id, by="alias", score=_ALIAS),)
    return Resolution(
        entity_id=group.called(own.mention.surfaces[0].key),
        by="name" if score == SAME else "spelling",
        score=score,
        reason=_REASONS.get(score, "a part of the name"),
        merges=merges,
    )


_REASONS = {SAME: "the same name", ALIKE: "spelled alike", FULLER: "a middle name more"}


def _bare(own: _Called, groups: Sequence[Group]) -> Group | None:
    """The one without a name that is described so, if nobody else is."""
    same = [one for one in groups if own.roles & one.roles]
    named = [one for one in same if one.names]
    bare = [one for one in same if not one.names]
    others = [one for one in named if not any(map(one.likeness, own.names))]
    return bare[0] if len(bare) == 1 and not others else None


def _best(own: _Called, scored: Sequence[tuple[float, Group]]) -> tuple[float, Group] | None:
    """The only one that it can be; one of its full name comes before those of a part of it."""
    tiers = (
        [each for each in scored if each[0] >= ALIKE and own.names and len(own.names[0]) > 1],
        [each for each in scored if own.described & each[1].described],
        _things(own, scored),
    )
    for tier in (*tiers, scored):
        if len(tier) == 1:
            return tier[0]
        if len(tier) > 1:
            return None
    return None


def _things(own: _Called, scored: Sequence[tuple[float, Group]]) -> list[tuple[float, Group]]:
    """Of what is no person, those of this name: "Berlin" is not the "Berlin Marathon"."""
    if own.mention.kind is EntityKind.PERSON:
        return []
    same = [each for each in scored if each[0] >= ALIKE]
    return same if not any(EntityKind.PERSON in one.guessed for _, one in same) else []


def _score(own: _Called, group: Group) -> float:
    """How alike the names are; 0 if they are not, or something tells the two apart."""
    score = max((group.likeness(name) for name in own.names), default=0.0)
    if not score or not _agrees(own, group):
        return 0.0
    if score < ALIKE and not _may_be_part(own, group):
        return 0.0
    if own.mention.only_known and score < ALIKE and not group.is_person:
        return 0.0
    return score


def _may_be_part(own: _Called, group: Group) -> bool:
    """Whether a part of a name may stand for it: for people, not for places and firms."""
    told = {own.mention.kind} if own.mention.sure else set[EntityKind]()
    if (told | group.told) - {EntityKind.PERSON}:
        return False
    if told | group.told:
        return True
    return own.mention.kind is EntityKind.PERSON and EntityKind.PERSON in group.guessed


def _agrees(own: _Called, group: Group) -> bool:
    """Whether nothing tells them apart: full names, titles, kinds, what they are to the user."""
    if any(is_contrary(name, other) for name in own.names for other in group.names):
        return False
    if own.titles and group.titles and not own.titles & group.titles:
        return False
    if not _fits(own.mention, group) or _initials_differ(own, group):
        return False
    if own.roles and group.roles and not own.roles & group.roles:
        return _has_full(own.names, group)
    return True


def _fits(mention: ReadMention, group: Group) -> bool:
    """Whether the kinds agree: what is told counts, and that something is a place."""
    if mention.sure and group.told:
        return mention.kind in group.told
    if mention.sure and mention.kind is EntityKind.PERSON:
        return EntityKind.PLACE not in group.maybe and group.guessed != {EntityKind.PLACE}
    return mention.kind is not EntityKind.PLACE or EntityKind.PERSON not in group.told


def _initials_differ(own: _Called, group: Group) -> bool:
    """Whether one has a title where the other has another letter: "Mme Gaudin", "M. Gaudin"."""
    one, other = _letters(own.names), _letters(group.names)
    return bool((own.titles and other) or (group.titles and one))


def _letters(names: Iterable[Name]) -> set[str]:
    return {name[0] for name in names if len(name) > 1 and len(name[0]) == 1}


def _has_full(names: Iterable[Name], group: Group) -> bool:
    """Whether both have the same name of two words and more."""
    full = (name for name in names if len(name) > 1)
    return any(likeness(name, other) >= ALIKE for name in full for other in group.names)


def _apart(mentions: Sequence[ReadMention], found: Sequence[Resolution]) -> list[Resolution]:
    """Mentions of one text are different ones: of two that seem the same one, the liker stays.

    Of words that are mentions only if known, those that another one holds are left out.
    """
    kept = list(found)
    order = sorted(range(len(kept)), key=lambda at: _rank(mentions[at], kept[at], at))
    taken: set[str] = set()
    texts: list[str] = []
    for at in order:
        one, mention = kept[at], mentions[at]
        if one.entity_id is None:
            if not one.dropped:
                texts.append(mention.name)
            continue
        inside = mention.only_known and any(mention.name in text for text in texts)
        if one.entity_id in taken or inside:
            kept[at] = replace(_AMBIGUOUS, dropped=mention.only_known)
            continue
        taken.add(one.entity_id)
        texts.append(mention.name)
    return kept


def _rank(mention: ReadMention, one: Resolution, at: int) -> tuple[bool, float, int, int]:
    return mention.only_known, -one.score, -len(mention.name), at
