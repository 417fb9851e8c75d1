"""Learning lets requests go first between two facts."""

import threading
from dataclasses import replace

import pytest

from recollect.memory.learn import learner
from recollect.memory.learn.believing import sort_by_trust

from .test_learner import World, said


async def test_requests_go_first_before_each_fact_is_judged(monkeypatch):
    """One fact at a time: before each, learning waits for a gap between requests."""
    seen = []

    async def pause():
        seen.append("gap")

    def judged(*given, **how):
        seen.append("judged")
        sort_by_trust(*given, **how)

    monkeypatch.setattr(learner, "sort_by_trust", judged)
    world = World()
    world.learner._pause = pause
    await world.learned("User likes tea", "User lives in Oslo", "User has a dog")
    at = [number for number, one in enumerate(seen) if one == "judged"]
    assert len(at) == 3
    assert [seen[number - 1] for number in at] == ["gap"] * 3


@pytest.mark.parametrize("size", [10, 2000])
async def test_long_turns_are_judged_in_a_thread(monkeypatch, size):
    """Short ones on the loop: a hop between threads costs more than it saves."""
    where = []

    def judged(*given, **how):
        where.append(threading.current_thread() is threading.main_thread())
        sort_by_trust(*given, **how)

    monkeypatch.setattr(learner, "sort_by_trust", judged)
    turns = [replace(said("User likes tea"), assistant_text="Fine. " * (size // 6))]
    await World().learned("User likes tea", turns=turns)
    assert where == [size < learner.INLINE_CHARS]
