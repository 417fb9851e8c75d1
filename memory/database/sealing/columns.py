"""Which columns hold what users said, and how they are found in the statements that write them.

A value is sealed if it is bound by the name of a sealed column. So little of a statement is
understood: its table, and the names of its values. Nothing is kept in the open because somebody
wrote it differently: a text with a name that is no column's is refused, and so is a statement that
fills a sealed column, but for what it says itself, without a value of its name.
"""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

from ...model.errors import StateError
from ..tables import TABLES

_SEALED = {
    "turns": "user_text assistant_text steps images before note",
    "jobs": "checkpoint error raw task",
    "task_pieces": "body",
    "memory_history": "old_value new_value reason scores reasons withheld",
    "memories": "text terms provenance metadata facts hash",
    "memory_vectors": "vector",
    "graph_mentions": "surface key key_start",
    "graph_relations": "relation quote",
    "deed_salts": "salt",
    "blocks": "label description value",
    "block_versions": "label description value",
}
SEALED: Mapping[str, frozenset[str]] = {
    table: frozenset(columns.split()) for table, columns in _SEALED.items()
}
"""Columns by table. The key is that of the row's tenant and user."""
SAME = frozenset(
    {"before", "note", "checkpoint", "surface", "key", "key_start", "relation", "label"}
)
"""Of a user the same text is always the same in these: rows are found, grouped and compared by it.
In the others never twice: whether two rows say the same cannot be seen."""
DROPPED = "hash"
"""Is kept empty: it follows from another column, and only makes a filter faster."""
NOTHING: frozenset[object] = frozenset({None, "", "{}", "[]"})
"""What says nothing is not sealed: statements compare with it."""

_COPIES = frozenset({"block_versions"})
"""Tables that are filled from rows that are sealed already."""
_WRITES = re.compile(r"\b(?:INTO|(UPDATE))\s+(?:\w+\.)?\"?(\w+)", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_ASSIGNED = re.compile(r"\b(\w+)\s*=(?!\s*(?:NULL|'))")
_BOUND = re.compile(r"(?<!:):(\w+)\b(?!\[)")
_COMPARED = re.compile(r"\b((?:\w\.)?(?:key_start|key|relation))\s*(?:=|IN)\s*:(\w+)(?:\[\])?")
_COMPARING = re.compile(r"\bgraph_(?:mentions|relations)\b")
_BEGINNING = re.compile(r"n\.key_start >= :start(?: AND n\.key_start < :following)?")
_NARROWING = re.compile(r"\b(?:(?:text|metadata|provenance) LIKE :\w+|(?:text|hash) IN :\w+\[\])")
_CASE = re.compile(r"\bCASE\b(.*?)\bEND\b", re.IGNORECASE | re.DOTALL)
_CONDITION = re.compile(r"\bWHEN\b.*?\bTHEN\b", re.IGNORECASE | re.DOTALL)
_PART = re.compile(r"\bsubstr\((user_text), 1, \d+\)")


@dataclass(frozen=True, slots=True)
class SealPlan:
    """What is done to a statement."""

    sql: str
    """As it runs on sealed columns."""
    table: str
    """That it writes, if it can write a sealed column."""
    written: Mapping[str, str]
    """The sealed columns of values, by the names of the values."""
    unknown: frozenset[str]
    """The names of values that are no column's: none may be a text."""
    compared: frozenset[str]
    """The values that columns which are the same for the same text are compared with; of them
    `start` is how a name begins."""


@lru_cache(maxsize=2048)
def plan_of(sql: str) -> SealPlan:
    """What is done to a statement. Pure.

    Raises:
        StateError: it writes a sealed column in a way that cannot be sealed, or compares one with
            what cannot be found in it.
    """
    table, written, unknown = _written(sql)
    # No sealed text passes: whoever asks so tests each memory again.
    said = _NARROWING.sub("1 = 1", sql) if "FROM memories" in sql else sql
    said = _PART.sub(r"\1", _BEGINNING.sub("n.key_start IN :start[]", said))
    compared: frozenset[str] = frozenset()
    if not table and _COMPARING.search(said):
        compared = frozenset(found[2] for found in _COMPARED.finditer(said))
        said = _COMPARED.sub(r"\1 IN :\2[]", said)
    _refuse_comparing(said, written, compared)
    return SealPlan(said, table, written, unknown, compared)


def _written(sql: str) -> tuple[str, dict[str, str], frozenset[str]]:
    """The table, the sealed columns of values, and the names of values that are of no column.

    A value is named after its column; of a sealed one it may only begin so: `note`, `note_was`.
    """
    words = set(_WORD.findall(sql))
    for update, table in _WRITES.findall(sql):
        sealed = SEALED.get(table, frozenset())
        if not sealed or (update and sealed.isdisjoint(words)):
            continue
        bound = set(_BOUND.findall(sql))
        written = {each: column for each in bound if (column := each.rpartition("_")[0]) in sealed}
        written |= {each: each for each in bound & sealed}
        opened = _columns()[table] - sealed
        writing = sql.partition("RETURNING")[0]
        given = sealed.intersection((_ASSIGNED if update else _WORD).findall(writing))
        either = (set(_BOUND.findall(_CONDITION.sub("", found))) for found in _CASE.findall(sql))
        mixed = any(one & written.keys() and one & opened for one in either)
        unsealed = given.difference(written.values()) and (update or table not in _COPIES)
        if unsealed or mixed:
            raise StateError(f"what is written into {table} cannot be sealed: {sorted(given)}")
        return table, written, frozenset(bound - written.keys() - _columns()[table])
    return "", {}, frozenset()


def _refuse_comparing(sql: str, written: Mapping[str, str], compared: Collection[str]) -> None:
    """Refuse what compares a sealed column with a value in the open: it would find nothing."""
    tables = SEALED.keys() & _WORD.findall(sql)
    columns = {name for table in tables for name in SEALED[table]}
    if not columns:
        return
    where = len(sql.partition("WHERE")[0])
    compares = rf"\b({'|'.join(columns)})\b(?:, '[^']*'\))?\s*(?:=|<>|!=|[<>]=?|LIKE|IN)\s*:(\w+)"
    for found in re.finditer(compares, sql):
        column, name = found.groups()
        is_sealed = written.get(name) == column and (found.start() < where or column in SAME)
        if not is_sealed and name not in compared:
            raise StateError(f"a sealed column cannot be compared with {name!r}: {column}")


@lru_cache(maxsize=1)
def _columns() -> Mapping[str, frozenset[str]]:
    """All columns of the tables that have sealed ones."""
    with contextlib.closing(sqlite3.connect(":memory:")) as made:
        made.executescript(TABLES)
        pragma = "SELECT name FROM pragma_table_info(?)"
        return {
            table: frozenset(name for (name,) in made.execute(pragma, (table,))) for table in SEALED
        }
