"""`AsyncMemory` tells how often memories were recalled, and takes feedback."""

from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory import NotFoundError
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


async def test_the_reason_of_a_feedback_is_kept_without_secrets():
    """In the history of the memory, of which no version is made."""
    async with build() as memory:
        [tea] = await keep(memory, "I like tea")
        secret = "sk-proj-" + "a1B2c3D4e5" * 5
        await memory.feedback(tea, "negative", reason=f"my key is {secret}")
        row = (await memory.history(tea))[-1]
        assert row["reason"].startswith("negative: my key is")
        assert secret not in str(row)
        assert (await memory.get(tea))["version"] == 1


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


TEA = "Who likes green tea?"
# Without neighbours: they would make a difference between equal memories.
APART = EngineOptions(recall=recalling(neighbours=0.0))


async def two_alike(memory):
    """The ids of two memories that differ in nothing but their use, as a search ranks them."""
    long_ago = utc_now() - timedelta(days=60)
    for _ in range(2):
        said = [{"role": "user", "content": "I like green tea"}]
        await memory.add(said, infer=False, dedupe=False, timestamp=long_ago, user_id="alice")
    return await ranked(memory)


async def ranked(memory):
    found = await memory.search(TEA, user_id="alice")
    return [hit["id"] for hit in found["results"]]


async def explained(memory):
    told = await memory.explain(TEA, user_id="alice")
    return {one["id"]: one for one in told["memories"]}


async def test_a_greeting_is_explained_as_a_chat_takes_it():
    """A chat does not search for it, and gives no memory to the model."""
    async with build() as memory:
        await memory.add("I like green tea", infer=False, user_id="alice")
        told = await memory.explain("Hello!", user_id="alice")
        assert (told["gate"]["recall"], told["block"]) == (False, "")
        assert (await memory.explain(TEA, user_id="alice"))["gate"]["recall"]


async def test_what_is_recalled_ranks_as_before():
    """Being shown makes a memory neither newer nor better; only the archive takes it later."""
    async with build(options=APART) as memory:
        first, last = await two_alike(memory)
        state = memory._engine.parts.state
        for name in range(8):
            shown = turn(str(name), recalled=(last,))
            await state.conversations.record(replace(shown, created_at=utc_now()))
        await memory._engine.background.count_recalls()
        assert await ranked(memory) == [first, last]
        told = await explained(memory)
        assert (told[last]["usage"]["recalled"], told[first].get("usage")) == (8, None)
        assert told[last]["score"] == told[first]["score"]
        assert told[last]["salience"] > 2 * told[first]["salience"]


async def test_ten_negative_ones_change_rank_and_salience():
    """At once, and as many positive ones take it back; it is recalled all the time."""
    async with build(options=APART) as memory:
        first, last = await two_alike(memory)
        before = (await explained(memory))[first]
        for _ in range(10):
            told = await memory.feedback(first, "negative", user_id="alice")
        assert told["rating"] == pytest.approx(-10 / 12, abs=1e-3)
        assert await ranked(memory) == [last, first]
        after = (await explained(memory))[first]
        assert after["feedback"] == pytest.approx(-0.0833, abs=1e-3)
        assert after["salience"] < before["salience"] / 5
        assert [after[name] for name in ("evidence", "age_and_importance")] == [
            before[name] for name in ("evidence", "age_and_importance")
        ]
        for _ in range(10):
            await memory.feedback(first, "positive", user_id="alice")
        assert await ranked(memory) == [first, last]
        assert (await explained(memory))[first]["salience"] == before["salience"]


async def test_a_troll_does_not_bury_the_only_answer():
    """Whatever is said of it, a search and a chat still find it."""
    async with build() as memory:
        [tea] = await keep(memory, "I like green tea")
        before = await memory.search(TEA, user_id="alice", threshold=0.3)
        for _ in range(40):
            await memory.feedback(tea, "very_negative", user_id="alice")
        after = await memory.search(TEA, user_id="alice", threshold=0.3)
        assert after == before
        assert (await explained(memory))[tea]["chosen"]


async def test_whoever_borrows_a_memory_does_not_judge_it():
    """What another user thinks of it changes nothing for its owner: to them it cannot be judged."""
    async with build() as memory:
        [tea] = await keep(memory, "I like green tea")
        await memory.shares.attach(tea, {"user_id": "bob"}, rights="write", user_id="alice")
        assert (await memory.get(tea, user_id="bob"))["id"] == tea
        with pytest.raises(NotFoundError):
            await memory.feedback(tea, "negative", user_id="bob")
        assert await memory._engine.parts.state.usage.of("local", [tea]) == {}
