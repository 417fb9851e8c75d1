"""Many calls of `add` at once."""

import asyncio

import pytest

from recollect.memory import InvalidInputError, StoreError
from recollect.memory.api.batches import MAX_REQUESTS, add_all
from tests.memory.api.client_parts import build
from tests.support.folding import rows


def said(text, **more):
    return {"messages": text, "user_id": "alice", "infer": False, **more}


async def test_each_request_has_its_result():
    """In order; what fails says why and stops no other."""
    async with build() as memory:
        done = await memory.add_batch(
            [said("likes tea"), said("", user_id=None), said("x", colour=1), said("owns a boat")]
        )
        assert (done["succeeded"], done["failed"]) == (2, 2)
        assert [item["index"] for item in done["results"]] == [0, 1, 2, 3]
        assert [item.get("error", {}).get("code") for item in done["results"]] == [
            None, "scope_required", "invalid_input", None,
        ]  # fmt: skip
        assert "colour" in done["results"][2]["error"]["message"]
        assert await memory.count(user_id="alice") == {"count": 2}


async def test_no_more_run_at_a_time_than_asked_for():
    """And a failing part is one request's business."""
    running, most = 0, 0

    async def add(messages, **_options):
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        if messages == "fails":
            raise StoreError("gone")
        return {"results": []}

    requests = [{"messages": "x"} for _ in range(20)] + [{"messages": "fails"}]
    done = await add_all(add, requests, concurrency=3)
    assert most == 3
    assert (done["succeeded"], done["failed"]) == (20, 1)


async def test_a_defect_is_no_wrong_input():
    """A TypeError from inside is raised; nobody is told that his request was wrong."""

    async def add(messages):
        return len(messages) + "1"

    with pytest.raises(TypeError, match="unsupported operand"):
        await add_all(add, [{"messages": "x"}], concurrency=1)


async def test_an_argument_that_add_does_not_have_is_named():
    """With the one that was probably meant; nothing of the request is added."""
    async with build() as memory:
        done = await memory.add_batch([said("likes tea", meta_data={"a": 1})])
        assert done["results"][0]["error"]["code"] == "invalid_input"
        assert "meta_data: is no argument of add; did you mean 'metadata'?" in str(done)
        assert await memory.count(user_id="alice") == {"count": 0}


@rows(
    "requests, concurrency, field",
    [
        ("x", 5, "requests"),
        ([1], 5, "requests[0]"),
        ([{"user_id": "a"}], 5, "requests[0].messages"),
        ([{"messages": "x"}] * (MAX_REQUESTS + 1), 5, "requests"),
        ([], 0, "concurrency"),
        ([], True, "concurrency"),
    ],
)
async def test_bad_batches_are_refused_as_a_whole(requests, concurrency, field):
    """Before anything is added."""
    async with build() as memory:
        with pytest.raises(InvalidInputError) as refused:
            await memory.add_batch(requests, concurrency=concurrency)
        assert refused.value.field == field
