"""Keeps the bytes of header values that are not UTF-8.

aiohttp 3.14 reads such bytes as lone surrogates (PEP 383) and drops surrogates when it writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import http_writer

if TYPE_CHECKING:
    from multidict import CIMultiDict

_FORBIDDEN = frozenset(map(chr, [*range(9), *range(10, 32), 127]))
"""Control characters except the tab; RFC 9110 §5.5."""
_theirs = http_writer._serialize_headers  # noqa: SLF001 - there is no public hook


def keep_header_bytes() -> None:
    """Patch aiohttp in this process to write such bytes; may be called repeatedly."""
    http_writer._serialize_headers = serialise  # noqa: SLF001 - as above


def serialise(status_line: str, headers: CIMultiDict[str]) -> bytes:
    """The head of a message, including its empty line.

    Raises:
        ValueError: it contains a control character.
    """
    text = "".join([*headers.keys(), *headers.values()])
    if text.isascii() or not any("\udc80" <= char <= "\udcff" for char in text):
        return _theirs(status_line, headers)
    if not _FORBIDDEN.isdisjoint(text + status_line):
        raise ValueError("a header holds a control character")
    lines = [status_line, *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode("utf-8", "surrogateescape")
