# ruff: noqa: RUF001 - dashes of many kinds
"""Finds columns of passwords in Markdown tables and in comma, semicolon or tab separated lists."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

import regex

from ..findings import Finding
from ..formats.placeholders import is_placeholder
from ..formats.shapes import Shape, shape
from ..formats.view import View
from .nouns import NOUNS, Noun, find_nouns
from .sentences import NOT_A_VALUE

_SIGNS = ("|", "\t", ";", ",")
_LONGEST_HEAD = 400
_LONGEST_ROW = 2000
_COLUMNS = 12
_SECRET = {Noun.PASSWORD: "password", Noun.PIN: "code", Noun.KEY: "api_key", Noun.WEAK: "password"}
_FEWEST = 3
_MARKS = " *_`\"'"
_SHORT = 30
_ITEM = regex.compile(
    r"[\s*•-]{0,6}[^:=\n]{1,40}?\s?(?:=|:|→|->|\s[-–—])\s?[`\"']?([^\s`\"'<>]{4,64})[`\"']?\s*+\Z"
)


def find_columns(view: View, nouns: Sequence[regex.Match[str]]) -> Iterator[Finding]:
    """Cells and items under a heading that names a secret; `nouns` are the text's nouns."""
    low, done = view.low, 0
    for noun in nouns:
        if noun.start() < done:
            continue
        floor = max(0, noun.start() - _LONGEST_HEAD)
        first = low.rfind("\n", floor, noun.start()) + 1 or floor
        end = low.find("\n", noun.end(), noun.end() + _LONGEST_HEAD)
        if end >= 0:
            done = yield from _below(view, low[first:end], end + 1)


def _below(view: View, heading: str, start: int) -> Generator[Finding, None, int]:
    """Findings in the lines from `start` that belong to the heading; returns where they end."""
    sign, columns = _heading(heading)
    listed = not columns and _is_heading(heading)
    at = start
    while columns or listed:
        end = view.low.find("\n", at, at + _LONGEST_ROW)
        line = view.low[at : end if end >= 0 else at + _LONGEST_ROW]
        item = _ITEM.match(line) if listed else None
        if not (item or (columns and sign in line)):
            break
        if columns:
            yield from _cells(view, line, at, sign, columns)
        elif item and shape(view.text[at + item.start(1) : at + item.end(1)]) >= Shape.LIKELY:
            yield Finding(at + item.start(1), at + item.end(1), "password")
        at += len(line) + 1
    return at


def _is_heading(line: str) -> bool:
    """`passwords:`, `pw list`: a short line that names the content of the lines below it."""
    bare = line.strip(_MARKS + "#:-=\r\n")
    nouns = find_nouns(bare) if 0 < len(bare) <= _SHORT else ()
    return any(str(noun.lastgroup).startswith(("PASSWORD", "WEAK", "LOGIN")) for noun in nouns)


def _heading(line: str) -> tuple[str, dict[int, str]]:
    if len(line) > _LONGEST_HEAD:
        return "", {}
    sign = next((sign for sign in _SIGNS if sign in line), "")
    cells = line.split(sign) if sign else []
    if len(cells) > _COLUMNS:
        return "", {}
    kinds = {i: _kind(cell.strip(_MARKS + "\r\n")) for i, cell in enumerate(cells)}
    return sign, {i: kind for i, kind in kinds.items() if kind}


def _kind(cell: str) -> str | None:
    match = NOUNS.fullmatch(cell) if 0 < len(cell) <= 40 else None  # noqa: PLR2004 - a heading
    return _SECRET.get(Noun[str(match.lastgroup).rstrip("_")]) if match else None


def _cells(view: View, line: str, at: int, sign: str, columns: dict[int, str]) -> Iterator[Finding]:
    for index, cell in enumerate(line.split(sign)[: _COLUMNS + 1]):
        bare = cell.strip(_MARKS + "\r\n")
        start = at + cell.find(bare)
        value = view.text[start : start + len(bare)]
        if index in columns and _is_value(value, sign):
            yield Finding(start, start + len(bare), columns[index])
        at += len(cell) + 1


def _is_value(value: str, sign: str) -> bool:
    if len(value) < _FEWEST or is_placeholder(value) or value.lower() in NOT_A_VALUE:
        return False
    drawn = any(not char.isalpha() for char in value)
    return " " not in value and (drawn or sign != ",")
