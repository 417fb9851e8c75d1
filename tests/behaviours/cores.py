"""Where the behaviours keep what they keep: in one process, or on the servers that replicas share."""

from __future__ import annotations

import contextlib
import os
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from recollect.memory.database import open_database
from recollect.memory.database.graph import SqlGraph
from recollect.memory.database.history import SqlHistory
from recollect.memory.embedders import LocalEmbedder
from recollect.memory.engine.options import EngineOptions
from recollect.memory.language import stored_terms
from recollect.memory.model.ports import VectorStore
from recollect.memory.state import state_of
from recollect.memory.state.others import among_replicas
from recollect.memory.stores import open_store
from tests.support.postgres_server import empty_database

ON_REAL_SERVERS = pytest.mark.skipif(
    "TEST_SERVERS" not in os.environ, reason="two minutes more: `make test-servers`"
)
CORES = [
    "milvus",
    "memory",
    pytest.param("servers", marks=[pytest.mark.server, ON_REAL_SERVERS]),
    "pgvector",
]
"""Milvus Lite and SQLite; this process; Milvus, Redis and PostgreSQL; PostgreSQL alone."""
SLOW_SECONDS = 60
"""A time limit that a slow machine keeps, too: the behaviours are looked at, not their speed."""


@dataclass(frozen=True)
class Core:
    """Open parts, and the options that say what they are."""

    options: EngineOptions
    store: VectorStore
    kept: dict[str, Any]
    """State, history and graph by these names."""


async def options_of(
    request: pytest.FixtureRequest, folder: Path, stack: contextlib.AsyncExitStack
) -> EngineOptions:
    """What the parameter names; servers are started when they are first asked for."""
    match request.param:
        case "memory":
            store: dict[str, Any] = {"backend": "inmemory"}
            database = ":memory:"
        case "milvus":
            store = {"backend": "milvus", "uri": str(folder / "memories.db")}
            database = str(folder / "recollect.db")
        case name:
            return await _shared(name, request, stack)
    return EngineOptions.model_validate({"store": store, "database": {"url": database}})


async def _shared(
    name: str, request: pytest.FixtureRequest, stack: contextlib.AsyncExitStack
) -> EngineOptions:
    """A database, a collection and a prefix of their own on the servers of the session."""
    database = await stack.enter_async_context(empty_database(request.getfixturevalue("postgres")))
    own = f"b{uuid.uuid4().hex[:12]}"
    store, redis = {"backend": "pgvector", "uri": database}, {}
    if name == "servers":
        store = {"backend": "milvus", "uri": request.getfixturevalue("server_address")}
        redis = {"url": request.getfixturevalue("redis_server").url, "prefix": own}
    return EngineOptions.model_validate(
        {
            "store": store | {"collection": own, "timeout_seconds": SLOW_SECONDS},
            "database": {"url": database},
            "redis": redis,
        }
    )


async def opened_core(
    options: EngineOptions, embedder: LocalEmbedder, stack: contextlib.AsyncExitStack
) -> Core:
    """Closed by the stack."""
    store = await open_store(
        options.store, embedder_id=embedder.id, dim=embedder.dim, terms=stored_terms
    )
    stack.push_async_callback(store.close)
    scripts = await open_database(options.database)
    stack.push_async_callback(scripts.close)
    state = state_of(scripts)
    if options.database.kind == "postgres":
        state = await among_replicas(state, options.redis, stack)
    kept = {"state": state, "history": SqlHistory(scripts), "graph": SqlGraph(scripts)}
    return Core(options, store, kept)
