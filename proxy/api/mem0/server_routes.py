"""The routes of mem0's own server, below `/mem0`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from recollect.memory.api.results import MemoryDict
from recollect.memory.model.inputs import MAX_LIMIT

from ...access.rights import Right
from .. import fields as ours
from ..fields import in_query
from . import fields
from .fields import idle, unsupported
from .routes import IDS, made
from .server import Mem0Server
from .shapes import Added, DoneDict, EntityRow, FoundDict, HistoryRow, RemovedDict

_PREFIX = "/mem0"
_MEMORIES = f"{_PREFIX}/memories"
_ONE = f"{_MEMORIES}/{{memory_id}}"
_OWNED = in_query(ours.SCOPE)
_MOST = ours.whole("top_k", "Most results.", high=MAX_LIMIT, default=20)
_FOUND = (
    ours.text("query", "What is looked for."),
    *IDS,
    fields.FILTERS,
    replace(fields.TOP_K, schema=fields.TOP_K.schema | {"default": 20}, default=20),
    fields.LIMIT,
    ours.THRESHOLD,
    fields.FIELDS,
    fields.SHOW_EXPIRED,
    idle("explain", "see GET /v1/memories/explain."),
)
SERVER = (
    made(
        "POST", _MEMORIES, Mem0Server.server_add, "mem0's server: remember a conversation",
        Added, right=Right.WRITE,
        body=(
            fields.MESSAGES, *IDS, ours.METADATA, ours.INFER, ours.PROMPT, fields.EXPIRATION,
            unsupported("memory_type", "a model says the type"),
        ),
    ),
    made(
        "GET", _MEMORIES, Mem0Server.server_list, "mem0's server: the newest memories of a scope",
        FoundDict, query=(*_OWNED, _MOST, fields.SHOW_EXPIRED),
    ),
    made(
        "DELETE", _MEMORIES, Mem0Server.server_delete_all,
        "mem0's server: remove the memories of a scope", DoneDict, right=Right.WRITE, query=_OWNED,
    ),
    made(
        "GET", _ONE, Mem0Server.server_get, "mem0's server: one memory, or null",
        MemoryDict | None, query=_OWNED,
    ),
    made(
        "PUT", _ONE, Mem0Server.server_update, "mem0's server: change a memory",
        DoneDict, right=Right.WRITE, query=_OWNED,
        body=(ours.TEXT, ours.MERGED, *ours.SCOPE, fields.CLEARED),
    ),
    made(
        "DELETE", _ONE, Mem0Server.server_delete, "mem0's server: remove a memory",
        DoneDict, right=Right.WRITE, query=_OWNED,
    ),
    made(
        "GET", f"{_ONE}/history", Mem0Server.server_history, "mem0's server: its history",
        list[HistoryRow], query=_OWNED,
    ),
    made(
        "POST", f"{_PREFIX}/search", Mem0Server.server_search,
        "mem0's server: the memories that match a query", FoundDict, body=_FOUND,
    ),
    made(
        "POST", f"{_PREFIX}/reset", Mem0Server.server_reset,
        "mem0's server: remove all memories of the tenant", DoneDict, right=Right.ADMIN,
    ),
    made(
        "GET", f"{_PREFIX}/entities", Mem0Server.server_entities,
        "mem0's server: the users, agents and runs that have memories", list[EntityRow],
    ),
    made(
        "DELETE", f"{_PREFIX}/entities/{{entity_type}}/{{entity_name}}",
        Mem0Server.server_delete_entity, "mem0's server: remove the memories of one of them",
        RemovedDict, right=Right.WRITE,
    ),
    made(
        "GET", f"{_PREFIX}/configure", Mem0Server.configuration,
        "mem0's server: that the configuration is a file", dict[str, Any], right=Right.ADMIN,
    ),
    made(
        "POST", f"{_PREFIX}/configure", Mem0Server.configure,
        "mem0's server: refused; the configuration is a file", dict[str, Any], right=Right.ADMIN,
        body=tuple(
            idle(name, "such a request is always refused.")
            for name in ("llm", "embedder", "vector_store", "graph_store", "version",
                         "history_db_path", "custom_instructions", "reranker")
        ),
    ),
)  # fmt: skip
