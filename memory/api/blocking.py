"""The parts of `Memory`: those of `AsyncMemory`, and each of the same methods blocks.

`blocking.pyi` says them one by one, for type checkers and editors; `python -m tests.golden.write`
makes it.
"""

from __future__ import annotations

from functools import wraps
from inspect import iscoroutinefunction, signature
from typing import Any

from .client import AsyncMemory
from .portal import Portal, blocking
from .table import PARTS

_APART = frozenset({"open", "from_config", "close"})
"""What `Memory` has in its own way."""


class _Part:
    """What has the methods of a part of an `AsyncMemory`."""

    def __init__(self, portal: Portal, memory: Any) -> None:
        self._portal, self._memory = portal, memory


def methods_of(owner: type) -> dict[str, Any]:
    """The methods that programs call, each of which blocks; of a part its properties, too."""
    names = [name for name in dir(owner) if not name.startswith("_") and name not in _APART]
    made = {name: _blocks(owner, name) for name in names}
    return {name: each for name, each in made.items() if each is not None}


def _blocks(owner: type, name: str) -> Any:
    """A method that blocks, or a property; None for what only the library asks."""
    each, whole = getattr(owner, name), owner is AsyncMemory
    if isinstance(each, property):
        return None if whole else _asked_of_part(each)
    asked = iscoroutinefunction(each) and (whole or "user_id" in signature(each).parameters)
    return blocking(each) if asked else None


def _asked_of_part(asked: Any) -> property:
    @wraps(asked.fget)
    def get(self: Any) -> Any:
        return asked.fget(self._memory)

    return property(get)


def _made(part: str, owner: type) -> type:
    told = f"`{owner.__name__}` for programs without an event loop: each of the methods blocks."
    name = f"Blocking{part.title()}"
    return type(name, (_Part,), {"__doc__": told, "__module__": __name__, **methods_of(owner)})


BLOCKING_PARTS = {name: _made(name, owner) for name, [owner, *_] in PARTS.items() if name}
"""By their names."""
