"""Upkeep over HTTP: called, read and taken back, and each refusal in the API's words."""

import pytest

from recollect.memory.model.jobs import JobKind, Spent
from recollect.memory.model.types import utc_now
from tests.support.upkeep import KeepsFirst

from .calling import Calling
from .serving import add, detail

URL = "/v1/memories"
USER = {"user_id": "alice"}


async def ask(client, method, path, **asked):
    answer = await client.request(method, URL + path, **asked)
    assert answer.status == 200, await answer.text()
    return await answer.json()


async def refused(client, method, path, **asked):
    return await detail(await client.request(method, URL + path, **asked))


async def texts(client, user="alice"):
    found = await ask(client, "GET", "/", params={"user_id": user})
    return sorted(one["memory"] for one in found["results"])


@pytest.fixture
async def client(client, engine):
    """A served API whose consolidation keeps the first of equal memories."""
    worker = engine.engine.background.worker
    worker.upkeep.add(KeepsFirst(engine.engine.parts.store))
    return client


async def test_from_a_dry_run_to_its_undo(client):
    """Tried, called, listed, read with its texts, taken back once, and not a second time."""
    for text in ("Likes tea", "likes TEA"):
        await add(client, text)
    [planned] = (await ask(client, "POST", "/consolidate", json={**USER, "dry_run": True}))[
        "results"
    ]
    assert (planned["state"], len(planned["changes"])) == ("planned", 1)
    assert (await ask(client, "GET", "/upkeep"))["results"] == []
    [run] = (await ask(client, "POST", "/consolidate", json=USER))["results"]
    assert run["changes"] == planned["changes"]
    assert await texts(client) == ["Likes tea"]
    [listed] = (await ask(client, "GET", "/upkeep", params={**USER, "kind": "consolidate"}))[
        "results"
    ]
    assert (listed["id"], listed["changes"][0]["event"]) == (run["id"], "DELETE")
    path = f"/upkeep/{run['id']}"
    assert await ask(client, "GET", path) == run
    first = await ask(client, "POST", f"{path}/undo")
    second = await ask(client, "POST", f"{path}/undo", json=USER)
    assert [(one["undone"], one["already"]) for one in (first, second)] == [(1, False), (0, True)]
    assert await texts(client) == ["Likes tea", "likes TEA"]
    assert (await ask(client, "GET", path))["undone_at"] == first["run"]["undone_at"]


async def test_the_whole_product():
    """Real consolidation, called through a proxy that serves; what rests is no degradation."""
    async with Calling() as api:
        await api.remember("Likes tea", "likes TEA", user_id="alice")
        [run] = (await api.post("consolidate", USER))["results"]
        assert [change["event"] for change in run["changes"]] == ["DELETE"]
        assert [text.lower() for text in await api.texts()] == ["likes tea"]
        undone = await api.post(f"upkeep/{run['id']}/undo", {})
        assert undone["undone"] == 1
        assert sorted(await api.texts()) == ["Likes tea", "likes TEA"]
        _, ready = await api.ask_for("GET", "/readyz")
        assert (ready["status"], ready["parts"]["upkeep"]) == ("ok", "upkeep_rests")
        assert "episode" in ready["advice"]["upkeep"]


async def test_one_kind_is_run(client):
    """By its name, in each scope below the one that is named; nobody need wait for the end."""
    await add(client, "Likes tea")
    await add(client, "Likes tea", user_id="alice", agent_id="work")
    body = {**USER, "kind": "consolidate"}
    found = (await ask(client, "POST", "/upkeep", json=body))["results"]
    assert {one.get("agent_id") for one in found} == {None, "work"}
    assert {one["state"] for one in found} == {"done"}
    [first, _] = (await ask(client, "POST", "/upkeep", json={**body, "wait": 0}))["results"]
    assert first["state"] in {"ready", "leased", "done"}


async def test_a_scope_without_memories_has_nothing_to_do(client):
    """That is no error."""
    assert (await ask(client, "POST", "/consolidate", json={"user_id": "nobody"})) == {
        "results": []
    }


@pytest.mark.parametrize(
    ("method", "path", "asked", "told"),
    [
        ("POST", "/consolidate", {"json": {}}, "At least one of"),
        ("POST", "/consolidate", {"json": {**USER, "dry_run": "yes"}}, "dry_run: "),
        ("POST", "/consolidate", {"json": {**USER, "wait": -1}}, "wait: "),
        ("POST", "/consolidate", {"json": {**USER, "kind": "judge"}}, "kind"),
        ("POST", "/upkeep", {"json": USER}, "kind: expected a kind of upkeep"),
        ("POST", "/upkeep", {"json": {**USER, "kind": "tidy"}}, "kind: expected one of"),
        ("POST", "/upkeep", {"json": {**USER, "kind": "learn"}}, "kind: expected one of"),
        ("GET", "/upkeep", {"params": {"kind": "tidy"}}, "kind: expected one of consolidate"),
        ("GET", "/upkeep", {"params": {"limit": "0"}}, "limit: "),
        ("GET", "/upkeep", {"params": {"offset": "-1"}}, "offset: "),
    ],
)
async def test_what_is_wrong_is_named(client, method, path, asked, told):
    """A field that has no such value, or that the operation does not have."""
    status, said = await refused(client, method, path, **asked)
    assert status == 400
    assert told in said


@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("POST", "/undo")])
async def test_a_run_that_is_not_there(client, method, path):
    """Another tenant's or user's is not there either."""
    await add(client, "Likes tea")
    [run] = (await ask(client, "POST", "/consolidate", json=USER))["results"]
    for name, params in (("consolidate:x", {}), (run["id"], {"user_id": "bob"})):
        status, said = await refused(client, method, f"/upkeep/{name}{path}", params=params)
        assert (status, said) == (404, f"there is no run {name!r}")


async def test_what_upkeep_costs_is_told(client, engine):
    """By kind, beside what learning costs; its budget too."""
    today = utc_now().date()
    ledger = engine.engine.parts.state.ledger
    await ledger.spend("local", today, Spent(1, 20, 3))
    await ledger.spend("local", today, Spent(2, 40, 5), kind=JobKind.CONSOLIDATE)
    used = await ask(client, "GET", "/usage")
    assert (used["calls"], used["tokens"]) == (1, 23)
    assert used["upkeep"] == {"calls": 2, "tokens": 45, "daily_tokens": 100_000}
    assert used["kinds"] == {
        "learn": {"calls": 1, "tokens": 23},
        "consolidate": {"calls": 2, "tokens": 45},
    }
    totals = (await ask(client, "GET", "/stats"))["totals"]
    assert (totals["upkeep_tokens"], totals["consolidate_calls"]) == (45, 2)
