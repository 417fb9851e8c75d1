"""Parses a JSON text with the offsets of its values; inserts and cuts text at offsets. Pure.

A request is never serialised again: additions are spliced into the client's bytes, and whole
messages are cut out of them, so unknown fields, field order, number formats, escapes and white
space are preserved.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from heapq import merge
from typing import Any, NamedTuple

from recollect.memory.util.untrusted_json import CHAT, check_json

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")
_BLANKS = frozenset(" \t\n\r")
MAX_ELEMENTS = 10_000
"""Most elements of a list with offsets; the longest conversations have fewer messages."""


class Span(NamedTuple):
    """Start and end (exclusive) of a value in the text."""

    start: int
    end: int


class Insertion(NamedTuple):
    """A text to insert at an offset."""

    at: int
    text: str


class Parsed(NamedTuple):
    """An object's values and their offsets, by key.

    The last of duplicate keys counts, as in all common parsers.
    """

    values: dict[str, Any]
    spans: dict[str, Span]
    starts: dict[str, list[int]]
    """Offsets of the elements of lists."""
    end: int


def parse_object(text: str, position: int = 0, *, lists: Collection[str] = ()) -> Parsed:
    """Read the object at `position`; `lists` are the keys of lists with element offsets.

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
        if text[position] != '"':
            raise ValueError("not an object")
        key, position = _DECODER.raw_decode(text, position)
        if text[position] in _BLANKS:
            position = skip(text, position)
        if text[position] != ":":
            raise ValueError("not an object")
        start = position + 1
        if text[start] in _BLANKS:
            start = skip(text, start)
        if key in lists and text[start] == "[":
            values[key], starts[key], position = _parse_list(text, start)
        else:
            values[key], position = _DECODER.raw_decode(text, start)
            starts.pop(key, None)
        spans[key] = Span(start, position)
        position = _after_value(text, position, "}")
    return Parsed(values, spans, starts, position + 1)


def parse_document(text: str, *, lists: Collection[str] = ()) -> Parsed:
    """Read an object that is the whole text.

    Raises:
        ValueError, IndexError, RecursionError: it is not a JSON object, or text follows it.
    """
    check_json(text, CHAT)
    parsed = parse_object(text, lists=lists)
    if skip(text, parsed.end) != len(text):
        raise ValueError("more than one value")
    return parsed


def insert(
    raw: bytes, text: str, insertions: Iterable[Insertion], cuts: Iterable[Span] = ()
) -> bytes:
    """The bytes with all insertions, which must be ordered by offset and contain only ASCII.

    `text` is the decoded `raw`. What is in `cuts` is left out: spans in order that share nothing,
    without an insertion inside one.
    """
    inserted = [(at, at, new) for at, new in insertions]
    # At the same offset a cut, which ends at or after it, comes after what is inserted there.
    edits = merge(inserted, ((start, end, "") for start, end in cuts), key=lambda edit: edit[:2])
    parts: list[bytes] = []
    done = here = 0
    for start, end, new in edits:
        begin = here + _bytes_of(raw, text, done, start)
        parts += (raw[here:begin], new.encode("ascii"))
        here = begin + _bytes_of(raw, text, start, end)
        done = end
    parts.append(raw[here:])
    return b"".join(parts)


def _bytes_of(raw: bytes, text: str, start: int, end: int) -> int:
    """The bytes of a part of the text; in ASCII, the common case, there are as many."""
    return end - start if len(raw) == len(text) else len(text[start:end].encode("utf-8"))


def skip(text: str, position: int) -> int:
    """The position after white space."""
    if text[position : position + 1] not in _BLANKS:
        return position  # as in what programs write
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _after_value(text: str, position: int, end: str) -> int:
    """The position of the next value after a comma, or of `end`."""
    if text[position] in _BLANKS:
        position = skip(text, position)
    if text[position] == end:
        return position
    if text[position] != ",":
        raise ValueError("expected a comma")
    position += 1
    if text[position] in _BLANKS:
        position = skip(text, position)
    if text[position] == end:
        raise ValueError("a comma before the end")
    return position


def _parse_list(text: str, position: int) -> tuple[list[Any], list[int], int]:
    """The elements of the list at `position`, their offsets, and the end of the list."""
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
