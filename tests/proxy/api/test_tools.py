"""The tools of agents over REST."""

from __future__ import annotations

from typing import Any

from tests.support.folding import rows

URL = "/v1/memories/tools"


async def call(client: Any, name: str, arguments: Any, **body: Any) -> tuple[int, Any]:
    asked = {"user_id": "ada", "arguments": arguments} | body
    answer = await client.post(f"{URL}/{name}", json=asked)
    return answer.status, await answer.json()


async def test_a_tool_is_called(client: Any) -> None:
    """Its answer is the answer of the request."""
    status, told = await call(client, "fact_remember", {"text": "The release is on Friday."})
    assert (status, told["event"]) == (200, "ADD")
    status, found = await call(client, "fact_search", {"query": "When is the release?"})
    assert [each["id"] for each in found["facts"]] == [told["id"]]
    status, read = await call(client, "profile_read", {})
    assert (status, read) == (200, {"profile": []})


@rows(
    "name, body, status, said",
    [
        ("fact_search", {}, 400, "arguments: query: Field required"),
        (
            "fact_search",
            {"query": "x", "user_id": "bob"},
            400,
            "arguments: user_id: is no argument",
        ),
        ("fact_search", {"query": "x", "limit": "9"}, 400, "arguments: limit: "),
        ("fact_search", [], 400, "arguments: expected an object"),
        ("fact_history", {"id": "nope"}, 404, "nope"),
        ("block_append", {"label": "nope", "text": "x"}, 404, "nope"),
        ("fact_validate", {"id": "nope"}, 404, "is not offered"),
        ("rm", {}, 404, "there is nothing"),
    ],
)
async def test_a_mistake_has_its_status(
    client: Any, name: str, body: Any, status: int, said: str
) -> None:
    """As everywhere in the API, with the argument by its name."""
    found, told = await call(client, name, body)
    assert found == status
    assert said in told["detail"]


async def test_a_scope_is_needed(client: Any) -> None:
    """A tool is of one scope, whatever its arguments say."""
    answer = await client.post(f"{URL}/fact_search", json={"arguments": {"query": "x"}})
    assert answer.status == 400
    assert "user_id" in (await answer.json())["detail"]
