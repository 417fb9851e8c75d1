"""The lines of a profile, and which of them a request needs. Pure.

A line is a memory, or what the user said: a profile states nothing of its own, so every line can be
asked why it is there, and a forgotten memory leaves no line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ...trust.quarantine.formats import in_format
from ...types import MemoryItem, MemoryType, Scope, Vector
from ..index.entry import Entry
from ..index.user_index import UserIndex
from ..prototypes import LANGUAGES, Prototypes
from ..traits import WISH, Traits, traits_of, wants
from .need import Need

MOST_READ = 2000
"""Newest memories that a profile is derived from."""
_ORDER = (
    "name", WISH, "manner", "reads", "language", "allergy", "diet", "health", "home", "household",
    "work", "units", "avoids", "always", "plan", "tools", "prefers",
)  # fmt: skip
"""The traits of a profile, most important first."""
_EACH = {"name": 2, WISH: 5, "allergy": 4, "diet": 3, "health": 4, "plan": 4, "prefers": 4}
_MOST_EACH = 3
"""Lines of one trait at most, the newest ones."""
_HEALTH = frozenset({"allergy", "diet", "health"})
_OF_TEXTS = frozenset({"code", "writing"})
"""Topics that no body and no place matters for."""
_FIRM = frozenset({*_HEALTH, "avoids", "always"})
_MEANT = "meant"
"""In place of a trait, of what constrains by its meaning only."""
_BEAR = {
    "allergy": frozenset({"food", "travel", "medical", "gifts", "children"}),
    "diet": frozenset({"food", "travel"}),
    "health": frozenset({"medical", "fitness", "travel", "food"}),
}
"""What these bear on, whatever their words are about; others bear on what they speak of."""
_DOUBT = 0.1
"""How much nearer to other wants a wish may be that a model calls a way to do something."""
_CONCERNING = frozenset({"code", "medical"})
"""Topics of which whatever somebody says concerns requests about them: "I write TypeScript"."""
STANDING = frozenset(
    {WISH, "allergy", "diet", "health", "avoids", "always", "units", "prefers", "tools", "plan",
     "household", "work"}
)  # fmt: skip


class Role(StrEnum):
    """Why something is recalled besides matching the query."""

    WISH = "wish"
    """It says how the user wants to be answered."""
    CONSTRAINT = "constraint"
    """It bears on the topic of the request."""
    PROFILE = "profile"
    """The request asks what is known about the user."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a profile."""

    item: MemoryItem
    traits: frozenset[str]
    topics: frozenset[str]
    position: int
    meant: frozenset[str] = frozenset()
    """The topics that it bears on by its meaning."""

    @property
    def rank(self) -> int:
        """Smaller for a more important trait."""
        return min((_ORDER.index(trait) for trait in self.traits), default=len(_ORDER))

    @property
    def bears_on(self) -> frozenset[str]:
        """The topics of requests that it may bear on."""
        if self.traits.isdisjoint(STANDING):
            return self.meant | (self.topics & _CONCERNING)
        return self.meant | self.topics.union(*(_BEAR[trait] for trait in self.traits & _HEALTH))


def profile_of(index: UserIndex, scope: Scope, prototypes: Prototypes | None = None) -> list[Line]:
    """The lines of a scope's profile, most important and newest first."""
    lines = sorted(_lines(index, scope, prototypes), key=_newest, reverse=True)
    kept: dict[str, int] = {}
    chosen = []
    for line in lines:
        names = line.traits or {_MEANT}
        wanted = [t for t in names if kept.get(t, 0) < _EACH.get(t, _MOST_EACH)]
        if wanted:
            chosen.append(line)
            for trait in names:
                kept[trait] = kept.get(trait, 0) + 1
    return sorted(chosen, key=lambda line: line.rank)


def wishes(lines: Iterable[Line]) -> list[Line]:
    """How the user wants to be answered, whatever they ask."""
    return [line for line in lines if WISH in line.traits]


