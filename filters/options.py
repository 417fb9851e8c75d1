"""How requests are given their memories."""

from __future__ import annotations

from pydantic import Field

from memory.recall import RecallOptions

from .gate.options import GateOptions
from .inject.options import Position
from .rewrite.options import RewriteOptions


class RequestRecallOptions(RecallOptions):
    """The request side: whether, how fast, how much, and where."""

    enabled: bool = Field(default=True, description="`false` never looks and never injects.")
    deadline_ms: int = Field(
        default=150,
        ge=1,
        le=60_000,
        description="Longest a request is held for memory; after that it goes on without "
        "(milliseconds).",
    )
    position: Position = Field(
        default=Position.TAIL,
        description="`tail`: just before the last user message, which keeps prompt caches valid; "
        "`start`: before everything.",
    )
    gate: GateOptions = Field(default_factory=GateOptions)
    rewrite: RewriteOptions = Field(default_factory=RewriteOptions)
