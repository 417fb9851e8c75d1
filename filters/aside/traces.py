"""Finds a text that another text quotes, as far as clients quote: cut, escaped, on one line. Pure.

What is looked for has no character that JSON, XML or a prompt on one line writes differently, and
is near the beginning or the end of the text, because clients cut long messages there.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

WINDOW = 100
"""Characters at the beginning and at the end; Chatbox and big-AGI quote the first 100."""
PIECE = 60
"""Most characters that are looked for."""
SHORT_BYTES = 20
"""A shorter piece says little by itself: "Thanks, that helps". Bytes: some scripts use few
characters."""
LABEL = 40
"""Most characters between a message and its answer in a transcript: a label, a tag, a key."""
_BREAK = re.compile(r'["\\<>&\x00-\x1f\x7f\x85\u2028\u2029]+')


@dataclass(frozen=True, slots=True)
class Ends:
    """The two ends of a message; all that is kept of it."""

    start: str
    end: str

    @classmethod
    def of(cls, text: str) -> Ends:
        """The ends of a text without the white space around it."""
        return cls(text[: 2 * WINDOW].lstrip()[:WINDOW], text[-2 * WINDOW :].rstrip()[-WINDOW:])


@dataclass(frozen=True, slots=True)
class Quoted:
    """Offsets of what was found."""

    start: int
    end: int


def whole(said: Ends, text: str) -> Quoted | None:
    """Where a text quotes all of a message: its beginning and, at or after it, its end."""
    first = _find(_piece(said.start), text)
    if first is None:
        return None
    last = _find(_tail(said.end), text, first.start)
    return Quoted(first.start, max(first.end, last.end)) if last is not None else None


def beginning(said: Ends, text: str) -> Quoted | None:
    """Where a text quotes the beginning of a message."""
    return _find(_piece(said.start), text)


def is_transcript(user: Ends, answer: Ends, text: str) -> bool:
    """Whether a text quotes a message and, after it, its answer, one of them long enough to tell.

    A short one counts only next to the other.
    """
    asked, told = _piece(user.start), _piece(answer.start)
    if not _is_short(asked):
        at = _find(asked, text)
        if at is None:
            return False
        if not _is_short(told):
            return _find(told, text, at.end) is not None
        last = _find(_tail(user.end), text, at.start) or at
        return _find(told, text, last.end, last.end + _room(user.end, answer.start)) is not None
    at = None if _is_short(told) else _find(told, text)
    if at is None or not asked:
        return False
    begin = max(0, at.start - len(asked) - _room(user.end, answer.start))
    return _find(asked, text, begin, at.start) is not None


def is_long(said: Ends) -> bool:
    """Whether the beginning of a message is long enough to be known by itself."""
    return not _is_short(_piece(said.start))


def _is_short(piece: str) -> bool:
    return len(piece.encode("utf-8", "replace")) < SHORT_BYTES


def _room(end: str, start: str) -> int:
    """Most characters between the pieces of a message and of its answer: the rest, and a label."""
    after = len(end) - end.rfind(_tail(end)) - len(_tail(end))
    return after + start.find(_piece(start)) + LABEL


def _piece(start: str) -> str:
    """The beginning of the longest part that every way of quoting leaves alone."""
    return _longest(start)[:PIECE].rstrip()


def _tail(end: str) -> str:
    """The end of it."""
    return _longest(end)[-PIECE:].lstrip()


def _longest(text: str) -> str:
    return max((part.strip() for part in _BREAK.split(text)), key=len)


def _find(piece: str, text: str, begin: int = 0, end: int | None = None) -> Quoted | None:
    if not piece:
        return None
    at = text.find(piece, begin, end)
    if at < 0 and not piece.isascii() and "\\u" in text:
        piece = json.dumps(piece)[1:-1]
        at = text.find(piece, begin, end)
    return None if at < 0 else Quoted(at, at + len(piece))
