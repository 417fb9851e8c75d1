"""Columns of passwords: tables of Markdown, lists separated by commas, semicolons or tabs."""

from __future__ import annotations

from collections.abc import Iterator

from .findings import Finding
from .nouns import NOUNS, Noun
from .placeholders import is_placeholder
from .sentences import NOT_A_VALUE
from .view import View

_SIGNS = ("|", "\t", ";", ",")
_LONGEST_HEAD = 400
_COLUMNS = 12
_SECRET = {Noun.PASSWORD: "password", Noun.PIN: "code", Noun.KEY: "api_key", Noun.WEAK: "password"}
_FEWEST = 3
_MARKS = " *_`\"'"


def find_columns(view: View) -> Iterator[Finding]:
    """Cells under a heading that names a secret and nothing else."""
    low = view.low
    if "\n" not in low or not any(sign in low for sign in _SIGNS):
        return
    columns: dict[int, str] = {}
    sign, at = "", 0
    for line in low.splitlines(keepends=True):
        if columns and sign in line:
            yield from _cells(view, line, at, sign, columns)
        else:
            sign, columns = _heading(line)
        at += len(line)


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
