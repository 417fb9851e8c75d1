"""Finds private key blocks (PEM, OpenSSH, PGP, JWK): whole, cut off, or on one line."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

import regex

from ..findings import Finding
from .view import View

_BEGIN = regex.compile(r"-{2,5}\ ?BEGIN\ (?:[A-Z0-9]++\ ){0,3}PRIVATE\ KEY(?:\ BLOCK)?\ ?-{2,5}")
_END = regex.compile(r"-{2,5}\ ?END\ (?:[A-Z0-9]++\ ){0,3}PRIVATE\ KEY(?:\ BLOCK)?\ ?-{2,5}")
_SEPARATOR = r"(?:\\[nrt]|[\s\\>|\"',+*#-])"
_BODY = regex.compile(
    rf"(?:{_SEPARATOR}*+(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\n\\]{{0,100}}+"
    r"|[A-Za-z0-9+/=]{16,}+))*+"
    rf"(?:{_SEPARATOR}{{1,6}}+(?=[a-z]{{0,15}}+[A-Z0-9+/=])[A-Za-z0-9+/=]{{1,15}}+(?![\w]))?+"
)
_MATERIAL = regex.compile(r"[A-Za-z0-9+/]{16}")
_LONGEST = 16_000
_JWK = regex.compile(r'"(?:d|p|q|dp|dq|qi|k)"\s*+:\s*+"\K[\w-]{20,}+')


def find_private_keys(view: View) -> Iterator[Finding]:
    """Blocks with their fences, kind `private_key`; a fence without a key does not count."""
    text = view.text
    if "PRIVATE KEY" in text:
        yield from _blocks(text)
    if '"kty"' in text:
        yield from (Finding(*m.span(), "private_key") for m in _JWK.finditer(text))


def _blocks(text: str) -> Iterator[Finding]:
    ends = [match.span() for match in _END.finditer(text)]
    starts = [start for start, _ in ends]
    done = 0
    for begin in _BEGIN.finditer(text):
        if begin.start() < done:
            continue
        done = _block_end(text, begin.end(), ends, starts)
        if _MATERIAL.search(text, begin.end(), done):
            yield Finding(begin.start(), done, "private_key")


def _block_end(text: str, start: int, ends: list[tuple[int, int]], starts: list[int]) -> int:
    """The end of a block: its closing fence if near, else the end of the key material."""
    index = bisect_left(starts, start)
    body = _BODY.match(text, start)
    reach = body.end() if body else start
    if index < len(ends) and ends[index][0] - start <= _LONGEST:
        between = _BEGIN.search(text, start, ends[index][0])
        return reach if between else ends[index][1]
    return reach
