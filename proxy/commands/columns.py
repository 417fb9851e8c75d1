"""Text measured in the columns of a terminal: Chinese, Japanese and Korean take two. Pure.

A terminal draws a combining mark on the character before it, so the mark takes none. The texts have
no control characters and none that turn the direction of writing (`terminal.plain`).
"""

from __future__ import annotations

import unicodedata

_NONE = frozenset({"Mn", "Me", "Cf"})
"""Categories of what is drawn on, or between, other characters."""
_TWO = frozenset("WF")
"""East Asian widths (UAX #11) of two columns; ambiguous characters take one in most terminals."""
_ELLIPSIS = "\u2026"


def columns(text: str) -> int:
    """How many columns the text takes."""
    return len(text) if text.isascii() else sum(map(_width, text))


def cut(text: str, room: int) -> str:
    """The text, or as much of its beginning as has room, with an ellipsis."""
    if columns(text) <= room:
        return text
    return text[: _fitting(text, 0, room - 1)] + _ELLIPSIS


def left(text: str, wide: int) -> str:
    """The text with spaces after it."""
    return text + " " * (wide - columns(text))


def right(text: str, wide: int) -> str:
    """The text with spaces before it."""
    return " " * (wide - columns(text)) + text


def wrapped(text: str, wide: int) -> list[str]:
    """Lines of at most `wide` columns, at least two; a word that is longer is broken."""
    lines: list[str] = []
    line, taken = "", 0
    for word in text.split():
        gap = 1 if line else 0
        needs = columns(word)
        if taken + gap + needs <= wide:
            line, taken = f"{line}{' ' * gap}{word}", taken + gap + needs
            continue
        if line and needs <= wide:
            lines.append(line)
            line, taken = word, needs
            continue
        *full, line = _broken(line + " " * gap, word, wide)
        lines += full
        taken = columns(line)
    return [*lines, line] if line else lines


def _broken(begun: str, word: str, wide: int) -> list[str]:
    """A long word in pieces; the first one stands in the rest of the line that was begun."""
    at = _fitting(word, 0, wide - columns(begun))
    lines = [begun + word[:at] if at else begun.rstrip()]
    while at < len(word):
        end = _fitting(word, at, wide)
        lines.append(word[at:end])
        at = end
    return lines


def _fitting(text: str, start: int, room: int) -> int:
    """The index after the last character that has room; marks stay with their character."""
    at = start
    while at < len(text) and (room := room - _width(text[at])) >= 0:
        at += 1
    return at


def _width(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.category(char) in _NONE:
        return 0
    return 2 if unicodedata.east_asian_width(char) in _TWO else 1
