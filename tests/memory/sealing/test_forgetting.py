"""A user who is forgotten cannot be read any more, wherever a copy is."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import pytest

from recollect import AsyncMemory
from recollect.memory.database import ScriptRunner, open_database
from recollect.memory.database.blocks import SqlBlocks
from recollect.memory.database.tasks import FORGOTTEN
from recollect.memory.engine.engine import Engine
from recollect.memory.maintenance.backup import back_up
from recollect.memory.maintenance.restoring import restore
from recollect.memory.model.errors import EncryptionError
from recollect.memory.model.tasks import TaskState
from recollect.memory.model.types import Job, Recent, Scope
from recollect.memory.state import state_of
from tests.memory.forget.parts import EMBEDDER, KEY, NOON, record, turn
from tests.memory.sealing.opened import MASTER, contents, engine_options, found_in, opened, options
from tests.memory.sealing.test_opening import ANNA, block
from tests.memory.state.contracts.tasks import roomy, running
from tests.support.parts import engine_of
from tests.support.postgres_server import PostgresAt, empty_database

BEN = Scope(tenant="local", user_id="ben")
ALL = Scope(tenant="local", user_id="anna")
FIRST = [
    "Zebulon",
    "Quincy",
    "Ottoline",
    "Thaddeus",
    "Wilhelmina",
    "Cornelius",
    "Philippa",
    "Barnabas",
]
LAST = ["Quackenbush", "Featherstone", "Ravenscroft", "Higginbotham", "Wolfeschlegel"]
NAMES = [f"{first} {last}" for first in FIRST for last in LAST]
assert len(NAMES) == 40


def nothing(_more: int) -> None:
    """Progress that nobody looks at."""


@contextlib.asynccontextmanager
async def memory_at(
    place: object, master: str | None = MASTER
) -> AsyncIterator[tuple[AsyncMemory, Engine, ScriptRunner]]:
    """A memory on a sealed database, or without a master key on one in the open."""
    scripts = await opened(place, master)
    options = engine_options(place, master)
    engine = engine_of(state=state_of(scripts), embedder=EMBEDDER, options=options)
    try:
        yield AsyncMemory(engine), engine, scripts
    finally:
        await engine.close()
        await scripts.close()


async def plant(memory: AsyncMemory, engine: Engine, scripts: ScriptRunner, user: str) -> None:
    """Leave every name wherever a text of a user can be."""
    scope = Scope(tenant="local", user_id=user)
    state = state_of(scripts)
    for number, name in enumerate(NAMES):
        said = f"I met {name} in Tbilisi"
        added = await memory.add(said, user_id=user, infer=False, metadata={"friend": name})
        await memory.update(added["results"][0]["id"], f"{said} again")
        told = turn(f"{user}{number}", said, scope, f"{user}c{number}")
        await state.conversations.record(told)
        await state.conversations.annotate([(Recent(told), f"about {name}")])
        row = replace(record(f"{user}{number}", said, name, scope), id=f"{user} record {number}")
        await engine.parts.history.append([row])
        job = Job(id=told.id, scope=scope, conversation_id=told.id, upto_seq=1, reason="test")
        await state.jobs.put(job)
        held = await state.jobs.claim(now=NOON, lease_seconds=60)
        assert held is not None
        assert await state.jobs.save_checkpoint(held, json.dumps(name))
        if number % 2:
            await state.jobs.dead_letter(held, error=f"cannot read {name}", raw=said)
        else:
            await state.jobs.retry(held, at=NOON, error=name)
    await SqlBlocks(scripts).create(block(scope, "; ".join(NAMES), name=f"{user} block"))
    task = await running(state.tasks, f"{user} task", "local")
    assert await state.tasks.step(task, "\n".join(NAMES).encode(), roomy)
    await state.tasks.end(task, TaskState.DONE, spare=True)
    if engine.graph is not None:
        await engine.graph.settled()


async def see(memory: AsyncMemory, user: str) -> set[str]:
    """The names that a user's memories say."""
    found = await memory.get_all(user_id=user, limit=100)
    return {name for name in NAMES for each in found["results"] if name in each["memory"]}


async def test_in_the_open_every_name_is_found(tmp_path: Path) -> None:
    """So that what looks for them below would find them."""
    async with memory_at(tmp_path / "recollect.db", None) as (memory, engine, scripts):
        await plant(memory, engine, scripts, "anna")
    assert {name for name, _ in found_in(tmp_path, NAMES)} == set(NAMES)


