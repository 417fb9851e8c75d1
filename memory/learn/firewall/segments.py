"""What the sentences of a text are, and the text without some of them. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...language.cues import says
from ...language.sentences import sentences
from .spans import Cut

_WORDS = re.compile(r"\w+")
_MARK = re.compile(r"\s*+(?:>[\s>]*+|[-*•+]\s++|\d{1,3}[.)]\s++|[\"“„«「])")


def key(text: str) -> str:
    """The case-folded words, without punctuation."""
    return " ".join(_WORDS.findall(text.casefold()))


def is_marked(segment: str) -> bool:
    """Whether it is quoted or an item of a list."""
    return _MARK.match(segment) is not None


def first_person(text: str) -> bool:
    """Whether it is in the first person."""
    return says(text, "people.first_person")


def negated(text: str) -> bool:
    """Whether it denies or corrects something."""
    return says(text, "changes.negated", "turns.correction")


def drop(text: str, gone: Callable[[str], bool]) -> Cut:
    """The text without the segments for which `gone` is true."""
    parts = sentences(text)
    kept = [part for part in parts if not gone(part)]
    return Cut("".join(kept), len(parts) - len(kept)) if len(kept) < len(parts) else Cut(text, 0)
