"""`recollect check`: each part by itself."""

import resource
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from aiohttp import web

from recollect.config import load_settings
from recollect.memory.calibration import SAFE, save_calibration
from recollect.memory.database import open_database
from recollect.memory.model.errors import ModelRestsError, coded
from recollect.memory.model.types import Job, Scope, utc_now
from recollect.memory.state import state_of
from recollect.proxy.commands import checks
from recollect.proxy.commands.checks import check
from recollect.proxy.commands.findings import render
from tests.proxy.commands.answering import Upstream
from tests.support.folding import rows
from tests.support.ports import free_port

SAFE_384 = replace(SAFE, dim=384)
PARTS = [
    "python",
    "packages",
    "proxy",
    "data_dir",
    "callers",
    "languages",
    "embedder",
    "thresholds",
    "tokens",
    "database",
    "index",
    "learning",
    "upstream",
    "places",
    "learn.llm",
]


@pytest.fixture
def settings(tmp_path):
    """Make settings with everything in memory but what a test says."""

    def make(**environ):
        defaults = {
            "DATA_DIR": str(tmp_path / "data"),
            "EMBEDDER__BACKEND": "fake",
            "INDEX__BACKEND": "exact",
            "UPSTREAM__BASE_URL": f"http://127.0.0.1:{free_port()}/v1",
            # Not the usual one: whoever runs the tests may be using the product.
            "LISTEN__PORT": str(free_port()),
        }
        return load_settings(
            environ={f"RECOLLECT_{key}": value for key, value in (defaults | environ).items()}
        )

    return make


async def find(part, settings):
    return next(f for f in await check(settings) if f.part == part)


async def test_everything_works(settings):
    """With an upstream that answers, every part is fine; without a key 401 is an answer."""
    async with Upstream(401) as server:
        findings = await check(settings(UPSTREAM__BASE_URL=server.base_url))
    assert [f.part for f in findings] == PARTS
    assert all(f.ok for f in findings), render(findings)
    assert not any(f.mend for f in findings)


@pytest.fixture
def running(settings, aiohttp_server):
    """Settings of a proxy that runs and says this of itself; the answer can be changed."""

    async def make(said, **environ):
        async def ready(_request):
            return web.json_response(said)

        app = web.Application()
        app.router.add_get("/readyz", ready)
        return settings(LISTEN__PORT=str((await aiohttp_server(app)).port), **environ)

    return make


async def test_thresholds(settings, tmp_path):
    """Safe ones are told, measured ones too, and a broken file is named with a way to mend it."""
    found = await find("thresholds", settings())
    assert found.ok
    assert "recollect calibrate" in found.seen
    file = tmp_path / "data" / "calibration.json"
    save_calibration(file, "fake-words-384", SAFE_384, measured_at=utc_now(), counts={})
    assert (await find("thresholds", settings())).seen == "measured for fake-words-384"
    file.write_text("{")
    found = await find("thresholds", settings())
    assert not found.ok
    assert str(file) in found.seen
    assert found.mend


@pytest.mark.usefixtures("own_languages")
async def test_languages(settings, tmp_path):
    """A bad file is named with its line; the shipped ones are counted."""
    found = await find("languages", settings())
    assert found.ok
    assert int(found.seen) > 20
    (tmp_path / "xx.toml").write_text('code = "xx"\n', "utf-8")
    found = await find("languages", settings(LANGUAGE__PACKS=str(tmp_path)))
    assert not found.ok
    assert found.seen.startswith(f"language.packs: {tmp_path}/xx.toml:1: expected name = ")
    assert "recollect packs check" in found.mend


async def test_it_changes_nothing(settings, tmp_path):
    """What the first start makes is not made by a check; what is there is only opened."""
    findings = await check(settings(INDEX__BACKEND="milvus"))
    assert [f.part for f in findings if not f.ok] == ["upstream"]
    assert [f.part for f in findings if "first start" in f.seen] == [
        "data_dir",
        "database",
    ]
    assert list(tmp_path.iterdir()) == []


async def test_a_running_proxy_is_asked(running):
    """Its parts are not opened beside it; what it says about each is the finding, with advice."""
    said = {
        "status": "degraded",
        "parts": {"index": "ok", "database": "ok", "learning": "model_busy"},
        "advice": {"learning": "see the log", "jobs": "2 dead"},
    }
    chosen = await running(said, API__ENABLED="false")
    found = {f.part: f for f in await check(chosen)}
    assert {p for p, f in found.items() if not f.ok} == {"learning", "upstream"}
    assert found["learning"].mend == "see the log"
    assert "2 dead" in found["learning"].seen
    assert not chosen.data_dir.exists()


async def test_dead_jobs_are_a_failure_after_a_success_too(settings, tmp_path):
    """What they were to learn is not learned; the number is told, and what to do."""
    chosen = settings()
    async with claimed(chosen, tmp_path) as (state, job):
        await state.jobs.dead_letter(job, error="model_unreadable: no JSON")
        await state.jobs.put(replace(job, id="later", upto_seq=2))
        later = await state.jobs.claim(now=utc_now(), lease_seconds=60)
        await state.jobs.ack(later)
    found = await find("learning", chosen)
    assert not found.ok
    assert "1 dead" in found.mend
    assert "recollect jobs retry --all" in found.mend


