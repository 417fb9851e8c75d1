"""One process of a crash run: it does its work on a real database, and may be killed.

`tests/support/zygote.py` forks it: nothing here starts before `run`. What follows a killed process
goes on where that one was, as a client and its jobs do.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from recollect.memory.engine import opening
from recollect.memory.engine.engine import Engine
from recollect.memory.engine.options import EngineOptions
from recollect.memory.forget import eraser
from recollect.memory.index import follower
from recollect.memory.jobs.sessions import Sessions
from recollect.memory.learn import LearnOptions
from recollect.memory.learn import options as learn_options
from recollect.memory.model.errors import RecollectError
from recollect.memory.model.types import Scope
from recollect.memory.util.sibling_messages import SiblingMessages
from recollect.memory.util.siblings import Sibling
from recollect.memory.util.tasks import Tasks
from recollect.memory.util.tokens import ApproximateCounter
from tests.crash.failpoints import Journal, Point
from tests.crash.faults import MODEL, Clock, Disk, fault_of
from tests.crash.model import Scripted
from tests.support.constants import made
from tests.support.waiting import HANG_SECONDS

MODEL_SECONDS = 6
"""When a job gives up a silent model. A slow machine must not add a third timeout to the two that
are meant: after three the model is left alone for an hour."""
WORKERS = 2
CONSTANTS = (
    (opening, "FEW", 0),
    (follower, "_TURN_SECONDS", 1.0),
    (eraser, "MOST_ROWS", 1),
)
"""An index is filled however few memories there are, a scope forgotten in several transactions, and
what a killed process held is waited for no longer than for its jobs."""
PAUSE_SECONDS = 0.05


@dataclass(frozen=True)
class Spec:
    """What a process is to do."""

    work: str
    """A function of `works`."""
    folder: str
    database: str
    """A file, or the URL of a PostgreSQL."""
    turns: list[list[str]]
    """Whom and what: user and text."""
    point: dict[str, Any] | None = None
    fault: str = "none"
    """One of `FAULTS`, or none."""
    indexed: bool = False
    """Whether there is a vector index in a folder."""
    workers: int = 1
    worker: int = 0
    """Which of them this one is."""
    shared: str = ""
    """The folder of the parent of workers on one file."""

    @property
    def in_file(self) -> bool:
        return not self.database.startswith("postgres")

    @property
    def place(self) -> Path:
        return Path(self.folder)

    @property
    def sibling_messages(self) -> SiblingMessages | None:
        if not self.shared:
            return None
        return SiblingMessages(Sibling(Path(self.shared), self.worker, self.workers))


def options_of(spec: Spec) -> EngineOptions:
    """The one place that knows how the options are named."""
    # This process serves one stage only.
    learn_options.JOB_SECONDS = MODEL_SECONDS if spec.fault == "llm_timeout" else 20
    learn = made(
        LearnOptions,
        every_turns=2,
        lease_seconds=1,
        retry_seconds=0.05,
        max_retry_seconds=0.2,
    )
    parts: dict[str, Any] = {
        "embedder": {"backend": "fake"},
        "database": {"url": spec.database},
    }
    if spec.indexed:
        parts["index"] = {"backend": "qdrant", "uri": str(spec.place / "index")}
    # What follows a conversation by itself would wait for hours: jobs of upkeep are put by hand.
    upkeep = {"enabled": False, "kinds": {"reflect": True}}
    return EngineOptions(learn=learn, upkeep=upkeep, **parts)


@asynccontextmanager
async def opened(
    spec: Spec, model: Any = None, clock: Clock | None = None
) -> AsyncIterator[Engine]:
    """The product on this database."""

    async def models(_tenant: str, _model: str) -> Any:
        return model

    options = options_of(spec)
    with ExitStack() as stack:
        for where, name, value in CONSTANTS:
            stack.enter_context(patch.object(where, name, value))
        async with Engine.open(
            options,
            models,
            tokens=ApproximateCounter(),
            sibling_messages=spec.sibling_messages,
            clock=clock or Clock(),
            serving=True,
        ) as engine:
            yield engine


def quiet() -> None:
    """The expected errors of a run are no news."""
    logging.disable(logging.CRITICAL)


def finish(spec: Spec, name: str, work: Coroutine[Any, Any, dict[str, Any]]) -> None:
    """Do it; what it found is written to ``<folder>/<name>.json``."""
    quiet()
    found = asyncio.run(asyncio.wait_for(work, HANG_SECONDS))
    (spec.place / f"{name}.json").write_text(json.dumps(found))


def run(given: dict[str, Any]) -> None:
    """Do what a `Spec` says."""
    spec = Spec(**given)
    finish(spec, f"journal-{spec.worker}", _run(spec))


async def _run(spec: Spec) -> dict[str, Any]:
    """The work, with its fault; what it has called, and how often."""
    from tests.crash import works

    clock, disk = Clock(), Disk(spec.fault)
    fail = fault_of(spec.fault, clock, disk, spec.place / "reached")
    noted = Journal(None if spec.point is None else Point(**spec.point), fail)
    model = Scripted([spec.fault] * 2 if spec.fault in MODEL else [], noted)
    async with opened(spec, model, clock) as engine:
        stage = Stage(spec, engine, clock)
        await works.GIVEN[spec.work](stage)
        noted.watch()
        loops = Tasks()
        loops.start(engine.parts.index.run(), name="index")
        await works.WORKS[spec.work](stage)
        disk.heal()
        await stage.linked()
        await loops.drain(0)
        refused = engine.parts.state.refused
    return {"counts": noted.counts, "changes": sorted(noted.changes), "refused": refused}


@dataclass(frozen=True)
class Stage:
    """The product, and what is to be done with it."""

    spec: Spec
    engine: Engine
    clock: Clock

    @property
    def scopes(self) -> dict[str, Scope]:
        """By the users' names."""
        users = sorted({user for user, _ in self.spec.turns})
        return {user: Scope(tenant="local", user_id=user) for user in users}

    async def until(self, done: Callable[[], Awaitable[bool]]) -> None:
        """Repeat until it is true: what fails in between is tried again."""
        while True:
            with suppress(RecollectError):
                if await done():
                    return
            await asyncio.sleep(PAUSE_SECONDS)

    async def again(self, do: Callable[[], Awaitable[object]]) -> None:
        """Repeat until it succeeds, as a client does that was not answered."""

        async def done() -> bool:
            await do()
            return True

        await self.until(done)

    async def worked(self) -> None:
        """Until no job is left, and no turn that would become one."""
        state, worker = self.engine.parts.state, self.engine.background.worker
        sessions = Sessions(state.conversations, state.jobs, max_queued=1000, clock=self.clock)

        async def done() -> bool:
            await sessions.enqueue("shutdown")
            while await worker.run_one() is not None:
                pass
            waiting = await state.conversations.pending(idle_since=None, scope=None)
            return not waiting and not await state.jobs.depth()

        await self.until(done)

    async def linked(self) -> None:
        """Until the graph has followed."""
        links, kept = self.engine.graph, self.engine.parts.graph
        assert links is not None
        assert kept is not None

        async def done() -> bool:
            links.look()
            await links.settled()
            return links.trouble is None and not (await kept.counts())["marks"]

        await self.until(done)
