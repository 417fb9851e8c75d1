"""Options of the Chroma store."""

from __future__ import annotations

import re
from pathlib import Path
from typing import ClassVar, Literal, Self

from pydantic import Field, SecretStr, field_validator

from ..located import LocatedOptions, checked_folder

_URL = re.compile(r"https?://.+", re.IGNORECASE)


class ChromaStoreOptions(LocatedOptions):
    """Memories in Chroma, in a folder or on a server."""

    key: ClassVar[str] = "store.uri"

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
        return self.model_copy(update={"uri": str(data_dir / "memories.chroma")})
