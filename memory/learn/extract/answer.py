"""Reads facts from a model's JSON answer. Pure.

Tolerates reasoning, prose, code fences, bare lists, strings instead of objects, broken escapes and
a missing end. An answer without any list of facts is an error, not an empty list.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import regex

from ...language.cues import cues_in
from ...model.errors import ExtractionError
from ...util.untrusted_json import MODEL, read_json
from ..json_values import JsonValues
from ..reasoning import strip_reasoning
from .facts import Fact, fact_of, fact_text

MAX_FACTS = 200
"""Most facts read from one answer; more are a listing of something else."""
MAX_ANSWER_CHARS = 200_000

_LIST_KEYS = ("facts", "memories", "results", "items")
_BULLET = regex.compile(r"^\s*(?:[-*+\u2022]|\d{1,3}[.)])\s+")
_BRACKET = regex.compile(r"[\[{]")
_ESCAPE = regex.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})?')
_STRING = regex.compile(r'"(?:[^"\\]|\\.)*+"?', regex.DOTALL)


@dataclass(frozen=True, slots=True)
class FactList:
    """The readable part of an answer."""

    facts: tuple[Fact, ...] = ()
    too_many: int = 0
    """Facts beyond `MAX_FACTS`, which are not read."""
    whole: bool = True
    """Whether all of it was read."""
    cut: bool = False
    """Whether the answer was cut off."""


def read_answer(text: str) -> FactList:
    """The facts in an answer, in order.

    Raises:
        ExtractionError: there is no list of facts in it.
    """
    said = _decoded(strip_reasoning(text[:MAX_ANSWER_CHARS]))
    if not said:
        raise ExtractionError("the answer was empty", text)
    answer = _read(said) or _bullets(said)
    if answer is None or not answer.whole:
        # Small models that quote code often write escapes that JSON does not have.
        mended = _ESCAPE.sub(_mend, said)
        answer = max((answer, _read(mended)), key=_worth)
    if answer is None:
        raise ExtractionError("there was no JSON list of facts in it", text)
    return answer


def _mend(escape: regex.Match[str]) -> str:
    return escape[0] if len(escape[0]) > 1 else "\\\\"


def _worth(answer: FactList | None) -> tuple[int, bool]:
    return (len(answer.facts), answer.whole) if answer else (-1, False)


def _read(said: str) -> FactList | None:
    values = JsonValues(said)
    loose: list[Any] = []
    none_said = False
    for value in values:
        facts = _fact_list(value)
        if facts and isinstance(value, dict) and facts[0] is value:
            loose.append(value)
        elif facts and not (values.broken_object and all(isinstance(fact, str) for fact in facts)):
            return _answer(facts)
        # An empty list in prose ("otherwise []") does not count if facts follow.
        none_said = none_said or facts == []
    if loose:
        # Complete objects outside a list, or in a broken one.
        cut = _is_open(said)
        answer = _answer(loose)
        return replace(answer, whole=not (cut or values.broken_object), cut=cut)
    return FactList() if none_said else None


def _answer(facts: list[Any]) -> FactList:
    read = [fact for fact in map(fact_of, facts[:MAX_FACTS]) if fact]
    return FactList(tuple(read), max(0, len(facts) - MAX_FACTS))


def _fact_list(value: Any) -> list[Any] | None:
    if isinstance(value, dict):
        for key, held in value.items():
            if str(key).casefold() in _LIST_KEYS:
                return _held(held)
        # A lone fact instead of a list of one.
        return [value] if fact_text(value) else _wrapped(value)
    if isinstance(value, list) and (not value or any(fact_text(item) for item in value)):
        return value
    return None


def _held(value: Any) -> list[Any] | None:
    """The facts under a key that should hold a list: also a list in a string, or a lone fact."""
    if isinstance(value, str):
        value = next(iter(JsonValues(value)), None)
    found = _fact_list(value) if isinstance(value, list | dict) else None
    return list(value.values()) if found is None and isinstance(value, dict) else found


def _wrapped(value: dict[str, Any]) -> list[Any] | None:
    """The facts in an object that holds nothing but another one: {"result": {"facts": []}}."""
    inner = [held for held in value.values() if isinstance(held, dict)]
    return _fact_list(inner[0]) if len(value) == len(inner) == 1 else None


def _decoded(said: str) -> str:
    """The answer without the quotes of a string, if it is JSON inside a JSON string."""
    try:
        inner = read_json(said, MODEL) if said.startswith('"') else said
    except ValueError:
        return said
    return inner if isinstance(inner, str) else said


def _bullets(said: str) -> FactList | None:
    """The facts of an answer that is a list of lines about the user."""
    lines = [_BULLET.sub("", line) for line in said.splitlines() if _BULLET.match(line)]
    told = [line for line in lines if any(hit.start <= 1 for hit in cues_in(line, "people.user"))]
    return _answer(told) if told and len(told) == len(lines) else None


def _is_open(said: str) -> bool:
    """Whether a bracket or a string is not closed."""
    first = _BRACKET.search(said)
    bare = _STRING.sub(_outline, said, pos=first.start() if first else len(said))
    opened = bare.count("{") + bare.count("[")
    return "\0" in bare or opened > bare.count("}") + bare.count("]")


def _outline(string: regex.Match[str]) -> str:
    return "" if len(string[0]) > 1 and string[0].endswith('"') else "\0"
