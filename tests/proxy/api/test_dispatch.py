"""From a request to its operation: who may, how often, what is refused, and what is on record."""

import json

import pytest

from recollect.memory.model.owner import Owner
from recollect.proxy.access.rights import Grant, Right
from recollect.proxy.api.dispatch import NOBODY
from recollect.proxy.telemetry.exposition import exposition
from tests.hostile.facing import Facing
from tests.proxy.api.serving import add, detail
from tests.proxy.wire import request

LIMITED = {"limits": {"requests_per_minute": 3}}
SECRET = "green tea at the harbour"


def granted(monkeypatch, grant):
    monkeypatch.setattr("recollect.proxy.access.access.api_grant", lambda *_, **__: grant)


async def test_an_answer_says_what_is_left(serve):
    """Refusals too: each request counts, and the last one says when to come back."""
    client = await serve(api=LIMITED)
    for left, path in (("2", "/v1/memories/usage"), ("1", "/v1/memories/x"), ("0", "/v1/memories")):
        answer = await client.get(path)
        assert answer.headers["X-RateLimit-Limit"] == "3"
        assert answer.headers["X-RateLimit-Remaining"] == left
        assert int(answer.headers["X-RateLimit-Reset"]) >= 1
        assert "Retry-After" not in answer.headers
    answer = await client.get("/v1/memories/usage")
    status, told = await detail(answer)
    assert (status, "api.limits.requests_per_minute" in told) == (429, True)
    assert 1 <= int(answer.headers["Retry-After"]) <= 20
    assert f"come back in {answer.headers['Retry-After']} s" in told
    assert answer.headers["X-RateLimit-Remaining"] == "0"


async def test_a_stream_says_what_is_left(serve):
    """Though its head is sent before its end is known."""
    client = await serve(api=LIMITED)
    answer = await client.post("/v1/memories/flush?stream=true")
    assert (answer.status, answer.headers["X-RateLimit-Remaining"]) == (200, "2")


async def test_tenants_are_limited_apart(serve, monkeypatch):
    """The one that asks too often is refused, another is not; each has its own size of body."""
    limits = {"acme": {"requests_per_minute": 1}, "emca": {"max_body_bytes": 1024}}
    client = await serve(api={"tenant_limits": limits})
    body = {"messages": "x" * 1100, "user_id": "alice", "infer": False}
    seen = {}
    for tenant in ("acme", "emca", "local"):
        granted(monkeypatch, Grant(Owner(tenant)))
        seen[tenant] = [(await client.post("/v1/memories", json=body)).status for _ in range(2)]
    assert seen == {"acme": [200, 429], "emca": [413, 413], "local": [200, 200]}
    granted(monkeypatch, Grant(Owner("emca")))
    told = await detail(await client.post("/v1/memories", json=body))
    assert told == (413, "the body exceeds 1024 bytes")


async def test_an_operator_is_not_kept_out(serve, monkeypatch):
    """By a tenant that asks too often; nor does the operator use up what the tenant has."""
    client = await serve(api={"limits": {"requests_per_minute": 1}})
    granted(monkeypatch, Grant(Owner("local"), administers=True))
    assert {(await client.get("/v1/memories/stats")).status for _ in range(3)} == {200}
    granted(monkeypatch, Grant(Owner("local")))
    assert [(await client.get("/v1/memories/stats")).status for _ in range(2)] == [200, 429]


async def test_who_has_no_credential_uses_up_nothing(serve):
    """A wrong one is refused before it is counted for any tenant."""
    client = await serve(api={**LIMITED, "token": "secret"})
    for _ in range(5):
        assert (await client.get("/v1/memories/stats")).status == 401
    answer = await client.get("/v1/memories/usage", headers={"Authorization": "Bearer secret"})
    assert answer.headers["X-RateLimit-Remaining"] == "2"


async def test_nobody_has_no_memories(engine):
    """What needs no credential could not read any by mistake."""
    owner = NOBODY.owner
    assert NOBODY.right is Right.NONE
    with pytest.raises(Exception, match="tenant"):
        owner.scope(user_id="alice")


def records(folder):
    try:
        return [json.loads(line) for line in (folder / "audit.jsonl").read_text().splitlines()]
    except FileNotFoundError:
        return []


async def test_a_reset_is_on_record(client, tmp_path):
    """Whoever does it, and how it ended; what a tenant's own credential does otherwise is not."""
    known = await add(client, SECRET)
    await client.delete(f"/v1/memories/{known}")
    assert records(tmp_path) == []
    assert (await client.post("/v1/reset")).status == 400
    assert (await client.post("/v1/reset?confirm=local")).status == 200
    told = [(each["operation"], each["tenant"], each["status"]) for each in records(tmp_path)]
    assert told == [("reset", "local", 400), ("reset", "local", 200)]
    assert {each["who"] for each in records(tmp_path)} == {"anybody on this machine"}
    assert {each["remote"] for each in records(tmp_path)} == {"127.0.0.1"}


