"""Embeddings from any server with OpenAI's ``/v1/embeddings``."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import Field, SecretStr, model_validator

from ..model.errors import EmbeddingError, EmbeddingRefusedError
from ..model.types import Vectors
from ..util.openai_client import RETRIES, describe, open_client
from ..util.providers import provided_embeddings, provider
from .batcher import Batcher, Cancel, Rows
from .checks import fit, normalised
from .prefixed import PrefixOptions

if TYPE_CHECKING:
    from openai import AsyncOpenAI
import math

from ..model.ports import Embedder
from ..util.breaker import Breaker

REQUESTS = 4
"""Concurrent requests; meanwhile texts gather for the next one."""
BATCH = 32
"""Most texts of a request: what Text Embeddings Inference takes by default, the least of the known
servers."""
ANSWER_SECONDS = 30.0
"""Longest wait for an answer: Ollama takes up to twenty seconds to load a model when it is first
asked. A chat does not wait for it, its recall has a deadline."""
MAX_CHARS = 8000
"""OpenAI refuses inputs of more than 8,192 tokens; a character is at worst about one token."""
SHORTENABLE = "text-embedding-3"
"""Only this family is documented to accept `dimensions`; other servers may refuse the field."""


_REFUSED = frozenset({400, 413, 422})
"""What a server answers that works, about texts that it does not take."""


class OpenAIEmbedderOptions(PrefixOptions):
    """Options of embeddings from a server with OpenAI's API."""

    backend: Literal["openai"] = Field(
        "openai", description="A server with OpenAI's `/v1/embeddings`."
    )
    provider: str | None = Field(
        None,
        description="Name of a provider ([which](backends.md#providers-of-models)): gives the "
        "address, the variable of the key, and a model with its `dim`.",
    )
    base_url: str | None = Field(
        None, description="Root of the API, ending in `/v1`; OpenAI's if not set."
    )
    api_key: SecretStr | None = Field(
        None, description="Sent as the bearer token; leave unset for servers that need none."
    )
    model: str = Field("text-embedding-3-small", min_length=1, description="Name of the model.")
    dim: int = Field(1536, ge=1, le=16384, description="Length of the vectors; others are refused.")

    @model_validator(mode="before")
    @classmethod
    def _of_the_provider(cls, given: Any) -> Any:
        return provided_embeddings(given) if isinstance(given, Mapping) else given


class OpenAIEmbedder:
    """Asks a server for embeddings and checks the answer.

    At most `REQUESTS` run concurrently; waiting texts are sent together in the next one. Every
    failure is an EmbeddingError that names the kind of error and the status, never the server's
    text: servers echo keys.
    """

    def __init__(self, options: OpenAIEmbedderOptions, client: AsyncOpenAI) -> None:
        self.id, self.dim = options.model, options.dim
        self._client = client
        self._batcher = Batcher(self._start, dim=options.dim, max_batch=BATCH, slots=REQUESTS)

    @classmethod
    async def open(cls, options: OpenAIEmbedderOptions) -> Self:
        """Load the library off the loop; does not contact the server, which may start later."""
        client = await open_client(
            base_url=options.base_url,
            api_key=options.api_key,
            timeout_seconds=ANSWER_SECONDS,
            # As for models: a request that has no time for it is cancelled by its deadline.
            max_retries=RETRIES,
            known=None if options.provider is None else provider(options.provider),
        )
        return cls(options, client)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        return await self._batcher.embed(texts)

    async def close(self) -> None:
        self._batcher.close()
        await self._client.close()

    def _start(self, texts: list[str], done: Callable[[Rows], None]) -> Cancel:
        # No single caller awaits it, because each may be cancelled while others still wait. The
        # batcher cancels it when the last caller has gone.
        running = asyncio.gather(self._ask(texts))
        running.add_done_callback(lambda ended: done(lambda: ended.result()[0]))
        return running.cancel

    async def _ask(self, texts: Sequence[str]) -> Vectors:
        import openai

        # OpenAI refuses an empty input with 400, but accepts a space.
        inputs = [fit(text, MAX_CHARS) or " " for text in texts]
        dimensions = self.dim if self.id.startswith(SHORTENABLE) else openai.omit
        try:
            answer = await self._client.embeddings.create(
                model=self.id, input=inputs, dimensions=dimensions
            )
            ordered = sorted(answer.data, key=lambda entry: entry.index)
            rows = [entry.embedding for entry in ordered]
        except openai.OpenAIError as error:
            refused = getattr(error, "status_code", None) in _REFUSED
            failure = EmbeddingRefusedError if refused else EmbeddingError
            raise failure(f"{self.id}: {describe(error)}") from None
        except (ValueError, TypeError, AttributeError) as error:
            kind = type(error).__name__
            raise EmbeddingError(
                f"{self.id}: no list of embeddings in the answer: {kind}"
            ) from None
        return normalised(rows, count=len(texts), dim=self.dim)


class GuardedEmbedder:
    """An `Embedder` that does not call a server that is down: its calls fail at once.

    So a recall does not wait for its deadline at every message. `close` closes the inner one.
    """

    def __init__(self, inner: Embedder) -> None:
        self.id, self.dim = inner.id, inner.dim
        self._inner = inner
        self._breaker = Breaker()

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Raises EmbeddingError, without a call, while the breaker admits none."""
        term = self._breaker.admit()
        if term is None:
            raise EmbeddingError(
                f"{self.id}: the server failed too often in a row and is asked again in "
                f"{math.ceil(self._breaker.wait)} s"
            )
        try:
            rows = await self._inner.embed(texts)
        except EmbeddingRefusedError:
            self._breaker.succeeded(term)  # the server answered
            raise
        except EmbeddingError:
            self._breaker.failed(term)
            raise
        except BaseException:
            self._breaker.abandoned(term)
            raise
        self._breaker.succeeded(term)
        return rows

    async def close(self) -> None:
        await self._inner.close()
