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
from memory.ports import Embedder, HistoryLog, TokenCounter, VectorStore
from memory.recall import HotIndexes, IndexedStore, Recaller
from memory.recall.text import stored_terms
from memory.state import State, open_history, open_state
from memory.stores import MilvusStoreOptions, is_remote, open_store
from memory.stores.reconnecting import open_or_reconnect
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
    notes: dict[str, str]
    """What was found damaged and set aside, for `/readyz`."""


async def open_backends(settings: Settings, builds: Tasks, stack: AsyncExitStack) -> Backends:
    """Open all parts at once: each waits for another disk, process or import.

    `builds` are what the hot index goes on with when the request that needed it has left.
    """
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    bare, tokens, state, (history, history_aside) = await asyncio.gather(
        open_embedder(settings.embedder),
        TiktokenCounter.open(),
        open_state(settings.state),
        open_history(settings.history),
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
    notes = {path.name: "set aside as damaged" for path in [*state.set_aside, *history_aside]}
    store = IndexedStore(store, indexes)
    return Backends(embedder, tokens, store, recaller, state, history, notes)


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
