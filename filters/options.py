"""How requests are given their memories."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import (
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    field_validator,
    model_validator,
)

from recollect.memory.engine.options import RecallOptions

from .gate.options import GateOptions
from .inject.options import Position
from .rewrite.options import RewriteOptions


class RequestRecallOptions(RecallOptions):
    """The request side: whether, how fast, how much, and where."""

    enabled: bool = Field(default=True, description="`false` never looks and never injects.")
    deadline_ms: Literal["auto"] | Annotated[int, Field(ge=1, le=60_000)] = Field(
        default="auto",
        description="Longest a request is held for memory; after that it goes on without "
        "(milliseconds). `auto` follows what this machine can do: 150 where recalls are quick, "
        "more where they are slow, never above 400, which is also the bound of the first recalls "
        "after a start. A number is a hard bound. Only a rewrite that asks a model "
        "(`rewrite.strategy: llm`, `hyde`, `multi_query`) has `rewrite.deadline_ms` of its own on "
        "top.",
    )
    max_concurrent: int | None = Field(
        default=None,
        ge=1,
        le=10_000,
        description="Most recalls at a time; further requests do not wait and go on without "
        "memory. If not set, 8 for each core and at most 32: with the embedded parts one recall "
        "costs about 16 ms of a core. Fewer at a time are allowed while the machine does not "
        "finish so many within the deadline: they would miss it together. Remote parts bear more.",
    )
    breaker_failures: int = Field(
        default=5,
        ge=1,
        le=1000,
        description="After so many failed or late recalls in a row none is tried for a while.",
    )
    breaker_seconds: float = Field(
        default=5.0,
        gt=0,
        le=300,
        description="How long none is tried then; afterwards one recall finds out whether memory "
        "is back, and each one that fails doubles the pause, up to 30 seconds.",
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
    gate: GateOptions = Field(default_factory=GateOptions)
    rewrite: RewriteOptions = Field(default_factory=RewriteOptions)

    @model_validator(mode="before")
    @classmethod
    def _removed(cls, values: object) -> object:
        if isinstance(values, dict) and "merge_system" in values:
            raise ValueError("`merge_system` is gone: `position: start` does it by itself")
        return values

    @field_validator("deadline_ms", mode="wrap")
    @classmethod
    def _one_message(cls, value: object, check: ValidatorFunctionWrapHandler) -> int | str:
        """One error instead of one for each kind of value."""
        try:
            read: int | str = check(value)
        except ValidationError:
            raise ValueError(
                "expected `auto`, or a whole number of milliseconds from 1 to 60000"
            ) from None
        return read
