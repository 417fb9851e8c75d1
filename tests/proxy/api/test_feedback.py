"""Feedback over HTTP."""

import pytest

from tests.proxy.api.calling import Calling


async def test_feedback_counts():
    """Each request counts, the reason is in the history, and the answer has the counters."""
    async with Calling() as api:
        [tea] = await api.remember("I like tea")
        told = await api.post(f"{tea}/feedback", {"feedback": "negative", "reason": "coffee now"})
        assert told == {"id": tea, "positive": 0, "negative": 1, "standing": -0.3333}
        told = await api.post(f"{tea}/feedback", {"feedback": "positive", "user_id": "alice"})
        assert told == {"id": tea, "positive": 1, "negative": 1, "standing": 0.0}
        reasons = [row.get("reason") for row in await api.get(f"{tea}/history")]
        assert reasons[-2:] == ["negative: coffee now", "positive"]


async def test_feedback_on_what_is_not_there():
    """An unknown id and one of somebody else are answered alike."""
    async with Calling() as api:
        [tea] = await api.remember("I like tea")
        for path, owner_ref in (("no-such-id", {}), (tea, {"user_id": "bob"})):
            status, said = await api.call(
                "POST", f"{path}/feedback", {"feedback": "positive"} | owner_ref
            )
            assert status == 404
            assert path in said["detail"]
        assert (await api.call("GET", f"{tea}/feedback"))[0] == 405


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "feedback"),
        ({"feedback": "good"}, "feedback"),
        ({"feedback": None}, "feedback"),
        ({"feedback": "positive", "reason": 7}, "reason"),
        ({"feedback": "positive", "why": "x"}, "why"),
        (None, "body"),
        ([], ""),
    ],
)
async def test_feedback_that_is_none(body, field):
    """400, and the answer names the field."""
    async with Calling() as api:
        [tea] = await api.remember("I like tea")
        status, said = await api.call("POST", f"{tea}/feedback", body)
        assert status == 400
        assert field in said["detail"]
