# ruff: noqa: RUF001 - dashes of many kinds
"""Finds columns of passwords in Markdown tables and in comma, semicolon or tab separated lists."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Generator, Iterator, Sequence

import regex

from ..findings import Finding
from ..formats.placeholders import is_placeholder
from ..formats.shapes import Shape, shape
from .names import Name, Secret
from .prose import Prose

_SIGNS = ("|", "\t", ";", ",")
_LONGEST_HEAD, _LONGEST_ROW = 400, 2000
_COLUMNS = 12
_KINDS = {Secret.PASSWORD: "password", Secret.CODE: "code", Secret.KEY: "api_key"}
_FEWEST = 3
_MARKS = " *_`\"'\r\n"
_SHORT = 30
"""Letters of a line that is a heading of the lines below."""
_ITEM = regex.compile(
    r"[\s*•-]{0,6}[^:=\n]{1,40}?\s?(?:=|:|→|->|\s[-–—])\s?[`\"']?([^\s`\"'<>]{4,64})[`\"']?\s*+\Z"
)


def find_columns(read: Prose, names: Sequence[Name]) -> Iterator[Finding]:
    """Cells and items under a heading that names a secret."""
    text, done = read.view.text, 0
    for name in names:
        if name.start < done:
            continue
        floor = max(0, name.start - _LONGEST_HEAD)
        first = text.rfind("\n", floor, name.start) + 1 or floor
        end = text.find("\n", name.end, name.end + _LONGEST_HEAD)
        if end >= 0:
            done = yield from _below(read, names, first, end)


def _below(
    read: Prose, names: Sequence[Name], first: int, end: int
) -> Generator[Finding, None, int]:
    """Findings in the lines below the heading; returns where they end."""
    text = read.view.text
    heading, at = text[first:end], end + 1
    sign, columns = _columns(names, first, heading)
    listed = not columns and len(heading.strip(_MARKS + "#:-=")) <= _SHORT
    while columns or listed:
        stop = text.find("\n", at, at + _LONGEST_ROW)
        line = text[at : stop if stop >= 0 else at + _LONGEST_ROW]
        item = _ITEM.match(line) if listed else None
        if not (item or (columns and sign in line)):
            break
        if columns:
            yield from _cells(read, line, at, sign, columns)
        elif item and shape(item[1]) >= Shape.LIKELY:
            yield Finding(at + item.start(1), at + item.end(1), "password")
        at += len(line) + 1
    return at


def _columns(names: Sequence[Name], first: int, heading: str) -> tuple[str, dict[int, str]]:
    """The sign between the columns, and the kind of secret in each that holds one."""
    sign = next((sign for sign in _SIGNS if sign in heading), "")
    cells = heading.split(sign) if sign and len(heading) <= _LONGEST_HEAD else []
    if len(cells) > _COLUMNS:
        return "", {}
    begin = bisect_left(names, first, key=lambda name: name.start)
    end = bisect_left(names, first + len(heading), key=lambda name: name.start)
    named = {(n.start, n.end): _KINDS[n.kind] for n in names[begin:end] if n.kind in _KINDS}
    kinds, at = {}, first
    for index, cell in enumerate(cells):
        bare = cell.strip(_MARKS)
        start = at + cell.find(bare)
        if kind := named.get((start, start + len(bare))):
            kinds[index] = kind
        at += len(cell) + 1
    return sign, kinds


def _cells(
    read: Prose, line: str, at: int, sign: str, columns: dict[int, str]
) -> Iterator[Finding]:
    for index, cell in enumerate(line.split(sign)[: _COLUMNS + 1]):
        bare = cell.strip(_MARKS)
        start = at + cell.find(bare)
        if index in columns and _is_value(read, start, bare, sign):
            yield Finding(start, start + len(bare), columns[index])
        at += len(cell) + 1


def _is_value(read: Prose, start: int, value: str, sign: str) -> bool:
    if len(value) < _FEWEST or " " in value or is_placeholder(value):
        return False
    if not read.states.isdisjoint(read.words(start, start + len(value))):
        return False
    return sign != "," or any(not char.isalpha() for char in value)