def bearing(lines: Sequence[Line], asked: Need, few: Sequence[Line] = ()) -> list[Line]:
    """The lines that bear on a request, the likeliest first.

    Those of the same topic, then what the user cannot or never does: a request of a person's own
    may bear on it in ways that no list knows. `few` is all that is known, if it is little.
    """
    if not asked.topics:
        return []
    same = [line for line in lines if not line.bears_on.isdisjoint(asked.topics)]
    same.sort(key=lambda line: -len(line.bears_on & asked.topics))
    if asked.topics <= _OF_TEXTS:
        return same
    firm = [line for line in lines if line.meant or not line.traits.isdisjoint(_FIRM)]
    topical = [line for line in few if not line.topics.isdisjoint(asked.topics)]
    return list({line.item.id: line for line in (*same, *firm, *topical, *few)}.values())


def broad(lines: Sequence[Line], index: UserIndex, scope: Scope) -> list[Line]:
    """The profile, then everything else by importance and age: "what do you know about me?"."""
    told = {line.item.id for line in lines}
    rest = [line for line in _all(index, scope) if line.item.id not in told]
    return [*lines, *sorted(rest, key=_salience, reverse=True)]


def _lines(index: UserIndex, scope: Scope, prototypes: Prototypes | None) -> list[Line]:
    return [line for line in _all(index, scope, prototypes) if line.traits or line.bears_on]


def _all(index: UserIndex, scope: Scope, prototypes: Prototypes | None = None) -> list[Line]:
    positions = index.admitted(scope).nonzero()[0][-MOST_READ:]
    found = []
    for position in positions.tolist():
        entry = index.entries[position]
        if entry is None:
            continue
        if entry.item.type is MemoryType.PROCEDURAL and entry.item.provenance.source.is_hearsay:
            continue  # how an agent's task is done, which no user said
        read = _read(index, entry, position, prototypes)
        found.append(Line(entry.item, read.traits, read.topics, position, read.bears_on))
    return found


def _is_wish(
    item: MemoryItem, traits: frozenset[str], vector: Vector, near: Prototypes | None
) -> bool:
    """Whether it says how the user wants to be answered, by words, by meaning or by its type.

    One with an address, an image or a command goes with no other message unless a person let it
    out of the quarantine.
    """
    told = WISH in traits or (wants(item.text) and _is_meant(item, vector, near))
    return told and (bool(item.provenance.flags) or not in_format(item.text))


def _is_meant(item: MemoryItem, vector: Vector, near: Prototypes | None) -> bool:
    """Whether what the user wants is wanted of answers; the type tells if meaning does not."""
    least = -_DOUBT if item.type is MemoryType.PROCEDURAL else 0.0
    return least < 0 if near is None else near.of_answers(vector) > least


def _read(index: UserIndex, entry: Entry, position: int, prototypes: Prototypes | None) -> Traits:
    """The traits of a memory; those that others told of the user are no traits."""
    item = entry.item
    known = index.traits.get(item.id)
    if known is None:
        known = traits_of(item.text)
        if item.provenance.source.is_hearsay:
            known = Traits(frozenset(), known.topics - _CONCERNING)
        else:
            near = prototypes if entry.language in LANGUAGES else None
            vector = index.vectors.row(position)
            wish = {WISH} if _is_wish(item, known.traits, vector, near) else frozenset[str]()
            bears_on = frozenset[str]() if near is None else near.borne_on(vector)
            known = Traits((known.traits - {WISH}) | wish, known.topics, bears_on)
        if prototypes is not None:
            index.traits[item.id] = known
    return known


def _newest(line: Line) -> tuple[float, int]:
    return line.item.importance, int(line.item.updated_at.timestamp() * 1000)


def _salience(line: Line) -> tuple[float, int]:
    return round(line.item.importance, 1), int(line.item.updated_at.timestamp() * 1000)
