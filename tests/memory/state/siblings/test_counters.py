"""Counters that several processes share."""

from __future__ import annotations

import subprocess
import sys

import pytest

from recollect.memory.state.siblings.counters import SharedCounters
from recollect.memory.util.siblings import Sibling

COUNT = """
import sys
from pathlib import Path
from recollect.memory.state.siblings.counters import SharedCounters
counters = SharedCounters(Path(sys.argv[1]), number=1, count=2)
for _ in range(1000):
    counters.count("alice")
print(counters.value("alice"))
"""


def test_what_one_counts_all_see(tmp_path):
    """At once; a key that nobody counted is 0, and each value is that of all together."""
    one, two = (SharedCounters.of(Sibling(tmp_path, number, 2)) for number in range(2))
    assert one.value("alice") == 0
    assert (one.count("alice"), two.count("alice"), one.count("alice")) == (1, 2, 3)
    assert (two.value("alice"), two.value("bob")) == (3, 0)


def test_they_outlive_a_process(tmp_path):
    """A worker that starts again goes on where the dead one was: no value comes twice."""
    first = SharedCounters.of(Sibling(tmp_path, 0, 2))
    first.count("alice")
    first.close()
    assert SharedCounters.of(Sibling(tmp_path, 0, 2)).count("alice") == 2


@pytest.mark.process
def test_two_processes_lose_no_count(tmp_path):
    """Without a lock: each counts in cells of its own."""
    path = tmp_path / "counters"
    ours = SharedCounters(path, number=0, count=2)
    other = subprocess.Popen([sys.executable, "-c", COUNT, str(path)], stdout=subprocess.PIPE)
    for _ in range(1000):
        ours.count("alice")
    other.communicate(timeout=60)
    assert ours.value("alice") == 2000
