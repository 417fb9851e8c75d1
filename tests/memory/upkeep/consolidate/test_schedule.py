"""When a scope is consolidated by itself."""

from datetime import timedelta

from recollect.memory.model.jobs import JobKind
from recollect.memory.model.types import Scope
from recollect.memory.model.upkeep import UpkeepRun
from recollect.memory.upkeep.consolidate.schedule import (
    SCHEDULE,
    THRESHOLD,
    ScopeProgress,
    due,
    exactly,
    in_turn,
    job_name,
)
from tests.memory.learn.doubles import ALICE, BOB, NOON
from tests.support.folding import rows

HOUR = timedelta(hours=1)


def run(name="r", *, scope=ALICE, kind=JobKind.CONSOLIDATE, at=NOON, unasked=False):
    return UpkeepRun(id=name, scope=scope, kind=kind, at=at, reason="call", unasked=unasked)


def of(*, active=3, first=NOON, latest=NOON, last=None, new=0):
    return ScopeProgress(active, first, latest, last, new)


@rows(
    "progress, hours, reason",
    [
        (of(active=50), 0, THRESHOLD),
        (of(active=49), 0, None),
        (of(active=2), 24, SCHEDULE),
        (of(last=run(), new=50), 0, THRESHOLD),
        (of(active=99, last=run(), new=49), 1, None),
        (of(active=99, last=run(), latest=NOON + HOUR), 23, None),
        (of(active=99, last=run(), latest=NOON + HOUR), 24, SCHEDULE),
        (of(active=99, last=run()), 99, None),
    ],
)
def test_a_scope_is_due(progress, hours, reason):
    """Once enough is new, or after so many hours if anything was changed."""
    assert due(progress, NOON + hours * HOUR, model=True) == reason


@rows(
    "unasked, model, reason",
    [(True, True, SCHEDULE), (True, False, None), (False, True, None)],
)
def test_what_rested_for_want_of_a_model_is_done_when_there_is_one(unasked, model, reason):
    """Nothing was changed since; without a model the same would rest again."""
    progress = of(last=run(unasked=unasked))
    assert due(progress, NOON + 24 * HOUR, model=model) == reason


def test_the_name_of_a_job_follows_from_what_is_known():
    """Two processes derive the same; another scope, last run or day has another."""
    work = Scope(tenant="local", user_id="alice", agent_id="work")
    other = Scope(tenant="other", user_id="alice")
    told = [
        (ALICE, None, NOON),
        (ALICE, run(), NOON),
        (ALICE, None, NOON + 24 * HOUR),
        (work, None, NOON),
        (other, None, NOON),
    ]
    names = [job_name(*each) for each in told]
    assert len(set(names)) == len(told)
    assert names == [job_name(*each) for each in told]
    assert job_name(ALICE, None, NOON + HOUR) == names[0]


def test_tenants_take_turns():
    """A tenant with many scopes does not hold up one with a single scope."""
    many = [Scope(tenant="large", user_id=f"u{number}") for number in range(3)]
    small = Scope(tenant="small", user_id="only")
    assert in_turn([*many, small]) == [many[0], small, many[1], many[2]]
    assert in_turn([]) == []


def test_the_last_run_of_a_scope_is_of_exactly_this_scope():
    """Runs of scopes below it, and of other kinds, are none of it."""
    work = Scope(tenant="local", user_id="alice", agent_id="work")
    wanted = run("wanted")
    runs = [run("w", scope=work), run("e", kind=JobKind.EPISODE), wanted, run("older")]
    assert exactly(runs, ALICE) is wanted
    assert exactly(runs, BOB) is None
