"""Converts a fact in a model's answer to a typed value. Unknown fields are ignored. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import regex

from ...model.types import MemoryType

MAX_QUOTE_CHARS = 1_000
MAX_PART_CHARS = 200
"""Of a subject, predicate or object."""
MAX_READ_CHARS = 10_000
"""Of a fact's text; a text of this length is rejected later."""
MAX_TURN = 10_000
DEFAULT_IMPORTANCE = 0.5

_FACT_KEYS = ("text", "content", "fact", "memory", "data")
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
    importance: float = DEFAULT_IMPORTANCE
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    who: str | None = None
    """Whom it is about, as the model says: "user", or somebody else."""
    asserted: bool = True
    """Whether the user says that it is so, as the model says."""


def fact_of(value: Any) -> Fact | None:
    """The fact in a JSON value, which is an object with a text or the text itself, or None."""
    text = fact_text(value)
    if not text:
        return None
    details = _named(value)
    return Fact(
        text=text,
        type=type_of(details.get("type")),
        turn=next((turn_of(details[key]) for key in _TURN_KEYS if key in details), None),
        quote=_short(details.get("quote"), MAX_QUOTE_CHARS),
        importance=importance_of(details.get("importance")),
        subject=_short(details.get("subject"), MAX_PART_CHARS),
        predicate=_short(details.get("predicate"), MAX_PART_CHARS),
        object=_short(details.get("object"), MAX_PART_CHARS),
        who=_short(details.get("who"), MAX_PART_CHARS),
        asserted=str(details.get("asserted", "")).strip().casefold() not in _DENIALS,
    )


def fact_text(value: Any) -> str:
    """The text on one line, or "" without letters and digits (the "..." of an example)."""
    if isinstance(value, dict):
        named = _named(value)
        value = next((named[key] for key in _FACT_KEYS if isinstance(named.get(key), str)), None)
    if not isinstance(value, str):
        return ""
    text = one_line(value[:MAX_READ_CHARS])
    return text if any(character.isalnum() for character in text) else ""


def _named(value: Any) -> Mapping[str, Any]:
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


def importance_of(value: Any) -> float:
    """From 0 to 1; `DEFAULT_IMPORTANCE` without a number. 7 means 7 of 10."""
    if isinstance(value, str):
        try:
            value = float(value.strip()[:20])
        except ValueError:
            return DEFAULT_IMPORTANCE
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return DEFAULT_IMPORTANCE
    if isinstance(value, float) and not math.isfinite(value):
        return DEFAULT_IMPORTANCE
    if 1 < value <= 10:  # noqa: PLR2004
        value = value / 10
    return float(min(max(value, 0), 1))


def _short(value: Any, most: int) -> str | None:
    return (one_line(value[:most]) or None) if isinstance(value, str) else None
