"""All operations of the memory API, and the handlers that carry them out."""

from __future__ import annotations

from typing import Any

from recollect.config.server import WebhookOptions
from recollect.config.tools import ToolOptions
from recollect.memory.api.table import table

from .answering import ANSWER_OPERATIONS, AnswerApi
from .batches import BATCH_OPERATIONS, BatchApi
from .curation import CURATION_OPERATIONS, CurationApi
from .deep_recall import DEEP_RECALL_OPERATIONS, DeepRecallApi
from .docs import DESCRIBING, ApiDocument
from .entities import ENTITY_OPERATIONS, EntityApi
from .mem0.exports import OF_EXPORTS, Mem0Exports
from .mem0.memories import OF_MEMORIES, SERVER, Mem0Memories
from .mem0.profiles import OF_PROFILES, Mem0Profiles
from .mem0.project import OF_PROJECTS, Mem0Project
from .memories import OPERATIONS, MemoryApi
from .operations import Operation, bound
from .procedures import PROCEDURE_OPERATIONS, ProcedureApi
from .state.handlers import STATE_OPERATIONS, StateApi
from .state.operating import OPERATING_OPERATIONS, OperatingApi
from .tasks.handlers import TASK_OPERATIONS, TaskApi
from .tools import TOOL_OPERATIONS, ToolsApi
from .whatif.handlers import WHATIF_OPERATIONS, WhatIfApi

_TABLE = tuple(each.operation for each in table())
_MEM0 = (*OF_MEMORIES, *OF_EXPORTS, *OF_PROFILES, *OF_PROJECTS)
_OURS = (
    *OPERATIONS,
    *CURATION_OPERATIONS,
    *TASK_OPERATIONS,
    *STATE_OPERATIONS,
    *OPERATING_OPERATIONS,
)
_LIBRARY = (*BATCH_OPERATIONS, *PROCEDURE_OPERATIONS)
_AGENTS = (
    *_TABLE,
    *ENTITY_OPERATIONS,
    *TOOL_OPERATIONS,
    *DEEP_RECALL_OPERATIONS,
    *ANSWER_OPERATIONS,
)
_ALL = (*_OURS, *_LIBRARY, *_AGENTS, *WHATIF_OPERATIONS, *_MEM0, *DESCRIBING)


def _of_server(operation: Operation) -> bool:
    return operation.path.startswith(SERVER)


MEM0 = tuple(each for each in _MEM0 if not _of_server(each))
"""The routes that mem0's clients, and others, call beside ours."""
ALL = tuple(each for each in _ALL if not _of_server(each))
"""What is always there."""
SERVER_OPERATIONS = tuple(filter(_of_server, _ALL))
"""What mem0's own server has."""


def handled(
    memories: MemoryApi,
    tasks: TaskApi,
    state: StateApi,
    operating: OperatingApi,
    what_if: WhatIfApi,
    webhook: WebhookOptions,
    tools: ToolOptions,
    *,
    server: bool,
) -> tuple[Operation, ...]:
    """All of them with their handlers; with `server` those of mem0's own server too."""
    tables: list[tuple[tuple[Operation, ...], Any]] = [
        (OPERATIONS, memories),
        (CURATION_OPERATIONS, CurationApi()),
        (BATCH_OPERATIONS, BatchApi()),
        (PROCEDURE_OPERATIONS, ProcedureApi()),
        (ANSWER_OPERATIONS, AnswerApi()),
        (TASK_OPERATIONS, tasks),
        (STATE_OPERATIONS, state),
        (OPERATING_OPERATIONS, operating),
        (ENTITY_OPERATIONS, EntityApi()),
        (WHATIF_OPERATIONS, what_if),
        (TOOL_OPERATIONS, ToolsApi(tools)),
        (DEEP_RECALL_OPERATIONS, DeepRecallApi()),
        (OF_MEMORIES, Mem0Memories(memories.additions)),
        (OF_EXPORTS, Mem0Exports()),
        (OF_PROFILES, Mem0Profiles()),
        (OF_PROJECTS, Mem0Project(webhook)),
    ]
    bounds = (one for operations, each in tables for one in bound(operations, each))
    found = tuple(each for each in (*bounds, *_TABLE) if server or not _of_server(each))
    return (*found, *bound(DESCRIBING, ApiDocument((*found, *DESCRIBING))))
