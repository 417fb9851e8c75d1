"""Finds the answers that repeat what is forgotten. Pure.

An answer of a model is nobody's own word. One that was made with a forgotten memory before it, or
behind the message that told of it, is taken for a repetition if it has a name or a code of it, or
half of its words; any other only if it has all that is named, and most of the words.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet

from ..language.analysis import index_terms
from ..language.codes import codes_in, holds_code
from ..language.detect import function_words_of
from ..model.turns import GivenAnswer
from .text import Text

SOME, MOST = 0.5, 0.75
"""Shares of the words of what is forgotten."""
PIECE = 4
"""Letters with which each form of a word begins."""
NOBODY = frozenset({"user"})
"""How memories call whom they are of."""


class ForgottenText:
    """A text that is forgotten, read once."""

    def __init__(self, text: str) -> None:
        read = Text(text)
        grammar = function_words_of(read.language) | NOBODY
        self._names = {name for name in read.names if name.casefold() not in grammar}
        self._codes = codes_in(read.text)
        self._terms = frozenset(index_terms(read.text).terms) - NOBODY
        words = {*self._terms, *map(str.casefold, self._names)}
        self._pieces = {word[:PIECE] for word in words}

    def may_be_in(self, lowered: str, *, near: bool) -> bool:
        """Whether a text without capitals may repeat it: quick, before it is read."""
        if near:
            foreign = not lowered.isascii() or (self._codes and any(map(str.isdigit, lowered)))
            return bool(foreign) or any(piece in lowered for piece in self._pieces)
        return bool(self._names or self._codes) and all(
            name.casefold() in lowered for name in self._names
        )

    def is_repeated_by(self, answer: Text, terms: AbstractSet[str], *, near: bool) -> bool:
        """Whether an answer with these terms says it; `near` one that was made with it."""
        named = [answer.holds((name,)) for name in sorted(self._names)]
        named += [holds_code(answer.text, code) for code in self._codes]
        share = len(self._terms & terms) / max(len(self._terms), 1)
        if near:
            return any(named) or share >= SOME
        return bool(named) and all(named) and share >= MOST


def repeating(
    answers: Sequence[GivenAnswer],
    texts: Collection[str],
    ids: Collection[str],
    conversations: Collection[str],
) -> list[str]:
    """The turns whose answers repeat one of these texts.

    `ids` are the memories that are forgotten, `conversations` those in which it was told.
    """
    forgotten = [ForgottenText(text) for text in texts]
    gone, found = frozenset(ids), []
    for one in answers:
        near = one.conversation_id in conversations or not gone.isdisjoint(one.recalled)
        lowered = one.text.casefold()
        read = [each for each in forgotten if each.may_be_in(lowered, near=near)]
        if read and _repeats(one.text, read, near=near):
            found.append(one.turn_id)
    return found


def _repeats(text: str, forgotten: Sequence[ForgottenText], *, near: bool) -> bool:
    answer, terms = Text(text), frozenset(index_terms(text).terms)
    return any(each.is_repeated_by(answer, terms, near=near) for each in forgotten)
