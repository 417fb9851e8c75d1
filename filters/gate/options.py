"""Options of the gate."""

from __future__ import annotations

from pydantic import Field

from recollect.memory.model.options_base import Options


class GateOptions(Options):
    """Options of the gate, which skips messages that need no memory."""

    enabled: bool = Field(
        default=True, description="`false` recalls for every message that is not empty."
    )
