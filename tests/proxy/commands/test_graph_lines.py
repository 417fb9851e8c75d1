"""Entities, relations and merges as lines of text."""

from recollect.proxy.commands.graph_lines import (
    entity_lines,
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
