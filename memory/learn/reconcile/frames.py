"""Finds what two statements say alike, and the one place where they differ. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from .statement import Statement


@dataclass(frozen=True, slots=True)
class Frame:
    """The words that begin and end both statements, and what stands between them in each."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    mine: tuple[str, ...]
    theirs: tuple[str, ...]

    @property
    def shared(self) -> frozenset[str]:
        """The words of the frame."""
        return frozenset(self.before + self.after)


def frame_of(new: Statement, old: Statement) -> Frame | None:
    """The frame of two statements that differ in one place; None without one.

    In that place each must say something, and they must have no word of content in common.
    """
    mine, theirs = new.frame, old.frame
    before = _alike(mine, theirs)
    after = min(_alike(mine[::-1], theirs[::-1]), min(len(mine), len(theirs)) - before)
    frame = Frame(
        mine[:before],
        mine[len(mine) - after :],
        mine[before : len(mine) - after],
        theirs[before : len(theirs) - after],
    )
    one, two = new.content.intersection(frame.mine), old.content.intersection(frame.theirs)
    return frame if one and two and one.isdisjoint(two) else None


def _alike(one: Sequence[str], two: Sequence[str]) -> int:
    """The number of words that both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False)))


def touches(frame: Frame, words: frozenset[str], statement: Statement) -> bool:
    """Whether one of the words stands beside the place, with no other content between.

    The words stand before it, or on either side in languages with the verb at the end.
    """
    sides = [frame.before[::-1], frame.after]
    others = statement.content - words
    return any(
        word in words - statement.wording.stop
        for side in sides[: 1 + statement.wording.denies_before]
        for word in takewhile(lambda word: word not in others, side)
    )
