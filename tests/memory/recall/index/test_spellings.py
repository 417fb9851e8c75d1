"""A name of the memories, by another spelling of it."""

from recollect.memory.recall.index.spellings import Spellings


def test_terms_are_found_by_another_spelling():
    """Also those that came after somebody asked; unknown ones are not."""
    terms = {"catherin": 1, "garden": 2}
    names = Spellings(terms.keys())
    assert names.like("Katherine") == "catherin"
    assert names.like("Юлия") is None
    terms["julia"] = 3
    assert names.like("Юлия") == "julia"
    assert names.like("") is None


def test_a_large_index_is_read_bit_by_bit():
    """No call reads all of it; a later one finds what the first did not come to."""
    names = Spellings(dict.fromkeys([*(f"term{n}" for n in range(1500)), "catherin"]).keys())
    assert names.like("Katherine") is None
    assert names.like("Katherine") == "catherin"
