"""Statements that are written once for every SQL database, and what runs them.

A script is a generator: it yields statements and is sent their rows, so it decides without knowing
what runs it. Values are named (``:name``); ``IN :name[]`` takes a list of texts, ``FROM :name[]``
has them as rows of one column, `value`. PostgreSQL takes the type of a value from its first use.
``FOR UPDATE SKIP LOCKED`` leaves out rows that others change; in SQLite nobody else does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from .sealing.user_keys import UserKeys

T = TypeVar("T")

FEW_ROWS = 128
"""Up to so many are read and decoded where they are awaited: one or two milliseconds."""
_ESCAPE = "\x1b"
_NUL, _ITSELF = f"{_ESCAPE}0", f"{_ESCAPE}1"
_ESCAPED = re.compile(f"{_ESCAPE}(.)", re.DOTALL)
_LIST = re.compile(r"IN :(\w+)\[\]")
_ROWS = re.compile(r"FROM :(\w+)\[\]")
_SKIPPING = re.compile(r"\s+FOR UPDATE SKIP LOCKED\b")
_NAME = re.compile(r":(\w+)(\[\])?")


@dataclass(frozen=True, slots=True)
class SqlStatement:
    """One statement. With `many`, it runs once for each of them and gives the rows of all."""

    sql: str
    values: Mapping[str, object] = field(default_factory=dict)
    many: Sequence[Mapping[str, object]] | None = None
    in_line: bool = False
    """It waits until every transaction that ran such a statement has ended: what they number is
    committed in the order of the numbers. The last statement of a transaction, if any."""


LINE = "\x00line"
"""Instead of a tenant: the statement is `in_line`, in a transaction of others too. No tenant has
this name."""
Row = Sequence[Any]
Script = Generator[SqlStatement, list[Row], T]


class ScriptRunner(Protocol):
    """Runs scripts on one database. All methods raise StateError.

    Where several processes write, a statement is repeated if it takes a key that another has just
    taken: so it may look for the next free one.
    """

    @property
    def refused(self) -> int:
        """How many writes were refused since the start."""

    @property
    def keys(self) -> UserKeys | None:
        """The keys of users; None if nothing is sealed."""

    @property
    def alone(self) -> bool:
        """Whether no other process used it when it was opened: what was begun has ended."""

    async def change(
        self, script: Callable[[], Script[T]], *, tenants: Collection[str], erases: bool = False
    ) -> T:
        """Run a script in one transaction; no other one changes these tenants meanwhile.

        After a lost connection it runs again, unless it was committed (known if `tenants` is not
        empty). With `erases` nothing that it removed remains in a file.
        """

    async def read(self, script: Callable[[], Script[T]]) -> T:
        """Run a script that changes nothing, on what was there at one moment."""

    async def rows(
        self, sql: str, values: Mapping[str, object], decode: Callable[[Row], T]
    ) -> list[T]:
        """The rows of one statement that changes nothing, decoded where it runs."""

    async def statement(
        self, sql: str, values: Mapping[str, object], *, once: str | None = None
    ) -> list[Row]:
        """Run one statement in a transaction of its own, by the shortest way; returns its rows.

        After a lost connection it may run twice; not with `once`, the tenant that it changes, or
        `LINE`.
        """

    async def shift_ms(self) -> int:
        """How far the database's clock is ahead of this process's, if that is significant."""

    async def ping(self) -> None:
        """Return if the database answers and accepts writes. Raises StateError."""

    def look(self) -> object:
        """Notice whether a file is gone."""

    async def close(self) -> None:
        """Release everything."""


def listed(sql: str, values: Mapping[str, object], decode: Callable[[Row], T]) -> Script[list[T]]:
    """A script of one statement: its rows, decoded where it runs."""
    rows = yield SqlStatement(sql, values)
    return [decode(row) for row in rows]


def one(sql: str, values: Mapping[str, object], *, in_line: bool = False) -> Script[list[Row]]:
    """A script of one statement: its rows."""
    return (yield SqlStatement(sql, values, in_line=in_line))


def each(sql: str, rows: Sequence[Mapping[str, object]]) -> Script[list[Row]]:
    """A script of one statement that runs once for each of these values: the rows of all."""
    return (yield SqlStatement(sql, many=rows)) if rows else []


def plain(text: str) -> str:
    """The text that was `escaped`."""
    return _ESCAPED.sub(lambda found: "\x00" if found[1] == "0" else _ESCAPE, text)


class Escaped(str):
    """A text that is bound as it is."""

    __slots__ = ()


def escaped(text: str) -> Escaped:
    """The text as every database can keep it: without NUL; a lone surrogate becomes ``?``."""
    return Escaped(_kept(text))


def _kept(text: str) -> str:
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode()
    if _ESCAPE in text or "\x00" in text:
        text = text.replace(_ESCAPE, _ITSELF).replace("\x00", _NUL)
    return text


def bindable(values: Mapping[str, object]) -> dict[str, object]:
    """The values with escaped texts; a collection as a list."""
    bound = dict(values)
    for name, value in values.items():  # no call for what needs none: every row comes by here
        kind = value.__class__
        if kind is str:
            if not value.isascii() or _ESCAPE in value or "\x00" in value:  # type: ignore[attr-defined, operator]
                bound[name] = _kept(value)  # type: ignore[arg-type]
        elif value is not None and kind not in _AS_IT_IS:
            bound[name] = _bindable(value)
    return bound


_AS_IT_IS = frozenset({int, float, bytes, bool})


def _bindable(value: object) -> object:
    if isinstance(value, Escaped):
        return str(value)
    if isinstance(value, str):
        return _kept(str(value))  # of an enumeration's value its text
    if isinstance(value, (list, tuple, set, frozenset)):
        return list(map(_kept, value))
    return value


def plain_row(row: Row) -> Row:
    """The row with the texts as they were given."""
    for value in row:  # without a generator: it runs for every row
        if value.__class__ is str and _ESCAPE in value:
            return tuple(plain(value) if isinstance(value, str) else value for value in row)
    return row


@lru_cache(maxsize=512)
def for_sqlite(sql: str) -> tuple[str, tuple[str, ...]]:
    """The statement as SQLite takes it, and which of its values are lists: each is one JSON."""
    lists = tuple({found[1]: None for found in _NAME.finditer(sql) if found[2]})
    text = _LIST.sub(r"IN (SELECT value FROM json_each(:\1))", _SKIPPING.sub("", sql))
    return _ROWS.sub(r"FROM json_each(:\1)", text), lists


@lru_cache(maxsize=512)
def for_postgres(sql: str) -> tuple[str, tuple[str, ...]]:
    """The statement as asyncpg takes it, and the names of its values in order."""
    names = list(dict.fromkeys(found[1] for found in _NAME.finditer(sql)))
    numbers = {name: f"${number}" for number, name in enumerate(names, 1)}
    text = _LIST.sub(lambda found: f"= ANY({numbers[found[1]]}::text[])", sql)
    text = _ROWS.sub(lambda found: f"FROM unnest({numbers[found[1]]}::text[]) AS value", text)
    return re.sub(r"(?<!:):(\w+)", lambda found: numbers[found[1]], text), tuple(names)
