"""All operations of the memory API, and the handlers that carry them out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recollect.config.server import WebhookOptions

from .describing import DESCRIBING, ApiDocument
from .dispatch import bound
from .mem0.entities import Mem0Entities
from .mem0.exports import Mem0Exports
from .mem0.memories import Mem0Memories
from .mem0.profiles import Mem0Profiles
from .mem0.project import Mem0Project
from .mem0.project_routes import OF_PROJECTS
from .mem0.routes import OF_A_USER, OF_ENTITIES, OF_EXPORTS, OF_MEMORIES, OF_PROFILES
from .mem0.server import Mem0Server
from .mem0.server_routes import SERVER
from .mem0.single import SingleMemory
from .memories import MemoryApi
from .operations import Operation
from .routes import OPERATIONS
from .tasks.handlers import TaskApi
from .tasks.routes import TASK_OPERATIONS

MEM0 = (*OF_MEMORIES, *OF_ENTITIES, *OF_EXPORTS, *OF_PROFILES, *OF_PROJECTS, *OF_A_USER)
"""The routes that mem0's clients, and others, call beside ours."""
ALL = (*OPERATIONS, *TASK_OPERATIONS, *MEM0, *DESCRIBING)
"""What is always there."""


def handled(
    memories: MemoryApi, tasks: TaskApi, webhook: WebhookOptions, *, server: bool
) -> tuple[Operation, ...]:
    """All of them with their handlers; with `server` those of mem0's own server too."""
    additions = memories.additions
    tables: list[tuple[Sequence[Operation], Any]] = [
        (OPERATIONS, memories),
        (TASK_OPERATIONS, tasks),
        (OF_MEMORIES, Mem0Memories(additions)),
        (OF_ENTITIES, Mem0Entities()),
        (OF_EXPORTS, Mem0Exports()),
        (OF_PROFILES, Mem0Profiles()),
        (OF_PROJECTS, Mem0Project(webhook)),
        (OF_A_USER, SingleMemory()),
        *([(SERVER, Mem0Server(additions))] if server else []),
    ]
    found = tuple(operation for table, each in tables for operation in bound(table, each))
    return (*found, *bound(DESCRIBING, ApiDocument((*found, *DESCRIBING))))
