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
        description="Tokens of a conversation (four bytes each), such as 4000, from which its old "
        "turns are taken out of what goes upstream; an extract of them, fenced as data, takes "
        "their place. Only turns that Recollect recorded are taken out; "
        "[what stays](compression.md#what-stays). If not set, no conversation is changed.",
    )
