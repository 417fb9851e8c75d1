"""A budget: so many calls for what no model reads of its own accord, and never one more."""

from __future__ import annotations

import contextlib
from datetime import timedelta

import pytest

from recollect.memory.database.unread_turns import UnreadTurn, unread_turns
from recollect.memory.jobs.budgets import BUDGET, CALL_TOKENS, MOST_CHARS, cost_of, parts_of
from recollect.memory.jobs.runs import RunOutcome
from recollect.memory.learn import job_for
from recollect.memory.model.errors import ConflictError, WithheldError
from recollect.memory.model.messages import IMAGE
from recollect.memory.model.types import ChatReply, JobState, MemoryStatus, Recent
from tests.memory.jobs.worker_world import Killed, World, drain
from tests.memory.learn.doubles import ALICE, BOB, NOON, a_turn
from tests.support.folding import rows
from tests.support.scripted import facts

TOLD = {
    "boat": "User has a boat",
    "eggs": "User is allergic to eggs",
    "Leeds": "User works in Leeds",
    "piano": "User plays the piano",
    "sister": "User's sister is called Ada",
}
"""Facts of which none is of the same matter as another: a model has nothing to compare."""
PLACES = tuple(TOLD)


def as_said(fact):
    """In the user's own words."""
    for theirs, own in (("User's", "My"), ("User has", "I have"), ("User is", "I am")):
        fact = fact.replace(theirs, own)
    return fact.replace("User works", "I work").replace("User plays", "I play")


class Telling:
    """A model that tells the facts of the words in a transcript."""

    def __init__(self, dies_at=0, says=None):
        self.calls, self.dies_at, self.says = 0, dies_at, says
        self.seen = []

    async def complete(self, request):
        self.calls += 1
        if self.calls == self.dies_at:
            raise Killed
        asked = request.messages[-1].content
        self.seen.append([word for word in TOLD if f" {word}." in asked])
        text = self.says or facts(*(TOLD[word] for word in self.seen[-1]))
        return ChatReply(text=text, model="m")

    async def close(self):
        pass


async def world(model, places=PLACES, scope=ALICE):
    """Unread conversations, each of one turn, the first said first."""
    made = World(model)
    for number, place in enumerate(places):
        text, at = f"{as_said(TOLD[place])}. {place}.", NOON - timedelta(days=len(places) - number)
        turn = a_turn(f"c{number}/t", f"c{number}", scope, text, "Nice.", at)
        await made.conversations.record_read([Recent(turn, unread=True)])
    return made


async def unread(made, scope=ALICE):
    return len(await unread_turns(made.conversations.scripts, scope))


async def test_the_newest_conversations_are_learned_within_the_calls():
    """Two calls read two conversations; the rest stays unread until there are more calls."""
    made = await world(model := Telling())
    worker = made.worker()
    assert await worker.budgets.begin(ALICE, 2)
    assert await worker.budgets.open(made.jobs, ALICE) == 2
    await drain(worker)
    assert (model.calls, model.seen) == (2, [["sister"], ["piano"]])
    assert await unread(made) == 3
    assert await worker.budgets.open(made.jobs, ALICE) is None
    assert await worker.budgets.begin(ALICE, 50)
    await drain(worker)
    assert await unread(made) == 0
    assert sorted(await made.memories()) == sorted(TOLD.values())
    assert not await worker.budgets.begin(ALICE, 50)


async def test_no_crash_pays_for_an_answer_that_was_kept():
    """Killed at any statement, or in a call: learned in the end, and never above the budget."""
    whole = await world(model := Telling())
    await whole.worker().budgets.begin(ALICE, 50)
    await drain(whole.worker())
    needed = model.calls
    for at in range(1, 90, 4):
        made = await world(model := Telling())
        await made.worker().budgets.begin(ALICE, 50)
        made.scripts.left = at
        with contextlib.suppress(Killed):
            await drain(made.worker())
        made.scripts.left = 0
        for _ in range(3):
            made.wait(120)
            await drain(made.worker())
        # The call whose answer was not kept yet is made again.
        assert (await unread(made), model.calls - needed) in {(0, 0), (0, 1), (0, 2)}, at
        assert sorted(await made.memories()) == sorted(TOLD.values())


class Keeping(Telling):
    """One from which a policy keeps the two newest conversations."""

    async def complete(self, request):
        kept = [turn.id for turn in request.holds if turn.id in {"c3/t", "c4/t"}]
        if kept:
            raise WithheldError(kept)
        return await super().complete(request)


async def test_what_a_policy_keeps_back_costs_no_call():
    """Nothing was sent, so the calls that a person gave go to what may be read."""
    made = await world(model := Keeping())
    await made.worker().budgets.begin(ALICE, 2)
    await drain(made.worker())
    assert (model.calls, model.seen) == (2, [["Leeds"], ["eggs"]])
    assert await made.state.ledger.called(ALICE.tenant, NOON) == 2


async def test_a_call_in_which_the_process_died_is_counted():
    """It may have been paid for."""
    made = await world(model := Telling(dies_at=1))
    await made.worker().budgets.begin(ALICE, 2)
    with pytest.raises(Killed):
        await drain(made.worker())
    made.wait(120)
    await drain(made.worker())
    assert (model.calls, await unread(made)) == (2, 4)


