"""`recollect jobs`, on the queue of a real SQLite file."""

import asyncio
from datetime import UTC, datetime

import pytest

from recollect.memory.learn import job_for
from recollect.memory.model.types import Scope, Turn
from recollect.proxy.cli import main
from tests.support.state import opened_state

from .transcript import check

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
RAW = "these are\nno facts"


@pytest.fixture
def queue(tmp_path):
    """Does something with the queue that the configuration names."""
    (tmp_path / "data").mkdir()

    def run(work):
        async def opened():
            state = await opened_state(tmp_path / "data" / "recollect.db")
            try:
                return await work(state.jobs)
            finally:
                await state.close()

        return asyncio.run(opened())

    return run


def job(user, seq=1):
    turn = Turn(
        id=f"{user}/{seq}",
        conversation_id=f"of-{user}",
        scope=Scope(tenant="local", user_id=user),
        user_text="I like tea",
        assistant_text="Noted.",
        model="m",
        created_at=NOON,
    )
    return job_for(turn, seq, reason="turns")


@pytest.fixture
def filled(queue):
    """Two dead jobs and one that waits; their ids."""

    async def fill(jobs):
        for user in ("alice", "bob"):
            await jobs.put(job(user))
            claimed = await jobs.claim(now=datetime.now(UTC), lease_seconds=60)
            assert await jobs.dead_letter(claimed, error="ExtractionError: no\nfacts", raw=RAW)
        await jobs.put(job("carol"))
        return {report.job.scope.user_id: report.job.id for report in await jobs.reports()}

    return queue(fill)


SESSION = """
$ recollect jobs list
queued            state  kind   reason  tries  id          error
…  ready  learn  turns       0  <carol>
…  dead   learn  turns       1  <bob>    ExtractionError: no facts
…  dead   learn  turns       1  <alice>  ExtractionError: no facts
1 ready, 0 leased, 0 done, 2 dead

$ recollect jobs list --user alice
⋮  <alice>  …
0 ready, 0 leased, 0 done, 1 dead

$ recollect jobs list --state dead --limit 1
⋮  <bob>  …
1 ready, 0 leased, 0 done, 2 dead

$ recollect jobs retry <carol> no-such-job <bob>
recollect: <carol> is not a dead job
recollect: no-such-job is not a dead job
1 job will be retried
[1]

$ recollect jobs list --state dead
⋮  <alice>  …
2 ready, 0 leased, 0 done, 1 dead

$ recollect jobs retry --all
1 job will be retried

$ recollect jobs list --state dead
3 ready, 0 leased, 0 done, 0 dead
"""


def test_jobs_are_listed_and_tried_again(filled):
    """A line each, newest first, with why it failed; those that are not dead are named."""
    check(SESSION, **filled)


def test_a_queue_that_is_not_shared(environ, capsys):
    """One that lives in the proxy's memory cannot be looked into from here, and that is said."""
    environ.setenv("RECOLLECT_DATABASE__URL", ":memory:")
    assert main(["jobs", "list"]) == 1
    assert "REST" in capsys.readouterr().err


def test_a_queue_that_is_away(environ, capsys, unused_tcp_port):
    """A server that does not answer is a message and status 1, no trace."""
    environ.setenv("RECOLLECT_DATABASE__URL", f"postgresql://127.0.0.1:{unused_tcp_port}/none")
    assert main(["jobs", "list"]) == 1
    shown = capsys.readouterr().err
    assert shown.startswith("recollect: ")
    assert "Traceback" not in shown
