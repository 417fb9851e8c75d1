"""One process of a crash run: it captures turns and learns them, on real parts, and may be killed.

`tests/support/zygote.py` forks it: nothing here starts before `run`.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import asyncpg
from pydantic import SecretStr

from recollect.filters.capture import Capture, conversation_id_of, turn_id_of
from recollect.filters.exchange import Answer, Exchange
from recollect.memory.database import DatabaseOptions, open_database
from recollect.memory.database.history import SqlHistory
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.jobs.sessions import Sessions
from recollect.memory.jobs.worker import Worker
from recollect.memory.learn import LearnOptions
from recollect.memory.model.errors import ModelUnavailableError, RecollectError
from recollect.memory.model.types import (
    ChatReply,
    ChatRequest,
    JobState,
    MemoryStatus,
    Message,
    Scope,
)
from recollect.memory.state import RedisOptions, State, state_in, state_of
from recollect.memory.state.others import among_replicas, among_siblings
from recollect.memory.stores import MilvusStoreOptions, PgvectorStoreOptions, open_store
from recollect.memory.util.clock import Clock as RealClock
from recollect.memory.util.mesh import Mesh
from recollect.memory.util.siblings import Sibling
from tests.crash.disk import Disk, store_process
from tests.crash.failpoints import Failing, Point, kill
from tests.support.constants import made
from tests.support.learning import worker_of
from tests.support.waiting import FOREVER_SECONDS, HANG_SECONDS

OPTIONS = made(
    LearnOptions,
    every_turns=2,
    lease_seconds=1,
    retry_seconds=0.05,
    max_retry_seconds=0.2,
    job_seconds=20,
    procedures=False,
    ask_about_conflicts=False,
)
REFUSED_SECONDS = 1.0
MODEL_SECONDS = 6
"""When a job gives up a silent model. A slow machine must not add a third timeout to the two that
are meant: after three the model is left alone for an hour."""
WORKERS = 2
ENOUGH = int(HANG_SECONDS / 0.05)
FACTS = (
    "plays the oboe", "collects stamps", "speaks Finnish", "is allergic to walnuts",
    "lives in Bergen", "drives a Volvo", "works as a nurse", "has a parrot named Koko",
    "was born in March", "hates coriander", "votes by mail", "studies law", "sails on weekends",
    "owns a bakery", "is vegetarian", "runs marathons", "paints watercolours", "fears spiders",
)  # fmt: skip


@dataclass
class Spec:
    """What a process is to do."""

    folder: str
    database: str
    store: str
    collection: str
    turns: list[tuple[str, str]]
    """Whom and what: (user, text)."""
    point: dict[str, Any] | None = None
    fault: str = "kill"
    """kill, enospc, eio, refused, outage, clock_forward, clock_back, llm_500, llm_timeout,
    llm_garbage, none."""
    signal_file: str = ""
    """Created when the point is reached, for faults that the parent causes; then waits for its
    removal."""
    shared: str = ""
    """The folder of the parent of two workers; empty for a process that is alone."""
    worker: int = 0
    """Which of them this one is."""

    @property
    def mesh(self) -> Mesh | None:
        return Mesh(Sibling(Path(self.shared), self.worker, WORKERS)) if self.shared else None

    @property
    def mine(self) -> list[tuple[str, str]]:
        """The turns that this process captures: of two workers each has some of every user."""
        if not self.shared:
            return self.turns
        return [turn for at, turn in enumerate(self.turns) if at // 2 % WORKERS == self.worker]


class Clock(RealClock):
    """Tells the time; may be set."""

    def __init__(self) -> None:
        self.offset = timedelta()

    def now(self) -> datetime:
        return super().now() + self.offset


class Scripted:
    """A model that answers as `answer` does; at first it may fail."""

    def __init__(self, failures: list[str], answer: Callable[[ChatRequest], str]) -> None:
        self.failures = failures
        self._answer = answer

    async def complete(self, request: ChatRequest) -> ChatReply:
        if self.failures:
            failure = self.failures.pop(0)
            if failure == "llm_500":
                raise ModelUnavailableError("InternalServerError (HTTP 500)")
            if failure == "llm_timeout":
                await asyncio.sleep(FOREVER_SECONDS)
            return ChatReply(text="<html>502 Bad Gateway</html>", model="m")
        return ChatReply(text=self._answer(request), model="m")

    async def close(self) -> None:
        """Nothing to release."""


def _extracted(request: ChatRequest) -> str:
    """What the users say."""
    heard = request.messages[-1].content
    facts = [
        {"type": "semantic", "text": f"User {fact}", "quote": f"I want you to know: {fact}"}
        for fact in FACTS
        if f"I want you to know: {fact}" in heard
    ]
    return json.dumps({"facts": facts})


def run(spec: dict[str, Any]) -> None:
    """Do what a `Spec` says."""
    finish(Spec(**spec), _run)


def finish(spec: Spec, work: Callable[[Spec], Coroutine[Any, Any, dict[str, Any]]]) -> None:
    """Do it; the outcome is written to ``<folder>/outcome.json``."""
    quiet()
    outcome = asyncio.run(asyncio.wait_for(work(spec), HANG_SECONDS))
    (Path(spec.folder) / "outcome.json").write_text(json.dumps(outcome))


async def _run(spec: Spec) -> dict[str, Any]:
    embedder = FakeEmbedder()
    disk = Disk(spec.fault)
    mesh = spec.mesh
    state = await open_the_state(spec)
    history = SqlHistory(state.scripts)
    store = await open_store(
        store_options(spec),
        embedder_id=embedder.id,
        dim=embedder.dim,
        sibling=None if mesh is None else mesh.sibling,
    )
    clock = Clock()
    failures = [spec.fault] * 2 if spec.fault.startswith("llm") else []
    parts: dict[str, Any] = {
        "conversations": state.conversations,
        "jobs": state.jobs,
        "tombstones": state.tombstones,
        "usage": state.usage,
        "history": history,
        "store": store,
        "model": Scripted(failures, _extracted),
    }
    if spec.point is not None:
        point = Point(**spec.point)
        disk.child = store_process(store)
        fail = fault_of(spec, clock, disk)
        parts = {name: Failing(part, name, point, fail) for name, part in parts.items()}
    options = OPTIONS
    if spec.fault == "llm_timeout":
        options = OPTIONS.model_copy(update={"job_seconds": MODEL_SECONDS})

    async def models(_tenant: str, _model: str) -> Any:
        return parts["model"]

    worker = worker_of(
        store=parts["store"],
        embedder=embedder,
        history=parts["history"],
        conversations=parts["conversations"],
        jobs=parts["jobs"],
        tombstones=parts["tombstones"],
        ledger=state.ledger,
        standings=state.standings,
        usage=parts["usage"],
        locks=state.locks,
        models=models,
        options=options,
        clock=clock,
    )
    sessions = Sessions(parts["conversations"], parts["jobs"], max_queued=1000, clock=clock)
    capture = Capture(parts["conversations"], parts["jobs"], options, clock=clock.now)
    await _say_all(spec, capture)
    await _until_learned(state, sessions, worker)
    disk.heal()
    await take_writes(spec)
    outcome = await _outcome(spec, state, history, store)
    await store.close()
    await state.close()
    return outcome


async def open_the_state(spec: Spec) -> State:
    """What a process of this run keeps, with what others that share it need."""
    options = database_options(spec)
    if options.kind == "postgres":
        state = state_of(await open_database(options))
        return await among_replicas(state, RedisOptions(), AsyncExitStack())
    if (mesh := spec.mesh) is None:
        return await state_in(await open_database(options))
    scripts = await open_database(options, owned=False)
    return among_siblings(await state_in(scripts, holder=f"{mesh.sibling.number}:"), mesh)


async def _say_all(spec: Spec, capture: Capture) -> None:
    """As the client does: a turn that was not acknowledged is sent again."""
    path = Path(spec.folder) / f"acknowledged-{spec.worker}"
    known = set(path.read_text().splitlines()) if path.exists() else set()
    said: dict[str, list[Message]] = {}
    with path.open("a") as acknowledged:
        for user, text in spec.mine:
            said.setdefault(user, []).append(Message(role="user", content=text))
            if f"{user}|{text}" in known:
                continue
            exchange = _exchange(user, said[user])
            for _ in range(ENOUGH):
                try:
                    await capture.response(exchange, Answer("Noted."))
                except RecollectError:
                    await asyncio.sleep(0.05)
                else:
                    break
            else:
                raise AssertionError(f"{text!r} was never captured")
            acknowledged.write(f"{user}|{text}\n")
            acknowledged.flush()


def _exchange(user: str, messages: list[Message]) -> Exchange:
    scope = Scope(tenant="local", user_id=user)
    conversation_id = conversation_id_of(scope, "session", messages)
    return Exchange(
        scope=scope,
        messages=list(messages),
        model="m",
        conversation_id=conversation_id,
        turn_id=turn_id_of(conversation_id, messages),
    )


async def _until_learned(state: Any, sessions: Sessions, worker: Worker) -> None:
    while True:
        try:
            await sessions.enqueue("shutdown")
            while await worker.run_one() is not None:
                pass
            pending = await state.conversations.pending(idle_since=None, scope=None)
            if not pending and not await state.jobs.depth():
                return
        except RecollectError:
            pass
        await asyncio.sleep(0.05)


async def _outcome(spec: Spec, state: Any, history: Any, store: Any) -> dict[str, Any]:
    users = sorted({user for user, _ in spec.turns})
    memories, events = [], []
    for user in users:
        scope = Scope(tenant="local", user_id=user)
        items = await store.list(scope, limit=None, statuses=frozenset(MemoryStatus))
        memories += [(user, item.text, item.status.value) for item in items]
        for item in items:
            events += [(user, item.text, r.event.value) for r in await history.of("local", item.id)]
    dead = await state.jobs.reports(state=JobState.DEAD)
    return {
        "memories": sorted(memories),
        "events": sorted(events),
        "jobs": await state.jobs.counts(),
        "refused": state.refused,
        "dead": [report.error for report in dead],
    }


def fault_of(spec: Spec, clock: Clock, disk: Disk) -> Callable[[], Any]:
    if spec.fault == "kill":
        return kill
    if spec.fault in {"clock_forward", "clock_back"}:
        step = timedelta(hours=1 if spec.fault == "clock_forward" else -1)

        def set_clock() -> None:
            clock.offset += step

        return set_clock
    if spec.fault in {"enospc", "eio"}:
        return disk.fail
    if spec.fault == "refused":
        return lambda: _refuse_writes(spec)
    if spec.fault == "outage":

        async def tell_parent() -> None:
            path = Path(spec.signal_file)
            path.touch()
            while path.exists():
                await asyncio.sleep(0.01)

        return tell_parent
    return lambda: None


_TABLES = ("turns", "jobs", "memory_history")
_BEGIN_ANEW = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = '{name}' AND pid <> pg_backend_pid()
"""
_READ_ONLY = f"""
    ALTER DATABASE {{name}} SET default_transaction_read_only = on;
    {_BEGIN_ANEW}
"""
_WRITABLE = f"""
    SET transaction_read_only = off;
    ALTER DATABASE {{name}} SET default_transaction_read_only = off;
    {_BEGIN_ANEW}
"""
_FULL = """
    CREATE OR REPLACE FUNCTION refuse() RETURNS trigger AS $$
    BEGIN RAISE EXCEPTION 'No space left' USING ERRCODE = '53100'; END $$ LANGUAGE plpgsql;
""" + "".join(
    f"CREATE OR REPLACE TRIGGER full_disk BEFORE INSERT OR UPDATE ON {table} "
    "FOR EACH ROW EXECUTE FUNCTION refuse();"
    for table in _TABLES
)
_ROOM = "".join(f"DROP TRIGGER IF EXISTS full_disk ON {table};" for table in _TABLES)
WAYS = ((_READ_ONLY, _WRITABLE), (_FULL, _ROOM))
"""How PostgreSQL is brought to refuse writes, and back."""


