"""The two switches of an operator."""

import pytest

from recollect.memory.engine import switchboard
from recollect.memory.engine.switchboard import Switchboard
from recollect.memory.model.errors import StateError
from recollect.memory.util.mesh import SiblingFailedError
from recollect.memory.util.tasks import Tasks
from tests.memory.state.samples import turn
from tests.support.parts import engine_of
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


class OneMesh:
    """Tells another board of the same state, or fails."""

    def __init__(self):
        self.heard, self.handler = None, None

    def on(self, _topic, handler):
        self.handler = handler

    async def tell(self, _topic):
        if self.heard is None:
            raise SiblingFailedError("worker 2 does not answer")
        await self.heard.handler({})


@pytest.fixture
def kept():
    return Kept()


async def test_everything_is_on_until_it_is_turned(kept):
    """What is turned counts at once, for all who asked to be told, and after a restart."""
    board, told = Switchboard(kept), []
    board.told.append(lambda: told.append((board.recall, board.learn)))
    await board.load()
    await board.turn(learn=False)
    await board.turn(recall=False)
    await board.turn(learn=True)
    assert told == [(True, True), (True, False), (False, False), (False, True)]
    again = Switchboard(kept)
    await again.load()
    assert (again.recall, again.learn) == (False, True)


async def test_what_cannot_be_kept_is_not_turned(kept):
    """It would be on again after a restart, and nobody would know."""
    board, kept.fails = Switchboard(kept), True
    with pytest.raises(StateError):
        await board.turn(recall=False)
    assert board.recall


async def test_siblings_are_told(kept, caplog):
    """At once; who does not answer is named in the log and follows later."""
    mesh, there = OneMesh(), OneMesh()
    other = Switchboard(kept, there)
    board = Switchboard(kept, mesh)
    await board.turn(recall=False)
    assert "worker 2 does not answer; it follows in a moment" in caplog.text
    mesh.heard = there
    await board.turn(learn=False)
    assert (other.recall, other.learn) == (False, False)


async def test_other_hosts_follow(kept, monkeypatch):
    """They look again and again."""
    monkeypatch.setattr(switchboard, "FOLLOW_SECONDS", 0.001)
    board, tasks = Switchboard(kept), Tasks()
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
