"""A search that goes on until it is enough, over REST."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.scripted import ScriptedModel

from .serving import add

URL = "/v1/memories/deep-recall"
HARD = "Where does Zoe live? And since when?"


async def ask(client: Any, **body: Any) -> tuple[int, Any]:
    answer = await client.post(URL, json={"user_id": "alice", **body})
    return answer.status, await answer.json()


async def test_the_answer_is_that_of_the_library(serve: Any) -> None:
    """With the model's grade; a simple look-up needs none."""
    grade = {"grounds": [1], "enough": False, "missing": "since when", "queries": []}
    async with ScriptedModel(json.dumps(grade)) as model:
        client = await serve(model=model.base_url)
        await add(client, "Zoe lives in Bergen")
        status, found = await ask(client, question=HARD)
        assert (status, found["abstained"], found["reason"]) == (200, True, "nothing_new")
        assert (found["missing"], found["calls"]) == ("since when", 1)
        assert [each["memory"] for each in found["results"]] == ["Zoe lives in Bergen"]
        status, found = await ask(client, question="Where does Zoe live?")
        assert (status, found["abstained"], found["calls"]) == (200, False, 0)


async def test_without_a_model_it_abstains(client: Any) -> None:
    """Memory never guesses, and a chat's model that is not there is no failure of the server."""
    await add(client, "Zoe lives in Bergen")
    status, found = await ask(client, question=HARD)
    assert (status, found["abstained"], found["reason"]) == (200, True, "model_failed")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "question: "),
        ({"question": ""}, "question: "),
        ({"question": 7}, "question: "),
        ({"question": "x", "rounds": 6}, "rounds: "),
        ({"question": "x", "max_iterations": 0}, "max_iterations: "),
        ({"question": "x", "max_iterations": 1, "rounds": 2}, "rounds: "),
        ({"question": "x", "tokens": 0}, "tokens: "),
        ({"question": "x", "seconds": 999}, "seconds: "),
        ({"question": "x", "limit": 5}, "limit: "),
        ({"question": "x", "user_id": None}, "user_id"),
    ],
)
async def test_a_mistake_is_named(client: Any, body: dict[str, Any], said: str) -> None:
    """Before anything is searched."""
    status, told = await ask(client, **body)
    assert status == 400
    assert said in told["detail"]
