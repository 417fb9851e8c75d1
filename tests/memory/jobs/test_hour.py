"""An hour of chats behind models that extract and models that do not, in simulated time."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from recollect.memory.jobs.flushing import go_on, try_now
from recollect.memory.learn import LearnOptions, job_for
from recollect.memory.model.costs import ModelIdentity
from recollect.memory.model.errors import ModelBusyError, ModelUnauthorizedError, rest_in
from recollect.memory.model.types import JobState, Scope
from tests.memory.jobs.worker_world import TEA, drain
from tests.memory.learn.doubles import NOON, Says, a_turn
from tests.support.clock import Telling
from tests.support.learning import worker_of
from tests.support.state import opened_state

PROSE = "Sure! It sounds like you had a lovely day."
# One call for each chat that is learned, so that the chats can be counted by the calls.
OPTIONS = LearnOptions(verify=False, calls_per_hour=1000)
CHATS, MINUTES = 115, 16
POLL = 5
MOST = 20
"""Calls in an hour that a payer accepts of a model that never says anything readable."""


class Named(Says):
    """A model with an identity, which notes when it was asked."""

    def __init__(self, name, hour, *lines):
        super().__init__(*lines)
        self.identity = ModelIdentity(name, "here")
        self.at = []
        self._hour = hour

    async def complete(self, request):
        self.at.append(self._hour.now)
        return await super().complete(request)


class Hour:
    """Chats of three users, each a conversation that is due at once, and a worker beside them."""

    def __init__(self, path: Path, options=OPTIONS, *, users=3) -> None:
        self.path, self.options, self.users = path / "recollect.db", options, users
        self.now = NOON
        self.model = None
        self.chats = 0
        self.runs = []

    async def open(self):
        self.state = await opened_state(self.path)
        self.worker = self.a_worker()
        return self

    def a_worker(self):
        return worker_of(
            state=self.state,
            models=self._models,
            options=self.options,
            clock=Telling(lambda: self.now),
        )

    async def _models(self, _tenant, _model):
        return self.model

    async def reopen(self):
        """A restart, after which everything that rests is looked at."""
        await self.state.close()
        await self.open()
        await go_on(self.state.jobs, None, self.now)

    async def chat(self):
        number = self.chats
        self.chats += 1
        turn = a_turn(
            f"t{number}",
            f"c{number}",
            Scope(tenant="local", user_id=f"user{number % self.users}"),
            f"I like tea {number}",
            "Noted.",
            self.now,
        )
        recorded = await self.state.conversations.record(turn)
        await self.state.jobs.put(job_for(turn, recorded.seq, reason="turns"))

    async def work(self, seconds, *, step=POLL):
        """Let time pass, as the loop that polls the queue sees it."""
        for _ in range(seconds // step):
            self.now += timedelta(seconds=step)
            self.runs += await drain(self.worker)

    async def talk(self, chats=CHATS, minutes=MINUTES):
        """So many chats in so many minutes."""
        for _ in range(chats):
            await self.chat()
            await self.work(minutes * 60 // chats // POLL * POLL or POLL)

    async def counts(self):
        found = await self.state.jobs.counts()
        return {state: found[state] for state in ("ready", "done", "dead")}


@pytest.fixture
async def hour(tmp_path):
    hour = await Hour(tmp_path).open()
    yield hour
    await hour.state.close()


def most_in_an_hour(moments):
    """The largest number of them within any hour."""
    return max(
        (sum(first <= at < first + timedelta(hours=1) for at in moments) for first in moments),
        default=0,
    )


@pytest.mark.parametrize(
    ("line", "users"),
    [
        (PROSE, CHATS),
        ("", 3),
        (ModelUnauthorizedError("no"), CHATS),
        (ModelBusyError("429"), 3),
    ],
    ids=str,
)
async def test_a_model_that_extracts_nothing_is_asked_a_handful_of_times(hour, line, users):
    """115 chats in 16 minutes, and a day after: at most 20 calls in any hour, and nothing is lost.

    The jobs of one user run in order, so that those of as many users ask for more.
    """
    hour.users = users
    hour.model = Named("small", hour, line)
    await hour.talk()
    await hour.work(3600)
    assert 1 <= len(hour.model.at) <= MOST
    await hour.work(24 * 3600, step=300)
    assert most_in_an_hour(hour.model.at) <= MOST
    assert sum((await hour.counts()).values()) == CHATS
    assert (await hour.counts())["dead"] == 0


async def test_it_is_tried_ever_more_rarely(hour):
    """After the first tries it is left alone for an hour, then two, four, up to a day."""
    hour.model = Named("small", hour, PROSE)
    await hour.talk()
    await hour.work(4 * 24 * 3600, step=300)
    first, *others = [
        at for before, at in pairwise([NOON, *hour.model.at]) if at - before > timedelta(minutes=30)
    ]
    gaps = [round((b - a) / timedelta(hours=1)) for a, b in pairwise([first, *others])]
    assert gaps[:5] == [2, 4, 8, 16, 24]


async def test_a_restart_begins_nothing_anew(hour):
    """However often the process ends, the model is left alone until the hour is over."""
    hour.model = Named("small", hour, PROSE)
    for _ in range(CHATS):
        await hour.chat()
        await hour.reopen()
        await hour.work(POLL)
    await hour.work(2400)
    assert 1 <= len(hour.model.at) <= MOST


async def test_who_asks_for_a_try_gets_one_now_and_then(hour):
    """A flush tries a model that is left alone, but not at each call: programs flush all the time."""
    hour.model = Named("small", hour, PROSE)
    await hour.talk()
    before = len(hour.model.at)
    for _ in range(60):
        await try_now(hour.state.jobs, hour.state.standings, "local", hour.now)
        await hour.work(60)
    assert before < len(hour.model.at)
    assert most_in_an_hour(hour.model.at) <= MOST
    hour.model = Named("small", hour, TEA)
    await hour.work(15 * 60)
    await try_now(hour.state.jobs, hour.state.standings, "local", hour.now)
    await hour.work(POLL)
    assert (await hour.counts())["ready"] == 0


async def test_poisonous_texts_do_not_stop_a_model_that_works(hour):
    """Each is given up after two tries; all other conversations are learned meanwhile."""

    def chokes(asked):
        return PROSE if re.search(r"tea \d*7\b", asked.messages[1].content) else TEA

    hour.model = Named("large", hour, chokes)
    await hour.talk()
    await hour.work(120)
    poisonous = len([number for number in range(CHATS) if number % 10 == 7])
    assert await hour.counts() == {"ready": 0, "done": CHATS - poisonous, "dead": poisonous}


@pytest.mark.parametrize("most", [1, 5])
async def test_no_more_calls_than_the_hour_allows(tmp_path, most):
    """Further jobs wait for the next hour without being counted as tries; in the end all are done."""
    options = OPTIONS.model_copy(update={"calls_per_hour": most})
    hour = await Hour(tmp_path, options).open()
    hour.model = Named("large", hour, TEA)
    await hour.talk(12, 6)
    await hour.work(13 * 3600, step=60)
    hours = Counter(at.replace(minute=0, second=0) for at in hour.model.at)
    assert max(hours.values()) == most
    assert await hour.counts() == {"ready": 0, "done": 12, "dead": 0}
    assert {run.failure for run in hour.runs} == {"", "hour_spent"}
    await hour.state.close()


async def test_no_calls_at_all(tmp_path):
    """With 0 nothing is asked, and the jobs wait for another setting."""
    hour = await Hour(tmp_path, OPTIONS.model_copy(update={"calls_per_hour": 0})).open()
    hour.model = Named("large", hour, TEA)
    await hour.chat()
    await hour.work(2 * 3600, step=60)
    assert hour.model.at == []
    hour.options = OPTIONS
    await hour.reopen()
    await hour.work(3600, step=60)
    assert (await hour.counts())["done"] == 1
    await hour.state.close()


async def test_what_a_waiting_job_says(hour, caplog):
    """Which model, since when and until when; the log says it once for each rest."""
    hour.model = Named("small", hour, PROSE)
    await hour.talk()
    reports = await hour.state.jobs.reports(state=JobState.READY, limit=CHATS)
    told = {rest_in(report.error) for report in reports if rest_in(report.error)}
    assert len(told) == 1
    [rest] = told
    assert rest.startswith("left alone since 2026-03-02 12:00 UTC (small, 3 tries")
    assert rest.endswith("tried again at 2026-03-02 13:00 UTC")
    warned = [
        r for r in caplog.records if "left alone" in r.getMessage() and r.levelname == "WARNING"
    ]
    assert len(warned) == 1
