"""The address at which a server with given settings is reached. Pure."""

from __future__ import annotations

_EVERY = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 - not a bind
"""Nobody can connect to an address that means every address of a machine."""


def reachable(host: str) -> str:
    """The host to connect to: loopback for a server that listens on every address."""
    return _EVERY.get(host, host)


def authority(host: str, port: int) -> str:
    """The part of a URL that names this server."""
    here = reachable(host)
    return f"[{here}]:{port}" if ":" in here else f"{here}:{port}"
