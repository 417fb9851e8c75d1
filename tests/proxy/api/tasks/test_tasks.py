"""Long work over REST: exports are streamed, imports are tasks."""

import asyncio
import json
from contextlib import contextmanager
from datetime import timedelta

import pytest

from recollect.memory.model.errors import StateUnwritableError, StoreError
from recollect.memory.model.owner import Owner
from recollect.memory.transfer import Header, header_line
from recollect.proxy.access.rights import Grant, Right
from recollect.proxy.api.tasks import runner as running
from tests.proxy.api.serving import add, detail
from tests.support.folding import rows
from tests.support.waiting import HANG_SECONDS, until

TASKS = "/v1/memories/tasks"


async def send(client, data, status=202, **query):
    answer = await client.post("/v1/memories/import", data=data, params=query)
    assert answer.status == status, await answer.text()
    return await answer.json()


async def seen(client, task):
    return await (await client.get(f"{TASKS}/{task['id']}")).json()


async def ended(client, task):
    """The task once it has ended."""
    async with asyncio.timeout(HANG_SECONDS):
        while True:
            task = await seen(client, task)
            if task["state"] not in ("waiting", "running"):
                return task
            await asyncio.sleep(0.01)


async def lines(client, **query):
    answer = await client.get("/v1/memories/export", params=query)
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "application/x-ndjson"
    return await answer.read()


async def files(runner):
    """How many files are kept, and their bytes as they are counted."""
    [(many, size)] = await runner.store._scripts.statement(
        "SELECT (SELECT count(DISTINCT file) FROM task_pieces), (SELECT sum(size) FROM jobs)", {}
    )
    return many, size or 0


async def no_files(runner):
    return await files(runner) == (0, 0)


@contextmanager
def failing(runner):
    """Every import of it fails as if the store were down; its file can be used again."""
    task_runners, original = runner._runners, runner._runners.steps

    async def steps(_task):
        raise StoreError("down")
        yield

    task_runners.steps = steps
    yield
    task_runners.steps = original


def held(client_runner, steps=0):
    """Makes every task wait before each step, after so many, until the event is set."""
    gate = asyncio.Event()
    task_runners = client_runner._runners
    original = task_runners.steps

    async def held_steps(task):
        left = steps
        async for step in original(task):
            if left <= 0:
                await gate.wait()
            left -= 1
            yield step
        await gate.wait()

    task_runners.steps = held_steps
    return gate


@pytest.fixture
async def data(client):
    """The lines of three memories of alice."""
    for number in range(3):
        await add(client, f"tea {number}")
    return await lines(client)


async def test_lines_are_streamed(client):
    """Of a scope, or without ids of the tenant; and they go on after an id."""
    known = [await add(client, f"tea {n}") for n in range(3)]
    await add(client, "coffee", user_id="bob")
    data = await lines(client)
    assert json.loads(data.splitlines()[-1]) == {"end": True, "memories": 4}
    data = await lines(client, user_id="alice")
    assert data.count(b'"memory"') == 3
    rest = await lines(client, user_id="alice", after=sorted(known)[1], vectors="false")
    assert rest.count(b'"memory"') == 1
    assert b'"vector"' not in rest


async def test_an_import_and_back(client, serve):
    """What was exported is there again after it was lost, and its file is gone."""
    known = await add(client, "tea")
    data = await lines(client)
    store = serve.runners[0]._runners._engine.parts.store
    await store.reset("local")
    done = await ended(client, await send(client, data))
    assert (done["state"], done["counts"]["added"], done["done"]) == ("done", 1, 1)
    assert (await client.get(f"/v1/memories/{known}")).status == 200
    assert await no_files(serve.runners[0])
    again = await ended(client, await send(client, data))
    assert again["counts"]["same"] == 1


async def test_a_line_of_too_many_values_is_refused_unread(client):
    """The task fails at once and names the line, and its file is not kept to be resumed."""
    await add(client, "tea")
    first, *rest = (await lines(client)).splitlines(keepends=True)
    data = first + b'{"a":[%s0]}\n' % (b"[]," * 300_000) + b"".join(rest)
    failed = await ended(client, await send(client, data))
    assert failed["state"] == "failed"
    assert failed["error"].startswith("line 2, line: expected at most 200000 values")
    assert (await client.post(f"{TASKS}/{failed['id']}/resume")).status == 409
    done = await ended(client, await send(client, data, on_error="skip"))
    # The last line is refused too: it counts the lines.
    assert (done["state"], done["counts"]["refused"]) == ("done", 2)


