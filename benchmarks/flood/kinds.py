"""The kinds of floods: what is sent, how often at once, and whether the answers are read."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass

MIB = 2**20
CHAT, RESPONSES, MEMORIES = "/v1/chat/completions", "/v1/responses", "/v1/memories/"
SEARCH, IMPORT, EXPORT = "/v1/memories/search", "/v1/memories/import", "/v1/memories/export"
EVENTS, ENTITIES = "/v1/memories/events", "/v1/entities"
GZIP = "Content-Encoding: gzip\r\n"
LINES = "Content-Type: application/x-ndjson\r\n"
FLOODER = "flood 0"
"""Whose memories are exported: a user of the filled store."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of flood."""

    path: str
    body: Callable[[], bytes] | None = None
    """None: a GET."""
    headers: str = ""
    at_once: int = 50
    read: bool = True
    """Whether the answers are read; if not, the connections stay open until the end."""


def said(text: str, user: str = "flood") -> bytes:
    """A chat in which this is said."""
    return json.dumps(
        {"model": "m", "user": user, "messages": [{"role": "user", "content": text}]}
    ).encode()


def _packed_integers(key: str) -> bytes:
    """A few kilobytes that unpack to an array of small integers of almost 4 MiB."""
    return gzip.compress(b'{"model": "m", "%s": [' % key.encode() + b"1," * (2 * MIB - 99) + b"1]}")


def _added(*texts: str) -> bytes:
    messages = [{"role": "user", "content": text} for text in texts]
    return json.dumps({"user_id": "flood", "infer": False, "messages": messages}).encode()


def _many_messages() -> bytes:
    return json.dumps(
        {"model": "m", "messages": [{"role": "user", "content": "hi"}] * 9_999}
    ).encode()


def _empty_lists(size: int) -> bytes:
    """An object of one key with empty lists, of about this many bytes."""
    return b'{"a":[' + b"[]," * (size // 3) + b"[]]}"


def _filters() -> bytes:
    return b'{"user_id":"flood","query":"tea","filters":' + _empty_lists(MIB - 99) + b"}"


def _conditions() -> bytes:
    """As many as were read once, each of which looks into the text of every memory."""
    several = [{"memory": {"icontains": f"none {number} of them"}} for number in range(900)]
    asked = {"user_id": FLOODER, "query": "tea", "filters": {"OR": several}}
    return json.dumps(asked).encode()


def _header() -> bytes:
    head = {"recollect": "export", "format": 1, "embedder": "e", "dim": 8, "vectors": False}
    return json.dumps(head).encode() + b"\n"


def _import_of_values() -> bytes:
    return _header() + _empty_lists(31 * MIB) + b"\n"


def _import_of_nonsense() -> bytes:
    """A large file whose first line after the header is wrong: the task fails."""
    return _header() + b'{"id": 1}\n' + (b'{"text": "' + b"x" * 1000 + b'"}\n') * 10_000


KINDS: dict[str, Kind] = {
    "ordinary chats": Kind(CHAT, lambda: said("What do you know about my teapot?")),
    "packed integers": Kind(CHAT, lambda: _packed_integers("messages"), GZIP),
    "packed integers, responses": Kind(RESPONSES, lambda: _packed_integers("input"), GZIP),
    "integers": Kind(CHAT, lambda: gzip.decompress(_packed_integers("messages"))),
    "9,999 messages": Kind(CHAT, _many_messages),
    "a megabyte of text": Kind(CHAT, lambda: said("Nobody knows. " * 75_000)),
    "97 KiB of digits": Kind(CHAT, lambda: said("4111 " * 20_000)),
    "nested 100,000 deep": Kind(CHAT, lambda: b'{"messages":' + b"[" * 100_000),
    "939 KiB of digits, added": Kind(MEMORIES, lambda: _added("4111 " * 192_000)),
    "1,000 texts, added": Kind(MEMORIES, lambda: _added(*["my pin is 4111 4111"] * 1000)),
    "5,000 texts, added": Kind(MEMORIES, lambda: _added(*["hi"] * 5000)),
    "lists in filters": Kind(SEARCH, _filters),
    "conditions in filters": Kind(SEARCH, _conditions),
    "lists in an import": Kind(IMPORT, _import_of_values, LINES, at_once=4),
    "imports that fail": Kind(IMPORT, _import_of_nonsense, LINES, at_once=8),
    "exports of a user": Kind(f"{EXPORT}?user_id={FLOODER.replace(' ', '%20')}", at_once=8),
    "exports of all": Kind(EXPORT, at_once=8),
    "exports nobody reads": Kind(EXPORT, at_once=30, read=False),
    "entities": Kind(ENTITIES, at_once=8),
    "events nobody reads": Kind(f"{EVENTS}?user_id=flood", at_once=300, read=False),
}
