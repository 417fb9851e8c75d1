"""Compares names: by folded words, by spelling, and by the parts that two have.

A key is a name's folded words. Nothing here knows a name: titles are told by their shape, nicknames
are compared as they are spelled.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ...language.fold import clean, fold
from ...language.scripts import script_of
from ...model.claims import EntityKind

Name = tuple[str, ...]
"""The folded words of a name, without a title."""

MOST_CHARS: Final = 120
"""Of a name that are compared."""
MOST_WORDS: Final = 6
DESCRIBED: Final = "@"
"""What all keys begin with that are no name: "@sister", and the further keys of names."""
OF: Final = "/"
"""Between an owner and what somebody is to them: "@anna/son". The user's own have none."""
LAST, SPELLED, TITLED, KIND, MAYBE, ABOUT = "@…", "@~", "@%", "@=", "@?", "@:"
"""What further keys begin with: a last word, a spelling, a title, a kind that is sure, one that is
not, and a description by a model."""
_FURTHER = (LAST, SPELLED, TITLED, KIND, MAYBE, ABOUT)

_WORD = re.compile(r"\w[\w\u0900-\u0dff]*(?:['\-]\w[\w\u0900-\u0dff]*)*")
_GENITIVE = re.compile(r"['\u2019]s?$")
_VOWELS = frozenset("aeiouy")
_LONGEST_TITLE = 4
_SPELLINGS = (
    ("ph", "f"), ("ck", "k"), ("th", "t"), ("kh", "h"), ("tz", "ts"), ("c", "k"), ("q", "k"),
    ("y", "i"), ("j", "i"), ("w", "v"), ("sch", "sh"), ("ß", "s"),
)  # fmt: skip
"""Ways to write one sound. Vowels stay: Maria is not Mario."""
_SOFT = re.compile("(?<=[aeiou])z(?=[aeiou])")
"""Luiza is Luisa, and Zara is not Sara."""
_DOUBLED = re.compile(r"([^aeou])\1+")
"""Not of vowels: Renée is not René."""
_NO_LETTERS = re.compile(r"[^a-z]+")

SAME, ALIKE, FULLER, INITIAL, GIVEN, FAMILY = 1.0, 0.95, 0.9, 0.85, 0.8, 0.75
"""How alike two names are: equal, spelled alike, with a middle name more, with an initial, the
first word of a longer one, its last word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSurface:
    """One way in which a text calls an entity."""

    text: str
    """As written: a substring of the text, or a name of a claim."""
    key: str
    """As it is compared: ``anna schmidt``, ``@sister`` for "my sister"."""
    more: tuple[str, ...] = ()
    """Further keys by which it is found: its last word, its spelling, and that its kind is sure."""


@lru_cache(maxsize=8_192)
def split(name: str) -> tuple[str, Name]:
    """The title ("mr", or "") and the folded words of a name."""
    words = [_GENITIVE.sub("", found[0]) for found in _WORD.finditer(clean(name[:MOST_CHARS]))][
        :MOST_WORDS
    ]
    folded = tuple(filter(None, map(fold, words)))
    if len(folded) > 1 and is_title(words[0]):
        return folded[0], folded[1:]
    return "", folded


def is_title(word: str) -> bool:
    """Whether a word has the shape of a shortened title: Mr, Dr, Mme; no vowel but the last."""
    folded = fold(word)
    return (
        1 < len(folded) <= _LONGEST_TITLE
        and folded.isascii()
        and folded.isalpha()
        and word.istitle()
        and not _VOWELS & set(folded[:-1])
        and len(folded) - (folded[-1] in _VOWELS) > 1
    )


def key_of_kind(kind: EntityKind) -> str:
    """The key of what a text says to be of this kind."""
    return KIND + kind.value


def kind_told(keys: Iterable[str]) -> EntityKind | None:
    """The kind that a text tells of an entity with these keys; None if none does, or several do.

    That it is a person or an organization counts before what a thing is called.
    """
    every = {EntityKind(key.removeprefix(KIND)) for key in keys if key.startswith(KIND)}
    told = {kind for kind in every if not kind.is_thing} or every
    return told.pop() if len(told) == 1 else None


def description_in(keys: Iterable[str]) -> str | None:
    """The fullest words for what an entity with these keys is; None if no memory has any."""
    told = [key.removeprefix(ABOUT) for key in keys if key.startswith(ABOUT)]
    return max(told, key=lambda words: (len(words), words), default=None)


def key_of(name: str) -> str:
    """A name as it is compared; "" if it has no letter or digit."""
    return " ".join(split(name)[1])


def words_in(key: str) -> Name:
    """The words of a name's key."""
    return tuple(key.split())


