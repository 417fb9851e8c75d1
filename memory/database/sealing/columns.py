"""Which columns hold what users said, and how the statements that write them are found.

A statement that writes such a column in a way that is not understood here is refused: nothing is
kept in the open because somebody wrote it differently.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache

from ...model.errors import StateError


class Sealing(Enum):
    """How a column is kept."""

    RANDOM = auto()
    """Never twice the same: whether two rows say the same cannot be seen."""
    SAME = auto()
    """Of a user the same text is always the same: rows are found, grouped and compared by it."""
    DROPPED = auto()
    """Nothing: it follows from another column, and only makes a filter faster."""


_RANDOM, _SAME = Sealing.RANDOM, Sealing.SAME
_BLOCK = {"label": _SAME, "description": _RANDOM, "value": _RANDOM}
SEALED: Mapping[str, Mapping[str, Sealing]] = {
    "turns": {
        **dict.fromkeys(("user_text", "assistant_text", "steps", "images"), _RANDOM),
        **dict.fromkeys(("before", "note"), _SAME),
    },
    "jobs": {"checkpoint": _SAME, "error": _RANDOM, "raw": _RANDOM, "task": _RANDOM},
    "task_pieces": {"body": _RANDOM},
    "memory_history": dict.fromkeys(
        ("old_value", "new_value", "reason", "scores", "reasons", "withheld"), _RANDOM
    ),
    "memories": {
        **dict.fromkeys(("text", "terms", "provenance", "metadata", "facts"), _RANDOM),
        "hash": Sealing.DROPPED,
    },
    "memory_vectors": {"vector": _RANDOM},
    "graph_mentions": {"surface": _SAME, "key": _SAME, "key_start": _SAME},
    "graph_relations": {"relation": _SAME, "quote": _RANDOM},
    "deed_salts": {"salt": _RANDOM},
    "blocks": _BLOCK,
    "block_versions": _BLOCK,
}
"""By table and column. The key is that of the row's tenant and user."""
NOTHING: frozenset[object] = frozenset({None, "", "{}", "[]"})
"""What says nothing is not sealed: statements compare with it."""

_COPIES = frozenset({"block_versions"})
"""Tables that are filled from rows that are sealed already."""
_COMMENT = re.compile(r"--[^\n]*")
_INSERT = re.compile(r"\s*INSERT INTO (\w+)\s*(\([^()]*\))?\s*(VALUES|SELECT)?")
_UPDATE = re.compile(r"\s*UPDATE (\w+) SET\s")
_AGAIN = re.compile(r"\bDO UPDATE SET\s")
_WHERE = re.compile(r"\bWHERE\b")
_END = re.compile(r"\s(?:WHERE|RETURNING)\s")
_BOUND = re.compile(r"(?<!:):(\w+)\b(?!\[)")
_COMPARED = re.compile(r"\b((?:\w\.)?(?:key_start|key|relation))\s*(=|IN)\s*:(\w+)(?:\[\])?")
_AS_IT_WAS = re.compile(r"\bcoalesce\((\w+), '(?:\{\})?'\) = :(\w+)")
_COMPARING = re.compile(r"\bgraph_(?:mentions|relations)\b")
_BEGINNING = re.compile(r"n\.key_start >= :start(?: AND n\.key_start < :following)?")
_NARROWING = re.compile(r"\b(?:(?:text|metadata|provenance) LIKE :\w+|(?:text|hash) IN :\w+\[\])")
_PART = re.compile(r"\bsubstr\((user_text), 1, \d+\)")


@dataclass(frozen=True, slots=True)
class SealPlan:
    """What is done to a statement."""

    sql: str
    """As it runs on sealed columns."""
    table: str = ""
    """That it writes."""
    written: Mapping[str, Sealing] = field(default_factory=dict)
    """The values that are sealed, by name."""
    compared: frozenset[str] = frozenset()
    """The values that columns which are the same for the same text are compared with."""
    beginning: bool = False
    """Whether it looks for names by how they begin."""

    @property
    def plain(self) -> bool:
        """Whether its values stay as they are."""
        return not (self.written or self.compared or self.beginning)