async def test_no_byte_of_a_name_is_in_a_file_while_it_is_used(tmp_path: Path) -> None:
    """Not in the database, its log, or what is beside."""
    folder = tmp_path / "data"
    async with memory_at(folder / "recollect.db") as (memory, engine, scripts):
        await plant(memory, engine, scripts, "anna")
        assert await see(memory, "anna") == set(NAMES)
        found = await memory.search("Zebulon Quackenbush", user_id="anna", limit=5)
        assert any("Zebulon Quackenbush" in each["memory"] for each in found["results"])
        assert found_in(folder, NAMES + FIRST + LAST) == []
    assert found_in(folder, NAMES + FIRST + LAST) == []
    assert sum(len(content) for _, content in contents(folder)) > 100_000


async def test_no_byte_of_a_name_is_in_a_file_of_the_server(postgres: PostgresAt) -> None:
    """Nor in the tables of PostgreSQL, or in its log, which standbys and archives get."""
    async with empty_database(postgres) as url:
        async with memory_at(url) as (memory, engine, scripts):
            await plant(memory, engine, scripts, "anna")
            assert await see(memory, "anna") == set(NAMES)
        server = await asyncpg.connect(url)
        await server.execute("CHECKPOINT")
        folder = Path(await server.fetchval("SHOW data_directory"))
        log = await server.fetchval("SELECT pg_walfile_name(pg_current_wal_lsn())")
        await server.close()
        names = re.compile("|".join(NAMES).encode(), re.IGNORECASE)
        files = dict(contents(folder))
        assert log in files
        assert [name for name, content in files.items() if names.search(content)] == []


@pytest.fixture(params=["sqlite", "postgres"])
async def place(request: Any, tmp_path: Path) -> AsyncIterator[object]:
    """Where a database can be made."""
    if request.param == "sqlite":
        yield tmp_path / "data" / "recollect.db"
        return
    async with empty_database(request.getfixturevalue("postgres")) as url:
        yield url


async def test_forgetting_destroys_the_key_and_says_so(place: object) -> None:
    """Another user's stays; and who comes back has a new one."""
    async with memory_at(place) as (memory, engine, scripts):
        await plant(memory, engine, scripts, "anna")
        await memory.add("Ben likes tea", user_id="ben", infer=False)
        receipt = await memory.forget_all(user_id="anna")
        assert (receipt["keys_destroyed"], receipt["verified"]) == (1, True)
        exported = await state_of(scripts).tasks.find("local", "anna task")
        assert exported is not None
        assert (exported.state, exported.file, exported.error) == (TaskState.FAILED, "", FORGOTTEN)
        assert await see(memory, "anna") == set()
        [left] = (await memory.get_all(user_id="ben"))["results"]
        assert left["memory"] == "Ben likes tea"
        await memory.add("Zebulon Quackenbush is back", user_id="anna", infer=False)
        assert await see(memory, "anna") == {"Zebulon Quackenbush"}
    async with memory_at(place) as (memory, _, _):
        assert await see(memory, "anna") == {"Zebulon Quackenbush"}


async def test_a_backup_from_before_cannot_be_read(tmp_path: Path) -> None:
    """It has no keys: with those that are there now the others' memories open, and his are gone."""
    folder, copy = tmp_path / "data", tmp_path / "backup"
    options = engine_options(folder / "recollect.db")
    async with memory_at(folder / "recollect.db") as (memory, engine, scripts):
        await plant(memory, engine, scripts, "anna")
        await memory.add("Ben likes tea", user_id="ben", infer=False)
        back_up(options, folder, copy, "1", nothing)
        await memory.forget_all(user_id="anna")
    assert found_in(tmp_path, NAMES + FIRST + LAST) == []
    assert {name for name, _ in contents(copy)} == {"recollect.db", "backup.json"}
    new = tmp_path / "new"
    new.mkdir()
    shutil.copyfile(folder / "recollect.db.keys", new / "recollect.db.keys")
    restore(engine_options(new / "recollect.db"), new, copy, nothing)
    async with memory_at(new / "recollect.db") as (memory, engine, scripts):
        assert await see(memory, "anna") == set()
        assert await memory.count(user_id="anna") in (0, {"count": 0})
        assert await SqlBlocks(scripts).for_scope(ALL) == []
        assert await state_of(scripts).conversations.recent(ALL, limit=9) == []
        # An export of the whole tenant has a key of its own, which went with the file.
        exported = await state_of(scripts).tasks.find("local", "anna task")
        assert exported is not None
        assert exported.size > 0
        assert await state_of(scripts).tasks.read(exported, 0) == b""
        [left] = (await memory.get_all(user_id="ben"))["results"]
        assert left["memory"] == "Ben likes tea"
    assert found_in(new, NAMES + FIRST + LAST) == []


