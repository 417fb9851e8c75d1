"""What an engine does in the background: nothing before it is told, everything that is due then."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.engine import background
from recollect.memory.engine.engine import Engine
from recollect.memory.jobs.runs import RunOutcome
from recollect.memory.model.times import to_ms
from recollect.memory.model.types import ChatRequest, Message, StoredMemory, utc_now
from recollect.memory.util.clock import CLOCK
from tests.memory.state.samples import turn
from tests.support.clock import Stepped
from tests.support.composing import ALICE, capture, memory, settings, texts
from tests.support.scripted import ScriptedModel, facts
from tests.support.waiting import HANG_SECONDS, until

SECONDS = HANG_SECONDS
MINUTE = 60.0
LOOPS = {"index", "retention", "old turns", "topic drift", "learning 0", "idle conversations"}
NAMES = ("old", "new", "due")
KEY = "sk-proj-" + "a1B2c3D4e5" * 5


@pytest.fixture
async def model():
    async with ScriptedModel(facts("User lives in Oslo")) as scripted:
        yield scripted


@asynccontextmanager
async def composed(tmp_path, model, clock=CLOCK, **flags):
    """An engine with a model; nothing runs yet."""
    chosen = settings(tmp_path, learn__llm__base_url=model.base_url, **flags)
    async with Engine.open(chosen, serving=True, clock=clock) as engine:
        yield engine


@pytest.fixture
def clock():
    return Stepped(utc_now())


async def test_nothing_is_learned_without_the_database(tmp_path, model, clock):
    """A damaged file costs no call of a model: nothing of its answer could be kept."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "recollect.db").write_bytes(b"no database " * 500)
    async with composed(tmp_path, model, clock, database__url=None) as engine:
        assert engine.parts.state.missing
        async with engine.running():
            engine.background.learning.wake()
            await until(lambda: clock.asleep)
            await clock.step(MINUTE)
    assert model.requests == []


async def test_nothing_runs_before_it_is_started(tmp_path, model, clock):
    """Composing learns nothing; starting does."""
    async with composed(tmp_path, model, clock) as engine:
        await capture(engine.parts.state, "I live in Oslo")
        await clock.step(MINUTE)
        assert clock.asleep == []
        assert model.requests == []
        async with engine.running():
            await until(lambda: texts(engine.parts.store))
        assert await texts(engine.parts.store) == ["User lives in Oslo"]


async def test_leaving_after_a_failure_learns_too(tmp_path, model):
    """Whatever ends the process: what was captured is learned, and no loop is left."""

    async def broken(engine):
        async with engine.running():
            await capture(engine.parts.state, "I live in Oslo", due=False)
            await asyncio.sleep(0)
            names = {task.get_name() for task in asyncio.all_tasks()}
            assert names >= LOOPS
            raise ZeroDivisionError

    async with composed(tmp_path, model) as engine:
        with pytest.raises(ZeroDivisionError):
            await broken(engine)
        assert await texts(engine.parts.store) == ["User lives in Oslo"]
    assert not LOOPS & {task.get_name() for task in asyncio.all_tasks()}


async def test_learning_that_is_off(tmp_path, model, clock):
    """Nothing is learned, neither while it runs nor at the end."""
    async with (
        composed(tmp_path, model, clock, learn__enabled=False) as engine,
        engine.running(),
    ):
        await capture(engine.parts.state, "I live in Oslo")
        await until(lambda: clock.asleep)
        await clock.step(MINUTE)
    assert model.requests == []


async def test_learning_that_others_do(tmp_path, model, clock):
    """A proxy whose learning is left to workers takes no job, not even at the end."""
    async with composed(tmp_path, model, clock, learn__in_process=False) as engine:
        async with engine.running():
            await capture(engine.parts.state, "I live in Oslo")
            await until(lambda: clock.asleep)
            await clock.step(MINUTE)
        assert model.requests == []
        assert (await engine.parts.state.jobs.counts())["ready"] == 1


