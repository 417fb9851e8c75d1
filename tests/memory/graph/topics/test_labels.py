"""What a topic is called."""

from dataclasses import replace

from recollect.memory.graph.topics.labels import LABEL_CHARS, condensing, shortened

from .notes import note


def test_a_short_text_is_a_label_as_it_is():
    """White space apart."""
    assert shortened("Likes  green\n tea ") == "Likes green tea"


def test_a_long_text_is_cut_between_words():
    """Where there are any within the second half, and never longer than there is room."""
    said = "User is writing a doctoral thesis about the coral reefs, which takes years"
    assert shortened(said) == "User is writing a doctoral thesis about the coral reefs…"
    assert shortened("汉" * 100) == "汉" * (LABEL_CHARS - 1) + "…"
    assert len(shortened("ab " * 100)) <= LABEL_CHARS


def test_the_member_that_condenses_others_names_the_topic():
    """One that cites at least two of them; what it cites elsewhere does not count."""
    members = [note(name, day) for day, name in enumerate("abc")]
    assert condensing(members) is None
    told = members[0].provenance
    one = note("s", 3, provenance=replace(told, cites=("a", "x", "y")))
    two = note("t", 4, provenance=replace(told, cites=("a", "b")))
    assert condensing([*members, one]) is None
    assert condensing([*members, one, two]) == two
