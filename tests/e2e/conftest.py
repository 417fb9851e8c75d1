"""A tenant of the product that all tests share, with model servers of its own, all scripted."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.gateway import Gateway, Tenant, gateway
from tests.support.scripted import ScriptedModel

__all__ = ["gateway"]


@pytest.fixture
async def model() -> AsyncIterator[ScriptedModel]:
    """The model that chats."""
    async with ScriptedModel("I see.") as server:
        yield server


@pytest.fixture
async def extractor() -> AsyncIterator[ScriptedModel]:
    """The model that learns."""
    async with ScriptedModel() as server:
        yield server


@pytest.fixture
def tenant(gateway: Gateway, model: ScriptedModel, extractor: ScriptedModel) -> Tenant:
    """Somebody new, served by the two."""
    return gateway.tenant().served_by(model, extractor)
