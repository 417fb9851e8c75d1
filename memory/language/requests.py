"""Finds the cues of a request: the terms of [requests] in the request's languages.

Gate, rewriter and recall share it. A fixed expression hides the terms inside it: "do you know" is
no question about the assistant's knowledge.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import _lru_cache_wrapper, lru_cache

from .capitals import names_like_pronouns
from .detect import languages_of
from .registry import from_packs, packs
from .scanner import FieldHits, Scan, scan
from .scanner import forget_texts as forget_scans
from .vocabulary import Hit
from .words import folded_word

_HEAD_CHARS, _TAIL_CHARS = 3000, 1500
"""Of a longer message its first and last characters are read."""


class Cue(StrEnum):
    """A field of [requests]; what each means stands in `memory/language/sections.py`."""

    SELF = "requests.self"
    KIN = "requests.kin"
    FRAME = "requests.frame"
    GREET = "requests.greet"
    PRAISE = "requests.praise"
    OPENER = "requests.opener"
    STRONG = "requests.strong"
    GENERAL = "requests.general"
    ADVICE = "requests.advice"
    TASK = "requests.task"
    TRANSFORM = "requests.transform"
    CALC = "requests.calc"
    UNIT = "requests.unit"
    ANAPHORA = "requests.anaphora"
    ELLIPSIS = "requests.ellipsis"
    ARTICLE = "requests.article"
    TONGUE = "requests.tongue"


_HIDING = (Cue.FRAME, Cue.GREET)
_PRONOUNS = (Cue.SELF, Cue.ANAPHORA)
"""What a fixed expression hides, and what is none as an acronym or in a title."""


@dataclass(frozen=True, slots=True, eq=False)
class CueScan(FieldHits):
    """A message as words with the cues of its languages; hidden ones are left out."""

    raw: Sequence[str]
    words: Sequence[str]
    """Folded; parallel to `raw`."""
    clause_starts: frozenset[int]
    sentences: Sequence[tuple[int, int]]
    languages: frozenset[str]
    stop: frozenset[int]
    """Indexes of function words."""
    by_cue: Mapping[str, Sequence[Hit]]

    def _hits(self, name: str) -> Sequence[Hit]:
        return self.by_cue.get(name, ())

    def first_besides(self, covered: Collection[int]) -> int | None:
        """The index of the first word that is not covered; None if all are."""
        return next((i for i in range(len(self.words)) if i not in covered), None)


def knows_requests(code: str) -> bool:
    """Whether a language's file knows the words for the user: a short file, or none, does not."""
    pack = packs().get(code)
    return pack is not None and bool(pack.requests.self)


def cues_of(text: str) -> CueScan:
    """Words and cues of `text`, of a long one of its ends. A scan is shared: nobody changes it."""
    if len(text) > _HEAD_CHARS + _TAIL_CHARS:
        text = f"{text[:_HEAD_CHARS]}\n{text[-_TAIL_CHARS:]}"
    return _kept()(text)


@from_packs
def _kept() -> _lru_cache_wrapper[CueScan]:
    """What the last messages said; other packs read them anew."""
    return lru_cache(maxsize=64)(_cues)


def _cues(text: str) -> CueScan:
    found = scan(text)
    words = found.words
    languages = languages_of(words.folded)
    known = frozenset[str]().union(*map(_function_words().__getitem__, languages))
    stop = frozenset(i for i, word in enumerate(words.folded) if word in known)
    return CueScan(
        words.raw, words.folded, words.clause_starts, words.sentences, languages, stop,
        _visible(found, languages, names_like_pronouns(words)),
    )  # fmt: skip


def _visible(
    found: Scan, languages: frozenset[str], names: frozenset[int]
) -> dict[str, Sequence[Hit]]:
    """The hits of these languages, without hidden ones and without pronouns that are names."""
    own: dict[str, Sequence[Hit]] = {
        cue: hits
        for cue, every in found.section("requests").items()
        if (hits := [hit for hit in every if hit.language in languages])
    }
    hidden = {
        i for cue in _HIDING if cue in own for hit in own[cue] for i in range(hit.start, hit.end)
    }
    for cue in _PRONOUNS if hidden else ():
        if cue in own:
            own[cue] = [h for h in own[cue] if not hidden.issuperset(range(h.start, h.end))]
    for cue in _PRONOUNS if names else ():
        if cue in own:
            own[cue] = [hit for hit in own[cue] if hit.start not in names]
    return {cue: hits for cue, hits in own.items() if hits}


@from_packs
def _function_words() -> Mapping[str, frozenset[str]]:
    """The folded words of each language that name nothing in a query."""
    return {
        code: frozenset(map(folded_word, (*pack.words.stop, *pack.requests.filler)))
        for code, pack in packs().items()
    }


def forget_texts() -> None:
    """Clear the caches of messages; for benchmarks."""
    _kept().cache_clear()
    forget_scans()
