"""What an addition answers if its model fails."""

import json

import pytest

from recollect.memory import ExtractionError
from recollect.memory.model.errors import AddTimeoutError, ModelUnauthorizedError
from recollect.proxy.api.adding import added_or_refused, failed


async def test_a_result_is_passed_on():
    """A model that answers changes nothing."""

    async def added():
        return {"results": []}

    assert await added_or_refused(added()) == {"results": []}


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ExtractionError("nothing could be read"), 503),
        (ModelUnauthorizedError("no"), 503),
        (AddTimeoutError(5.0), 504),
    ],
)
async def test_a_failure_is_never_an_empty_success(error, status):
    """The status tells a slow model from one that fails; the text says what to set."""

    async def raising():
        raise error

    answer = await added_or_refused(raising())
    assert answer.status == failed(error).status == status
    said = json.loads(answer.body)["detail"]
    assert said.startswith("nothing was stored")
    assert error.code in said
    assert "learn.llm" in said
