"""The lines of a profile, and which of them a request needs. Pure.

A line is a memory, or what the user said: a profile states nothing of its own, so every line can be
asked why it is there, and a forgotten memory leaves no line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from enum import StrEnum

from ...model.types import MemoryItem, MemoryType, Scope, Vector
from ...trust.quarantine.carried import cargo
from ..index.entry import Entry
from ..index.shelf import is_passage
from ..index.user_index import UserIndex
from ..prototypes import WISHED, Likeness, Prototypes
from ..traits import WISH, Traits, traits_of
from .door import Door, door_of, is_validated, may_bear, says_lasting
from .need import ANY_TOPIC

MOST_READ = 2000
"""Newest memories that a profile is derived from."""
_ORDER = (
    "name", WISH, "manner", "language", "allergy", "diet", "health", "home", "household", "work",
    "avoids", "always", "plan", "tools", "prefers",
)  # fmt: skip
"""The traits of a profile, most important first."""
_CONSTRAINT = "constraint"
_EACH = {"name": 2, WISH: 5, _CONSTRAINT: 16}
_MOST_EACH = 4
"""Lines of one trait at most, the newest ones."""
_FIRM = frozenset({"allergy", "diet", "health"})
"""Traits whose words constrain something where meaning tells nothing."""
_SURE = frozenset({"allergy"})
"""The one whose words do so in any case: a story may be about something else."""
_DOUBT = 0.04
"""How much further from wishes one may be that a model calls a way to do something."""
_LASTING = 0.06
"""The same for what says that it is to last."""
STANDING = frozenset({WISH, *_FIRM})


class Role(StrEnum):
    """Why something is recalled besides matching the query."""

    WISH = "wish"
    """It says how the user wants to be answered."""
    CONSTRAINT = "constraint"
    """It bears on the topic of the request."""
    PROFILE = "profile"
    """The request asks what is known about the user."""
    FILL = "fill"
    """It is new, or near what answers."""
    EARLIER = "earlier"
    """It was true before what answers."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a profile."""

    item: MemoryItem
    traits: frozenset[str]
    bears_on: frozenset[str]
    """The topics of requests that it bears on."""
    position: int

    @property
    def rank(self) -> int:
        """Smaller for a more important trait."""
        return min((_ORDER.index(trait) for trait in self.traits), default=len(_ORDER))


def profile_of(index: UserIndex, scope: Scope, prototypes: Prototypes | None = None) -> list[Line]:
    """The lines of a scope's profile, most important and newest first."""
    lines = sorted(_lines(index, scope, prototypes), key=_newest, reverse=True)
    kept: dict[str, int] = {}
    chosen = []
    for line in lines:
        names = line.traits | ({_CONSTRAINT} if line.bears_on else frozenset())
        wanted = [t for t in names if kept.get(t, 0) < _EACH.get(t, _MOST_EACH)]
        if wanted:
            chosen.append(line)
            for trait in names:
                kept[trait] = kept.get(trait, 0) + 1
    return sorted(chosen, key=lambda line: line.rank)


def wishes(lines: Iterable[Line]) -> list[Line]:
    """How the user wants to be answered, whatever they ask."""
    return [line for line in lines if WISH in line.traits]


def bearing(lines: Iterable[Line], topics: frozenset[str]) -> list[Line]:
    """The lines that constrain what a request of these topics asks for.

    Those of most of its topics come first.
    """
    firm = [line for line in lines if line.bears_on & topics]
    return sorted(firm, key=lambda line: -len(line.bears_on & topics))


def broad(lines: Sequence[Line], index: UserIndex, scope: Scope) -> list[Line]:
    """The profile, then everything else by importance and age: "what do you know about me?"."""
    told = {line.item.id for line in lines}
    rest = [line for line in _all(index, scope) if line.item.id not in told]
    return [*lines, *sorted(rest, key=_salience, reverse=True)]


