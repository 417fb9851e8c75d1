"""Versions tell what may be relied on."""

from __future__ import annotations

from recollect.memory.stores.milvus.dialect import dialect_of
from tests.support.folding import rows


@rows(
    "version, embedded, upserts, keywords",
    [
        ("milvus_lite-3.2.2", True, False, True),
        ("milvus_lite-2.5.1", True, False, False),
        ("v2.3.5-lite", False, False, False),
        ("v2.3.21", False, False, False),
        ("2.4.0", False, True, False),
        ("v2.6.1-dev", False, True, True),
        ("v3.0.0", False, True, True),
        ("Zilliz Cloud (Compatible with Milvus 2.5)", False, True, True),
        ("", False, False, False),
        ("unknown", False, False, False),
    ],
)
def test_version_decides(version, embedded, upserts, keywords):
    """Upsert is trusted from 2.4 on, BM25 is there from 2.5 on; 2.3.5 is no Milvus Lite."""
    dialect = dialect_of(version)
    assert (dialect.embedded, dialect.upserts) == (embedded, upserts)
    assert dialect.keywords == keywords
