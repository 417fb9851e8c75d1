"""Where the behaviours keep what they keep: in one process, or on the servers that replicas share."""

from __future__ import annotations

import contextlib
import os
import uuid
from dataclasses import dataclass
from pathlib import Path

import pytest

from recollect.memory.database import open_database
from recollect.memory.engine.options import EngineOptions
from recollect.memory.state import State, state_of
from recollect.memory.state.log_readers import among_replicas
from recollect.memory.util.registry import Registry
from tests.support.postgres_server import empty_database

ON_REAL_SERVERS = pytest.mark.skipif(
    "TEST_SERVERS" not in os.environ, reason="two minutes more: `make test-servers`"
)
CORES = [
    "files",
    "memory",
    pytest.param("servers", marks=[pytest.mark.server, ON_REAL_SERVERS]),
    "postgres",
    "sealed_files",
    "sealed_postgres",
]
"""A file of SQLite; this process; PostgreSQL and Redis; PostgreSQL alone; with a key of each user."""
MASTER_KEY = "bm8gc2VjcmV0OiAzMiBieXRlcyBvZiBhIHRlc3QgISE="


@dataclass(frozen=True)
class Core:
    """An open state, whose database has the memories too, and the options that say where it is."""

    options: EngineOptions
    state: State


async def options_of(
    request: pytest.FixtureRequest, folder: Path, stack: contextlib.AsyncExitStack
) -> EngineOptions:
    """What the parameter names; servers are started when they are first asked for."""
    match request.param:
        case "memory":
            return _at(":memory:")
        case "files":
            return _at(str(folder / "recollect.db"))
        case "sealed_files":
            return _at(str(folder / "recollect.db"), is_sealed=True)
        case name:
            return await _shared(name, request, stack)


async def _shared(
    name: str, request: pytest.FixtureRequest, stack: contextlib.AsyncExitStack
) -> EngineOptions:
    """A database and a prefix of their own on the servers of the session."""
    database = await stack.enter_async_context(empty_database(request.getfixturevalue("postgres")))
    redis = {}
    if name == "servers":
        own = f"b{uuid.uuid4().hex[:12]}"
        redis = {"url": request.getfixturevalue("redis_server").url, "prefix": own}
    return _at(database, redis, is_sealed=name.startswith("sealed"))


def _at(url: str, redis: dict[str, str] | None = None, *, is_sealed: bool = False) -> EngineOptions:
    keys = {"encryption": "per_user", "master_key": MASTER_KEY} if is_sealed else {}
    return EngineOptions.model_validate({"database": {"url": url, **keys}, "redis": redis or {}})


async def opened_core(options: EngineOptions, stack: contextlib.AsyncExitStack) -> Core:
    """Closed by the stack."""
    scripts = await open_database(options.database)
    stack.push_async_callback(scripts.close)
    state = state_of(scripts)
    if options.database.kind == "postgres":
        registry = await stack.enter_async_context(Registry())
        state = await among_replicas(state, options.redis, registry)
    return Core(options, state)
