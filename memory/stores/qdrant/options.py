"""Options of the Qdrant store."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ..located import LocatedOptions


class QdrantStoreOptions(LocatedOptions):
    """Memories in Qdrant."""

    backend: Literal["qdrant"] = Field(default="qdrant", description="Keep memories in Qdrant.")
