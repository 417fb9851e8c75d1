import pytest

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.filters import EVERYTHING, NOTHING
from recollect.memory.query.entities import entities_in, with_memories
from recollect.memory.query.evaluate import predicate
from recollect.memory.query.filter_json import parse
from tests.memory.recall.memories import item
from tests.support.folding import rows

SPEAK = {"Anna": frozenset({"1", "2"}), "Viktor": frozenset({"2", "3"})}
"""Ids of memories by who they speak of."""


def passing(said):
    """The ids of four memories that pass a filter."""
    passes = predicate(with_memories(parse(said), SPEAK))
    return [name for name in "1234" if passes(item("tea", id=name))]


@rows(
    "said, found",
    [
        ({"entities": "Anna"}, ["1", "2"]),
        ({"entities": ["Anna", "Viktor"]}, ["1", "2", "3"]),
        ({"entities": {"in": ["Anna", "nobody"]}}, ["1", "2"]),
        ({"entities": {"ne": "Anna"}}, ["3", "4"]),
        ({"entities": {"nin": ["Anna", "Viktor"]}}, ["4"]),
        ({"entities": "nobody"}, []),
        ({"entities": []}, []),
        ({"NOT": [{"entities": "nobody"}]}, ["1", "2", "3", "4"]),
        ({"AND": [{"entities": "Anna"}, {"entities": "Viktor"}]}, ["2"]),
        ({"OR": [{"entities": "Anna"}, {"entities": "Viktor"}]}, ["1", "2", "3"]),
        ({"AND": [{"entities": {"ne": "Anna"}}, {"entities": {"ne": "Viktor"}}]}, ["4"]),
        ({"field": "entities", "operator": "eq", "value": "Viktor"}, ["2", "3"]),
        ({"AND": [{"entities": "Anna"}, {"id": "1"}]}, ["1"]),
    ],
)
def test_what_passes(said, found):
    """A memory passes if it speaks of one of those that are asked for; two conditions are two."""
    assert passing(said) == found


def test_the_names_that_are_asked_for():
    """All of them, wherever they stand in the filter; without any there is nothing to look up."""
    said = {"OR": [{"tag": "a"}, {"NOT": [{"entities": ["Anna", "x"]}]}, {"entities": "Viktor"}]}
    assert entities_in(parse(said)) == {"Anna", "x", "Viktor"}
    assert entities_in(parse({"tag": "a"})) == frozenset()
    assert entities_in(EVERYTHING) == frozenset()
    assert with_memories(parse({"entities": "x"}), {}) == NOTHING


@rows(
    "said",
    [
        {"entities": {"gt": "Anna"}},
        {"entities": {"contains": "Ann"}},
        {"entities": "*"},
        {"entities": None},
        {"entities": 7},
        {"entities": {"in": [None]}},
        {"entities": "x" * 2001},
        {"entitie": "Anna"},
    ],
)
def test_what_is_refused(said):
    """An entity is or is not spoken of: no part of a name, no order, nothing but text."""
    with pytest.raises(InvalidInputError, match="filters"):
        parse(said)


def test_a_key_of_the_metadata_of_that_name():
    """It is still reached, by its whole name."""
    passes = predicate(parse({"metadata.entities": "Anna"}))
    assert passes(item("tea", metadata={"entities": "Anna"}))


def test_unresolved_it_is_no_filter():
    """A path that forgets to look names up fails: it must not pass, or delete, everything."""
    passes = predicate(parse({"entities": {"ne": "Anna"}}))
    with pytest.raises(InvalidInputError, match="cannot ask for 'entities' here"):
        passes(item("tea"))
