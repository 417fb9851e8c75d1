import asyncio

import numpy as np
import pytest

from recollect.memory.embedders.batcher import Batcher, in_background
from recollect.memory.embedders.call_queue import BULK_EVERY, QUESTION_TEXTS
from recollect.memory.model.errors import EmbeddingError

DIM = 4


class Runs:
    """Runs that end when the test says so, and what each was asked for."""

    def __init__(self):
        self.asked = []
        self.cancelled = []
        self._done = []

    def start(self, texts, done):
        number = len(self.asked)
        self.asked.append(texts)
        self._done.append(done)
        return lambda: self.cancelled.append(number)

    async def end(self, number, *, rows=None, error=None):
        """The run ends, with a row for each text unless told otherwise."""

        def result():
            if error is not None:
                raise error
            return vectors(self.asked[number]) if rows is None else rows

        self._done[number](result)
        await turn()


def vectors(texts):
    """A row that tells its text: its number in the first place."""
    return np.array([[float(text), 0, 0, 1] for text in texts], np.float32)


async def turn():
    for _ in range(3):
        await asyncio.sleep(0)


@pytest.fixture
def runs():
    return Runs()


def batcher(runs, *, slots=1, max_batch=16):
    return Batcher(runs.start, dim=DIM, max_batch=max_batch, slots=slots)


async def ask(batch, *texts):
    """A call that has begun to wait."""
    call = asyncio.ensure_future(batch.embed([str(text) for text in texts]))
    await asyncio.sleep(0)
    return call


async def test_what_waits_goes_together(runs):
    """While a run goes on, all that comes is gathered for the next, and each gets its own."""
    batch = batcher(runs)
    calls = [await ask(batch, 1), await ask(batch, 2, 3), await ask(batch, 4), await ask(batch, 5)]
    await runs.end(0)
    assert runs.asked == [["1"], ["2", "3", "4", "5"]]
    await runs.end(1)
    assert [(await call)[:, 0].tolist() for call in calls] == [[1], [2, 3], [4], [5]]


async def test_bulk_is_run_in_pieces_with_questions_between(runs):
    """A question waits for one run of a bulk call and not for all of it."""
    batch = batcher(runs, max_batch=10)
    bulk = await ask(batch, *range(25))
    question = await ask(batch, 99)
    await runs.end(0)
    assert runs.asked[1] == ["99"]
    await runs.end(1)
    assert (await question)[0, 0] == 99
    await runs.end(2)
    await runs.end(3)
    assert [len(texts) for texts in runs.asked] == [10, 1, 10, 5]
    assert (await bulk)[:, 0].tolist() == list(range(25))


async def test_bulk_never_stops(runs):
    """However many questions wait, every fourth run is bulk's, of which each call has its turn."""
    batch = batcher(runs, max_batch=1)
    calls = [await ask(batch, number) for number in range(4 * BULK_EVERY)]
    calls += [await ask(batch, *[number] * (QUESTION_TEXTS + 1)) for number in (98, 99)]
    for number in range(4 * BULK_EVERY):
        await runs.end(number)
    of_bulk = [(n, text) for n, [text] in enumerate(runs.asked) if text in {"98", "99"}]
    assert of_bulk == [(n * BULK_EVERY, ("99", "98")[n % 2]) for n in (1, 2, 3, 4)]
    for call in calls:
        call.cancel()


async def test_bulk_leaves_a_slot_free(runs):
    """However many bulk calls wait, a question finds a slot."""
    batch = batcher(runs, slots=2)
    bulk = [await ask(batch, *range(QUESTION_TEXTS + 1)) for _ in range(3)]
    assert len(runs.asked) == 1
    question = await ask(batch, 99)
    assert runs.asked[1] == ["99"]
    for call in [*bulk, question]:
        call.cancel()


