"""What is read as a filter, and what is refused."""

import pytest

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.query import parse
from recollect.memory.query.filter_json import MAX_CONDITIONS, MAX_LEVELS, MAX_PARTS, MAX_TERMS
from tests.support.folding import rows


def test_both_dialects_mean_the_same():
    """Named parts, and mem0's keys."""
    named = {"field": "priority", "operator": "gte", "value": 1}
    assert parse(named) == parse({"priority": {"gte": 1}})
    assert parse({"tag": "a"}) == parse({"field": "tag", "operator": "eq", "value": "a"})
    assert parse({"tag": ["a", "b"]}) == parse({"tag": {"in": ["a", "b"]}})
    assert parse({"tag": "*"}) == parse({"tag": {"exists": True}})
    assert parse({"metadata.tag": "a"}) == parse({"tag": "a"})


@rows(
    "said, told",
    [
        ("tag", "expected an object"),
        ({"creatd_at": "2026-01-01"}, "did you mean 'created_at'"),
        ({"tag": {"equals": 1}}, "unknown operator 'equals'"),
        ({"tag": {"greater": 1}}, "unknown operator"),
        ({"priority": {"gtee": 1}}, "did you mean 'gte'"),
        ({"type": "semantical"}, "expected one of semantic"),
        ({"importance": "high"}, "expected a number for 'importance'"),
        ({"importance": float("nan")}, "expected a number"),
        ({"importance": {"gte": 10**309}}, "at most 308 digits"),
        ({"tag": 10**309}, "at most 308 digits"),
        ({"tag": {"in": [float("inf")]}}, "expected a number"),
        ({"created_at": 10**309}, "expected ISO 8601"),
        ({"created_at": True}, "expected ISO 8601"),
        ({"created_at": "0001-01-01T00:00:00+14:00"}, "expected ISO 8601"),
        ({"created_at": "yesterday"}, "expected ISO 8601"),
        ({"created_at": {"contains": "2026"}}, "which is no text"),
        ({"tag": {"gt": None}}, "expected a value"),
        ({"tag": {"in": "a"}}, "expected a list"),
        ({"tag": {"eq": {"a": 1}}}, "expected a text, a number"),
        ({"tag": {"icontains": 5}}, "expected a text"),
        ({"tag": {}}, "expected an operator"),
        ({"AND": []}, "expected a list of filters for AND"),
        ({"OR": {"tag": "a"}}, "expected a list of filters for OR"),
        ({"field": "tag", "operator": "eq"}, "expected a value"),
        ({"field": "tag", "operator": "eq", "value": 1, "limit": 3}, "unknown key 'limit'"),
        ({"": 1}, "name of a field"),
        ({"a..b": 1}, "name of a field"),
        ({"tag": "x" * 3000}, "at most 2000 characters"),
        ({"tag": "\ud800"}, "characters"),
    ],
)
def test_bad_filters_say_what_was_expected(said, told):
    """And what was probably meant."""
    with pytest.raises(InvalidInputError, match="filters") as refused:
        parse(said)
    assert told in str(refused.value)


def test_a_long_list_is_one_condition_however_it_is_written():
    """Five hundred ids as five hundred filters are no more work than one list of them."""
    ids = [str(n) for n in range(500)]
    assert parse({"OR": [{"id": each} for each in ids]}) == parse({"id": ids})
    assert parse({"AND": [{"id": {"ne": each}} for each in ids]}) == parse({"id": {"nin": ids}})


def test_large_filters_are_refused():
    """By the number of terms and by their depth, whatever their form."""
    for said in (
        {"OR": [{"tag": n} for n in range(10_000)]},
        {"tag": list(range(10_000))},
        {"AND": [{"tag": {"in": list(range(400))}} for _ in range(3)]},
    ):
        with pytest.raises(InvalidInputError, match=f"at most {MAX_TERMS}"):
            parse(said)
    with pytest.raises(InvalidInputError, match=f"at most {MAX_TERMS}"):
        parse({"AND": [{} for _ in range(MAX_PARTS)]})
    with pytest.raises(InvalidInputError, match=f"at most {MAX_CONDITIONS} times"):
        parse({"OR": [{"memory": {"icontains": str(n)}} for n in range(MAX_CONDITIONS + 1)]})
    deep = {"tag": "a"}
    for _ in range(100):
        deep = {"NOT": deep}
    with pytest.raises(InvalidInputError, match=f"at most {MAX_LEVELS} levels"):
        parse(deep)
