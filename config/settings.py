"""All settings, composed from the options of the parts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self

from pydantic import Field, PrivateAttr

from recollect.filters.options import RequestRecallOptions
from recollect.memory.engine.options import (
    DatabaseOptions,
    EmbedderOptions,
    EngineOptions,
    IndexOptions,
    LocalEmbedderOptions,
    MilvusIndexOptions,
)

from .server import IdentityOptions, ProxyOptions
from .sources import overlap


@dataclass(frozen=True, slots=True)
class Origins:
    """Where keys were set. Settings that were set elsewhere are the same settings."""

    sources: tuple[tuple[str, str], ...] = field(default=(), compare=False)


class Settings(EngineOptions, ProxyOptions):
    """The engine's options, which default to files, and the proxy's options.

    `load_settings` returns them with absolute paths.
    """

    identity: IdentityOptions = Field(default_factory=IdentityOptions)
    recall: RequestRecallOptions = Field(default_factory=RequestRecallOptions)
    embedder: EmbedderOptions = Field(default_factory=LocalEmbedderOptions)
    index: IndexOptions = Field(default_factory=MilvusIndexOptions)
    database: DatabaseOptions = Field(default_factory=DatabaseOptions)
    _origins: Origins = PrivateAttr(default_factory=Origins)

    def named_by(self, sources: Iterable[tuple[str, str]]) -> Self:
        """The same settings, which know where each dotted key was set; later ones win."""
        self._origins = Origins(tuple(sources))
        return self

    def source_of(self, key: str) -> str:
        """Where a key was set: `file`, `flag`, `variable` and its name; empty for a default."""
        found = (source for name, source in reversed(self._origins.sources) if overlap(name, key))
        return next(found, "")
