from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.calibration import SAFE, Calibration
from recollect.memory.learn.triggers import (
    drift_bound,
    drift_job,
    drifted,
    job_for,
    tokens_due,
    turns_due,
)
from recollect.memory.model.types import Turn
from tests.support.folding import rows

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


@rows("pending, due", [(0, False), (1, False), (9, False), (10, True), (11, False), (20, True)])
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


@given(st.lists(st.integers(0, 5000), max_size=40), st.integers(100, 9000))
def test_tokens_are_due_once_for_each_crossing(turns, every):
    """However large the turns, as often as they passed a multiple."""
    before, fired, crossed = 0, 0, 0
    for tokens in turns:
        after = before + tokens
        fired += tokens_due(before, after, every=every)
        crossed += after // every > before // every
        before = after
    assert fired == crossed <= sum(turns) // every


@rows("before, after, due", [(0, 0, False), (0, 99, False), (0, 100, True), (99, 100, True), (100, 199, False),
     (199, 450, True), (100, 100, False), (150, 50, False), (-50, 20, False), (-50, 100, True)])  # fmt: skip
def test_crossings(before, after, due):
    """Hit or passed, not left behind; an answer that became shorter is no crossing."""
    assert tokens_due(before, after, every=100) is due


def vector(*values):
    return np.array(values, np.float32)


def test_drift():
    """Vectors that point apart are another topic, neighbours are not."""
    assert drifted(vector(1, 0), vector(0, 1), 0.25)
    assert not drifted(vector(1, 0), vector(0.6, 0.8), 0.25)
    assert not drifted(vector(1, 0), vector(1, 0), 1.0)


def test_vectors_that_cannot_be_compared_show_no_drift():
    """Another length, none, nothing, or not numbers."""
    one = vector(1, 0)
    for other in (vector(1, 0, 0), vector(0, 0), vector(np.nan, 0)):
        assert not drifted(one, other, 0.9)
        assert not drifted(other, one, 0.9)
    assert not drifted(vector(), vector(), 0.9)


def test_the_bound_follows_from_the_calibration():
    """What says nothing about a query says nothing about a message; it is an embedder's own."""
    assert drift_bound(Calibration(recall=0.3, update=0.5, same=0.9)) == 0.3
    assert drift_bound(SAFE) == SAFE.recall


def test_a_drift_is_due_up_to_the_turn_before():
    """What was said about the old topic belongs together; the new one has just begun."""
    turns = [replace(TURN, id=f"t{n}", seq=n) for n in (4, 5, 6)]
    job = drift_job(turns)
    assert (job.upto_seq, job.reason) == (5, "drift")
    assert job.id == job_for(turns[1], 5, reason="turns").id
    assert drift_job(turns[:1]) is None
    assert drift_job([]) is None
