"""Alive and ready, whatever memory does."""

import asyncio
import json

from memory.errors import StoreError
from proxy.api import health as health_module
from proxy.api.health import Health


async def fine():
    pass


async def away():
    raise StoreError("connection refused to 10.0.0.1")


async def ready(pings, notes=None):
    response = await Health(pings, notes or {}).ready(None)
    return response.status, json.loads(response.body)


async def test_live_asks_nobody():
    """Liveness is the event loop and nothing else: a broken store must not restart the pod."""
    response = await Health({"store": away}, {}).live(None)
    assert (response.status, json.loads(response.body)) == (200, {"status": "ok"})


async def test_ready_with_every_part():
    """All parts answer."""
    assert await ready({"store": fine, "state": fine}) == (
        200,
        {"status": "ok", "parts": {"store": "ok", "state": "ok"}},
    )


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


async def test_damaged_files_are_told():
    """What was set aside at the start is degraded until somebody looks after it."""
    status, body = await ready({"store": fine}, {"state.db.corrupt-1": "set aside as damaged"})
    assert status == 200
    assert body["status"] == "degraded"
    assert body["parts"]["state.db.corrupt-1"] == "set aside as damaged"
