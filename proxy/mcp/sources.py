"""The texts of a memory that is open in this process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recollect.memory import AsyncMemory


class OpenSources:
    """Those of one scope."""

    def __init__(self, memory: AsyncMemory, ids: Mapping[str, str]) -> None:
        self._memory = memory
        self._ids = ids

    async def profile(self) -> Mapping[str, Any]:
        return await self._memory.profile(**self._ids)

    async def blocks(self) -> Mapping[str, Any]:
        return await self._memory.blocks.list(**self._ids)

    async def block(self, label: str) -> Mapping[str, Any]:
        return await self._memory.blocks.get(label, **self._ids)
