"""The relation of two statements, and measures that rules share. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .locales import Pack
from .statement import Statement


class Bearing(StrEnum):
    """The effect of the new statement on the known one."""

    SAME = "same"
    CEASED = "ceased"
    CHANGED = "changed"
    DISTINCT = "distinct"
    FAR = "far"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Relation:
    """The verdict on one pair."""

    kind: Bearing
    stage: str
    reason: str
    overlap: float
    """Share of the known statement's content that the new one has too."""
    anchors: int = 0
    """Number of content words that both have."""


def shared_stems(one: frozenset[str], other: frozenset[str], pack: Pack) -> frozenset[str]:
    """The stems of `one` that `other` has too, as themselves or as synonyms."""
    groups = frozenset(g for stem in other for g in pack.groups.get(stem, ()))
    return frozenset(
        stem for stem in one if stem in other or not groups.isdisjoint(pack.groups.get(stem, ()))
    )


def overlap(new: Statement, old: Statement) -> float:
    """Share of the old content that the new one has too; 0 if it has none."""
    if not old.content:
        return 0.0
    return len(shared_stems(old.content, new.content, new.pack)) / len(old.content)


def shared_names(new: Statement, old: Statement) -> frozenset[str]:
    """Names of one that are words of the other."""
    return (new.names & old.words) | (old.names & new.words)


def unheard(new: Statement, old: Statement) -> frozenset[str]:
    """Content of the new statement that the old one does not have."""
    return new.content - shared_stems(new.content, old.content, new.pack)


def anchors(new: Statement, old: Statement) -> int:
    """The number of content words that both have."""
    return len(shared_stems(new.content, old.content, new.pack))
