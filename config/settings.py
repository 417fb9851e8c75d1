"""All settings, composed from the options of the parts."""

from __future__ import annotations

from pydantic import Field

from recollect.filters.options import RequestRecallOptions
from recollect.memory.engine.options import (
    EmbedderOptions,
    EngineOptions,
    HistoryOptions,
    LocalEmbedderOptions,
    MilvusStoreOptions,
    StateOptions,
    StoreOptions,
)

from .server import IdentityOptions, ProxyOptions


class Settings(EngineOptions, ProxyOptions):
    """The engine's options, which default to files, and the proxy's options.

    `load_settings` returns them with absolute paths.
    """

    identity: IdentityOptions = Field(default_factory=IdentityOptions)
    recall: RequestRecallOptions = Field(default_factory=RequestRecallOptions)
    embedder: EmbedderOptions = Field(default_factory=LocalEmbedderOptions)
    store: StoreOptions = Field(default_factory=MilvusStoreOptions)
    state: StateOptions = Field(default_factory=StateOptions)
    history: HistoryOptions = Field(default_factory=HistoryOptions)
