"""What mem0's own server answers, below `/mem0`."""

import pytest

from recollect.config.server import ApiOptions
from tests.proxy.api.serving import detail

from .test_mem0 import ADA, ask, refusal


@pytest.fixture
async def client(serve):
    return await serve(api={"mem0_server": True})


async def keep(client, text="I like tea", **ids):
    body = {"messages": [{"role": "user", "content": text}], "infer": False, **(ids or ADA)}
    return (await ask(client, "POST", "/mem0/memories", body))["results"][0]["id"]


async def test_it_is_off_unless_switched_on(serve):
    """The 404 says how."""
    assert ApiOptions().mem0_server is False
    status, told = await detail(await (await serve()).get("/mem0/memories?user_id=ada"))
    assert (status, "api.mem0_server" in told) == (404, True)


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


async def test_a_scope_must_be_named(client):
    """For an addition, a list and a deletion; nothing is removed otherwise."""
    await keep(client)
    for method, body in (
        ("POST", {"messages": "x", "infer": False}),
        ("GET", None),
        ("DELETE", None),
    ):
        assert (await refusal(client, method, "/mem0/memories", body))[0] == 400
    assert len((await ask(client, "GET", "/mem0/memories", **ADA))["results"]) == 1
    await ask(client, "DELETE", "/mem0/memories", **ADA)
    assert (await ask(client, "GET", "/mem0/memories", **ADA))["results"] == []


async def test_entities_and_a_reset(client):
    """A bare array; one is removed by its name, all of them by the reset."""
    for user in ("ada", "bob", "eve"):
        await keep(client, user_id=user)
    await ask(client, "DELETE", "/mem0/entities/user/ada")
    rows = await ask(client, "GET", "/mem0/entities")
    assert [(row["id"], row["type"]) for row in rows] == [("bob", "user"), ("eve", "user")]
    await ask(client, "POST", "/mem0/reset")
    assert await ask(client, "GET", "/mem0/entities") == []


async def test_the_configuration_is_a_file(client):
    """It is neither shown nor changed over HTTP."""
    assert (await ask(client, "GET", "/mem0/configure"))["config"] == "[redacted]"
    assert (await refusal(client, "POST", "/mem0/configure", {"llm": {}}))[0] == 400


async def test_a_failure_of_the_model_is_an_error(client):
    """Not an empty success."""
    body = {"messages": "I like tea", **ADA}
    status, told = await refusal(client, "POST", "/mem0/memories", body)
    assert (status, "learn.llm" in told) == (503, True)
