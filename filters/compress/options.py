"""Options of context compression."""

from __future__ import annotations

from pydantic import Field

from recollect.memory.model.options_base import Options


class CompressOptions(Options):
    """The old turns of a long conversation are replaced by a digest and recalled lines."""

    after_tokens: int | None = Field(
        default=None,
        ge=0,
        le=10_000_000,
        description="Tokens of a conversation, such as 4000, from which an extract takes the "
        "place of its old turns in what goes upstream; [what stays](recall.md#what-stays). If "
        "not set, no conversation is changed.",
    )
