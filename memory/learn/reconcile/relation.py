"""The relation of two statements, and measures that rules share. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

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


def _shared(one: Statement, other: Statement) -> frozenset[str]:
    """The content of one that the other has too, as itself or as a synonym."""
    same = one.wording.same
    groups = {group for stem in other.content for group in same.get(stem, ())}
    return frozenset(
        stem
        for stem in one.content
        if stem in other.content or not groups.isdisjoint(same.get(stem, ()))
    )


def overlap(new: Statement, old: Statement) -> float:
    """Share of the old content that the new one has too; 0 if it has none."""
    return len(_shared(old, new)) / len(old.content) if old.content else 0.0


def shared_names(new: Statement, old: Statement) -> frozenset[str]:
    """Names of one that are words of the other."""
    return (new.names & old.words) | (old.names & new.words)


def unheard(new: Statement, old: Statement) -> frozenset[str]:
    """Content of the new statement that the old one does not have."""
    return new.content - _shared(new, old)


def anchors(new: Statement, old: Statement) -> int:
    """The number of content words that both have."""
    return len(_shared(new, old))