async def test_a_server_that_is_down_is_told_as_a_server(running, settings):
    """Nobody looks for PostgreSQL in data_dir; parts that only need it point to it."""
    down = dict.fromkeys(("database", "redis", "capture", "learning"), "state_unavailable")
    servers = {
        "DATABASE__URL": "postgresql://127.0.0.1:1/d",
        "REDIS__URL": "redis://127.0.0.1:1",
    }
    chosen = await running({"status": "degraded", "parts": {"index": "ok"} | down}, **servers)
    found = {f.part: f.mend for f in await check(chosen)}
    assert found["database"] == "check database.url, the network, and that PostgreSQL runs"
    assert found["redis"] == "check redis.url, the network, and that Redis runs"
    assert found["capture"] == found["learning"] == "it needs database: see there"
    for part in ("database", "redis"):
        assert (await find(part, settings(**servers))).mend == found[part]


@asynccontextmanager
async def claimed(chosen, tmp_path):
    """A state with one job, which a worker has."""
    (tmp_path / "data").mkdir(parents=True)
    state = state_of(await open_database(chosen.database))
    await state.jobs.put(
        Job(
            id="j",
            scope=Scope(tenant="local", user_id="a"),
            conversation_id="c",
            upto_seq=1,
            reason="turns",
        )
    )
    yield state, await state.jobs.claim(now=utc_now(), lease_seconds=60)
    await state.close()


NAMED = {"learn__llm__base_url": "http://127.0.0.1:9/v1"}


@rows("named", [{}, NAMED])
async def test_a_model_that_is_left_alone_is_told(settings, tmp_path, named):
    """Since when, without a proxy too; it is no fault unless somebody chose that model."""
    rest = ModelRestsError.left_alone(
        "model_unreadable", "small", tries=3, since=utc_now(), until=utc_now()
    )
    folder = tmp_path / str(len(named))
    chosen = settings(DATA_DIR=str(folder / "data"), **named)
    async with claimed(chosen, folder) as (state, job):
        await state.jobs.retry(job, at=utc_now(), error=coded(rest), count=False)
    found = await find("learning", chosen)
    assert found.ok == (not named)
    assert "left alone since" in found.seen
    assert "(small, 3 tries without a readable answer)" in found.seen


async def test_a_damaged_database_is_told_and_left_alone(settings, tmp_path):
    """Looking repairs nothing: a proxy may be writing to that very file."""
    (tmp_path / "data").mkdir(exist_ok=True)
    file = tmp_path / "data" / "recollect.db"
    file.write_bytes(b"no database " * 500)
    findings = await check(settings())
    [finding] = [f for f in findings if f.part == "database"]
    assert not finding.ok
    assert "damaged" in finding.seen + finding.mend
    assert file.read_bytes() == b"no database " * 500
    assert not list((tmp_path / "data").glob("*.corrupt-*"))


@pytest.mark.process
async def test_the_command_of_the_master_key_is_asked_once_if_it_fails(settings, tmp_path):
    """One that hangs is waited for once; whatever else needs the database is not tried."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "recollect.db").touch()
    asked, program = tmp_path / "asked", tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho asked >> {asked}\nexit 3\n")
    program.chmod(0o700)
    keys = {"DATABASE__ENCRYPTION": "per_user", "DATABASE__MASTER_KEY": f"command:{program}"}
    found = {one.part: one for one in await check(settings(**keys))}
    assert asked.read_text() == "asked\n"
    assert f"database.master_key: the command {program} ended with 3" in found["database"].seen
    assert not found["database"].mend
    for part in ("index", "learning"):
        assert (found[part].ok, found[part].seen) == (False, "not tried: it needs database")


async def test_what_a_start_found_is_told(settings, tmp_path, monkeypatch):
    """A file that was set aside, another distribution's package of our name, an old Python."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "recollect.db.corrupt-1").write_bytes(b"")
    monkeypatch.setattr(checks, "collisions", lambda: ["the package `proxy` is also ..."])
    monkeypatch.setattr(checks, "OLDEST_PYTHON", (99, 0))
    found = {one.part: one for one in await check(settings())}
    assert "recollect.db.corrupt-1" in found["data_dir"].seen
    for part in ("packages", "python"):
        assert (found[part].ok, found[part].mend != "") == (False, True)


async def test_no_secret_is_shown(settings):
    """Keys of any part stay out of what people paste into issues."""
    findings = await check(
        settings(
            API__TOKEN="hidden-1",
            IDENTITY__HASH_KEY="hidden-2",
            LEARN__LLM__API_KEY="hidden-3",
        )
    )
    assert "hidden-" not in render(findings)


async def test_a_full_disk(settings, tmp_path):
    """It has room for an empty file, and is told all the same; nothing is left of the question."""
    chosen = settings()
    chosen.data_dir.mkdir()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        found = await find("data_dir", chosen)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not found.ok
    assert "make room" in found.mend
    assert not (tmp_path / "data" / ".write-probe").exists()
