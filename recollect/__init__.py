"""Long-term memory for any OpenAI client.

    from recollect import AsyncMemory, Memory

Names are loaded when they are first used: importing this package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .memory import *  # noqa: F403 - its names are those of this package

__version__: str
"""The installed version."""


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version()
    memory = import_module(".memory", __name__)
    if name not in {"__all__", *memory.__all__}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(memory, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__"), "__version__"})


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("recollect")
    except PackageNotFoundError:
        return "(not installed)"
