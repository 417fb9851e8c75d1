"""The checks of `recollect check`: one for each part, with advice about failures."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from recollect.config import Settings
from recollect.memory.database.jobs import SqlJobs
from recollect.memory.engine.opening import (
    is_measured,
    open_the_database,
    open_the_embedder,
    open_the_memories,
    recorded,
    the_embedder,
    use_language_packs,
)
from recollect.memory.engine.options import LocalEmbedderOptions
from recollect.memory.index import open_index
from recollect.memory.index.port import IndexMissingError
from recollect.memory.jobs.learning_failures import recorded_trouble
from recollect.memory.language import packs
from recollect.memory.memories import index_name
from recollect.memory.memories.searching import FEW
from recollect.memory.model.errors import (
    EmbeddingError,
    EncryptionError,
    RecollectError,
    SaidOnlyError,
    StateDamagedError,
    StateError,
    StoreDamagedError,
    StoreError,
    StoreMismatchError,
)
from recollect.memory.model.types import JobState
from recollect.memory.util.registry import Registry
from recollect.memory.util.tokens import TiktokenCounter

from ..api.health import DEAD_ADVICE, FINE
from . import folder
from .api_client import SLOW_SECONDS, Running, ask_running
from .callers import check_callers
from .findings import Check, CheckFailedError, CheckResult, absent, found_by
from .places import check_places
from .preflight import collisions
from .servers import check_llm, check_upstream, check_upstream_of

OLDEST_PYTHON = (3, 11)


async def check(settings: Settings) -> list[CheckResult]:
    """Test each part separately: a broken part does not hide others. Leaves nothing changed.

    Parts that a running proxy uses are not opened: it is asked how they are.
    """
    running = await asyncio.to_thread(ask_running, settings, SLOW_SECONDS)
    ours = running if running is not None and running.ours else None
    checks: list[tuple[str, Check]] = [
        ("python", _python),
        ("packages", _packages),
        ("proxy", partial(_proxy, running)),
        ("data_dir", _data_dir),
        ("callers", check_callers),
        ("languages", _languages),
        ("embedder", _embedder),
        ("thresholds", _thresholds),
        ("tokens", _tokens),
        *_stored(ours, settings),
        ("upstream", partial(check_upstream_of, ours) if ours else check_upstream),
        ("places", check_places),
        ("learn.llm", check_llm),
    ]
    found: list[CheckResult] = []
    for part, run in checks:
        found.append(await _safely(part, run, settings, found))
    return found


def _stored(ours: Running | None, settings: Settings) -> list[tuple[str, Check]]:
    if ours is None:
        return [
            ("database", _database),
            *([] if settings.redis.url is None else [("redis", _redis)]),
            ("index", _index),
            ("learning", check_learning),
        ]
    return [(name, partial(_reported, ours, name)) for name in ours.parts]


async def _safely(
    part: str, run: Check, settings: Settings, before: Sequence[CheckResult]
) -> CheckResult:
    if part in _READS and any(one.locked for one in before):  # a command may be slow to say so
        return CheckResult(part, ok=False, seen="not tried: it needs database")
    broken = {one.part for one in before if not one.ok}
    try:
        return await found_by(part, run, settings)
    except (RecollectError, OSError) as error:
        causes = _causes(error, settings)
        blamed = [cause for cause in causes if cause in broken]
        if blamed and (part not in causes or blamed[0] == "data_dir"):
            return CheckResult(part, ok=False, seen=f"not tried: it needs {blamed[0]}")
        if isinstance(error, _ADVISING):
            locked = isinstance(error, EncryptionError)
            return CheckResult(part, ok=False, seen=str(error), locked=locked)
        mended = "embedder" if "embedder" in causes else part
        return CheckResult(part, ok=False, seen=str(error), mend=_mend(mended, settings))


def _causes(error: Exception, settings: Settings) -> list[str]:
    """The parts that the error is about, as far as it says."""
    owners = (
        (EmbeddingError, "embedder"),
        (StateError, "database"),
        (StateError, "redis"),
        (StoreError, "database"),
    )
    in_folder = ["data_dir"] if str(settings.data_dir) in str(error) else []
    return in_folder + [owner for kind, owner in owners if isinstance(error, kind)]


_ADVISING = (StoreMismatchError, StoreDamagedError, StateDamagedError, EncryptionError)
"""Whose messages contain the advice."""
_READS = ("index", "learning")
"""Parts that open the database."""
_MENDS = {
    "languages": "correct the named line; `recollect packs check FOLDER` says more",
    "thresholds": "correct the named field, or delete the file and run `recollect calibrate`",
    "embedder": "run `recollect models fetch`, or choose another embedder.backend",
    "database": "check that data_dir is writable and of the format of this version",
    "redis": "check redis.url, the network, and that Redis runs",
    "index": "memories are found without it, more slowly: check index.uri and its folder",
    "tokens": "run `make setup` again",
    "data_dir": "make room, or set data_dir (RECOLLECT_DATA_DIR) to a writable folder",
}


async def _python(_settings: Settings) -> str:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < OLDEST_PYTHON:
        raise CheckFailedError(version, "install Python 3.11 or newer")
    return version


async def _packages(_settings: Settings) -> str:
    if found := collisions():
        raise CheckFailedError(found[0], "run `make setup` in a fresh clone")
    return "no collisions"


async def _proxy(running: Running | None, settings: Settings) -> str:
    address = f"{settings.listen.host}:{settings.listen.port}"
    if running is None:
        return f"none runs at {address}"
    if not running.ours:
        raise CheckFailedError(
            f"another program uses {running.address}", "choose another listen.port"
        )
    return f"runs at {running.address}; it was asked"


UPKEEP = "upkeep"
_UPKEEP = {"ok": "every kind that is on runs"}


async def _reported(running: Running, part: str, settings: Settings) -> str:
    state = running.parts[part]
    if part == UPKEEP:
        return running.advice.get(part) or _UPKEEP.get(state, state)
    ok = state in FINE
    mend = "" if ok else running.advice.get(part) or _mend_of_reported(part, state, settings)
    seen = f"in use by the running Recollect, which reports: {state}"
    if part == "learning" and (dead := running.advice.get("jobs")):
        seen += f"; {dead}"
        # What they were to learn is not learned, whatever was learned since. Without a model that
        # extracts, nothing is expected of them.
        if state != SaidOnlyError.code:
            ok, mend = False, mend or dead
    if not ok:
        raise CheckFailedError(seen, mend)
    return seen


def _mend_of_reported(part: str, state: str, settings: Settings) -> str:
    cause = state.removesuffix("_unavailable").replace("state", "database")
    if cause in _MENDS and part not in (cause, "redis"):  # Redis has the code of the state too
        return f"it needs {cause}: see there"
    return _mend(part, settings) or "see the log of the proxy"


def _mend(part: str, settings: Settings) -> str:
    """What to do about a part: a server is mended in another way than a file."""
    servers: dict[str, str] = {"database": settings.database.kind}
    if settings.index.remote:
        servers["index"] = settings.index.backend
    names = {
        "postgres": "PostgreSQL",
        "milvus": "Milvus",
        "pgvector": "PostgreSQL",
        "qdrant": "Qdrant",
        "chroma": "Chroma",
        "redis": "Redis with its search",
        "elasticsearch": "Elasticsearch",
        "opensearch": "OpenSearch",
    }
    server = names.get(servers.get(part, ""))
    if server is not None:
        address = "index.uri" if part == "index" else f"{part}.url"
        return f"check {address}, the network, and that {server} runs"
    return _MENDS.get(part, "")


async def _data_dir(settings: Settings) -> str:
    if absent(settings.data_dir) and not settings.data_dir.is_symlink():
        return await _no_data_dir(settings.data_dir)
    if unusable := folder.look(settings):
        raise CheckFailedError(unusable.reason, _MENDS["data_dir"])
    damaged = sorted(path.name for path in settings.data_dir.glob("*.corrupt-*"))
    seen = str(settings.data_dir)
    if damaged:
        seen += f"; set aside as damaged: {', '.join(damaged)}"
    return seen


async def _no_data_dir(path: Path) -> str:
    parent = next(each for each in path.parents if each.exists())
    if not os.access(parent, os.W_OK | os.X_OK):
        raise PermissionError(f"{path} cannot be made: {parent} is not writable")
    return f"{path} {_LATER}"


_LATER = "is made at the first start"


async def _languages(settings: Settings) -> str:
    with use_language_packs(settings):
        codes = sorted(set(packs()) - {"any"})
    own = "" if settings.language.packs is None else f", with those of {settings.language.packs}"
    return f"{len(codes)}{own}"


async def _embedder(settings: Settings) -> str:
    wanted = await the_embedder(settings)
    if isinstance(wanted, LocalEmbedderOptions) and wanted.model_dir:
        await asyncio.to_thread(_verify_weights, wanted)
    async with Registry() as registry:
        embedder = await open_the_embedder(registry, wanted)
        vectors = await embedder.embed(["a probe"])
    return f"{embedder.id}, {vectors.shape[1]} dimensions"


async def _thresholds(settings: Settings) -> str:
    async with Registry() as registry:
        embedder = await open_the_embedder(registry, await the_embedder(settings))
        measured = is_measured(settings, embedder)
    if measured:
        return f"measured for {embedder.id}"
    return f"not measured for {embedder.id}: safe defaults until `recollect calibrate` is run"


def _verify_weights(options: LocalEmbedderOptions) -> None:
    from recollect.memory.embedders.local.weights import needed, verify

    for weights in needed(options.model):
        verify(options.model_dir or Path(), weights)


async def _tokens(_settings: Settings) -> str:
    counter = await TiktokenCounter.open()
    return f"'hello world' has {counter.count('hello world')}"


async def _database(settings: Settings) -> str:
    if absent(settings.database.file):
        return f"{settings.database.shown} {_LATER}"
    async with Registry() as registry:
        embedder = await open_the_embedder(registry, await the_embedder(settings))
        scripts = await open_the_database(registry, settings)
        # Memories in vectors of another embedder are refused here.
        await open_the_memories(registry, settings, scripts, embedder)
        counts = await SqlJobs(scripts).counts()
    seen = ", ".join(f"{count} {name}" for name, count in counts.items())
    return f"{settings.database.shown}; jobs: {seen}"


async def _redis(settings: Settings) -> str:
    from recollect.memory.state.redis import open_redis

    async with Registry() as registry:
        bus, _ = await open_redis(settings.redis.address or "", settings.redis.prefix)
        registry.register("redis", close=bus.close)
        # Opening succeeds even if the server is down.
        await bus.ping()
    return settings.redis.shown


async def _index(settings: Settings) -> str:
    try:
        stored = await recorded(settings)
    except (StoreError, StateError):
        if settings.database.file is not None:
            raise
        stored = None  # one server may answer without the other
    if not settings.index.remote and (stored is None or absent(settings.index.folder)):
        return f"{settings.index.shown} is made when there are {FEW:,} memories"
    embedder, dim = stored or ("", 1)  # a server is asked before there is anything on it
    async with Registry() as registry:
        index = await open_index(settings.index, name=index_name(embedder, dim), dim=dim)
        registry.register("index", close=index.close)
        try:
            await index.ping()
        except IndexMissingError:
            return f"{settings.index.shown}; not filled yet"
    return settings.index.shown


async def check_learning(settings: Settings) -> str:
    """The trouble that the queue has noted since the last success."""
    if absent(settings.database.file):
        return "nothing was learned yet"
    async with Registry() as registry:
        jobs = SqlJobs(await open_the_database(registry, settings))
        trouble = await recorded_trouble(jobs)
        dead = (await jobs.counts()).get(JobState.DEAD, 0)
    if trouble is None or not trouble.repeated:
        seen = "no failures since the last success"
        if dead:
            raise CheckFailedError(seen, DEAD_ADVICE.format(dead))
        return seen
    if trouble.is_for_want_of_a_model and settings.learn.llm is None:
        return str(SaidOnlyError(trouble.failure, trouble.rest))
    raise CheckFailedError(trouble.seen, trouble.mend)
