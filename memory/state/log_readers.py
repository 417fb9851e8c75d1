"""Adds readers of the log to a state that several processes share."""

from __future__ import annotations

from dataclasses import replace

from ..util.registry import Registry
from ..util.sibling_messages import SiblingMessages
from . import State
from .bus import Bus
from .options import RedisOptions
from .shared_log import SharedLog
from .siblings import SiblingReaders


def among_siblings(state: State, sibling_messages: SiblingMessages) -> State:
    """The state of one of several processes on the same file."""
    return replace(state, log=SharedLog(state.scripts, SiblingReaders(sibling_messages)))


async def among_replicas(state: State, redis: RedisOptions, registry: Registry) -> State:
    """The state in a PostgreSQL that processes on several machines may share.

    Raises:
        StateError: the address of Redis cannot be understood, or it is too old.
    """
    from ..database.postgres import PostgresScripts
    from ..database.postgres.notify import PostgresBus
    from ..database.sharing import SqlPresence
    from .replicas import BusReplicas

    scripts = state.scripts
    server = getattr(scripts, "inner", scripts)  # under what seals
    assert isinstance(server, PostgresScripts)  # noqa: S101 - nothing else can be shared so
    bus: Bus = PostgresBus(server)
    if redis.address is not None:
        from .redis import open_redis

        found, admission = await open_redis(redis.address, redis.prefix)
        registry.register("redis", close=found.close, ping=found.ping)
        bus, state = found, replace(state, admission=admission)
    replicas = BusReplicas(bus, SqlPresence(scripts))
    return replace(state, log=SharedLog(scripts, replicas), listen=replicas.listen)
