"""What `recollect check` says of upkeep."""

from recollect.memory.database import open_database
from recollect.memory.database.costs import SqlLedger
from recollect.memory.model.jobs import JobKind, Spent
from recollect.memory.model.types import utc_now
from recollect.proxy.commands.checks import check_upkeep
from recollect.proxy.commands.findings import found_by
from tests.support.composing import settings

EPISODES = {"upkeep__kinds__episodes": True, "upkeep__kinds__reflect": True}


async def told(folder, **flags):
    found = await found_by("upkeep", check_upkeep, settings(folder, **{**EPISODES, **flags}))
    assert (found.part, found.ok, found.mend) == ("upkeep", True, "")
    return found.seen


async def test_a_spent_budget_is_said(tmp_path):
    """And what goes on without the tokens."""
    chosen = {"database__url": str(tmp_path / "recollect.db")}
    assert await told(tmp_path, **chosen) == "every kind runs"
    scripts = await open_database(settings(tmp_path, **chosen).database)
    spent = Spent(1, 100_000, 0)
    await SqlLedger(scripts).spend("local", utc_now().date(), spent, kind=JobKind.EPISODE)
    await scripts.close()
    seen = await told(tmp_path, **chosen)
    assert "episode, reflect wait: the tokens of the day are spent" in seen
    assert "consolidate still merges" in seen
    assert "the tokens of the day" in await told(tmp_path, upkeep__daily_tokens=0, **chosen)
