"""Finds the times in the letters of a text, by the table of rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from .kinds import GROUPS, DatePiece, DateReading, compiled
from .rules import PARTS, RULES
from .spans import Span

_CUES = GROUPS["cue"] + "f"
_KEEPS_CUE = frozenset(("ago", "in_days"))
_RULE = {rule.name: rule for rule in RULES}


@dataclass(frozen=True, slots=True)
class Mention:
    """Words `start` to `end` (exclusive) name one of `spans` (several when it is ambiguous)."""

    start: int
    end: int
    spans: list[Span]
    rule: str = ""


@cache
def _grammar() -> re.Pattern[str]:
    named = "|".join(f"(?P<{rule.name}>(?:{{cue}}? )?(?:{rule.pattern}))" for rule in RULES)
    return re.compile(compiled(f"(?!{{word|stop|comma|figure}})(?:{named})", **PARTS))


def find(reading: DateReading, now: datetime) -> Iterator[Mention]:
    """The times in a text, in order; `now` is local."""
    for match in _grammar().finditer(reading.letters):
        name = match.lastgroup or ""
        start, end = match.span()
        piece = DatePiece(match[0], reading.values[start:end])
        if spans := _RULE[name].resolve(piece, now):
            if name not in _KEEPS_CUE:
                start += len(piece.letters) - len(piece.letters.lstrip(_CUES))
            yield Mention(start, end, spans, name)
