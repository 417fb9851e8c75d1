"""Topics over HTTP: read, condensed, and each refusal in the API's words."""

from .calling import Calling

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
