"""What a stand-alone memory is made of."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from .embedders import EmbedderOptions, LocalEmbedderOptions
from .llms import OpenAIChatOptions
from .state import HistoryOptions
from .stores import InMemoryStoreOptions, StoreOptions


class MemoryOptions(BaseModel):
    """Parts of `AsyncMemory.open`. The default keeps nothing beyond the process."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    store: StoreOptions = Field(default_factory=InMemoryStoreOptions)
    embedder: EmbedderOptions = Field(default_factory=LocalEmbedderOptions)
    history: HistoryOptions = Field(default_factory=lambda: HistoryOptions(backend="inmemory"))
    llm: OpenAIChatOptions = Field(default_factory=OpenAIChatOptions)
