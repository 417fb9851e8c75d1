"""Opens the parts of an engine as configured.

If a part cannot be opened, the parts opened before are closed. The error names the part and its
setting.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Iterator, Mapping
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import Protocol, TypeVar

from ..calibration import Calibration, calibration_for, is_calibrated, load_calibrations
from ..database import ScriptRunner, UnopenedDatabase, open_database, unopened
from ..database.changes import SqlChanges
from ..database.graph import SqlGraph
from ..database.history import SqlHistory
from ..database.transactions import INSIDE
from ..embedders import EmbedderOptions, LocalEmbedderOptions, chosen, id_of, open_embedder
from ..index import IndexFollower, OwnMarks, open_index
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
    InvalidInputError,
    RecollectError,
    StateDamagedError,
    StateError,
    StateUnwritableError,
    StoreError,
)
from ..model.graph import GraphStore
from ..model.ports import Embedder, TokenCounter
from ..records.parts import Parts
from ..records.writing import InsidePorts, MemoryWriter
from ..state import State, state_in, state_of
from ..state.others import among_replicas, among_siblings
from ..state.shared_log import SharedLog
from ..util.locks import flock_holder, lock_of
from ..util.mesh import Mesh
from ..util.tokens import TiktokenCounter
from .formats import refuse_other_formats
from .options import EngineOptions, contradictions

log = logging.getLogger(__name__)

T = TypeVar("T")

MOVING = "about 15 seconds and 4 MB for each thousand"
"""What `recollect reindex` takes on an ordinary core, with vectors of both local models."""
_LOST = "Chats go on with the memories that are there; nothing is kept or learned"
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
    are back. `tokens` counts tokens; by default tables of 28 MB do. With `mesh`, a sibling's, the
    files belong to its parent (`owning`).

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
    owned = mesh is None
    scripts = await _kept(open_the_database(options, serving=serving, owned=owned), stack)
    # All of them are awaited even if one fails, so that every opened file is closed.
    found = await asyncio.gather(
        _kept(_open_embedder(_chosen(options, await _stored(scripts))), stack),
        asyncio.sleep(0, tokens) if tokens is not None else TiktokenCounter.open(),
        asyncio.to_thread(build_all),
        return_exceptions=True,
    )
    embedder, counter = _opened(found[0]), _opened(found[1])
    _opened(found[2])
    store, index = await open_the_memories(options, scripts, embedder, serving=serving)
    stack.push_async_callback(index.close)
    state = await _state_in(scripts, options, stack, mesh)
    graph = await _graph_in(scripts, options)
    measured = _measured(options)
    calibration = calibration_for(embedder.id, dim=embedder.dim, measured=measured)
    if serving:
        _log_advice(options, embedder, measured)
    return Parts(
        embedder,
        calibration,
        counter,
        store,
        state,
        SqlHistory(scripts),
        _writer_of(scripts, embedder, state.log, graphed=graph is not None),
        index=index,
        graph=graph,
        mesh=mesh,
        complete=state.missing is None,
    )


def _writer_of(
    scripts: ScriptRunner, embedder: Embedder, log: SharedLog | None, *, graphed: bool
) -> MemoryWriter:
    """What changes memories, in one transaction each."""
    memories = SqlMemories(INSIDE, embedder_id=embedder.id, dim=embedder.dim, terms=stored_terms)
    if log is not None:
        memories.writer = log.name
    inside = InsidePorts(
        state_of(INSIDE),
        memories,
        SqlHistory(INSIDE),
        SqlGraph(INSIDE) if graphed else None,
        None if log is None else SqlChanges(INSIDE, log.name),
    )
    return MemoryWriter(scripts, inside)


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


async def _stored(scripts: ScriptRunner) -> Identity | None:
    """Whose vectors the memories have. One that cannot be asked is taken for a new one."""
    with suppress(StoreError):
        return await MemoryVectors(MemoryScripts(scripts)).identity()
    return None


def _older(options: EngineOptions, embedder: Embedder) -> str | None:
    """The id of the embedder that a new store would have, if none is configured and it differs."""
    wanted = options.embedder
    if not isinstance(wanted, LocalEmbedderOptions) or wanted.model is not None:
        return None
    now = id_of(chosen(wanted, None))
    return None if now == embedder.id else now


async def open_the_database(
    options: EngineOptions, *, serving: bool = False, owned: bool = True
) -> ScriptRunner:
    """The database, or when `serving` a stand-in for one whose file cannot be used.

    Raises StateError.
    """
    with _named("database", "database.url"):
        try:
            return await open_database(options.database, owned=owned)
        except (StateDamagedError, StateUnwritableError) as error:
            if not serving:
                raise
            log.error("%s. %s", error, _LOST)  # noqa: TRY400 - the reason is in the line
            return unopened(error)


async def open_the_state(options: EngineOptions) -> State:
    """Conversations, jobs and tombstones, for this process alone. Raises StateError."""
    return state_of(await open_the_database(options))


async def _state_in(
    scripts: ScriptRunner, options: EngineOptions, stack: AsyncExitStack, mesh: Mesh | None
) -> State:
    """The state, with what processes that share it need; jobs of dead ones are ready again."""
    shared = options.database.kind == "postgres"
    siblings = mesh if not shared else None
    if isinstance(scripts, UnopenedDatabase):
        return state_of(scripts)
    state = await state_in(scripts, holder=f"{siblings.sibling.number}:" if siblings else "")
    if siblings is not None:
        return among_siblings(state, siblings)
    if not shared:
        return state
    with _named("redis", "redis.url"):
        return await among_replicas(state, options.redis, stack)


async def _graph_in(scripts: ScriptRunner, options: EngineOptions) -> GraphStore | None:
    """The graph; None, and nothing of it stays, if none is wanted.

    It names what memories speak of, and nothing would take out of it what is forgotten.
    """
    graph = SqlGraph(scripts)
    if options.graph.enabled:
        if scripts.alone:
            await graph.mend()
        return graph
    with suppress(StateError):  # it is dropped by the next start
        if await graph.clear():
            log.warning("graph.enabled is false: the graph was removed, with who was merged")
    return None


def refuse_if_in_use(options: EngineOptions) -> None:
    """Raises StoreError if another process uses the database's file; names the process."""
    if (holder := holder_of(options)) is not None:
        with _named("memories", "database.url"):
            raise StoreError(
                f"{options.database.file} is in use by {holder}: stop it, or use another data_dir"
            )


