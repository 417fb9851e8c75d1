"""Opening a sealed database: what does not fit is refused, and nothing is overwritten."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from recollect.memory.database import ScriptRunner
from recollect.memory.database.blocks import SqlBlocks
from recollect.memory.database.postgres import PostgresScripts, open_postgres
from recollect.memory.database.scripts import each
from recollect.memory.database.sealing import master_key as reading
from recollect.memory.database.sealing.user_keys import KEYS
from recollect.memory.database.sqlite import SqliteScripts
from recollect.memory.database.sqlite.database import Database
from recollect.memory.engine.options import EngineOptions, contradictions
from recollect.memory.model.blocks import Author, Block
from recollect.memory.model.errors import EncryptionError
from recollect.memory.model.types import Scope, utc_now
from tests.memory.sealing.opened import MASTER, OTHER, contents, opened, options
from tests.support.postgres_server import empty_database

ANNA = Scope(tenant="t", user_id="anna")


def block(scope: Scope = ANNA, value: str = "likes tea", name: str = "b") -> Block:
    """A text of a user."""
    now = utc_now()
    return Block(
        id=name, scope=scope, label="about", description="", value=value, limit=100,
        read_only=False, version=1, author=Author.PERSON, created_at=now, updated_at=now,
    )  # fmt: skip


@pytest.fixture(params=["sqlite", "postgres"])
async def place(request, tmp_path):
    """Where a database can be made."""
    if request.param == "sqlite":
        yield tmp_path / "recollect.db"
        return
    async with empty_database(request.getfixturevalue("postgres")) as url:
        yield url


async def filled(place: object) -> None:
    """A sealed database with a text."""
    scripts = await opened(place)
    assert await SqlBlocks(scripts).create(block())
    await scripts.close()


async def test_it_is_read_again(place):
    """With the same master key, in a process that has never seen the keys."""
    await filled(place)
    scripts = await opened(place)
    [found] = await SqlBlocks(scripts).for_scope(ANNA)
    assert (found.label, found.value) == ("about", "likes tea")
    await scripts.close()


async def test_another_master_key_is_refused(place):
    """And the right one still opens it."""
    await filled(place)
    with pytest.raises(EncryptionError, match=r"database\.master_key is not the one"):
        await opened(place, OTHER)
    scripts = await opened(place)
    assert await SqlBlocks(scripts).for_scope(ANNA)
    await scripts.close()


async def test_without_encryption_it_is_refused(place):
    """Its texts would be read as they are, and others be written in the open beside."""
    await filled(place)
    with pytest.raises(EncryptionError, match=r"set database\.encryption and database\.master_key"):
        await opened(place, None)


async def test_what_was_made_in_the_open_is_refused(place):
    """Half of it sealed would be a promise that does not hold; an empty database is sealed."""
    scripts = await opened(place, None)
    await scripts.close()
    scripts = await opened(place)
    await scripts.close()


async def test_texts_in_the_open_are_not_taken_over(place):
    """It says what to do, and the database is as it was."""
    scripts = await opened(place, None)
    await SqlBlocks(scripts).create(block())
    await scripts.close()
    with pytest.raises(EncryptionError, match="`recollect memories export"):
        await opened(place)
    scripts = await opened(place, None)
    [found] = await SqlBlocks(scripts).for_scope(ANNA)
    assert found.value == "likes tea"
    await scripts.close()


async def test_keys_that_are_gone_or_of_another_database_are_refused(tmp_path):
    """No new ones are made, and nothing is changed."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        await filled(tmp_path / name / "recollect.db")
    keys = tmp_path / "one" / "recollect.db.keys"
    kept = keys.read_bytes()
    keys.unlink()
    before = dict(contents(tmp_path / "one"))
    with pytest.raises(EncryptionError, match="put back the latest copy"):
        await opened(tmp_path / "one" / "recollect.db")
    assert dict(contents(tmp_path / "one")) == before
    keys.write_bytes((tmp_path / "two" / "recollect.db.keys").read_bytes())
    with pytest.raises(EncryptionError, match="are of another database"):
        await opened(tmp_path / "one" / "recollect.db")
    keys.write_bytes(kept)
    scripts = await opened(tmp_path / "one" / "recollect.db")
    assert await SqlBlocks(scripts).for_scope(ANNA)
    await scripts.close()


async def test_keys_that_are_all_gone_can_be_put_back(place):
    """No new one is made in their place, which would be in the way of those that belong there."""
    await filled(place)
    keys = await stored_keys(place)
    kept = await keys.rows("SELECT * FROM user_keys", {}, tuple)
    await keys.statement("DELETE FROM user_keys", {})
    with pytest.raises(EncryptionError, match="has no keys: put back the latest copy of them"):
        await opened(place)
    values = [{f"v{at}": value for at, value in enumerate(row)} for row in kept]
    back = "INSERT INTO user_keys VALUES (:v0, :v1, :v2, :v3, :v4, :v5)"
    await keys.change(lambda: each(back, values), tenants=(), erases=True)
    await keys.close()
    scripts = await opened(place)
    [found] = await SqlBlocks(scripts).for_scope(ANNA)
    assert found.value == "likes tea"
    await scripts.close()