async def test_a_backup_without_its_keys_is_not_opened(tmp_path: Path) -> None:
    """And a message says which file is missing."""
    folder, copy, new = tmp_path / "data", tmp_path / "backup", tmp_path / "new"
    async with memory_at(folder / "recollect.db") as (memory, _, _):
        await memory.add("Ben likes tea", user_id="ben", infer=False)
    back_up(engine_options(folder / "recollect.db"), folder, copy, "1", nothing)
    restore(engine_options(new / "recollect.db"), new, copy, nothing)
    with pytest.raises(EncryptionError, match=r"recollect\.db\.keys is gone"):
        await opened(new / "recollect.db")


async def test_who_dies_before_the_key_is_destroyed(place: object) -> None:
    """The next start destroys it, and not before the last of what it sealed is erased."""
    async with memory_at(place) as (memory, _, scripts):
        await memory.add("Zebulon Quackenbush", user_id="anna", infer=False)
        assert scripts.keys is not None
        await scripts.keys.retire(ALL)
    async with memory_at(place) as (memory, engine, scripts):
        assert await see(memory, "anna") == {"Zebulon Quackenbush"}
        [row] = (await memory.get_all(user_id="anna"))["results"]
        await scripts.keys.retire(ALL)
        await memory.forget(row["id"], user_id="anna")
        await engine.parts.history.erase_scope(ALL)
    async with memory_at(place) as (memory, _, scripts):
        assert await scripts.keys.destroy(ALL) == 0  # it was, at the start


async def test_a_tenant_that_is_forgotten_loses_all_its_keys(place: object) -> None:
    """Those of its users, and that of what has no user."""
    async with memory_at(place) as (memory, _, _):
        for ids in ({"user_id": "anna"}, {"user_id": "ben"}, {"agent_id": "helper"}):
            await memory.add("Zebulon Quackenbush", infer=False, **ids)
        receipt = await memory.forget_all(agent_id="helper")
        assert "keys_destroyed" not in receipt
        engine_receipt = await memory._engine.forgetter.forget_tenant("local")
        assert engine_receipt.keys == 3


async def test_another_process_seals_nothing_with_a_retired_key(place: object) -> None:
    """It has the key in memory, and notices that it was destroyed meanwhile."""
    one, other = [await open_database(options(place), owned=False) for _ in range(2)]
    assert await SqlBlocks(one).create(block(ANNA))
    assert await SqlBlocks(other).create(block(ANNA, name="c")) is False  # of the same label
    assert one.keys is not None
    await one.keys.retire(ANNA)
    await one.keys.destroy(ANNA)
    later = replace(block(ANNA, "comes later", name="d"), label="later")
    assert await SqlBlocks(other).create(later)
    for scripts in (one, other):
        assert [each.id for each in await SqlBlocks(scripts).for_scope(ANNA)] == ["d"]
        await scripts.close()


async def test_what_was_kept_in_the_open_moves_by_export_and_import(tmp_path: Path) -> None:
    """As the refusal says: with ids and texts, and no byte of them in the new folder."""
    old, new = tmp_path / "old", tmp_path / "new"
    async with memory_at(old / "recollect.db", None) as (memory, engine, scripts):
        await plant(memory, engine, scripts, "anna")
        before = {each["id"] for each in (await memory.get_all(user_id="anna"))["results"]}
        await memory.export_file(tmp_path / "export.jsonl", key=KEY)
    with pytest.raises(EncryptionError, match="recollect memories import"):
        await opened(old / "recollect.db")
    async with memory_at(new / "recollect.db") as (memory, _, _):
        await memory.import_file(tmp_path / "export.jsonl", key=KEY)
        assert {each["id"] for each in (await memory.get_all(user_id="anna"))["results"]} == before
        assert await see(memory, "anna") == set(NAMES)
    assert found_in(new, NAMES + FIRST + LAST) == []