def _way(spec: Spec) -> tuple[str, str]:
    return WAYS[sum(spec.collection.encode()) % len(WAYS)]


async def _refuse_writes(spec: Spec) -> None:
    """For a second PostgreSQL reads and takes nothing."""
    await _tell_postgres(spec, _way(spec)[0])
    loop = asyncio.get_running_loop()
    loop.call_later(REFUSED_SECONDS, lambda: BACK.append(loop.create_task(take_writes(spec))))


BACK: list[asyncio.Task[None]] = []
"""Keeps the tasks that mend it."""


async def take_writes(spec: Spec) -> None:
    if spec.fault == "refused":
        await _tell_postgres(spec, _way(spec)[1])


async def _tell_postgres(spec: Spec, statements: str) -> None:
    connection = await asyncpg.connect(spec.database)
    await connection.execute(statements.format(name=spec.database.rpartition("/")[2]))
    await connection.close()


def database_options(spec: Spec) -> DatabaseOptions:
    return DatabaseOptions.model_validate({"url": spec.database})


def store_options(spec: Spec) -> MilvusStoreOptions | PgvectorStoreOptions:
    if spec.store.startswith("postgres"):
        address = SecretStr(spec.store)
        return PgvectorStoreOptions(uri=address, collection=spec.collection)
    return MilvusStoreOptions(uri=spec.store, collection=spec.collection)


def quiet() -> None:
    """The expected errors of a run are no news."""
    import logging

    logging.disable(logging.CRITICAL)
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
