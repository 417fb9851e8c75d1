"""The abilities of a Milvus, by its version."""

from __future__ import annotations

import re
from dataclasses import dataclass

_UPSERT_SINCE = (2, 4)
"""Before it, an upsert into a collection with a partition key loses rows (measured on 2.3.5)."""
_BM25_SINCE = (2, 5)
"""Milvus 2.5 introduced analyzers and the BM25 function."""
_EMBEDDED_BM25_SINCE = (3, 0)
"""Milvus Lite 3 is a new implementation; 2.5 is the old one."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """What this server supports."""

    embedded: bool
    """Milvus Lite: named partitions instead of a partition key, no index, needs flushes."""
    upserts: bool
    """Whether upsert is reliable; else a replacement is a delete followed by an insert."""
    page_rows: int
    """Rows of one page of a listing."""
    keywords: bool
    """Whether collections can be created with keyword search."""


def dialect_of(version: str) -> Abilities:
    """The abilities of the server with this version (``v2.3.5``, ``milvus_lite-3.2.2``).

    An unknown version is treated like an old one, which is slower but correct everywhere.
    """
    found = re.search(r"(\d+)\.(\d+)", version)
    number = (int(found[1]), int(found[2])) if found else (0, 0)
    if "lite-" in version.lower():
        return Abilities(
            embedded=True,
            upserts=False,
            # Lite answers one call at a time, so a search may have to wait for a page: 20 ms.
            page_rows=2_000,
            keywords=number >= _EMBEDDED_BM25_SINCE,
        )
    return Abilities(
        embedded=False,
        upserts=number >= _UPSERT_SINCE,
        page_rows=5_000,
        keywords=number >= _BM25_SINCE,
    )
