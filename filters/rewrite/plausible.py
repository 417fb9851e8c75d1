"""Checks whether a model's rewrite is about the message. Pure; accepts any text.

A model may refuse, answer instead of rewriting, change the language or follow injected
instructions. No list of bad phrases is complete, so a rewrite must consist of words that were said.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable

import regex

from ..lexicon import scan
from ..lexicon.fold import fold, is_cjk, normalise
from ..lexicon.table import ANY_LANGUAGE
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
_REFUSAL = regex.compile(
    r"\b(?:i(?:'m| am) (?:sorry|unable|not able)|i (?:can(?:'t|not)|don't (?:have|know))|as an ai"
    r"|language model|es tut mir leid|ich kann (?:nicht|leider)|lo siento|no puedo|je suis désolé"
    r"|je ne peux pas|desculpe|sinto muito|não posso)\b"
    r"|抱歉|对不起|我无法|申し訳|できません|क्षमा करें|नहीं कर सकत|عذر[اً]|آسف|لا أستطيع|لا يمكنني",
    regex.IGNORECASE,
)


def same_writing(text: str, message: str) -> bool:
    """Whether it is in a script and, if known, a language of the message."""
    scripts = _scripts(text)
    if not scripts or scripts.most_common(1)[0][0] not in _scripts(message):
        return False
    languages = scan(text).languages & scan(message).languages
    return languages != frozenset({ANY_LANGUAGE})


def is_refusal(text: str) -> bool:
    """Whether it is a refusal, in one of the listed languages."""
    return _REFUSAL.search(normalise(text)) is not None


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
    folded = " ".join(map(fold, normalise(text).split()))
    found = [unit in folded for unit in units]
    return sum(found) / len(found) if found else 1.0


def _units(text: str) -> list[str]:
    """The text's words without endings; pairs of characters in scripts without blanks."""
    units: list[str] = []
    for term in key_terms(text):
        if is_cjk(term.key[0]):
            pairs = [term.key[i : i + 2] for i in range(len(term.key) - 1)]
            units += pairs or [term.key]
        else:
            units.append(term.key[: max(_MIN_STEM, round(_STEM * len(term.key)))])
    return units


def _scripts(text: str) -> Counter[str]:
    """The number of letters per script, from their Unicode names."""
    names = (unicodedata.name(c, "?").split()[0] for c in normalise(text) if c.isalpha())
    return Counter("CJK" if name in _EAST_ASIAN else name for name in names)
