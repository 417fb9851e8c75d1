"""What a state needs that several processes share."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import replace

from ..util.mesh import Mesh
from . import State
from .bus import Bus
from .options import RedisOptions
from .siblings import SiblingPeers


def among_siblings(state: State, mesh: Mesh) -> State:
    """The state of one of several processes on the same file."""
    return replace(state, peers=SiblingPeers(mesh))


async def among_replicas(state: State, redis: RedisOptions, stack: AsyncExitStack) -> State:
    """The state in a PostgreSQL that processes on several machines may share.

    Raises:
        StateError: the address of Redis cannot be understood, or it is too old.
    """
    from ..database.postgres import PostgresScripts
    from ..database.postgres.notify import PostgresBus
    from ..database.sharing import SqlCounters, SqlPresence
    from .peers import Peers
    from .replicas import BusReplicas

    scripts = state.scripts
    assert isinstance(scripts, PostgresScripts)  # noqa: S101 - nothing else can be shared so
    bus: Bus = PostgresBus(scripts)
    if redis.address is not None:
        from .redis import open_redis

        found, admission = await open_redis(redis.address, redis.prefix)
        stack.push_async_callback(found.close)
        bus, state = found, replace(state, admission=admission, ping_bus=found.ping)
    replicas = BusReplicas(bus, SqlPresence(scripts))
    return replace(state, peers=Peers(SqlCounters(scripts), replicas), replicas=replicas)
