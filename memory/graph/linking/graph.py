"""The graph of an engine: follows every write, links in the background, and catches up."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Collection
from contextlib import suppress

from ...model.errors import RecollectError, StateError
from ...model.graph import GraphStore, graph_owner
from ...model.ports import VectorStore
from ...model.scope import Scope
from ...model.types import OwnerRef
from ...records.writing import MemoryWriter, WrittenChange
from ...util.fair_thread_pool import FairThreadPool
from ...util.loops import guarded
from ...util.quiet import Pause, at_once
from ...util.tasks import Tasks
from ..reading import READER, key_of
from .due import ChangedMemories, Due
from .ids import is_tenant, is_whole, tenant_mark, whole_mark
from .linker import BATCH, Linker
from .progress import RebuildProgress, RebuildReport

log = logging.getLogger(__name__)

LOOK_SECONDS = 5.0
"""Interval between looks at what other processes left, and at a graph that was down."""
GRACE_SECONDS = 30.0
"""A mark of another process is left to it for so long: no write takes longer."""
LINGER_SECONDS = 0.2
"""So long a write waits for others, that are then linked with it."""
WHOLE_SECONDS = 1.0
"""The same for linking all of an owner again."""
SHARE = 20.0
"""All of an owner is linked again after so many times the seconds that it took before: it takes at
most a twentieth of a core."""
LOOK_WAIT_SECONDS = 1.0
"""Longest time that a reader waits for a look."""
CATCH_UP_SECONDS = 2.0
"""Longest time that a reader waits for what was just written."""
MOST_MARKS = 1000
"""Marks that are looked at a time."""
MOST_TRIES = 5
READER_NOTE = "reader"


class Graph:
    """Who and what the memories of an engine speak of. For one event loop.

    Writes go on while the graph is down, and what was written meanwhile is linked when it is back.
    """

    def __init__(
        self,
        store: GraphStore,
        memories: VectorStore,
        writer: MemoryWriter,
        *,
        bulk: FairThreadPool | None = None,
        pause: Pause = at_once,
        shared: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`memories` is where texts are read; `writer` writes links, and is to tell of changes.

        `shared`: other processes write to both as well.
        """
        self.store = store
        self._memories = memories
        self._linker = Linker(store, memories, writer, bulk=bulk, pause=pause)
        self._shared = shared
        self._clock = clock
        self._due = Due()
        self._tasks = Tasks()
        self._runs = False
        self._stepping = asyncio.Lock()
        self._wake = asyncio.Event()
        """Ends the pause in which writes gather."""
        self._rests = False
        """Whether nothing was written since the last step."""
        self._readers = 0
        """How many wait for what was written."""
        self._hurried = False
        """Whether somebody waits for everything."""
        self._linked = asyncio.Event()
        """Everything that was written is linked, or the graph is down."""
        self._linked.set()
        self._built = asyncio.Event()
        """Nothing is being built that a reader would wait for."""
        self._built.set()
        self._seen: dict[str, float] = {}
        """Marks that are not this process's, and when they were first seen."""
        self._took: dict[Scope, float] = {}
        """Seconds that it took to link all of an owner."""
        self._looked = False
        self.trouble: RecollectError | None = None
        """Why nothing is linked at the moment; None: it is."""
        self._tries: Counter[str] = Counter()
        """How often memories were read again at once, because others changed meanwhile."""
        self.followed = False
        """Whether somebody looks every few seconds (`look`)."""
        self._next_look = 0.0
        """When it is time to look whether the graph is back."""
        self.done = 0
        """Memories that were linked or unlinked since the start."""

    @staticmethod
    def key(name: str) -> str:
        """A name as it is compared."""
        return key_of(name)

    @property
    def waiting(self) -> int:
        """What this process has still to link: memories, and owners of which all is linked."""
        return len(self._due)

    @property
    def counted(self) -> dict[str, int]:
        """Memories that were `linked` since the start, or unlinked, and that are `waiting`."""
        return {"linked": self.done, "waiting": self.waiting}

    # What is told.

    async def committed(self, change: WrittenChange) -> None:
        """Memories were written or removed: the marks of it are in the database."""
        rows = [memory.item for memory in change.put] + change.removed
        for item in rows:
            if (mark := change.marks.get(item.id)) is not None:
                self._due.note({item.id: item.scope}, mark)
        self._due.tenants |= change.emptied
        self._start()

    async def uncertain(self, tenants: Collection[str]) -> None:
        """A change may be there: if so, its marks are too."""
        self._due.tenants.update(tenants)
        self._start()

    def forgotten(self, owner_ref: OwnerRef) -> None:
        """Nothing of an owner is to be linked any more."""
        self._due.forget(owner_ref)

    # Waiting, and looking.

    async def caught_up(self, seconds: float = CATCH_UP_SECONDS) -> None:
        """Wait, at most so long, until what was written is linked; or the graph is down."""
        await self._first()
        self._start()
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
        """Wait until nothing is left to do, or the graph is down."""
        await self._first()
        await self._built.wait()
        while len(self._due) and self.trouble is None:
            self._hurried = True
            self._start()
            self._wake.set()
            await self._tasks.join()

    async def changed(self, owner: Scope) -> None:
        """A person merged or parted entities of this owner: others may be resolved otherwise."""
        await self.store.mark({whole_mark(owner): owner})
        self._whole(owner)
        self._start()

    async def look(self) -> None:
        """See whether the graph is back, and link what processes that died had marked.

        Every few seconds. Raises StateError.
        """
        self._looked = True
        await self.store.ping()
        self._back()
        marks = await self.store.marked(limit=MOST_MARKS)
        now = self._clock()
        self._seen = {each: self._seen.get(each, now) for each in marks}
        for mark, scope in marks.items():
            if self._is_old(mark, now):
                self._take(mark, scope)
        self._start()

    async def ping(self) -> None:
        """Raises StateError if the graph is down."""
        await self.store.ping()
        if isinstance(self.trouble, StateError):
            raise self.trouble

    async def close(self, seconds: float) -> None:
        """Wait so long for what is due; the rest stays marked."""
        if self._due.waits and self.trouble is None:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    self._start()
                    self._wake.set()
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
                await self._linker.link_all(owner, progress.add)
        if owner_ref is None:
            await self.store.keep_note(READER_NOTE, READER)
        counts = await self.store.counts(owner_ref)
        return RebuildReport(
            memories=progress.done,
            entities=counts["entities"],
            relations=counts["relations"],
            seconds=self._clock() - began,
        )

    async def stale(self, owner_ref: OwnerRef) -> int:
        """How many memories are not linked as they are stored. Raises StateError, StoreError."""
        return len(await self._linker.amiss(owner_ref))

    # The background.

    def _start(self) -> None:
        if not len(self._due):
            return
        if self._due.waits and self.trouble is None:
            self._linked.clear()
        if self._rests and self._due.waits:
            self._wake.set()
        if not self._runs and self.trouble is None:
            self._runs = True
            self._tasks.start(self._run(), name="graph")

    async def _run(self) -> None:
        try:
            while len(self._due):
                await self._wait()
                async with self._stepping:
                    await self._step()
        except RecollectError as error:
            self._failed(error)
        except Exception:
            log.exception("linking failed unexpectedly")
            self._failed(StateError("a defect: see the log"))
        finally:
            self._runs = False
            self._tries.clear()
            self._linked.set()
            self._hurried = False

    async def _wait(self) -> None:
        """Let writes gather, unless somebody waits for them."""
        self._wake.clear()
        if self._due.waits:
            seconds = LINGER_SECONDS
        else:
            self._linked.set()
            self._rests = True
            seconds = max(0.0, min(self._due.owners.values()) - self._clock())
        hurried = self._hurried or (self._readers and self._due.waits)
        if not hurried:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._wake.wait()
        self._rests = False

    async def _step(self) -> None:
        if (changed := self._due.take(BATCH)) is not None:
            try:
                linked = await self._linker.link(changed, marked=self._due.owners)
            except BaseException:
                self._due.put_back(changed)
                raise
            self.done += linked.memories
            self._again(changed.part(linked.again))
            for owner in linked.disturbed:
                self._whole(owner)
        elif self._due.tenants:
            await self._look_at(next(iter(self._due.tenants)))
        elif self._due.owners:
            await self._link_all()

    def _again(self, changed: ChangedMemories) -> None:
        """Link these once more, but not for ever: after that they wait for the next look."""
        for each in changed.marks:
            self._tries[each] += 1
        due = [each for each in changed.marks if self._tries[each] <= MOST_TRIES]
        if due:
            self._due.put_back(changed.part(due))

    async def _link_all(self) -> None:
        owner = min(self._due.owners, key=self._due.owners.__getitem__)
        if self._due.owners[owner] > self._clock() and not self._hurried:
            return
        began = self._clock()
        await self._linker.link_all(owner)
        self._due.owners.pop(owner, None)
        await self.store.unlink(owner.tenant, [whole_mark(owner)])
        self._took[owner] = self._clock() - began

    async def _look_at(self, tenant: str) -> None:
        """Find what was missed of a tenant."""
        self._due.note(await self._linker.amiss(tenant))
        self._due.tenants.discard(tenant)
        await self.store.unlink(tenant, [tenant_mark(tenant)[0]])

    def _whole(self, owner: Scope) -> None:
        seconds = max(WHOLE_SECONDS, SHARE * self._took.get(owner, 0.0))
        self._due.whole(owner, self._clock() + seconds)

    async def _first(self) -> None:
        """Look at what processes left that died, and build, if nobody did.

        A program without background work does not look by itself.
        """
        if self._looked:
            await self._look_again()
            return
        with suppress(StateError):
            await self.look()
            self._built.clear()
            self._tasks.start(self._build(), name="graph build")

    async def _look_again(self) -> None:
        """Once in a while see whether the graph is back, if nobody else does."""
        if self.trouble is None or self.followed or self._clock() < self._next_look:
            return
        self._next_look = self._clock() + LOOK_SECONDS
        with suppress(StateError, TimeoutError):
            async with asyncio.timeout(LOOK_WAIT_SECONDS):
                await self.look()

    async def _build(self) -> None:
        try:
            await guarded(self.build)
        finally:
            self._built.set()

    def _is_old(self, mark: str, now: float) -> bool:
        return not self._shared or now - self._seen[mark] >= GRACE_SECONDS

    def _take(self, mark: str, scope: Scope) -> None:
        if is_whole(mark, scope):
            if scope not in self._due.owners:
                self._whole(scope)
        elif is_tenant(mark, scope):
            self._due.tenants.add(scope.tenant)
        else:
            self._due.note({mark: scope})

    def _failed(self, error: RecollectError) -> None:
        if self.trouble is None:
            log.warning("the graph does not follow for now; recall goes on without it: %s", error)
            self._next_look = self._clock() + LOOK_SECONDS
        self.trouble = error
        self._linked.set()

    def _back(self) -> None:
        if self.trouble is not None:
            log.info("the graph is back; what was written meanwhile is linked now")
        self.trouble = None
