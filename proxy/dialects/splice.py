"""Where values stand in a JSON text, so that something can be put among them. Pure.

A request is never serialised again: what we add is spliced into the client's own bytes, so
whatever we do not know survives (fields, their order, number formats, escapes, white space).
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")
MAX_ELEMENTS = 10_000
"""Of a list whose elements' places are wanted: messages of the longest conversation there is."""
MAX_VALUES = 200_000
"""Commas and brackets of a text that is read; four megabytes of prose have half as many."""


class Span(NamedTuple):
    """Offsets of a value in the text, the second one behind it."""

    start: int
    end: int


class Insertion(NamedTuple):
    """A text to put before what stands at an offset."""

    at: int
    text: str


class Parsed(NamedTuple):
    """An object's values by key, and where each of them stands.

    Of a key that comes twice the last counts, as for every common parser.
    """

    values: dict[str, Any]
    spans: dict[str, Span]
    starts: dict[str, list[int]]
    """Of lists: where each element stands."""
    end: int


def parse_object(text: str, position: int = 0, *, lists: Collection[str] = ()) -> Parsed:
    """Read the object at `position`; `lists` are the keys whose elements' places are wanted.

    Raises:
        ValueError, IndexError, RecursionError: there is no JSON object.
    """
    position = skip(text, position)
    if text[position] != "{":
        raise ValueError("not an object")
    values: dict[str, Any] = {}
    spans: dict[str, Span] = {}
    starts: dict[str, list[int]] = {}
    position = skip(text, position + 1)
    while text[position] != "}":
        key, position = _DECODER.raw_decode(text, position)
        position = skip(text, position)
        if not isinstance(key, str) or text[position] != ":":
            raise ValueError("not an object")
        start = skip(text, position + 1)
        if key in lists and text[start] == "[":
            values[key], starts[key], position = _parse_list(text, start)
        else:
            values[key], position = _DECODER.raw_decode(text, start)
            starts.pop(key, None)
        spans[key] = Span(start, position)
        position = _after_value(text, position, "}")
    return Parsed(values, spans, starts, position + 1)


def parse_document(text: str, *, lists: Collection[str] = ()) -> Parsed:
    """Read the object that is the whole text, as `parse_object` does.

    Raises:
        ValueError, IndexError, RecursionError: it is no JSON object, or something follows it.
    """
    if sum(map(text.count, ",[{")) > MAX_VALUES:
        raise ValueError(f"more than {MAX_VALUES} values")
    parsed = parse_object(text, lists=lists)
    if skip(text, parsed.end) != len(text):
        raise ValueError("more than one value")
    return parsed


def insert(raw: bytes, text: str, insertions: Iterable[Insertion]) -> bytes:
    """The bytes with every text put in; insertions come in the order of their offsets.

    `text` is the decoded `raw`. What is put in must be ASCII, so that it is valid wherever it goes.
    """
    parts: list[bytes] = []
    done = 0
    for at, inserted in insertions:
        # Offsets count characters. For plain ASCII, the common case, these are the bytes.
        here = at if len(raw) == len(text) else len(text[:at].encode("utf-8"))
        parts += (raw[done:here], inserted.encode("ascii"))
        done = here
    parts.append(raw[done:])
    return b"".join(parts)


def skip(text: str, position: int) -> int:
    """Past white space."""
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _after_value(text: str, position: int, end: str) -> int:
    """Past the comma to the next value, or at `end`."""
    position = skip(text, position)
    if text[position] == end:
        return position
    if text[position] != ",":
        raise ValueError("expected a comma")
    position = skip(text, position + 1)
    if text[position] == end:
        raise ValueError("a comma before the end")
    return position


def _parse_list(text: str, position: int) -> tuple[list[Any], list[int], int]:
    """The elements of the list at `position`, where each stands, and where the list ends."""
    elements: list[Any] = []
    starts: list[int] = []
    position = skip(text, position + 1)
    while text[position] != "]":
        if len(elements) == MAX_ELEMENTS:
            raise ValueError(f"more than {MAX_ELEMENTS} elements")
        starts.append(position)
        element, position = _DECODER.raw_decode(text, position)
        elements.append(element)
        position = _after_value(text, position, "]")
    return elements, starts, position + 1
