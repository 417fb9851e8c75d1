"""Options of the Qdrant store."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, SecretStr

from ..located import FolderOrServerOptions


class QdrantStoreOptions(FolderOrServerOptions):
    """Memories in Qdrant, in a folder or on a server."""

    default_folder: ClassVar[str] = "memories.qdrant"

    backend: Literal["qdrant"] = Field(default="qdrant", description="Keep memories in Qdrant.")
    uri: str | None = Field(
        default=None,
        description="A server (`http://host:6333`, `https://…`), or a folder for the client's "
        "local mode, for one process and some thousand memories. Default: `memories.qdrant` in "
        "`data_dir`.",
    )
    collection: str = Field(
        default="recollect_memories",
        pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,199}$",
        description="Name of the alias under which the collection is found; one for each embedder.",
    )
    api_key: SecretStr | None = Field(default=None, description="API key of a server.")
    timeout_seconds: float = Field(
        default=5.0, gt=0, le=300, description="Time limit of one call to Qdrant."
    )
