"""Options of the Chroma store."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, SecretStr

from ..located import FolderOrServerOptions


class ChromaStoreOptions(FolderOrServerOptions):
    """Memories in Chroma, in a folder or on a server."""

    default_folder: ClassVar[str] = "memories.chroma"

    backend: Literal["chroma"] = Field(default="chroma", description="Keep memories in Chroma.")
    uri: str | None = Field(
        default=None,
        description="A server (`http://host:8000`, `https://…`), or a folder, for one process. "
        "Default: `memories.chroma` in `data_dir`.",
    )
    collection: str = Field(
        default="recollect_memories",
        pattern=r"^[A-Za-z_][A-Za-z0-9_]{2,199}$",  # Chroma wants at least three characters
        description="Name of the collection; one for each embedder.",
    )
    database: str = Field(default="default_database", description="Chroma's database.")
    tenant: str = Field(
        default="default_tenant",
        description="Chroma's tenant of that database; our tenants are inside a collection.",
    )
    token: SecretStr | None = Field(
        default=None, description="Credential for a server, sent as `X-Chroma-Token`."
    )
    timeout_seconds: float = Field(
        default=5.0, gt=0, le=300, description="Time limit of one call to Chroma."
    )
