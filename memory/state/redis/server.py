"""Reads facts about the server and decides whether it can be used. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...model.errors import StateError

OLDEST = (6, 2)
"""It introduced `ZADD GT`, `SMISMEMBER` and other commands of the scripts. Valkey began at 7.2."""


class UnfitServerError(StateError):
    """The server is too old; waiting does not help."""


class ServerFacts(NamedTuple):
    """The relevant fields of ``INFO``."""

    version: str
    cluster: bool
    durable: bool
    """Whether it logs all writes (AOF)."""
    evicts: bool
    """Whether it evicts keys when its memory is full."""
    fsync: str = ""
    """The setting ``appendfsync``; empty if it may not be read."""

    def warnings(self) -> list[str]:
        """Reasons not to trust this server with turns."""
        found = []
        if not self.durable:
            found.append("redis keeps no append-only file: what it holds is lost when it dies")
        elif self.fsync == "everysec":
            # While the disk is still busy with the last second, Redis answers before it writes.
            found.append(
                "redis is set to appendfsync everysec: killed, it may lose the turns of up to two "
                "seconds; with `always` it loses none"
            )
        if self.evicts:
            found.append("redis evicts keys when full (maxmemory-policy): use noeviction")
        return found


def facts_from(info: Mapping[str, Any], fsync: str = "") -> ServerFacts:
    """Read ``INFO``; a missing field, as with some managed servers, counts as good.

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
