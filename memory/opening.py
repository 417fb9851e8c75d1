"""Opening the parts of an engine, each as the options say.

What was opened is closed again when a later part cannot be. The error names the part and the
setting that describes it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from typing import Protocol, TypeVar

from .calibration import Calibration, calibration_for, is_calibrated, load_calibrations
from .embedders import LocalEmbedderOptions, open_embedder
from .errors import InvalidInputError, RecollectError, StateDamagedError, StateUnwritableError
from .options import EngineOptions, contradictions
from .parts import Parts
from .ports import Embedder, HistoryLog, TokenCounter, VectorStore
from .recall.text import stored_terms
from .state import State, open_history, open_state, without_history, without_state
from .state.damaged import Unusable
from .stores import ReindexTarget, open_for_reindex, open_store, recorded_identity
from .stores.reconnecting import DamagedStore, open_or_reconnect
from .tokens import TiktokenCounter

log = logging.getLogger(__name__)

T = TypeVar("T")


async def open_parts(
    options: EngineOptions,
    stack: AsyncExitStack,
    *,
    serving: bool = False,
    tokens: TokenCounter | None = None,
) -> Parts:
    """Open all parts; `stack` closes them.

    Those that wait for another disk, process or import are opened at once. With `serving` a store
    that does not answer, and files that are damaged or have no room, are no obstacle: what needs
    them fails until they are there. `tokens` counts; if not given, tables of 50 MB do.

    Raises:
        InvalidInputError: two options cannot go together; names the key.
        RecollectError: a part cannot be opened; names it and its setting. What was opened is
            closed when `stack` is left.
    """
    for key, expected in contradictions(options):
        raise InvalidInputError(key, expected)
    # None is left alone when another fails: whoever opened a file has to hear that it is over.
    found = await asyncio.gather(
        open_the_embedder(options),
        _given(tokens) if tokens is not None else open_the_tokens(),
        open_the_state(options, serving=serving),
        open_the_history(options, serving=serving),
        return_exceptions=True,
    )
    embedder, counter, state, history = found
    for part in (embedder, state, history):
        if not isinstance(part, BaseException):
            stack.push_async_callback(part.close)
    embedder = _opened(embedder)
    counter, state, history = _opened(counter), _opened(state), _opened(history)
    calibration = thresholds(options, embedder)
    if serving and not is_measured(options, embedder):
        log.warning(
            "no thresholds were measured for the embedder %s: recall lets more through and "
            "learning merges only exact repetitions, until `recollect calibrate` has measured it",
            embedder.id,
        )
    store = await open_the_store(options, embedder, serving=serving)
    stack.push_async_callback(store.close)
    damaged = (
        state.missing is not None,
        isinstance(history, Unusable),
        isinstance(store, DamagedStore),
    )
    return Parts(embedder, calibration, counter, store, state, history, complete=not any(damaged))


async def _given(part: T) -> T:
    return part


def _opened(part: T | BaseException) -> T:
    if isinstance(part, BaseException):
        raise part
    return part


async def open_the_embedder(options: EngineOptions) -> Embedder:
    """The configured embedder, without a cache. Raises EmbeddingError."""
    chosen = options.embedder
    setting = "model_dir" if isinstance(chosen, LocalEmbedderOptions) else "backend"
    with _named("embedder", f"embedder.{setting}"):
        return await open_embedder(chosen)


async def open_the_tokens() -> TokenCounter:
    """The tables that texts are counted with; no option describes them."""
    return await TiktokenCounter.open()


async def open_the_state(options: EngineOptions, *, serving: bool = False) -> State:
    """Conversations, jobs and what was forgotten. Raises StateError."""
    with _named("state", "state.url"):
        try:
            return await open_state(options.state)
        except (StateDamagedError, StateUnwritableError) as error:
            if not serving:
                raise
            log.error(  # noqa: TRY400 - the reason is in the line
                "%s. Chats go on with the memories there are; no turn is kept, and nothing is "
                "learned",
                error,
            )
            return without_state(error)


async def open_the_history(options: EngineOptions, *, serving: bool = False) -> HistoryLog:
    """What happened to each memory. Raises StateError."""
    with _named("history", "history.url"):
        try:
            return await open_history(options.history)
        except (StateDamagedError, StateUnwritableError) as error:
            if not serving:
                raise
            log.error(  # noqa: TRY400 - the reason is in the line
                "%s. Chats go on and turns are kept; they are learned once there is a history",
                error,
            )
            return without_history(error)


async def open_the_store(
    options: EngineOptions, embedder: Embedder, *, serving: bool = False
) -> VectorStore:
    """The memories, in vectors of this embedder. Raises StoreError."""
    opener = partial(
        open_store, options.store, embedder_id=embedder.id, dim=embedder.dim, terms=stored_terms
    )
    with _named("store", options.store.key):
        if serving:
            return await open_or_reconnect(opener, remote=options.store.remote)
        return await opener()


async def recorded(options: EngineOptions) -> tuple[str, int] | None:
    """Whose vectors the store holds: the embedder's id and dimensions. Raises StoreError."""
    with _named("store", options.store.key):
        return await recorded_identity(options.store)


async def open_the_move(options: EngineOptions, embedder: Embedder) -> ReindexTarget:
    """The memories, and a place for them in vectors of this embedder. Raises StoreError."""
    with _named("store", options.store.key):
        return await open_for_reindex(
            options.store, embedder_id=embedder.id, dim=embedder.dim, terms=stored_terms
        )


def thresholds(options: EngineOptions, embedder: Embedder) -> Calibration:
    """Those that were measured for this embedder, or safe ones.

    Raises:
        InvalidInputError: the file of `recall.calibration` is damaged.
    """
    return calibration_for(embedder.id, dim=embedder.dim, measured=_measured(options))


def is_measured(options: EngineOptions, embedder: Embedder) -> bool:
    """Whether somebody has measured thresholds for this embedder. Raises as above."""
    return is_calibrated(embedder.id, dim=embedder.dim, measured=_measured(options))


def _measured(options: EngineOptions) -> Mapping[str, Calibration]:
    path = options.recall.calibration
    return load_calibrations(path) if path is not None else {}


@contextmanager
def _named(part: str, setting: str) -> Iterator[None]:
    """What is raised within says which part could not be opened, and which setting describes it."""
    try:
        yield
    except InvalidInputError:  # it names the setting
        raise
    except RecollectError as error:
        error.part = f"{part} ({setting})"
        raise


class _Closes(Protocol):
    async def close(self) -> None: ...


C = TypeVar("C", bound=_Closes)


@asynccontextmanager
async def closing(part: C) -> AsyncIterator[C]:
    """A part that is opened alone, closed in the end."""
    try:
        yield part
    finally:
        await part.close()
