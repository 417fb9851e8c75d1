"""The library as a surface: what is awaited there is awaited in the thread of the place."""

from __future__ import annotations

import inspect
import operator
from typing import Any

from recollect.memory import AsyncMemory, RecollectError
from recollect.memory.api.blocking import BLOCKING_PARTS
from recollect.memory.api.sync import Memory
from tests.surfaces.surface import Refused, Surface

PARTS = {"": Memory} | {f"{name}.": part for name, part in BLOCKING_PARTS.items()}


def _public(part: type) -> list[str]:
    return [name for name, _ in inspect.getmembers(part, callable) if not name.startswith("_")]


class Library(Surface):
    name = "library"
    OPERATIONS = frozenset(
        prefix + name for prefix, part in PARTS.items() for name in _public(part)
    )

    def run(self, operation: str, /, **arguments: Any) -> Any:
        memory: AsyncMemory = self.place.memory(self.tenant)
        method = operator.attrgetter(operation)(memory)

        async def work() -> Any:
            return await method(**arguments)

        try:
            found = self.place.call(work())
        except RecollectError as error:
            raise Refused(error.code, str(error)) from error
        if found is None and operation == "get":
            raise Refused("not_found", f"there is no memory {arguments['memory_id']!r}")
        return found
