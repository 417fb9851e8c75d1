"""Reads the words of an answer to a question of ours: whether to forget what was proposed. Pure."""

from __future__ import annotations

from typing import NamedTuple

from ..detect import ANY, FALLBACK, UNKNOWN, function_words, language_of, languages_of
from ..requests import Cue, cues_of
from ..scanner import scan
from ..vocabulary import Hit
from ..words import is_question, is_unspaced, sentences
from .material import request_and_material

MOST_WORDS = 12
"""Of a plain agreement; three times as many characters in scripts without spaces."""
MOST_CHARS = 200
_REPEATS = ("forget.asks", "forget.all", "forget.kept", "forget.told", "forget.mine")


class Reply(NamedTuple):
    """The words of an answer, read."""

    text: str
    elsewhere: bool
    """It asks, hands something over, or is too long: it speaks of something else."""
    agrees: bool
    leads: bool
    """It begins by agreeing."""
    denies: bool
    limits: bool
    """It agrees to some of it, or not now."""
    repeats: bool
    """It asks to forget itself."""
    every: bool
    """It says "everything"."""
    long: bool
    named: tuple[str, ...]
    """Words that neither agree, deny nor repeat what was asked: what it is about."""

    def signs(self) -> tuple[float, ...]:
        """What the words tell, for a judge of its meaning."""
        told = (self.agrees, self.leads, self.denies, self.limits, self.repeats, bool(self.named))
        return tuple(map(float, told))

    @property
    def plain(self) -> bool:
        """Whether every word of it is known to agree, or to repeat what was asked."""
        return self.agrees and not (self.elsewhere or self.denies or self.limits or self.named)


def may_consent(text: str) -> bool:
    """Whether a message is short and has a word that agrees or asks to forget; cheap."""
    return len(text) <= MOST_CHARS and scan(text).has("forget.agrees", "forget.asks")


def reply_in(text: str, *, request: str, asked: str) -> Reply:
    """Read a message behind the assistant's `asked`, which followed `request`; each may be ""."""
    before = {language_of(each) for each in (request, asked) if each} - {UNKNOWN}
    own = {language_of(text)} if before else languages_of(scan(text).words.folded)
    languages = frozenset((before | own) - {UNKNOWN} or {FALLBACK}) | {ANY}
    read = _Read(text, languages)
    asks = {read.words.folded[i] for i in read.named}
    whole = _Read(request, languages)
    repeated = bool(whole.named) and asks >= {whole.words.folded[i] for i in whole.named}
    most = MOST_WORDS * (3 if any(map(is_unspaced, read.words.raw)) else 1)
    return Reply(
        text,
        elsewhere=len(text) > MOST_CHARS
        or is_question(text)
        or request_and_material(text).supplied,
        agrees=bool(read.agrees),
        leads=any(read.around.issuperset(range(hit.start)) for hit in read.agrees),
        denies=bool(read.denies),
        limits=bool(read.limits),
        repeats=bool(read.hits("forget.asks")),
        every=bool(read.hits("forget.all")),
        long=len(read.words.raw) > most,
        named=() if repeated else tuple(read.words.raw[i] for i in read.named),
    )


class _Read:
    """The words of a text in the languages of its conversation."""

    def __init__(self, text: str, languages: frozenset[str]) -> None:
        self.found = scan(text)
        self.words = self.found.words
        self.languages = languages
        self.agrees = self.hits("forget.agrees")
        agreed = _covered(self.agrees)
        self.denies, self.limits = (
            [hit for hit in self.hits(name) if not agreed.issuperset(range(hit.start, hit.end))]
            for name in ("forget.denies", "forget.limits")
        )
        cues = cues_of(text)
        empty = frozenset[str]().union(*(function_words().get(one, ()) for one in languages))
        stop = cues.stop | {i for i, word in enumerate(self.words.raw) if word.lower() in empty}
        self.around = stop | cues.covered(Cue.GREET, Cue.SELF, Cue.FRAME)
        known = agreed | _covered([*self.hits(*_REPEATS), *self.denies, *self.limits])
        self.named = [i for i in range(len(self.words.raw)) if i not in known | self.around]

    def hits(self, *fields: str) -> list[Hit]:
        return [hit for hit in self.found.found(*fields) if hit.language in self.languages]


def asks_to_forget(said: str) -> bool:
    """Whether the last question of a message is whether to forget, by its words.

    Of one without a question its last sentence.
    """
    if not scan(said).has("forget.asks"):
        return False  # as nearly always
    told = [each.strip() for each in sentences(said) if each.strip()]
    asking = ([each for each in told if is_question(each)] or told)[-1:]
    return any(scan(each).has("forget.asks") for each in asking)


def _covered(hits: list[Hit]) -> set[int]:
    return {i for hit in hits for i in hit.own}
