"""The texts of a memory that is open here."""

from __future__ import annotations

import pytest

from recollect.memory import AsyncMemory
from recollect.memory.model.errors import NotFoundError
from recollect.proxy.mcp.sources import OpenSources
from tests.support.wired import Wired


async def test_they_are_those_of_one_scope():
    """What others have is not there."""
    async with Wired() as wired:
        memory = AsyncMemory(wired.engine, tenant="local")
        await memory.blocks.define("plan", value="1. Pack", user_id="ada")
        told = [{"role": "user", "content": "I am allergic to peanuts."}]
        await memory.add(told, user_id="ada", infer=False)
        ada, bob = (OpenSources(memory, {"user_id": user}) for user in ("ada", "bob"))
        assert (await ada.block("plan"))["value"] == "1. Pack"
        assert [each["label"] for each in (await ada.blocks())["results"]] == ["plan"]
        assert len((await ada.profile())["results"]) == 1
        assert (await bob.blocks())["results"] == (await bob.profile())["results"] == []
        with pytest.raises(NotFoundError):
            await bob.block("plan")
