"""Stand-ins for fault injection: a model with lines, parts that break on order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.model.errors import EmbeddingError
from recollect.memory.model.types import (
    ChatReply,
    ChatRequest,
    Decision,
    EventKind,
    MemoryItem,
    MemoryType,
    Message,
    Scope,
    Turn,
)
from recollect.memory.trust.quarantine.values import Reason, Suspicion, SuspicionKind

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
ALICE = Scope(tenant="local", user_id="alice")
BOB = Scope(tenant="local", user_id="bob")


def user(text: str) -> Message:
    return Message(role="user", content=text)


def a_memory(name: str, text: str, scope: Scope, at: datetime, **fields: Any) -> MemoryItem:
    """One that was stored at that time."""
    usual = {"type": MemoryType.SEMANTIC, "embedder_id": "e"} | fields
    return MemoryItem(id=name, text=text, scope=scope, created_at=at, updated_at=at, **usual)


def a_turn(
    name: str,
    conversation: str,
    scope: Scope,
    user: str,
    assistant: str,
    at: datetime,
    **fields: Any,
) -> Turn:
    """A question and its answer."""
    told = {"user_text": user, "assistant_text": assistant, "model": "m", "created_at": at}
    return Turn(id=name, conversation_id=conversation, scope=scope, **(told | fields))


def a_decision(event: EventKind, name: str, text: str, **fields: Any) -> Decision:
    """About a fact."""
    usual = {"type": MemoryType.SEMANTIC} | fields
    return Decision(event=event, memory_id=name, text=text, **usual)


def withholding(*sentences: str) -> Any:
    """A judge of texts that withholds these sentences, wherever they are."""

    def judge(text: str, *_: Any, **__: Any) -> Suspicion | None:
        found = sorted(
            ((at, at + len(sentence)), (Reason(SuspicionKind.SECRECY, "pasted", "sign", sentence),))
            for sentence in sentences
            for at in range(len(text))
            if text.startswith(sentence, at)
        )
        return Suspicion(tuple(found)) if found else None

    return judge


class Says:
    """A `ChatModel` with lines: a text, an error to raise, or a function of the request.

    The last one repeats.
    """

    def __init__(self, *lines: Any) -> None:
        self.lines = list(lines)
        self.requests: list[ChatRequest] = []
        self.closed = False

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.requests.append(request)
        line = self.lines.pop(0) if len(self.lines) > 1 else self.lines[0]
        if callable(line):
            line = line(request)
        if isinstance(line, Exception):
            raise line
        return ChatReply(text=line, model="says")

    async def close(self) -> None:
        self.closed = True

    def heard(self) -> str:
        """Everything it was ever told."""
        return "\n".join(m.content for request in self.requests for m in request.messages)


class Breaks:
    """Any part; the named method raises `error` on its first `times` calls, or at each for -1.

    With `after` the call takes effect first, as when the answer is lost on the way.
    """

    def __init__(
        self, inner: Any, method: str, error: Exception, *, times: int = 1, after: bool = False
    ) -> None:
        self._inner, self._method, self._error = inner, method, error
        self.left, self._after = times, after

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name != self._method:
            return found

        async def broken(*args: Any, **kwargs: Any) -> Any:
            if not self.left:
                return await found(*args, **kwargs)
            self.left -= 1
            if self._after:
                await found(*args, **kwargs)
            raise self._error

        return broken


class Chokes(FakeEmbedder):
    """Cannot embed any batch with a text that holds the word "poison"."""

    async def embed(self, texts: Sequence[str]) -> Any:
        if any("poison" in text for text in texts):
            raise EmbeddingError("choked")
        return await super().embed(texts)


class Angles:
    """Puts each text at an angle on the circle, so that cosines are known; calibrated thresholds."""

    id = "all-MiniLM-L6-v2"
    dim = 384

    def __init__(self, degrees: dict[str, float]) -> None:
        self._degrees = degrees

    async def embed(self, texts: Sequence[str]) -> Any:
        angles = [math.radians(self._degrees[text]) for text in texts]
        vectors = np.zeros((len(angles), self.dim), np.float32)
        vectors[:, 0], vectors[:, 1] = np.cos(angles), np.sin(angles)
        return vectors

    async def close(self) -> None:
        """Nothing to release."""
