"""State that many processes share, in Redis 6.2 or newer, Valkey, or a cluster of either.

Acknowledged writes are in the server's append-only file. The setting ``appendfsync`` decides how
much that file survives: with ``always`` it survives the death of Redis and the loss of power. With
``everysec`` Redis answers before it writes while the disk is busy: killing it loses up to two
seconds, stopping it loses nothing. The death of our own processes loses nothing. A failover to a
replica loses what had not been copied yet, as with every Redis.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

from ...model.errors import FormatError, StateError, StateUnwritableError
from ...model.format import FORMAT, NONE, refuse_other
from .. import State
from ..sqlite import in_memory_state
from .admission import RedisAdmission
from .attachments import RedisAttachments
from .blocks import RedisBlocks
from .connect import UnfitServerError
from .conversations import RedisConversations
from .costs import RedisLedger, RedisStandings
from .forgetting import RedisOffers, RedisTombstones
from .jobs import RedisJobs
from .keys import Keys
from .memory_locks import RedisLocks
from .peers import RedisPeers
from .replicas import RedisReplicas
from .runs import RedisRuns
from .sums import RedisDailySums
from .switches import RedisSwitches
from .usage import RedisUsage
from .wire import Wire

__all__ = ["RedisPeers", "RedisReplicas", "RedisState", "open_redis_state"]

log = logging.getLogger(__name__)

_NAME = "recollect"
_NOTED = f"{_NAME} {FORMAT}"
"""What stands in the key of the format. Earlier commits read a number there, and refuse this."""
_EVER = 36_500
"""Days: longer than any installation lives."""


@dataclass(frozen=True, slots=True)
class RedisState(State):
    """All shared state, over one bounded pool of connections."""

    conversations: RedisConversations
    jobs: RedisJobs
    tombstones: RedisTombstones
    ledger: RedisLedger
    usage: RedisUsage
    standings: RedisStandings
    offers: RedisOffers
    switches: RedisSwitches
    sums: RedisDailySums
    attachments: RedisAttachments
    blocks: RedisBlocks
    runs: RedisRuns
    peers: RedisPeers
    admission: RedisAdmission
    replicas: RedisReplicas
    locks: RedisLocks
    wire: Wire = field(kw_only=True)

    @property
    def refused(self) -> int:
        return self.wire.writes.refused

    async def ping(self) -> None:
        await self.jobs.counts()
        await self.wire.ping()

    async def close(self) -> None:
        """Close the connections, those of listeners too."""
        await self.wire.close()


async def open_redis_state(url: str, *, prefix: str, turn_ttl_days: float | None) -> RedisState:
    """Open the state. If the server does not answer yet, calls fail until it does.

    Args:
        url: ``redis://``, ``rediss://`` or ``unix://``; of a cluster, any one node of it.
        prefix: The beginning of every key, without braces.
        turn_ttl_days: How long learned turns are kept; None: forever. Unlearned turns never expire.

    Raises:
        StateError: the address cannot be understood, or the server is too old.
        FormatError: what is there is of another format.
        InvalidInputError: the prefix has a brace.
    """
    wire, keys, turn_ttl = Wire(url), Keys(prefix), timedelta(days=turn_ttl_days or _EVER)
    wire.agree = partial(_agree, wire, keys, f"the state at state.url, with the prefix {prefix!r},")
    state = RedisState(
        conversations=RedisConversations(wire, keys, turn_ttl=turn_ttl),
        jobs=RedisJobs(wire, keys, turn_ttl=turn_ttl),
        tombstones=RedisTombstones(wire, keys),
        ledger=RedisLedger(wire, keys),
        usage=RedisUsage(wire, keys, turn_ttl=turn_ttl),
        standings=RedisStandings(wire, keys),
        offers=RedisOffers(wire, keys),
        switches=RedisSwitches(wire, keys),
        sums=RedisDailySums(wire, keys),
        attachments=RedisAttachments(wire, keys),
        blocks=RedisBlocks(wire, keys),
        runs=RedisRuns(wire, keys),
        tasks=in_memory_state().tasks,  # of this process alone
        peers=RedisPeers(wire, keys),
        admission=RedisAdmission(wire, keys),
        replicas=RedisReplicas(wire, keys),
        locks=RedisLocks(wire, keys),
        wire=wire,
    )
    try:
        for warning in (await wire.facts()).warnings():
            log.warning("%s", warning)
        await state.jobs.tidy()
    except (UnfitServerError, FormatError):
        await state.close()
        raise
    except StateError as error:
        log.warning("redis does not answer; starting without it: %s", error)
    return state


async def _agree(wire: Wire, keys: Keys, place: str) -> bool:
    """Note our format, or see that what is there has it; False if it cannot be noted now.

    Raises:
        FormatError: it has another one: what we write would be read as something else.
        StateError: the server does not answer.
    """
    found = await wire.ask("GET", keys.format)
    if found is None:
        # The key of the format is gone if somebody flushed the server under running processes.
        first = await wire.ask("ZRANGE", keys.index.owned, 0, 0, "WITHSCORES")
        if first:
            refuse_other(place, int(float(first[1])))
        try:
            await wire.ask("SET", keys.format, _NOTED, "NX")
        except StateUnwritableError:
            return False  # nothing else is written either
        found = await wire.ask("GET", keys.format)
    name, _, number = str(found).partition(" ")
    refuse_other(place, int(number) if name == _NAME and number.isdecimal() else NONE)
    return True
