"""Filters as Qdrant's conditions: what is exact, what narrows, and what is left to us."""

import pytest
from qdrant_client import models

from recollect.memory.model.types import MemoryStatus, Scope
from recollect.memory.query import parse
from recollect.memory.stores.qdrant.where import QdrantLanguage, in_scope
from recollect.memory.stores.shared.narrowing import narrowed
from tests.support.folding import rows


def said(found):
    made = narrowed(parse(found), QdrantLanguage())
    shown = None if made.said is None else made.said.model_dump(exclude_none=True)
    return shown, made.exact


@rows(
    "found, expected",
    [
        ({"user_id": "x"}, {"key": "user_id", "match": {"value": "x"}}),
        ({"NOT": {"type": "semantic"}}, {"must_not": [{"key": "type", "match": {"value": "semantic"}}]}),
        ({"agent_id": "*"}, {"must_not": [{"key": "agent_id", "match": {"value": ""}}]}),
        ({"importance": {"gte": 0.5}}, {"must": [{"key": "importance", "range": {"gte": 0.5}}]}),
    ],
)  # fmt: skip
def test_conditions_on_fields_are_exact(found, expected):
    """Every row has exactly one value there."""
    assert said(found) == (expected, True)


@pytest.mark.parametrize("found", [{"tag": "work"}, {"size": {"gt": 3}}, {"size": 3}])
def test_conditions_on_metadata_only_narrow(found):
    """Qdrant also finds lists with such an element."""
    shown, exact = said(found)
    assert shown is not None
    assert not exact


@pytest.mark.parametrize(
    "found",
    [{"NOT": {"tag": "work"}}, {"a b": "work"}, {"memory": {"contains": "t"}}, {"size": 2**60}],
)
def test_what_it_cannot_say_is_left_to_us(found):
    """Nothing that passes is left out."""
    assert said(found) == (None, False)


def test_the_tenant_is_part_of_every_scope():
    """Whatever else is asked, the tenant must be right."""
    scope = in_scope(Scope(tenant="t", user_id="u"), list(MemoryStatus))
    assert scope.must[0] == models.FieldCondition(key="tenant", match=models.MatchValue(value="t"))
