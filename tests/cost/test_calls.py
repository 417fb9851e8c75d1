"""What is heard is counted in every thread that works for the product, and nowhere else."""

from __future__ import annotations

import asyncio
import json
import threading

from .calls import Calls, Tally, unheard
from .elsewhere import call, call_in_a_thread, go_to_a_thread, parse, start_tasks


def heard(work):
    """The tally of `work` in a thread that is heard."""
    calls = Calls()

    def run():
        calls.counting = True
        work()
        calls.counting = False

    with calls.hearing():
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    return calls.tally


def counted(work):
    """The calls of `work`."""
    return heard(work).functions


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
    assert calls.tally == Tally()


def test_a_block_can_be_left_out():
    """The work of a model or a server is no call of ours; what comes after it is."""

    def work():
        with unheard():
            call(100)
        call(1)

    assert counted(work) - counted(lambda: None) == 2 + 3


def test_each_reading_of_a_body_counts():
    """A body that is decoded and parsed twice is copied twice as often; writing it counts too."""
    body = json.dumps([1, 2, "three"])
    once, twice = (heard(lambda times=times: parse(body, times)).copied for times in (1, 2))
    assert once == 4 * len(body)
    assert twice - once == 2 * len(body)


def test_tasks_and_hops_between_threads_count():
    """A task each; two hops for work that goes to a thread and comes back."""

    def work(make, times):
        return heard(lambda: asyncio.run(make(times)))

    assert work(start_tasks, 7).tasks - work(start_tasks, 2).tasks == 5
    assert work(go_to_a_thread, 7).hops - work(go_to_a_thread, 2).hops == 2 * 5
