"""A worker that writes episodes, with its parts in memory and a clock that is moved."""

from datetime import timedelta

import regex

from recollect.memory.jobs.sessions import Sessions
from recollect.memory.model.jobs import JobState
from recollect.memory.model.types import MemoryStatus, MemoryType
from recollect.memory.upkeep.episodes.episode_text import PROMPT
from recollect.memory.upkeep.episodes.step import EpisodeStep
from recollect.memory.upkeep.episodes.stretches import GAP
from tests.memory.jobs.worker_world import OPTIONS, World
from tests.memory.learn.doubles import ALICE, Says
from tests.support.clock import Telling
from tests.support.parts import IN_STATE, parts_of
from tests.support.scripted import facts
from tests.support.state import in_memory_state

__all__ = ["GAP"]
IDLE = timedelta(seconds=OPTIONS.idle_seconds)
_SAID = regex.compile(r"^user: (.*)$", regex.MULTILINE)


def narrates(request):
    """Repeats what the user said, and rates it; learns no facts."""
    if not is_about_episode(request):
        return facts()
    said = _SAID.findall(request.messages[1].content)
    if all("weather" in each for each in said):
        return "NONE"
    return f"User said {said[0]}. User also said {said[-1]}.\nImportance: 7"


def is_about_episode(request):
    return request.messages[0].content == PROMPT


class EpisodeWorld(World):
    """Turns of any number of conversations, learned by whatever trigger a test names."""

    def __init__(self, model=None, *, state=None):
        super().__init__(model or Says(narrates), OPTIONS)
        self.state = state or in_memory_state()
        for name in ("conversations", "jobs", "tombstones", "ledger", "standings"):
            setattr(self, name, getattr(self.state, name))
        self.redact = str
        self.said = 0

    def worker(self, **parts):
        """A worker of another process: what it knows is in the shared parts."""
        own = {name: parts.get(name, getattr(self.state, name)) for name in IN_STATE}
        shared = {name: parts.get(name, getattr(self, name)) for name in ("store", "history")}
        chosen = {**own, **shared, "embedder": self.embedder, "state": self.state}
        worker = super().worker(**chosen)
        worker.upkeep.add(
            EpisodeStep(
                parts_of(**chosen),
                idle_seconds=OPTIONS.idle_seconds,
                redact=self.redact,
                clock=lambda: self.now,
            )
        )
        return worker

    def sessions(self):
        return Sessions(
            self.conversations, self.jobs, max_queued=10_000, clock=Telling(lambda: self.now)
        )

    async def say(self, text, *, conversation="c", scope=ALICE, minutes=0.0):
        """A turn, so many minutes after the one before."""
        self.now += timedelta(minutes=minutes)
        self.said += 1
        await self.turn(
            f"t{self.said}", conversation=conversation, scope=scope, text=text, job=False
        )

    async def due(self, reason, *, scope=None):
        """Enqueue what is unlearned, as a trigger does."""
        return await self.sessions().enqueue(reason, scope=scope)

    async def run(self, worker=None):
        """Run jobs until none can run now."""
        worker, runs = worker or self.worker(), []
        while (run := await worker.run_one()) is not None:
            runs.append(run)
        return runs

    async def told(self, scope=ALICE):
        """The episodes, oldest first."""
        items = await self.store.list(scope, limit=None, statuses=frozenset(MemoryStatus))
        found = [item for item in items if item.type is MemoryType.EPISODIC]
        live = [item for item in found if item.provenance.superseded_by is None]
        return sorted(live, key=lambda item: item.created_at)

    @property
    def calls(self):
        """How often a model was asked for an episode."""
        return sum(map(is_about_episode, self.model.requests))

    async def open_jobs(self):
        counts = await self.jobs.counts()
        return counts[JobState.READY] + counts[JobState.LEASED] + counts[JobState.DEAD]
