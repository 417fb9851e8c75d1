"""AsyncMemory: update, delete, history, reset."""

import pytest

from recollect.memory import (
    InvalidInputError,
    MemoryStatus,
    NotFoundError,
)
from recollect.memory.model.inputs import DEFAULT_LIMIT, MAX_TEXT_CHARS
from recollect.memory.model.types import text_hash
from tests.memory.api.client_parts import build, keep, keep_each_status, texts
from tests.memory.learn.doubles import NOON

SCOPE_TEXT = "At least one of user_id, agent_id, or run_id must be provided"


@pytest.fixture
async def memory():
    async with build() as memory:
        yield memory


class TestChanging:
    async def test_update(self, memory):
        """The text, its hash and its time change; id, scope, metadata and creation stay."""
        [event] = (
            await memory.add("tea", user_id="alice", infer=False, metadata={"a": 1}, timestamp=NOON)
        )["results"]
        before = await memory.get(event["id"])
        after = await memory.update(event["id"], "coffee")
        assert after == await memory.get(event["id"])
        assert (after["memory"], after["hash"]) == ("coffee", text_hash("coffee"))
        assert after["updated_at"] > before["updated_at"]
        same = ("id", "created_at", "user_id", "metadata", "type", "status")
        assert [after[key] for key in same] == [before[key] for key in same]

    async def test_update_embeds_anew(self, memory):
        """The memory is found by what it says now, and no longer by what it said."""
        [name, _] = await keep(memory, "green tea", "a red car")
        await memory.update(name, "mountain bike")

        async def best(query):
            return (await memory.search(query, user_id="alice", limit=1))["results"][0]["memory"]

        assert await best("mountain bike") == "mountain bike"
        found = (await memory.search("green tea", user_id="alice", threshold=0.5))["results"]
        assert found == []

    @pytest.mark.parametrize("text", ["", " ", None, 7, "x" * (MAX_TEXT_CHARS + 1), "\udfff"])
    async def test_bad_updates(self, memory, text):
        """A bad text is refused and leaves memory and history alone."""
        [name] = await keep(memory, "tea")
        with pytest.raises(InvalidInputError) as caught:
            await memory.update(name, text)
        assert caught.value.field == "text"
        assert len(await memory.history(name)) == 1

    async def test_not_found(self, memory):
        """Updating or deleting what is not there is a NotFoundError that names the id."""
        with pytest.raises(NotFoundError, match="no-such-id"):
            await memory.update("no-such-id", "x")
        with pytest.raises(NotFoundError, match="no-such-id"):
            await memory.delete("no-such-id")
        [name] = await keep(memory, "tea")
        await memory.delete(name)
        with pytest.raises(NotFoundError):
            await memory.delete(name)

    async def test_delete_all_covers_everything_of_the_scope(self, memory):
        """More memories than any listing shows, whatever their status, and nobody else's."""
        names = await keep(memory, *[f"tea {n}" for n in range(DEFAULT_LIMIT + 50)])
        await keep(memory, "narrow", user_id="alice", agent_id="helper")
        await keep(memory, "other", user_id="bob")
        assert await memory.delete_all(user_id="alice") == {"deleted": DEFAULT_LIMIT + 51}
        assert await texts(memory) == []
        assert await texts(memory, user_id="bob") == ["other"]
        for name in names:
            assert [row["event"] for row in await memory.history(name)] == ["ADD", "DELETE"]
        assert await memory.delete_all(user_id="alice") == {"deleted": 0}

    async def test_delete_all_deletes_what_is_not_shown(self, memory):
        """Quarantined and superseded memories go with the others."""
        await keep_each_status(memory)
        assert await memory.delete_all(user_id="alice") == {"deleted": len(MemoryStatus)}
        for status in MemoryStatus:
            assert await memory.get(status.value) is None

    async def test_delete_all_of_a_narrow_scope(self, memory):
        """Only what matches every given id goes."""
        await keep(memory, "wide", user_id="alice")
        await keep(memory, "narrow", user_id="alice", agent_id="helper")
        await memory.delete_all(user_id="alice", agent_id="helper")
        assert await texts(memory) == ["wide"]


async def test_metadata_is_merged_key_by_key():
    """What is not named stays, and None removes; the text and its vector stay."""
    async with build() as memory:
        [event] = (
            await memory.add(
                "likes tea", user_id="alice", infer=False, metadata={"a": 1, "b": 2},
                type="episodic", importance=0.9,
            )
        )["results"]  # fmt: skip
        kept = await memory.get(event["id"])
        assert (kept["type"], kept["importance"]) == ("episodic", 0.9)
        changed = await memory.update(event["id"], metadata={"b": None, "c": 3}, importance=0.1)
        assert (changed["memory"], changed["metadata"]) == ("likes tea", {"a": 1, "c": 3})
        assert (changed["importance"], changed["version"]) == (0.1, kept["version"] + 1)
        assert [one["event"] for one in await memory.history(event["id"])] == ["ADD", "UPDATE"]
        [was] = (await memory.get_all(user_id="alice", statuses=["superseded"]))["results"]
        assert (was["metadata"], was["importance"]) == ({"a": 1, "b": 2}, 0.9)
        both = await memory.update(event["id"], "likes coffee", metadata={"a": 4})
        assert (both["memory"], both["metadata"]) == ("likes coffee", {"a": 4, "c": 3})
        with pytest.raises(InvalidInputError, match="text"):
            await memory.update(event["id"])
        with pytest.raises(InvalidInputError, match="importance"):
            await memory.update(event["id"], importance=2)
        with pytest.raises(InvalidInputError, match="type"):
            await memory.add("x", user_id="alice", infer=False, type="semantics")
