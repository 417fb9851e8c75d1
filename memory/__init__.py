"""The memory engine, which also works without the proxy: `AsyncMemory` and `Memory`."""

from .api.client import AsyncMemory
from .api.sync import Memory
from .engine.options import MemoryOptions
from .model.errors import (
    AddTimeoutError,
    ConfigError,
    ConflictError,
    EmbeddingError,
    ExtractionError,
    InvalidInputError,
    ModelError,
    NotFoundError,
    RecollectError,
    ScopeError,
    StateError,
    StoreError,
)
from .model.types import EventKind, MemoryItem, MemoryStatus, MemoryType, Message, Scope, Turn

__all__ = [
    "AddTimeoutError",
    "AsyncMemory",
    "ConfigError",
    "ConflictError",
    "EmbeddingError",
    "EventKind",
    "ExtractionError",
    "InvalidInputError",
    "Memory",
    "MemoryItem",
    "MemoryOptions",
    "MemoryStatus",
    "MemoryType",
    "Message",
    "ModelError",
    "NotFoundError",
    "RecollectError",
    "Scope",
    "ScopeError",
    "StateError",
    "StoreError",
    "Turn",
]
