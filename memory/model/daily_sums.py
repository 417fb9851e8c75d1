"""Daily sums (UTC) of what a tenant's chats took and gave."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum

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
