"""How requests are given their memories."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, ValidationError, ValidatorFunctionWrapHandler, field_validator

from recollect.memory.options import RecallOptions

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
        default=Position.TAIL,
        description="`tail`: just before the last user message, which keeps a prompt cache valid "
        "up to the turn before. `replay`: the same, and the blocks of earlier turns are put back "
        "where they were, each memory once: a cache keeps the whole request before, and prompts "
        "grow by what each turn added. Blocks are remembered in this process: behind several "
        "replicas, keep a conversation on one. `start`: before everything, for models whose chat "
        "template wants the system message first.",
    )
    merge_system: bool = Field(
        default=False,
        description="With `start`: make the memories the end of the first message if that is a "
        "system or developer message, and no message of their own. For models that accept only "
        "one system message.",
    )
    gate: GateOptions = Field(default_factory=GateOptions)
    rewrite: RewriteOptions = Field(default_factory=RewriteOptions)

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
