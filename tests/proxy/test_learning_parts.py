"""What learns, composed as the proxy and the worker compose it."""

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from memory.background.worker import Outcome
from memory.errors import InvalidInputError
from memory.trust.redact import Redactor
from memory.types import ChatRequest, MemoryStatus, Message, StoredMemory, utc_now
from proxy.access.credentials import FixedModel
from proxy.backends import open_backends
from proxy.learning_parts import compose_learning, start_learning
from proxy.tasks import Tasks
from proxy.telemetry import Telemetry
from tests.memory.forget.parts import Hears
from tests.support.scripted import ScriptedModel, facts
from tests.support.waiting import HANG_SECONDS

from .composing import ALICE, capture, memory, settings, texts

SECONDS = HANG_SECONDS
NAMES = ("old", "new", "due")
KEY = "sk-proj-" + "a1B2c3D4e5" * 5


@pytest.fixture
async def model():
    async with ScriptedModel(facts("User lives in Oslo")) as scripted:
        yield scripted


@asynccontextmanager
async def composed(tmp_path, model, **flags):
    """Backends and what learns on them; nothing runs yet. Leaving it is the shutdown."""
    chosen = settings(tmp_path, learn__llm__base_url=model.base_url, **flags)
    async with AsyncExitStack() as stack:
        backends = await open_backends(chosen, Tasks(), stack)
        models = FixedModel(chosen.learn.llm)
        stack.push_async_callback(models.close)
        parts = compose_learning(
            chosen,
            backends,
            models,
            Telemetry(),
            stack,
            redactor=Redactor(chosen.learn.redact),
        )
        yield parts, backends, lambda: start_learning(parts, chosen, stack)


