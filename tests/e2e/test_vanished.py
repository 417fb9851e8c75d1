"""The folder of the data goes away under a running product: nothing is lost in silence."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.support.here import ProductHere
from tests.support.scripted import ScriptedModel
from tests.support.waiting import until

pytestmark = pytest.mark.process
TURNS = 8


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[ProductHere]:
    async with ScriptedModel() as upstream:
        product = ProductHere(
            folder,
            upstream__base_url=upstream.base_url,
            embedder__backend="fake",
            learn__every_turns=1000,
        )
        async with product:
            yield product


async def chats(product: ProductHere, about: str, count: int = TURNS) -> list[int]:
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


async def ready(product: ProductHere) -> dict[str, Any]:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{product.url}/readyz") as answer,
    ):
        return await answer.json()


async def told(product: ProductHere, status: str) -> dict[str, Any]:
    async def it() -> dict[str, Any] | None:
        found = await ready(product)
        return found if found["status"] == status and not found["jobs"].get("waiting") else None

    return await until(it, f"/readyz to say {status}")


def kept(folder: Path, about: str) -> int:
    """How many of these turns are in the file."""
    file = f"{(folder / 'recollect.db').as_uri()}?mode=ro"
    with closing(sqlite3.connect(file, uri=True)) as connection:
        like = f"My locker {about} %"
        sql = "SELECT count(*) FROM turns WHERE user_text LIKE ?"
        return int(connection.execute(sql, [like]).fetchone()[0])


async def test_a_folder_that_goes_away_loses_no_turn_in_silence(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Moved away and back: chats answer, `/readyz` says at once what is gone, every turn is in the file.

    Removed: as many turns are lost as are counted; an empty folder in its place is not filled
    behind one's back.
    """
    folder = tmp_path / "data"
    async with running(folder) as product:
        assert set(await chats(product, "before")) == {200}
        folder.rename(tmp_path / "elsewhere")
        assert set(await chats(product, "during")) == {200}
        gone = await ready(product)
        assert gone["status"] == "degraded"
        assert (gone["jobs"]["waiting"], gone["jobs"]["lost"]) == (TURNS, 0)
        assert gone["parts"]["database"] == gone["parts"]["capture"] == "state_gone"
        assert not folder.exists()
        (tmp_path / "elsewhere").rename(folder)
        await told(product, "ok")
        assert set(await chats(product, "after")) == {200}
        assert (await ready(product))["jobs"]["lost"] == 0
        shutil.copytree(folder, tmp_path / "copy")
        shutil.rmtree(folder)
        assert set(await chats(product, "without")) == {200}
        gone = await ready(product)
        assert gone["status"] == "degraded"
        assert gone["jobs"]["waiting"] + gone["jobs"]["lost"] == TURNS
        folder.mkdir()
        assert set(await chats(product, "later")) == {200}
        found = (await ready(product))["jobs"]
        assert found["waiting"] + found["lost"] == 2 * TURNS
        assert list(folder.iterdir()) == []
    assert f"{2 * TURNS} turns are lost" in caplog.text
    kept_turns = [kept(tmp_path / "copy", about) for about in ("before", "during", "after")]
    assert kept_turns == [TURNS] * 3


async def test_any_file_that_is_removed_is_noticed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever is open: within seconds, without a request, in the log and in `/readyz`."""
    folder = tmp_path / "data"
    async with running(folder) as product:
        assert set(await chats(product, "before", 2)) == {200}
        name = "recollect.db-wal"
        (folder / name).unlink()
        await until(lambda: f"{name} is gone: " in caplog.text, f"{name} in the log")
        assert (await ready(product))["status"] == "degraded"
