"""Options of the in-memory store."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ..located import LocatedOptions


class InMemoryStoreOptions(LocatedOptions):
    """Memories are lost when the process ends. For tests and trials."""

    backend: Literal["inmemory"] = Field(
        default="inmemory", description="Keep memories in this process only."
    )
