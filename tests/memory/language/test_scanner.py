"""The terms of a text are looked for section by section."""

from recollect.memory.language.scanner import scan


def test_a_scan_is_shared():
    """A short text is scanned once."""
    assert scan("the same text") is scan("the same text")


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