async def test_one_of_two_turns_is_forgotten_while_they_are_learned(tmp_path, model):
    """The job decides anew on the turn that is left, and ends."""
    told = {"I live in Oslo": "User lives in Oslo", "I like tea": "User likes tea"}

    def learned(body):
        asked = body["messages"][-1]["content"]
        return facts(*(fact for said, fact in told.items() if said in asked))

    async with composed(tmp_path, model) as engine:

        async def forgotten_meanwhile(body):
            await engine.forgetter.forget_turns(ALICE, [first])
            return learned(body)

        model.replies = [forgotten_meanwhile, learned]
        first = await capture(engine.parts.state, "I live in Oslo", due=False)
        await capture(engine.parts.state, "I like tea")
        runs = await engine.background.learning.flush(ALICE)
        assert runs[-1].outcome is RunOutcome.LEARNED
        assert await texts(engine.parts.store) == ["User likes tea"]


async def test_retention_keeps_to_the_options(tmp_path, model):
    """What is older than it may become is gone after its round."""
    async with composed(tmp_path, model, retention__ttl_days__semantic=1) as engine:
        await capture(engine.parts.state, "I live in Oslo")
        await engine.background.learning.flush(None)
        [item] = await engine.parts.store.list(ALICE, limit=None)
        old = item.updated_at - timedelta(days=2)
        aged = replace(
            item,
            id="aged",
            created_at=old,
            updated_at=old,
            valid_from=old,
            provenance=replace(item.provenance, recorded_at=old),
        )
        [vector] = await engine.parts.embedder.embed([item.text])
        await engine.parts.store.put([StoredMemory(aged, vector)])
        await engine.background.retention.run()
        assert [left.id for left in await engine.parts.store.list(ALICE, limit=None)] == [item.id]


async def test_turns_that_were_learned_long_ago(tmp_path, model):
    """Their texts are let go; what was said lately, or is still to be learned, is kept."""
    async with composed(tmp_path, model, retention__erase_days__turns=7) as engine:
        long_ago = utc_now() - timedelta(days=8)
        await capture(engine.parts.state, "I live in Oslo", name="old", at=long_ago)
        await capture(engine.parts.state, "I live in Oslo", name="new")
        await engine.background.learning.flush(None)
        await capture(engine.parts.state, "I live in Oslo", name="due", due=False, at=long_ago)
        assert await engine.background.prune() == 1
        kept = [len(await engine.parts.state.conversations.turns(f"of-{n}", 0, 9)) for n in NAMES]
        assert kept == [0, 1, 1]


async def test_the_log_of_changes_is_kept_for_some_days(tmp_path, model):
    """A line that every index has long read is removed; a new one stays."""
    async with composed(tmp_path, model) as engine:
        scripts, long_ago = engine.parts.state.scripts, utc_now() - timedelta(days=8)
        first, second = memory("User lives in Oslo"), memory("User works in Bergen")
        vectors = await engine.parts.embedder.embed([first.text, second.text])
        await engine.parts.store.put([StoredMemory(first, vectors[0])])
        await scripts.statement("UPDATE changes SET at = :at RETURNING 1", {"at": to_ms(long_ago)})
        await engine.parts.store.put([StoredMemory(second, vectors[1])])
        await engine.background.prune()
        left = await scripts.statement("SELECT count(*) FROM changes", {})
        assert left[0][0] == 1


async def test_recalls_are_counted(tmp_path, model, clock):
    """Of recorded turns, beside the requests; also by a process that starts after one that died."""
    async with composed(tmp_path, model, clock) as engine:
        state = engine.parts.state
        await state.conversations.record(turn("t", scope=ALICE, recalled=("m",)))

        async def counted():
            return await state.usage.of(ALICE.tenant, ["m"])

        async with engine.running():
            # Another loop may sleep as long.
            while not await counted():
                await clock.slept(background.USAGE_SECONDS)
        await state.conversations.record(turn("t", scope=ALICE, recalled=("m",)))
        assert await engine.background.count_recalls() == 1
        assert (await counted())["m"].recalled == 1


async def test_pictures_are_described_only_by_a_model_for_it(tmp_path, model):
    """Without one there is none; with one it is that, and the tenant's ledger knows of its calls."""
    async with composed(tmp_path, model) as engine:
        assert engine.vision_of("local") is None
    seeing = {"learn__vision__base_url": model.base_url, "learn__vision__model": "seeing"}
    async with composed(tmp_path, model, **seeing) as engine:
        await engine.vision_of("local").complete(
            ChatRequest(messages=[Message(role="user", content="?")])
        )
        assert model.requests[-1]["model"] == "seeing"
        spent = await engine.parts.state.ledger.spent("local", utc_now().date())
        assert spent.calls == 1
