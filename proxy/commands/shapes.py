"""How answers look at a terminal: rows as records with texts below, or as one table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from .columns import columns, cut, left, right
from .terminal import folded, plain, width

Row = Mapping[str, Any]
Lines = Callable[[Sequence[Row]], Iterable[str]]
"""The lines that a person reads of the rows of an answer."""
INDENT = "    "
LEAST_TEXT = 24
"""Columns of a text that is cut."""
_MOMENTS = ("at", "timestamp")
"""How the names of times end."""
_MINUTES = 16
"""Characters of a moment that are shown."""


def record(
    head: str, below: str = "", more: Callable[[Row], Iterable[str]] = lambda _: ()
) -> Lines:
    """For each row a line with the fields `head`, the texts `below`, and `more` lines about it."""

    def lines(rows: Sequence[Row]) -> Iterator[str]:
        for row in rows:
            yield "  ".join(filter(None, (cell(name, row.get(name)) for name in head.split())))
            texts = [str(row[name]) for name in below.split() if row.get(name)]
            for text in (line for each in (*texts, *more(row)) for line in each.splitlines()):
                yield from folded(text, width(), INDENT)

    return lines


def table(**names: str) -> Lines:
    """One line for each row, below the headings; `names` are fields by their headings."""

    def lines(rows: Sequence[Row]) -> Iterator[str]:
        if not rows:
            return
        heads = [each.replace("_", " ") for each in names]
        cells = [[_in_table(name, row.get(name)) for name in names.values()] for row in rows]
        figures = [any(isinstance(row.get(name), int) for row in rows) for name in names.values()]
        yield from aligned([heads, *cells], figures)

    return lines


def aligned(
    rows: Sequence[Sequence[str]], figures: Sequence[bool], wide: int | None = None
) -> Iterator[str]:
    """Rows with columns as narrow as possible; figures stand on the right of theirs.

    With `wide` columns in all, the text of the last one is cut.
    """
    rooms = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    if wide is not None:
        rooms[-1] = max(LEAST_TEXT, wide - sum(rooms[:-1]) - 2 * len(rooms[:-1]))
    for row in rows:
        fitted = [
            right(text, room) if figure else left(cut(text, room), room)
            for text, room, figure in zip(row, rooms, figures, strict=True)
        ]
        yield "  ".join(fitted).rstrip()


def by_key(rows: Sequence[Row]) -> Iterator[str]:
    """Each key with its value, where nothing else is said of an answer."""
    for row in rows:
        yield from (f"{name}: {plain(str(value))}" for name, value in row.items())


def cell(name: str, value: Any) -> str:
    """A field of a record; "" for what is not told."""
    match value:
        case None | False | "" | [] | {}:
            return ""
        case True:
            return _words(name)
        case int():
            return f"{_words(name)} {value:,}"
        case float():
            return f"{_words(name)} {value:.2f}"
        case list():
            return plain(", ".join(map(str, value)))
        case dict():
            return counted(value)
    if name in {"user_id", "agent_id", "run_id"}:
        return f"{_words(name)} {plain(value)}"
    return moment(value) if name.endswith(_MOMENTS) else plain(str(value))


def counted(values: Mapping[str, Any]) -> str:
    """Figures or ids by their names; without what is 0."""
    told = {name: value for name, value in values.items() if value}
    return ", ".join(
        f"{_words(name)} {value:,g}"
        if isinstance(value, int | float)
        else plain(f"{_words(name)} {value}")
        for name, value in told.items()
    )


def moment(stamp: str) -> str:
    """A time to the minute."""
    return stamp[:_MINUTES].replace("T", " ")


def _words(name: str) -> str:
    return name.removesuffix("_id").replace("_", " ")


def _in_table(name: str, value: Any) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return cell("", value) if not name.endswith(_MOMENTS) else cell(name, value)
