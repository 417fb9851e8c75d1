"""The graph of an engine: follows every write, links in the background, and catches up."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from itertools import groupby

from ...database.graph import SqlGraph
from ...memories import SqlMemories
from ...model.errors import RecollectError, StateError
from ...model.graph import graph_owner
from ...model.scope import Scope
from ...model.types import OwnerRef
from ...records.writing import MemoryWriter, WrittenChange
from ...util.fair_thread_pool import FairThreadPool
from ...util.idle_gate import Pause, at_once
from ...util.loops import guarded
from ...util.tasks import Tasks
from ..reading import READER, key_of
from .linker import PAGE, Linker
from .progress import RebuildProgress, RebuildReport

log = logging.getLogger(__name__)

LOOK_SECONDS = 5.0
"""Interval between looks at what other processes left, and at a database that was down."""
LINGER_SECONDS = 0.2
"""So long a write waits for others, that are then linked with it."""
WHOLE_SECONDS = 1.0
"""The same for linking all of an owner again."""
SHARE = 20.0
"""All of an owner is linked again after so many times the seconds that it took before: it takes at
most a twentieth of a core."""
CATCH_UP_SECONDS = 2.0
"""Longest time that a reader waits for what was just written."""
MOST_OWNERS = 1000
"""Owners of whom all is to be linked again that are known at a time."""
READER_NOTE = "reader"


class Graph:
    """The graph of an engine's memories. For one event loop.

    What is to be linked, the database knows: memories that were written since they were linked, and
    owners whose other memories that disturbed. So nothing is missed, whoever wrote or died.
    """

    def __init__(
        self,
        store: SqlGraph,
        memories: SqlMemories,
        writer: MemoryWriter,
        *,
        bulk: FairThreadPool | None = None,
        pause: Pause = at_once,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`memories` is where texts are read; `writer` writes links, and is to tell of changes."""
        self.store = store
        self._memories = memories
        self._linker = Linker(store, memories, writer, bulk=bulk, pause=pause)
        self._clock = clock
        self._tasks = Tasks()
        self._runs = False
        self._stepping = asyncio.Lock()
        self._told = False
        """Whether something was written since the last step began."""
        self._written = 0
        """About how many memories were."""
        self._again: dict[Scope, float] = {}
        """Owners of whom all is linked again, and when it is time for it."""
        self._rested: dict[Scope, float] = {}
        """Until when it is too early to link all of an owner once more."""
        self._wake = asyncio.Event()
        """Ends the pause in which writes gather."""
        self._rests = False
        """Whether nothing is waited for but the time."""
        self._readers = 0
        """How many wait for what was written."""
        self._hurried = False
        """Whether somebody waits for everything."""
        self._linked = asyncio.Event()
        """Everything that was written is linked, or the database is down."""
        self._linked.set()
        self._built = asyncio.Event()
        """Nothing is being built that a reader would wait for."""
        self._built.set()
        self._looked = False
        self.trouble: RecollectError | None = None
        """Why nothing is linked at the moment; None: it is."""
        self.followed = False
        """Whether somebody looks every few seconds (`look`)."""
        self._next_look = 0.0
        """When it is time to look whether the database is back."""
        self.done = 0
        """Memories that were linked since the start."""

    @staticmethod
    def key(name: str) -> str:
        """A name as it is compared."""
        return key_of(name)

    @property
    def waiting(self) -> int:
        """What this process has still to link: memories, and owners of which all is linked."""
        return self._written + len(self._again)

    @property
    def counted(self) -> dict[str, int]:
        """Memories that were `linked` since the start, and that are `waiting`."""
        return {"linked": self.done, "waiting": self.waiting}

    # What is told.

    async def committed(self, change: WrittenChange) -> None:
        """Memories were written or removed."""
        self._written += len(change.put)
        self._start()

    async def uncertain(self, tenants: Collection[str]) -> None:
        """A change may be there."""
        del tenants
        self._start()

    def changed(self) -> None:
        """A person merged or parted entities: others may be resolved otherwise."""
        self._start()

    # Waiting, and looking.

    async def caught_up(self, seconds: float = CATCH_UP_SECONDS) -> None:
        """Wait, at most so long, until what was written is linked; or the database is down."""
        self._first()
        self._wake.set()
        self._readers += 1
        try:
            async with asyncio.timeout(seconds):
                await self._built.wait()
                await self._linked.wait()
        except TimeoutError:
            return
        finally:
            self._readers -= 1

    async def settled(self) -> None:
        """Wait until nothing is left to do, or the database is down."""
        self._first()
        await self._built.wait()
        self._hurried = True
        self._start()
        self._again = dict.fromkeys(self._again, 0.0)
        self._wake.set()
        await self._tasks.join()

    def look(self) -> None:
        """Link what other processes left, and see whether the database is back.

        Every few seconds.
        """
        self._looked = True
        self._start(again=True)

    async def close(self, seconds: float) -> None:
        """Wait so long for what was written; the rest waits for whoever comes next."""
        self._wake.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._linked.wait()
        await self._tasks.drain(0)

    # Building.

    async def build(self) -> None:
        """Link all memories, once, if that was never done by this reader. Raises RecollectError."""
        if await self.store.note(READER_NOTE) == READER:
            return
        counted = await self._memories.tally(None)
        if counted.scopes:
            log.info("the graph of entities is being built from the memories, in the background")
        report = await self.rebuild()
        if counted.scopes:
            log.info(
                "the graph of entities was built from %d memories in %.0f s",
                report.memories,
                report.seconds,
            )

    async def rebuild(
        self, owner_ref: OwnerRef | None = None, *, told: Callable[[int, int], None] | None = None
    ) -> RebuildReport:
        """Link all memories of an owner, or of everybody, as if it were for the first time.

        What people merged and parted stays. `told` is told how many of how many are linked.

        Raises StateError, StoreError: repeat it; what is linked already is not written again.
        """
        began = self._clock()
        counted = await self._memories.tally(owner_ref)
        total = sum(each.active for each in counted.scopes.values())
        progress = RebuildProgress(total, told)
        for owner in sorted({graph_owner(each) for each in counted.scopes}, key=str):
            async with self._stepping:
                if not await self._linker.link_all(owner, progress.add):
                    self._start()  # the rest is done in the background
        if owner_ref is None:
            await self.store.keep_note(READER_NOTE, READER)
        counts = await self.store.counts(owner_ref)
        return RebuildReport(
            memories=progress.done,
            entities=counts["entities"],
            relations=counts["relations"],
            seconds=self._clock() - began,
        )

    # The background.

    def _start(self, *, again: bool = False) -> None:
        if self.trouble is not None and not again:
            return
        self._told = True
        self._linked.clear()
        if self._rests:
            self._wake.set()
        if not self._runs:
            self._runs = True
            self._tasks.start(self._run(), name="graph")

    async def _run(self) -> None:
        try:
            while self._told or self._again:
                await self._wait()
                async with self._stepping:
                    await self._step()
        except RecollectError as error:
            self._failed(error)
        except Exception:
            log.exception("linking failed unexpectedly")
            self._failed(StateError("a defect: see the log"))
        finally:
            self._runs = self._hurried = False
            self._linked.set()

    async def _wait(self) -> None:
        """Let writes gather, unless somebody waits for them; or wait until it is time."""
        self._wake.clear()
        self._rests = not self._told
        if self._rests:
            seconds = max(0.0, min(self._again.values()) - self._clock())
        else:
            seconds = 0.0 if self._hurried or self._readers else LINGER_SECONDS
        if seconds:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._wake.wait()
        self._rests = False

    async def _step(self) -> None:
        """Link what was written, and then all of an owner, if it is time for one."""
        self._told = False
        left = True
        while left:
            items = await self._memories.unlinked(limit=PAGE)
            for owner, its in groupby(items, key=lambda item: graph_owner(item.scope)):
                self.done += await self._linker.link(owner, list(its))
            left = len(items) == PAGE
        self._back()
        if not self._told:
            self._written = 0
            self._linked.set()
        await self._link_all()

    async def _link_all(self) -> None:
        """Link all memories of an owner again, if it is time for one."""
        owners, now = await self.store.disturbed(limit=MOST_OWNERS), self._clock()
        self._rested = {owner: at for owner, at in self._rested.items() if at > now}
        soon = now if self._hurried else now + WHOLE_SECONDS
        rested = {} if self._hurried else self._rested
        self._again = {
            owner: self._again.get(owner, max(soon, rested.get(owner, soon))) for owner in owners
        }
        owner = min(owners, key=self._again.__getitem__, default=None)
        if owner is None or self._again[owner] > now:
            return
        complete = await self._linker.link_all(owner)
        ended = self._clock()
        self._rested[owner] = ended + SHARE * (ended - now)
        # Who was overtaken leaves it to the other one for a while, even if somebody waits.
        if complete:
            del self._again[owner]
        else:
            self._again[owner] = max(ended + WHOLE_SECONDS, self._rested[owner])

    def _first(self) -> None:
        """See what was left, and build, if nobody did: a program without background work does not.

        Once in a while it sees whether the database is back.
        """
        if not self._looked:
            self._looked = True
            self._start()
            self._built.clear()
            self._tasks.start(self._build(), name="graph build")
        elif self.trouble is not None and not self.followed and self._clock() >= self._next_look:
            self._start(again=True)

    async def _build(self) -> None:
        try:
            await guarded(self.build)
        finally:
            self._built.set()

    def _failed(self, error: RecollectError) -> None:
        if self.trouble is None:
            log.warning("the graph does not follow for now; recall goes on without it: %s", error)
        self._next_look = self._clock() + LOOK_SECONDS
        self.trouble = error

    def _back(self) -> None:
        if self.trouble is not None:
            log.info("the graph is back; what was written meanwhile is linked now")
        self.trouble = None
