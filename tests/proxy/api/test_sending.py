"""Streamed and large answers of the memory API: shares, and clients that do not read."""

import json
import socket

import pytest

from recollect.config.bounds import StreamOptions
from recollect.memory.model.owner import Owner
from recollect.memory.model.types import StoredMemory
from recollect.memory.util.fair_thread_pool import FairThreadPool
from recollect.proxy.access.rights import Grant
from recollect.proxy.api import outlet, sending
from recollect.proxy.api.call import ApiCall
from recollect.proxy.api.operations import Parameters
from recollect.proxy.api.sending import Load, Sending, claimant_of
from recollect.proxy.api.shares import Claimant, ShareTakenError
from tests.memory.transfer.moving import item
from tests.support.waiting import until

EXPORT = "/v1/memories/export"
FEW = {"exports_per_user": 1, "exports_per_tenant": 2, "write_seconds": 0.5}


@pytest.fixture
def made(monkeypatch):
    """The dispatchers' `Sending`; the system buffers little, as on a slow network."""
    found = []
    init, begin = Sending.__init__, outlet.Outlet.begin

    def noted(self, *given):
        init(self, *given)
        found.append(self)

    async def small(self, *given, **named):
        response = await begin(self, *given, **named)
        end = self.request.transport.get_extra_info("socket")
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        return response

    monkeypatch.setattr(Sending, "__init__", noted)
    monkeypatch.setattr(outlet.Outlet, "begin", small)
    monkeypatch.setattr("recollect.memory.transfer.exporting.PAGE", 2)
    return found


def unread(client, path):
    """A connection that asks and reads nothing."""
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.connect((client.server.host, client.server.port))
    one.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    return one


async def much(engine):
    """Memories of 48 kilobytes each."""
    parts = engine.engine.parts
    [vector] = await parts.embedder.embed(["tea"])
    rows = [StoredMemory(item(f"m{n}", "tea " * 12_000), vector) for n in range(60)]
    await parts.store.put(rows)


async def test_exports_that_nobody_reads_are_few_and_end(serve, engine, made):
    """One more than the share gets 429; what is not read is closed, and makes room."""
    client = await serve(api={"streams": FEW})
    await much(engine)
    exports = made[0].shares[Load.READ]
    with unread(client, f"{EXPORT}?user_id=alice"):
        await until(lambda: exports.used == 1)
        refused = await client.get(EXPORT, params={"user_id": "alice"})
        assert (refused.status, refused.headers["Retry-After"]) == (429, "1")
        assert "a user may have 1 exports" in (await refused.json())["detail"]
        assert (await client.get(EXPORT, params={"user_id": "bob"})).status == 200
        await until(lambda: exports.used == 0)
    whole = await (await client.get(EXPORT, params={"user_id": "alice"})).read()
    assert whole.count(b'"memory"') == 60


async def test_a_list_that_nobody_reads_ends(serve, engine, made):
    """The bytes of large answers are counted while they are sent; others' small ones are not."""
    client = await serve(api={"streams": FEW})
    await much(engine)
    with unread(client, "/v1/memories?user_id=alice&limit=60"):
        await until(lambda: made[0].unread.used > 2_000_000)
        found = await (await client.get("/v1/memories", params={"user_id": "bob"})).json()
        assert found == {"results": []}
        await until(lambda: made[0].unread.used == 0)
    answer = await client.get("/v1/memories", params={"user_id": "alice", "limit": "60"})
    assert answer.content_length == len(await answer.read())
    assert len((await answer.json())["results"]) == 60


async def test_a_file_that_nobody_reads_ends(serve, engine, made):
    """The file of an export is a stream like the others; a part of it can be had by Range."""
    client = await serve(api={"streams": FEW})
    await much(engine)
    task = await (await client.post("/v1/memories/tasks", json={"kind": "export"})).json()
    path = f"/v1/memories/tasks/{task['id']}/result"
    answer = await client.get(path)
    while answer.status == 409:
        answer = await client.get(path)
    data = await answer.read()
    exports = made[0].shares[Load.READ]
    with unread(client, path):
        await until(lambda: exports.used == 1)
        await until(lambda: exports.used == 0)
    for asked, status, part in (
        ("bytes=5-9", 206, data[5:10]),
        ("bytes=-7", 206, data[-7:]),
        (f"bytes={len(data)}-", 416, b""),
        ("bytes=x", 416, b""),
    ):
        answer = await client.get(path, headers={"Range": asked})
        assert (answer.status, await answer.read()) == (status, part)


def test_whose_share_it_is():
    """That of the user whom a request concerns; an operator has a share of its own."""

    def call(grant, **asked):
        return ApiCall(Parameters(asked), None, grant, None, {})

    tenants, users = Grant(Owner("t")), Grant(Owner("t", "bob"))
    operator = Grant(Owner("t"), who="token ops", administers=True)
    assert claimant_of(call(tenants)) == Claimant("t")
    assert claimant_of(call(tenants, user_id="ada")) == Claimant("t", "ada")
    assert claimant_of(call(users)) == Claimant("t", "bob")
    assert claimant_of(call(operator, user_id="ada")) == Claimant("operator token ops")


async def test_large_answers_have_a_share(monkeypatch):
    """More bytes than a user's share are refused while the first are on their way."""
    monkeypatch.setattr(sending, "LARGE", 10)
    out = Sending(StreamOptions(), FairThreadPool(1))
    call = ApiCall(Parameters(), None, Grant(Owner("t", "ada")), None, {})
    body = await out.encoded(call, {"results": list(range(1000))})
    assert json.loads(body)["results"][-1] == 999
    with out.unread.taken(Claimant("t", "ada"), 2**25), pytest.raises(ShareTakenError):
        await out.whole(call, 200, body)
    assert out.unread.used == 0