@pytest.mark.parametrize("part", ["state", "history"])
async def test_nothing_is_learned_without_a_part(tmp_path, model, part):
    """A damaged file costs no call of a model: nothing of its answer could be kept."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / f"{part}.db").write_bytes(b"no database " * 500)
    flags = {f"{part}__backend": "sqlite"}
    async with composed(tmp_path, model, **flags) as (parts, backends, start):
        if part == "history":
            await capture(backends.state, "I live in Oslo")
        assert not parts.usable
        await start()
        parts.learning.wake()
        await asyncio.sleep(0)
    assert model.requests == []


async def until(condition):
    async with asyncio.timeout(SECONDS):
        while not await condition():
            await asyncio.sleep(0.005)


async def test_nothing_runs_before_it_is_started(tmp_path, model):
    """Composing learns nothing; starting does."""
    async with composed(tmp_path, model) as (_, backends, start):
        await capture(backends.state, "I live in Oslo")
        await asyncio.sleep(0.05)
        assert model.requests == []
        await start()
        await until(lambda: texts(backends.store))
        assert await texts(backends.store) == ["User lives in Oslo"]


async def test_leaving_learns_what_is_left(tmp_path, model):
    """A shutdown learns what was captured and was not due yet, before the parts are closed."""
    async with composed(tmp_path, model) as (_, backends, start):
        await start()
        await capture(backends.state, "I live in Oslo", due=False)
        store, counts = backends.store, backends.state.jobs.counts
        put, written = store.put, []

        async def noted(memories):
            written.extend(memory.item.text for memory in memories)
            await put(memories)

        store.put = noted
        assert model.requests == []
    assert written == ["User lives in Oslo"]
    assert (await counts())["done"] == 1


async def test_learning_that_is_off(tmp_path, model):
    """Nothing is learned, neither while it runs nor at the end."""
    async with composed(tmp_path, model, learn__enabled=False) as (_, backends, start):
        await start()
        await capture(backends.state, "I live in Oslo")
        await asyncio.sleep(0.05)
    assert model.requests == []


async def test_learning_that_others_do(tmp_path, model):
    """A proxy whose learning is left to workers takes no job, not even at the end."""
    async with composed(tmp_path, model, learn__in_process=False) as (_, backends, start):
        await start()
        await capture(backends.state, "I live in Oslo")
        await asyncio.sleep(0.05)
        counts = backends.state.jobs.counts
    assert model.requests == []
    assert (await counts())["ready"] == 1


async def test_secrets_are_redacted_where_it_learns(tmp_path, model):
    """A key that only the model puts together is in no memory."""
    model.replies = [facts(f"User lives in Oslo with the key {KEY}")]
    async with composed(tmp_path, model) as (parts, backends, _):
        await capture(backends.state, f"I live in Oslo with the key {KEY}")
        await parts.learning.flush(None)
        everything = await backends.store.list(ALICE, limit=None, statuses=frozenset(MemoryStatus))
        assert everything
        assert KEY not in repr(everything)


async def test_forgetting_is_told_to_the_caches(tmp_path, model):
    """What is forgotten leaves the turns and the queue, and each cache of the process hears of it."""
    heard = []
    caches = [Hears(lambda *gone, name=name: heard.append((name, *gone))) for name in "ab"]
    async with composed(tmp_path, model) as (parts, backends, _):
        backends.gone.subscribe(*caches)
        await capture(backends.state, "I live in Oslo")
        receipt = await parts.forgetter.forget_scope(ALICE)
        assert (receipt.turns, receipt.jobs, receipt.caches) == (1, 1, 3)
        assert {name for name, *_ in heard} == {"a", "b"}
        assert {whose for _, whose, _ in heard} == {ALICE}
        assert await parts.learning.flush(None) == []


async def test_what_is_forgotten_while_it_is_learned(tmp_path, model):
    """Worker and forgetter know of each other: nothing comes back."""
    async with composed(tmp_path, model) as (parts, backends, _):

        async def forgotten_meanwhile(_body):
            await parts.forgetter.forget_scope(ALICE)
            return facts("User lives in Oslo")

        model.replies = [forgotten_meanwhile]
        await capture(backends.state, "I live in Oslo")
        [run] = await parts.learning.flush(ALICE)
        assert run.outcome is Outcome.LOST
        assert await texts(backends.store) == []


async def test_retention_keeps_to_the_options(tmp_path, model):
    """What is older than it may become is gone after its round."""
    async with composed(tmp_path, model, retention__ttl_days__semantic=1) as (parts, backends, _):
        await capture(backends.state, "I live in Oslo")
        await parts.learning.flush(None)
        [item] = await backends.store.list(ALICE, limit=None)
        old = item.updated_at - timedelta(days=2)
        aged = replace(
            item,
            id="aged",
            created_at=old,
            updated_at=old,
            valid_from=old,
            provenance=replace(item.provenance, recorded_at=old),
        )
        [vector] = await backends.embedder.embed([item.text])
        await backends.store.put([StoredMemory(aged, vector)])
        await parts.retention.run()
        assert [left.id for left in await backends.store.list(ALICE, limit=None)] == [item.id]


async def test_turns_that_were_learned_long_ago(tmp_path, model):
    """Their texts are let go; what was said lately, or is still to be learned, is kept."""
    async with composed(tmp_path, model, state__turn_days=7) as (parts, backends, _):
        long_ago = utc_now() - timedelta(days=8)
        await capture(backends.state, "I live in Oslo", name="old", at=long_ago)
        await capture(backends.state, "I live in Oslo", name="new")
        await parts.learning.flush(None)
        await capture(backends.state, "I live in Oslo", name="due", due=False, at=long_ago)
        assert await parts.prune() == 1
        kept = [len(await backends.state.conversations.turns(f"of-{n}", 0, 9)) for n in NAMES]
        assert kept == [0, 1, 1]


async def test_pictures_are_described_only_by_a_model_for_it(tmp_path, model):
    """Without one there is none; with one it is that, and the tenant's ledger knows of its calls."""
    async with composed(tmp_path, model) as (parts, _, _):
        assert parts.vision is None
    seeing = {"learn__vision__base_url": model.base_url, "learn__vision__model": "seeing"}
    async with composed(tmp_path, model, **seeing) as (parts, backends, _):
        await parts.vision("local").complete(
            ChatRequest(messages=[Message(role="user", content="?")])
        )
        assert model.requests[-1]["model"] == "seeing"
        spent = await backends.state.ledger.spent("local", utc_now().date())
        assert spent.calls == 1


async def test_proposals_of_one_replica_are_good_at_another(tmp_path, model):
    """With the same key, whoever proposed; without one a proposal is its process's own."""
    chosen = settings(tmp_path, learn__llm__base_url=model.base_url)
    async with AsyncExitStack() as stack:
        backends = await open_backends(chosen, Tasks(), stack)

        def forgetter(key):
            models = FixedModel(chosen.learn.llm)
            stack.push_async_callback(models.close)
            redactor = Redactor(chosen.learn.redact)
            return compose_learning(
                chosen, backends, models, Telemetry(), stack, redactor=redactor, proposal_key=key
            ).forgetter

        one, two, other = forgetter(b"same"), forgetter(b"same"), forgetter(None)
        [vector] = await backends.embedder.embed(["tea"])
        await backends.store.put([StoredMemory(memory("tea"), vector)])
        proposal = await one.propose(ALICE, "tea")
        with pytest.raises(InvalidInputError, match="proposed"):
            await other.confirm(ALICE, proposal.token)
        assert (await two.confirm(ALICE, proposal.token)).memories == 1