def is_name(key: str) -> bool:
    """Whether a key is that of a name, and no description and no further key."""
    return bool(key) and key[0] != DESCRIBED


def is_description(key: str) -> bool:
    """Whether a key is that of a description ("@sister")."""
    return key[:1] == DESCRIBED and not key.startswith(_FURTHER)


@lru_cache(maxsize=8_192)
def spelling_of(word: str) -> str:
    """A word in Latin letters, one letter for each sound; "" where vowels are not written.

    "" also for one with a digit: CM1 is not CM2.
    """
    if any(map(str.isdigit, word)):
        return ""
    if word.isascii():
        latin = word
    elif script_of(word) in ("arabic", "hebrew", "han"):
        return ""
    else:
        from anyascii import anyascii  # its tables are read when a script is first met

        latin = anyascii(word).lower()
    latin = _NO_LETTERS.sub("", latin)
    for spelled, sound in _SPELLINGS:
        latin = latin.replace(spelled, sound)
    latin = _SOFT.sub("s", latin)
    return _DOUBLED.sub(r"\1", latin.replace("h", "") if len(latin) > 1 else latin)


def surface_of(text: str, kind: EntityKind | None = None, marks: Iterable[str] = ()) -> ReadSurface:
    """A name as a surface with all its keys: `kind` if the text tells it, `marks` further ones."""
    title, words = split(text)
    more = []
    if len(words) > 1:
        more.append(LAST + words[-1])
    spelled = " ".join(map(spelling_of, words))
    if spelled.strip():
        more.append(SPELLED + spelled)
    if title:
        more.append(TITLED + title)
    if kind is not None:
        more.append(KIND + kind.value)
    more += sorted(set(marks) - set(more))
    return ReadSurface(text=text, key=" ".join(words), more=tuple(more))


@lru_cache(maxsize=32_768)
def likeness(one: Name, other: Name) -> float:
    """How alike two names are: 0, or one of the numbers above."""
    if not one or not other:
        return 0.0
    if one == other:
        return SAME
    if len(one) == len(other) and all(map(_is_same_word, one, other)):
        return ALIKE
    if len(one) == 1 or len(other) == 1:
        return _part(one, other) if len(one) == 1 else _part(other, one)
    return _ends(one, other)


def _part(word: Name, name: Name) -> float:
    """A single word beside a name of several."""
    if len(name) == 1:
        return 0.0
    if _is_same_word(word[0], name[0]):
        return GIVEN
    return FAMILY if _is_same_word(word[0], name[-1]) else 0.0


def _ends(one: Name, other: Name) -> float:
    """Two names of several words: their first and last ones, of which one may be an initial."""
    first, last = _word(one[0], other[0]), _word(one[-1], other[-1])
    if not (first and last) or first == last == INITIAL:
        return 0.0
    return min(first, last, FULLER)


def _word(one: str, other: str) -> float:
    if _is_same_word(one, other):
        return SAME
    short, long = sorted((one, other), key=len)
    return INITIAL if len(short) == 1 and long.startswith(short) else 0.0


def _is_same_word(one: str, other: str) -> bool:
    if one == other:
        return True
    spelled = spelling_of(one)
    return len(spelled) > 1 and spelled == spelling_of(other)


def is_contrary(one: Name, other: Name) -> bool:
    """Whether both are full names of different people."""
    return len(one) > 1 and len(other) > 1 and not likeness(one, other)


def is_role(key: str) -> bool:
    """Whether a key says what somebody is to the user: "@older sister", not "@anna/son"."""
    return is_description(key) and OF not in key


def lookup_of(surface: ReadSurface) -> frozenset[str]:
    """The keys by which entities are found that it may be one with; some end in ``*``."""
    if not is_name(surface.key):
        return frozenset({surface.key})
    words = words_in(surface.key)
    spelled = (key for key in surface.more if key.startswith(SPELLED))
    return frozenset((surface.key, *spelled, *(_shorter(words) if words[1:] else _fuller(words))))


def _fuller(words: Name) -> Sequence[str]:
    return (f"{words[0]} *", LAST + words[0])


def _shorter(words: Name) -> Sequence[str]:
    first, last = words[0], words[-1]
    return (first, last, f"{first} *", LAST + last)
