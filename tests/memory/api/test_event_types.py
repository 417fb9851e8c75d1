"""The `type` of an event is that of the memory that is stored, however it came to be."""

from __future__ import annotations

from tests.memory.api.client_parts import build
from tests.memory.learn.doubles import Says
from tests.support.folding import rows
from tests.support.scripted import facts


@rows("infer", [False, True])
@rows("kind", [None, "episodic", "procedural", "reflective"])
async def test_an_event_tells_the_stored_type(infer: bool, kind: str | None) -> None:
    """Whether a call says the type or the model does."""
    async with build(Says(facts("User likes tea", kind="episodic"))) as memory:
        added = await memory.add("I likes tea", user_id="ada", infer=infer, type=kind)
        [event] = added["results"]
        stored = await memory.get(event["id"])
        assert event["type"] == stored["type"]
        assert stored["type"] == (kind or ("episodic" if infer else "semantic"))
