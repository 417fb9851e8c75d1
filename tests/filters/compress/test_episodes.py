"""Which episodes may stand for old turns."""

from dataclasses import replace
from datetime import timedelta

from recollect.filters.compress.episodes import usable
from recollect.memory.model.types import MemoryStatus, MemoryType, Source

from .long_chats import NOON, episode

IDS = [f"t{number}" for number in range(10)]
DATES = {name: NOON + timedelta(minutes=at) for at, name in enumerate(IDS)}


def found(*episodes, dates=DATES, gap=1):
    return usable(episodes, IDS, dates, step=3, keep=2, gap=timedelta(minutes=gap))


def test_an_episode_counts_where_it_ends():
    """Two that end with the same turn are told together, in any order they come."""
    one, two = episode("One.", IDS[:2], minute=1), episode("Two.", IDS[1:2], minute=2)
    assert found(one, two) == found(two, one) == {"t1": "One. Two."}


def test_only_what_was_written_before_its_turns_were_taken_out():
    """With steps of three and two turns kept, the first step is taken out after the fifth turn."""
    assert found(episode("In time.", IDS[:3], minute=3)) == {"t2": "In time."}
    assert found(episode("Late.", IDS[:3], minute=4)) == {}
    assert found(episode("In time.", IDS[:4], minute=6)) == {"t3": "In time."}


def test_a_stretch_that_may_go_on_is_not_told_yet():
    """Without a pause after its last turn its episode will be rewritten."""
    told = episode("Told.", IDS[:2], minute=1)
    assert found(told, gap=2) == {}
    assert found(told, dates={name: at for name, at in DATES.items() if name != "t2"}) == {}


def test_whatever_is_not_whole_stays_out():
    """An erased, unknown or unrecorded turn, another type or status, and what others said."""
    told = episode("Told.", IDS[:2], minute=1)
    assert found(told, dates={**DATES, "t0": None}) == {}
    assert found(told, dates={name: at for name, at in DATES.items() if name != "t4"}) == {}
    assert found(episode("Told.", ["elsewhere"], minute=1)) == {}
    assert found(episode("Told.", [], minute=1)) == {}
    assert found(replace(told, status=MemoryStatus.ARCHIVED)) == {}
    assert found(replace(told, type=MemoryType.SEMANTIC)) == {}
    hearsay = replace(told.provenance, source=Source.ASSISTANT)
    assert found(replace(told, provenance=hearsay)) == {}
