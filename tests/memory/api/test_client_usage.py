"""`AsyncMemory` tells how often memories were recalled, and takes feedback."""

from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory import InvalidInputError, NotFoundError
from recollect.memory.engine.options import EngineOptions
from recollect.memory.model.types import utc_now
from recollect.memory.model.usage import UseKind
from tests.memory.api.client_parts import build, keep
from tests.memory.state.samples import NOON, turn
from tests.support.constants import recalling
from tests.support.folding import rows


async def recalled(memory, name, *ids):
    state = memory._engine.parts.state
    await state.conversations.record(turn(name, recalled=ids))
    await memory._engine.background.count_recalls()


async def test_recalls_are_told():
    """`get` and `get_all` tell in how many turns a memory was recalled, and when last."""
    async with build() as memory:
        tea, boat = await keep(memory, "I like tea", "I own a boat")
        await recalled(memory, "a", tea)
        await recalled(memory, "b", tea, boat)
        await recalled(memory, "b", tea, boat)
        found = await memory.get(tea)
        assert (found["access_count"], found["last_accessed_at"]) == (
            2, NOON.isoformat(timespec="milliseconds"),
        )  # fmt: skip
        listed = (await memory.get_all(user_id="alice", kinds=["memory"]))["results"]
        assert {each["id"]: each["access_count"] for each in listed} == {tea: 2, boat: 1}


async def test_feedback_is_counted_and_kept():
    """Each call counts; its reason is in the history, without secrets."""
    async with build() as memory:
        [tea] = await keep(memory, "I like tea")
        secret = "sk-proj-" + "a1B2c3D4e5" * 5
        told = await memory.feedback(tea, "negative", reason=f"my key is {secret}")
        assert told == {"id": tea, "positive": 0, "negative": 1}
        await memory.feedback(tea, "positive", user_id="alice")
        assert await memory.feedback(tea, "positive") == {"id": tea, "positive": 2, "negative": 1}
        rows = [row for row in await memory.history(tea) if row.get("stage") == "feedback"]
        assert [row["reason"].split(":")[0] for row in rows] == ["negative", "positive", "positive"]
        assert secret not in str(rows)
        assert (await memory.get(tea))["version"] == 1


async def test_feedback_on_what_is_not_there():
    """Unknown, forgotten and other people's memories do not exist."""
    async with build() as memory:
        [tea] = await keep(memory, "I like tea")
        for name, owner_ref in (("nope", {}), (tea, {"user_id": "bob"})):
            with pytest.raises(NotFoundError):
                await memory.feedback(name, "positive", **owner_ref)
        with pytest.raises(NotFoundError):
            await memory.for_tenant("other").feedback(tea, "positive")
        await memory.forget(tea)
        with pytest.raises(NotFoundError):
            await memory.feedback(tea, "positive")


@rows(
    "given, reason, field",
    [
        ("good", None, "feedback"),
        ("recalled", None, "feedback"),
        (1, None, "feedback"),
        (None, None, "feedback"),
        ("positive", 1, "reason"),
        ("positive", "x" * 2001, "reason"),
        ("positive", "\ud800", "reason"),
    ],
)
async def test_feedback_that_is_none(given, reason, field):
    """The error names the field, and nothing is counted."""
    async with build() as memory:
        [tea] = await keep(memory, "I like tea")
        with pytest.raises(InvalidInputError, match=field):
            await memory.feedback(tea, given, reason=reason)
        assert await memory._engine.parts.state.usage.of("local", [tea]) == {}


@rows("end", ["delete", "forget", "delete_all", "forget_all", "reset"])
async def test_counters_end_with_their_memory(end):
    """Whichever way it goes, and nothing that comes later counts for it."""
    async with build() as memory:
        [tea] = await keep(memory, "I like tea")
        await memory.feedback(tea, "positive")
        await recalled(memory, "a", tea)
        usage = memory._engine.parts.state.usage
        assert (await usage.of("local", [tea]))[tea].recalled == 1
        call = getattr(memory, end)
        await (call(tea) if end in {"delete", "forget"} else
               call() if end == "reset" else call(user_id="alice"))  # fmt: skip
        assert await usage.of("local", [tea]) == {}
        await recalled(memory, "b", tea)
        await usage.count("local", UseKind.CONFIRMED, [tea], occasion="j", at=NOON)
        assert await usage.of("local", [tea]) == {}


async def test_what_is_recalled_fades_more_slowly():
    """Of two memories that are equal but for their use, the one in use is ranked first."""
    # Without neighbours: they would make a difference between the two.
    apart = EngineOptions(recall=recalling(neighbours=0.0))
    for used in (0, 1):
        async with build(options=apart) as memory:
            scope = {"user_id": "alice"}
            ids = []
            for _ in range(2):
                said = [{"role": "user", "content": "I like green tea"}]
                long_ago = utc_now() - timedelta(days=60)
                added = await memory.add(
                    said, infer=False, dedupe=False, timestamp=long_ago, **scope
                )
                ids.append(added["results"][0]["id"])
            state = memory._engine.parts.state
            for name in range(8):
                shown = turn(str(name), recalled=(ids[used],))
                await state.conversations.record(replace(shown, created_at=utc_now()))
            await memory._engine.background.count_recalls()
            found = await memory.search("Who likes green tea?", **scope)
            assert [hit["id"] for hit in found["results"]] == [ids[used], ids[1 - used]]
            told = (await memory.explain("Who likes green tea?", **scope))["memories"]
            assert [one.get("usage", {}).get("recalled") for one in told] == [8, None]
