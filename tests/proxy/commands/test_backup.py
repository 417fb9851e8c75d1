"""`recollect backup`, as a person calls it beside a running product."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from recollect.memory.util.tasks import Tasks
from recollect.proxy.cli import main
from tests.memory.sealing.opened import MASTER, opened
from tests.support.budget import FACTOR, WHOLE
from tests.support.folding import rows
from tests.support.here import ProductHere
from tests.support.product import Product
from tests.support.scripted import ScriptedModel

WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
SETTINGS = {"embedder__backend": "fake", "learn__in_process": False}


async def add(session: aiohttp.ClientSession, product: Product | ProductHere, text: str) -> None:
    body = {"messages": text, "user_id": "alice", "infer": False}
    async with session.post(f"{product.url}/v1/memories/", json=body) as answer:
        assert answer.status == 200, await answer.text()


async def texts(session: aiohttp.ClientSession, product: Product | ProductHere) -> set[str]:
    query = {"user_id": "alice", "limit": "100"}
    async with session.get(f"{product.url}/v1/memories/", params=query) as answer:
        return {each["memory"] for each in (await answer.json())["results"]}


async def keep_adding(session: aiohttp.ClientSession, product: Product) -> None:
    number = 0
    while True:
        number += 1
        await add(session, product, f"Bicycle number {number} is {WORDS[number % 10]}")


@pytest.mark.process
@rows("workers", [1, 2] if FACTOR >= WHOLE else [2])
async def test_a_backup_of_a_running_product(workers: int, tmp_path: Path, environ: Any) -> None:
    """While memories are written: all that were acknowledged before are in it, and it starts."""
    environ.setenv("RECOLLECT_INDEX__BACKEND", "milvus")
    first = {f"Alice's canoe is called {word}" for word in WORDS}
    async with ScriptedModel("ok") as upstream, aiohttp.ClientSession() as session:
        given = SETTINGS | {"upstream__base_url": upstream.base_url}
        async with Product(tmp_path / "data", listen__workers=workers, **given) as product:
            for text in sorted(first):
                await add(session, product, text)
            writing = Tasks()
            writing.start(keep_adding(session, product), name="adding")
            assert await asyncio.to_thread(main, ["backup", str(tmp_path / "backup")]) == 0
            await writing.drain(0)
            await add(session, product, "Alice moved after the backup")
        assert not list((tmp_path / "data").glob("*.snapshot"))
        new = ["restore", "--data-dir", str(tmp_path / "new"), str(tmp_path / "backup")]
        assert await asyncio.to_thread(main, new) == 0
        async with ProductHere(tmp_path / "new", **given) as product:
            found = await texts(session, product)
    assert first <= found
    assert "Alice moved after the backup" not in found


def test_what_is_not_in_it_is_said(tmp_path: Path, environ: Any, capsys: Any) -> None:
    """A database that is in no file, and that a backup keeps what is forgotten later."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tokens.json").write_text("{}")
    environ.setenv("RECOLLECT_DATABASE__URL", ":memory:")
    assert main(["backup", str(tmp_path / "backup")]) == 0
    told = capsys.readouterr().err
    assert "not in it: the database" in told
    assert "keeps what is forgotten from now on" in told


async def test_the_keys_of_users_are_not_in_it(tmp_path: Path, environ: Any, capsys: Any) -> None:
    """Whoever makes one is told which file to copy, and why not to keep older copies."""
    file = tmp_path / "data" / "recollect.db"
    file.parent.mkdir()
    await (await opened(file)).close()
    environ.setenv("RECOLLECT_DATABASE__ENCRYPTION", "per_user")
    environ.setenv("RECOLLECT_DATABASE__MASTER_KEY", MASTER)
    environ.setenv("RECOLLECT_INDEX__BACKEND", "exact")
    assert await asyncio.to_thread(main, ["backup", str(tmp_path / "backup")]) == 0
    told = capsys.readouterr().err
    assert f"Copy {file}.keys now" in told
    assert "in place of the copy before" in told
    assert not (tmp_path / "backup" / "recollect.db.keys").exists()
