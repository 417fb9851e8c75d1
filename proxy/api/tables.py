"""All operations of the memory API, and the handlers that carry them out."""

from __future__ import annotations

from typing import Any

from recollect.config.tools import ToolOptions
from recollect.memory.api.table import table

from .answering import answered
from .docs import DESCRIBING, ApiDocument
from .mem0.handlers import Mem0
from .mem0.ours import widened
from .mem0.routes import ROUTES, SERVER
from .memories import OPERATIONS, MemoryApi
from .operations import Operation, bound
from .state.handlers import STATE_OPERATIONS, StateApi
from .state.operating import OPERATING_OPERATIONS, OperatingApi
from .tasks.handlers import TASK_OPERATIONS, TaskApi
from .tools import TOOL_OPERATIONS, ToolsApi
from .whatif.handlers import WHATIF_OPERATIONS, WhatIfApi

_TABLE = tuple(each.operation for each in table())
_OURS = (
    *OPERATIONS,
    *TASK_OPERATIONS,
    *STATE_OPERATIONS,
    *OPERATING_OPERATIONS,
    *TOOL_OPERATIONS,
    *WHATIF_OPERATIONS,
)
_ALL = (*map(widened, (*_OURS, *_TABLE)), *ROUTES, *DESCRIBING)


def _of_server(operation: Operation) -> bool:
    return operation.path.startswith(SERVER)


MEM0 = tuple(each for each in ROUTES if not _of_server(each))
"""The routes that mem0's clients, and others, call beside ours."""
ALL = tuple(each for each in _ALL if not _of_server(each))
"""What is ours, and what mem0's hosted service has."""
SERVER_OPERATIONS = tuple(filter(_of_server, _ALL))
"""What mem0's own server has."""


def handled(
    memories: MemoryApi,
    tasks: TaskApi,
    state: StateApi,
    operating: OperatingApi,
    what_if: WhatIfApi,
    mem0: Mem0,
    tools: ToolOptions,
) -> tuple[Operation, ...]:
    """All of them with their handlers."""
    tables: list[tuple[tuple[Operation, ...], Any]] = [
        (OPERATIONS, memories),
        (TASK_OPERATIONS, tasks),
        (STATE_OPERATIONS, state),
        (OPERATING_OPERATIONS, operating),
        (WHATIF_OPERATIONS, what_if),
        (TOOL_OPERATIONS, ToolsApi(tools)),
        (ROUTES, mem0),
    ]
    bounds = (one for operations, each in tables for one in bound(operations, each))
    found = tuple(widened(answered(each), mem0) for each in (*bounds, *_TABLE))
    return (*found, *bound(DESCRIBING, ApiDocument((*found, *DESCRIBING))))
