"""What a tenant's chats took and gave, summed up by day (UTC)."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Protocol

KEEP_DAYS = 62
"""Days whose sums every backend keeps after the last change: two months."""

Amounts = Mapping["Summed", int]


class Summed(StrEnum):
    """What is summed up; the values are the names in answers and in the state."""

    CHATS = "chats"
    """Chats of a known user, whether anything was recalled or not."""
    RECALLED = "recalled"
    """Those of them whose model was given memories."""
    INJECTED_LINES = "injected_lines"
    """Memories that were given to models, each time they were."""
    INJECTED_TOKENS = "injected_tokens"
    """What these took of the prompts."""
    EMBEDDED_TEXTS = "embedded_texts"
    """Texts that an embedder was asked for; what a cache knows is not asked for."""
    LEARNED = "learned"
    """Memories that learning from chats wrote: new ones and new versions."""
    CACHED_TOKENS = "cached_tokens"
    """Prompt tokens that model servers reported as read from their cache."""
    CACHED_ANSWERS = "cached_answers"
    """Answers that reported how many these were."""
    PROMPT_TOKENS = "prompt_tokens"
    """All prompt tokens of these answers, as reported."""
    WHATIF_CALLS = "whatif_calls"
    """Requests to model servers that asked which memory changed an answer."""
    WHATIF_TOKENS = "whatif_tokens"
    """What these took, as reported."""


class DailySums(Protocol):
    """Sums by tenant and day."""

    async def add(self, tenant: str, day: date, amounts: Amounts, *, batch: str) -> None:
        """Add to a day's sums atomically. What was added as `batch` is not added again.

        The latest batches are known, so that one can be added again after a failure. Raises
        StateError.
        """

    async def between(self, tenant: str, first: date, last: date) -> dict[date, dict[Summed, int]]:
        """The sums of these days, oldest first; days without any are left out. Raises StateError.

        Days are inclusive. What is not in a day's sums is 0.
        """


@dataclass(slots=True)
class Payer:
    """Whom a task works for, where embedding is counted."""

    tenant: str
    proven: bool = True
    """Whether it is certain: anybody may send a request with an invented credential."""
    texts: int = 0
    """Texts that were embedded without being certain; whoever learns that it is counts them."""


PAYER: ContextVar[Payer] = ContextVar("PAYER")
"""That of the running task."""
