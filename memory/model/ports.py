"""The ports of the engine: what each backend must guarantee.

All methods are asynchronous unless noted and raise only errors of `recollect.memory.model.errors`.
Every implementation of a port passes the same contract suite (`tests/memory/**/contract.py`).
Optional abilities (`AsksApart`) are small protocols, never methods that return ``None``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

from .types import ACTIVE as ACTIVE  # noqa: PLC0414 - the default of many reads
from .types import (
    ChatReply,
    ChatRequest,
    Scope,
    Vectors,
)

Analyzer = Callable[[str], Sequence[str]]
"""A text's index terms (words without stop words, stemmed), as keyword search compares them."""


class Embedder(Protocol):
    """Text to vectors. `id` names the model of the vectors, `dim` their length."""

    @property
    def id(self) -> str: ...

    @property
    def dim(self) -> int: ...

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """``float32[len(texts), dim]``, L2-normalised, finite. Raises EmbeddingError."""

    async def close(self) -> None:
        """Release everything."""


@runtime_checkable
class AsksApart(Protocol):
    """An optional ability of an `Embedder`: a query has another vector than a stored text."""

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """As `embed`, for texts that are compared with stored ones. Raises EmbeddingError."""


class ChatModel(Protocol):
    """One call to a language model."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Raises ModelError if the model cannot be reached, refuses, or returns nothing."""

    async def close(self) -> None:
        """Release everything."""


class ModelSource(Protocol):
    """Finds the model for a background job."""

    async def __call__(self, tenant: str, model: str) -> ChatModel | None:
        """A model for this tenant's conversations with `model`; None if there is none now."""


class ChatExplainer(Protocol):
    """Knows what a chat does with a message."""

    async def explain(self, scope: Scope, message: str) -> dict[str, Any]:
        """What it would be given, and why, as JSON values.

        Raises EmbeddingError, StoreError, StateError.
        """

    async def compiled(self, scope: Scope, message: str) -> str:
        """What it would be given, byte for byte; "" for nothing. Raises the same."""


MAX_NONE = 20
"""NONE records of one memory that its history keeps."""


class TokenCounter(Protocol):
    """Counts tokens of short texts fast enough for the request path."""

    def count(self, text: str) -> int: ...
