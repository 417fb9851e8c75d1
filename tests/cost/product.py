"""The product as `recollect serve` composes it, in a thread whose work is counted."""

from __future__ import annotations

import asyncio
import gc
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import ExitStack, asynccontextmanager
from typing import Any, Self, TypeVar
from unittest import mock

from aiohttp import web

from recollect.config import load_settings
from recollect.memory.database.sqlite import database
from recollect.memory.engine.engine import Engine
from recollect.memory.memories import open_memories
from recollect.proxy.app import HANDLERS, TASKS
from recollect.proxy.serve import build_runner

from .calls import Calls
from .counted import CountingEmbedder, CountingStore, Counts, Sql
from .loops import Loop
from .outside import LEARNER, Outside

T = TypeVar("T")

IDLE_LOOKS = 3
"""So often in a row nothing may run before a request counts as over."""
LOOK_SECONDS = 0.0005

_SET = {
    "recall.index.hot_indexes.USAGE_SECONDS": 3600.0,
    # Writes are linked when `settle` asks for it, together, however long they took to come.
    "graph.linking.graph.LINGER_SECONDS": 3600.0,
    # While its log is copied, every so many statements, a database answers in its thread.
    "database.sqlite.database.CHECKPOINT_EVERY": 1_000_000,
}
"""What the product leaves to the time that passes, or to how much came before."""


class Composed:
    """Counts what a request costs; `outside` asks."""

    def __init__(self) -> None:
        self.outside = Outside()
        self.calls = Calls()
        self.sql = Sql()
        self.embedder = CountingEmbedder()
        self.in_databases = 0
        """The calls that wait for the thread of a database."""
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(self.outside)
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            stack.enter_context(self.calls.hearing())
            for patch in self._patches():
                stack.enter_context(patch)
            self.loop = stack.enter_context(Loop("product"))
            self._runner = self.loop.run(self._started(folder))
            stack.callback(lambda: self.loop.run(self._runner.cleanup()))
            self.outside.connect(self._runner.addresses[0][1])
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _patches(self) -> list[Any]:
        opening = "recollect.memory.engine.opening"
        return [
            mock.patch(f"{opening}.open_embedder", self._open_embedder),
            mock.patch(f"{opening}.open_memories", self._open_memories),
            *(self._heard(name) for name in ("connect", "connect_direct")),
            self._heard_reader(),
            mock.patch.object(database.Database, "run", self._awaited(database.Database.run)),
            mock.patch.object(Engine, "running", _at_rest),
            mock.patch("recollect.proxy.composing.Watchdog.run", _rest),
            *(mock.patch(f"recollect.memory.{name}", value) for name, value in _SET.items()),
        ]

    def _heard(self, name: str) -> Any:
        connect = getattr(database, name)
        return mock.patch.object(database, name, lambda *args: self.sql.hear(connect(*args)))

    def _heard_reader(self) -> Any:
        from recollect.memory.database.sqlite import scripts

        make = scripts._reader
        return mock.patch.object(scripts, "_reader", lambda db: self.sql.hear(make(db)))

    def _awaited(self, run: Any) -> Any:
        """It, but known for as long as it waits: on a busy machine its thread may stand still."""

        async def known(database: Any, *given: Any, **more: Any) -> Any:
            self.in_databases += 1
            try:
                return await run(database, *given, **more)
            finally:
                self.in_databases -= 1

        return known

    async def _open_embedder(self, _options: Any) -> CountingEmbedder:
        return self.embedder

    async def _open_memories(self, scripts: Any, **options: Any) -> CountingStore:
        await open_memories(scripts, **options)
        del options["waits"]
        self.store = CountingStore(scripts, **options)
        return self.store

    async def _started(self, folder: str) -> web.AppRunner:
        settings = load_settings(
            environ={},
            flags={
                "data_dir": folder,
                "upstream.base_url": self.outside.base_url,
                "telemetry.metrics": "localhost:0",
                "index.backend": "exact",
                "learn.llm.base_url": self.outside.base_url,
                "learn.llm.model": LEARNER,
                "listen.allowed_hosts": ["proxy.test"],
                # A busy machine is not what is counted.
                "recall.deadline_ms": 60_000,
            },
        )
        runner = build_runner(settings)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.engine = runner.app[HANDLERS].api.engine
        self._tasks = runner.app[TASKS]
        await self.engine.recaller.prepare()
        return runner

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run it in the product's loop."""
        return self.loop.run(work)

    def until(self, done: Callable[[], bool], *loops: Coroutine[Any, Any, None]) -> None:
        """Run endless loops in the product's loop until that is true and nothing of them runs."""
        futures = [asyncio.run_coroutine_threadsafe(each, self.loop.loop) for each in loops]
        while not done():
            time.sleep(LOOK_SECONDS)
        self.settle()
        for future in futures:
            future.cancel()
        self.settle()

    def cost(self, work: Callable[[], T]) -> tuple[T, Counts]:
        """What `work` returns, and what it costs until nothing of it runs any more."""
        self.settle()
        gc.disable()  # what it finalizes would be counted
        before = self._counts()
        self.calls.counting = True
        try:
            found = work()
            self.settle()
        finally:
            self.calls.counting = False
            gc.enable()
        return found, self._counts() - before

    def settle(self) -> None:
        """Return when the product waits for something to come in, and nothing is left to be done."""
        graph = self.engine.graph
        self._wait_until_idle()
        while graph is not None and (graph.waiting or graph._tasks):
            self.run(graph.settled())  # it would wait for further writes, by the clock
            self._wait_until_idle()

    def _wait_until_idle(self) -> None:
        idle = 0
        while idle < IDLE_LOOKS:
            time.sleep(LOOK_SECONDS)
            busy = self._tasks or self.engine.builds or not self.loop.waits
            # Other threads may stand still meanwhile.
            busy = busy or self.loop.in_threads or self.in_databases
            idle = 0 if busy else idle + 1

    def _counts(self) -> Counts:
        heard = self.calls.tally
        return Counts(
            embeddings=self.embedder.calls,
            texts=self.embedder.texts,
            statements=len(self.sql.statements),
            store=self.store.calls,
            rows=self.sql.rows,
            upstream=self.outside.asked,
            tasks=heard.tasks,
            hops=heard.hops,
            copied=heard.copied,
            functions=heard.functions,
        )


@asynccontextmanager
async def _at_rest(engine: Engine) -> AsyncIterator[None]:
    engine.is_running = True
    await engine.switches.load()  # as `Engine.running` does
    yield


async def _rest(_watchdog: Any) -> None:
    """No watch: its rounds come by the clock."""
