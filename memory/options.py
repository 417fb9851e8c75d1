"""Options of an engine and of a stand-alone memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import Field

from .embedders import EmbedderOptions, LocalEmbedderOptions, OpenAIEmbedderOptions
from .forget import RetentionOptions
from .learn import LearnOptions
from .llms import OpenAIChatOptions
from .recall import RecallOptions
from .state import HistoryOptions, StateOptions
from .stores import InMemoryStoreOptions, MilvusStoreOptions, StoreOptions
from .strict import Options

__all__ = [
    "DEFAULT_MODEL_DIR",
    "EmbedderOptions",
    "EngineOptions",
    "HistoryOptions",
    "LearnOptions",
    "LocalEmbedderOptions",
    "MemoryOptions",
    "MilvusStoreOptions",
    "OpenAIChatOptions",
    "OpenAIEmbedderOptions",
    "RecallOptions",
    "RetentionOptions",
    "StateOptions",
    "StoreOptions",
    "contradictions",
]

DEFAULT_MODEL_DIR = Path("~/.recollect/models")
"""Where `make setup` and `recollect models fetch` put the weights."""


class EngineOptions(Options):
    """Options of `Engine.open`. By default nothing outlives the process."""

    recall: RecallOptions = Field(default_factory=RecallOptions)
    learn: LearnOptions = Field(default_factory=LearnOptions)
    retention: RetentionOptions = Field(default_factory=RetentionOptions)
    embedder: EmbedderOptions = Field(
        default_factory=lambda: LocalEmbedderOptions(model_dir=DEFAULT_MODEL_DIR)
    )
    store: StoreOptions = Field(default_factory=InMemoryStoreOptions)
    state: StateOptions = Field(default_factory=lambda: StateOptions(backend="inmemory"))
    history: HistoryOptions = Field(default_factory=lambda: HistoryOptions(backend="inmemory"))


class MemoryOptions(EngineOptions):
    """Options of `AsyncMemory.open` and `Memory`."""

    llm: OpenAIChatOptions = Field(default_factory=OpenAIChatOptions)
    """The model that extracts facts, unless `learn.llm` names one."""


def contradictions(options: EngineOptions) -> Iterator[tuple[str, str]]:
    """Options that contradict each other: the key of each, and what was expected."""
    learn = options.learn
    if learn.retry_seconds > learn.max_retry_seconds:
        yield (
            "learn.retry_seconds",
            f"expected at most learn.max_retry_seconds ({learn.max_retry_seconds:g})",
        )
    places: dict[Path, str] = {}
    for key, path in _places(options):
        if path in places:
            yield key, f"expected a place of its own: {path} is that of {places[path]}"
        places.setdefault(path, key)


def _places(options: EngineOptions) -> Iterator[tuple[str, Path]]:
    """Every file or folder that must not be shared by two parts, with the key that names it."""
    named = {
        "state.url": options.state.file,
        "history.url": options.history.file,
        options.store.key: options.store.folder,
    }
    return ((key, path.resolve()) for key, path in named.items() if path is not None)
