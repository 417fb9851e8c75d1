from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.learn.triggers import job_for, turns_due
from memory.types import Turn

from .doubles import ALICE, NOON

TURN = Turn(
    id="t",
    conversation_id="c",
    scope=ALICE,
    user_text="u",
    assistant_text="a",
    model="m",
    created_at=NOON,
)


@pytest.mark.parametrize(
    ("pending", "due"), [(0, False), (1, False), (9, False), (10, True), (11, False), (20, True)]
)
def test_every_tenth_turn(pending, due):
    """A job starts at each full count of waiting turns and at no other."""
    assert turns_due(pending, every=10) is due


@given(st.integers(1, 200), st.integers(1, 50))
def test_one_job_for_each_full_count(turns, every):
    """While nothing is learned, so many turns start one job for each full count among them."""
    assert sum(turns_due(n, every=every) for n in range(turns + 1)) == turns // every


def test_a_job_is_named_by_its_end():
    """Two triggers for the same last turn are one job; its scope and reason come along."""
    job = job_for(TURN, 7, reason="idle")
    again = job_for(replace(TURN, user_text="other"), 7, reason="flush")
    assert job.id == again.id != job_for(TURN, 8, reason="idle").id
    assert (job.scope, job.conversation_id, job.upto_seq, job.reason) == (ALICE, "c", 7, "idle")
    assert job.id != job_for(replace(TURN, conversation_id="d"), 7, reason="idle").id
