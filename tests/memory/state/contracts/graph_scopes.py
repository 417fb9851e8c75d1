"""What readers of a graph see, and when it falls."""

from __future__ import annotations

from dataclasses import replace

from tests.memory.state.contracts.graph_samples import (
    LATER,
    NOTHING,
    fall,
    joined,
    says,
    tell,
)
from tests.memory.state.samples import ALICE, OTHER_ALICE


class GraphScopesContract:
    """Subclasses provide the fixture `graph`."""

    async def test_tenants_use_the_same_ids(self, graph):
        """Whatever one tenant writes or drops, the other has its own."""
        for scope in (ALICE, OTHER_ALICE):
            await tell(graph, says("m", "Anna", "Bo", scope=scope, related=[("anna", "is", "bo")]))
            assert await graph.merge(replace(joined("anna", "bo"), owner=scope))
        assert await graph.undo_merge("local", "anna+bo", at=LATER) is not None
        assert [each.undone_at for each in await graph.merges(OTHER_ALICE)] == [None]
        await fall(graph, ["m"])
        assert await graph.counts("local") == NOTHING
        assert (await graph.counts("other")) == {
            **NOTHING,
            "entities": 1,
            "mentions": 2,
            "relations": 1,
            "merges": 1,
            "marks": 1,
        }

    async def test_notes(self, graph):
        """The last one of a name is kept; a name can be forgotten."""
        assert await graph.note("reader") is None
        for value in ("1", "2\x00", None, None):
            await graph.keep_note("reader", value)
            assert await graph.note("reader") == value
