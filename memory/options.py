"""What a stand-alone memory is made of."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from .embedders import EmbedderOptions, LocalEmbedderOptions
from .llms import OpenAIChatOptions
from .state import HistoryOptions
from .stores import InMemoryStoreOptions, StoreOptions

DEFAULT_MODEL_DIR = Path("~/.recollect/models")
"""Where `make setup` and `recollect models fetch` put the weights."""


class MemoryOptions(BaseModel):
    """Parts of `AsyncMemory.open`. The default keeps nothing beyond the process."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    store: StoreOptions = Field(default_factory=InMemoryStoreOptions)
    embedder: EmbedderOptions = Field(
        default_factory=lambda: LocalEmbedderOptions(model_dir=DEFAULT_MODEL_DIR)
    )
    history: HistoryOptions = Field(default_factory=lambda: HistoryOptions(backend="inmemory"))
    llm: OpenAIChatOptions = Field(default_factory=OpenAIChatOptions)
