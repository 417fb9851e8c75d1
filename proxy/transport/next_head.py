"""How much of a next request's head came along with the requests before it. Pure.

aiohttp's parser keeps such bytes and does not report them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from aiohttp.http_parser import RawRequestMessage

LAST_BYTES = 4
"""As many bytes show whether a blank line ends there."""
_HEAD_END = b"\r\n\r\n"
_BLANK_LINE = re.compile(rb"\n\r?\n")
_BLANK_END = re.compile(rb"\n\r?\n\Z")
_LINE_BREAKS = b"\r\n"
"""Some clients send more of them than they should; they begin no head."""
CHUNKED = -1
"""Instead of a length: the body itself tells where it ends."""


def body_length(message: object) -> int:
    """The length of a parsed request's body, or `CHUNKED`; 0 without one."""
    if not isinstance(message, RawRequestMessage):
        return 0  # an error
    if message.chunked:
        return CHUNKED
    said = message.headers.get("Content-Length", "")
    return int(said) if said.isdecimal() else 0


def bytes_behind(text: bytes, lengths: Sequence[int]) -> int | None:
    """The bytes behind these requests, which all ended in `text`; None if that cannot be told.

    `text` begins with a head, or with the last bytes of one; `lengths` are those of the bodies.
    """
    if len(lengths) == 1 and lengths[0] > 0:
        found = text.find(_HEAD_END)
        if found >= 0 and found + len(_HEAD_END) + lengths[0] == len(text):
            return 0  # as nearly always
    if lengths[-1] <= 0 and _BLANK_END.search(text[-LAST_BYTES:]):
        return 0
    at = 0
    for length in lengths:
        begin = len(text) - len(text[at:].lstrip(_LINE_BREAKS))
        end = _BLANK_LINE.search(text, begin)
        if end is None or length == CHUNKED:
            return None
        at = end.end() + length
    return len(text[at:].strip(_LINE_BREAKS))


def bytes_behind_body(data: bytes, length: int, last: bytes) -> int | None:
    """The same where a body ended in `data`.

    `length` is how much of `data` was its own, or `CHUNKED`; `last` are the last bytes that came.
    """
    if length == CHUNKED:
        return 0 if _BLANK_END.search(last) else None
    return len(data[length:].strip(_LINE_BREAKS))
