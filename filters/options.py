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
        description="Longest a request is held for memory; after that it goes on without "
        "(milliseconds). Recalls are quick where the machine is: 16 ms of a core with the embedded "
        "parts. Only a rewrite that asks a model (`rewrite.strategy: llm` or `hyde`) may take 1.5 "
        "seconds on top.",
    )
    max_concurrent: int = Field(
        default=2,
        ge=1,
        le=10_000,
        description="Most recalls at a time; further requests wait for half of the deadline, then "
        "they go on without memory. With the embedded parts more at a time only make each other "
        "late; with a remote embedder, 16 and more keep it busy.",
    )
    position: Position = Field(
        default=Position.AUTO,
        description="Where memories go. `auto`: where the model server is known to take them, else "
        "`user`. `user`: inside the last user message, before its text, which every chat template "
        "accepts. `tail`: a system message just before the last user message. Both leave a prompt "
        "cache valid up to the turn before. `start`: at the end of the client's first system "
        "message, or as a first system message; the cache is invalid when the memories change. "
        "`replay`: as `auto`, and the blocks of earlier turns are put back where they were, each "
        "memory once: a cache keeps the whole request before, and prompts grow by what each turn "
        "added. Blocks are remembered in this process: behind several replicas, keep a "
        "conversation on one. A place that the server refuses is left for another one "
        "(`recollect check` shows which).",
    )
    rewrite: RewriteOptions = Field(default_factory=RewriteOptions)
    compress: CompressOptions = Field(default_factory=CompressOptions)
