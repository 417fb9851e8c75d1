"""Options of state and history: the backend and where it is.

An address may hold a password: no message here repeats it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationInfo, field_validator

SQLITE = "sqlite:///"
"""As in SQLAlchemy: the path follows, so an absolute path makes four slashes."""
SERVERS = {"redis": ("redis", "rediss", "unix"), "postgres": ("postgresql", "postgres")}
"""The schemes of each server."""


def check_url(backend: str, url: str | None) -> str | None:
    """The url if it fits this backend; None stands for the default file.

    Raises:
        ValueError: it belongs to another backend, or is missing or malformed.
    """
    if backend in SERVERS:
        return _server(backend, url)
    if url is None:
        return None
    if backend == "inmemory":
        raise ValueError("the backend `inmemory` takes none")
    return _file(url)


def file_of(url: str) -> Path:
    """The absolute path that a checked SQLite url names."""
    return Path(url.removeprefix(SQLITE)).expanduser().absolute()


def without_password(url: str) -> str:
    """The url without its password, for people."""
    scheme, found, rest = url.partition("://")
    if not found:
        return url
    who, at, where = rest.rpartition("@")
    if any(mark in who for mark in "/?#"):
        # Not quoted correctly: the extent of the password is unknown.
        return f"{scheme}://***"
    name, colon, _ = who.partition(":")
    # Parameters may hold a password too.
    return f"{scheme}://{name}{colon and ':***'}{at}{where.partition('?')[0]}"


def _server(backend: str, url: str | None) -> str:
    schemes = SERVERS[backend]
    if url is None or _scheme(url) not in schemes:
        raise ValueError(f"the backend `{backend}` needs an address such as {schemes[0]}://host")
    try:
        _ = urlsplit(url).port
    except ValueError:
        raise ValueError("the port of the address is not a number from 0 to 65535") from None
    return url


def _file(url: str) -> str:
    for backend, schemes in SERVERS.items():
        if _scheme(url) in schemes:
            raise ValueError(f"this is an address for the backend `{backend}`")
    path = url.removeprefix(SQLITE)
    if "://" in path or path.startswith("sqlite:"):
        raise ValueError("expected a path, or sqlite:/// and a path")
    if path.strip() in {"", ":memory:"}:
        raise ValueError("expected the path of a file; the backend `inmemory` keeps none")
    return url


def _scheme(url: str) -> str:
    scheme, found, _ = url.partition("://")
    return scheme.lower() if found else ""


class _Located(BaseModel):
    """Options of a backend that has a location."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    backend: str
    url: SecretStr | None = Field(default=None, validate_default=True)

    @field_validator("url", mode="before")
    @classmethod
    def _path_as_text(cls, value: object) -> object:
        return str(value) if isinstance(value, Path) else value

    @field_validator("url")
    @classmethod
    def _of_this_backend(cls, value: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        if "backend" in info.data:
            check_url(info.data["backend"], None if value is None else value.get_secret_value())
        return value

    @property
    def address(self) -> str | None:
        """The url as it was given, with its password."""
        return None if self.url is None else self.url.get_secret_value()

    @property
    def shown(self) -> str:
        """The location for people: without a password."""
        return self.backend if self.address is None else without_password(self.address)

    @property
    def file(self) -> Path | None:
        """The absolute file of a SQLite backend; None if none is named or none is needed."""
        if self.backend != "sqlite" or self.address is None:
            return None
        return file_of(self.address)

    def placed(self, default: Path) -> Self:
        """These options with an absolute path: `default` if a file is needed and none is named."""
        if self.backend != "sqlite":
            return self
        path = self.file or default
        return self.model_copy(update={"url": SecretStr(str(path))})


class StateOptions(_Located):
    """Conversations, jobs, tombstones and the cost ledger."""

    backend: Literal["sqlite", "redis", "inmemory"] = Field(
        default="sqlite",
        description="`sqlite` survives restarts; `redis` is shared by several proxies and workers; "
        "`inmemory` keeps nothing after a restart and is for tests.",
    )
    url: SecretStr | None = Field(
        default=None,
        validate_default=True,
        description="SQLite: the file, as a path or `sqlite:///` and a path; `<data_dir>/state.db` "
        "if not set. Redis: the address, `redis://`, `rediss://` (TLS) or `unix://`.",
    )
    synchronous: Literal["normal", "full"] = Field(
        default="normal",
        description="SQLite: `normal` survives the death of the process at any point; `full` also "
        "survives the loss of power and costs one disk sync per burst of turns.",
    )
    prefix: str = Field(
        default="recollect",
        pattern=r"^[A-Za-z0-9_.-]{1,64}$",
        description="Redis: prefix of every key, so that several deployments can share one Redis.",
    )
    turn_days: int | None = Field(
        default=None,
        ge=1,
        description="Days for which the text of learned turns is kept. Afterwards only the fact "
        "that they were learned remains. Unlearned turns, and those of dead jobs, are kept "
        "whatever their age. None: forever.",
    )


class HistoryOptions(_Located):
    """The audit trail of memories."""

    backend: Literal["sqlite", "postgres", "inmemory"] = Field(
        default="sqlite",
        description="`sqlite` survives restarts; `postgres` is shared by several proxies and "
        "workers; `inmemory` keeps nothing after a restart.",
    )
    url: SecretStr | None = Field(
        default=None,
        validate_default=True,
        description="SQLite: the file, as a path or `sqlite:///` and a path; "
        "`<data_dir>/history.db` if not set. PostgreSQL: the address, "
        "`postgresql://user:password@host/database?sslmode=require`.",
    )

    @property
    def graph_file(self) -> Path | None:
        """The file of the graph, beside that of the history; None if it is kept elsewhere."""
        file = self.file
        if file is None:
            return None
        return file.with_name("graph.db" if file.name == "history.db" else f"{file.name}.graph")
