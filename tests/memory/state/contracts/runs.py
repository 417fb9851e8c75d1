"""What every keeper of runs of upkeep must do."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from recollect.memory.model.jobs import JobKind
from recollect.memory.model.types import EventKind, Scope
from recollect.memory.model.upkeep import RunChange, UpkeepRun
from tests.memory.state.samples import ALICE, ALICE_WORK, BOB, NOON, OTHER_ALICE


def run(name: str, *, scope: Scope = ALICE, minutes: int = 0, **fields: object) -> UpkeepRun:
    """A run so many minutes after noon."""
    whole = UpkeepRun(
        id=name,
        scope=scope,
        kind=JobKind.CONSOLIDATE,
        at=NOON + timedelta(minutes=minutes),
        reason="call",
        changes=(RunChange("m1", EventKind.DELETE, 2), RunChange("m2", EventKind.ADD, 1)),
        figures={"merged": 1, "share": 0.5},
    )
    return replace(whole, **fields)  # type: ignore[arg-type]


class RunsContract:
    """Subclasses provide the fixture `runs`."""

    async def test_a_run_comes_back_as_it_was_kept(self, runs):
        """Every field; and keeping it again replaces it."""
        first = run("r", unasked=True)
        await runs.keep(run("old", minutes=-91 * 24 * 60))
        await runs.keep(first)
        assert await runs.get("local", "r") == first
        # Those of more than `KEEP_RUNS_DAYS` ago go when the next one is kept, at the latest.
        await runs.prune(before=NOON - timedelta(days=1))
        assert await runs.get("local", "old") is None
        undone = run("r", undone_at=NOON)
        await runs.keep(undone)
        assert await runs.get("local", "r") == undone
        assert await runs.newest(ALICE, limit=9) == [undone]
        assert await runs.get("local", "other") is None

    async def test_runs_are_listed_newest_first(self, runs):
        """Of a tenant, of a scope with those below it, of one kind, and in pages."""
        episode = run("e", minutes=3, kind=JobKind.EPISODE)
        others = [
            run("a", minutes=1),
            run("w", scope=ALICE_WORK, minutes=2),
            run("b", scope=BOB, minutes=4),
            run("x", scope=OTHER_ALICE, minutes=5),
        ]
        for one in [*others, episode]:
            await runs.keep(one)

        async def names(owner_ref: Scope | str, **asked: object) -> str:
            found = await runs.newest(owner_ref, **{"limit": 9, **asked})  # type: ignore[arg-type]
            return "".join(each.id for each in found)

        assert await names("local") == "bewa"
        assert await names(ALICE) == "ewa"
        assert await names(ALICE_WORK) == "w"
        assert await names(ALICE, kind=JobKind.EPISODE) == "e"
        assert await names(ALICE, limit=1, offset=1) == "w"
        assert await names(ALICE, limit=2, offset=2) == "a"
        assert await names("nobody") == ""

    async def test_an_owner_is_erased_with_its_runs(self, runs):
        """Of a scope and what is below it, or of a tenant; others stay."""
        for name, scope in (("a", ALICE), ("w", ALICE_WORK), ("b", BOB), ("x", OTHER_ALICE)):
            await runs.keep(run(name, scope=scope))
        assert await runs.erase(ALICE) == 2
        assert await runs.erase(ALICE) == 0
        assert [one.id for one in await runs.newest("local", limit=9)] == ["b"]
        assert await runs.erase("local") == 1
        assert [one.id for one in await runs.newest("other", limit=9)] == ["x"]
