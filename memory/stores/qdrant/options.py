"""Options of the Qdrant store."""

from __future__ import annotations

import re
from pathlib import Path
from typing import ClassVar, Literal, Self

from pydantic import Field, SecretStr, field_validator

from ..located import LocatedOptions, checked_folder

_URL = re.compile(r"https?://.+", re.IGNORECASE)


class QdrantStoreOptions(LocatedOptions):
    """Memories in Qdrant, in a folder or on a server."""

    key: ClassVar[str] = "store.uri"

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

    @field_validator("uri")
    @classmethod
    def _is_a_place(cls, uri: str | None) -> str | None:
        return uri if uri is None or _URL.fullmatch(uri) else checked_folder(uri)

    @property
    def folder(self) -> Path | None:
        if self.uri is None or not self.uri.strip() or self.remote:
            return None
        return Path(self.uri).absolute()

    @property
    def remote(self) -> bool:
        return self.uri is not None and _URL.fullmatch(self.uri) is not None

    @property
    def shown(self) -> str:
        return str(self.uri)

    def placed(self, data_dir: Path) -> Self:
        if self.uri is not None:
            return self
        return self.model_copy(update={"uri": str(data_dir / "memories.qdrant")})