async def test_who_leaves_before_the_run_is_not_run(runs):
    """A cancelled call's texts are dropped, and the others go without it."""
    batch = batcher(runs)
    first, second, third = [await ask(batch, i) for i in (1, 2, 3)]
    second.cancel()
    await turn()
    await runs.end(0)
    assert runs.asked == [["1"], ["3"]]
    await runs.end(1)
    assert ((await first)[0, 0], (await third)[0, 0]) == (1, 3)
    assert second.cancelled()


async def test_who_leaves_during_the_run_harms_nobody(runs):
    """The others of the run get theirs; it is cancelled only when the last has left."""
    batch = batcher(runs)
    calls = [await ask(batch, i) for i in range(4)]
    await runs.end(0)
    calls[1].cancel()
    await turn()
    assert runs.cancelled == []
    await runs.end(1)
    assert [(await calls[i])[0, 0] for i in (0, 2, 3)] == [0, 2, 3]
    last = await ask(batch, 9)
    last.cancel()
    await turn()
    assert runs.cancelled == [2]


async def test_an_error_stays_with_its_text(runs):
    """A failed run of several calls is repeated one by one: only the guilty call fails."""
    batch = batcher(runs)
    calls = [await ask(batch, i) for i in range(4)]
    await runs.end(0)
    await runs.end(1, error=EmbeddingError("refused"))
    assert runs.asked[2] == ["1"]
    later = await ask(batch, 9)
    await runs.end(2)
    await runs.end(3, error=EmbeddingError("refused 2"))
    await runs.end(4)
    await runs.end(5)
    assert runs.asked[2:] == [["1"], ["2"], ["3"], ["9"]]
    assert [(await call)[0, 0] for call in (calls[0], calls[1], calls[3], later)] == [0, 1, 3, 9]
    with pytest.raises(EmbeddingError, match="refused 2"):
        await calls[2]


async def test_answers_that_make_no_sense(runs):
    """Rows of the wrong number or length are an EmbeddingError, not a hang, in any piece of a call."""
    batch = batcher(runs, max_batch=10)
    for number, rows in enumerate((np.zeros((0, DIM)), np.zeros((2, DIM)), np.zeros(DIM))):
        call = await ask(batch, 1)
        await runs.end(number, rows=rows.astype(np.float32))
        with pytest.raises(EmbeddingError, match=f"got {len(rows)}|dim={DIM}"):
            await call
    bulk = await ask(batch, *range(20))
    await runs.end(3)
    await runs.end(4, rows=np.ones((10, DIM * 2), np.float32))
    with pytest.raises(EmbeddingError, match=f"dim={DIM}"):
        await bulk


async def test_close(runs):
    """Waiting calls fail, running ones are cancelled if they can be, later ones are refused."""
    batch = batcher(runs, max_batch=10)
    bulk = await ask(batch, *range(20))
    waiting = await ask(batch, 2)
    batch.close()
    assert runs.cancelled == [0]
    await runs.end(0)
    for call in (bulk, waiting, await ask(batch, 3)):
        with pytest.raises(EmbeddingError, match="closed"):
            await call
    assert len(runs.asked) == 1


async def test_a_cancelled_run_is_an_error_to_those_who_wait(runs):
    """Closing never looks like the caller's own cancellation."""
    batch = batcher(runs)
    call = await ask(batch, 1)
    await runs.end(0, error=asyncio.CancelledError())
    with pytest.raises(EmbeddingError, match="closed"):
        await call


async def test_the_background_comes_in_small_runs_after_questions(runs):
    """However few texts nobody waits for: a question waits for one small run of them at most."""
    batch = Batcher(runs.start, dim=DIM, max_batch=16, slots=1, background_batch=1)
    with in_background():
        learning = await ask(batch, 1, 2, 3)
    questions = [await ask(batch, 7), await ask(batch, 8)]
    for number in range(4):
        await runs.end(number)
    assert runs.asked == [["1"], ["7", "8"], ["2"], ["3"]]
    assert (await learning)[:, 0].tolist() == [1, 2, 3]
    assert [(await question)[0, 0] for question in questions] == [7, 8]
