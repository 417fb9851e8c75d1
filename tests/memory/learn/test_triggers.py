from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.triggers import (
    drift_job,
    drifted,
    job_for,
    tokens_due,
    turns_due,
)
from tests.support.folding import rows

from .doubles import ALICE, NOON, a_turn

TURN = a_turn("t", "c", ALICE, "u", "a", NOON)


@rows("pending, due", [(0, False), (1, False), (9, False), (10, True), (11, False), (20, True)])
def test_every_tenth_turn(pending, due):
    """A job starts at each full count of waiting turns and at no other."""
    assert turns_due(pending, every=10) is due


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


def vector(*values):
    return np.array(values, np.float32)


def test_drift():
    """Vectors that point apart are another topic, neighbours are not."""
    assert drifted(vector(1, 0), vector(0, 1), 0.25)
    assert not drifted(vector(1, 0), vector(0.6, 0.8), 0.25)
    assert not drifted(vector(1, 0), vector(1, 0), 1.0)


def test_a_drift_is_due_up_to_the_turn_before():
    """What was said about the old topic belongs together; the new one has just begun."""
    turns = [replace(TURN, id=f"t{n}", seq=n) for n in (4, 5, 6)]
    job = drift_job(turns)
    assert (job.upto_seq, job.reason) == (5, "drift")
    assert job.id == job_for(turns[1], 5, reason="turns").id
    assert drift_job(turns[:1]) is None
    assert drift_job([]) is None
