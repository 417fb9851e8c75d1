"""The SQLite state keeps the contracts, also across a reopening."""

import sqlite3
from dataclasses import fields, replace
from datetime import date, timedelta
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

from recollect.memory.database.graph import SqlGraph
from recollect.memory.database.history import RECORD, SqlHistory
from recollect.memory.database.job_rows import REPORT
from recollect.memory.database.sqlite import in_memory, open_sqlite
from recollect.memory.database.turn_rows import TURN
from recollect.memory.database.turn_rows import values_of as turn_values
from recollect.memory.model.types import (
    EventKind,
    HistoryRecord,
    Job,
    JobReport,
    Spent,
    ToolStep,
    Turn,
)
from recollect.memory.model.usage import Usage
from recollect.memory.state import State, state_of
from tests.memory.state.contract import (
    ALICE,
    NOON,
    GraphContract,
    HistoryContract,
    ScriptedContract,
    StateContract,
    job,
    part,
    record,
    turn,
)
from tests.memory.state.contracts.transactions import TransactionContract
from tests.support.folding import rows
from tests.support.state import opened_state


@pytest.fixture
async def scripts():
    opened = in_memory()
    yield opened
    await opened.close()


@pytest.fixture
def state(scripts):
    return state_of(scripts)


@pytest.fixture
def history(scripts):
    return SqlHistory(scripts)


@pytest.fixture
def graph(scripts):
    return SqlGraph(scripts)


async def opened(folder: Path) -> tuple[State, SqlHistory]:
    state = await opened_state(folder / "recollect.db")
    return state, SqlHistory(state.scripts)


class TestSqliteState(StateContract, TransactionContract):
    """The fixture `state` is that of this module."""


class TestHistory(HistoryContract):
    """The fixture `history` is that of this module."""


class TestGraph(GraphContract):
    """The fixture `graph` is that of this module."""


class TestFile(ScriptedContract, TransactionContract):
    """The statements are the same in a file: what is done at random tells whether they all run."""

    @pytest.fixture
    async def scripts(self, tmp_path):
        opened = await open_sqlite(tmp_path / "recollect.db")
        yield opened
        await opened.close()

    conversations, jobs = part("conversations"), part("jobs")

    test_turns = StateContract.test_any_sequence_is_counted_right
    test_jobs = StateContract.test_any_sequence_keeps_the_promises
    test_links = GraphContract.test_any_sequence_as_in_the_model


async def test_everything_survives_a_restart(tmp_path):
    """Nothing that was acknowledged is lost, and no budget is refilled."""
    today, soon = date(2026, 3, 2), NOON + timedelta(minutes=15)
    added = record("m", EventKind.ADD)
    state, history = await opened(tmp_path)
    await state.conversations.record(turn("a", recalled=("m1",)))
    await state.conversations.record(turn("b"))
    await state.conversations.mark_learned("c1", 1)
    await state.jobs.put(job("j"))
    await state.jobs.claim(now=NOON, lease_seconds=60)
    await state.ledger.spend("local", today, Spent(1, 2, 3))
    await state.standings.change("local", "m", None, "rests")
    await state.offers.put("local", "n", "ids", now=NOON, until=soon)
    await state.tombstones.add("local", ["a"])
    await state.tombstones.close_scope(ALICE)
    epoch = await state.tombstones.epoch(ALICE)
    await history.append([added])
    await state.close()

    state, history = await opened(tmp_path)
    assert [t.seq for t in await state.conversations.unlearned("c1", 9)] == [2]
    assert await state.jobs.counts() == {"ready": 1, "leased": 0, "done": 0, "dead": 0}
    assert await state.ledger.spent("local", today) == Spent(1, 2, 3)
    assert await state.standings.of("local") == {"m": "rests"}
    assert await state.offers.take("local", "n", now=NOON) == "ids"
    assert await state.tombstones.among("local", ["a", "b"]) == {"a"}
    assert await state.tombstones.epoch(ALICE) == epoch
    assert await state.usage.settle() == 1
    assert await history.of("local", "m") == [added]
    await state.close()

    state, _ = await opened(tmp_path)
    await state.conversations.record(turn("a", recalled=("m1",)))
    assert await state.usage.settle() == 1
    assert await state.usage.of("local", ["m1"]) == {"m1": Usage(recalled=1, last_recalled=NOON)}
    await state.close()


