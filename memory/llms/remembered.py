"""A cache of a model's answers, for programs that ask the same more than once."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

from pydantic import Field

from ..model.options_base import Options
from ..model.owner import owning_tenant
from ..model.ports import ChatModel
from ..model.types import ChatReply, ChatRequest, OwnerRef
from ..util.lru import Lru

KEPT_SECONDS = 3600.0
"""Time for which an answer is given again."""
MAX_CHARS = 20_000_000
"""Of all answers together, which bounds what the cache takes of the process."""


class AnswerOptions(Options):
    """Options of an `AnswerCache`."""

    entries: int = Field(
        default=0,
        ge=0,
        le=1_000_000,
        description="Answers of the model to `add` and `answer` that are kept in the process and "
        "given again to the same request of the same tenant; 0 keeps none. They hold texts of "
        "users; a deletion drops those of its tenant.",
    )


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer, and until when it is given, in seconds of the cache's clock."""

    reply: ChatReply
    until: float


class AnswerCache:
    """The answers of models, by tenant and request; the least recently used are dropped.

    It holds texts of users, in this process only. A deletion drops all answers of its tenant.
    """

    def __init__(
        self, options: AnswerOptions, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock = clock
        self._kept: Lru[tuple[str, bytes], KeptAnswer] = Lru(
            options.entries, max_size=MAX_CHARS, size=lambda kept: len(kept.reply.text)
        )

    def get(self, tenant: str, request: ChatRequest) -> ChatReply | None:
        """The answer to the same request of the same tenant, if it is not too old."""
        kept = self._kept.get((tenant, _digest(request)))
        return kept.reply if kept is not None and self._clock() < kept.until else None

    def put(self, tenant: str, request: ChatRequest, reply: ChatReply) -> None:
        """Keep an answer."""
        until = self._clock() + KEPT_SECONDS
        self._kept.put((tenant, _digest(request)), KeptAnswer(reply, until))

    def forget(self, owner_ref: OwnerRef, memory_id: str | None = None) -> None:
        """Drop the answers of a tenant: a digest does not tell which memory was asked about."""
        del memory_id
        tenant = owning_tenant(owner_ref)
        self._kept.drop(lambda key: key[0] == tenant)

    def clear(self) -> None:
        """Drop every answer."""
        self._kept.drop(lambda _: True)


class RememberedModel:
    """A `ChatModel` of one tenant that gives kept answers. Failures are not kept."""

    def __init__(self, model: ChatModel, cache: AnswerCache, tenant: str) -> None:
        self._model = model
        self._cache = cache
        self._tenant = tenant

    async def complete(self, request: ChatRequest) -> ChatReply:
        known = self._cache.get(self._tenant, request)
        if known is not None:
            return known
        reply = await self._model.complete(request)
        self._cache.put(self._tenant, request, reply)
        return reply

    async def close(self) -> None:
        await self._model.close()


def _digest(request: ChatRequest) -> bytes:
    asked = json.dumps(asdict(request), sort_keys=True, default=str)
    return hashlib.blake2b(asked.encode("utf-8", "surrogatepass"), digest_size=16).digest()
