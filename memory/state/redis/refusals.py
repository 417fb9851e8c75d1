"""Recognises answers of Redis that refuse a write. Pure."""

from __future__ import annotations

import re

from ...model.errors import StateUnwritableError

_WORDS = {
    "OOM": (
        "its memory is full (maxmemory)",
        "raise maxmemory of redis, or see what fills it: it goes on by itself",
    ),
    "MISCONF": (
        "it cannot save to its disk",
        "make room on the disk of redis, and see its log: it goes on by itself",
    ),
    "READONLY": (
        "it only reads at the moment: it is a replica",
        "see which redis leads, and that state.url leads there: it goes on by itself",
    ),
    "NOREPLICAS": (
        "it has fewer replicas than min-replicas-to-write",
        "bring the replicas of redis back: it goes on by itself",
    ),
}
_CLASSES = {"OutOfMemoryError": "OOM", "ReadOnlyError": "READONLY"}
"""For these errors the client removes the word from the message and uses a class instead."""
_WORD = re.compile(rf"(?:^|[ -])({'|'.join(_WORDS)})\b")
"""At the beginning, or within the quoted error of a script."""


def refusal(error: Exception) -> StateUnwritableError | None:
    """The error for an answer that refuses a write; None for any other."""
    word = _CLASSES.get(type(error).__name__)
    if word is None:
        found = _WORD.search(str(error))
        if found is None:
            return None
        word = found[1]
    reason, advice = _WORDS[word]
    return StateUnwritableError(f"redis takes no writes: {reason}; {advice}", advice)
