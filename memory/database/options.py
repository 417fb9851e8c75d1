"""Where the database is. An address may hold a password: no message here repeats it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

SQLITE = "sqlite:///"
"""As in SQLAlchemy: the path follows, so an absolute path makes four slashes."""
MEMORY = ":memory:"
POSTGRES = ("postgresql", "postgres")
REDIS = ("redis", "rediss", "unix")
"""Schemes of addresses."""


def scheme_of(url: str) -> str:
    """The scheme of an address; empty for a path."""
    scheme, found, _ = url.partition("://")
    return scheme.lower() if found else ""


def with_a_port(url: str) -> str:
    """The address if its port can be read; else raises ValueError."""
    try:
        _ = urlsplit(url).port
    except ValueError:
        raise ValueError("the port of the address is not a number from 0 to 65535") from None
    return url


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


def _checked(url: str) -> str:
    """The url if it names a database; raises ValueError."""
    scheme = scheme_of(url)
    if scheme in POSTGRES:
        return with_a_port(url)
    if scheme in REDIS:
        raise ValueError("this is the address of a Redis, which belongs in redis.url")
    path = url.removeprefix(SQLITE)
    if "://" in path or path.startswith("sqlite:"):
        raise ValueError("expected a path, sqlite:/// and a path, or postgresql://…")
    if not path.strip():
        raise ValueError("expected the path of a file")
    return url


class DatabaseOptions(BaseModel):
    """The database that holds all that is true."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    url: SecretStr | None = Field(
        default=None,
        description="SQLite: a path; `recollect.db` in `data_dir` if not set. PostgreSQL, for "
        "several proxies and workers: "
        "`postgresql://user:password@host/database?sslmode=require`. `:memory:` keeps nothing "
        "after a restart.",
    )
    synchronous: Literal["normal", "full"] = Field(
        default="normal",
        description="SQLite: `normal` survives the death of the process at any point; `full` also "
        "survives the loss of power and costs one disk sync per burst of turns.",
    )

    encryption: Literal["per_user"] | None = Field(
        default=None,
        description="`per_user` seals the texts and vectors of each user with a key of theirs, "
        "which is destroyed when the user is forgotten; only from the beginning on.",
    )
    master_key: SecretStr | None = Field(
        default=None,
        description="Wraps the keys of users: 32 bytes in base64 (`openssl rand -base64 32`), or "
        "`file:PATH` or `command:PROGRAM` that gives them.",
    )

    @field_validator("url", mode="before")
    @classmethod
    def _path_as_text(cls, value: object) -> object:
        return str(value) if isinstance(value, Path) else value

    @field_validator("url")
    @classmethod
    def _of_a_database(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None:
            _checked(value.get_secret_value())
        return value

    @property
    def address(self) -> str | None:
        """The url as it was given, with its password."""
        return None if self.url is None else self.url.get_secret_value()

    @property
    def kind(self) -> Literal["sqlite", "postgres", "inmemory"]:
        """What it is."""
        url = self.address or ""
        if scheme_of(url) in POSTGRES:
            return "postgres"
        return "inmemory" if url.removeprefix(SQLITE).strip() == MEMORY else "sqlite"

    @property
    def shown(self) -> str:
        """The location for people: without a password."""
        return self.kind if self.address is None else without_password(self.address)

    @property
    def file(self) -> Path | None:
        """The absolute file of SQLite; None if none is named or none is needed."""
        if self.kind != "sqlite" or self.address is None:
            return None
        return Path(self.address.removeprefix(SQLITE)).expanduser().absolute()

    @property
    def keys_file(self) -> Path | None:
        """The file of users' keys, beside that of SQLite; None if there is none."""
        if self.encryption is None or (file := self.file) is None:
            return None
        return file.with_name(f"{file.name}.keys")

    def placed(self, default: Path) -> Self:
        """These options with an absolute path: `default` if a file is needed and none is named."""
        if self.kind != "sqlite":
            return self
        return self.model_copy(update={"url": SecretStr(str(self.file or default))})
