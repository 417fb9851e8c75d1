"""Opens the parts of an engine as configured.

If a part cannot be opened, the parts opened before are closed. The error names the part and its
setting.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import Protocol, TypeVar, cast

from ..calibration import Calibration, calibration_for, is_calibrated, load_calibrations
from ..database.history import SqlHistory
from ..database.scripts import ScriptRunner
from ..database.transactions import INSIDE
from ..embedders import EmbedderOptions, LocalEmbedderOptions, chosen, id_of, open_embedder
from ..index import Follower, OwnMarks, open_index
from ..index.port import IndexMarks
from ..language import PackError, build_all, stored_terms, using_folder
from ..memories import (
    MemoryLog,
    MemoryVectors,
    NamedIndex,
    SqlIndexMarks,
    SqlMemories,
    index_name,
    open_memories,
)
from ..memories.running import MemoryScripts
from ..memories.searching import FEW
from ..memories.vectors import Identity, identity_in
from ..model.errors import (
    FormatError,
    InvalidInputError,
    RecollectError,
    StateDamagedError,
    StateError,
    StateUnwritableError,
    StoreError,
)
from ..model.graph import GraphStore
from ..model.ports import Embedder, HistoryLog, TokenCounter
from ..records.parts import Parts
from ..records.writing import InsidePorts, MemoryWriter
from ..state import (
    State,
    Unopened,
    open_graph,
    open_history,
    open_state,
    remove_graph,
    without_graph,
    without_history,
    without_state,
)
from ..state.graph import SqlGraph
from ..state.sql import SqlState, state_of
from ..state.writes import Unusable
from ..util.locks import flock_holder, lock_of
from ..util.mesh import Mesh
from ..util.tokens import TiktokenCounter
from .formats import refuse_other_formats
from .options import EngineOptions, contradictions

log = logging.getLogger(__name__)

T = TypeVar("T")

MOVING = "about 15 seconds and 4 MB for each thousand"
"""What `recollect reindex` takes on an ordinary core, with vectors of both local models."""
SLOW_SECONDS = 2.0
"""A part that takes longer to open is named in the log."""


class _Closes(Protocol):
    async def close(self) -> None: ...


C = TypeVar("C", bound=_Closes)


async def open_parts(
    options: EngineOptions,
    stack: AsyncExitStack,
    *,
    serving: bool = False,
    tokens: TokenCounter | None = None,
    mesh: Mesh | None = None,
) -> Parts:
    """Open all parts; `stack` closes them.

    Parts that wait for different disks, processes or imports are opened concurrently. With
    `serving`, damaged or full files do not prevent the start: calls that need them fail until they
    are back. `tokens` counts tokens; by default tables of 28 MB do. With
    `mesh`, a sibling's, the files belong to its parent (`owning`).

    Raises:
        InvalidInputError: two options contradict each other; names the key.
        FormatError: what is there is of another format; nothing was changed.
        RecollectError: a part cannot be opened; names it and its setting. Opened parts are
            closed when `stack` is left.
    """
    for key, expected in contradictions(options):
        raise InvalidInputError(key, expected)
    await asyncio.to_thread(refuse_other_formats, options)
    stack.enter_context(use_language_packs(options))
    if mesh is None:
        refuse_if_in_use(options)
    state = await _kept(open_the_state(options, serving=serving, mesh=mesh), stack)
    # All of them are awaited even if one fails, so that every opened file is closed.
    found = await asyncio.gather(
        _kept(_open_embedder(_chosen(options, await _stored(state))), stack),
        asyncio.sleep(0, tokens) if tokens is not None else TiktokenCounter.open(),
        asyncio.to_thread(build_all),
        return_exceptions=True,
    )
    embedder, counter = _opened(found[0]), _opened(found[1])
    _opened(found[2])
    scripts = scripts_of(state)
    graph = SqlGraph(scripts) if options.graph.enabled else None
    store, index = await open_the_memories(options, state, embedder, serving=serving)
    stack.push_async_callback(index.close)
    measured = _measured(options)
    calibration = calibration_for(embedder.id, dim=embedder.dim, measured=measured)
    if serving:
        _log_advice(options, embedder, measured)
    inside = InsidePorts(
        state_of(INSIDE),
        SqlMemories(INSIDE, embedder_id=embedder.id, dim=embedder.dim, terms=stored_terms),
        SqlHistory(INSIDE),
        None if graph is None else SqlGraph(INSIDE),
    )
    return Parts(
        embedder,
        calibration,
        counter,
        store,
        state,
        SqlHistory(scripts),
        MemoryWriter(scripts, inside),
        index=index,
        graph=graph,
        mesh=mesh,
        complete=state.missing is None,
    )


def _log_advice(
    options: EngineOptions, embedder: Embedder, measured: Mapping[str, Calibration]
) -> None:
    """What an operator can do about thresholds and vectors of another embedder."""
    if not is_calibrated(embedder.id, dim=embedder.dim, measured=measured):
        log.warning(
            "no thresholds were measured for the embedder %s: until `recollect calibrate` measures "
            "them, recall lets more through and learning merges only exact repetitions",
            embedder.id,
        )
    if newer := _older(options, embedder):
        log.info(
            "the memories have vectors of %s, with which all goes on as before; a new store has "
            "those of %s: `recollect reindex` moves the memories, in %s",
            embedder.id,
            newer,
            MOVING,
        )


@contextmanager
def use_language_packs(options: EngineOptions) -> Iterator[None]:
    """Use the configured languages for as long as something is open that reads or writes memories.

    Raises:
        InvalidInputError: a file of `language.packs` is bad, or another engine of this process uses
            another folder; names the setting, the file and the line.
    """
    folder = options.language.packs
    with ExitStack() as stack:
        try:
            stack.enter_context(using_folder(folder and folder.expanduser().absolute()))
        except PackError as error:
            raise InvalidInputError("language.packs", str(error)) from None
        yield


async def _kept(part: Awaitable[C], stack: AsyncExitStack) -> C:
    opened = await part
    stack.push_async_callback(opened.close)
    return opened


def _opened(part: T | BaseException) -> T:
    if isinstance(part, BaseException):
        raise part
    return part


async def open_the_embedder(options: EngineOptions, *, anew: bool = False) -> Embedder:
    """The embedder of the configuration, else of the stored memories; without a cache.

    With `anew` that of new memories, whatever is stored. Raises EmbeddingError.
    """
    return await _open_embedder(options.embedder if anew else await the_embedder(options))


async def the_embedder(options: EngineOptions) -> EmbedderOptions:
    """The options of the embedder, with the model of the stored memories if none is configured.

    Memories that cannot be asked are taken for new ones; their own opening tells it.
    """
    with suppress(StoreError):
        return _chosen(options, await recorded(options))
    return _chosen(options, None)


def _chosen(options: EngineOptions, stored: Identity | None) -> EmbedderOptions:
    wanted = options.embedder
    if not isinstance(wanted, LocalEmbedderOptions) or wanted.model is not None:
        return wanted
    return wanted.model_copy(update={"model": chosen(wanted, stored and stored[0])})


async def _open_embedder(wanted: EmbedderOptions) -> Embedder:
    setting = {"local": "model_dir", "onnx": "folder"}.get(wanted.backend, "backend")
    with _named("embedder", f"embedder.{setting}"):
        return await open_embedder(wanted)


async def _stored(state: State) -> Identity | None:
    """Whose vectors the memories have. One that cannot be asked is taken for a new one."""
    with suppress(StoreError):
        return await MemoryVectors(MemoryScripts(scripts_of(state))).identity()
    return None


def scripts_of(state: State) -> ScriptRunner:
    """Runs scripts in the database of the memories."""
    if isinstance(state, SqlState):
        return state.scripts
    if state.missing is not None:
        return cast("ScriptRunner", Unusable(state.missing))
    raise InvalidInputError("state.backend", "expected sqlite: the memories are in its database")


def _older(options: EngineOptions, embedder: Embedder) -> str | None:
    """The id of the embedder that a new store would have, if none is configured and it differs."""
    wanted = options.embedder
    if not isinstance(wanted, LocalEmbedderOptions) or wanted.model is not None:
        return None
    now = id_of(chosen(wanted, None))
    return None if now == embedder.id else now


async def open_the_state(
    options: EngineOptions, *, serving: bool = False, mesh: Mesh | None = None
) -> State:
    """Conversations, jobs and tombstones. Raises StateError."""
    lost = "Chats still use existing memories; no turn is kept, nothing is learned"
    with _named("state", "state.url"):
        return await _or_without(
            open_state(options.state, mesh), without_state, lost=lost, serving=serving
        )


async def open_the_history(options: EngineOptions, *, serving: bool = False) -> HistoryLog:
    """The history of each memory. Raises StateError."""
    lost = "Chats go on and turns are kept; they are learned when history works"
    with _named("history", "history.url"):
        return await _or_without(
            open_history(options.history), without_history, lost=lost, serving=serving
        )


async def open_the_graph(options: EngineOptions) -> GraphStore | None:
    """The graph, or a stand-in for one that cannot be opened: all else goes on without it.

    Raises FormatError.
    """
    if not options.graph.enabled:
        await remove_graph(options.history)
        return None
    try:
        with _named("graph", "history.url"):
            return await open_graph(options.history)
    except FormatError:
        raise
    except StateError as error:
        log.error("%s. Recall goes on without the graph", error)  # noqa: TRY400 - the reason is in the line
        return without_graph(error)


async def _history_and_graph(
    options: EngineOptions, stack: AsyncExitStack, *, serving: bool
) -> tuple[HistoryLog, GraphStore | None]:
    found = await asyncio.gather(
        _kept(open_the_history(options, serving=serving), stack),
        open_the_graph(options),
        return_exceptions=True,
    )
    graph = _opened(found[1])
    if graph is not None:
        stack.push_async_callback(graph.close)
    return _opened(found[0]), graph


async def _or_without(
    opening: Awaitable[T], stand_in: Callable[[Unopened], T], *, lost: str, serving: bool
) -> T:
    try:
        return await opening
    except (StateDamagedError, StateUnwritableError) as error:
        if not serving:
            raise
        log.error("%s. %s", error, lost)  # noqa: TRY400 - the reason is in the line
        return stand_in(error)


def refuse_if_in_use(options: EngineOptions) -> None:
    """Raises StoreError if another process uses the database's file; names the process."""
    if (holder := holder_of(options)) is not None:
        with _named("memories", "state.url"):
            raise StoreError(
                f"{options.state.file} is in use by {holder}: stop it, or use another data_dir"
            )


