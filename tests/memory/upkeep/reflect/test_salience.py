"""When it is time to reflect, and on what."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from recollect.memory.model.jobs import JobKind
from recollect.memory.model.types import MemoryStatus, MemoryType
from recollect.memory.model.upkeep import UpkeepRun
from recollect.memory.upkeep.reflect.salience import (
    MAX_PER_DAY,
    THRESHOLD,
    is_evidence,
    last_run,
    may_run,
    new_among,
    salience,
)
from tests.memory.forget.parts import ALICE, BOB, NOON
from tests.memory.upkeep.made import fact
from tests.support.folding import rows

AGENT = replace(ALICE, agent_id="x")


def run(name, hours=0, **fields):
    told = {"scope": ALICE, "kind": JobKind.REFLECT, "reason": THRESHOLD} | fields
    return UpkeepRun(id=name, at=NOON + timedelta(hours=hours), **told)


def test_episodes_count_before_facts():
    """Each by its importance, which is from 0 to 1 whatever a row says."""
    facts = [fact("a", "x", importance=0.5), fact("b", "y", importance=7.0)]
    episodes = [fact("e", "z", importance=0.3, type=MemoryType.EPISODIC)]
    assert salience([], facts) == 1.5
    assert salience(episodes, facts) == 0.3
    assert salience([], []) == 0


def test_what_came_after_the_last_run_is_new_whatever_it_is_about():
    """An import of old conversations is new too."""
    old = replace(fact("a", "x"), updated_at=NOON - timedelta(days=900))
    told = replace(old, provenance=replace(old.provenance, recorded_at=NOON + timedelta(hours=1)))
    assert new_among([old, told], run("r")) == [told]
    assert new_among([old, told], None) == [old, told]


def test_the_last_run_is_of_the_scope_and_had_a_model():
    """One that rested resets nothing."""
    runs = [
        run("rested", 5, unasked=True),
        run("agent", 4, scope=AGENT),
        run("other", 3, scope=BOB),
        run("else", 2, kind=JobKind.EPISODE),
        run("mine", 1),
        run("older"),
    ]
    last = last_run(runs, ALICE)
    assert last is not None
    assert last.id == "mine"
    assert last_run(runs[:1], ALICE) is None


def test_runs_of_a_day_are_bounded():
    """Those that somebody called for, and those of other days, are not counted."""
    others = [run("c", 2, reason="call"), run("d", 3, scope=AGENT)]
    runs = [*(run(f"r{number}", number) for number in range(MAX_PER_DAY)), *others]
    assert not may_run(runs, ALICE, NOON)
    assert may_run(runs, ALICE, NOON + timedelta(days=1))
    assert may_run(runs[1:], ALICE, NOON)


@rows(
    "change",
    [
        {"status": MemoryStatus.QUARANTINED},
        {"status": MemoryStatus.ARCHIVED},
        {"scope": AGENT},
        {"type": MemoryType.REFLECTIVE},
        {"type": MemoryType.PROCEDURAL},
        {"text": " "},
        {"text": "x" * 2_000},
    ],
)
def test_what_is_no_evidence(change):
    """Doubted, away, of another scope, a conclusion, how something is done, nothing, a document."""
    item = fact("a", "User likes tea")
    assert is_evidence(item, ALICE)
    assert not is_evidence(replace(item, **change), ALICE)
