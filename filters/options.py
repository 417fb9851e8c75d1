"""Options of how requests are given their memories."""

from __future__ import annotations

from pydantic import Field

from recollect.memory.engine.options import RecallOptions

from .compress.options import CompressOptions
from .inject.options import Position
from .rewrite.options import RewriteOptions


class RequestRecallOptions(RecallOptions):
    """The request side: whether, how fast, how much, and where."""

    enabled: bool = Field(default=True, description="`false` never looks and never injects.")
    deadline_ms: int = Field(
        default=400,
        ge=1,
        le=60_000,
        description="Longest a request is held for memory (milliseconds); after that it goes "
        "on without. A rewrite that asks a model may take 1.5 seconds on top.",
    )
    max_concurrent: int = Field(
        default=2,
        ge=1,
        le=10_000,
        description="Most recalls at a time; others wait for half of the deadline, then go on "
        "without memory. With a remote embedder set 16 or more.",
    )
    position: Position = Field(
        default=Position.AUTO,
        description="Where memories go. `user`: inside the last user message, before its text. "
        "`tail`: a system message just before it. `auto`: `tail` where the server is known to "
        "take it, else `user`. `start`: at the end of the first system message, which spoils "
        "prompt caches. `replay`: as `auto`, and earlier blocks are put back where they were, "
        "so that a cache keeps the whole request before; keep a conversation on one replica. A "
        "place that the server refuses is left.",
    )
    rewrite: RewriteOptions = Field(default_factory=RewriteOptions)
    compress: CompressOptions = Field(default_factory=CompressOptions)
