"""Many additions at once."""

import asyncio

import pytest

from recollect.memory import StoreError
from recollect.memory.api.adding import Addition
from recollect.memory.api.batches import add_all


async def test_no_more_run_at_a_time_than_asked_for():
    """And a failing part is one request's business."""
    running, most = 0, 0

    async def stored():
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return {"results": []}

    async def prepared(request):
        if request["messages"] == "fails":
            raise StoreError("gone")
        return Addition(stored, [request["messages"]])

    async def embed(texts):
        together.append(texts)

    together = []
    requests = [{"messages": "fails"}, *({"messages": str(each)} for each in range(20))]
    done = await add_all(prepared, embed, requests, concurrency=3)
    assert most == 3
    assert (done["succeeded"], done["failed"]) == (20, 1)
    assert done["results"][0]["error"]["message"] == "gone"
    assert together == [[str(each) for each in range(20)]]


async def test_a_defect_is_no_wrong_input():
    """A TypeError from inside is raised; nobody is told that his request was wrong."""

    async def prepared(request):
        return len(request["messages"]) + "1"

    with pytest.raises(TypeError, match="unsupported operand"):
        await add_all(prepared, None, [{"messages": "x"}], concurrency=1)
