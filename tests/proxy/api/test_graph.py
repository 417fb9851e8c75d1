"""Topics over HTTP: read, condensed, and each refusal in the API's words."""

import pytest

from tests.support.scripted import ScriptedModel

from .calling import Calling
from .serving import add, detail

URL = "/v1/memories/graph"
USER = {"user_id": "alice"}
TEA = ("Likes green tea", "Likes black tea")


async def ask(client, method, path, status=200, **asked):
    answer = await client.request(method, URL + path, **asked)
    assert answer.status == status, await answer.text()
    return await answer.json()


async def test_topics_are_read(client):
    """Each memory once; where nothing was measured of the embedder, each by itself, and said."""
    for text in TEA:
        await add(client, text)
    await add(client, "Likes milk", user_id="bob")
    graph = await ask(client, "GET", "", params={**USER, "min_members": 1})
    assert sorted(topic["members"][0]["memory"] for topic in graph["topics"]) == sorted(TEA)
    assert [graph[name] for name in ("count", "memories", "alone", "edges", "more")] == [
        2, 2, 2, [], False,
    ]  # fmt: skip
    first = await ask(client, "GET", "", params={**USER, "min_members": 1, "limit": 1})
    last = await ask(client, "GET", "", params={**USER, "min_members": 1, "limit": 1, "offset": 1})
    assert first["topics"] + last["topics"] == graph["topics"]
    assert (await ask(client, "GET", "", params={"user_id": "nobody"}))["topics"] == []


async def test_duplicates_are_merged(client):
    """Dry or not, as `consolidate` does."""
    for text in ("Likes tea", "likes TEA"):
        await add(client, text)
    for dry in (True, False):
        [run] = (await ask(client, "POST", "/dedupe", json={**USER, "dry_run": dry}))["results"]
        assert run["figures"]["merged"] == 1
    [left] = (await (await client.get("/v1/memories/", params=USER)).json())["results"]
    assert left["memory"] == "Likes tea"


async def test_without_a_model_it_is_said_and_nothing_waits():
    """503 with the setting."""
    async with Calling() as api:
        status, said = await api.call("POST", "graph/abstract", {"topic": "x", **USER})
        assert status == 503
        assert "no_model" in said["detail"]
        assert "learn.llm" in said["detail"]
        assert (await api.call("GET", "upkeep?user_id=alice"))[1]["results"] == []


async def test_an_unknown_topic_is_not_found():
    """In the words of the API; another user's is as unknown."""
    async with ScriptedModel("no answer") as model, Calling(model.base_url) as api:
        status, said = await api.call("POST", "graph/abstract", {"topic": "none", **USER})
        assert (status, said) == (404, {"detail": "there is no topic 'none'"})


@pytest.mark.parametrize(
    ("method", "path", "asked", "said"),
    [
        ("GET", "", {}, "At least one of"),
        ("GET", "", {"params": {**USER, "limit": 201}}, "limit: "),
        ("GET", "", {"params": {**USER, "min_members": 0}}, "min_members: "),
        ("GET", "", {"params": {**USER, "offset": "x"}}, "offset: "),
        ("POST", "/abstract", {"json": USER}, "topic"),
        ("POST", "/abstract", {"json": {"topic": 1, **USER}}, "topic: "),
        ("POST", "/abstract", {"json": {"topic": "x"}}, "At least one of"),
        ("POST", "/dedupe", {"json": {**USER, "wait": -1}}, "wait: "),
    ],
)
async def test_refusals_name_the_field(client, method, path, asked, said):
    """400, and nothing is done."""
    status, told = await detail(await client.request(method, URL + path, **asked))
    assert status == 400
    assert said in told
