"""Options of the rewrite."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from recollect.memory.engine.options import OpenAIChatOptions
from recollect.memory.model.options_base import Options


class RewriteOptions(Options):
    """How a message becomes a self-contained query."""

    strategy: Literal["none", "terms", "llm"] = Field(
        default="terms",
        description="`terms` prepends key terms of earlier messages to a query that needs them; "
        "`llm` has a model write such a query out, and falls back to `terms`; `none` searches for "
        "the message as it is.",
    )
    hyde: bool = Field(
        default=False,
        description="Also search for what an answer may look like, made up by a model (HyDE), "
        "with every message that is searched for.",
    )
    multi_query: int = Field(
        default=0,
        ge=0,
        le=5,
        description="Also search for the query in so many other words of a model. 0: none.",
    )
    deadline_ms: int = Field(
        default=1500,
        ge=1,
        le=60_000,
        description="Longest a request is held for the model of `llm`, `hyde` and `multi_query`, "
        "which are asked for in one call; this is on top of `recall.deadline_ms`. Without an "
        "answer by then the recall goes on with `terms` (milliseconds).",
    )
    llm: OpenAIChatOptions | None = Field(
        default=None,
        description="The model that is asked: a small, quick one that does not reason at length. "
        "If not set, the conversation's own model at the same upstream, with the client's "
        "credential, which is only ever held in memory.",
    )

    @property
    def asks_model(self) -> bool:
        """Whether any message makes a call to a model."""
        return self.strategy == "llm" or self.hyde or self.multi_query > 0
