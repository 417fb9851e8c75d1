"""Options of the Milvus store, and the meaning of its `uri`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import ClassVar, Literal, Self

from pydantic import Field, SecretStr, field_validator

from ...model.errors import InvalidInputError
from ..located import LocatedOptions, checked_folder

_URL = re.compile(r"(https?|tcp)://.+", re.IGNORECASE)
_HOST_PORT = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9][A-Za-z0-9.-]*):\d{1,5}")

PARTITIONS = 64


class MilvusStoreOptions(LocatedOptions):
    """Memories in Milvus, embedded or on a server."""

    key: ClassVar[str] = "store.uri"

    backend: Literal["milvus"] = Field(default="milvus", description="Keep memories in Milvus.")
    uri: str | None = Field(
        default=None,
        description="A server (`http://host:19530`, `https://…`, `host:19530`), or a folder for "
        "the embedded Milvus Lite. Default: `memories.db` in `data_dir`, embedded.",
    )
    collection: str = Field(
        default="recollect_memories",
        pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,239}$",  # Milvus allows 255: some are for `replacing`
        description="Name of the collection; one for each embedder.",
    )
    token: SecretStr | None = Field(
        default=None, description="Credential for a server: `user:password` or an API key."
    )
    timeout_seconds: float = Field(
        default=5.0, gt=0, le=300, description="Time limit of one call to Milvus."
    )

    partitions: int = Field(
        default=PARTITIONS,
        ge=1,
        le=1024,  # Milvus 2.3.5 takes 4,096 (`maxPartitionNum`); each has segments
        description="Physical partitions of a collection on a server, to which users are "
        "assigned by hash: a search reads one. More of them for millions of memories. Fixed when a "
        "collection is created; `recollect reindex --rebuild` creates one anew.",
    )

    @field_validator("uri")
    @classmethod
    def _is_a_place(cls, uri: str | None) -> str | None:
        is_server = uri is None or _URL.fullmatch(uri) or _HOST_PORT.fullmatch(uri)
        return uri if is_server or uri is None else checked_folder(uri)

    @property
    def folder(self) -> Path | None:
        """The folder of an embedded Milvus, absolute; None for a server, or if none is named."""
        if self.uri is None or not self.uri.strip():
            return None
        where = endpoint(self.uri)
        return where.absolute() if isinstance(where, Path) else None

    @property
    def remote(self) -> bool:
        return isinstance(endpoint(self.uri), str)

    @property
    def shareable(self) -> bool:
        """An embedded one is run by the parent of those that share it."""
        return self.lasting

    @property
    def shown(self) -> str:
        return str(self.uri)

    def placed(self, data_dir: Path) -> Self:
        if self.uri is not None:
            return self
        return self.model_copy(update={"uri": str(data_dir / "memories.db")})


def endpoint(uri: str | None) -> str | Path:
    """The URL of a server, or the folder of an embedded Milvus Lite.

    Raises:
        InvalidInputError: `uri` is empty or not set.
    """
    if uri is None or not uri.strip():
        raise InvalidInputError("store.uri", "expected the address of a Milvus server or a folder")
    if _URL.fullmatch(uri):
        return uri
    if _HOST_PORT.fullmatch(uri):
        return f"http://{uri}"
    return Path(uri)
