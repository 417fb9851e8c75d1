"""Opens the parts of an engine as configured, each by one function that registers it.

If a part cannot be opened, the parts opened before are closed. The error names the part and its
setting.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import TypeVar

from ..calibration import Calibration, calibration_for, is_calibrated, load_calibrations
from ..database import ScriptRunner, open_database, unopened
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
from ..memories.script_runner import MemoryScripts
from ..memories.searching import FEW
from ..memories.vectors import Identity, identity_in
from ..model.errors import (
    InvalidInputError,
    StateDamagedError,
    StateError,
    StateUnwritableError,
    StoreError,
)
from ..model.ports import Embedder, TokenCounter
from ..records.parts import Parts
from ..records.writing import InsidePorts, MemoryWriter
from ..state import State, state_in, state_of
from ..state.log_readers import among_replicas, among_siblings
from ..state.shared_log import SharedLog
from ..util.locks import flock_holder, lock_of
from ..util.registry import Registry, opening
from ..util.sibling_messages import SiblingMessages
from ..util.tokens import TiktokenCounter
from .formats import refuse_other_formats
from .options import EngineOptions, contradictions

log = logging.getLogger(__name__)

T = TypeVar("T")

MOVING = "about 15 seconds and 4 MB for each thousand"
"""What `recollect reindex` takes on an ordinary core, with vectors of both local models."""
_LOST = "Chats go on with the memories that are there; nothing is kept or learned"


async def open_parts(
    options: EngineOptions,
    registry: Registry,
    *,
    serving: bool = False,
    tokens: TokenCounter | None = None,
    sibling_messages: SiblingMessages | None = None,
) -> Parts:
    """Open all parts; `registry` closes them.

    Parts that wait for different disks, processes or imports are opened concurrently. With
    `serving`, damaged or full files do not prevent the start: calls that need them fail until they
    are back. `tokens` counts tokens; by default tables of 28 MB do. With `sibling_messages` the
    files belong to the parent of the siblings (`embedded_parts`).

    Raises:
        InvalidInputError: two options contradict each other; names the key.
        FormatError: what is there is of another format; nothing was changed.
        RecollectError: a part cannot be opened; names it and its setting.
    """
    for key, expected in contradictions(options):
        raise InvalidInputError(key, expected)
    await asyncio.to_thread(refuse_other_formats, options)
    registry.stack.enter_context(use_language_packs(options))
    if sibling_messages is None:
        refuse_if_in_use(options)
    scripts = await open_the_database(
        registry, options, serving=serving, owned=sibling_messages is None
    )
    wanted = embedder_for(options, await _stored(scripts))
    embedder, counter = await _readers(registry, wanted, tokens)
    state = await open_the_state(registry, options, scripts, sibling_messages)
    store, index = await open_the_memories(registry, options, scripts, embedder, serving=serving)
    graph = await _graph_in(scripts, options)
    measured = _measured(options)
    if serving:
        _log_advice(options, embedder, measured)
    return Parts(
        embedder,
        calibration_for(embedder.id, dim=embedder.dim, measured=measured),
        counter,
        store,
        state,
        SqlHistory(scripts),
        _writer_of(scripts, embedder, state.log, graphed=graph is not None),
        index=index,
        graph=graph,
        sibling_messages=sibling_messages,
        registry=registry,
    )


async def _readers(
    registry: Registry, wanted: EmbedderOptions, tokens: TokenCounter | None
) -> tuple[Embedder, TokenCounter]:
    """What reads texts: the embedder, the counter of tokens, and the tables of languages."""
    # All of them are awaited even if one fails, so that every opened file is closed.
    found = await asyncio.gather(
        open_the_embedder(registry, wanted), _tables(tokens), return_exceptions=True
    )
    return _opened(found[0]), _opened(found[1])


async def _tables(tokens: TokenCounter | None) -> TokenCounter:
    """The counter of tokens, and the tables of languages: one after the other.

    Both are made by the interpreter, which takes longer over two things at a time.
    """
    await asyncio.to_thread(build_all)
    return await TiktokenCounter.open() if tokens is None else tokens


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


def _opened(part: T | BaseException) -> T:
    if isinstance(part, BaseException):
        raise part
    return part


async def open_the_embedder(registry: Registry, wanted: EmbedderOptions) -> Embedder:
    """One without a cache. Raises EmbeddingError."""
    setting = {"local": "model_dir", "onnx": "folder"}.get(wanted.backend, "backend")
    return await registry.open("embedder", f"embedder.{setting}", open_embedder(wanted))


async def the_embedder(options: EngineOptions) -> EmbedderOptions:
    """The options of the embedder, with the model of the stored memories if none is configured.

    Memories that cannot be asked are taken for new ones; their own opening tells it.
    """
    with suppress(StoreError, StateError):
        return embedder_for(options, await recorded(options))
    return embedder_for(options, None)


def embedder_for(options: EngineOptions, stored: Identity | None) -> EmbedderOptions:
    """The options of the embedder, with the model of stored memories if none is configured."""
    wanted = options.embedder
    if not isinstance(wanted, LocalEmbedderOptions) or wanted.model is not None:
        return wanted
    return wanted.model_copy(update={"model": chosen(wanted, stored and stored[0])})


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
    registry: Registry, options: EngineOptions, *, serving: bool = False, owned: bool = True
) -> ScriptRunner:
    """The database, or when `serving` a stand-in for one whose file cannot be used.

    Raises StateError.
    """

    async def opened() -> ScriptRunner:
        try:
            return await open_database(options.database, owned=owned)
        except (StateDamagedError, StateUnwritableError) as error:
            if not serving:
                raise
            log.error("%s. %s", error, _LOST)  # noqa: TRY400 - the reason is in the line
            return unopened(error)

    scripts = await registry.open("database", "database.url", opened())
    registry.register("database", ping=state_of(scripts).ping)
    return scripts


async def open_the_state(
    registry: Registry,
    options: EngineOptions,
    scripts: ScriptRunner,
    sibling_messages: SiblingMessages | None,
) -> State:
    """The state, with what processes that share it need; jobs of dead ones are ready again."""
    shared = options.database.kind == "postgres"
    siblings = None if shared else sibling_messages
    if (missing := state_of(scripts)).missing is not None:
        return missing
    state = await state_in(scripts, holder=f"{siblings.sibling.number}:" if siblings else "")
    if siblings is not None:
        return among_siblings(state, siblings)
    if not shared:
        return state
    with opening("redis", "redis.url"):
        return await among_replicas(state, options.redis, registry)


async def _graph_in(scripts: ScriptRunner, options: EngineOptions) -> SqlGraph | None:
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
        with opening("memories", "database.url"):
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
    registry: Registry,
    options: EngineOptions,
    scripts: ScriptRunner,
    embedder: Embedder,
    *,
    serving: bool = False,
) -> tuple[SqlMemories, IndexFollower]:
    """The memories, in vectors of this embedder, and what keeps an index like them.

    Nothing is filled before the registry runs. Raises StoreError, InvalidInputError.
    """
    name = index_name(embedder.id, embedder.dim)
    # Another backend or place knows nothing of what this one was told.
    place = f"{options.index.backend} {options.index.shown} {name}"
    # What an index in the process knows, the next process does not.
    own = options.index.backend == "exact"
    marks: IndexMarks = OwnMarks() if own else SqlIndexMarks(scripts)
    index = IndexFollower(
        MemoryLog(scripts, embedder_id=embedder.id),
        marks,
        partial(open_index, options.index, name=name, dim=embedder.dim),
        name=place,
        least=FEW,
        alone=scripts.alone,
    )
    with opening("memories", "database.url"):
        memories = await open_memories(
            scripts,
            embedder_id=embedder.id,
            dim=embedder.dim,
            terms=stored_terms,
            index=NamedIndex(index, place, marks),
            waits=serving,
        )
    registry.register("index", close=index.close, ping=index.ping, run=index.run)
    return memories, index


async def recorded(options: EngineOptions) -> Identity | None:
    """The id and dimensions of the embedder whose vectors there are, also while they are in use.

    None if there are none yet, or nothing is kept. Raises StoreError, StateError.
    """
    if options.database.kind == "postgres":
        async with Registry() as registry:
            scripts = await open_the_database(registry, options)
            return await MemoryVectors(MemoryScripts(scripts)).identity()
    file = options.database.file
    if file is None or not file.exists():
        return None
    with opening("memories", "database.url"):
        return await asyncio.to_thread(identity_in, file)


def is_measured(options: EngineOptions, embedder: Embedder) -> bool:
    """Whether thresholds were measured for this embedder. Raises as `thresholds`."""
    return is_calibrated(embedder.id, dim=embedder.dim, measured=_measured(options))


def _measured(options: EngineOptions) -> Mapping[str, Calibration]:
    path = options.recall.calibration
    return load_calibrations(path) if path is not None else {}
