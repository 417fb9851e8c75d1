import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from memory.embedders import FakeEmbedder
from memory.errors import EmbeddingError, ModelError, StateError, StoreError
from memory.learn import Learner, LearnOptions, job_for
from memory.learn.driver import load_decisions
from memory.llms import OpenAIChatModel, OpenAIChatOptions
from memory.state.inmemory import InMemoryConversations, InMemoryHistory, InMemoryJobs
from memory.stores.inmemory import InMemoryStore
from memory.types import EventKind, Message, Turn
from memory.worker import NO_MODEL_SECONDS, Outcome, Worker, turn_messages
from tests.memory.learn.doubles import ALICE, BOB, NOON, Breaks, Says
from tests.support.scripted import ScriptedModel, facts

OPTIONS = LearnOptions(max_attempts=3, retry_seconds=10, lease_seconds=60)
TEA = facts("User likes tea")


class World:
    """A worker with its parts in memory, and a clock that stands still until it is moved."""

    def __init__(self, model, options=OPTIONS):
        self.model = model
        self.now = NOON
        self.embedder = FakeEmbedder()
        self.store = InMemoryStore(dim=self.embedder.dim)
        self.history = InMemoryHistory()
        self.conversations = InMemoryConversations()
        self.jobs = InMemoryJobs()
        self.options = options
        self.asked = []

    async def models(self, tenant, model):
        self.asked.append((tenant, model))
        return self.model

    def worker(self, **parts):
        learner = Learner(
            parts.get("store", self.store),
            parts.get("embedder", self.embedder),
            parts.get("history", self.history),
            clock=lambda: self.now,
        )
        return Worker(
            learner,
            parts.get("conversations", self.conversations),
            parts.get("jobs", self.jobs),
            self.models,
            self.options,
            clock=lambda: self.now,
        )

    async def turn(self, name="t1", *, conversation="c", scope=ALICE, text="I like tea", job=True):
        turn = Turn(
            id=f"{conversation}/{name}",
            conversation_id=conversation,
            scope=scope,
            user_text=text,
            assistant_text="Noted.",
            model="m",
            created_at=self.now,
        )
        recorded = await self.conversations.record(turn)
        if job:
            await self.jobs.put(job_for(turn, recorded.seq, reason="turns"))

    def wait(self, seconds):
        self.now += timedelta(seconds=seconds)

    async def memories(self, scope=ALICE):
        return [item.text for item in await self.store.list(scope, limit=None)]

    async def rows(self, scope=ALICE):
        items = await self.store.list(scope, limit=None)
        return [r.event for i in items for r in await self.history.of(scope.tenant, i.id)]


async def outcome(worker):
    run = await worker.run_one()
    return run and run.outcome


async def test_learning(caplog):
    """A due job becomes memories with their evidence, and is done."""
    world = World(Says(TEA))
    await world.turn()
    run = await world.worker().run_one()
    assert (run.outcome, run.events) == (Outcome.LEARNED, (EventKind.ADD,))
    [item] = await world.store.list(ALICE, limit=None)
    assert item.text == "User likes tea"
    assert item.provenance.conversation_id == "c"
    assert item.provenance.turn_ids == ("c/t1",)
    assert (item.provenance.model, item.created_at) == ("m", NOON)
    assert world.asked == [("local", "m")]
    assert "I like tea" in world.model.heard()
    assert await world.jobs.counts() == {"ready": 0, "leased": 0, "done": 1, "dead": 0}
    assert await world.conversations.unlearned("c", 9) == []
    assert await outcome(world.worker()) is None
    assert caplog.records == []


async def test_nothing_worth_keeping():
    """No facts is a result: the job is done, the turns count as learned."""
    world = World(Says(facts()))
    await world.turn()
    assert await outcome(world.worker()) is Outcome.NOTHING
    assert (await world.jobs.counts())["done"] == 1
    assert await world.conversations.unlearned("c", 9) == []


async def test_turns_that_were_learned_already():
    """A job whose turns another one learned is done without asking a model."""
    world = World(Says(TEA))
    await world.turn()
    await world.conversations.mark_learned("c", 1)
    assert await outcome(world.worker()) is Outcome.NOTHING
    assert world.model.requests == []


async def test_only_the_jobs_turns_are_read():
    """A job reads what is unlearned up to its end; later turns are for the next."""
    world = World(Says(facts()))
    await world.turn("t1", text="first", job=False)
    await world.turn("t2", text="second")
    await world.turn("t3", text="third", job=False)
    await world.worker().run_one()
    heard = world.model.heard()
    assert heard.index("first") < heard.index("second")
    assert "third" not in heard
    assert [turn.user_text for turn in await world.conversations.unlearned("c", 9)] == ["third"]


