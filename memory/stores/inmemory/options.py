"""Settings of the store that keeps nothing."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ..located import LocatedOptions


class InMemoryStoreOptions(LocatedOptions):
    """Memories live in this process and are gone when it ends. For tests and trials."""

    backend: Literal["inmemory"] = Field(
        default="inmemory", description="Keep memories in this process only."
    )
