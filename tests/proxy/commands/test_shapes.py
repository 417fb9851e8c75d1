"""How answers look at a terminal."""

import pytest

from recollect.proxy.commands.memories import MOST_SHOWN, listing, memories
from recollect.proxy.commands.parts import GRAPH, UPKEEP
from recollect.proxy.commands.shapes import table

TEA = {
    "id": "m1",
    "memory": "tea\x1b " * MOST_SHOWN,
    "status": "active",
    "created_at": "2026-03-02T12:00:00.000+00:00",
    "user_id": "alice",
    "provenance": {"source": "user", "withheld": ["a", "b"]},
}
RUN = {
    "id": "consolidate:1", "kind": "consolidate", "state": "done", "reason": "call",
    "at": "2026-11-27T21:03:00+00:00", "user_id": "a\x1bb",
    "changes": [{"id": "m", "event": "DELETE"}],
    "figures": {"tokens_before": 1200.0, "merged": 2.0, "pending": 0.0, "asked_upto": 1.8e9},
}  # fmt: skip
MERGE = {
    "id": "m1", "kept": {"id": "e1", "name": "Anna"}, "gone": {"id": "e3", "name": None},
    "by": "person", "at": "2026-11-27T21:03:00+00:00",
}  # fmt: skip


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")


def test_long_texts():
    """A list has the beginning, one memory is whole; no text obeys a terminal."""
    assert "…" in "\n".join(listing([TEA]))
    whole = "\n".join(memories([TEA]))
    assert whole.count("tea") == MOST_SHOWN
    assert "\x1b" not in whole
    assert "Sentences were taken out of it: a, b." in whole


def test_a_table():
    """Columns count what a terminal shows; figures stand on the right."""
    rows = [{"name": "日本", "many": 12000}, {"name": "a\x1bb", "many": None}]
    assert list(table(who="name", how_many="many")(rows)) == [
        "who   how many",
        "日本    12,000",
        "a b",
    ]


def test_a_run():
    """When, what, how it is, whose, and its id; what is 0 says nothing, a moment is no count."""
    head, *below = UPKEEP.lines["get"]([RUN])
    assert head == "2026-11-27 21:03  consolidate  done  changes 1  user a b  call  consolidate:1"
    assert below == ["    - m", "    merged 2, tokens before 1,200"]
    assert "  undone  " in next(iter(UPKEEP.lines["list"]([{**RUN, "undone_at": "x"}])))


@pytest.mark.parametrize("name", ["orphans", "stale"])
def test_what_is_wrong_is_a_failure(name):
    """So that a script notices."""
    checked = {"orphans": 0, "stale": 0, name: 1}
    assert GRAPH.ended["check"]([checked], None, checked)[1] == 1
