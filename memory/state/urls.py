"""Reads the `url` of state and history: a file for SQLite, else the address of a server.

An address may hold a password: no message here repeats it.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

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
