"""Where the behaviours keep what they keep: in one process, or on the servers that replicas share."""

from __future__ import annotations

import contextlib
import os
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from recollect.memory.embedders import LocalEmbedder
from recollect.memory.engine.options import EngineOptions
from recollect.memory.language import stored_terms
from recollect.memory.model.ports import VectorStore
from recollect.memory.state import open_graph, open_history, open_state
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
"""Milvus Lite and SQLite; this process; Milvus, Redis and PostgreSQL; Redis and PostgreSQL alone."""
SLOW_SECONDS = 60
"""A time limit that a slow machine keeps, too: the behaviours are looked at, not their speed."""


@dataclass(frozen=True)
class Core:
    """Open parts, and the options that say what they are."""

    options: EngineOptions
    store: VectorStore
    kept: dict[str, Any]
    """State, history and graph by these names; what is absent is in memory and empty."""


async def options_of(
    request: pytest.FixtureRequest, folder: Path, stack: contextlib.AsyncExitStack
) -> EngineOptions:
    """What the parameter names; servers are started when they are first asked for."""
    match request.param:
        case "memory":
            store: dict[str, Any] = {"backend": "inmemory"}
        case "milvus":
            store = {"backend": "milvus", "uri": str(folder / "memories.db")}
        case name:
            return await _shared(name, request, stack)
    history = {"backend": "sqlite", "url": str(folder / "history.db")}
    return EngineOptions.model_validate({"store": store, "history": history})


async def _shared(
    name: str, request: pytest.FixtureRequest, stack: contextlib.AsyncExitStack
) -> EngineOptions:
    """A database, a collection and a prefix of their own on the servers of the session."""
    redis, postgres = map(request.getfixturevalue, ("redis_server", "postgres"))
    database = await stack.enter_async_context(empty_database(postgres))
    own = f"b{uuid.uuid4().hex[:12]}"
    store = {"backend": "pgvector", "uri": database}
    if name == "servers":
        store = {"backend": "milvus", "uri": request.getfixturevalue("server_address")}
    return EngineOptions.model_validate(
        {
            "store": store | {"collection": own, "timeout_seconds": SLOW_SECONDS},
            "state": {"backend": "redis", "url": redis.url, "prefix": own},
            "history": {"backend": "postgres", "url": database},
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
    kept: dict[str, Any] = {"history": await open_history(options.history)}
    if options.store.remote:
        kept["graph"] = await open_graph(options.history)
        kept["state"] = await open_state(options.state)
    for part in kept.values():
        stack.push_async_callback(part.close)
    return Core(options, store, kept)
