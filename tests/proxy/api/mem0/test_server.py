"""What mem0's own server answers, below `/mem0`."""

import pytest

from .test_mem0 import ADA, ask, refusal


@pytest.fixture
async def client(serve):
    return await serve()


async def keep(client, text="I like tea", **ids):
    body = {"messages": [{"role": "user", "content": text}], "infer": False, **(ids or ADA)}
    return (await ask(client, "POST", "/mem0/memories", body))["results"][0]["id"]


async def test_a_memory_from_its_beginning_to_its_end(client):
    """As the server of mem0 answers, an unknown id too."""
    known = await keep(client)
    listed = await ask(client, "GET", "/mem0/memories", **ADA)
    assert [row["memory"] for row in listed["results"]] == ["I like tea"]
    assert (await ask(client, "GET", f"/mem0/memories/{known}"))["memory"] == "I like tea"
    assert await ask(client, "GET", "/mem0/memories/nope") is None
    await ask(client, "PUT", f"/mem0/memories/{known}", {"text": "I like coffee"})
    await ask(client, "PUT", f"/mem0/memories/{known}", {"expiration_date": None})
    rows = await ask(client, "GET", f"/mem0/memories/{known}/history")
    assert [row["new_memory"] for row in rows] == ["I like tea", "I like coffee"]
    for body in ({"query": "coffee", **ADA}, {"query": "coffee", "filters": ADA}):
        found = await ask(client, "POST", "/mem0/search", body)
        assert [row["id"] for row in found["results"]] == [known]
    await ask(client, "DELETE", f"/mem0/memories/{known}")
    for change in ({"text": "x"}, {"expiration_date": None}):
        assert (await refusal(client, "PUT", f"/mem0/memories/{known}", change))[0] == 404


async def test_the_configuration_is_a_file(client):
    """It is neither shown nor changed over HTTP."""
    assert (await ask(client, "GET", "/mem0/configure"))["config"] == "[redacted]"
    assert (await refusal(client, "POST", "/mem0/configure", {"llm": {}}))[0] == 400
