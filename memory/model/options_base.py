"""The base of every options model."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Days = Annotated[float, Field(gt=0, le=36_500)] | None
"""Of a wait: at most a century, so that its end is a moment."""


class Options(BaseModel):
    """Frozen options that reject unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class ByKind(Options):
    """One option with a value for each of some kinds: the values are of one type."""
