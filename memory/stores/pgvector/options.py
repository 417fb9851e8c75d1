"""Options of the PostgreSQL with pgvector store."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ..located import LocatedOptions


class PgvectorStoreOptions(LocatedOptions):
    """Memories in PostgreSQL with pgvector."""

    backend: Literal["pgvector"] = Field(
        default="pgvector", description="Keep memories in PostgreSQL with pgvector."
    )