async def test_a_real_server_that_recovers():
    """HTTP 500, then an answer: the job is tried again after its delay and succeeds."""
    async with ScriptedModel(500, TEA) as server:
        options = OpenAIChatOptions(base_url=server.base_url, max_retries=0)
        world = World(OpenAIChatModel(options))
        await world.turn()
        worker = world.worker()
        assert await outcome(worker) is Outcome.RETRY
        assert await outcome(worker) is None
        world.wait(9)
        assert await outcome(worker) is None
        world.wait(1)
        assert await outcome(worker) is Outcome.LEARNED
        assert await world.memories() == ["User likes tea"]
        await world.model.close()


async def test_delays_double():
    """Each further try waits twice as long."""
    world = World(Says(ModelError("down")))
    await world.turn()
    worker = world.worker()
    assert await outcome(worker) is Outcome.RETRY
    world.wait(10)
    assert await outcome(worker) is Outcome.RETRY
    world.wait(19)
    assert await outcome(worker) is None
    world.wait(1)
    assert await outcome(worker) is Outcome.DEAD


async def test_poison_is_buried_and_counted(caplog):
    """After its last attempt a job is dead, counted as such, and in nobody's way."""
    world = World(Says("never any facts"))
    await world.turn()
    await world.turn(conversation="next", text="x")
    outcomes = []
    for _ in range(6):
        world.wait(100)
        outcomes += [run.outcome for run in await world.worker().drain()]
    assert outcomes.count(Outcome.DEAD) == 2
    assert outcomes.count(Outcome.RETRY) == 4
    assert (await world.jobs.counts())["dead"] == 2
    assert await world.memories() == []
    assert [r.levelname for r in caplog.records].count("ERROR") == 2


async def test_dead_turns_get_another_chance():
    """What a dead job could not learn is part of the conversation's next job."""
    world = World(Says(*["nonsense"] * 6, facts("User likes tea")))
    await world.turn("t1")
    for _ in range(3):
        await world.worker().run_one()
        world.wait(100)
    assert (await world.jobs.counts())["dead"] == 1
    await world.turn("t2", text="and coffee")
    assert await outcome(world.worker()) is Outcome.LEARNED
    assert "I like tea" in "".join(m.content for m in world.model.requests[-1].messages)


async def test_a_job_that_kills_its_worker_dies_itself():
    """Claims count, so that a job no worker survives is buried without being run again."""
    world = World(Says(TEA))
    await world.turn()
    for _ in range(OPTIONS.max_attempts):
        assert await world.jobs.claim(now=world.now, lease_seconds=60)
        world.wait(61)
    assert await outcome(world.worker()) is Outcome.DEAD
    assert world.model.requests == []
    assert (await world.jobs.counts())["dead"] == 1


async def test_no_model_is_no_attempt():
    """Without a model the job rests; however often, it never dies of it."""
    world = World(None)
    await world.turn()
    worker = world.worker()
    for _ in range(3 * OPTIONS.max_attempts):
        assert await outcome(worker) is Outcome.WAITING
        assert await outcome(worker) is None
        world.wait(NO_MODEL_SECONDS)
    world.model = Says(TEA)
    run = await worker.run_one()
    assert (run.outcome, run.job.attempts) == (Outcome.LEARNED, 1)


@pytest.mark.parametrize("method", ["ack", "save_checkpoint", "retry", "bury"])
async def test_a_lost_lease_changes_nothing(method):
    """Who lost the lease says so, whatever it wanted to do with the job, and ends nothing."""
    model = {"ack": Says(TEA), "save_checkpoint": Says(TEA)}.get(method, Says(ModelError("down")))
    world = World(model, OPTIONS.model_copy(update={"max_attempts": 1 if method == "bury" else 3}))
    await world.turn()

    class Stolen(Breaks):
        """Another worker takes the job over just before `method`."""

        def __getattr__(self, name):
            found = getattr(self._inner, name)

            async def stolen(*args, **kwargs):
                world.wait(61)
                assert await self._inner.claim(now=world.now, lease_seconds=60)
                return await found(*args, **kwargs)

            return stolen if name == self._method else found

    jobs = Stolen(world.jobs, method, StateError(""))
    assert await outcome(world.worker(jobs=jobs)) is Outcome.LOST
    assert await world.jobs.counts() == {"ready": 0, "leased": 1, "done": 0, "dead": 0}
    if method == "save_checkpoint":
        assert await world.memories() == []


