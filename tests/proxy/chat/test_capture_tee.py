"""Capturing beside the stream. With real streams: test_memory_route.py."""

import asyncio
import threading
from types import SimpleNamespace

from recollect.memory.util.fair_thread_pool import FairThreadPool
from recollect.memory.util.tasks import Tasks
from recollect.proxy.chat.capture_tee import CaptureTee
from recollect.proxy.dialects.chat import read_chat_answer
from recollect.proxy.dialects.sse import DoneDetector
from recollect.proxy.dialects.transcript import Transcript

EVENT = b'data: {"choices":[{"delta":{"content":"hi"}}]}\n\n'
DONE = b"data: [DONE]\n\n"


class Kept:
    """Stands for the pipeline; `hang` makes the first capture wait."""

    def __init__(self, *, hang=False):
        self.answers = []
        self.hang = hang

    def unreadable(self, _exchange):
        self.answers.append(None)

    async def capture(self, _exchange, answer):
        if self.hang:
            self.hang = False
            await asyncio.sleep(3600)
        self.answers.append((answer.text, answer.complete))


def tee_of(kept, noted, tasks=None, read=read_chat_answer):
    transcript = Transcript(read, stream=True, end_detector=DoneDetector())
    exchange = SimpleNamespace(scope="alice")
    return CaptureTee(exchange, transcript, kept, tasks, FairThreadPool(1), noted.append)


async def test_a_large_answer_is_read_off_the_loop():
    """Of many events, or of one with many values: it holds nobody up."""
    for events in (EVENT * 10_000, b'data: {"choices":[%s0]}\n\n' % (b"[]," * 200_000)):
        kept, threads = Kept(), []

        def read(values, threads=threads):
            threads.append(threading.current_thread())
            return read_chat_answer(values)

        tee = tee_of(kept, [], read=read)
        tee.feed(events)
        tee.feed(DONE)
        await tee.finish(complete=True)
        assert len(kept.answers) == 1
        assert threads
        assert threading.main_thread() not in threads


async def test_what_cannot_be_read_is_counted_once():
    """A whole answer that says nothing is not dropped in silence; one that was cut or is empty is."""
    kept = Kept()
    tee = tee_of(kept, [])
    await tee.finish(complete=True)
    tee.feed(b"<html>")
    await tee.finish(complete=False)
    assert kept.answers == []
    tee.feed(b"</html>")
    await tee.finish(complete=True)
    await tee.finish(complete=True)
    assert kept.answers == [None]


async def test_a_capture_that_was_cancelled_is_done_again():
    """A client that leaves while its turn is written loses nothing: what came is incomplete."""
    kept, tasks = Kept(hang=True), Tasks()
    tee = tee_of(kept, [], tasks)
    tee.feed(EVENT)
    waiting = asyncio.ensure_future(tee.finish(complete=True))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    tee.abandon()
    await tasks.drain(5)
    assert kept.answers == [("hi", False)]
