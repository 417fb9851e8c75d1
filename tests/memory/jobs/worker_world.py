"""A worker with its parts in one database in memory, and how the tests of `Worker` use it."""

from datetime import timedelta

from recollect.memory.database.history import SqlHistory
from recollect.memory.database.sqlite import SqliteScripts
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.jobs.runs import RunOutcome
from recollect.memory.learn import LearnOptions, job_for
from recollect.memory.state import state_of
from tests.memory.learn.doubles import ALICE, NOON, a_turn
from tests.support.clock import Telling
from tests.support.constants import made
from tests.support.learning import worker_of
from tests.support.memories import InMemoryMemories
from tests.support.scripted import facts
from tests.support.state import in_memory_scripts

# One question for each job, so that the calls of a model can be counted.
OPTIONS = made(
    LearnOptions,
    max_attempts=3,
    retry_seconds=10,
    lease_seconds=60,
    verify=False,
)
TEA = facts("User likes tea")
TEA_AND_CAT = facts("User likes tea", "User has a cat")
AGAIN = {RunOutcome.RETRY, RunOutcome.WAITING}
"""Later, whether it counted as a try or not."""


async def drain(worker):
    """The runs of a worker until no job can run."""
    runs = []
    while (run := await worker.run_one()) is not None:
        runs.append(run)
    return runs


class Killed(BaseException):
    """The end of a process, as far as it can be had in one: nobody handles it.

    No KeyboardInterrupt: that ends the event loop as well.
    """


class DyingScripts(SqliteScripts):
    """A database whose user dies at the n-th statement from now, if `left` is set to n."""

    left = 0

    def _execute(self, connection, statement):
        self._next()
        return super()._execute(connection, statement)

    async def statement(self, sql, values, **how):
        self._next()
        return await super().statement(sql, values, **how)

    def _next(self):
        self.left -= 1
        if not self.left:
            raise Killed


class World:
    """A worker with its parts in memory, and a clock that stands still until it is moved."""

    def __init__(self, model, options=OPTIONS):
        self.model = model
        self.now = NOON
        self.clock = None
        self.embedder = FakeEmbedder()
        self.scripts = DyingScripts(in_memory_scripts().database)
        self.state = state = state_of(self.scripts)
        self.store = InMemoryMemories(dim=self.embedder.dim, scripts=self.scripts)
        self.history = SqlHistory(self.scripts)
        self.conversations, self.jobs = state.conversations, state.jobs
        self.tombstones, self.ledger = state.tombstones, state.ledger
        self.standings, self.runs = state.standings, state.runs
        self.options = options
        self.asked = []

    async def models(self, tenant, model):
        self.asked.append((tenant, model))
        return self.model

    def worker(self, **parts):
        own = (
            *("store", "embedder", "history", "conversations"),
            *("jobs", "tombstones", "ledger", "standings", "runs", "state"),
        )
        return worker_of(
            **{name: parts.get(name, getattr(self, name)) for name in own},
            models=self.models,
            options=self.options,
            learner=parts.get("learner"),
            clock=self.clock or Telling(lambda: self.now),
        )

    async def turn(self, name="t1", *, conversation="c", scope=ALICE, text="I like tea", job=True):
        turn = a_turn(f"{conversation}/{name}", conversation, scope, text, "Noted.", self.now)
        recorded = await self.conversations.record(turn)
        if job:
            await self.jobs.put(job_for(turn, recorded.seq, reason="turns"))

    def wait(self, seconds):
        self.now += timedelta(seconds=seconds)

    async def memories(self, scope=ALICE):
        return [item.text for item in await self.store.list(scope, limit=None)]

    async def rows(self, scope=ALICE):
        items = await self.store.list(scope, limit=None)
        return [r.event for i in items for r in await self.history.of(scope.tenant, i.id)]


async def outcome(worker):
    run = await worker.run_one()
    return run and run.outcome
