"""Duplicates as they come to be: a fact told again, in nearly the same words. English.

Each kind is a small change that a person or an extractor makes when they say a thing once more. A
kind that does not apply to a text gives None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_CONTRACTED = {
    " is not ": " isn't ", " does not ": " doesn't ", " was not ": " wasn't ",
    " did not ": " didn't ", " has not ": " hasn't ", " cannot ": " can't ",
    "isn't": "is not", "doesn't": "does not", "I'm": "I am", "didn't": "did not",
    "can't": "cannot", "wasn't": "was not", "don't": "do not", "haven't": "have not",
}  # fmt: skip
_NUMBERS = {"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "ten": "10"}
_SPELLED = {
    "favorite": "favourite", "color": "colour", "colors": "colours", "neighbor": "neighbour",
    "theater": "theatre", "center": "centre", "traveling": "travelling", "gray": "grey",
    "flavor": "flavour", "flavors": "flavours", "organize": "organise", "organized": "organised",
    "organizing": "organising", "honored": "honoured", "favourite": "favorite", "colour": "color",
}  # fmt: skip
_WORDS = {
    "started": "began", "began": "started", "bought": "purchased", "kids": "children",
    "children": "kids", "movie": "film", "movies": "films", "photo": "picture",
    "photos": "pictures", "big": "large", "doctor": "physician",
}  # fmt: skip
_NEAR_WORDS = {
    "enjoys": "likes", "likes": "enjoys", "loves": "adores", "happy": "glad",
    "thankful": "grateful", "grateful": "thankful", "appreciates": "values",
    "recently": "lately", "job": "position", "trip": "journey", "difficult": "hard",
}  # fmt: skip
_LAST = re.compile(r"^(?P<rest>[^,;:]{12,}?) (?P<when>recently|last \w+|in [A-Z]\w+ \d{4})\.$")


def repeated(text: str) -> str | None:
    """The same once more."""
    return text


def typed(text: str) -> str | None:
    """With another capital, blank and end."""
    bare = text.rstrip(".! ")
    return f"{bare[:1].lower()}{bare[1:]} " if bare and bare != text else f"{text} !"


def contracted(text: str) -> str | None:
    """With "not" written onto a verb, or apart from it."""
    return _first(text, _CONTRACTED)


def in_digits(text: str) -> str | None:
    """With a number in digits."""
    return _word(text, _NUMBERS)


def without_article(text: str) -> str | None:
    """With one article less."""
    found = re.sub(r"(?<=[a-z] )the (?=[a-z])", "", text, count=1)
    return found if found != text else None


def fronted(text: str) -> str | None:
    """With the time first."""
    found = _LAST.match(text)
    if found is None:
        return None
    when = found["when"]
    return f"{when[:1].upper()}{when[1:]}, {found['rest']}."


def respelled(text: str) -> str | None:
    """With British spelling, or American."""
    return _word(text, _SPELLED)


def other_word(text: str) -> str | None:
    """With a word that means the same."""
    return _word(text, _WORDS)


def near_word(text: str) -> str | None:
    """With a word that means nearly the same: whether it does, depends on the sentence."""
    return _word(text, _NEAR_WORDS)


def _first(text: str, table: Mapping[str, str]) -> str | None:
    return next((text.replace(old, new, 1) for old, new in table.items() if old in text), None)


def _word(text: str, table: Mapping[str, str]) -> str | None:
    for old, new in table.items():
        found = re.sub(rf"\b{re.escape(old)}\b", new, text, count=1)
        if found != text:
            return found
    return None


KINDS: Mapping[str, Callable[[str], str | None]] = {
    "repeated": repeated,
    "typed": typed,
    "contracted": contracted,
    "digits": in_digits,
    "article": without_article,
    "fronted": fronted,
    "respelled": respelled,
    "word": other_word,
    "near word": near_word,
}
"""By name, the commonest first."""


def planted(texts: list[str], every: int) -> list[tuple[int, str, str]]:
    """For each so many texts the number of one, a kind and the text told again.

    Kinds take turns; one that does not apply leaves its turn to the next.
    """
    names = list(KINDS)
    found: list[tuple[int, str, str]] = []
    for number in range(0, len(texts), every):
        first = len(found) % len(names)
        for name in names[first:] + names[:first]:
            told = KINDS[name](texts[number])
            if told is not None:
                found.append((number, name, told))
                break
    return found
