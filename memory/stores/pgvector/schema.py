"""The table of memories, and whose vectors it holds."""

from __future__ import annotations

import re

from ...memories.fields import INTEGERS, TEXT_BYTES
from ...model.format import FORMAT, NONE

FACETS = {"facets": "jsonb", "source": "text", "session": "text", "version": "bigint"}
"""What only filters read; the rest of the row holds it too. `facets` is the metadata."""
TYPES = {
    **dict.fromkeys(TEXT_BYTES, "text"),
    **dict.fromkeys(INTEGERS, "bigint"),
    "importance": "float8",
    **FACETS,
    "terms": "text[]",
    "vector": "real[]",
}
"""The columns in the order of their writing, with the types in which values are sent."""

NEXT_SUFFIX = "_next"
"""Of the table that replaces another one."""
MARK = f"recollect {FORMAT} embedder "
"""The comment of a table begins with it, and names the embedder and the dimensions."""
_MARKED = re.compile(r"recollect (?:(\d{1,9}) )?embedder ")
"""The beginning of the comment of a table of any format."""


def tables(table: str, embedder_id: str, dim: int) -> str:
    """The statements that make a table. `table` is checked by the options: it is safe in SQL."""
    columns = ",\n".join(_column(name, kind, dim) for name, kind in TYPES.items())
    return f"""
        CREATE EXTENSION IF NOT EXISTS vector;
        CREATE TABLE {table} ({columns});
        -- A search reads the rows of its scope and compares all of them: exact, and a user has few.
        CREATE INDEX ON {table} (tenant, user_id);
        CREATE INDEX ON {table} (tenant, id);
        CREATE INDEX ON {table} USING gin (terms);
        COMMENT ON TABLE {table} IS {_quoted(MARK + fingerprint(embedder_id, dim))}
    """


def fingerprint(embedder_id: str, dim: int) -> str:
    """The identity of the vectors of a table."""
    return f"{embedder_id}@{dim}"


def identity_of(comment: str | None) -> tuple[str, int] | None:
    """The embedder and dimensions that a table's comment names; None if it is not ours."""
    found = _MARKED.match(comment or "")
    if found is None:
        return None
    embedder_id, _, dim = found.string[found.end() :].rpartition("@")
    return (embedder_id, int(dim)) if dim.isdecimal() else None


def format_of(comment: str | None) -> int | None:
    """The format of the table with this comment; None if it is not ours."""
    found = _MARKED.match(comment or "")
    return None if found is None else int(found[1] or NONE)


def _column(name: str, kind: str, dim: int) -> str:
    if name == "id":
        # By characters, as Python orders: pages follow each other in this order.
        return 'id text COLLATE "C" PRIMARY KEY'
    if name == "vector":
        # As it was computed, out of the row: most reads need none, and it does not compress.
        return f"vector vector({dim}) STORAGE EXTERNAL NOT NULL"
    null = "" if name in {"facets", "session"} else " NOT NULL"
    return f"{name} {kind}{null}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
