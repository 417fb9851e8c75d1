"""Reads facts from a model's answer in lines. Pure.

    type | importance | turn | quote | fact

Lines need no escaping, so models that are too small for JSON can write them.
"""

from __future__ import annotations

import regex

from ...model.errors import ExtractionError
from ...model.types import MemoryType
from ..reasoning import strip_reasoning
from .answer import MAX_ANSWER_CHARS, MAX_FACTS, FactList
from .facts import MAX_QUOTE_CHARS, Fact, fact_text, importance_of, one_line, turn_of, type_of

NONE = "NONE"
"""The answer without facts."""

_BULLET = regex.compile(r"^\s*(?:[-*+\u2022]|\d{1,3}[.)])\s+")
_RULE = regex.compile(r"[\s|:=-]*")
_TYPES = frozenset(kind.value for kind in MemoryType)


def read_lines(text: str) -> FactList:
    """The facts in an answer, in order; other lines are ignored.

    Raises:
        ExtractionError: there is neither a fact nor a line "NONE".
    """
    facts: list[Fact] = []
    none_said = False
    too_many = 0
    for line in strip_reasoning(text[:MAX_ANSWER_CHARS]).splitlines():
        none_said = none_said or line.strip(" .*`\"'").upper() == NONE
        fact = _fact(line)
        if fact is not None and len(facts) < MAX_FACTS:
            facts.append(fact)
        elif fact is not None:
            too_many += 1
    if not facts and not none_said:
        raise ExtractionError("there was no line with a fact in it", text)
    return FactList(tuple(facts), too_many)


def _fact(line: str) -> Fact | None:
    if "|" not in line or _RULE.fullmatch(line):
        return None
    bare = _BULLET.sub("", line).strip().strip("|")
    fields = [field.strip() for field in bare.split("|", 3)]
    if len(fields) <= 3 or fields[0].lower().strip("*`") not in _TYPES:  # noqa: PLR2004
        return None
    # A quote may contain the separator; a fact hardly ever does.
    quote, divided, stated = fields[3].rpartition("|")
    text = fact_text(_unquoted(stated))
    if not (divided and text):
        return None
    return Fact(
        text=text,
        type=type_of(fields[0].strip("*`")),
        importance=importance_of(fields[1]),
        turn=turn_of(fields[2]),
        quote=one_line(_unquoted(quote)[:MAX_QUOTE_CHARS]) or None,
    )


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'`" else text
