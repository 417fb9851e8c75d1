"""Entities, relations and merges as lines of text."""

from recollect.proxy.commands.graph_lines import (
    checked_lines,
    entity_lines,
    merge_line,
    rebuilt_line,
    relation_lines,
)

ANNA = {"id": "e1", "name": "Anna", "type": "person", "aliases": ["my sister"], "memories": 1200}
PARIS = {"id": "e2", "name": "Paris", "type": "place", "aliases": [], "memories": 3}
MERGE = {
    "id": "m1",
    "kept": {"id": "e1", "name": "Anna"},
    "gone": {"id": "e3", "name": None},
    "by": "person",
    "at": "2026-11-27T21:03:00+00:00",
}


def test_entities_in_columns():
    """How often, what it is, its name and aliases, and its id below."""
    assert entity_lines([ANNA, PARIS], 100) == [
        "1,200  person  Anna (also my sister)",
        "               id e1",
        "    3  place   Paris",
        "               id e2",
    ]


def test_a_name_commands_no_terminal():
    """Whatever characters it holds, it is text on its lines."""
    lines = entity_lines([{**ANNA, "name": "A\x1b[2Jnna\nx", "aliases": []}], 100)
    assert lines[0] == "1,200  person  A [2Jnna x"
    relation = {
        "source": "A\x1bb", "relation": "works_at", "target": "G\r", "memory_id": "m", "quote": "q\x07",
    }  # fmt: skip
    assert relation_lines([relation], 100) == ["A b -works_at-> G", "    m: q"]


def test_a_merge_in_one_line():
    """When, who is who, who said so, whether it was undone, and its id."""
    assert merge_line(MERGE) == "2026-11-27 21:03  e3 is Anna  person  m1"
    undone = {**MERGE, "undone_at": "2026-11-28T01:00:00+00:00"}
    assert merge_line(undone) == (
        "2026-11-27 21:03  e3 is Anna  person  undone 2026-11-28 01:00  m1"
    )


def test_what_a_check_says():
    """Figures, and what to do where something is wrong."""
    well = {"entities": 2, "orphans": 0, "stale": 0}
    assert checked_lines(well) == ["entities   2", "orphans    0", "stale      0"]
    assert "rebuild" in checked_lines({**well, "stale": 1})[-1]


def test_what_a_rebuild_did():
    """What it read and found, and how long it took."""
    report = {"memories": 20000, "entities": 3100, "relations": 12, "seconds": 41.26}
    assert rebuilt_line(report) == "20,000 memories read in 41.3 s: 3,100 entities, 12 relations"
