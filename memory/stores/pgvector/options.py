"""Options of the pgvector store."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import ConfigDict, Field, SecretStr

from ...database.options import POSTGRES, without_password
from ...model.errors import InvalidInputError
from ..located import LocatedOptions


class PgvectorStoreOptions(LocatedOptions):
    """Memories in PostgreSQL with the extension `vector`."""

    model_config = ConfigDict(hide_input_in_errors=True)
    key: ClassVar[str] = "store.uri"

    backend: Literal["pgvector"] = Field(
        default="pgvector", description="Keep memories in PostgreSQL with pgvector."
    )
    uri: SecretStr | None = Field(
        default=None,
        description="Address of the database: `postgresql://user:password@host/database`. "
        "Required; it may be the one of `database.url`.",
    )
    collection: str = Field(
        default="recollect_memories",
        pattern=r"^[a-z_][a-z0-9_]{0,47}$",  # PostgreSQL cuts names after 63 bytes
        description="Name of the table; one for each embedder.",
    )
    max_connections: int = Field(
        default=8, ge=1, le=100, description="Most connections of one process."
    )
    timeout_seconds: float = Field(
        default=5.0, gt=0, le=300, description="Time limit of one call to PostgreSQL."
    )

    @property
    def remote(self) -> bool:
        return True

    @property
    def shown(self) -> str:
        return "no address" if self.uri is None else without_password(self.uri.get_secret_value())

    @property
    def address(self) -> str:
        """The address with its password.

        Raises:
            InvalidInputError: none is set, or it is not one of PostgreSQL.
        """
        found = "" if self.uri is None else self.uri.get_secret_value()
        if found.partition("://")[0] not in POSTGRES:
            raise InvalidInputError("store.uri", "expected an address such as postgresql://host/db")
        return found
