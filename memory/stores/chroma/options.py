"""Options of the Chroma store."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ..located import LocatedOptions


class ChromaStoreOptions(LocatedOptions):
    """Memories in Chroma."""

    backend: Literal["chroma"] = Field(default="chroma", description="Keep memories in Chroma.")
