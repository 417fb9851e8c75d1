"""A policy of no rules, where a part must have one."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.memory.model.types import MemoryItem
from recollect.memory.recall import Withholding


class _Nothing:
    async def get(self, tenant: str, ids: Sequence[str]) -> Sequence[MemoryItem]:
        """Nobody asks: nothing is kept from anybody."""
        raise AssertionError(tenant, ids)


def no_policy() -> Withholding:
    """Keeps nothing from any model."""
    return Withholding((), _Nothing())
