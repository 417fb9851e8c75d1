"""RequestModel in a query string, and which memories are meant, over HTTP."""

from typing import Annotated
from urllib.parse import urlencode

import pytest

from recollect.memory import InvalidInputError
from recollect.memory.operations.common import Share
from recollect.memory.operations.fields import RequestModel, Text, about, values_of, whole
from recollect.proxy.api.query_fields import REPEATED, query_schemas, read_query
from recollect.proxy.api.tables import ALL


async def listed(client, path="", **params):
    answer = await client.get(f"/v1/memories/{path}", params={"user_id": "alice", **params})
    assert answer.status == 200, await answer.text()
    return await answer.json()


@pytest.fixture
async def filled(client):
    """Four memories, two of them with a tag."""
    for number in range(4):
        body = {
            "messages": f"likes tea number {number}", "user_id": "alice", "infer": False,
            "metadata": {"tag": "work"} if number % 2 else {},
        }  # fmt: skip
        assert (await client.post("/v1/memories/", json=body)).status == 200
    return client


async def test_lists_are_separated_by_commas(filled):
    """Of statuses and types."""
    assert len((await listed(filled, statuses="active,archived"))["results"]) == 4
    assert (await listed(filled, types="episodic, procedural"))["results"] == []
    assert (await listed(filled, as_of="2001-01-01"))["results"] == []


class SomeQuery(RequestModel):
    """For the test below."""

    limit: int = whole("", high=9, default=3)
    threshold: Share | None = about("")
    all: bool = about("", default=False)
    q: Text | None = about("")
    names: Annotated[list[str], REPEATED] = about("")


def test_texts_of_a_query():
    """Numbers are what JSON would write; nothing that Python alone reads as one."""
    said = "limit=5&threshold=-0.5e0&all=true&q=5&names=a,b&names=c"
    assert read_query(SomeQuery, said, {}) == {
        "limit": 5, "threshold": -0.5, "all": True, "q": "5", "names": ["a,b", "c"],
    }  # fmt: skip
    wrong = {
        "limit": ("5.5", "many", "", " 5", "+5", "1_0", "\u0665", "9" * 5000, "0x5", "NaN"),
        "threshold": ("high", "", "nan", "inf", "1e4000", "1_0", "\u0665", "--1"),
        "all": ("True", "1", "", "yes"),
    }
    for name, texts in wrong.items():
        for text in texts:
            with pytest.raises(InvalidInputError) as caught:
                values_of(SomeQuery, read_query(SomeQuery, urlencode({name: text}), {}))
            assert caught.value.field == name


def test_a_query_is_described_as_it_is_written():
    """It has no `null`, a list is a text with commas, and an object is a text as JSON."""
    told = query_schemas(next(each.query for each in ALL if each.id == "get_all"), {})
    assert told["user_id"] == {
        "type": "string", "minLength": 1, "maxLength": 256, "description": "The user.",
    }  # fmt: skip
    assert told["statuses"]["description"].endswith("statuses. Separated by commas.")
    assert told["filters"]["description"].endswith("As JSON.")
    assert told["filters"]["type"] == told["types"]["type"] == "string"
    assert query_schemas(SomeQuery, {})["names"]["type"] == "array"
