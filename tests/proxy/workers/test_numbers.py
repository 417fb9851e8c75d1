"""How many workers, and how soon one is started again."""

from __future__ import annotations

import os

import pytest

from recollect.proxy.workers.numbers import LONGEST_SECONDS, pause, workers_of


def test_all_are_as_many_as_the_cores_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that it may use; where the system does not tell, those of the machine."""
    assert workers_of(3) == 3
    assert workers_of("all") == len(os.sched_getaffinity(0))
    monkeypatch.delattr(os, "sched_getaffinity")
    assert workers_of("all") == os.cpu_count()


def test_whoever_dies_of_its_start_is_started_again_more_slowly() -> None:
    """At once after a death that came late; then after 1, 2, 4 seconds, up to a bound."""
    assert [pause(deaths) for deaths in (1, 2, 3, 4)] == [0, 1, 2, 4]
    assert pause(50) == LONGEST_SECONDS
