"""Function calls are counted in every thread that is heard, and nowhere else."""

from __future__ import annotations

import threading

from .calls import Calls, unheard
from .elsewhere import call, call_in_a_thread


def counted(work, calls=None):
    """The calls of `work` in a thread that is heard."""
    calls = calls or Calls()

    def run():
        calls.counting = True
        work()
        calls.counting = False

    with calls.hearing():
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    return calls.number


def test_each_call_counts_once():
    """Functions of Python and of C, and each time a generator goes on, the last time too."""
    nothing = counted(lambda: None)
    assert counted(lambda: call(1)) - nothing == 2 + 3
    assert counted(lambda: call(100)) - nothing == 2 + 3 * 100


def test_threads_that_are_started_count_too():
    """What is handed to another thread is not lost."""
    assert counted(lambda: call_in_a_thread(100)) >= 300


def test_threads_that_were_there_before_do_not_count():
    """Clients and upstreams run beside the product, and are not heard."""
    calls, go = Calls(), threading.Event()

    def wait():
        go.wait()
        call(100)

    before = threading.Thread(target=wait)
    before.start()
    calls.counting = True
    with calls.hearing():
        go.set()
        before.join()
    assert calls.number == 0


def test_a_block_can_be_left_out():
    """The work of a model or a server is no call of ours; what comes after it is."""

    def work():
        with unheard():
            call(100)
        call(1)

    assert counted(work) - counted(lambda: None) == 2 + 3