async def test_an_import_is_bounded(serve, monkeypatch):
    """A larger body is refused, also if it does not say how large it is, and leaves nothing."""
    monkeypatch.setattr("recollect.proxy.api.tasks.handlers.MAX_IMPORT_BYTES", 2000)
    client = await serve()

    async def chunks():
        for _ in range(30):
            yield b" " * 100

    for data in (b" " * 2001, chunks()):
        status, told = await detail(await client.post("/v1/memories/import", data=data))
        assert (status, "exceeds 2000 bytes" in told) == (413, True)
    assert await no_files(serve.runners[0])


async def test_a_full_disk(client, serve, data, monkeypatch):
    """It is said so, without a path, and nothing is left."""

    async def full(*_, **__):
        raise StateUnwritableError("/secret/path is full", "make room")

    runner = serve.runners[0]
    gate = held(runner)
    task = await send(client, data)
    for name in ("put", "step", "cancel"):
        monkeypatch.setattr(runner.store, name, full)
    status, told = await detail(await client.post("/v1/memories/import", data=b"{}"))
    assert (status, told) == (507, "make room")
    assert (await detail(await client.post(f"{TASKS}/{task['id']}/cancel")))[0] == 507
    gate.set()
    assert (await ended(client, task))["error"] == "make room"


async def test_a_forget_removes_the_files(client, serve, data):
    """No import outlives what was forgotten: one that failed, and one that runs."""
    runner = serve.runners[0]
    with failing(runner):
        half = await ended(client, await send(client, data))
    gate = held(runner)
    runs = await send(client, data)
    await until(lambda: runs["id"] in runner._running)
    assert (await files(runner))[0] == 2
    await client.post("/v1/memories/forget", json={"all": True, "user_id": "alice"})
    assert await no_files(runner)
    gate.set()
    for task in (half, runs):
        assert "were forgotten" in (await ended(client, task))["error"]
        assert (await detail(await client.post(f"{TASKS}/{task['id']}/resume")))[0] == 409


async def test_cancelling_and_resuming(client, serve, data, monkeypatch):
    """It stops at the next step, keeps and counts what it did, and goes on from there."""
    monkeypatch.setattr("recollect.memory.transfer.importing.PAGE", 1)
    await (store := serve.runners[0]._runners._engine.parts.store).reset("local")
    gate = held(serve.runners[0], steps=3)  # the header and two memories
    task = await send(client, data)

    async def two_done():
        return (await seen(client, task))["done"] == 2

    await until(two_done)
    answer = await client.post(f"{TASKS}/{task['id']}/cancel")
    assert (await answer.json())["state"] == "running"
    gate.set()
    stopped = await ended(client, task)
    there = len(await store.scan(after=None, limit=9))
    assert (stopped["state"], stopped["done"], stopped["counts"]["added"]) == (
        "cancelled", there, there,
    )  # fmt: skip
    status, told = await detail(await client.post(f"{TASKS}/{task['id']}/resume"))
    assert (status, told) == (409, "the file of the import is gone: import it again")
    with failing(serve.runners[0]):
        task = await ended(client, await send(client, data))
    answer = await client.post(f"{TASKS}/{task['id']}/resume")
    assert (await answer.json())["state"] in ("waiting", "running")
    done = await ended(client, task)
    assert (done["state"], done["done"]) == ("done", 3)
    assert (await detail(await client.post(f"{TASKS}/{task['id']}/resume")))[0] == 409


