"""What a run has found: nothing ends twice, nor what stays, nor what others stand on."""

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.upkeep.consolidate.duplicates import Merge
from recollect.memory.upkeep.consolidate.findings import Findings
from recollect.memory.upkeep.consolidate.neighbours import Near
from recollect.memory.upkeep.consolidate.rows import ScopeRows
from tests.memory.learn.doubles import ALICE

from .items import item, stored

A, B, C = (item(name, f"User likes tea {name}", days=n) for n, name in enumerate("abc"))


async def findings(*items, held=()):
    rows = ScopeRows.of(ALICE, await stored(FakeEmbedder(), *items))
    rows.held = frozenset(held)
    return Findings(rows)


def merge(stays, ends):
    return Merge(stays, ends, "r")


async def test_no_memory_ends_twice_or_after_another_ended_for_it():
    """The next run finds what is left."""
    found = await findings(A, B, C)
    assert found.add([merge(B, A), merge(C, A), merge(C, B), merge(A, C)]) == 1
    assert (found.ended, found.stays) == ({"a"}, {"b"})
    assert found.add([merge(B, C)]) == 1


async def test_what_others_stand_on_never_ends():
    """A summary would lose its evidence."""
    found = await findings(A, B, held=["a"])
    assert found.add([merge(B, A)]) == 0
    assert found.add([merge(A, B)]) == 1


async def test_a_model_is_asked_only_what_would_be_merged():
    """Not about what ended, what was compared before, or what has numbers of its own."""
    number = item("n", "User likes tea 3 times", days=3)
    matter = {"matter": "m"}
    one, other = (
        item("p", "User has tea", days=4, origin=matter),
        item("q", "User drinks tea", days=5, origin=matter),
    )
    found = await findings(A, B, number, one, other)
    near = [Near(1, 0, 0.9), Near(3, 0, 0.8), Near(3, 1, 0.7), Near(4, 3, 0.9), Near(4, 2, 0.9)]
    assert [(q.item.id, [o.id for o, _ in q.others]) for q in found.questions(near)] == [
        ("b", ["a"]), ("p", ["a", "b"]), ("q", ["n"]),
    ]  # fmt: skip
    found.add([merge(B, A)])
    assert [(q.item.id, [o.id for o, _ in q.others]) for q in found.questions(near)] == [
        ("p", ["b"]), ("q", ["n"]),
    ]  # fmt: skip
