"""What two texts say about each other, as far as their words alone are exactly true. Pure.

Known are the same words, an explicit change in one sentence, and the contrary in so many words. Of
everything else nothing is concluded: similarity cannot tell a change from a second fact about the
same thing ("exam 3", "exam 4").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from ...language.dates import tells_time
from .contrary import denies, may_deny
from .denied import Denied, denied_in
from .replaced import left_behind, lives_in
from .tokens import tokens

MAX_CHARS = 400
"""A longer text is more than one statement."""


class Bearing(StrEnum):
    """What the new text says about the known one; the values are reasons."""

    SAME = "the same words"
    ENDED = "the same statement, and that it is not so any more"
    CONTRARY = "the same statement without its denial"
    CORRECTED = "what it was is said to be wrong, and what is so"
    LEFT = "left for another place"


@dataclass(frozen=True)
class Statement:
    """A new text, read once for all memories that it is compared with."""

    text: str

    @cached_property
    def tokens(self) -> Sequence[str]:
        return tokens(self.text)

    @cached_property
    def denied(self) -> Sequence[Denied]:
        return denied_in(self.text)

    @cached_property
    def left(self) -> Sequence[str]:
        return left_behind(self.text)


def bearing_on(new: Statement, known: str) -> Bearing | None:
    """What the new statement says about a known text; None if its words do not tell."""
    old = tokens(known)
    if old and new.tokens == old:
        return Bearing.SAME
    if max(len(new.text), len(known)) > MAX_CHARS:
        return None
    if may_deny(new.tokens, old) and denies(new.text, old):
        return Bearing.ENDED
    if may_deny(old, new.tokens) and denies(known, new.tokens):
        return Bearing.CONTRARY
    if any(value.corrects(old) for value in new.denied) and not _is_occasion(new.text, known):
        return Bearing.CORRECTED
    if new.left and lives_in(known, new.left):
        return Bearing.LEFT
    return None


def is_denied(known: str, text: str) -> bool:
    """Whether a text says that a known statement does not hold."""
    return bearing_on(Statement(text), known) not in {None, Bearing.SAME}


def _is_occasion(new: str, known: str) -> bool:
    """Whether it may be so on one day only: "tea today, not coffee"."""
    return tells_time(new) and not tells_time(known)
