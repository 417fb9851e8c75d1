"""History of what stays, without what goes."""

from dataclasses import replace

from recollect.memory.forget.history import orphaned, without
from recollect.memory.model.types import Doubt
from tests.memory.forget.parts import memory, record


def test_only_versions_whose_memory_stays_are_orphaned():
    """Of a memory that goes too, the whole history goes."""
    rows = [
        memory("v", "Bonn", version_of="m"),
        memory("w", "Oslo", version_of="m"),
        memory("x", "tea", version_of="n"),
        memory("n", "coffee"),
    ]
    assert orphaned(rows, {"v", "w", "x", "n"}) == {"m": {"Bonn", "Oslo"}}


def test_texts_are_blanked_and_nothing_else():
    """What happened, when and why stays."""
    first, second = record("m", "Bonn"), record("m", "Rome", "Bonn")
    blank, half = without([first, second], {"Bonn"})
    assert (blank.new_value, half.old_value, half.new_value) == (None, None, "Rome")
    assert (blank.id, blank.event, half.timestamp) == (first.id, first.event, second.timestamp)


def test_the_sentences_of_a_reason_go_with_the_text():
    """Why it was held back stays, without the words."""
    doubt = Doubt("secrecy", "user", "hides it", "Bonn")
    held = replace(record("m", "Bonn"), reasons=(doubt,))
    [blank] = without([held], {"Bonn"})
    assert blank.reasons == (replace(doubt, sentence=""),)
    assert without([held], {"Rome"}) == [held]
