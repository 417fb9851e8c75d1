"""Imports that come in: what is refused before it is read, and what is left of those that end."""

import asyncio

import pytest

from recollect.memory.transfer import Header, header_line
from recollect.proxy.api.tasks import room as module
from recollect.proxy.api.tasks import runner as running
from recollect.proxy.api.tasks import spooling
from tests.proxy.api.serving import add, detail
from tests.proxy.api.tasks.test_tasks import (
    TASKS,
    ended,
    failing,
    files,
    held,
    lines,
    no_files,
    send,
)
from tests.support.folding import rows
from tests.support.waiting import HANG_SECONDS, until

IMPORT = "/v1/memories/import"
HEADER = header_line(Header(embedder="x", dim=1, vectors=False))


def body(size):
    """A file of lines of about this size that none of our versions can read to its end."""
    line = b'{"memory": 1}\n'
    return HEADER + line * ((size - len(HEADER)) // len(line))


class Upload:
    """An import by hand: what was sent, and what came back."""

    def __init__(self, client):
        self._client = client
        self.writer = None

    async def begin(self, head, *, path=IMPORT):
        server = self._client.server
        self.reader, self.writer = await asyncio.open_connection(server.host, server.port)
        self.writer.write(f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{head}\r\n\r\n".encode())
        await self.writer.drain()

    async def send(self, data):
        self.writer.write(data)
        await self.writer.drain()

    async def status(self):
        async with asyncio.timeout(HANG_SECONDS):
            return int((await self.reader.readline()).split()[1])


@pytest.fixture
async def uploading():
    made = []

    def of(client):
        made.append(Upload(client))
        return made[-1]

    yield of
    for upload in made:
        if upload.writer is not None:
            upload.writer.close()


async def test_a_quota_is_refused_unread(serve, uploading, monkeypatch):
    """By its Content-Length, before a byte of it came; nothing is left."""
    monkeypatch.setattr(module, "TENANT_BYTES", 4000)
    client = await serve()
    upload = uploading(client)
    await upload.begin("Content-Length: 4001")
    assert await upload.status() == 507
    assert await no_files(serve.runners[0])
    status, told = await detail(await client.post(IMPORT, data=body(5000)))
    assert (status, "the files of tasks may have" in told) == (507, True)


async def test_a_body_of_unknown_length_stops_at_the_quota(serve, uploading, monkeypatch):
    """As soon as a piece reaches it; those that came are deleted."""
    monkeypatch.setattr(spooling, "TASK_PIECE", 1000)
    monkeypatch.setattr(module, "TENANT_BYTES", 4000)
    client = await serve()
    upload = uploading(client)
    await upload.begin("Transfer-Encoding: chunked")
    for _ in range(4):
        await upload.send(b"5dc\r\n" + b"x" * 1500 + b"\r\n")
    assert await upload.status() == 507
    await until(lambda: no_files(serve.runners[0]))


async def test_uploads_are_counted_while_they_come(serve, uploading, monkeypatch):
    """By number and by size: many at once do not pass a bound that each of them respects."""
    monkeypatch.setattr(running, "MOST_WAITING", 3)
    monkeypatch.setattr(module, "TENANT_BYTES", 10_000)
    client = await serve()
    uploads = [uploading(client) for _ in range(6)]
    sql = "SELECT coalesce(sum(expected), 0) FROM jobs"

    async def coming(size):
        return await serve.runners[0].store._scripts.statement(sql, {}) == [(size,)]

    for upload in uploads[:2]:
        await upload.begin("Content-Length: 4000")
        await upload.send(b"x")
    await until(lambda: coming(8000))
    await uploads[2].begin("Content-Length: 4000")
    assert await uploads[2].status() == 507
    await uploads[3].begin("Content-Length: 1000")
    await uploads[3].send(b"x")
    await until(lambda: coming(9000))
    await uploads[4].begin("Content-Length: 10")
    assert await uploads[4].status() == 409
    for upload in uploads[:4]:
        upload.writer.close()
    await until(lambda: coming(0))
    assert await no_files(serve.runners[0])


async def test_what_can_be_resumed_is_kept_for_some_time(serve):
    """Until it is resumed, or so many hours have passed."""
    client = await serve()
    await add(client, "tea")
    data, runner = await lines(client), serve.runners[0]
    with failing(runner):
        first = await ended(client, await send(client, data))
        second = await ended(client, await send(client, data))
    assert first["error"].startswith("store_unavailable") or "resume" in first["error"]
    await runner.expired()
    assert await files(runner) == (2, 2 * len(data))
    assert (await client.post(f"{TASKS}/{first['id']}/resume")).status == 200
    assert (await ended(client, first))["state"] == "done"
    now = runner._clock()
    runner._clock = lambda: now + running.timedelta(hours=25)
    await runner.expired()
    assert await no_files(runner)
    assert (await detail(await client.post(f"{TASKS}/{second['id']}/resume")))[0] == 409


async def test_the_oldest_goes_first(serve, monkeypatch):
    """A new import takes the room of the oldest one that failed; that says so when resumed."""
    client = await serve()
    await add(client, "tea")
    data, runner = await lines(client), serve.runners[0]
    monkeypatch.setattr(module, "TENANT_BYTES", int(2.5 * len(data)))
    with failing(runner):
        tasks = [await ended(client, await send(client, data)) for _ in range(3)]
    spared = [task.id for task in await runner.store.spared()]
    assert spared == [task["id"] for task in tasks[1:]]
    status, told = await detail(await client.post(f"{TASKS}/{tasks[0]['id']}/resume"))
    assert (status, told) == (409, "the file of the import is gone: import it again")


@rows("left", [2**20, 2**30])
async def test_the_disk_keeps_room_for_turns(serve, uploading, monkeypatch, left):
    """An import that would take the reserve is refused unread."""
    client = await serve()
    monkeypatch.setattr(module, "RESERVE_BYTES", 2**30 - 10**6)
    monkeypatch.setattr(module, "free_bytes", lambda _: left)
    upload = uploading(client)
    await upload.begin(f"Content-Length: {2**20}")
    assert await upload.status() == 507
    assert await no_files(serve.runners[0])


async def test_an_import_stops_at_the_reserve(client, serve, monkeypatch):
    """What it writes into the store fills the disk as well; it can be resumed when there is room."""
    monkeypatch.setattr("recollect.memory.transfer.importing.PAGE", 1, raising=False)
    for number in range(3):
        await add(client, f"tea {number}")
    data, runner = await lines(client), serve.runners[0]
    gate = held(runner)
    task = await send(client, data)
    monkeypatch.setattr(module, "free_bytes", lambda _: 0)
    gate.set()
    failed = await ended(client, task)
    assert (failed["state"], failed["error"]) == ("failed", module.FULL)
    monkeypatch.undo()
    assert (await client.post(f"{TASKS}/{task['id']}/resume")).status == 200
    assert (await ended(client, task))["state"] == "done"