def _lines(index: UserIndex, scope: Scope, prototypes: Prototypes | None) -> list[Line]:
    return [line for line in _all(index, scope, prototypes) if line.traits or line.bears_on]


def _all(index: UserIndex, scope: Scope, prototypes: Prototypes | None = None) -> list[Line]:
    positions = index.admitted(scope).nonzero()[0][-MOST_READ:]
    found, distrusted = [], set[str]()
    for position in positions.tolist():
        entry = index.entries[position]
        if entry is None:
            continue
        if entry.item.type is MemoryType.PROCEDURAL and entry.item.provenance.source.is_hearsay:
            continue  # how an agent's task is done, which no user said
        told = read(index, entry, position, prototypes)
        if told.unsafe and is_passage(entry.item.id):
            distrusted.update(entry.item.provenance.turn_ids)
        found.append(Line(entry.item, told.traits, told.bears_on, position))
    return [_distrusted(line, distrusted) for line in found] if distrusted else found


def _distrusted(line: Line, turns: AbstractSet[str]) -> Line:
    """A line without wishes if it was said beside an instruction that is shown in no chat."""
    if WISH not in line.traits or turns.isdisjoint(line.item.provenance.turn_ids):
        return line
    return replace(line, traits=line.traits - {WISH})


def _is_wish(
    item: MemoryItem, told: frozenset[str], meant: Likeness | None, *, lasts: bool
) -> bool:
    """Whether it says how the user wants to be answered, by words, by meaning or by its type."""
    # What a model calls a way to do something, or says that it is to last, need not be so near.
    least = WISHED - _DOUBT * (item.type is MemoryType.PROCEDURAL)
    least -= _LASTING * lasts
    return WISH in told or (meant is not None and meant.wished > least)


def read(index: UserIndex, entry: Entry, position: int, prototypes: Prototypes | None) -> Traits:
    """The traits of a memory; those that others told of the user are no traits."""
    item = entry.item
    known = index.traits.get(item.id)
    if known is not None:
        return known
    if item.provenance.source.is_hearsay:
        return Traits(frozenset())
    known = _told(item, entry.language, index.vectors.row(position), prototypes)
    if prototypes is not None:
        index.traits[item.id] = known
    return known


def _told(item: MemoryItem, language: str, vector: Vector, prototypes: Prototypes | None) -> Traits:
    """By words, and by meaning where the embedder knows the language."""
    told, meant = traits_of(item.text), None
    if prototypes is not None and language in prototypes.languages:
        meant = prototypes.told(vector)
    lasting = says_lasting(item.text)
    wish = _is_wish(item, told, meant, lasts=bool(lasting))
    door = door_of(item, meant, wish=wish, lasting=lasting)
    firm = not told.isdisjoint(_FIRM)  # a text about food is near to diets, by its meaning
    if door is Door.SHUT or (door is not Door.OPEN and (wish or not firm)):
        return Traits(frozenset(), unfit=True, unsafe=door is Door.SHUT)
    traits = (told - {WISH}) | ({WISH} if wish else frozenset[str]())
    if meant is not None and meant.trait:
        traits |= {meant.trait}
    bears_on = frozenset[str]() if meant is None else meant.bears_on
    carries = bool(cargo(item.text))
    bears = is_validated(item) or may_bear(
        item.text, meant, lasting=bool(lasting), firm=firm, carries=carries
    )
    if not bears_on and not told.isdisjoint(_FIRM if meant is None else _SURE):
        bears_on, bears = ANY_TOPIC, bears or not carries
    private = not told.isdisjoint(_FIRM) if meant is None else meant.private
    if not bears:
        bears_on = frozenset()
    return Traits(traits, bears_on, private, unfit=door is not Door.OPEN, carries=carries)


def _newest(line: Line) -> tuple[float, int]:
    return line.item.importance, int(line.item.updated_at.timestamp() * 1000)


def _salience(line: Line) -> tuple[float, int]:
    return round(line.item.importance, 1), int(line.item.updated_at.timestamp() * 1000)
