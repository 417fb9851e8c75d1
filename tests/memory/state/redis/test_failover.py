"""A Redis whose primary dies and whose replica takes its place, behind one address."""

from __future__ import annotations

import pytest

from recollect.memory.model.errors import StateError
from recollect.memory.state.redis import open_redis_state
from tests.memory.state.samples import turn
from tests.support.redis_server import RedisServer
from tests.support.waiting import until, wait_until

from .lossy import LossyLink

pytestmark = pytest.mark.process


async def test_what_was_copied_is_there_and_work_goes_on(tmp_path):
    """Calls fail as errors of the state while nobody leads; then the same state goes on."""
    old = RedisServer(tmp_path / "old").start()
    new = RedisServer(tmp_path / "new").start()
    try:
        new.command("REPLICAOF", "127.0.0.1", str(old.port))
        wait_until(lambda: b"master_link_status:up" in new.command("INFO", "replication"), "a copy")
        async with LossyLink(old.port) as address:
            state = await open_redis_state(address.url, prefix="t:", turn_ttl_days=30)
            kept = turn("before")
            await state.conversations.record(kept)
            await state.admission.judge("tenant", accepted=True)
            old.command("WAIT", "1", "60000")
            old.stop()
            with pytest.raises(StateError):
                await state.conversations.record(turn("meanwhile"))
            new.command("REPLICAOF", "NO", "ONE")
            address.port = new.port

            async def works() -> bool:
                try:
                    await state.conversations.record(turn("after"))
                except StateError:
                    return False
                return True

            await until(works)
            ids = ["c1/before", "c1/after"]
            named = await state.conversations.named(kept.scope.tenant, ids)
            assert sorted(each.turn.id for each in named) == sorted(ids)
            assert (await state.admission.judged(0)).accepted == ["tenant"]
            assert (await state.admission.take("t", None, burst=3, per_second=1)).allowed
            await state.close()
    finally:
        old.stop()
        new.stop()
