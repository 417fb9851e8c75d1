"""Removes secrets from a text and keeps the rest unchanged.

Long texts are searched a window at a time, because a pattern holds the interpreter while it
searches: a megabyte of prose in one search kept the event loop waiting for 135 ms
(`benchmarks/flood/run.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from .formats.assignments import find_assigned, find_credentials
from .formats.numbers import find_ibans
from .formats.shapes import REMOVED
from .formats.tokens import find_private_keys, find_random, find_tokens
from .formats.view import Finding, View, settle, view
from .options import RedactOptions
from .prose.cards import find_cards
from .prose.named_secrets import find_named
from .prose.personal import personal_of
from .prose.terms import prose_of
from .prose.unnamed_secrets import find_unnamed
from .remains import MARKER, MARKERS

PIECE = 128 * 1024
"""Characters of a piece; a search of one takes at most about 20 ms."""
MARGIN = 20_000
"""Characters that are read on both sides of a piece: more than the longest key block has."""


class Window(NamedTuple):
    """What is read, `start` to `stop`, and the piece whose findings count, `begin` to `end`."""

    start: int
    begin: int
    end: int
    stop: int


def windows(length: int, piece: int = PIECE, margin: int = MARGIN) -> Iterator[Window]:
    """The windows of a text of `length` characters; a text of one piece and margin is one."""
    if length <= piece + margin:
        yield Window(0, 0, length, length)
        return
    for begin in range(0, length, piece):
        end = min(length, begin + piece)
        yield Window(max(0, begin - margin), begin, end, min(length, end + margin))


_FINDERS: tuple[Callable[[View], Iterator[Finding]], ...] = (
    find_private_keys,
    find_tokens,
    find_credentials,
    find_assigned,
    find_ibans,
    find_random,
)
_TOLD = (find_cards, find_named, find_unnamed)
_ROUNDS = 8
"""Most rounds: after a value is removed, another one may be nearer to its noun."""


@dataclass(frozen=True)
class Redacted:
    """A redacted text, and the number of removed findings by kind."""

    text: str
    counts: Mapping[str, int] = field(default_factory=dict)


def secrets_of(seen: View) -> list[Finding]:
    """Secrets in the original text of a view, sorted, without overlaps; linear in its length."""
    read = prose_of(seen)
    found = [each for find in _FINDERS for each in find(seen)]
    found += [each for find in _TOLD for each in find(read)]
    return settle([seen.back(each) for each in found]) if found else found


class Redactor:
    """Removes the configured secrets and data; redacting a text again changes nothing."""

    def __init__(self, options: RedactOptions) -> None:
        self._secrets = options.secrets
        self._personal = options.personal.redacted()

    def redact(self, text: str) -> Redacted:
        """`text` with a short marker for each finding and all other characters unchanged."""
        counts: dict[str, int] = {}
        for _ in range(_ROUNDS):
            found = self._find(text)
            if not found:
                break
            for finding in found:
                counts[finding.kind] = counts.get(finding.kind, 0) + 1
            text = _replaced(text, [(f.start, f.end, MARKERS[f.kind]) for f in found])
        return Redacted(text, counts)

    def _find(self, text: str) -> list[Finding]:
        if not text:
            return []
        markers = [match.span() for match in MARKER.finditer(text)] if "removed]" in text else []
        shown = masked(text, markers) if markers else text
        found = settle(
            [each for window in windows(len(shown)) for each in self._found_in(shown, window)]
        )
        return list(_outside(found, markers)) if markers else found

    def _found_in(self, text: str, window: Window) -> Iterator[Finding]:
        """The findings that reach into the window's piece."""
        seen = view(text[window.start : window.stop])
        secrets = secrets_of(seen) if self._secrets else []
        personal = personal_of(seen, self._personal) if self._personal else []
        for found in (*secrets, *personal):
            start, end = found.start + window.start, found.end + window.start
            if start < window.end and end > window.begin:
                yield Finding(start, end, found.kind)


def masked(text: str, markers: list[tuple[int, int]]) -> str:
    """`text` with its markers replaced by `REMOVED`, so that their words are not read as nouns."""
    return _replaced(text, [(start, end, REMOVED * (end - start)) for start, end in markers])


def _outside(found: list[Finding], markers: list[tuple[int, int]]) -> Iterator[Finding]:
    """Findings that do not overlap a marker of an earlier round."""
    at = 0
    for finding in found:
        while at < len(markers) and markers[at][1] <= finding.start:
            at += 1
        if at == len(markers) or markers[at][0] >= finding.end:
            yield finding


def _replaced(text: str, parts: list[tuple[int, int, str]]) -> str:
    pieces, at = [], 0
    for start, end, replacement in parts:
        pieces += [text[at:start], replacement]
        at = end
    return "".join([*pieces, text[at:]])