def holder_of(options: EngineOptions) -> str | None:
    """The process that uses the database's file, such as ``process 4711``."""
    file = options.database.file
    if file is None:
        return None
    try:
        return flock_holder(lock_of(file))
    except OSError:  # the opening of the database tells it
        return None


async def open_the_memories(
    options: EngineOptions, scripts: ScriptRunner, embedder: Embedder, *, serving: bool = False
) -> tuple[SqlMemories, IndexFollower]:
    """The memories, in vectors of this embedder, and what keeps an index like them.

    Nothing is filled before the follower runs. Raises StoreError, InvalidInputError.
    """
    name = index_name(embedder.id, embedder.dim)
    # Another backend or place knows nothing of what this one was told.
    place = f"{options.index.backend} {options.index.shown} {name}"
    # What an index in the process knows, the next process does not.
    own = options.index.backend == "exact"
    marks: IndexMarks = OwnMarks() if own else SqlIndexMarks(scripts)
    follower = IndexFollower(
        MemoryLog(scripts, embedder_id=embedder.id),
        marks,
        partial(open_index, options.index, name=name, dim=embedder.dim),
        name=place,
        least=FEW,
    )
    with _named("memories", "database.url"):
        memories = await open_memories(
            scripts,
            embedder_id=embedder.id,
            dim=embedder.dim,
            terms=stored_terms,
            index=NamedIndex(follower, place, marks),
            waits=serving,
        )
    return memories, follower


async def recorded(options: EngineOptions) -> Identity | None:
    """The id and dimensions of the embedder whose vectors there are, also while they are in use.

    None if there are none yet, or nothing is kept. Raises StoreError.
    """
    file = options.database.file
    if file is None or not file.exists():
        return None
    with _named("memories", "database.url"):
        return await asyncio.to_thread(identity_in, file)


@asynccontextmanager
async def open_the_vectors(options: EngineOptions) -> AsyncIterator[MemoryVectors]:
    """The vectors of all memories, which nobody else may use meanwhile. Raises StoreError."""
    refuse_if_in_use(options)
    async with closing(await open_the_database(options)) as scripts:
        yield MemoryVectors(MemoryScripts(scripts))


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
