"""What the Milvus at the other end can do, told by its version."""

from __future__ import annotations

import re
from dataclasses import dataclass

_UPSERT_SINCE = (2, 4)
"""Before it an upsert into a collection with a partition key loses rows (measured on 2.3.5)."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How to talk to this server."""

    embedded: bool
    """Milvus Lite: named partitions instead of a partition key, no index, must be flushed."""
    upserts: bool
    """Whether upsert may be trusted; else a replacement is a delete followed by an insert."""
    page_rows: int
    """Rows of one page of a listing."""


def dialect_of(version: str) -> Dialect:
    """The dialect of the server with this version (``v2.3.5``, ``milvus_lite-3.2.2``).

    An unknown version is treated like an old one, which is slower and right everywhere.
    """
    if "lite-" in version.lower():
        # Lite answers one call at a time: a short page lets searches through in between.
        return Dialect(embedded=True, upserts=False, page_rows=500)
    number = re.search(r"(\d+)\.(\d+)", version)
    upserts = number is not None and (int(number[1]), int(number[2])) >= _UPSERT_SINCE
    return Dialect(embedded=False, upserts=upserts, page_rows=5_000)