async def test_everything_of_an_operator_is_on_record(client, tmp_path, monkeypatch):
    """Reads and changes, with the ids that they name, and no text of a memory or of a query."""
    known = await add(client, SECRET)
    granted(monkeypatch, Grant(Owner("local"), who="admin ann", administers=True))
    body = {"messages": SECRET, "user_id": "alice", "run_id": "r1", "infer": False}
    assert (await client.post("/v1/memories", json=body)).status == 200
    asked = {"q": SECRET, "user_id": "alice"}
    assert (await client.get("/v1/memories/search", params=asked)).status == 200
    assert (await client.get(f"/v1/memories/{known}")).status == 200
    assert (await client.get("/v1/memories/other")).status == 404
    told = records(tmp_path)
    assert [(each["operation"], each["status"]) for each in told] == [
        ("add", 200),
        ("search", 200),
        ("get", 200),
        ("get", 404),
    ]
    assert {each["who"] for each in told} == {"admin ann"}
    assert [each.get("user_id") for each in told] == ["alice", "alice", None, None]
    assert told[0]["run_id"] == "r1"
    assert [each.get("memory_id") for each in told] == [None, None, known, "other"]
    assert SECRET not in (tmp_path / "audit.jsonl").read_text()


async def test_what_else_is_on_record_is_a_setting(serve, tmp_path):
    """`writes`: who changes memories; `all`: who reads them, too. With the time that it took."""
    told = {}
    for chosen in ("writes", "all"):
        (tmp_path / "audit.jsonl").unlink(missing_ok=True)
        client = await serve(api={"audit": chosen})
        known = await add(client, SECRET)
        await client.get(f"/v1/memories/{known}")
        await client.get("/v1/memories/openapi.json")
        told[chosen] = [each["operation"] for each in records(tmp_path)]
        assert all(each["ms"] > 0 for each in records(tmp_path))
    assert told == {"writes": ["add"], "all": ["add", "get"]}
    assert SECRET not in (tmp_path / "audit.jsonl").read_text()


async def test_operations_are_counted(serve):
    """By name and outcome, with their time; a stream that never ends is none of them."""
    client = await serve()
    await add(client, SECRET)
    await client.get("/v1/memories/other")
    (await client.get("/v1/memories/events")).close()
    text = exposition(serve.totals().families())
    assert 'recollect_api_calls_total{operation="add",outcome="ok"} 1' in text
    assert 'recollect_api_calls_total{operation="get",outcome="refused"} 1' in text
    assert 'recollect_api_seconds_count{operation="add"} 1' in text
    assert 'operation="events"' not in text


async def test_what_is_refused_by_right_is_not_on_record(client, tmp_path, monkeypatch):
    """Otherwise anybody could push records out of the files."""
    granted(monkeypatch, Grant(Owner("local"), Right.READ))
    assert (await client.post("/v1/reset?confirm=local")).status == 403
    assert records(tmp_path) == []


async def test_nothing_is_done_without_a_record(client, tmp_path, caplog):
    """503, and the memories are there still; the rest of the API goes on."""
    known = await add(client, SECRET)
    (tmp_path / "audit.jsonl").mkdir()
    status, told = await detail(await client.post("/v1/reset?confirm=local"))
    assert (status, "nothing was done" in told) == (503, True)
    assert str(tmp_path) not in told
    assert "api.audit_log" in caplog.text
    assert (await client.get(f"/v1/memories/{known}")).status == 200


async def test_a_follower_is_on_record_when_it_begins(client, tmp_path, monkeypatch):
    """A stream of changes may last for weeks."""
    granted(monkeypatch, Grant(Owner("local"), administers=True))
    answer = await client.get("/v1/memories/events")
    assert answer.status == 200
    assert [each["operation"] for each in records(tmp_path)] == ["events"]
    answer.close()


async def test_the_file_is_in_the_data_folder(tmp_path):
    """Of the whole product; or where `api.audit_log` says."""
    reset = request("POST", "/v1/reset?confirm=local")
    hosts = {"listen__allowed_hosts": '["proxy.test"]'}
    async with Facing(**hosts, data_dir=tmp_path / "data") as facing:
        assert (await facing.ask(reset)).status == 200
    async with Facing(**hosts, api__audit_log=tmp_path / "other" / "audit.jsonl") as facing:
        assert (await facing.ask(reset)).status == 200
    for folder in ("data", "other"):
        assert [each["operation"] for each in records(tmp_path / folder)] == ["reset"]
