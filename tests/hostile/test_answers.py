"""What our own answers say, and what they do not."""

import json

import pytest

from memory import AsyncMemory
from tests.hostile.facing import Facing
from tests.proxy.wire import request

HERE = b"127.0.0.1"
SECRET = "my secret"


async def get(facing, path):
    return await facing.ask(request("GET", path).replace(b"proxy.test", HERE, 1))


async def test_a_defect_of_ours_is_an_answer_that_clients_can_read(monkeypatch, caplog):
    """500 in the usual shape, with a number that the log has; nothing of the request is in either."""

    async def broken(*_args, **_options):
        raise ZeroDivisionError(SECRET)

    monkeypatch.setattr(AsyncMemory, "search", broken)
    async with Facing() as facing:
        seen = await get(facing, "/v1/memories/search/?q=x&user_id=alice")
    body = json.loads(seen.body)
    assert (seen.status, set(body)) == (500, {"detail"})
    number = body["detail"].split()[2].rstrip(":")
    assert f"error {number} in the memory API: ZeroDivisionError" in caplog.text
    assert SECRET not in caplog.text + body["detail"]


@pytest.mark.parametrize("path", ["/v1/memories/?user_id=a", "/v1/memories/no/where", "/healthz"])
async def test_no_answer_names_our_server(path):
    """Which library answers, and in which version, is nobody's business."""
    async with Facing() as facing:
        seen = await get(facing, path)
    assert "aiohttp" not in "".join(seen.head.values("server"))
