import threading
from datetime import UTC, datetime, timedelta, timezone

import pytest

from recollect.memory import (
    AsyncMemory,
    MemoryOptions,
    MemoryStatus,
)
from recollect.memory.embedders import FakeEmbedder, FakeEmbedderOptions
from recollect.memory.model.errors import (
    EmbeddingError,
    InvalidInputError,
    StateError,
    StoreError,
)
from recollect.memory.model.inputs import DEFAULT_LIMIT
from recollect.memory.trust.redact.redactor import Redacted
from tests.memory.api.client_parts import build, keep, keep_each_status, texts
from tests.memory.learn.doubles import NOON, Breaks, Says
from tests.support.folding import rows
from tests.support.memories import InMemoryMemories
from tests.support.scripted import facts
from tests.support.state import InMemoryHistory


@pytest.fixture
async def memory():
    async with build() as memory:
        yield memory


@rows("infer", [True, False])
async def test_texts_are_redacted_away_from_the_loop(infer):
    """However long they are, nobody else waits for it."""
    threads = []

    class Watching:
        def redact(self, text):
            threads.append(threading.current_thread())
            return Redacted(text)

    async with build(Says(facts())) as memory:
        memory._engine._redactor = Watching()
        await memory.add("My number is 4111", user_id="bob", infer=infer)
    assert threads
    assert threading.main_thread() not in threads


async def test_added_again_after_deletion():
    """A fact that was deleted and told again is a new memory."""
    async with build(Says(facts("User is Bob"))) as memory:
        [first] = (await memory.add("I am Bob", user_id="bob"))["results"]
        await memory.delete(first["id"])
        [again] = (await memory.add("I am Bob", user_id="bob"))["results"]
        assert (again["event"], again["id"] != first["id"]) == ("ADD", True)


@rows(
    "part, method, error",
    [
        ("store", "put", StoreError),
        ("history", "append", StateError),
        ("embedder", "embed", EmbeddingError),
    ],
)
async def test_other_failures_are_raised(part, method, error):
    """If a part fails the caller is told, not given an empty result."""
    inner = {
        "store": InMemoryMemories(dim=384),
        "history": InMemoryHistory(),
        "embedder": FakeEmbedder(),
    }
    broken = Breaks(inner[part], method, error("gone"), times=-1)
    async with build(Says(facts("User is Bob")), **{part: broken}) as memory:
        with pytest.raises(error):
            await memory.add("I am Bob", user_id="bob")


@rows(
    "timestamp, shown",
    [
        (NOON, "2026-03-02T12:00:00.000+00:00"),
        (datetime(2026, 3, 2, 12, 0), "2026-03-02T12:00:00.000+00:00"),  # noqa: DTZ001 - naive is UTC
        (NOON.astimezone(timezone(timedelta(hours=5))), "2026-03-02T12:00:00.000+00:00"),
        ("2026-03-02T13:00:00+01:00", "2026-03-02T12:00:00.000+00:00"),
        (NOON.timestamp(), "2026-03-02T12:00:00.000+00:00"),
    ],
)
@rows("infer", [True, False])
async def test_backdating(timestamp, shown, infer):
    """`timestamp` is when it was said: on the memory, and for the model; history is of now."""
    model = Says(facts("User is Bob"))
    async with build(model) as memory:
        before = datetime.now(UTC) - timedelta(seconds=1)
        [event] = (await memory.add("I am Bob", user_id="bob", timestamp=timestamp, infer=infer))[
            "results"
        ]
        item = await memory.get(event["id"])
        assert (item["created_at"], item["updated_at"]) == (shown, shown)
        if infer:
            assert "2026-03-02" in model.heard()
        [row] = await memory.history(event["id"])
        assert datetime.fromisoformat(row["timestamp"]) >= before


async def test_a_tenants_own_model():
    """A tenant can bring its model; without one it is the shared one."""
    shared, own = Says(facts()), Says(facts())
    async with build(shared) as memory:
        await memory.for_tenant("a", own).add("hi", user_id="x")
        assert (len(shared.requests), len(own.requests)) == (0, 1)
        await memory.for_tenant("b").add("hi", user_id="x")
        assert len(shared.requests) == 1


@rows("model", ["gpt-5", "", 7, {"model": "gpt-5"}])
async def test_a_model_that_is_none(memory, model):
    """The name of a model, or an empty one, is refused by the name of the argument, at once."""
    with pytest.raises(InvalidInputError, match="model: expected a ChatModel or None, not"):
        memory.for_tenant("a", model)


async def test_metadata_moves_nothing(memory):
    """Ids, tenant, status and type in metadata are just data."""
    metadata = {"user_id": "bob", "tenant": "other", "status": "quarantined", "id": "m"}
    await memory.add("tea", user_id="alice", infer=False, metadata=metadata)
    [item] = (await memory.get_all(user_id="alice"))["results"]
    assert (item["user_id"], item["status"]) == ("alice", "active")
    assert item["metadata"] == metadata
    assert await texts(memory, user_id="bob") == []
    assert await texts(memory.for_tenant("other")) == []


async def test_default_limit(memory):
    """Without a limit there are at most a hundred."""
    await keep(memory, *[f"tea {n}" for n in range(DEFAULT_LIMIT + 5)])
    assert len(await texts(memory)) == DEFAULT_LIMIT
    assert (
        len((await memory.search("tea", user_id="alice", threshold=0))["results"]) == DEFAULT_LIMIT
    )


async def test_other_statuses_only_when_asked_for(memory):
    """Listings and searches show active memories unless another status is named."""
    await keep_each_status(memory)
    for status in (*MemoryStatus, "quarantined"):
        for found in (
            await memory.get_all(user_id="alice", status=status),
            await memory.search("tea", user_id="alice", status=status),
        ):
            assert [item["status"] for item in found["results"]] == [str(status)]
    assert [item["id"] for item in (await memory.get_all(user_id="alice"))["results"]] == ["active"]
    assert (await memory.get("superseded"))["status"] == "superseded"


async def test_after_close():
    """A closed memory and its views say so, and closing again is no error."""
    memory = await AsyncMemory.open(MemoryOptions(embedder=FakeEmbedderOptions()))
    view = memory.for_tenant("other")
    await memory.close()
    await memory.close()
    for closed in (memory, view):
        for call in (
            closed.search("tea", user_id="alice"),
            closed.get("m"),
            closed.users(),
            closed.reset(),
            closed.forget_all(user_id="alice"),
        ):
            with pytest.raises(RuntimeError, match="memory is closed"):
                await call
