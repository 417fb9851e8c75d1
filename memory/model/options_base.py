"""The base of every options model."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Options(BaseModel):
    """Frozen options that reject unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class ByKind(Options):
    """One option with a value for each of some kinds: the values are of one type."""
