"""Durable state: one port for each thing that is kept, and all of one backend together."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, assert_never, cast

from ..model.admission import Admission
from ..model.blocks import BlockStore
from ..model.costs import Ledger, Standings
from ..model.errors import InvalidInputError, StateDamagedError, StateError, StateUnwritableError
from ..model.graph import GraphStore
from ..model.offers import Offers
from ..model.ports import (
    ConversationStore,
    HistoryLog,
    JobQueue,
    MemoryLocks,
    Tombstones,
    UsageCounters,
)
from ..model.replicas import Replicas
from ..model.shares import Attachments
from ..model.sums import DailySums
from ..model.switches import Switches
from ..model.tasks import TaskStore
from ..model.upkeep import UpkeepRuns
from .local_locks import LocalLocks
from .options import HistoryOptions, StateOptions

if TYPE_CHECKING:
    from ..util.mesh import Mesh
    from .redis import RedisPeers
    from .siblings import SiblingPeers

__all__ = [
    "HistoryOptions",
    "State",
    "StateOptions",
    "Unopened",
    "format_noted",
    "open_graph",
    "open_history",
    "open_state",
    "remove_graph",
    "without_graph",
    "without_history",
    "without_state",
]


@dataclass(frozen=True, slots=True)
class State:
    """All state that is kept in one place. A backend with connections overrides the methods."""

    conversations: ConversationStore
    jobs: JobQueue
    tombstones: Tombstones
    ledger: Ledger
    usage: UsageCounters
    standings: Standings
    offers: Offers
    switches: Switches
    sums: DailySums
    attachments: Attachments
    blocks: BlockStore
    runs: UpkeepRuns
    tasks: TaskStore
    peers: RedisPeers | SiblingPeers | None = None
    """Tells other processes what was written and forgotten; None if none shares this state."""
    admission: Admission | None = None
    """What processes on several machines know of callers together; None if none shares this."""
    replicas: Replicas | None = None
    """Messages to processes on several machines; None if none shares this."""
    locks: MemoryLocks = field(default_factory=LocalLocks)
    """Locks on memories: of this process, unless others share this state."""
    missing: StateError | None = None
    """Why the state cannot be used; None if it can."""

    @property
    def shared(self) -> bool:
        """Whether other processes work with the same state."""
        return self.peers is not None

    @property
    def refused(self) -> int:
        """How many writes were refused since the start."""
        return 0

    async def ping(self) -> None:
        """Return if the state answers and accepts writes.

        Raises:
            StateUnwritableError: it can only be read.
            StateError: it does not answer, or is damaged.
        """
        await self.jobs.counts()

    async def close(self) -> None:
        """Release everything; the parts cannot be used afterwards."""


async def open_state(options: StateOptions, mesh: Mesh | None = None) -> State:
    """Open the configured backend; with `mesh`, for one of several processes on the same file.

    Raises:
        StateDamagedError: its file is damaged and was not changed; see `without_state`.
        StateUnwritableError: its disk has no room for what opening writes; see `without_state`.
        StateError: it cannot be opened.
        InvalidInputError: the backend needs a file and none is named.
    """
    match options.backend:
        case "sqlite":
            from .sqlite import open_sqlite_state

            file = _file("state.url", options.file)
            return await open_sqlite_state(file, options.synchronous, mesh)
        case "redis":
            from .redis import open_redis_state

            return await open_redis_state(
                options.address or "", prefix=options.prefix, turn_ttl_days=options.turn_days
            )
        case "inmemory":
            from .sqlite import in_memory_state

            return in_memory_state()
        case _ as never:
            assert_never(never)


def format_noted(path: Path) -> int:
    """The format that a SQLite file says of itself; see `sqlite.connect`."""
    from .sqlite.connect import format_noted

    return format_noted(path)


async def open_history(options: HistoryOptions) -> HistoryLog:
    """Open the configured backend.

    Raises:
        StateDamagedError: its file is damaged and was not changed; see `without_history`.
        StateUnwritableError: its disk has no room for what opening writes; see `without_history`.
        StateError: it cannot be opened.
        InvalidInputError: the backend needs a file and none is named.
    """
    match options.backend:
        case "sqlite":
            from .sqlite import HISTORY_TABLES, Database, Ownership, history_of

            path = _file("history.url", options.file)
            database = await Database.open(path, HISTORY_TABLES)
            database.on_close(Ownership.claim(path).release)
            return history_of(database)
        case "postgres":
            from .postgres import open_postgres_history

            return await open_postgres_history(options.address or "")
        case "inmemory":
            from .sqlite import in_memory_history

            return in_memory_history()
        case _ as never:
            assert_never(never)


async def open_graph(options: HistoryOptions) -> GraphStore:
    """Open the graph where the history is.

    A damaged file is moved aside: what can be read of it is in a new one, the rest is to be read
    from the memories again (`GraphStore.note` then knows nothing).

    Raises:
        StateError: it cannot be opened; see `without_graph`.
        InvalidInputError: the backend needs a file and none is named.
    """
    match options.backend:
        case "sqlite":
            from .sqlite import open_sqlite_graph

            return await open_sqlite_graph(_file("history.url", options.graph_file))
        case "postgres":
            from .postgres import open_postgres_graph

            return await open_postgres_graph(options.address or "")
        case "inmemory":
            from .sqlite import in_memory_graph

            return in_memory_graph()
        case _ as never:
            assert_never(never)


async def remove_graph(options: HistoryOptions) -> None:
    """Remove the file of a graph that is not wanted any more, if there is one.

    It names what memories speak of, and nothing would take out of it what is forgotten.
    """
    file = options.graph_file
    if file is not None and file.is_file():
        from .sqlite.graph import remove

        await asyncio.to_thread(remove, file)


Unopened = StateDamagedError | StateUnwritableError
"""Errors about a file that do not stop the rest of the engine."""


def without_state(why: Unopened) -> State:
    """A stand-in for state that cannot be used: every call raises `why`."""
    from .writes import Unusable

    part: Any = Unusable(why)
    return State(
        part, part, part, part, part, part, part, part, part, part, part, part, part, missing=why
    )


def without_history(why: Unopened) -> HistoryLog:
    """A stand-in for a history that cannot be used: every call raises `why`."""
    from .writes import Unusable

    history: Any = Unusable(why)
    return cast("HistoryLog", history)


def without_graph(why: StateError) -> GraphStore:
    """A stand-in for a graph that cannot be used: every call raises `why`."""
    from .writes import Unusable

    graph: Any = Unusable(why)
    return cast("GraphStore", graph)


def _file(key: str, path: Path | None) -> Path:
    if path is None:
        raise InvalidInputError(key, "expected the path of a SQLite file")
    return path
