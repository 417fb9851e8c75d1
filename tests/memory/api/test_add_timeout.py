"""The time that one `add` may take. `test_client` and `test_adding` have what else it does."""

import asyncio
import socket

import pytest

from recollect.memory import AddTimeoutError, InvalidInputError, Memory, ModelError
from recollect.memory.model.errors import ModelTimeoutError
from recollect.memory.model.types import ChatReply
from tests.memory.api.client_parts import build, texts
from tests.memory.api.test_adding import run
from tests.memory.learn.doubles import Says
from tests.support.clock import skipping
from tests.support.folding import rows
from tests.support.memories import InMemoryMemories
from tests.support.scripted import facts
from tests.support.waiting import HANG_SECONDS

STATED = '{"not_stated": []}'


class Slow:
    """A model that answers with its lines, and then never."""

    def __init__(self, *lines):
        self.lines, self.asked = list(lines), 0

    async def complete(self, request):
        self.asked += 1
        if not self.lines:
            await asyncio.Event().wait()
        return ChatReply(text=self.lines.pop(0), model="slow")

    async def close(self):
        pass


@rows("lines", [(), ("not readable",), ("not readable", "nor this")])
async def test_all_calls_of_an_addition_share_its_time(lines):
    """However many there were before it is over: an error that says so, and nothing is stored."""
    async with build(Slow(*lines)) as memory:
        with pytest.raises(
            AddTimeoutError, match=r"within 0.2 s.*`timeout`.*learn\.llm\.timeout_seconds"
        ):
            await memory.add("I like tea", user_id="alice", timeout=0.2)
        assert await texts(memory) == []
        assert issubclass(AddTimeoutError, ModelError)


async def test_a_write_that_has_begun_is_finished():
    """Longer than the limit: half of an addition is never stored."""

    class Late(InMemoryMemories):
        async def put(self, memories):
            skip(2 * HANG_SECONDS)  # a transaction awaits nothing but its database
            await super().put(memories)

    model = Slow(facts(), facts("User likes tea"), STATED)
    with skipping() as skip:
        async with build(model, store=Late(dim=384)) as memory:
            await memory.add("Hello", user_id="alice")  # loads what extraction needs
            added = await memory.add("I like tea", user_id="alice", timeout=HANG_SECONDS)
            assert [event["event"] for event in added["results"]] == ["ADD"]
            assert await texts(memory) == ["User likes tea"]


async def test_facts_that_are_undecided_when_the_time_is_over_are_stored():
    """The model told facts, and then nothing more about them: they are kept beside."""
    model = Says(
        *(facts("User's cat is Tom"), STATED, facts("User's cat is Ben"), AddTimeoutError(5))
    )
    async with build(model) as memory:
        await memory.add("My cat is Tom", user_id="alice")
        added = await memory.add("My cat is Ben", user_id="alice")
        # Two for the first; then what extracts, what verifies, and what asks about the change.
        assert len(model.requests) == 5
        assert [event["event"] for event in added["results"]] == ["ADD"]


async def test_a_timeout_of_the_model_itself_is_its_own():
    """The model that gave up a call before the limit says so itself."""

    class GaveUp(Slow):
        async def complete(self, request):
            raise ModelTimeoutError("no answer in time")

    async with build(GaveUp()) as memory:
        with pytest.raises(ModelTimeoutError, match="no answer in time"):
            await memory.add("I like tea", user_id="alice", timeout=30)


async def test_cancelling_is_no_timeout():
    """A caller that goes away is not told about limits."""
    async with build(Slow()) as memory:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await memory.add("I like tea", user_id="alice", timeout=30)


@rows("wrong", [0, -1, True, "5", float("nan"), float("inf"), 10**400])
async def test_what_is_no_time_is_refused(wrong):
    """By name, before the model is asked."""
    model = Slow()
    async with build(model) as memory:
        for add in (memory.add("x", user_id="a", timeout=wrong),
                    memory.add_procedure(run(), user_id="a", timeout=wrong)):  # fmt: skip
            with pytest.raises(InvalidInputError, match="timeout"):
                await add
    assert model.asked == 0


def test_without_a_limit_there_is_one(monkeypatch):
    """A blocking caller comes back."""
    monkeypatch.setattr("recollect.memory.learn.options.ADD_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        llm = {"base_url": f"http://127.0.0.1:{silent.getsockname()[1]}/v1"}
        given = {"embedder": {"backend": "fake"}, "llm": llm}
        with Memory(given) as memory, pytest.raises(AddTimeoutError, match=r"0\.2 s"):
            memory.add("I like tea", user_id="alice")