async def test_what_cannot_be_read_spends_no_more_than_there_is():
    """A model that answers with prose ends the budget, and what it did not read stays unread."""
    made = await world(model := Telling(says="Sure!"))
    await made.worker().budgets.begin(ALICE, 3)
    for _ in range(9):
        await drain(made.worker())
        made.wait(3600)
    assert model.calls <= 3
    assert await unread(made) >= 4
    assert await made.worker().budgets.open(made.jobs, ALICE) is None


async def test_one_at_a_time_and_ended_by_hand():
    """A second one is refused; whoever ends it spends nothing more; others have their own."""
    made = await world(model := Telling())
    budgets = made.worker().budgets
    await budgets.begin(ALICE, 9)
    with pytest.raises(ConflictError):
        await budgets.begin(ALICE, 9)
    assert not await budgets.begin(BOB, 9)
    await budgets.end(ALICE, made.jobs)
    await drain(made.worker())
    assert (model.calls, await unread(made)) == (0, 5)


async def test_seen_whatever_its_job_does(monkeypatch):
    """A job that is put back while somebody looks is no budget that has ended."""
    made = await world(Telling())
    budgets = made.worker().budgets
    await budgets.begin(ALICE, 9)
    job = await made.jobs.claim(now=NOON, lease_seconds=60)

    async def rows(*query, read=made.scripts.rows):
        found = await read(*query)
        await made.jobs.retry(job, at=NOON, error="model_on_trial", count=False)
        return found

    monkeypatch.setattr(made.scripts, "rows", rows)
    assert await budgets.open(made.jobs, ALICE) == 9


async def test_ended_while_it_runs():
    """The job that runs keeps what it learned, and no other follows it."""
    made = await world(model := Telling())
    budgets = made.worker().budgets
    await budgets.begin(ALICE, 9)

    async def complete(request, told=model.complete):
        await budgets.end(ALICE, made.jobs)
        return await told(request)

    model.complete = complete
    await drain(made.worker())
    assert (model.calls, await unread(made), len(await made.memories())) == (1, 4, 1)
    assert await budgets.open(made.jobs, ALICE) is None


@rows("budget, names, looks", [(True, {""}, 0), (False, {"m"}, 1)])
async def test_a_budget_asks_only_the_model_that_it_was_given_for(budget, names, looks):
    """Not that of another service, from which the turns are, and none that describes pictures."""
    made, seeing = World(Telling()), Telling()
    text = f"{as_said(TOLD['boat'])}. boat. {IMAGE}"
    turn = a_turn("c/t", "c", ALICE, text, "Nice.", NOON, images=("data:image/png;base64,AA==",))
    worker = made.worker(learner={"vision": seeing})
    if budget:
        await made.conversations.record_read([Recent(turn, unread=True)])
        await worker.budgets.begin(ALICE, 4)
    else:
        recorded = await made.conversations.record(turn)
        await made.jobs.put(job_for(turn, recorded.seq, reason="turns"))
    await drain(worker)
    assert await made.memories() == [TOLD["boat"]]
    assert ({model for _, model in made.asked}, seeing.calls) == (names, looks)


async def test_an_older_word_takes_no_newer_place():
    """The newest is read first: what was said before it does not end it."""
    made = World(model := Telling())
    for number, text in enumerate(("I live in Oslo.", "I live in Porto.")):
        at = NOON - timedelta(days=9 - number)
        turn = a_turn(f"c{number}/t", f"c{number}", ALICE, text, "Nice.", at)
        await made.conversations.record_read([Recent(turn, unread=True)])
    worker = made.worker()
    await worker.budgets.begin(ALICE, 9)
    model.says = facts("User lives in Porto")
    await worker.run_one()
    model.says = facts("User lives in Oslo")
    await drain(worker)
    items = await made.store.list(ALICE, limit=None, statuses=frozenset({MemoryStatus.ACTIVE}))
    assert "User lives in Porto" in {item.text for item in items}


def a_part(name, seq, said=10, answered=10):
    return UnreadTurn(ALICE, name, seq, said, answered)


def test_parts_follow_each_other_and_fit_in_a_call():
    """Newest conversation first, in its own order; a gap or a long text begins another part."""
    found = parts_of(
        [a_part("b", 7), a_part("b", 3), a_part("a", 1), a_part("b", 2), a_part("a", 2, MOST_CHARS)]
    )
    assert [(one.conversation_id, one.after_seq, one.upto_seq, one.turns) for one in found] == [
        ("b", 1, 3, 2),
        ("b", 6, 7, 1),
        ("a", 0, 1, 1),
        ("a", 1, 2, 1),
    ]
    cost = cost_of(found, 2)
    assert (cost.conversations, cost.turns, cost.calls) == (2, 5, 8)
    assert cost.tokens == (MOST_CHARS + 90) // 4 + 8 * CALL_TOKENS


async def test_a_budget_is_a_job_like_others():
    """It is listed with what is left, and done with its last call."""
    made = await world(Telling(), PLACES[:1])
    worker = made.worker()
    await worker.budgets.begin(ALICE, 4)
    [report] = await made.jobs.reports(ALICE)
    assert (report.state, report.job.reason) == (JobState.READY, f"{BUDGET}:4")
    assert [run.outcome for run in await drain(worker)] == [RunOutcome.LEARNED]
    [report] = await made.jobs.reports(ALICE)
    assert (report.state, report.job.reason) == (JobState.DONE, f"{BUDGET}:3")