async def test_jobs_of_a_dead_process_are_taken_back(tmp_path):
    """A lease is ended early only when no living process can hold it."""
    path = tmp_path / "state.db"
    state = await opened_state(path)
    jobs = state.jobs
    await jobs.put(job("j"))
    held = await jobs.claim(now=NOON, lease_seconds=600)
    assert held is not None

    beside = await opened_state(path)
    assert await beside.jobs.claim(now=NOON, lease_seconds=600) is None
    await beside.close()

    await state.close()
    after = await opened_state(path)
    again = await after.jobs.claim(now=NOON, lease_seconds=600)
    assert again is not None
    assert again.attempts == 2
    await after.close()


async def test_a_cancelled_job_of_a_dead_process_is_cleaned_up(tmp_path):
    """What was forgotten while a process held it stays forgotten when that one is gone."""
    path = tmp_path / "state.db"
    state = await opened_state(path)
    await state.jobs.put(job("j"))
    held = await state.jobs.claim(now=NOON, lease_seconds=600)
    assert held is not None
    await state.jobs.save_checkpoint(held, "secret")
    await state.jobs.erase(ALICE)
    await state.close()

    state = await opened_state(path)
    assert not await state.jobs.ack(held)
    again = await state.jobs.claim(now=NOON, lease_seconds=600)
    assert again is not None
    assert (again.cancelled, again.checkpoint) == (True, None)
    assert await state.jobs.ack(again)
    assert await state.jobs.depth() == 0
    await state.close()


async def test_texts_come_back_as_they_were_given(state, history):
    """With signs that no database keeps, and the one that escapes them; but for half a character."""
    text = "\x1b[1m \x1b0 \x00"
    added = replace(record("m", EventKind.ADD), new_value=text)
    await history.append([added, replace(added, id="n", memory_id="n", new_value="a\ud83d")])
    assert await history.of("local", "m") == [added]
    assert (await history.of("local", "n"))[0].new_value == "a?"
    await state.conversations.record(replace(turn("a"), user_text=text))
    assert (await state.conversations.unlearned("c1", 9))[0].user_text == text


async def test_indexes_serve_what_is_asked_often(state):
    """Claiming, the queue's bound, forgetting a user and counting uses read no whole tables."""

    def plans(connection: sqlite3.Connection) -> list[str]:
        questions = (
            "SELECT count(*) FROM jobs WHERE state IN ('ready', 'leased')",
            "SELECT max(queued_order) FROM jobs",
            "SELECT id FROM jobs WHERE tenant = 't' ORDER BY queued_order DESC LIMIT 9",
            "SELECT id FROM turns WHERE erased = 0 AND tenant = 't' AND user_id = 'u'",
            "SELECT id FROM turns WHERE erased = 0 AND learned = 1 AND created_at < 9",
            "SELECT sum(tokens) FROM turns WHERE conversation_id = 'c' AND learned = 0 AND id <> 'i'",
            "SELECT id FROM turns WHERE uncounted IS NOT NULL LIMIT 9",
            "DELETE FROM occasions WHERE tenant = 't' AND memory_id IN ('m')",
            "DELETE FROM occasions WHERE at < 9",
        )
        rows = [connection.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall() for sql in questions]
        return [" ".join(row[3] for row in plan) for plan in rows]

    for plan in await state.scripts.database.run(plans):
        assert "USING" in plan
        assert "INDEX" in plan or "PRIMARY KEY" in plan
        assert "TEMP B-TREE" not in plan


texts = st.text(st.characters(exclude_categories=("Cs",)))


@given(
    text=texts,
    steps=st.lists(st.builds(ToolStep, texts, texts, texts)).map(tuple),
    recalled=st.lists(texts).map(tuple),
    images=st.lists(texts).map(tuple),
    tokens=st.integers(0, 2**60),
)
def test_any_turn_comes_back(text, steps, recalled, images, tokens):
    """Whatever stands in a turn, its row says the same; a new field of a turn is not forgotten."""
    given = replace(
        turn("a", steps=steps, recalled=recalled, images=images, tokens=tokens), user_text=text
    )
    values = {**turn_values(given), "seq": 3}
    row = tuple(values[column] for column in TURN.names.split(", "))
    assert TURN.read(row) == replace(given, seq=3)


@rows(
    "kinds, columns",
    [((Turn,), TURN.names), ((HistoryRecord,), RECORD.names), ((Job, JobReport), REPORT)],
)
def test_every_field_has_its_column(kinds, columns):
    """A field that is added to a type is missed here, and not in somebody's turns."""
    named = {field.name for kind in kinds for field in fields(kind)} - {"job", "scope", "upstream"}
    assert named == set(columns.split(", ")) - {"tenant", "user_id", "agent_id", "run_id"}
