"""Options of context compression."""

from __future__ import annotations

from pydantic import Field

from recollect.memory.model.options_base import Options


class CompressOptions(Options):
    """The old turns of a long conversation are replaced by a digest and recalled lines."""

    enabled: bool = Field(
        default=False,
        description="`true`: of a long chat the old turns are taken out of what goes upstream, and "
        "an extract of them, fenced as data, takes their place. Only turns that Recollect recorded "
        "are taken out; [what stays](compression.md#what-stays).",
    )
    after_tokens: int = Field(
        default=4000,
        ge=0,
        le=10_000_000,
        description="Tokens of a conversation (four bytes each) from which its old turns are "
        "taken out; a shorter one is never changed.",
    )
    keep_turns: int = Field(
        default=8,
        ge=1,
        le=1000,
        description="The last turns, which always stay as they are, the present one included.",
    )
    step_turns: int = Field(
        default=10,
        ge=1,
        le=1000,
        description="So many turns are taken out at a time: between two steps the beginning of the "
        "prompt is the same, and a prompt cache holds it.",
    )
    budget: int = Field(
        default=600,
        ge=128,
        le=32_000,
        description="Most tokens of the extract.",
    )
    lines: int = Field(
        default=500,
        ge=0,
        le=32_000,
        description="Most tokens of lines of the turns that were taken out, chosen for the "
        "present message and placed where memories are. `0`: only what recall finds.",
    )
