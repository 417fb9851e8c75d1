"""The memory engine, which also works without the proxy: `AsyncMemory` and `Memory`.

Names are loaded when they are first used: importing a module of this package loads no engine.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
    from .recall.fusion_weights import fuse_weighted

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

_HOMES = {
    "AsyncMemory": ".api.client",
    "Memory": ".api.sync",
    "MemoryOptions": ".engine.options",
    "fuse_weighted": ".recall.fusion_weights",
    **dict.fromkeys(
        ("EventKind", "MemoryItem", "MemoryStatus", "MemoryType", "Message", "Scope", "Turn"),
        ".model.types",
    ),
}
"""The modules of the names; those of all others are in `_ERRORS`."""
_ERRORS = ".model.errors"


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(_import_module(_HOMES.get(name, _ERRORS), __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
