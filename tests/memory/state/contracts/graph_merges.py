"""What a store of the graph must do with entities that are one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.memory.model.errors import NotFoundError
from tests.memory.state.contracts.graph_samples import (
    LATER,
    NOTHING,
    groups,
    joined,
    says,
    somebody,
    tell,
)
from tests.memory.state.samples import ALICE, ALICE_WORK, BOB, OTHER_ALICE


class GraphMergesContract:
    """Subclasses provide the fixture `graph`."""

    async def test_the_ledger(self, graph):
        """Newest first, with what was undone; in pages, by ids; of the owner and nobody else."""
        await tell(graph, says("m", *"ABC"), says("w", "A", scope=ALICE_WORK))
        entries = [joined("a", "b"), replace(joined("b", "c", by="spelling"), score=None)]
        for each in entries:
            await graph.merge(each)
        await graph.undo_merge("local", "a+b", at=LATER)
        entries[0] = replace(entries[0], undone_at=LATER)
        assert await graph.merges(ALICE) == await graph.merges("local") == entries[::-1]
        assert await graph.merges(ALICE, limit=1) == entries[1:]
        assert await graph.merges(ALICE, limit=1, offset=1) == entries[:1]
        assert await graph.merges(ALICE, ids=["a+b", "unknown"]) == entries[:1]
        assert await graph.merges(ALICE, ids=[]) == []
        for other in (ALICE_WORK, BOB, OTHER_ALICE):
            assert await graph.merges(other) == []
        assert (await graph.counts(ALICE))["merges"] == 1
        assert (await graph.counts(ALICE_WORK))["merges"] == 0

    async def test_only_entities_of_the_owner_are_merged(self, graph):
        """One that is unknown, or somebody else's, is not found."""
        await tell(graph, says("m", "A"), says("b", "B", scope=BOB))
        for entry in (joined("a", "b"), joined("unknown", "a"), joined("a", "b", owner=BOB)):
            with pytest.raises(NotFoundError):
                await graph.merge(entry)
        assert await graph.merges("local") == []

    async def test_what_a_person_parted_stays_apart(self, graph):
        """Nothing but a person joins them again, in either direction."""
        await tell(graph, says("m", "A", "B"))
        await graph.merge(joined("a", "b", by="spelling"))
        await graph.undo_merge("local", "a+b", at=LATER)
        assert not await graph.merge(replace(joined("b", "a", by="meaning"), id="again"))
        said = replace(joined("b", "a", by="alias"), id="said", memory_id="m")
        await tell(graph, says("m", "A", "B", merges=[said]))
        assert await groups(graph) == {"a": None, "b": None}
        assert await graph.merges(ALICE, ids=["said"]) == [replace(said, undone_at=LATER)]
        assert await graph.merge(replace(joined("b", "a"), id="sure"))
        assert await groups(graph) == {"a": None, "b": "a"}

    async def test_a_merge_with_what_is_gone(self, graph):
        """The memory that says it is left, to be read again."""
        said = replace(joined("a", "gone", by="alias"), memory_id="m")
        assert await graph.link([says("m", "A", merges=[said])], [somebody("A")]) == {"m"}
        assert await graph.counts() == NOTHING