@lru_cache(maxsize=2048)
def plan_of(sql: str) -> SealPlan:
    """What is done to a statement. Pure.

    Raises:
        StateError: it writes a sealed column in a way that cannot be sealed.
    """
    said = _COMMENT.sub("", sql)
    table, written = _written(said)
    # No sealed text passes: whoever asks so tests each memory again.
    if "FROM memories" in said:
        said = _NARROWING.sub("1 = 1", said)
    said = _PART.sub(r"\1", said)
    compared: frozenset[str] = frozenset()
    if not table and _COMPARING.search(said):
        compared = frozenset(found[3] for found in _COMPARED.finditer(said))
        said = _COMPARED.sub(r"\1 IN :\3[]", said)
    plan = SealPlan(said, table, written, compared, bool(_BEGINNING.search(said)))
    _check(plan)
    return plan


def _check(plan: SealPlan) -> None:
    """Refuse what compares a sealed column with a value in the open: it would find nothing."""
    begin = _WHERE.search(plan.sql)
    tables = [table for table in SEALED if re.search(rf"\b{table}\b", plan.sql)]
    if not begin or not tables:
        return
    columns = "|".join({name for table in tables for name in SEALED[table]})
    compares = rf"\b(?:{columns})\b(?:, '[^']*'\))?\s*(?:=|<>|[<>]=?|LIKE|IN)\s*:(\w+)"
    for name in re.findall(compares, _BEGINNING.sub("", plan.sql[begin.end() :])):
        if name not in plan.written and name not in plan.compared:
            raise StateError(f"a sealed column of {tables[0]} cannot be compared with {name!r}")


def among_starts(sql: str, starts: str) -> str:
    """The statement that looks for whole names in place of how they begin."""
    return _BEGINNING.sub(f"n.key_start IN :{starts}[]", sql)


def _written(sql: str) -> tuple[str, dict[str, Sealing]]:
    found: dict[str, Sealing] = {}
    if insert := _INSERT.match(sql):
        table, columns, kind = insert.groups()
        if table not in SEALED:
            return "", {}
        if columns is None or (kind == "SELECT" and table not in _COPIES):
            raise StateError(f"what is written into {table} cannot be sealed")
        if kind == "VALUES":
            names = [name.strip() for name in columns[1:-1].split(",")]
            values = _parts(_within(sql, insert.end()))
            _add(found, table, zip(names, values, strict=True))
        begin = _AGAIN.search(sql)
    else:
        update = begin = _UPDATE.match(sql)
        if update is None or update[1] not in SEALED:
            return "", {}
        table = update[1]
    if begin is not None:
        _add(found, table, _assigned(sql[begin.end() :]))
        _add(found, table, ((column, f":{name}") for column, name in _AS_IT_WAS.findall(sql)))
    return (table, found) if found else ("", {})


def _add(found: dict[str, Sealing], table: str, given: Iterable[tuple[str, str]]) -> None:
    for column, value in given:
        if (how := SEALED[table].get(column)) is not None:
            found.update(dict.fromkeys(_BOUND.findall(value), how))


def _assigned(sql: str) -> Iterator[tuple[str, str]]:
    """The assignments at the beginning of a text: column and value."""
    for part in _parts(_before_end(sql)):
        column, _, value = part.partition("=")
        yield column.strip(), value


def _within(sql: str, start: int) -> str:
    """What is in the first brackets from there on."""
    begin = sql.index("(", start) + 1
    depth = 1
    for at in range(begin, len(sql)):
        depth += {"(": 1, ")": -1}.get(sql[at], 0)
        if not depth:
            return sql[begin:at]
    return sql[begin:]


def _before_end(sql: str) -> str:
    """What stands before the WHERE or RETURNING that is in no brackets."""
    for found in _END.finditer(sql):
        before = sql[: found.start()]
        if before.count("(") == before.count(")"):
            return before
    return sql


def _parts(text: str) -> list[str]:
    """What is between the commas that are in no brackets."""
    parts, depth, begin = [], 0, 0
    for at, sign in enumerate(text):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "," and not depth:
            parts.append(text[begin:at].strip())
            begin = at + 1
    return [*parts, text[begin:].strip()]