def holder_of(options: EngineOptions) -> str | None:
    """The process that uses the database's file, such as ``process 4711``."""
    file = options.state.file
    if file is None:
        return None
    try:
        return flock_holder(lock_of(file))
    except OSError:  # the opening of the database tells it
        return None


async def open_the_memories(
    options: EngineOptions, state: State, embedder: Embedder, *, serving: bool = False
) -> tuple[SqlMemories, Follower]:
    """The memories, in vectors of this embedder, and what keeps an index like them.

    Nothing is filled before the follower runs. Raises StoreError, InvalidInputError.
    """
    scripts = scripts_of(state)
    name = index_name(embedder.id, embedder.dim)
    # Another backend or place knows nothing of what this one was told.
    place = f"{options.index.backend} {options.index.shown} {name}"
    # What an index in the process knows, the next process does not.
    own = options.index.backend == "exact"
    marks: IndexMarks = OwnMarks() if own else SqlIndexMarks(scripts)
    follower = Follower(
        MemoryLog(scripts, embedder_id=embedder.id),
        marks,
        partial(open_index, options.index, name=name, dim=embedder.dim),
        name=place,
        least=FEW,
    )
    with _named("memories", "state.url"):
        memories = await open_memories(
            scripts,
            embedder_id=embedder.id,
            dim=embedder.dim,
            terms=stored_terms,
            index=NamedIndex(follower, place, marks, follower.wake),
            waits=serving,
        )
    return memories, follower


