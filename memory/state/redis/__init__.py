"""State that many processes share, in Redis 6.2 or newer, Valkey, or a cluster of either.

What was acknowledged is in the server's append-only file. How much that survives is the server's
setting ``appendfsync``: with ``always`` it survives the death of Redis and the loss of power. With
``everysec`` Redis answers before it writes while the disk is busy, so that killing it loses up to
two seconds; stopping it loses nothing, nor does the death of any of our processes. A failover to a
replica costs what had not been copied yet, as with every Redis.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta

from ...errors import StateError
from .announcements import Announcements
from .conversations import RedisConversations
from .jobs import RedisJobs
from .keys import Keys
from .ledger import RedisLedger
from .server import ServerFacts, UnfitServerError
from .tombstones import RedisTombstones
from .versions import RedisVersions
from .wire import Wire

__all__ = ["Announcements", "RedisState", "RedisVersions", "open_redis_state"]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RedisState:
    """Everything that is shared, over one bounded pool of connections."""

    conversations: RedisConversations
    jobs: RedisJobs
    tombstones: RedisTombstones
    ledger: RedisLedger
    versions: RedisVersions
    announcements: Announcements
    wire: Wire

    async def check(self) -> ServerFacts:
        """What the server says about itself. Raises StateError if it does not answer."""
        return await self.wire.facts()

    async def close(self) -> None:
        """Close the connections; whoever listens is cut off too."""
        await self.wire.close()


async def open_redis_state(url: str, *, prefix: str, turn_ttl_days: float) -> RedisState:
    """Open all of it. A server that does not answer yet is no error: calls fail until it does.

    Args:
        url: ``redis://``, ``rediss://`` or ``unix://``; of a cluster, any one node of it.
        prefix: What all keys begin with, without braces.
        turn_ttl_days: How long turns are kept once they were learned. What was not never expires.

    Raises:
        StateError: the address cannot be understood, or the server is too old.
        InvalidInputError: the prefix has a brace.
    """
    state = _compose(Wire(url), Keys(prefix), timedelta(days=turn_ttl_days))
    try:
        for warning in (await state.check()).warnings():
            log.warning("%s", warning)
        await state.jobs.tidy()
    except UnfitServerError:
        await state.close()
        raise
    except StateError as error:
        log.warning("starting without redis, until it answers: %s", error)
    return state


def _compose(wire: Wire, keys: Keys, turn_ttl: timedelta) -> RedisState:
    return RedisState(
        conversations=RedisConversations(wire, keys, turn_ttl=turn_ttl),
        jobs=RedisJobs(wire, keys, turn_ttl=turn_ttl),
        tombstones=RedisTombstones(wire, keys),
        ledger=RedisLedger(wire, keys),
        versions=RedisVersions(wire, keys),
        announcements=Announcements(wire, keys),
        wire=wire,
    )
