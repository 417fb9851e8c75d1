"""One extraction from a built-in conversation, to see what a model makes of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from ..model.errors import JobTimeoutError, RecollectError, advice_about, code_in, coded
from ..model.ports import ChatModel
from ..model.types import Candidate, ChatReply, ChatRequest, Message, Scope, utc_now
from .conversation import turns_of
from .extract import extract
from .options import LearnOptions

CONVERSATION = (
    Message(role="user", content="I moved to Lisbon in March and work there as a nurse."),
    Message(role="assistant", content="Welcome to Lisbon!"),
    Message(role="user", content="My daughter Mia is allergic to peanuts. What can I bake?"),
    Message(role="assistant", content="A lemon cake needs no nuts at all."),
)
"""Two turns in which the user says what is worth keeping."""
MAX_SHOWN = 500
"""Characters of an answer that could not be read."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of a trial."""

    facts: tuple[Candidate, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    """Facts that were rejected, each with its reason word."""
    strategy: str = ""
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0
    error: str = ""
    """The failure, beginning with its reason word; empty if an answer could be read."""
    raw: str = ""
    """The beginning of the last answer, if none could be read."""

    @property
    def advice(self) -> str:
        """What to do about `error`."""
        return advice_about(code_in(self.error))


class _Heard:
    """The model, and what it answered."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self.replies: list[ChatReply] = []
        self.calls = 0

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.calls += 1
        reply = await self._model.complete(request)
        self.replies.append(reply)
        return reply

    async def close(self) -> None:
        await self._model.close()


async def try_extraction(
    model: ChatModel,
    options: LearnOptions,
    *,
    at: Callable[[], datetime] = utc_now,
    clock: Callable[[], float] = time.monotonic,
) -> Trial:
    """Extract facts from `CONVERSATION` as a job would; stores nothing, raises nothing of ours."""
    heard, began, error = _Heard(model), clock(), ""
    turns = turns_of(CONVERSATION, Scope(tenant="check", user_id="check"), at=at(), batch="check")
    found = None
    try:
        async with asyncio.timeout(options.job_seconds):
            found = await extract(
                heard, turns, prompt=options.instructions(), max_tokens=options.max_output_tokens
            )
    except TimeoutError:
        error = coded(JobTimeoutError(f"no result within {options.job_seconds:g} s"))
    except RecollectError as failure:
        error = coded(failure)
    return Trial(
        facts=found.candidates if found else (),
        refused=found.refused if found else (),
        strategy=found.strategy if found else "",
        calls=heard.calls,
        prompt_tokens=sum(reply.prompt_tokens for reply in heard.replies),
        completion_tokens=sum(reply.completion_tokens for reply in heard.replies),
        seconds=clock() - began,
        error=error,
        raw=heard.replies[-1].text[:MAX_SHOWN] if error and heard.replies else "",
    )
