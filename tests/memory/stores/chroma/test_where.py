"""Filters as Chroma's conditions: what is exact, what narrows, and what is left to us."""

import pytest

from recollect.memory.model.types import MemoryStatus, Scope
from recollect.memory.query import parse
from recollect.memory.stores.chroma.where import ChromaLanguage, facets, in_scope
from recollect.memory.stores.shared.narrowing import narrowed
from tests.support.folding import rows


def said(found):
    return narrowed(parse(found), ChromaLanguage())


@rows(
    "found, expected",
    [
        ({"user_id": "x"}, {"user_id": {"$in": ["x"]}}),
        ({"NOT": {"type": "semantic"}}, {"type": {"$nin": ["semantic"]}}),
        ({"agent_id": "*"}, {"agent_id": {"$nin": [""]}}),
        ({"importance": {"gte": 1}}, {"importance": {"$gte": 1.0}}),
        ({"NOT": {"importance": {"gte": 1}}}, {"importance": {"$lt": 1.0}}),
        ({"valid_to": {"gt": 1}}, {"$and": [{"valid_to": {"$gt": 1000}}, {"valid_to": {"$nin": [0]}}]}),
    ],
)  # fmt: skip
def test_conditions_on_fields_are_exact(found, expected):
    """Every row has exactly one value there, and its type is known."""
    assert said(found) == (expected, True)


def test_texts_of_the_metadata_only_narrow():
    """A key with a dot and a path of two keys look alike."""
    assert said({"car.colour": "red"}) == ({"m:car.colour": {"$in": ["red"]}}, False)


@pytest.mark.parametrize(
    "found", [{"NOT": {"tag": "work"}}, {"size": 3}, {"memory": {"contains": "t"}}, {"tag": ""}]
)
def test_what_it_cannot_say_is_left_to_us(found):
    """Nothing that passes is left out."""
    assert said(found) == (None, False)


def test_only_short_texts_are_kept_for_filters():
    """Numbers, lists and long texts are not, and no memory brings any number of keys."""
    assert facets({"a": "x", "b": 1, "c": {"d": "y"}, "e": ["z"], "f": "z" * 999}) == {
        "m:a": "x", "m:c.d": "y",
    }  # fmt: skip
    assert len(facets({str(n): "x" for n in range(1000)})) < 100


def test_the_tenant_is_part_of_every_scope():
    """Whatever else is asked, the tenant must be right."""
    scope = in_scope(Scope(tenant="t", user_id="u"), list(MemoryStatus))
    assert scope["$and"][0] == {"tenant": {"$eq": "t"}}
