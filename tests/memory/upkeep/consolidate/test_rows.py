"""The memories of one scope in the order in which they were written."""

from dataclasses import replace

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.model.scope import Scope
from recollect.memory.upkeep.consolidate.rows import ScopeRows
from tests.memory.learn.doubles import ALICE

from .items import item, stored


async def rows_of(*items):
    return ScopeRows.of(ALICE, await stored(FakeEmbedder(), *items))


async def test_only_rows_of_exactly_this_scope_in_order():
    """What a user told one agent is not the user's own scope."""
    narrower = Scope(tenant="local", user_id="alice", agent_id="a")
    rows = await rows_of(
        item("b", "two", days=1), item("c", "three", scope=narrower), item("a", "one")
    )
    assert [one.item.id for one in rows.memories] == ["a", "b"]
    assert rows.vectors(1).shape == (1, FakeEmbedder().dim)
    assert [one.item.id for one in rows.but({"a"})] == ["b"]


async def test_a_part_begins_after_a_moment_and_keeps_moments_together():
    """So that the next part begins where this one ended, and none is left out."""
    rows = await rows_of(
        *(item(f"{day}{n}", "text", days=day) for day in range(3) for n in range(2))
    )
    assert rows.end_of(0, 1) == 2
    assert rows.first_after(rows.moment(2)) == 2
    assert rows.end_of(2, 2) == 4
    assert rows.first_after(rows.moment(6)) == 6
    assert rows.end_of(6, 5) == 6
    assert (rows.moment(0), rows.first_after(0.0)) == (0.0, 0)


async def test_what_others_stand_on_is_known():
    """It is neither ended nor archived."""
    summary = item("s", "of both", origin={"cites": ("a", "b")})
    assert (await rows_of(summary)).cited == {"a", "b"}
    assert (await rows_of(replace(summary, id="t"))).cited == {"a", "b"}
