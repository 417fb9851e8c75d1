"""Memories as a person reads them."""

from recollect.proxy.commands.memories_table import MOST_SHOWN, listing, memory

TEA = {
    "id": "m1",
    "memory": "tea\x1b " * MOST_SHOWN,
    "status": "active",
    "created_at": "2026-03-02T12:00:00.000+00:00",
    "user_id": "alice",
    "provenance": {"source": "user", "withheld": ["a", "b"]},
}


def test_long_texts():
    """A list has the beginning, one memory is whole; no text obeys a terminal."""
    assert "…" in listing([TEA])
    assert memory(TEA).count("tea") == MOST_SHOWN
    assert "\x1b" not in memory(TEA)
    assert "Sentences were taken out of it: a, b." in memory(TEA, width=100)
