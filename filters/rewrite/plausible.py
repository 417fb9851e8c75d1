"""Checks whether a model's rewrite is about the message. Pure; accepts any text.

A model may refuse, answer instead of rewriting, change the language or follow injected
instructions. No list of bad phrases is complete, so a rewrite must consist of words that were said.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable

import regex

from recollect.memory.language import ANY, folded_word, is_unspaced, scan
from recollect.memory.language.requests import cues_of

from .selfcontained import self_contained
from .terms import key_terms

MIN_SAID = 0.5
"""Share of a rewrite's key terms that were said. Good ones also add: "hotel" for "booked"."""
MIN_KEPT = 0.5
"""Share of the message's own key terms that its rewrite still has."""
_STEM = 0.7
"""Share of a word that is compared, so that "migrations" equals "migration"."""
_MIN_STEM = 3
_EAST_ASIAN = ("CJK", "HIRAGANA", "KATAKANA")
_NO_TEXT = frozenset({"Cc", "Cs", "Co"})
_MARKUP = regex.compile(r"</?[a-z][^<>]*>|```|[{}]", regex.IGNORECASE)


def same_writing(text: str, message: str) -> bool:
    """Whether it is in a script and, if known, a language of the message."""
    scripts = _scripts(text)
    if not scripts or scripts.most_common(1)[0][0] not in _scripts(message):
        return False
    mine, theirs = (cues_of(one).languages - {ANY} for one in (text, message))
    return not mine or not theirs or not mine.isdisjoint(theirs)


def is_refusal(text: str) -> bool:
    """Whether it is a refusal, in one of the languages with a pack."""
    return scan(text).has("requests.refusal")


def is_text(line: str) -> bool:
    """Whether it has no control, surrogate or private characters. Joiners are allowed."""
    return not any(unicodedata.category(char) in _NO_TEXT for char in line)


def brings_markup(text: str, source: str) -> bool:
    """Whether it has tags, fences or braces that are not in the source."""
    return any(found not in source for found in _MARKUP.findall(text))


def restates(rewritten: str, message: str, source: str) -> bool:
    """Whether it is self-contained, made of `source` and keeps the message's key terms."""
    return (
        self_contained(rewritten)
        and _share(_units(rewritten), source) >= MIN_SAID
        and _share(_units(message), rewritten) >= MIN_KEPT
    )


def _share(units: Iterable[str], text: str) -> float:
    """The share of units that occur in the text; 1 without units."""
    folded = " ".join(map(folded_word, text.split()))
    found = [unit in folded for unit in units]
    return sum(found) / len(found) if found else 1.0


def _units(text: str) -> list[str]:
    """The text's words without endings; pairs of characters in scripts without blanks."""
    units: list[str] = []
    for term in key_terms(text):
        if is_unspaced(term.key[0]):
            pairs = [term.key[i : i + 2] for i in range(len(term.key) - 1)]
            units += pairs or [term.key]
        else:
            units.append(term.key[: max(_MIN_STEM, round(_STEM * len(term.key)))])
    return units


def _scripts(text: str) -> Counter[str]:
    """The number of letters per script, from their Unicode names."""
    names = (
        unicodedata.name(c, "?").split()[0]
        for c in unicodedata.normalize("NFKC", text)
        if c.isalpha()
    )
    return Counter("CJK" if name in _EAST_ASIAN else name for name in names)
