"""Guesses the language of a text by its script, and by frequent words where languages share one.

A language without a pack is known by its script if no other one is written in it (Thai, Hebrew). A
text in a shared script without words of a pack is of the script's main language (Bulgarian: "ru"),
or undetermined if the script is Latin (Swahili) or unknown (Georgian).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import _lru_cache_wrapper, lru_cache
from typing import NamedTuple

import regex

from .fold import clean, fold
from .pack import LanguagePack
from .registry import from_packs, packs
from .scripts import is_all_latin, letters_by_script, script_of

FALLBACK = "en"
"""Its words and rules are used for languages without their own and for unknown languages."""


@from_packs
def function_words() -> Mapping[str, frozenset[str]]:
    """Function words in lower case, for each language that has any.

    They stand with their accents; where these are often left out, without them too.
    """
    return {code: _of(pack) for code, pack in packs().items() if pack.words.stop}


def _of(pack: LanguagePack) -> frozenset[str]:
    stop = [word.lower() for word in pack.words.stop]
    return frozenset((*stop, *map(fold, stop)) if pack.words.accents_left_out else stop)


def function_words_of(language: str) -> frozenset[str]:
    """The function words of a language, or those of `FALLBACK`."""
    known = function_words()
    return known.get(language) or known[FALLBACK]


SAMPLE = 600
"""Characters that are read: a hundred words are enough."""

UNKNOWN = "und"
"""ISO 639-2 for "undetermined"; Latin text of this language is analysed as English."""

_WITHOUT_PACK = {
    "hebrew": "he", "thai": "th", "lao": "lo", "burmese": "my", "khmer": "km", "tamil": "ta",
    "armenian": "hy",
}  # fmt: skip
_PRECEDENCE = (
    "en", "de", "es", "fr", "pt", "it", "nl", "sv", "ru", "uk", "hi", "ar", "da", "no", "fi", "pl",
    "cs", "tr", "ro", "hu", "ca", "id", "vi", "fa", "el",
)  # fmt: skip
"""Of equal scores the first one wins. The terms of stored texts depend on this order; other
languages come after these, in the order of their codes."""
ANY = "any"
"""The pack of terms that are written the same in every language."""
_TOO_FEW = 2
"""Up to so many words, function words tell no language."""
_CLOSE = 0.75
"""Share of the best language's votes from which another one is considered too."""
_EVIDENCE, _LITTLE_EVIDENCE = 0.6, 1.3
"""The least score of a widespread language, and of others. One Romanian word ("care") is not
enough: queries in the right language would not find a text that was taken for Romanian."""
_KEPT, _KEPT_WORDS = 256, 400
"""Texts, and words of each, whose languages are kept for a moment: a turn has many readers."""
_WORDS = re.compile(r"[^\W\d_]+")
_NO_WORDS = regex.compile(r"(?<=\w )\p{Lu}\p{Ll}+|\w*[\d_]\w*")
"""Words with a capital inside a sentence, and with digits: names, which are of no language."""
_TO_BLANKS = str.maketrans({code: " " for code in range(128) if not chr(code).isalpha()})


class _Voters(NamedTuple):
    """The words that tell the languages of one script apart."""

    main: str
    """The language of a text without known words."""
    by_word: Mapping[str, tuple[str, ...]]
    by_letter: Mapping[str, tuple[str, ...]]
    letters: re.Pattern[str]
    enough: Mapping[str, float]
    """The least score."""


def language_of(text: str) -> str:
    """The most likely language (ISO 639-1: 'en', 'de', 'zh', ...), or 'und' without evidence."""
    return language_of_clean(clean(text))


def language_of_clean(text: str) -> str:
    """`language_of` for a text that is already clean."""
    return _kept_language()(text[:SAMPLE])


@from_packs
def _kept_language() -> _lru_cache_wrapper[str]:
    """The languages of the last texts: several readers ask for that of a message."""
    return lru_cache(maxsize=64)(_language_of_sample)


def _language_of_sample(sample: str) -> str:
    if is_all_latin(sample):
        return _by_words(_voters()["latin"], sample)
    script = _script(letters_by_script(sample))
    voters = _voters().get(script)
    return _by_words(voters, sample) if voters else main_language(script) or UNKNOWN


def languages_of(words: Collection[str]) -> frozenset[str]:
    """Every language with a pack that folded words may be of, and `ANY`.

    For readers of cues, which rather read a text in two languages than in the wrong one. Languages
    of one script are told apart by function words: those with about the most of them count, all if
    there are none or hardly any words. Latin words without function words are names in a text of
    another script.
    """
    return _remembering()(tuple(words)) if len(words) <= _KEPT_WORDS else _languages_of(words)


@from_packs
def _remembering() -> _lru_cache_wrapper[frozenset[str]]:
    return lru_cache(maxsize=_KEPT)(_languages_of)


def _languages_of(words: Collection[str]) -> frozenset[str]:
    scripts = _scripts(words)
    by_word, by_script = _by_folded_word()
    votes: dict[str, float] = {}
    for owners in filter(None, map(by_word.get, words)):
        share = 1 / len(owners)
        for code in owners:
            votes[code] = votes[code] + share if code in votes else share
    voted = [code for code, vote in votes.items() if vote > _doubt(code)]
    found = {ANY}
    for script in scripts:
        codes = by_script.get(script, frozenset())
        likely = codes.intersection(voted)
        most = max((votes[code] for code in likely), default=0.0)
        if likely and len(words) > _TOO_FEW:
            found.update(code for code in likely if votes[code] >= _CLOSE * most)
        elif script != "latin" or len(scripts) == 1:
            found |= codes
    if "kana" in scripts:  # its Han characters are no Chinese
        found -= by_script["han"] - by_script["kana"]
    return frozenset(found)