async def test_one_at_a_time_for_a_tenant(client, serve, data):
    """Others wait for their turn, can be cancelled before it, and are listed newest first."""
    gate = held(serve.runners[0])
    tasks = [await send(client, data) for _ in range(3)]
    assert [each["state"] for each in tasks] == ["running", "waiting", "waiting"]
    answer = await client.post(f"{TASKS}/{tasks[1]['id']}/cancel")
    assert (await answer.json())["state"] == "cancelled"
    gate.set()
    assert (await ended(client, tasks[2]))["state"] == "done"
    listed = (await (await client.get(TASKS)).json())["results"]
    assert {each["id"] for each in listed} == {each["id"] for each in tasks}
    made = [each["created_at"] for each in listed]
    assert made == sorted(made, reverse=True)
    assert len((await (await client.get(TASKS, params={"limit": 1})).json())["results"]) == 1


async def test_too_many_wait(client, serve, data, monkeypatch):
    """409 before a body is read; and of those that ended the oldest are removed."""
    monkeypatch.setattr(running, "MOST_WAITING", 2)
    monkeypatch.setattr(running, "MOST_KEPT", 3)
    gate = held(serve.runners[0])
    for _ in range(2):
        last = await send(client, data)
    assert (await detail(await client.post("/v1/memories/import", data=data)))[0] == 409
    gate.set()
    await ended(client, last)
    for _ in range(4):
        await ended(client, await send(client, data))
    assert len((await (await client.get(TASKS)).json())["results"]) == 3


async def test_tasks_of_others(client, data, monkeypatch):
    """Another user's task, and the tenant's, do not exist for the credential of one user."""
    header = header_line(Header(embedder="x", dim=1, vectors=False))
    alices = await send(client, header, user_id="alice")
    tenants = await send(client, data)
    bobs = await send(client, header, user_id="bob", agent_id="a")
    grant = Grant(Owner("local", "bob"))
    monkeypatch.setattr("recollect.proxy.access.access.api_grant", lambda *_, **__: grant)
    for task in (alices, tenants):
        for method, end in (("GET", ""), ("POST", "/cancel"), ("POST", "/resume"), ("DELETE", "")):
            answer = await client.request(method, f"{TASKS}/{task['id']}{end}")
            assert (await detail(answer))[0] == 404
    listed = (await (await client.get(TASKS)).json())["results"]
    assert [each["id"] for each in listed] == [bobs["id"]]
    assert (await client.get(f"{TASKS}/{bobs['id']}", params={"agent_id": "b"})).status == 404
    grant = Grant(Owner("other"))
    for task in (alices, tenants, bobs):
        assert (await client.get(f"{TASKS}/{task['id']}")).status == 404


@rows(
    "right, keeps, status",
    [(Right.READ, "false", 403), (Right.WRITE, "true", 403), (Right.WRITE, "false", 202)],
)
async def test_rights(client, data, monkeypatch, right, keeps, status):
    """An import needs write, and admin to keep ids; so does whoever stops or removes it."""
    begun = await send(client, data, keep_ids=keeps)
    grant = Grant(Owner("local"), right)
    monkeypatch.setattr("recollect.proxy.access.access.api_grant", lambda *_, **__: grant)
    await send(client, data, status=status, keep_ids=keeps)
    answer = await client.delete(f"{TASKS}/{begun['id']}")
    assert answer.status == (200 if status == 202 else 403)
    monkeypatch.undo()


@rows("data", [b"1", b"{}", b"[]\n", b"text", b'{"recollect": "import"}', b"\xff"])
async def test_what_is_no_export_is_refused_at_once(client, serve, data):
    """Not by a task that fails later; nothing is left."""
    refused = await send(client, data, status=400)
    assert refused["detail"].startswith("line 1, ")
    assert await no_files(serve.runners[0])


async def test_old_tasks_are_removed(client, serve, data):
    """Once they ended so many days ago."""
    runner = serve.runners[0]
    await ended(client, await send(client, data))
    now = runner._clock()
    runner._clock = lambda: now + timedelta(days=8)
    await runner.expired()
    assert await (await client.get(TASKS)).json() == {"results": []}


async def test_a_user_imports_their_own_lines_only(client, data, monkeypatch):
    """The line of somebody else is named; nothing of it is written."""
    grant = Grant(Owner("local", "bob"))
    monkeypatch.setattr("recollect.proxy.access.access.api_grant", lambda *_, **__: grant)
    failed = await ended(client, await send(client, data))
    assert failed["user_id"] == "bob"
    assert failed["error"].startswith("line 2, memory.user_id: is somebody else's")
