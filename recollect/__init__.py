"""Long-term memory for any OpenAI client.

    from recollect import AsyncMemory, Memory

Names are loaded when they are first used: importing this package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .memory import (
        AddTimeoutError,
        AsyncMemory,
        ConfigError,
        ConflictError,
        EmbeddingError,
        EventKind,
        ExtractionError,
        InvalidInputError,
        Memory,
        MemoryItem,
        MemoryOptions,
        MemoryStatus,
        MemoryType,
        Message,
        ModelError,
        NotFoundError,
        RecollectError,
        Scope,
        ScopeError,
        StateError,
        StoreError,
        Turn,
        fuse_weighted,
    )

__version__: str
"""The installed version."""

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
    "fuse_weighted",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version()
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import memory

    return getattr(memory, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("recollect")
    except PackageNotFoundError:
        return "(not installed)"