async def stored_keys(place: object) -> ScriptRunner:
    """The keys alone, as whoever copies them reads them."""
    if isinstance(place, Path):
        file = place.with_name("recollect.db.keys")
        return SqliteScripts(await Database.open(file, KEYS, synchronous="full"))
    return await open_postgres(str(place), is_sealed=True)


def linked(link: Path, file: Path) -> Path:
    """A link, as Kubernetes mounts secrets."""
    link.symlink_to(file.name)
    return link


def said(folder: Path, how: str) -> str:
    """A way to tell the master key, or one that fails."""
    file = folder / "master"
    file.write_text(f"{MASTER}\n")
    program = folder / "keys"
    program.write_text(f"#!/bin/sh\necho {MASTER}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return {
        "itself": MASTER,
        "hex": bytes(range(32)).hex(),
        "file": f"file:{file}",
        "command": f"command:{program} now",
        "link": f"file:{linked(folder / 'link', file)}",
        "no file": f"file:{folder / 'gone'}",
        "no home": "file:~who-is-that/key",
        "no command": f"command:{folder / 'gone'}",
        "a command that fails": "command:false",
        "an empty command": "command:",
        "too short": "c2hvcnQ=",
        "no key": "file:" + os.devnull,
    }[how]


@pytest.mark.parametrize(
    "how", ["itself", "hex", "file", "link", pytest.param("command", marks=pytest.mark.process)]
)
async def test_the_master_key_is_told_in_several_ways(tmp_path, how):
    """The same key, from the setting, a file, or a command that prints it."""
    await filled(tmp_path / "recollect.db")
    scripts = await opened(tmp_path / "recollect.db", said(tmp_path, how))
    assert await SqlBlocks(scripts).for_scope(ANNA)
    await scripts.close()


@pytest.mark.parametrize(
    "how",
    [
        "no file",
        "no home",
        "an empty command",
        "too short",
        "no key",
        pytest.param("no command", marks=pytest.mark.process),
        pytest.param("a command that fails", marks=pytest.mark.process),
    ],
)
async def test_a_master_key_that_is_lost_is_refused(tmp_path, how):
    """The error names the key of the configuration and never the master key."""
    with pytest.raises(EncryptionError, match=r"database\.master_key") as error:
        await opened(tmp_path / "recollect.db", said(tmp_path, how))
    assert "c2hvcnQ=" not in str(error.value)
    assert not (tmp_path / "recollect.db.keys").exists()


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("pipe", "expected a file, {} is a named pipe"),
        ("folder", "expected a file, {} is a folder"),
        ("device", "expected a file, {} is a device or a socket"),
        ("empty", "{} is empty"),
        ("a gigabyte", "{} is no key"),
    ],
)
async def test_what_is_no_file_with_a_key_is_named(tmp_path, kind, told):
    """It is refused before it is read: a pipe would be waited for, a device never ends."""
    file = tmp_path / "master"
    match kind:
        case "pipe":
            os.mkfifo(file)
        case "folder":
            file.mkdir()
        case "device":
            file.symlink_to("/dev/zero")
        case _:
            file.touch()
            os.truncate(file, 0 if kind == "empty" else 2**30)
    with pytest.raises(EncryptionError) as error:
        await opened(tmp_path / "recollect.db", f"file:{file}")
    assert str(error.value).startswith(f"database.master_key: {told.format(file)}")
    assert not (tmp_path / "recollect.db.keys").exists()


@pytest.mark.process
@pytest.mark.parametrize(
    ("program", "seconds", "why"),
    [
        ("sleep 600", 0.1, "the command sleep gave no key in 0.1 s"),
        ("sh -c 'exit 3'", 600, "the command sh ended with 3"),
        ("'", 600, "No closing quotation"),
        ("/gone/program", 600, "No such file"),
    ],
)
async def test_what_became_of_the_command_is_told(tmp_path, monkeypatch, program, seconds, why):
    """By the name of the program: what else is in the command may be a secret, and is not told."""
    monkeypatch.setattr(reading, "_SECONDS", seconds)
    with pytest.raises(EncryptionError, match=why) as error:
        await opened(tmp_path / "recollect.db", f"command:{program}")
    assert program == "'" or program not in str(error.value)


async def test_an_unreachable_server_is_tried_again():
    """A PostgreSQL that is down at the start is no reason to refuse, as without keys."""
    scripts = await opened("postgresql://nobody@127.0.0.1:9/none")
    await scripts.close()
    assert not isinstance(scripts, PostgresScripts)


def test_what_would_be_kept_in_the_open_beside_is_refused(tmp_path):
    """An index of vectors is on a disk or on a server; and keys need a master key."""
    sealed = EngineOptions.model_validate(
        {"database": {"encryption": "per_user"}, "index": {"backend": "milvus"}}
    )
    found = dict(contradictions(sealed))
    assert found.keys() == {"database.master_key", "index.backend"}
    assert "database.encryption" in found["index.backend"]
    right = EngineOptions(database=options(tmp_path / "recollect.db"))
    assert not dict(contradictions(right))
