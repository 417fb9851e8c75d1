"""One pass over a message: its words, its languages, its cues."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter

from .capitals import in_title, is_acronym, is_shouting
from .fold import ends_sentence, fold, is_break, normalise, split
from .index import Index, build_index
from .model import Cue, Hit, Scan
from .table import ANY_LANGUAGE, LATIN, LEXICONS

HEAD_WORDS = 150
TAIL_WORDS = 75
"""Of a longer text its first and last words (or CJK characters) are read."""
_INDEX: Index = build_index(LEXICONS.values())
_STOP = _INDEX.stop
_EXCEPTIONS = {code: frozenset(pack.suffix_exceptions.split()) for code, pack in LEXICONS.items()}
_HIDING = (Cue.NEUTRAL, Cue.FRAME, Cue.HOWTO, Cue.GREET)  # tuples: enums are slow to hash
_HIDDEN = (
    Cue.SELF, Cue.KIN, Cue.PRIVATE, Cue.ANAPHORA, Cue.TASK, Cue.ADVICE, Cue.WHEN, Cue.NAME,
)  # fmt: skip
_PRONOUNS = (Cue.SELF, Cue.ANAPHORA)
_MIN_INFLECTED = 3
_TOO_FEW = 2
"""Up to so many words, function words tell no language."""
_CLOSE = 0.75
"""Share of the best language's votes from which another one is considered too."""
_MIN_CLITIC_WORD = 4
_KEPT_CHARS = 2000
"""Longest text whose scan is kept for a moment: gate and rewrite read the same message."""


def scan(text: str) -> Scan:
    """Words and cues of `text` (of a long one, of its ends); linear in its length, for any text.

    The languages are those of the scripts used and, for Latin script, those with the most function
    words; all Latin ones when none has any. A scan is shared: nobody changes it.
    """
    return _remembered(text) if len(text) <= _KEPT_CHARS else _scan(text)


def _scan(text: str) -> Scan:
    raw, starts, ends = _words(normalise(text))
    folded = {word: fold(word) for word in set(raw)}
    words = [folded[word] for word in raw]
    languages = _languages(words)
    hits = [*_hits(words, languages), *_suffix_hits(raw, words, languages)]
    stop = frozenset(
        i for i, word in enumerate(words) if word in _STOP and not languages.isdisjoint(_STOP[word])
    )
    visible = list(_visible(hits, _names(raw, starts)))
    visible.sort(key=itemgetter(2, 3))
    return Scan(raw, words, starts, list(pairwise(ends)), languages, stop, visible)


_remembered = lru_cache(maxsize=64)(_scan)


def _names(raw: Sequence[str], starts: frozenset[int]) -> frozenset[int]:
    """Indexes of words that look like pronouns but are acronyms or parts of titles."""
    capital = [i for i, word in enumerate(raw) if word[0].isupper()]
    if not capital or is_shouting(raw):
        return frozenset()
    return frozenset(i for i in capital if is_acronym(raw[i]) or in_title(raw, i, starts))


def _words(text: str) -> tuple[list[str], frozenset[int], list[int]]:
    """Words; where clauses begin; where sentences begin and the last one ends."""
    raw: list[str] = []
    clauses = {0}
    sentences = [0]
    tokens = split(text)
    if len(tokens) > HEAD_WORDS + TAIL_WORDS:
        tokens = [*tokens[:HEAD_WORDS], "\n", *tokens[-TAIL_WORDS:]]
    for token in tokens:
        if not is_break(token):
            raw.append(token)
            continue
        clauses.add(len(raw))
        if ends_sentence(token) and len(raw) > sentences[-1]:
            sentences.append(len(raw))
    if len(raw) > sentences[-1]:
        sentences.append(len(raw))
    return raw, frozenset(clauses), sentences


def _languages(words: Sequence[str]) -> frozenset[str]:
    votes: dict[str, float] = defaultdict(float)
    for word in words:
        if word in _STOP:
            for code in _STOP[word]:
                votes[code] += 1 / len(_STOP[word])
    scripts = {_script(char) for char in {word[0] for word in words}}
    found = {code for script in scripts for code in _SCRIPT_LANGUAGES.get(script, ())}
    if "kana" in scripts:
        found.discard("zh")
    voted = {code: count for code, count in votes.items() if code in LATIN}
    top = max(voted.values(), default=0.0) if "latin" in scripts else 0.0
    latin = {code for code, count in voted.items() if top and count >= _CLOSE * top}
    few = len(words) <= _TOO_FEW
    if (few or not latin) and scripts <= {"latin", "other"}:
        latin = set(LATIN)
    return frozenset(found | latin | {ANY_LANGUAGE})


_SCRIPT_LANGUAGES = {"han": ("zh", "ja"), "kana": ("ja",), "devanagari": ("hi",), "arabic": ("ar",)}
_RANGES = (
    ("\u02af", "latin"),
    ("\u05ff", "other"),
    ("\u06ff", "arabic"),
    ("\u08ff", "other"),
    ("\u097f", "devanagari"),
    ("\u1dff", "other"),
    ("\u1eff", "latin"),
    ("\u303f", "other"),
    ("\u30ff", "kana"),
    ("\u33ff", "other"),
    ("\u9fff", "han"),
)


def _script(char: str) -> str:
    if not char.isalpha():
        return "other"
    return next((script for last, script in _RANGES if char <= last), "other")


def _hits(words: Sequence[str], languages: frozenset[str]) -> Iterable[Hit]:
    arabic = "ar" in languages
    present = frozenset(words)
    for start, word in enumerate(words):
        yield from _INDEX.at(words, start, languages, present)
        if arabic and len(word) >= _MIN_CLITIC_WORD:
            yield from _bare_arabic_hits(words, start)


_CLITICS = ("وال", "بال", "لل", "ال", "و", "ف", "ب", "ل")
_ARABIC = frozenset({"ar"})
_LONGEST = 8


def _bare_arabic_hits(words: Sequence[str], start: int) -> Iterable[Hit]:
    """Hits of a word without its attached conjunction, preposition or article."""
    for clitic in _CLITICS:
        if words[start].startswith(clitic) and len(words[start]) > len(clitic):
            bare = [words[start][len(clitic) :], *words[start + 1 : start + _LONGEST]]
            for hit in _INDEX.at(bare, 0, _ARABIC, frozenset(bare)):
                if hit.cue is not Cue.GREET:
                    yield Hit(hit.cue, hit.language, start, start + hit.end)


def _suffix_hits(
    raw: Sequence[str], words: Sequence[str], languages: frozenset[str]
) -> Iterable[Hit]:
    for code in languages:
        lexicon = LEXICONS[code]
        for cue, endings in (lexicon.suffixes or {}).items():
            for i, word in enumerate(raw):
                if not word.endswith(endings) and not word.lower().endswith(endings):
                    continue
                if len(word) >= _MIN_INFLECTED and words[i] not in _EXCEPTIONS[code]:
                    yield Hit(cue, code, i, i + 1)


def _visible(hits: Sequence[Hit], names: frozenset[int]) -> Iterable[Hit]:
    """Without what fixed expressions hide and without pronouns that are names."""
    hidden = {i for hit in hits if hit.cue in _HIDING for i in range(hit.start, hit.end)}
    for hit in hits:
        if hit.cue in _PRONOUNS and hit.start in names:
            continue
        if hit.cue not in _HIDDEN or not hidden.issuperset(range(hit.start, hit.end)):
            yield hit
