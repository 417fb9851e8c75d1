"""Header values that are no UTF-8 leave as the bytes they came as.

aiohttp 3.14 reads such bytes as lone surrogates (PEP 383) and leaves those out when it writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import http_writer

if TYPE_CHECKING:
    from multidict import CIMultiDict

_FORBIDDEN = frozenset(map(chr, [*range(9), *range(10, 32), 127]))
"""Control characters but the tab; RFC 9110 §5.5."""
_theirs = http_writer._serialize_headers  # noqa: SLF001 - there is no public way in between


def keep_header_bytes() -> None:
    """Make aiohttp write them, in this process; may be called repeatedly."""
    http_writer._serialize_headers = serialise  # noqa: SLF001 - as above


def serialise(status_line: str, headers: CIMultiDict[str]) -> bytes:
    """The head of a message, up to its empty line.

    Raises:
        ValueError: there is a control character in it.
    """
    text = "".join([*headers.keys(), *headers.values()])
    if text.isascii() or not any("\udc80" <= char <= "\udcff" for char in text):
        return _theirs(status_line, headers)
    if not _FORBIDDEN.isdisjoint(text + status_line):
        raise ValueError("a header holds a control character")
    lines = [status_line, *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode("utf-8", "surrogateescape")
