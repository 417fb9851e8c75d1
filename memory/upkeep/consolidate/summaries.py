"""Options of topic summaries."""

from __future__ import annotations

from pydantic import Field

from ...model.options_base import Options


class SummaryOptions(Options):
    """Memories of one topic become one summary that cites them."""

    enabled: bool = Field(
        default=False,
        description="With a model, memories of one topic are condensed into one summary that cites "
        "them; what it covers is archived for it, and comes back with an undo. It shortens lists. "
        "Off, because a summary is recalled whole: for the same tokens, chats get fewer of the "
        "memories that answer.",
    )
