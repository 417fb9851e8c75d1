"""Opening the parts of the engine: the same for the proxy and for a worker of its own."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial

from config import Settings
from memory.calibration import Calibration, calibration_for, is_calibrated, load_calibrations
from memory.embedders import CachedEmbedder, open_embedder
from memory.errors import StateDamagedError, StateUnwritableError
from memory.gone import Gone
from memory.ports import Embedder, HistoryLog, TokenCounter, VectorStore, Watched
from memory.recall import HotIndexes, IndexedStore, Recaller
from memory.recall.text import stored_terms
from memory.state import State, open_history, open_state, without_history, without_state
from memory.state.damaged import Unusable
from memory.stores import MilvusStoreOptions, is_remote, open_store
from memory.stores.reconnecting import DamagedStore, open_or_reconnect
from memory.tokens import TiktokenCounter

from .tasks import Tasks

log = logging.getLogger(__name__)

MAINTAIN_SECONDS = 2.0
"""How often a store that does not say may tidy up after writes."""


@dataclass(frozen=True, slots=True)
class Backends:
    """The opened parts of the engine."""

    embedder: CachedEmbedder
    tokens: TokenCounter
    store: VectorStore
    recaller: Recaller
    state: State
    history: HistoryLog
    gone: Gone
    """Where everything says what is gone, and what keeps something of it hears of that."""
    complete: bool = True
    """Whether nothing is left out as damaged: learning needs all of them."""

    @property
    def refused(self) -> int:
        """Writes of state and history that were refused since the start."""
        history = self.history.refused if isinstance(self.history, Watched) else 0
        return self.state.refused + history

    async def ping_history(self) -> None:
        """Raises StateError if it does not answer, is damaged, or takes nothing new."""
        if isinstance(self.history, Watched):
            await self.history.ping()


async def open_backends(settings: Settings, builds: Tasks, stack: AsyncExitStack) -> Backends:
    """Open all parts at once: each waits for another disk, process or import.

    `builds` are what the hot index goes on with when the request that needed it has left.
    """
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    bare, tokens, state, history = await asyncio.gather(
        open_embedder(settings.embedder),
        TiktokenCounter.open(),
        _state(settings),
        _history(settings),
    )
    embedder = CachedEmbedder(bare, max_entries=settings.embedder.cache_entries)
    stack.push_async_callback(embedder.close)
    stack.push_async_callback(state.close)
    stack.push_async_callback(history.close)
    store = await open_or_reconnect(
        partial(
            open_store,
            settings.store,
            embedder_id=embedder.id,
            dim=embedder.dim,
            terms=stored_terms,
        ),
        remote=is_remote(settings.store),
    )
    stack.push_async_callback(store.close)
    complete = state.missing is None and not isinstance(history, Unusable)
    complete = complete and not isinstance(store, DamagedStore)
    calibration = _calibration(settings, embedder)
    indexes = HotIndexes(
        store,
        settings.recall.index,
        dim=embedder.dim,
        versions=state.versions,
        shared=is_remote(settings.store),
        spawn=lambda build: builds.start(build, name="index build"),
    )
    recaller = Recaller(indexes, embedder, tokens, settings.recall, calibration=calibration)
    store = IndexedStore(store, indexes)
    gone = Gone(state.announcements)
    gone.subscribe(embedder)
    return Backends(embedder, tokens, store, recaller, state, history, gone, complete)


async def _state(settings: Settings) -> State:
    try:
        return await open_state(settings.state)
    except (StateDamagedError, StateUnwritableError) as error:
        log.error(  # noqa: TRY400 - the reason is in the line
            "%s. Chats go on with the memories there are; no turn is kept, and nothing is learned",
            error,
        )
        return without_state(error)


async def _history(settings: Settings) -> HistoryLog:
    try:
        return await open_history(settings.history)
    except (StateDamagedError, StateUnwritableError) as error:
        log.error(  # noqa: TRY400 - the reason is in the line
            "%s. Chats go on and turns are kept; they are learned once there is a history", error
        )
        return without_history(error)


def maintain_seconds(settings: Settings) -> float:
    """How often the store may tidy up after writes."""
    store = settings.store
    return store.flush_idle_seconds if isinstance(store, MilvusStoreOptions) else MAINTAIN_SECONDS


def _calibration(settings: Settings, embedder: Embedder) -> Calibration:
    """The thresholds of this embedder. Raises InvalidInputError for a file that is damaged."""
    path = settings.recall.calibration
    measured = load_calibrations(path) if path is not None else {}
    if not is_calibrated(embedder.id, dim=embedder.dim, measured=measured):
        log.warning(
            "no thresholds were measured for the embedder %s: recall lets more through and "
            "learning merges only exact repetitions, until `recollect calibrate` has measured it",
            embedder.id,
        )
    return calibration_for(embedder.id, dim=embedder.dim, measured=measured)
