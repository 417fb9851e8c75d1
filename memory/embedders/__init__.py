"""Embedders: turn text into vectors.

A new backend is one module or folder here, one member of `EmbedderOptions` and one `case`.
"""

from __future__ import annotations

from typing import Annotated, assert_never

from pydantic import Field

from ..model.ports import Embedder
from .batcher import in_background
from .cached import CachedEmbedder, embed_queries
from .fake import FakeEmbedder, FakeEmbedderOptions
from .local import (
    HALVES,
    LocalEmbedder,
    LocalEmbedderOptions,
    OnnxEmbedderOptions,
    chosen,
    id_of,
)
from .openai import GuardedEmbedder, OpenAIEmbedder, OpenAIEmbedderOptions
from .prefixed import prefixed
from .weighted_halves import WeightedHalves

EmbedderOptions = Annotated[
    LocalEmbedderOptions | OnnxEmbedderOptions | OpenAIEmbedderOptions | FakeEmbedderOptions,
    Field(discriminator="backend"),
]

__all__ = [
    "CachedEmbedder",
    "EmbedderOptions",
    "FakeEmbedder",
    "FakeEmbedderOptions",
    "LocalEmbedderOptions",
    "OpenAIEmbedderOptions",
    "chosen",
    "embed_queries",
    "id_of",
    "in_background",
    "open_embedder",
]


async def open_embedder(options: EmbedderOptions) -> Embedder:
    """The embedder of these options, ready for use; the caller closes it.

    Raises:
        EmbeddingError: the local model is missing or cannot be loaded.
    """
    match options:
        case LocalEmbedderOptions():
            embedder = await LocalEmbedder.open(options)
            return WeightedHalves(embedder, HALVES) if chosen(options, None) == "pair" else embedder
        case OnnxEmbedderOptions():
            return prefixed(await LocalEmbedder.open_folder(options), options)
        case OpenAIEmbedderOptions():
            return prefixed(GuardedEmbedder(await OpenAIEmbedder.open(options)), options)
        case FakeEmbedderOptions():
            return FakeEmbedder(options)
        case _:
            assert_never(options)
