"""What the use of a memory is worth."""

from dataclasses import replace

from recollect.memory.model.usage import OFTEN, UNUSED, Usage


def test_recalls_are_worth_more_and_more_up_to_a_bound():
    """Nothing without one, half at `OFTEN`, never more than 1."""
    values = [Usage(recalled=count).worth for count in (0, 1, int(OFTEN), 100, 10**9)]
    assert values == sorted(values)
    assert (values[0], values[2], UNUSED.worth) == (0, 0.5, 0)
    assert values[-1] <= 1


def test_feedback_can_take_the_worth():
    """If more of it is negative than positive."""
    used = Usage(recalled=9, positive=1, negative=1)
    assert used.worth > 0
    assert replace(used, negative=2).worth == 0
