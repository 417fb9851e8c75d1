from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from recollect.memory.api.client import AsyncMemory
from tests.memory.tools.opened import OPTIONS


@pytest.fixture
async def memory() -> AsyncIterator[AsyncMemory]:
    async with await AsyncMemory.open(OPTIONS) as opened:
        yield opened
