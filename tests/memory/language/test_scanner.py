"""The terms of all packs in a text, and cues in the languages that it may be of."""

from __future__ import annotations

from recollect.memory.language.scanner import begins, cues_in, says, scan, without


def test_a_section_is_looked_for_when_it_is_asked_for():
    """What nobody asks for costs nothing; what was found is kept."""
    found = scan("Remember that my sister moved")
    assert found.section("people") is found.section("people")
    in_english = [
        hit for hit in found.found("people.first_person", "people.kin") if hit.language == "en"
    ]
    assert [(hit.field, hit.start) for hit in in_english] == [
        ("people.first_person", 2), ("people.kin", 3),
    ]  # fmt: skip
    assert found.has("people.kin")
    assert not found.has("people.roles", "planting.override")
    assert found.covered("people.kin") == {3}


def test_a_look_alike_of_another_language_is_no_cue():
    """French "plus" denies what was said, English "plus" does not."""
    assert says("Je n'habite plus ici", "turns.correction")
    assert not says("There are two plus three of them", "turns.correction")


def test_the_longest_of_several_at_the_beginning():
    """A term in the middle begins nothing."""
    found = begins("Output format of the answer", "turns.heading")
    assert found is not None
    assert found.end == 2
    assert begins("The output format", "turns.heading") is None


def test_each_place_is_told():
    """In reading order, by words."""
    hits = cues_in("As you said, I remember", "turns.recalling")
    assert [(hit.start, hit.end) for hit in hits] == [(1, 2), (2, 3), (4, 5)]


def test_terms_are_left_out():
    """Each leaves a blank; the rest is as it was."""
    assert without("As you said, 3.5 kg", "turns.recalling").split() == ["As", ",", "3.5", "kg"]
