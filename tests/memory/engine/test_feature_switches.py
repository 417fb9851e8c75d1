"""The two switches of an operator."""

import pytest

from recollect.memory.engine import feature_switches
from recollect.memory.engine.feature_switches import FeatureSwitches
from recollect.memory.model.errors import StateError
from recollect.memory.util.tasks import Tasks
from tests.memory.state.samples import turn
from tests.support.parts import engine_of
from tests.support.sharing import log_over
from tests.support.state import in_memory_scripts
from tests.support.waiting import until


class Kept:
    def __init__(self):
        self.values = {}
        self.fails = False

    async def read(self):
        return dict(self.values)

    async def write(self, values):
        if self.fails:
            raise StateError("down")
        self.values |= values


@pytest.fixture
def kept():
    return Kept()


async def test_everything_is_on_until_it_is_turned(kept):
    """What is turned counts at once, for all who asked to be told, and after a restart."""
    board, told = FeatureSwitches(kept), []
    board.told.append(lambda: told.append((board.recall, board.learn)))
    await board.load()
    await board.turn(learn=False)
    await board.turn(recall=False)
    await board.turn(learn=True)
    assert told == [(True, True), (True, False), (False, False), (False, True)]
    again = FeatureSwitches(kept)
    await again.load()
    assert (again.recall, again.learn) == (False, True)


async def test_what_cannot_be_kept_is_not_turned(kept):
    """It would be on again after a restart, and nobody would know."""
    board, kept.fails = FeatureSwitches(kept), True
    with pytest.raises(StateError):
        await board.turn(recall=False)
    assert board.recall


async def test_other_processes_are_told(kept):
    """With the next line that they read, and whoever asked to be told there."""
    scripts = in_memory_scripts()
    logs = [log_over(scripts) for _ in range(2)]
    board, other = (FeatureSwitches(kept, log) for log in logs)
    await logs[1].read()
    told: list[bool] = []
    other.told.append(lambda: told.append(other.learn))
    await board.turn(recall=False)
    await board.turn(learn=False)
    await logs[1].read()
    assert (other.recall, other.learn) == (False, False)
    assert told == [True, False]


async def test_other_processes_look_for_what_is_refused(kept):
    """From the next line on that they read, whatever they knew before."""
    scripts = in_memory_scripts()
    logs = [log_over(scripts) for _ in range(2)]
    board, other = (FeatureSwitches(kept, log) for log in logs)
    await other.load()
    await logs[1].read()
    await board.refuse()
    assert other.refuses is False
    await logs[1].read()
    assert other.refuses is None
    await other.load()
    assert other.refuses is True


@pytest.mark.parametrize("told", [False, True], ids=["here", "elsewhere"])
async def test_what_is_turned_while_it_is_read_counts(kept, told):
    """Here or in another process: what was kept before is not in force again."""
    scripts = in_memory_scripts()
    logs = [log_over(scripts) for _ in range(2)]
    here, there = (FeatureSwitches(kept, log) for log in logs)
    await logs[1].read()
    read = kept.read

    async def late():
        before = await read()
        kept.read = read
        await (here if told else there).turn(recall=False)
        await logs[1].read()
        return before

    kept.read = late
    await there.load()
    assert not there.recall


async def test_others_follow_without_a_word(kept, monkeypatch):
    """They look again and again."""
    monkeypatch.setattr(feature_switches, "FOLLOW_SECONDS", 0.001)
    board, tasks = FeatureSwitches(kept), Tasks()
    tasks.start(board.follow(), name="switches")
    await kept.write({"recall": False})
    await until(lambda: not board.recall, "the other process's switch")
    await tasks.drain(0)


async def test_no_job_begins_while_learning_is_off():
    """A flush says what waits and ends; the queue stays as it is, and on again, learning goes on."""
    engine = engine_of()
    await engine.parts.state.conversations.record(turn("a"))
    await engine.switches.turn(learn=False)
    assert engine.background.worker.paused
    assert await engine.background.learning.flush(None) == []
    assert await engine.background.worker.run_one() is None
    assert (await engine.parts.state.jobs.counts())["ready"] == 1
    await engine.switches.turn(learn=True)
    assert not engine.background.worker.paused


async def test_nobody_looks_for_what_is_refused_before_something_is(kept):
    """It is kept, so that other processes and later ones look; before anything is read, all do."""
    board = FeatureSwitches(kept)
    assert board.refuses is None
    await board.load()
    assert board.refuses is False
    await board.refuse()
    later = FeatureSwitches(kept)
    await later.load()
    assert board.refuses is later.refuses is True
    assert later.recall is later.learn is True
