"""Tells whether a short answer agrees to forget what was proposed. Pure.

Every word of it must be known to agree, or to repeat what was asked: what is not understood is no
agreement.
"""

from __future__ import annotations

from enum import StrEnum

from ..detect import ANY, FALLBACK, UNKNOWN, function_words, language_of
from ..requests import Cue, cues_of
from ..scanner import scan
from ..vocabulary import Hit
from ..words import is_question, is_unspaced, sentences
from .material import take_apart

MOST_WORDS = 12
"""Of an agreement; three times as many characters in scripts without spaces."""
MOST_CHARS = 200
_ANYWHERE = 3
"""Letters of a denial that counts whatever the language of the conversation is."""
_REPEATS = ("forget.asks", "forget.all", "forget.kept", "forget.told", "forget.mine")


class Consent(StrEnum):
    """What an answer says to a proposal."""

    YES = "yes"
    UNSURE = "unsure"
    """It may agree: it is asked again."""
    NO = "no"
    """It declines, or speaks of something else."""


def may_consent(text: str) -> bool:
    """Whether a message is short and has a word that agrees or asks to forget; cheap."""
    return len(text) <= MOST_CHARS and scan(text).has("forget.agrees", "forget.asks")


def consent_in(text: str, *, request: str, asked: str) -> Consent:
    """What a message says to the proposal that followed `request`.

    `asked` is what the assistant said in between; "" if that is not known.
    """
    if len(text) > MOST_CHARS or is_question(text) or take_apart(text).supplied:
        return Consent.NO
    answer = _Answer(text, request, asked)
    if answer.denies():
        return Consent.NO
    if not answer.agrees:
        return Consent.UNSURE if answer.repeats and not answer.unknown() else Consent.NO
    if answer.is_long or answer.unknown() or not (answer.repeats or _asks(asked)):
        return Consent.UNSURE
    return Consent.YES


class _Answer:
    def __init__(self, text: str, request: str, asked: str) -> None:
        self.found = scan(text)
        self.folded = self.found.words.folded
        self.request = request
        known = {language_of(each) for each in (text, request, asked) if each}
        self.languages = {FALLBACK if code == UNKNOWN else code for code in known} | {ANY}
        self.agrees = self._hits("forget.agrees")
        self.repeats = self._hits("forget.asks")
        self.cues = cues_of(text)

    @property
    def is_long(self) -> bool:
        words = self.found.words.raw
        return len(words) > MOST_WORDS * (3 if any(map(is_unspaced, words)) else 1)

    def denies(self) -> bool:
        """Whether it says no, or not all of it, outside what agrees."""
        agreed = self._covered(self.agrees)
        return any(
            hit.language in self.languages or hit.letters(self.folded) >= _ANYWHERE
            for hit in self.found.found("forget.denies", "forget.limits")
            if not agreed.issuperset(range(hit.start, hit.end))
        )

    def unknown(self) -> bool:
        """Whether a word neither agrees nor repeats all that was asked."""
        known = self._covered(self.agrees) | self._covered(self._hits(*_REPEATS))
        known |= self.cues.stop | self.cues.covered(Cue.GREET, Cue.SELF)
        empty = frozenset[str]().union(*(function_words().get(one, ()) for one in self.languages))
        known |= {i for i, word in enumerate(self.found.words.raw) if word.lower() in empty}
        left = {word for i, word in enumerate(self.folded) if i not in known}
        return bool(left) and not left >= self._content()

    def _content(self) -> set[str]:
        """The words of the request that say what is meant; one that cannot be if there are none."""
        found, cues = scan(self.request), cues_of(self.request)
        hits = found.found(*_REPEATS, "forget.agrees")
        known = {i for hit in hits for i in hit.own} | set(cues.stop)
        known |= cues.covered(Cue.GREET, Cue.FRAME, Cue.SELF)
        return {w for i, w in enumerate(found.words.folded) if i not in known} or {""}

    def _hits(self, *fields: str) -> list[Hit]:
        return [hit for hit in self.found.found(*fields) if hit.language in self.languages]

    @staticmethod
    def _covered(hits: list[Hit]) -> set[int]:
        return {i for hit in hits for i in hit.own}


def _asks(said: str) -> bool:
    """Whether the last question of a message is whether to forget."""
    told = [each.strip() for each in sentences(said) if each.strip()]
    asking = [each for each in told if is_question(each)][-1:]
    return any(scan(each).has("forget.asks") for each in asking)
