"""Reads the lines of a file in pages: memory stays flat however large the file is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ..model.errors import InvalidInputError

MAX_LINE_BYTES = 32 * 2**20
"""A memory with hundreds of versions in its history; a longer line is no line of ours."""
PAGE_BYTES = 4 * 2**20


class Reads(Protocol):
    """A binary file."""

    def readline(self, size: int = -1, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class FileLine:
    """A line of a file, without its line break."""

    number: int
    """From 1."""
    data: bytes
    end: int
    """The position in the file after it."""

    def refuse(self, error: InvalidInputError) -> InvalidInputError:
        """The error with the number of the line."""
        return InvalidInputError(f"line {self.number}, {error.field}", error.expected)


def read_page(file: Reads, number: int, position: int, *, most: int) -> list[FileLine]:
    """The next lines, about `most`, after so many lines and bytes; empty ones are left out.

    Raises:
        InvalidInputError: a line is too long; names it.
        OSError: the file cannot be read.
    """
    lines: list[FileLine] = []
    size = 0
    while len(lines) < most and size < PAGE_BYTES:
        data = file.readline(MAX_LINE_BYTES + 1)
        if not data:
            break
        number, position, size = number + 1, position + len(data), size + len(data)
        if len(data) > MAX_LINE_BYTES:
            too_long = f"expected a line of at most {MAX_LINE_BYTES} bytes"
            raise InvalidInputError(f"line {number}", too_long)
        if not data.isspace():
            lines.append(FileLine(number, data.rstrip(b"\r\n"), position))
    return lines
