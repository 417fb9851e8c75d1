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
        description="`terms`: key terms of earlier messages stand before a query that needs "
        "them. `llm`: a model writes such a query out. `hyde`: as `terms`, and an answer that a "
        "model makes up is searched for too. `none`: the message as it is.",
    )
    llm: ModelServerOptions | None = Field(
        default=None,
        description="The model that is asked: a small, quick one. If not set, the "
        "conversation's own, with the client's credential, which is only ever held in memory.",
    )

    @property
    def asks_model(self) -> bool:
        """Whether any message makes a call to a model."""
        return self.strategy in {"llm", "hyde"}