async def test_no_model_and_a_lost_lease():
    """Waiting is not claimed for a job that belongs to another worker."""
    world = World(None)
    await world.turn()

    async def slow(tenant, model):
        world.wait(61)
        assert await world.jobs.claim(now=world.now, lease_seconds=60)

    world.models = slow
    assert await outcome(world.worker()) is Outcome.LOST


INTERRUPTIONS = [
    ("history", "append", StateError, False),
    ("history", "append", StateError, True),
    ("store", "put", StoreError, False),
    ("store", "put", StoreError, True),
    ("conversations", "mark_learned", StateError, False),
    ("conversations", "mark_learned", StateError, True),
]


@pytest.mark.parametrize(("part", "method", "error", "after"), INTERRUPTIONS)
async def test_interrupted_applying_goes_on_from_the_checkpoint(part, method, error, after):
    """Wherever applying stops, the next run asks no model and leaves each memory once."""
    world = World(Says(facts("User likes tea", "User has a cat"), facts("Something else")))
    await world.turn()
    broken = Breaks(getattr(world, part), method, error("gone"), after=after)
    worker = world.worker(**{part: broken})
    assert await outcome(worker) is Outcome.RETRY
    world.wait(10)
    finished = await worker.drain()
    assert len(finished) == 1
    assert finished[0].outcome in {Outcome.LEARNED, Outcome.NOTHING}
    assert len(world.model.requests) == 1
    assert sorted(await world.memories()) == ["User has a cat", "User likes tea"]
    assert await world.rows() == [EventKind.ADD] * 2
    assert (await world.jobs.counts())["done"] == 1


@pytest.mark.parametrize(("part", "method", "error", "after"), INTERRUPTIONS)
async def test_killed_while_applying(part, method, error, after):
    """The same if the process dies there: when the lease has run out, another goes on."""
    world = World(Says(facts("User likes tea", "User has a cat"), facts("Something else")))
    await world.turn()
    death = Breaks(getattr(world, part), method, KeyboardInterrupt(), after=after)
    with pytest.raises(KeyboardInterrupt):
        await world.worker(**{part: death}).run_one()
    assert await outcome(world.worker()) is None
    world.wait(61)
    assert len(await world.worker().drain()) == 1
    assert len(world.model.requests) == 1
    assert sorted(await world.memories()) == ["User has a cat", "User likes tea"]
    assert await world.rows() == [EventKind.ADD] * 2


