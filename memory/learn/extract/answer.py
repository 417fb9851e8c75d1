"""Reads facts from a model's answer, in JSON or in lines. Pure.

Tolerates reasoning, prose, code fences, bare lists, strings instead of objects, broken escapes and
a missing end; unknown fields are ignored. An answer without any list of facts is an error, not an
empty list. Lines need no escaping, so models that are too small for JSON can write them:

    type | importance | turn | quote | fact
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import regex

from ...language.scanner import cues_in
from ...model.claims import NO_CLAIMS, GraphClaims, claims_of
from ...model.errors import ExtractionError
from ...model.types import MemoryType
from ...recall.importance import NEUTRAL
from ...util.untrusted_json import MODEL, read_json
from ..model_answer import JsonValues, strip_reasoning
from .importance import calibrated, number_of

MAX_QUOTE_CHARS = 1_000
MAX_PART_CHARS = 200
"""Of a subject, predicate or object."""
MAX_READ_CHARS = 10_000
"""Of a fact's text; a text of this length is rejected later."""
MAX_TURN = 10_000

_FACT_KEYS = ("text", "content", "fact", "memory", "data")
_TRIPLE = ("subject", "predicate", "object")
_TURN_KEYS = ("turn", "turn_number", "turn_id")
_LEARNED_TYPES = {
    kind.value: kind for kind in (MemoryType.SEMANTIC, MemoryType.PROCEDURAL, MemoryType.EPISODIC)
}
_DENIALS = frozenset(("false", "no", "0"))
_NUMBER = regex.compile(r"\d{1,6}")


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact as the model states it, not checked yet."""

    text: str
    type: MemoryType = MemoryType.SEMANTIC
    turn: int | None = None
    """The number of the turn in the transcript, from 1; it may not exist."""
    quote: str | None = None
    importance: float = NEUTRAL
    """From 0 to 1; `NEUTRAL` if the model did not say."""
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    who: str | None = None
    """Whom it is about, as the model says: "user", or somebody else."""
    asserted: bool = True
    """Whether the user says that it is so, as the model says."""
    claims: GraphClaims = NO_CLAIMS
    """Who and what it speaks of, as the model says."""


def fact_of(value: Any) -> Fact | None:
    """The fact in a JSON value, which is an object with a text or the text itself, or None.

    Its importance is told by all facts of the answer (`calibrated`).
    """
    text = fact_text(value)
    if not text:
        return None
    details = _fields(value)
    claims = claims_of(details)
    return Fact(
        text=text,
        type=type_of(details.get("type")),
        turn=next((turn_of(details[key]) for key in _TURN_KEYS if key in details), None),
        quote=_short(details.get("quote"), MAX_QUOTE_CHARS),
        **_triple(details, claims),
        who=_short(details.get("who"), MAX_PART_CHARS),
        asserted=str(details.get("asserted", "")).strip().casefold() not in _DENIALS,
        claims=claims,
    )


def _triple(details: Mapping[str, Any], claims: GraphClaims) -> dict[str, Any]:
    """Subject, predicate and object; those of the first relation where only relations are told."""
    said = {name: _short(details.get(name), MAX_PART_CHARS) for name in _TRIPLE}
    if any(said.values()) or not claims.relations:
        return said
    first = claims.relations[0]
    parts = (first.source, first.relation.replace("_", " "), first.target)
    return dict(zip(_TRIPLE, parts, strict=True))


def fact_text(value: Any) -> str:
    """The text on one line, or "" without letters and digits (the "..." of an example)."""
    if isinstance(value, dict):
        named = _fields(value)
        value = next((named[key] for key in _FACT_KEYS if isinstance(named.get(key), str)), None)
    if not isinstance(value, str):
        return ""
    text = one_line(value[:MAX_READ_CHARS])
    return text if any(character.isalnum() for character in text) else ""


def _fields(value: Any) -> Mapping[str, Any]:
    """The fields of an object by their names in lower case."""
    return (
        {str(key).casefold(): each for key, each in value.items()}
        if isinstance(value, dict)
        else {}
    )


def one_line(text: str) -> str:
    """The text without line breaks, and without NUL and lone surrogates, which stores reject."""
    return " ".join(text.encode("utf-8", "replace").decode().replace("\0", " ").split())


def type_of(name: Any) -> MemoryType:
    """The type; semantic for any name that is not learned."""
    return _LEARNED_TYPES.get(str(name).strip().lower()[:20], MemoryType.SEMANTIC)


def turn_of(value: Any) -> int | None:
    """A turn's number, also from "[2]" or "turn 2"."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        found = _NUMBER.search(value[:40])
        value = int(found[0]) if found else None
    if isinstance(value, float):
        value = int(value) if value.is_integer() else None
    return value if isinstance(value, int) and 1 <= value <= MAX_TURN else None


def _short(value: Any, most: int) -> str | None:
    return (one_line(value[:most]) or None) if isinstance(value, str) else None


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
    read = [(fact, _said_of(value)) for value in facts[:MAX_FACTS] if (fact := fact_of(value))]
    return FactList(_weighed(read), max(0, len(facts) - MAX_FACTS))


def _said_of(value: Any) -> float | None:
    return number_of(_fields(value).get("importance"))


def _weighed(read: Sequence[tuple[Fact, float | None]]) -> tuple[Fact, ...]:
    """The facts with their importance, which is told by the numbers of all."""
    found = calibrated([number for _, number in read])
    return tuple(replace(fact, importance=own) for (fact, _), own in zip(read, found, strict=True))


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


NONE = "NONE"
"""The answer without facts."""

_RULE = regex.compile(r"[\s|:=-]*")
_TYPES = frozenset(kind.value for kind in MemoryType)


def read_lines(text: str) -> FactList:
    """The facts in an answer, in order; other lines are ignored.

    Raises:
        ExtractionError: there is neither a fact nor a line "NONE".
    """
    facts: list[tuple[Fact, float | None]] = []
    none_said = False
    too_many = 0
    for line in strip_reasoning(text[:MAX_ANSWER_CHARS]).splitlines():
        none_said = none_said or line.strip(" .*`\"'").upper() == NONE
        fact = _fact_of_line(line)
        if fact is not None and len(facts) < MAX_FACTS:
            facts.append(fact)
        elif fact is not None:
            too_many += 1
    if not facts and not none_said:
        raise ExtractionError("there was no line with a fact in it", text)
    return FactList(_weighed(facts), too_many)


def _fact_of_line(line: str) -> tuple[Fact, float | None] | None:
    """The fact, and the number of its importance."""
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
    fact = Fact(
        text=text,
        type=type_of(fields[0].strip("*`")),
        turn=turn_of(fields[2]),
        quote=one_line(_unquoted(quote)[:MAX_QUOTE_CHARS]) or None,
    )
    return fact, number_of(fields[1])


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'`" else text
