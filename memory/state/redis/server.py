"""What a server says about itself, and whether that will do. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...errors import StateError

OLDEST = (6, 2)
"""`ZADD GT`, `SMISMEMBER` and what else the scripts use came with it. Valkey began at 7.2."""


class UnfitServerError(StateError):
    """Waiting does not help: the server is too old."""


class ServerFacts(NamedTuple):
    """What matters of ``INFO``."""

    version: str
    cluster: bool
    durable: bool
    """Whether it keeps a log of all writes (AOF)."""
    evicts: bool
    """Whether it throws keys away when its memory is full."""
    fsync: str = ""
    """When it forces its log to disk, if it may be asked."""

    def warnings(self) -> list[str]:
        """What an operator should know before trusting it with turns."""
        found = []
        if not self.durable:
            found.append("redis keeps no append-only file: what it holds is lost when it dies")
        elif self.fsync == "everysec":
            # While the disk is busy with the last second, it answers before it writes.
            found.append(
                "redis is set to appendfsync everysec: killed, it may lose the turns of up to two "
                "seconds; with `always` it loses none"
            )
        if self.evicts:
            found.append("redis evicts keys when full (maxmemory-policy): use noeviction")
        return found


def facts_from(info: Mapping[str, Any], fsync: str = "") -> ServerFacts:
    """Read ``INFO``; a field that is missing, as with some managed servers, counts as good.

    `fsync` is the setting ``appendfsync``, if it may be read.

    Raises:
        UnfitServerError: the server is older than 6.2.
    """
    version = str(info.get("redis_version", "") or ".".join(map(str, OLDEST)))
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers < OLDEST:
        raise UnfitServerError(f"redis {version} is too old: 6.2 or newer, or Valkey, is needed")
    return ServerFacts(
        version=version,
        cluster=str(info.get("cluster_enabled", 0)) == "1",
        durable=str(info.get("aof_enabled", 1)) == "1",
        evicts=str(info.get("maxmemory_policy", "noeviction")) not in {"noeviction", ""},
        fsync=fsync,
    )
