"""Redis 6.2 or newer, Valkey, or a cluster of either, between replicas: messages and limits.

It is the only copy of nothing. While it is away limits are each process's own, and caches are
dropped when it is back.
"""

from __future__ import annotations

import logging

from ...model.errors import StateError
from .admission import RedisAdmission
from .connect import UnfitServerError
from .keys import Keys
from .listener import RedisBus
from .wire import Wire

__all__ = ["open_redis"]

log = logging.getLogger(__name__)


async def open_redis(url: str, prefix: str) -> tuple[RedisBus, RedisAdmission]:
    """Open it. If the server does not answer yet, calls fail until it does.

    Args:
        url: ``redis://``, ``rediss://`` or ``unix://``; of a cluster, any one node of it.
        prefix: The beginning of every key, without braces.

    Raises:
        StateError: the address cannot be understood, or the server is too old.
    """
    wire, keys = Wire(url), Keys(prefix)
    try:
        await wire.facts()
    except UnfitServerError:
        await wire.close()
        raise
    except StateError as error:
        log.warning("redis does not answer; starting without it: %s", error)
    return RedisBus(wire, keys), RedisAdmission(wire, keys)
