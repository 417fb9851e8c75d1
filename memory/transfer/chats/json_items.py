"""Reads a list of objects from a file of JSON, one at a time: memory holds one of them.

Where an object ends is found by its brackets, without those in texts, and then it is parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...model.errors import InvalidInputError
from ...util.untrusted_json import JsonBounds, JsonTooLargeError, read_json
from .archive import ExportedFile

MOST_BYTES = 32 * 2**20
"""Of one object; a conversation of a thousand long messages has a tenth of that."""
BOUNDS = JsonBounds(values=1_000_000)
CHUNK = 2**18
_BOM = b"\xef\xbb\xbf"
_SIGN = re.compile(rb"[^ \t\r\n]")
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\]]|"', re.DOTALL)
"""A whole text, a bracket, or the quotation mark of a text that is not whole yet."""


def items(file: ExportedFile, name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The objects of the list in the file, each with where it is, for refusals.

    Raises InvalidInputError, which names the place: no list, no object, too large, cut off.
    """
    return _Items(file, name).all()


class _Items:
    """The bytes that were read and not taken yet: those from `_at` on."""

    def __init__(self, file: ExportedFile, name: str) -> None:
        self._file, self._name = file, name
        self._left, self._at = b"", 0
        self._number = 0

    def all(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        self._more()
        self._left = self._left.removeprefix(_BOM)
        if self._next() != b"[":
            raise InvalidInputError(self._name, "expected a list: this is no such export")
        sign = self._next()
        while sign == b"{":
            self._number += 1
            yield self._where, self._parsed(self._object())
            sign = self._next()
            if sign == b",":
                sign = self._next()
            elif sign != b"]":
                break
        if sign != b"]" or (sign := self._next()):
            raise self._wrong() if sign else self._cut_off()

    @property
    def _where(self) -> str:
        return f"{self._name}, entry {self._number}"

    def _more(self) -> bool:
        """Read on; whether there was more."""
        left = self._left[self._at :]
        data = self._file.read(max(CHUNK, len(left)))
        self._left, self._at = left + data, 0
        return bool(data)

    def _next(self) -> bytes:
        """The next sign that is no space, taken; empty at the end of the file."""
        while (found := _SIGN.search(self._left, self._at)) is None:
            self._at = len(self._left)
            if not self._more():
                return b""
        self._at = found.end()
        return found.group()

    def _object(self) -> bytes:
        """The object whose opening bracket was taken, up to the bracket that closes it."""
        self._at -= 1
        seen, depth = 0, 0
        while True:
            length, depth, whole = self._walked(seen, depth)
            if length > MOST_BYTES:
                raise InvalidInputError(self._where, f"must have at most {MOST_BYTES} bytes")
            if whole:
                taken = self._left[self._at : self._at + length]
                self._at += length
                return taken
            seen = length
            if not self._more():
                raise self._cut_off()

    def _walked(self, seen: int, depth: int) -> tuple[int, int, bool]:
        """So many bytes of the object are walked; how deep that is; whether it is whole.

        A text that is not whole yet is not walked, but counts if it is too long.
        """
        for found in _TOKEN.finditer(self._left, self._at + seen):
            sign = found.group()
            if sign == b'"':
                start = found.start() - self._at
                there = len(self._left) - self._at
                return (there if there > MOST_BYTES else start), depth, False
            depth += (sign in (b"{", b"[")) - (sign in (b"}", b"]"))
            if depth == 0:
                return found.end() - self._at, depth, True
        return len(self._left) - self._at, depth, False

    def _parsed(self, data: bytes) -> Mapping[str, Any]:
        try:
            value: Mapping[str, Any] = read_json(data, BOUNDS)
        except JsonTooLargeError as error:
            raise InvalidInputError(self._where, str(error)) from None
        except ValueError:
            raise InvalidInputError(self._where, "expected JSON: the file is damaged") from None
        return value

    def _cut_off(self) -> InvalidInputError:
        whole = f"ends after entry {self._number}, without its end: the file is not whole"
        return InvalidInputError(self._name, whole)

    def _wrong(self) -> InvalidInputError:
        return InvalidInputError(f"{self._name}, after entry {self._number}", "expected an object")
