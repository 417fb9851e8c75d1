"""Rows of one test share their products."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.hostile.facing import keeping


@pytest.fixture(autouse=True)
async def kept_products() -> AsyncIterator[None]:
    """A start costs a hundred times what a request does."""
    async with keeping():
        yield
