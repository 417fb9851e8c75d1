"""Embeddings from any server that speaks OpenAI's ``/v1/embeddings``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, SecretStr

from ..errors import EmbeddingError
from ..openai_client import describe, open_client
from ..types import Vectors
from .text import fit

MAX_CHARS = 8000
"""OpenAI refuses inputs of more than 8,192 tokens; a character is about one token at worst."""
SHORTENABLE = "text-embedding-3"
"""Only this family is documented to take `dimensions`; other servers may refuse the field."""


class OpenAIEmbedderOptions(BaseModel):
    """Options of embeddings served over OpenAI's protocol."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    backend: Literal["openai"] = Field(
        "openai", description="A server that speaks OpenAI's `/v1/embeddings`."
    )
    base_url: str | None = Field(
        None, description="Root of the API, ending in `/v1`; unset means OpenAI's own."
    )
    api_key: SecretStr | None = Field(
        None, description="Sent as the bearer token; leave unset for servers that need none."
    )
    model: str = Field("text-embedding-3-small", min_length=1, description="Model to ask for.")
    dim: int = Field(
        1536, ge=1, le=16384, description="Length of the model's vectors; others are refused."
    )
    timeout_seconds: float = Field(
        10.0, gt=0, le=600, description="Longest wait for one answer, in seconds."
    )
    batch_size: int = Field(64, ge=1, le=2048, description="Most texts in one request.")


class OpenAIEmbedder:
    """Asks a server for embeddings, and believes only what it has checked.

    Every failure is an EmbeddingError that names the kind of error and the status, never what the
    server said: servers echo keys.
    """

    def __init__(self, options: OpenAIEmbedderOptions) -> None:
        self._options = options
        self._client = open_client(
            base_url=options.base_url,
            api_key=options.api_key,
            timeout_seconds=options.timeout_seconds,
            max_retries=1,  # the request path has no time for more, and learning has its own queue
        )
        self._closed = False

    @property
    def id(self) -> str:
        return self._options.model

    @property
    def dim(self) -> int:
        return self._options.dim

    async def embed(self, texts: Sequence[str]) -> Vectors:
        if self._closed:
            raise EmbeddingError("the embedder is closed")
        size = self._options.batch_size
        vectors = np.empty((len(texts), self.dim), np.float32)
        for start in range(0, len(texts), size):
            vectors[start : start + size] = await self._ask(texts[start : start + size])
        return vectors

    async def close(self) -> None:
        self._closed = True
        await self._client.close()

    async def _ask(self, texts: Sequence[str]) -> Vectors:
        import openai

        # An empty input is a 400 at OpenAI; a space is not.
        inputs = [fit(text, MAX_CHARS) or " " for text in texts]
        dimensions = self.dim if self.id.startswith(SHORTENABLE) else openai.omit
        try:
            answer = await self._client.embeddings.create(
                model=self.id, input=inputs, dimensions=dimensions
            )
            ordered = sorted(answer.data, key=lambda entry: entry.index)
            rows = [entry.embedding for entry in ordered]
        except openai.OpenAIError as error:
            raise EmbeddingError(f"{self.id}: {describe(error)}") from None
        except (ValueError, TypeError, AttributeError) as error:
            kind = type(error).__name__
            raise EmbeddingError(
                f"{self.id}: no list of embeddings in the answer: {kind}"
            ) from None
        return checked(rows, count=len(texts), dim=self.dim)


def checked(rows: Sequence[Sequence[float]], *, count: int, dim: int) -> Vectors:
    """Return the rows as normalised ``float32[count, dim]``.

    Raises:
        EmbeddingError: wrong number, wrong length, not finite, or a zero vector.
    """
    if len(rows) != count:
        raise EmbeddingError(f"asked for {count} embeddings, got {len(rows)}")
    try:
        vectors = np.asarray(rows, np.float64)
    except (ValueError, TypeError):
        raise EmbeddingError("embeddings are no equally long lists of numbers") from None
    if vectors.shape != (count, dim):
        raise EmbeddingError(f"embeddings have shape {vectors.shape}, configured is dim={dim}")
    with np.errstate(over="ignore"):  # an infinite norm is refused like any other
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(norms).all() or not norms.all():
        raise EmbeddingError("an embedding is zero or not finite")
    normalised: Vectors = (vectors / norms).astype(np.float32)
    return normalised
