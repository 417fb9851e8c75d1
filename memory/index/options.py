"""Options of the indexes: which one, and where it is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, SecretStr, field_validator

from ..model.errors import InvalidInputError
from ..model.options_base import Options

_URL = re.compile(r"https?://.+", re.IGNORECASE)
_MILVUS_URL = re.compile(r"(https?|tcp)://.+", re.IGNORECASE)
_HOST_PORT = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9][A-Za-z0-9.-]*):\d{1,5}")
_NO_FOLDER = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:(/.*|\d{1,5}(/.*)?)")
"""An address with a scheme, or a host with a port. A drive of Windows has one letter."""
_COLLECTION = Field(
    default="recollect_memories",
    pattern=r"^[A-Za-z_][A-Za-z0-9_]{2,99}$",
    description="What the names of its collections begin with.",
)


class _Located(Options):
    """Where an index is. The defaults are those of one that ends with its process."""

    backend: str
    call_seconds: ClassVar[float] = 5.0
    """Time limit of one call to an index. One that takes longer is down for a chat, which waits for
    less than half a second anyway, and the exact answer is in the database."""

    @property
    def folder(self) -> Path | None:
        """The folder that only this index may use, absolute; None if it has none."""
        return None

    @property
    def remote(self) -> bool:
        """Whether it is a server."""
        return False

    @property
    def shown(self) -> str:
        """The location for people, without secrets."""
        return "in memory"

    def placed(self, data_dir: Path) -> Self:
        """These options with a place in `data_dir`, if one is needed and none is named."""
        del data_dir
        return self


class FolderOrServer(_Located):
    """An index that is embedded, or on a server."""

    default_folder: ClassVar[str]
    """Its name in `data_dir`."""

    uri: str | None = None
    collection: str

    @field_validator("uri", check_fields=False)
    @classmethod
    def _is_a_place(cls, uri: str | None) -> str | None:
        # An address of another kind would become a folder of that name.
        if uri is not None and not cls._is_server(uri) and _NO_FOLDER.fullmatch(uri):
            raise ValueError("expected the address of a server, or a folder")
        return uri

    @property
    def folder(self) -> Path | None:
        if self.uri is None or not self.uri.strip() or self.remote:
            return None
        return Path(self.uri).absolute()

    @property
    def remote(self) -> bool:
        return self.uri is not None and self._is_server(self.uri)

    @property
    def shown(self) -> str:
        return re.sub("://[^/]*@", "://", str(self.uri))

    def placed(self, data_dir: Path) -> Self:
        if self.uri is not None:
            return self
        return self.model_copy(update={"uri": str(data_dir / self.default_folder)})

    @classmethod
    def _is_server(cls, uri: str) -> bool:
        return _URL.fullmatch(uri) is not None


class ExactIndexOptions(_Located):
    """Every vector in this process, compared one by one."""

    backend: Literal["exact"] = Field(
        default="exact",
        description="In this process, and all are compared: for some ten thousand.",
    )


class MilvusIndexOptions(FolderOrServer):
    """Vectors in Milvus, embedded or on a server."""

    default_folder: ClassVar[str] = "index.milvus"

    backend: Literal["milvus"] = Field(default="milvus", description="In Milvus.")
    uri: str | None = Field(
        default=None,
        description="A server (`http://host:19530`), or a folder of Milvus Lite; "
        "`index.milvus` in `data_dir` if not set.",
    )
    collection: str = _COLLECTION
    token: SecretStr | None = Field(
        default=None, description="Credential for a server: `user:password` or an API key."
    )

    @property
    def address(self) -> str:
        """The URL of the server."""
        uri = str(self.uri)
        return uri if _MILVUS_URL.fullmatch(uri) else f"http://{uri}"

    @classmethod
    def _is_server(cls, uri: str) -> bool:
        return bool(_MILVUS_URL.fullmatch(uri) or _HOST_PORT.fullmatch(uri))


class QdrantIndexOptions(FolderOrServer):
    """Vectors in Qdrant, in a folder or on a server."""

    default_folder: ClassVar[str] = "index.qdrant"

    backend: Literal["qdrant"] = Field(default="qdrant", description="In Qdrant.")
    uri: str | None = Field(
        default=None,
        description="A server (`http://host:6333`), or a folder, for one process and some "
        "thousand memories; `index.qdrant` in `data_dir` if not set.",
    )
    collection: str = _COLLECTION
    token: SecretStr | None = Field(default=None, description="API key of a server.")


class ChromaIndexOptions(FolderOrServer):
    """Vectors in Chroma, in a folder or on a server."""

    default_folder: ClassVar[str] = "index.chroma"

    backend: Literal["chroma"] = Field(default="chroma", description="In Chroma.")
    uri: str | None = Field(
        default=None,
        description="A server (`http://host:8000`), or a folder, for one process; "
        "`index.chroma` in `data_dir` if not set.",
    )
    collection: str = _COLLECTION
    database: str = Field(
        default="default_database",
        description="Chroma's database, or `tenant/database` in another tenant of Chroma's than "
        "`default_tenant`.",
    )
    token: SecretStr | None = Field(
        default=None, description="Credential for a server, sent as `X-Chroma-Token`."
    )


class FaissIndexOptions(FolderOrServer):
    """Vectors in a folder, searched by FAISS."""

    default_folder: ClassVar[str] = "index.faiss"

    backend: Literal["faiss"] = Field(
        default="faiss", description="In a folder, compared by FAISS."
    )
    uri: str | None = Field(
        default=None,
        description="A folder, for one process; else `index.faiss` in `data_dir`.",
    )
    collection: str = _COLLECTION

    @classmethod
    def _is_server(cls, uri: str) -> bool:
        del uri
        return False


class OnServer(_Located):
    """An index on a server whose address may have a password."""

    schemes: ClassVar[tuple[str, ...]]
    """What addresses begin with."""
    example: ClassVar[str]

    uri: SecretStr | None
    collection: str

    @property
    def remote(self) -> bool:
        return self.uri is not None

    @property
    def shown(self) -> str:
        address = "" if self.uri is None else self.uri.get_secret_value()
        return address.rpartition("://")[2].rpartition("@")[2].partition("?")[0] or "no address"

    @property
    def address(self) -> str:
        """With its password.

        Raises:
            InvalidInputError: none is set, or it is none of such a server.
        """
        # No validator: an error of one would show the password.
        found = "" if self.uri is None else self.uri.get_secret_value()
        if not found.startswith(self.schemes):
            raise InvalidInputError("index.uri", f"expected an address such as {self.example}")
        return found


class PgvectorIndexOptions(OnServer):
    """Vectors in PostgreSQL with the extension `vector`."""

    schemes: ClassVar[tuple[str, ...]] = ("postgres://", "postgresql://")
    example: ClassVar[str] = "postgresql://host/db"

    backend: Literal["pgvector"] = Field(
        default="pgvector", description="In PostgreSQL with pgvector."
    )
    uri: SecretStr | None = Field(
        default=None,
        description="`postgresql://user:password@host/database`; also that of `database.url`.",
    )
    collection: str = Field(
        default="recollect_memories",
        pattern=r"^[a-z_][a-z0-9_]{2,29}$",  # PostgreSQL cuts names after 63 bytes
        description="What the names of its tables begin with.",
    )


class ElasticIndexOptions(OnServer):
    """Vectors in Elasticsearch or OpenSearch."""

    schemes: ClassVar[tuple[str, ...]] = ("http://", "https://")
    example: ClassVar[str] = "https://user:password@host:9200"

    backend: Literal["elasticsearch", "opensearch"] = Field(
        default="elasticsearch", description="In Elasticsearch, or `opensearch`."
    )
    uri: SecretStr | None = Field(
        default=None,
        description="`https://user:password@host:9200`.",
    )
    collection: str = Field(
        default="recollect_memories",
        pattern=r"^[a-z][a-z0-9_]{2,99}$",
        description="What the names of its collections begin with.",
    )
    token: SecretStr | None = Field(default=None, description="API key of Elasticsearch.")


class RedisIndexOptions(OnServer):
    """Vectors in Redis with its search (Redis 8, Redis Stack)."""

    schemes: ClassVar[tuple[str, ...]] = ("redis://", "rediss://")
    example: ClassVar[str] = "redis://host:6379/0"

    backend: Literal["redis"] = Field(default="redis", description="In Redis, by its search.")
    uri: SecretStr | None = Field(default=None, description="`redis://user:password@host:6379/0`.")
    collection: str = _COLLECTION


BlockingOptions = (
    QdrantIndexOptions
    | ChromaIndexOptions
    | FaissIndexOptions
    | RedisIndexOptions
    | ElasticIndexOptions
)
IndexOptions = Annotated[
    ExactIndexOptions | MilvusIndexOptions | PgvectorIndexOptions | BlockingOptions,
    Field(discriminator="backend"),
]
"""The configured index, selected by `backend`."""
