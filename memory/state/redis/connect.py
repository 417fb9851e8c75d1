"""Opens connections to Redis, judges the server, and translates its errors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from ...model.errors import StateError

if TYPE_CHECKING:
    import redis.asyncio

OLDEST = (6, 2)
"""It introduced commands of the scripts. Valkey began at 7.2."""


class UnfitServerError(StateError):
    """The server is too old; waiting does not help."""


class ServerFacts(NamedTuple):
    """The relevant fields of ``INFO``."""

    version: str
    cluster: bool


def facts_from(info: Mapping[str, Any]) -> ServerFacts:
    """Read ``INFO``; a missing field, as with some managed servers, counts as good.

    Raises:
        UnfitServerError: the server is older than 6.2.
    """
    version = str(info.get("redis_version", "") or ".".join(map(str, OLDEST)))
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers < OLDEST:
        raise UnfitServerError(f"redis {version} is too old: 6.2 or newer, or Valkey, is needed")
    return ServerFacts(version, cluster=str(info.get("cluster_enabled", 0)) == "1")


POOL_SIZE = 32
"""Maximum connections of one process. Further calls wait for a free one, up to `CALL_SECONDS`."""
CALL_SECONDS = 5.0
"""Time limit of a call, including the wait for a connection and all resends."""
SOCKET_SECONDS = 2.0
"""Time to wait for one answer before the call is resent on another connection."""
RESENDS = 3
_LONGEST_PAUSE, _FIRST_PAUSE = 0.5, 0.02

ADVICE = (
    "Redis cannot be used: check that it runs, redis.url, and the network; "
    "it is tried again by itself"
)


@asynccontextmanager
async def translated(
    seed: redis.asyncio.Redis | None = None, *, seconds: float = CALL_SECONDS
) -> AsyncIterator[None]:
    """Limit the duration of the block and turn every error of the client into a StateError.

    Raises:
        StateError: it failed.
    """
    from redis.exceptions import ReadOnlyError, RedisClusterException, RedisError

    try:
        async with asyncio.timeout(seconds):
            yield
    except ReadOnlyError as error:
        # The server was demoted. New connections look up the new primary.
        if seed is not None:
            await seed.connection_pool.disconnect(inuse_connections=False)
        raise _failed(error) from error
    except (RedisError, RedisClusterException, OSError, ValueError) as error:
        raise _failed(error) from error


def _failed(error: Exception) -> StateError:
    return StateError(f"redis failed: {str(error) or type(error).__name__}", ADVICE)


def open_seed(url: str) -> redis.asyncio.Redis:
    """A client of the server in `url`; connects when first used.

    Raises:
        StateError: `url` is not an address of a Redis.
    """
    from redis.asyncio import BlockingConnectionPool, Redis

    try:
        pool = BlockingConnectionPool.from_url(
            url, max_connections=POOL_SIZE, timeout=CALL_SECONDS, retry=_resending(), **_common(url)
        )
    except ValueError as error:
        raise StateError(f"redis.url is not an address of a redis: {error}") from error
    return Redis.from_pool(pool)


def open_cluster(url: str) -> redis.asyncio.RedisCluster:
    """A client of every node of the cluster that the server in `url` belongs to."""
    from redis.asyncio import RedisCluster

    return RedisCluster.from_url(url, max_connections=POOL_SIZE, retry=_resending(), **_common(url))


def open_unmended(url: str) -> redis.asyncio.Redis:
    """A client that fails when its connection breaks instead of reconnecting silently."""
    from redis.asyncio import Redis
    from redis.asyncio.retry import Retry
    from redis.backoff import NoBackoff

    return Redis.from_url(url, retry=Retry(NoBackoff(), 0), **_common(url))


def _resending() -> Any:
    from redis.asyncio.retry import Retry
    from redis.backoff import ExponentialBackoff

    return Retry(ExponentialBackoff(cap=_LONGEST_PAUSE, base=_FIRST_PAUSE), RESENDS)


def _common(url: str) -> dict[str, Any]:
    over_tcp = {} if url.startswith("unix:") else {"socket_keepalive": True}
    return over_tcp | {
        "socket_timeout": SOCKET_SECONDS,
        "socket_connect_timeout": SOCKET_SECONDS,
        "decode_responses": True,
        # Texts may hold lone surrogates: valid JSON, invalid UTF-8.
        "encoding_errors": "surrogatepass",
        # With RESP2 every supported server sends answers of the same shape.
        "protocol": 2,
    }
