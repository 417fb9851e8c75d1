"""Entities, relations and merges over HTTP, on a graph that is written by hand."""

from urllib.parse import quote

import pytest

from recollect.memory import AsyncMemory, StateError
from recollect.memory.model.owner import Owner
from recollect.proxy.access.rights import Grant
from tests.support.folding import rows
from tests.support.linked import GraphByHand, graphed, speaks

from .serving import add, detail
from .test_dispatch import granted

URL = "/v1/entities"
USER = {"user_id": "alice"}
WORKS = (("Alice", "works_at", "Google"),)


@pytest.fixture
def memory(engine):
    return AsyncMemory(engine.engine)


@pytest.fixture
def graph(memory):
    return graphed(memory)


async def ask(client, method, path="", **asked):
    answer = await client.request(method, URL + path, **asked)
    assert answer.status == 200, await answer.text()
    return await answer.json()


def names(found):
    return [one["name"] for one in found["results"]]


async def refused(client, method, path="", **asked):
    return await detail(await client.request(method, URL + path, **asked))


async def test_listed_and_connected(client, memory, graph):
    """By GET and by POST, with the scope in the query or in the body, and each with its slash."""
    name = await speaks(
        memory, graph, "Alice works at Google", "Alice", "Google:organization", relations=WORKS
    )
    await speaks(memory, graph, "Alice likes tea", "Alice")
    listed = await ask(client, "GET", params=USER)
    assert [(one["name"], one["type"], one["memories"]) for one in listed["results"]] == [
        ("Alice", "person", 2),
        ("Google", "organization", 1),
    ]
    assert await ask(client, "GET", "/", params=USER) == listed
    assert await ask(client, "POST", "/", json=USER) == listed
    assert await ask(client, "POST", "/", params=USER) == listed
    asked = {**USER, "type": "organization", "limit": 1, "name": "google"}
    assert names(await ask(client, "POST", json=asked)) == ["Google"]
    assert names(await ask(client, "GET", params=asked)) == ["Google"]
    first = await ask(client, "GET", params={**USER, "limit": 1})
    assert (names(first), first["more"]) == (["Alice"], True)
    rest = await ask(client, "GET", params={**USER, "limit": 1, "offset": 1})
    assert (names(rest), rest["more"]) == (["Google"], False)
    [one] = (await ask(client, "GET", "/alice/", params=USER))["results"]
    assert one == listed["results"][0]
    for path in ("/Alice/relations/", f"/{one['id']}/relations", "/google/relations"):
        [said] = (await ask(client, "GET", path, params=USER))["results"]
        assert (said["source"], said["relation"], said["target"]) == WORKS[0]
        assert (said["memory_id"], said["quote"]) == (name, "Alice works at Google")
    other = {**USER, "relation": "lives_in"}
    assert (await ask(client, "GET", "/Alice/relations", params=other))["results"] == []


async def test_who_has_memories_is_asked_elsewhere(client, graph):
    """Without a scope the path is mem0's, page by page; users have a path of their own."""
    await add(client, "green tea", user_id="alice", agent_id="helper")
    listed = await ask(client, "GET")
    assert (listed["count"], names(listed)) == (2, ["alice", "helper"])
    page = await ask(client, "GET", params={"page": 2, "page_size": 1, "org_id": "local"})
    assert names(page) == ["helper"]
    users = await client.get("/v1/memories/users/")
    assert names(await users.json()) == ["alice", "helper"]
    assert await refused(client, "GET", params={**USER, "page": 2}) == (
        400,
        "page: entities of a scope take limit and offset",
    )
    status, told = await refused(client, "GET", params={"name": "Anna"})
    assert (status, "user_id" in told) == (400, True)


@rows("name", ["O'Neil/Smith", "Анна Каренина", "安娜", "a%2Fb", "100%", "merges and more", ".a"])
async def test_any_name_in_a_path(name, client, memory, graph):
    """Encoded as one segment: a slash, a percent sign, any script."""
    await speaks(memory, graph, f"{name} likes tea", name)
    path = f"/{quote(name, safe='')}"
    assert name in names(await ask(client, "GET", path, params=USER))
    assert (await ask(client, "GET", f"{path}/relations", params=USER))["results"] == []


PATHS = {
    ("GET", ""): {"params": USER},
    ("POST", ""): {"json": USER},
    ("GET", "/Anna"): {"params": USER},
    ("GET", "/Anna/relations"): {"params": USER},
    ("GET", "/merges"): {},
    ("POST", "/merges"): {"json": {**USER, "entity": "a", "same_as": "b"}},
    ("POST", "/merges/1/undo"): {},
    ("GET", "/check"): {},
    ("POST", "/rebuild"): {},
}


class FailingGraph(GraphByHand):
    """Answers nothing."""

    async def caught_up(self):
        raise StateError("/var/secret/recollect.db: disk I/O error")

    async def rebuild(self, owner_ref=None):
        return await self.caught_up()


async def test_a_graph_that_is_off_or_down(client, memory):
    """503 that names the graph, and no path of a file; memories are kept and found all the same."""
    memory._engine.graph, memory._engine.queries.spoken_of = None, None
    for (method, path), asked in PATHS.items():
        told = await refused(client, method, path, **asked)
        assert told == (503, "graph_unavailable: the graph is off: graph.enabled is false")
    failing = graphed(memory, FailingGraph())
    await failing.store.scripts.close()
    for (method, path), asked in PATHS.items():
        told = await refused(client, method, path, **asked)
        assert told == (503, "graph_unavailable: the graph does not answer at the moment")
    assert await add(client, "green tea", user_id="alice")
    assert (await client.get("/v1/memories", params=USER)).status == 200


async def test_no_name_is_on_record(client, memory, graph, tmp_path, monkeypatch):
    """An operator's look at an entity is in the audit log, without the name, which is a text."""
    await speaks(memory, graph, "Anna likes tea", "Anna")
    granted(monkeypatch, Grant(Owner("local"), who="admin ann", administers=True))
    assert names(await ask(client, "GET", "/Anna", params=USER)) == ["Anna"]
    recorded = (tmp_path / "audit.jsonl").read_text("utf-8")
    assert "get_entity" in recorded
    assert "Anna" not in recorded
