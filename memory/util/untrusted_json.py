"""Reads JSON from strangers: too much is refused before it is parsed. Pure.

A parser makes an object of each value: thirty megabytes of ``[],[],[]`` became eight hundred, and
nothing else ran meanwhile. So commas and brackets are counted first, in the bytes, without those in
texts: prose with many commas is one value. Counting takes about three milliseconds for a megabyte,
in pieces, between which other threads run.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

MAX_LEVELS = 200
"""Lists and objects within each other, of anything."""
_PIECE = 2**18
"""Bytes that are counted at a time."""
_AN_OBJECT = (b'{"', b"{\n")
"""What begins like this is UTF-8, if it is JSON."""
_OPENING, _CLOSING = b"[{", b"]}"
_COUNTED = b",[]{}"
_ANY = bytes(range(256))
_UNCOUNTED = _ANY.translate(None, _COUNTED)
_STEPS = np.zeros(256, np.int8)
_STEPS[list(_OPENING)] = 1
_STEPS[list(_CLOSING)] = -1


@dataclass(frozen=True, slots=True)
class JsonBounds:
    """How much JSON is read."""

    values: int
    """Values, where a list or an object counts as two: it takes as much memory."""
    levels: int = MAX_LEVELS
    """Lists and objects within each other."""
    length: int | None = None
    """Bytes; None: the caller looks."""


class JsonTooLargeError(ValueError):
    """There is more than the bounds allow; the text says what was expected."""


class JsonTwiceError(ValueError):
    """An object has two members of the same name, which is the text."""


REQUEST = JsonBounds(values=100_000)
"""A body of the memory API: a thousand messages have a tenth of that, as have ten thousand ids."""
CHAT = JsonBounds(values=200_000)
"""A body or an answer of a model server: ten thousand messages have a third of that."""
LINE = JsonBounds(values=200_000)
"""A line of an export: ten thousand versions of one memory."""
MODEL = JsonBounds(values=100_000)
"""What a model wrote, in an answer that is a text."""
SMALL = JsonBounds(values=5_000, levels=50, length=2**20)
"""What is a list of a few things: keys, a cursor."""


def read_json(raw: bytes | str, bounds: JsonBounds, *, once: bool = False) -> Any:
    """The value in a whole text, which must be JSON to the letter: no NaN, no lone surrogate bytes.

    With `once`, no object may have two members of the same name; otherwise the last one counts.

    Raises:
        JsonTooLargeError: it was not parsed.
        JsonTwiceError: with `once`.
        ValueError: it is not JSON.
    """
    is_utf8 = isinstance(raw, bytes) and raw.startswith(_AN_OBJECT)
    if isinstance(raw, bytes) and is_utf8 and bounds.length is None:
        _check_utf8(raw, bounds)
    else:
        check_json(raw, bounds)
    try:
        if isinstance(raw, bytes):
            # Decoded here, because `json.loads` would take encoded surrogates.
            raw = raw.decode("utf-8" if is_utf8 else json.detect_encoding(raw))
            raw = raw.removeprefix("\ufeff")
        return (_ONCE if once else _TO_THE_LETTER).decode(raw)
    except RecursionError:
        raise ValueError("too many levels") from None


def json_object(raw: bytes, bounds: JsonBounds = CHAT) -> dict[str, Any] | None:
    """The object in these bytes, read leniently; None if there is none within the bounds.

    Invalid UTF-8 is read as U+FFFD, and NaN is a number.
    """
    try:
        return _object(raw, bounds)
    except UnicodeDecodeError:
        # A text: bytes might be taken for broken UTF-16 or UTF-32 again, without end.
        return _object(raw.decode("utf-8", "replace").removeprefix("\ufeff"), bounds)


def _object(raw: bytes | str, bounds: JsonBounds) -> dict[str, Any] | None:
    """Raises UnicodeDecodeError, for bytes only."""
    try:
        if isinstance(raw, bytes) and raw.startswith(_AN_OBJECT):
            # As nearly always: it is UTF-8, which `json.loads` would find out in eight calls.
            _check_utf8(raw, bounds)
            raw = raw.decode("utf-8", "surrogatepass")
        else:
            check_json(raw, bounds)
        value = json.loads(raw)
    except UnicodeDecodeError:
        raise
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def check_json(raw: bytes | str, bounds: JsonBounds) -> None:
    """Raises JsonTooLargeError if the text has more than these bounds; it need not be JSON."""
    if bounds.length is not None and len(raw) > bounds.length:
        raise JsonTooLargeError(f"expected at most {bounds.length} bytes")
    if isinstance(raw, bytes) and not (encoding := json.detect_encoding(raw)).startswith("utf-8"):
        # The second half of a character may look like a quotation mark.
        raw = raw.decode(encoding, "replace")
    _check_utf8(raw.encode("utf-8", "replace") if isinstance(raw, str) else raw, bounds)


def _check_utf8(raw: bytes, bounds: JsonBounds) -> None:
    """The same of what is known to be UTF-8, of any length."""
    opening = _found(raw, b"[") + _found(raw, b"{")
    # Most texts are within the bounds even if what stands in strings is counted.
    if opening > bounds.levels or opening + _found(raw, b",") >= bounds.values:
        _count(raw, bounds)


def _found(raw: bytes, sign: bytes) -> int:
    """How often the sign stands in it."""
    if len(raw) <= _PIECE:
        return raw.count(sign)
    return sum(raw.count(sign, at, at + _PIECE) for at in range(0, len(raw), _PIECE))


def _count(raw: bytes, bounds: JsonBounds) -> None:
    values, level = 1, 0
    for signs in _signs(raw, bounds):
        values += len(signs) - signs.count(b"]") - signs.count(b"}")
        if values > bounds.values:
            raise _too_many(bounds)
        levels = level + np.cumsum(_STEPS[np.frombuffer(signs, np.uint8)], dtype=np.int64)
        if len(levels):
            level = int(levels[-1])
            if int(levels.max()) > bounds.levels:
                most = f"expected at most {bounds.levels} lists and objects within each other"
                raise JsonTooLargeError(most)


def _signs(raw: bytes, bounds: JsonBounds) -> Iterator[bytes]:
    """The commas and brackets outside of texts, some at a time."""
    inside, quotes, start = False, 0, 0
    while start < len(raw):
        piece = raw[start : start + _PIECE]
        if (len(piece) - len(piece.rstrip(b"\\"))) % 2:
            # An escape is not cut in two.
            piece = raw[start : start + len(piece) + 1]
        start += len(piece)
        if b"\\" in piece:
            piece = piece.replace(b"\\\\", b"").replace(b'\\"', b"")
        found = piece.count(b'"')
        quotes += found
        # A text is a value, or the name of one.
        if quotes > 4 * bounds.values:
            raise _too_many(bounds)
        outside = piece.split(b'"')[int(inside) :: 2] if found else [b"" if inside else piece]
        inside ^= found % 2 == 1
        yield b"".join(outside).translate(None, _UNCOUNTED)


def _too_many(bounds: JsonBounds) -> JsonTooLargeError:
    return JsonTooLargeError(
        f"expected at most {bounds.values} values, lists and objects counted twice"
    )


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        [(name, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise JsonTwiceError(name)
    return made


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_TO_THE_LETTER = json.JSONDecoder(parse_constant=_no_number)
_ONCE = json.JSONDecoder(parse_constant=_no_number, object_pairs_hook=_once)