def _scripts(words: Collection[str]) -> set[str]:
    """Those that the words are written in."""
    if "".join(words).isascii():  # without a look at each
        return {"latin"} if any(word and word[0].isalpha() for word in words) else set()
    return {script_of(word) for word in words if word and word[0].isalpha()} - {""}


@from_packs
def _by_folded_word() -> tuple[Mapping[str, tuple[str, ...]], Mapping[str, frozenset[str]]]:
    """Languages by folded frequent word, and by the scripts they are written in."""
    stop = function_words()
    words = {code: {fold(word) for word in (*stop.get(code, ()), *pack.words.common)}
             for code, pack in packs().items()}  # fmt: skip
    by_script: dict[str, set[str]] = {}
    for code, pack in packs().items():
        signs = {*"".join(pack.words.stop_characters), *words[code]}
        for script in {pack.script, *map(script_of, signs)} - {ANY, ""}:
            by_script.setdefault(script, set()).add(code)
    return _owners(words), {script: frozenset(codes) for script, codes in by_script.items()}


def _doubt(code: str) -> float:
    """The votes up to which a language is not considered beside others."""
    return 0 if packs()[code].words.widespread else _LITTLE_EVIDENCE


def main_language(script: str) -> str:
    """The first language of a script, or '': that of a word in another language's text."""
    return languages_by_script().get(script, ("",))[0]


def first_of(codes: Iterable[str]) -> str:
    """The language that is taken of equals; "" of none."""
    place = {code: number for number, code in enumerate(_PRECEDENCE)}
    return min(codes, key=lambda code: (place.get(code, len(place)), code), default="")


@from_packs
def languages_by_script() -> Mapping[str, Sequence[str]]:
    """The languages of each script, the one that is taken of equals first."""
    found = {script: [code] for script, code in _WITHOUT_PACK.items()}
    place = {code: number for number, code in enumerate(_PRECEDENCE)}
    for code, pack in sorted(packs().items(), key=lambda item: place.get(item[0], len(place))):
        codes = found.setdefault(pack.script, [])
        if code not in codes:
            codes.append(code)
    return found


@from_packs
def _voters() -> Mapping[str, _Voters]:
    shared = {script: codes for script, codes in languages_by_script().items() if len(codes) > 1}
    return {script: _voters_of(script, codes) for script, codes in shared.items()}


def _voters_of(script: str, codes: Sequence[str]) -> _Voters:
    words = {code: packs()[code].words for code in codes if code in packs()}
    stop = function_words()
    letters = _owners({code: clean("".join(words[code].letters)) for code in words})
    return _Voters(
        UNKNOWN if script == "latin" else codes[0],
        _owners({code: {*stop.get(code, ()), *words[code].common} for code in words}),
        letters,
        re.compile("|".join(map(re.escape, letters)) or "(?!)"),
        {code: _EVIDENCE if words[code].widespread else _LITTLE_EVIDENCE for code in words}
        | {FALLBACK: 0.0},
    )


def _owners(words: Mapping[str, Collection[str]]) -> dict[str, tuple[str, ...]]:
    """Languages by word or letter; equal tuples are one object."""
    owners: dict[str, tuple[str, ...]] = {}
    for language, own in words.items():
        for word in own:
            owners[word.lower()] = (*owners.get(word.lower(), ()), language)
    shared: dict[tuple[str, ...], tuple[str, ...]] = {}
    return {word: shared.setdefault(own, own) for word, own in owners.items()}


def _script(counts: Mapping[str, int]) -> str:
    """The main script; Latin needs a clear majority, since other texts contain Latin names."""
    others = {name: count for name, count in counts.items() if name != "latin"}
    if not others or sum(others.values()) * 4 < counts.get("latin", 0):
        return "latin"
    if "kana" in others and others["kana"] * 10 >= others.get("han", 0):
        return "kana"
    return max(others, key=lambda name: others[name])


def _by_words(voters: _Voters, sample: str) -> str:
    scores = _scores(voters, sample.lower())
    best = _best_of(scores)
    if not best or scores[best] < voters.enough[best]:
        return voters.main
    if voters.enough[best] == _LITTLE_EVIDENCE:
        # "Pro plan" and "v3" are no Czech.
        words = _scores(voters, _NO_WORDS.sub("", sample).lower())
        return best if _best_of(words) == best and words[best] >= _EVIDENCE else voters.main
    return best


def _best_of(scores: Mapping[str, float]) -> str:
    """The language with the highest score; "" if there is none, or the fallback is its equal."""
    best = max(scores, key=scores.__getitem__, default="")
    equals = list(scores.values()).count(scores[best]) if best else 0
    return "" if equals > 1 and scores.get(FALLBACK) == scores[best] else best


def _scores(voters: _Voters, lowered: str) -> dict[str, float]:
    """Scores by language: a word or letter of n languages adds 1/n to each."""
    seen = Counter(map(voters.by_word.get, _words(lowered)))
    if not lowered.isascii():
        # In the order of the text, not of a set: all processes must score alike.
        letters = dict.fromkeys(voters.letters.findall(lowered))
        seen.update(voters.by_letter[letter] for letter in letters)
    scores: dict[str, float] = {}
    del seen[None]  # words of no language
    for languages, times in seen.items():
        share = times / len(languages or ())
        for language in languages or ():
            scores[language] = scores[language] + share if language in scores else share
    return scores


def _words(lowered: str) -> list[str]:
    """Runs of letters; for ASCII by splitting, which is three times as fast."""
    if lowered.isascii():
        return lowered.translate(_TO_BLANKS).split()
    return _WORDS.findall(lowered)