async def recorded(options: EngineOptions) -> Identity | None:
    """The id and dimensions of the embedder whose vectors there are, also while they are in use.

    None if there are none yet, or nothing is kept. Raises StoreError.
    """
    file = options.state.file
    if file is None or not file.exists():
        return None
    with _named("memories", "state.url"):
        return await asyncio.to_thread(identity_in, file)


@asynccontextmanager
async def open_the_vectors(options: EngineOptions) -> AsyncIterator[MemoryVectors]:
    """The vectors of all memories, which nobody else may use meanwhile. Raises StoreError."""
    refuse_if_in_use(options)
    async with closing(await open_the_state(options)) as state:
        yield MemoryVectors(MemoryScripts(scripts_of(state)))


def is_measured(options: EngineOptions, embedder: Embedder) -> bool:
    """Whether thresholds were measured for this embedder. Raises as `thresholds`."""
    return is_calibrated(embedder.id, dim=embedder.dim, measured=_measured(options))


def _measured(options: EngineOptions) -> Mapping[str, Calibration]:
    path = options.recall.calibration
    return load_calibrations(path) if path is not None else {}


@contextmanager
def _named(part: str, setting: str) -> Iterator[None]:
    """Add the part that could not be opened and its setting to errors raised within.

    A part that takes long is logged, so that a person knows what is waited for.
    """
    loop = asyncio.get_running_loop()
    told = loop.call_later(SLOW_SECONDS, log.info, "waiting for the %s (%s)", part, setting)
    try:
        yield
    except InvalidInputError:  # it names the setting
        raise
    except RecollectError as error:
        error.part = f"{part} ({setting})"
        raise
    finally:
        told.cancel()


@asynccontextmanager
async def closing(part: C) -> AsyncIterator[C]:
    """Close the part at the end of the block."""
    try:
        yield part
    finally:
        await part.close()