async def test_killed_before_the_checkpoint():
    """Without a checkpoint the model is asked again, and the ids are the same."""
    world = World(Says(TEA))
    await world.turn()
    death = Breaks(world.jobs, "save_checkpoint", KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        await world.worker(jobs=death).run_one()
    world.wait(61)
    assert await outcome(world.worker()) is Outcome.LEARNED
    assert len(world.model.requests) == 2
    assert await world.memories() == ["User likes tea"]


async def test_the_checkpoint_holds_the_decisions():
    """What is kept with the job is what was decided."""
    world = World(Says(TEA))
    await world.turn()
    broken = Breaks(world.store, "put", StoreError("gone"))
    await world.worker(store=broken).run_one()
    world.wait(10)
    job = await world.jobs.claim(now=world.now, lease_seconds=60)
    assert [d.text for d in load_decisions(job.checkpoint)] == ["User likes tea"]


@pytest.mark.parametrize("checkpoint", ["{", "[{}]", "[7]", '[{"event": "GROW", "type": "x"}]'])
async def test_an_unreadable_checkpoint_is_decided_again(checkpoint):
    """Another version's or a damaged checkpoint costs a call of the model, not the job."""
    world = World(Says(TEA))
    await world.turn()
    job = await world.jobs.claim(now=world.now, lease_seconds=60)
    await world.jobs.save_checkpoint(job, checkpoint)
    world.wait(61)
    assert await outcome(world.worker()) is Outcome.LEARNED
    assert await world.memories() == ["User likes tea"]


async def test_an_empty_checkpoint_is_a_decision():
    """That there was nothing to learn is remembered as well."""
    world = World(Says(facts(), TEA))
    await world.turn()
    broken = Breaks(world.conversations, "mark_learned", StateError("gone"))
    worker = world.worker(conversations=broken)
    assert await outcome(worker) is Outcome.RETRY
    world.wait(10)
    assert await outcome(worker) is Outcome.NOTHING
    assert len(world.model.requests) == 1


@pytest.mark.parametrize(
    ("part", "method", "error"),
    [
        ("embedder", "embed", EmbeddingError),
        ("store", "search", StoreError),
        ("conversations", "unlearned", StateError),
        ("jobs", "save_checkpoint", StateError),
        ("jobs", "ack", StateError),
    ],
)
async def test_any_part_may_fail_for_a_while(part, method, error):
    """A failure of any part is a retry, and in the end the memory is there once."""
    world = World(Says(TEA))
    await world.turn()
    worker = world.worker(**{part: Breaks(getattr(world, part), method, error("gone"))})
    assert await outcome(worker) is Outcome.RETRY
    world.wait(10)
    assert await outcome(worker) in {Outcome.LEARNED, Outcome.NOTHING}
    assert await world.memories() == ["User likes tea"]
    assert await world.rows() == [EventKind.ADD]


async def test_a_queue_that_fails_is_the_callers_business():
    """If no job can be claimed, that is raised: there is nothing to retry."""
    world = World(Says(TEA))
    with pytest.raises(StateError):
        await world.worker(jobs=Breaks(world.jobs, "claim", StateError("gone"))).run_one()


async def test_a_hung_model_is_given_up_before_the_lease(monkeypatch):
    """A call that never returns ends while the lease still lasts, and counts as a try."""
    seen = []

    def at_once(seconds):
        seen.append(seconds)
        return asyncio.timeout_at(0)

    monkeypatch.setattr("memory.worker.asyncio.timeout", at_once)

    class Hangs(Says):
        async def complete(self, request):
            await asyncio.Event().wait()

    world = World(Hangs(TEA))
    await world.turn()
    assert await outcome(world.worker()) is Outcome.RETRY
    assert seen == [OPTIONS.lease_seconds / 2]


async def test_users_do_not_wait_for_each_other():
    """One user's failing job stops nobody else's."""
    world = World(Says(ModelError("down"), TEA))
    await world.turn(conversation="a", scope=ALICE)
    await world.turn(conversation="b", scope=BOB)
    runs = await world.worker().drain()
    assert [run.outcome for run in runs] == [Outcome.RETRY, Outcome.LEARNED]
    assert await world.memories(BOB) == ["User likes tea"]


async def test_pending_conversations_are_enqueued_once():
    """Every conversation with unlearned turns gets a job; asking again starts no second."""
    world = World(Says(TEA))
    await world.turn(conversation="a", job=False)
    await world.turn("t2", conversation="a", job=False)
    await world.turn(conversation="b", scope=BOB, job=False)
    worker = world.worker()
    assert await worker.enqueue_pending("start") == 2
    assert await worker.enqueue_pending("flush") == 0
    runs = await worker.drain()
    assert {(run.job.conversation_id, run.job.upto_seq) for run in runs} == {("a", 2), ("b", 1)}


async def test_idle_and_scope_narrow_what_is_enqueued():
    """Only conversations silent for long enough, and only those of the scope, are taken."""
    world = World(Says(TEA))
    await world.turn(conversation="a", job=False)
    await world.turn(conversation="b", scope=BOB, job=False)
    worker = world.worker()
    world.wait(299)
    assert await worker.enqueue_pending("idle", idle_seconds=300) == 0
    world.wait(2)
    assert await worker.enqueue_pending("idle", idle_seconds=300, scope=BOB) == 1
    assert await worker.enqueue_pending("idle", idle_seconds=300) == 1


async def test_the_same_fact_in_two_conversations():
    """A fact told twice is one memory; the second run reports that it knew."""
    world = World(Says(TEA))
    await world.turn(conversation="a")
    await world.turn(conversation="b")
    runs = await world.worker().drain()
    assert [run.events for run in runs] == [(EventKind.ADD,), (EventKind.NONE,)]
    assert await world.memories() == ["User likes tea"]


def test_a_turn_as_it_is_read():
    """User and assistant speak in order; an answer that never came is left out."""
    turn = Turn(
        id="t",
        conversation_id="c",
        scope=ALICE,
        user_text="hi",
        assistant_text="hello",
        model="m",
        created_at=NOON,
    )
    hi, hello = Message(role="user", content="hi"), Message(role="assistant", content="hello")
    assert turn_messages(turn) == [hi, hello]
    assert turn_messages(replace(turn, assistant_text="")) == [hi]
