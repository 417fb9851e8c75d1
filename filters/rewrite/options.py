"""Options of the rewrite."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from recollect.memory.engine.options import ModelServerOptions
from recollect.memory.model.options_base import Options


class RewriteOptions(Options):
    """How a message becomes a self-contained query."""

    strategy: Literal["none", "terms", "llm", "hyde"] = Field(
        default="terms",
        description="`terms` prepends key terms of earlier messages to a query that needs them; "
        "`llm` has a model write such a query out, and falls back to `terms`; `hyde` does as "
        "`terms` and also searches for what an answer may look like, made up by a model (HyDE); "
        "`none` searches for the message as it is.",
    )
    llm: ModelServerOptions | None = Field(
        default=None,
        description="The model that is asked: a small, quick one that does not reason at length. "
        "If not set, the conversation's own model at the same upstream, with the client's "
        "credential, which is only ever held in memory.",
    )

    @property
    def asks_model(self) -> bool:
        """Whether any message makes a call to a model."""
        return self.strategy in {"llm", "hyde"}
