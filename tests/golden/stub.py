"""The stub of the blocking parts: each method that a program calls, for type checkers and editors."""

from __future__ import annotations

from collections.abc import Iterator

from recollect.memory.api.blocking import BLOCKING_PARTS, methods_of
from recollect.memory.api.client import AsyncMemory
from recollect.memory.api.table import PARTS
from tests.surfaces.place import Place

PATH = "../../memory/api/blocking.pyi"


def stub(_: Place) -> str:
    """Its text: the types of the methods are those of the parts, without what is awaited."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    owners = {name: owner for name, [owner, *_] in PARTS.items() if name}
    yield "# Made by `python -m tests.golden.write`.\n"
    yield "from collections.abc import Mapping\nfrom typing import Any\n"
    named = {AsyncMemory: "client"} | {
        each: each.__module__.split(".")[-1] for each in owners.values()
    }
    froms = [f"from .{module} import {each.__name__}" for each, module in named.items()]
    yield from sorted([*froms, "from .portal import Portal, blocking"])
    yield ""
    yield "def methods_of(owner: type) -> dict[str, Any]: ...\n"
    yield "class _Part:\n    def __init__(self, portal: Portal, memory: Any) -> None: ...\n"
    for name, owner in owners.items():
        yield from _class(f"{BLOCKING_PARTS[name].__name__}(_Part)", owner)
    yield from _class("Methods", AsyncMemory)
    yield from (f"    {name}: {each.__name__}" for name, each in BLOCKING_PARTS.items())
    yield "\nBLOCKING_PARTS: Mapping[str, type[_Part]]"


def _class(head: str, owner: type) -> Iterator[str]:
    yield f"class {head}:"
    for name, each in methods_of(owner).items():
        if isinstance(each, property):
            yield f"    @property\n    def {name}(self) -> {each.fget.__annotations__['return']}: ..."
        else:
            yield f"    {name} = blocking({owner.__name__}.{name})"
    yield ""
