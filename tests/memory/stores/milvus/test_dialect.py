"""Versions tell what may be relied on."""

from __future__ import annotations

import pytest

from memory.stores.milvus.dialect import dialect_of


@pytest.mark.parametrize(
    ("version", "embedded", "upserts"),
    [
        ("milvus_lite-3.2.2", True, False),
        ("v2.3.5-lite", False, False),
        ("v2.3.21", False, False),
        ("2.4.0", False, True),
        ("v2.6.1-dev", False, True),
        ("v3.0.0", False, True),
        ("Zilliz Cloud (Compatible with Milvus 2.5)", False, True),
        ("", False, False),
        ("unknown", False, False),
    ],
)
def test_version_decides(version, embedded, upserts):
    """Upsert is trusted from 2.4 on; the 2.3.5 server of the wheel is no Milvus Lite."""
    dialect = dialect_of(version)
    assert (dialect.embedded, dialect.upserts) == (embedded, upserts)
