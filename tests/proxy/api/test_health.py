"""Alive and ready, whatever memory does."""

import asyncio
import json

from recollect.memory.database import unopened
from recollect.memory.model.errors import LearningError, StateDamagedError, StoreError
from recollect.memory.state import state_of
from recollect.proxy.api import health as health_module
from recollect.proxy.api.health import Health

DAMAGE = StateDamagedError("damaged")


async def fine():
    pass


async def away():
    raise StoreError("connection refused to 10.0.0.1")


async def ready(pings, queue=None, **counted):
    response = await Health(pings, queue, counted=lambda: counted).ready(None)
    return response.status, json.loads(response.body)


async def test_live_asks_nobody():
    """Liveness is the event loop and nothing else: a broken store must not restart the pod."""
    response = await Health({"store": away}).live(None)
    assert (response.status, json.loads(response.body)) == (200, {"status": "ok"})


async def test_a_broken_part_degrades_but_stays_ready():
    """Chats still work, so requests must still come; the part is named by its stable code."""
    status, body = await ready({"store": away, "state": fine})
    assert status == 200
    assert body == {"status": "degraded", "parts": {"store": "store_unavailable", "state": "ok"}}


async def test_a_part_that_hangs_is_not_waited_for(monkeypatch):
    """No answer in time is an answer; the parts are asked side by side."""
    monkeypatch.setattr(health_module, "PING_SECONDS", 0.01)
    status, body = await ready({"a": asyncio.Event().wait, "b": asyncio.Event().wait, "c": fine})
    assert (status, body["parts"]) == (200, {"a": "no answer", "b": "no answer", "c": "ok"})


async def test_what_mends_a_part_is_told():
    """The advice of the error, which names no address; what was lost is told without a queue too."""

    async def damaged():
        raise StateDamagedError("/data/recollect.db is damaged", "run `recollect repair`")

    _, body = await ready(
        {"store": away, "state": damaged}, state_of(unopened(DAMAGE)).jobs, lost=3
    )
    assert body == {
        "status": "degraded",
        "parts": {"store": "store_unavailable", "state": "state_damaged"},
        "advice": {"state": "run `recollect repair`"},
        "jobs": {"lost": 3},
    }


async def test_learning_that_fails_and_dead_jobs_are_told():
    """The reason word, what to do, and how many jobs are given up; chats still work."""

    class Queue:
        async def counts(self):
            return {"ready": 0, "leased": 0, "done": 5, "dead": 2}

        async def oldest(self):
            return None

    async def fails():
        raise LearningError("model_timeout", "set a smaller model")

    status, body = await ready({"learning": fails}, Queue())
    assert (status, body["status"]) == (200, "degraded")
    assert body["parts"] == {"learning": "model_timeout"}
    assert body["advice"]["learning"] == "set a smaller model"
    assert "recollect jobs retry --all" in body["advice"]["jobs"]
    _, body = await ready({"learning": fine}, Queue())
    assert (body["status"], body["parts"]) == ("ok", {"learning": "ok"})
    assert body["advice"]["jobs"].startswith("2 dead")


async def test_the_age_of_the_queue_is_told():
    """Jobs that nobody learns make the proxy say so, and stay no reason to refuse chats."""
    from datetime import timedelta

    from recollect.memory.learn import job_for
    from recollect.memory.model.types import Scope, Turn, utc_now
    from recollect.proxy.api.health import LATE_SECONDS
    from tests.support.state import InMemoryJobs

    jobs = InMemoryJobs()
    turn = Turn(
        id="t",
        conversation_id="c",
        scope=Scope(tenant="local", user_id="alice"),
        user_text="x",
        assistant_text="",
        model="m",
        created_at=utc_now(),
    )
    await jobs.put(job_for(turn, 1, reason="turns"))
    for age, status in ((0, "ok"), (LATE_SECONDS + 60, "degraded"), (-3600, "degraded")):
        clock = lambda age=age: utc_now() + timedelta(seconds=age)  # noqa: E731
        answer = await Health({}, jobs, clock=clock).ready(None)
        said = json.loads(answer.body)
        assert (answer.status, said["status"]) == (200, status)
        assert said["jobs"]["ready"] == 1
        assert abs(said["jobs"]["oldest_seconds"] - age) < 30


async def test_an_outage_is_logged_once(caplog):
    """Not by each probe and for each part that it concerns; again after it was over."""
    caplog.set_level("INFO")
    works = []

    async def ping():
        if not works:
            await away()

    health = Health({"state": ping, "capture": ping, "learning": ping})
    for _ in range(3):
        await health.ready(None)
    assert len(caplog.records) == 1
    works.append(True)
    await health.ready(None)
    works.clear()
    await health.ready(None)
    assert len(caplog.records) == 2
