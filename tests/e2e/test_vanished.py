"""The folder of the data goes away under a running product: nothing is lost in silence."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.support.product import Product
from tests.support.scripted import ScriptedModel
from tests.support.waiting import until

pytestmark = pytest.mark.process
TURNS = 20


@asynccontextmanager
async def running(folder: Path, models_dir: Path, **settings: Any) -> AsyncIterator[Product]:
    async with ScriptedModel() as upstream:
        product = Product(
            folder,
            upstream__base_url=upstream.base_url,
            embedder__model_dir=models_dir,
            recall__deadline_ms=5000,
            learn__every_turns=1000,
            **settings,
        )
        await asyncio.to_thread(product.start)
        try:
            yield product
        finally:
            await asyncio.to_thread(product.stop)


async def chats(product: Product, about: str, count: int = TURNS) -> list[int]:
    """The statuses of that many chats, each a conversation of its own."""
    statuses = []
    async with aiohttp.ClientSession() as session:
        for number in range(count):
            said = [{"role": "user", "content": f"My locker {about} {number} is in hall {number}."}]
            body = {"model": "m", "user": "alice", "messages": said}
            async with session.post(f"{product.base_url}/chat/completions", json=body) as answer:
                statuses.append(answer.status)
                await answer.read()
    return statuses


async def ready(product: Product) -> dict[str, Any]:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{product.url}/readyz") as answer,
    ):
        return await answer.json()


async def told(product: Product, status: str) -> dict[str, Any]:
    async def it() -> dict[str, Any] | None:
        found = await ready(product)
        return found if found["status"] == status and not found["jobs"].get("waiting") else None

    return await until(it, f"/readyz to say {status}")


def kept(folder: Path, about: str) -> int:
    """How many of these turns are in the file."""
    file = f"{(folder / 'state.db').as_uri()}?mode=ro"
    with closing(sqlite3.connect(file, uri=True)) as connection:
        like = f"My locker {about} %"
        sql = "SELECT count(*) FROM turns WHERE user_text LIKE ?"
        return int(connection.execute(sql, [like]).fetchone()[0])


async def test_a_folder_that_is_moved_away_and_back_loses_no_turn(
    tmp_path: Path, models_dir: Path
) -> None:
    """Chats answer, `/readyz` says at once what is gone, and every turn is in the file after it."""
    folder = tmp_path / "data"
    async with running(folder, models_dir) as product:
        assert set(await chats(product, "before")) == {200}
        folder.rename(tmp_path / "elsewhere")
        assert set(await chats(product, "during")) == {200}
        gone = await ready(product)
        assert gone["status"] == "degraded"
        assert (gone["jobs"]["waiting"], gone["jobs"]["lost"]) == (TURNS, 0)
        assert gone["parts"]["state"] == gone["parts"]["capture"] == "state_gone"
        assert gone["parts"]["store"] == "store_gone"
        assert not folder.exists()
        (tmp_path / "elsewhere").rename(folder)
        await told(product, "ok")
        assert set(await chats(product, "after")) == {200}
        assert (await ready(product))["jobs"]["lost"] == 0
    assert [kept(folder, about) for about in ("before", "during", "after")] == [TURNS] * 3


async def test_a_folder_that_is_removed_costs_exactly_what_is_counted(
    tmp_path: Path, models_dir: Path
) -> None:
    """No turn is said to be kept; an empty folder in its place is not filled behind one's back."""
    folder = tmp_path / "data"
    async with running(folder, models_dir) as product:
        assert set(await chats(product, "before")) == {200}
        shutil.rmtree(folder)
        assert set(await chats(product, "during")) == {200}
        gone = await ready(product)
        assert gone["status"] == "degraded"
        assert gone["jobs"]["waiting"] + gone["jobs"]["lost"] == TURNS
        folder.mkdir()
        assert set(await chats(product, "later")) == {200}
        found = (await ready(product))["jobs"]
        assert found["waiting"] + found["lost"] == 2 * TURNS
        assert list(folder.iterdir()) == []
    assert f"{2 * TURNS} turns are lost" in product.log()


@pytest.mark.parametrize("name", ["state.db", "state.db-wal", "history.db", "memories.db/LOCK"])
async def test_one_file_that_is_removed_is_noticed(
    tmp_path: Path, models_dir: Path, name: str
) -> None:
    """Whatever is open: within seconds, without a request, in the log and in `/readyz`."""
    folder = tmp_path / "data"
    async with running(folder, models_dir) as product:
        assert set(await chats(product, "before", 2)) == {200}
        (folder / name).unlink()

        async def logged() -> bool:
            return "is gone: " in product.log()

        await until(logged, "the log to say that it is gone")
        assert (await ready(product))["status"] == "degraded"
