"""Two workers on one sealed file: what users said is in no file of theirs, and gone with the key."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.memory.sealing.opened import MASTER, contents, found_in
from tests.memory.sealing.test_forgetting import FIRST, LAST, NAMES
from tests.support.product import Product
from tests.support.scripted import ScriptedModel
from tests.support.workers import Through, all_serve

pytestmark = pytest.mark.process

WORDS = [*NAMES, *FIRST, *LAST]
SCOPE = {"user_id": "anna"}


async def leave(through: Through) -> None:
    """Say every name in a chat, and keep each as a memory and in a block."""
    for at in range(0, len(NAMES), 8):
        said = " ".join(f"My friend {name} lives in Tbilisi." for name in NAMES[at : at + 8])
        await through.chat(said, "anna")
    for name in NAMES:
        body = {"messages": f"My friend {name} likes tea", "infer": False, **SCOPE}
        await through.post("/v1/memories/", body)


async def found(through: Through) -> set[str]:
    """The names that a search of her memories shows."""
    shown = await through.get("/v1/memories/", **SCOPE, limit=200)
    return {name for name in NAMES if name in str(shown)}


async def forgotten(through: Through) -> Any:
    """The receipt of forgetting her."""
    return await through.post("/v1/memories/forget", {**SCOPE, "all": True})


async def test_no_file_has_a_name_and_the_key_goes(tmp_path: Path, models_dir: Path) -> None:
    """Data, logs and what workers leave beside, while they run, after forgetting, and at the end."""
    folder = tmp_path / "data"
    async with ScriptedModel() as upstream:
        product = Product(
            folder,
            upstream__base_url=upstream.base_url,
            embedder__model_dir=models_dir,
            listen__workers=2,
            database__encryption="per_user",
            database__master_key=MASTER,
            index__backend="exact",
            api__audit="all",
        )
        with product:
            await all_serve(product.url, 2)
            sessions = [aiohttp.ClientSession() for _ in range(6)]
            every = [Through(session, product.url) for session in sessions]
            await leave(every[0])
            for through in every:  # whichever worker each has
                assert await found(through) == set(NAMES)
            assert found_in(tmp_path, WORDS) == []
            receipt = await forgotten(every[0])
            assert receipt["keys_destroyed"] == 1
            for through in every:
                assert await found(through) == set()
            # A worker that had her key makes her a new one.
            await asyncio.gather(*(each.chat(f"{NAMES[0]} is back.", "anna") for each in every))
            assert found_in(tmp_path, WORDS) == []
            for session in sessions:
                await session.close()
    assert found_in(tmp_path, WORDS) == []
    assert {"recollect.db", "recollect.db.keys"} <= {name for name, _ in contents(folder)}
