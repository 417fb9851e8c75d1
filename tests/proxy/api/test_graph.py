"""Topics over HTTP: read, condensed, and each refusal in the API's words."""

from tests.support.folding import rows
from tests.support.scripted import ScriptedModel

from .calling import Calling
from .serving import detail

URL = "/v1/memories/graph"
USER = {"user_id": "alice"}


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


@rows(
    "method, path, asked, said",
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
