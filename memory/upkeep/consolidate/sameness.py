"""Compares two texts: they are the same in the same words, or they differ. Pure.

Texts are compared as rows of exact tokens (`learn.reconcile.exact_tokens`): a number, a name, a
code, a small word ("not", "before", "was") or the form of a word that differs makes another
statement, and so does another order. What may differ says nothing:

- brackets, quotes and hyphens inside words; a number in digits or as a word;
- in English, the article "the", and who speaks: "I'm a nurse" is "User is a nurse";
- a clause that a comma ends, at the beginning or at the end: "In May, she moved".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import regex

from ...language import language_of, languages_of, words_of
from ...language.dates import number_words
from ...language.detect import UNKNOWN
from ...language.words import folded_word
from ...learn.reconcile.exact_tokens import located, tokens, written_out

Tokens = tuple[str, ...]

ENGLISH = "en"
_USER, _OF_USER = "\x00user", "\x00user's"
_SPOKEN = {"i": _USER, "me": _USER, "my": _OF_USER}
_TOLD = {"user": _USER, "user's": _OF_USER}
_THE = "the"
_AGREES = {"am": "is", "have": "has", "do": "does"}
_ALSO_AGREES = "and"
"""A verb behind it has the subject of the one before."""
_ENDINGS = (("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"),
            ("zes", "z"), ("oes", "o"), ("ss", "ss"), ("us", "us"), ("is", "is"), ("as", "as"),
            ("s", ""))  # fmt: skip
"""What the third person ends with, and the first instead; the first that fits counts."""
_AROUND = str.maketrans(dict.fromkeys(
    '"()[]{}\u00a1\u00bf\u00ab\u00bb\u201c\u201d\u201e\u201f'
    "\u300a\u300b\u3008\u3009\u300c\u300d\u300e\u300f\uff08\uff09", " "
))  # fmt: skip
"""Brackets, quotes and the signs that begin a Spanish question: each becomes a blank."""
_MARKS = "'\u2018\u2019"
_COMMAS = (",", "\uff0c", "\u060c")
_MOST_FRONTED = 8
"""Words of a clause that may stand first or last."""
_CANNOT = regex.compile(r"\b(can)(?:not|['\u2019]t)\b", regex.IGNORECASE)
_HYPHEN = regex.compile(r"(?<=\p{L})-(?=\p{L})")


@dataclass(frozen=True)
class CanonicalText:
    """A text as it is compared."""

    tokens: Tokens
    english: bool
    spoken: bool
    """Whether its "I" is the user; English only."""
    fronted: int
    """How many tokens the clause at its beginning has; 0 without one."""

    @cached_property
    def forms(self) -> frozenset[Tokens]:
        """The rows of tokens that say it."""
        return frozenset(_orders(self.tokens, self.fronted))

    @cached_property
    def agreed(self) -> frozenset[Tokens]:
        """The same whoever speaks."""
        return frozenset(_orders(_agreed(self.tokens), self.fronted))

    @cached_property
    def key(self) -> Tokens:
        """Equal for all texts that `is_same` may hold for."""
        return tuple(sorted(_agreed(self.tokens) if self.english else self.tokens))


def wording_of(text: str) -> CanonicalText:
    """A text as it is compared; in linear time."""
    language = language_of(text)
    if language == UNKNOWN and ENGLISH in languages_of(words_of(text).folded):
        language = ENGLISH  # a few words without a function word: "Caroline joined choir"
    english = language == ENGLISH
    numbers = number_words(language)
    found: list[str] = []
    fronted, spoken = 0, False
    for word, ends_clause in _words_in(_plain(text)):
        token = str(numbers[folded_word(word)]) if folded_word(word) in numbers else word
        if english:
            spoken = spoken or token.lower() in _SPOKEN
            token = _SPOKEN.get(token.lower()) or _TOLD.get(token) or token
        if not (english and token == _THE):
            found.append(token)
        if ends_clause and not fronted and len(found) <= _MOST_FRONTED:
            fronted = len(found)
    return CanonicalText(tuple(found), english, spoken, fronted)


def is_same(one: CanonicalText, other: CanonicalText) -> bool:
    """Whether two texts say the same in the same words."""
    if not one.tokens or not other.tokens:
        return False
    if one.spoken != other.spoken:
        return one.english and other.english and not one.agreed.isdisjoint(other.agreed)
    return not one.forms.isdisjoint(other.forms)


def _plain(text: str) -> str:
    """The text with "not" apart from its verb, and no capital that only begins it."""
    bare = written_out(_CANNOT.sub(r"\1 not", text.translate(_AROUND))).strip()
    return bare[:1].lower() + bare[1:] if bare[1:2].isspace() else bare


def _words_in(text: str) -> Iterator[tuple[str, bool]]:
    """The tokens of a text, and whether a comma follows."""
    for token in located(text):
        comma = text[: token.end].endswith(_COMMAS)
        bare = token.text.strip(_MARKS)
        whole = tokens(bare) if bare != token.text else (bare,)
        parts = [part for one in whole for part in _HYPHEN.split(one)]
        for number, part in enumerate(parts, 1):
            yield part, comma and number == len(parts)


def _orders(told: Tokens, fronted: int) -> Iterator[Tokens]:
    yield told
    if 0 < fronted < len(told):
        yield told[fronted:] + told[:fronted]


def _agreed(told: Tokens) -> Tokens:
    """The tokens with verbs of the user in one form."""
    return tuple(
        _third(token) if before in (_USER, _ALSO_AGREES) else token
        for before, token in zip(("", *told), told, strict=False)
    )


def _third(verb: str) -> str:
    if verb in _AGREES or verb in _AGREES.values():
        return _AGREES.get(verb, verb)
    for ending, first in _ENDINGS:
        if verb.endswith(ending) and len(verb) > len(ending) + 1:
            return verb.removesuffix(ending) + first
    return verb
