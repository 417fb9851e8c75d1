"""Which memories a request in mem0's words means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory import InvalidInputError, ScopeError
from recollect.memory.model.owner import Owner
from recollect.memory.query import parse
from recollect.proxy.api.mem0.filters import MAX_CHARS, Meant, meant, object_in
from tests.support.folding import rows

TENANT = Owner("acme")


@rows(
    "ids, filters, wanted",
    [
        ({"user_id": "a"}, None, Meant({"user_id": "a"})),
        ({"user_id": "a", "run_id": None}, {}, Meant({"user_id": "a"})),
        ({}, {"user_id": "a"}, Meant({"user_id": "a"})),
        ({"user_id": "a"}, {"user_id": "a"}, Meant({"user_id": "a"})),
        ({}, {"user_id": {"eq": "a"}}, Meant({"user_id": "a"})),
        ({}, {"field": "user_id", "operator": "eq", "value": "a"}, Meant({"user_id": "a"})),
        ({}, {"AND": [{"user_id": "a"}, {"run_id": "r"}]}, Meant({"user_id": "a", "run_id": "r"})),
        (
            {},
            {"AND": [{"user_id": "a"}, {"AND": [{"agent_id": "b"}, {"tag": "x"}]}]},
            Meant({"user_id": "a", "agent_id": "b"}, {"tag": "x"}),
        ),
        (
            {},
            {"user_id": "a", "tag": "x", "created_at": {"gte": "2026-01-01"}},
            Meant({"user_id": "a"}, {"AND": [{"tag": "x"}, {"created_at": {"gte": "2026-01-01"}}]}),
        ),
        ({}, {"user_id": "a", "run_id": "*"}, Meant({"user_id": "a"}, {"run_id": "*"})),
        (
            {"user_id": "a"},
            {"OR": [{"run_id": "x"}, {"run_id": "y"}]},
            Meant({"user_id": "a"}, {"OR": [{"run_id": "x"}, {"run_id": "y"}]}),
        ),
        (
            {"user_id": "a"},
            {"NOT": {"agent_id": "b"}},
            Meant({"user_id": "a"}, {"NOT": {"agent_id": "b"}}),
        ),
        (
            {"user_id": "a"},
            {"metadata": {"k": 1, "l": {"gt": 2}}},
            Meant({"user_id": "a"}, {"metadata.k": 1, "metadata.l": {"gt": 2}}),
        ),
        (
            {"user_id": "a"},
            {"NOT": {"metadata": {"k": 1}, "metadata.k": 2}},
            Meant({"user_id": "a"}, {"NOT": {"AND": [{"metadata.k": 1}, {"metadata.k": 2}]}}),
        ),
        (
            {"user_id": "a"},
            {"keywords": {"icontains": "tea"}},
            Meant({"user_id": "a"}, {"memory": {"icontains": "tea"}}),
        ),
        (
            {"user_id": "a"},
            {"field": "tag", "operator": "eq", "value": "x"},
            Meant({"user_id": "a"}, {"field": "tag", "operator": "eq", "value": "x"}),
        ),
    ],
)
def test_ids_are_the_scope_and_the_rest_are_conditions(ids, filters, wanted):
    """An id that must hold narrows the scope; what is left can be read as a filter."""
    found = meant(TENANT, ids, filters)
    assert found == wanted
    if found.filters is not None:
        parse(found.filters)


@rows(
    "ids, filters, field",
    [
        ({"user_id": "a"}, {"user_id": "b"}, "user_id"),
        ({"user_id": "a"}, {"AND": [{"user_id": "b"}]}, "user_id"),
        ({"user_id": "a"}, {"app_id": "x"}, "app_id"),
        ({"user_id": "a"}, {"OR": [{"app_id": "x"}]}, "app_id"),
        ({"user_id": "a"}, {"NOT": {"field": "app_id", "operator": "eq", "value": 1}}, "app_id"),
        ({"user_id": "a"}, {"categories": {"in": ["x"]}}, "categories"),
        ({"user_id": "a"}, [], "filters"),
        ({"user_id": "a", "agent_id": []}, None, "agent_id"),
        ({"user_id": {"eq": "a"}}, None, "user_id"),
        ({"user_id": "a"}, {"AND": ["x"]}, "filters"),
    ],
)
def test_what_has_no_meaning_is_refused(ids, filters, field):
    """By its name; nothing is left out."""
    with pytest.raises(InvalidInputError) as caught:
        meant(TENANT, ids, filters)
    assert caught.value.field == field


@rows(
    "filters",
    [
        None,
        {},
        {"user_id": "*"},
        {"OR": [{"user_id": "a"}, {"agent_id": "b"}]},
        {"NOT": {"user_id": "a"}},
        {"user_id": {"in": ["a"]}},
        {"field": "user_id", "operator": "ne", "value": "a"},
    ],
)
def test_somebody_must_be_named(filters):
    """Neither a wildcard, an OR nor a NOT is a scope; for a credential of one user there is one."""
    with pytest.raises(ScopeError, match="At least one of user_id"):
        meant(TENANT, {}, filters)
    assert meant(Owner("acme", "a"), {}, filters).ids == {}


@rows("text, wanted", [
        ('{"user_id": "ada"}', {"user_id": "ada"}),
        ("{'user_id': 'ada'}", {"user_id": "ada"}),
        ("{'AND': [{'user_id': \"o'neill\"}, {'ok': True, 'no': None}]}",
         {"AND": [{"user_id": "o'neill"}, {"ok": True, "no": None}]}),
        ("{'in': ('a', 'b')}", {"in": ["a", "b"]}),
    ])  # fmt: skip
def test_objects_from_a_query_string(text, wanted):
    """As JSON, and as Python prints them."""
    assert object_in("filters", text) == wanted


@rows("text", ["", "x", "[]", "None", "{'a': b}", "__import__('os')", "{'a': {1, 2}}", "{'a': 1j}", "{'a': b''}",
     "{'a': 1e999}", "{'a': '\\ud800'}", "(" * 3000, "-" * 3000 + "1", "{'a':" * 900, "NaN", '{"a": NaN}',
     "{'a': 1}" + " " * MAX_CHARS])  # fmt: skip
def test_what_is_no_object_is_refused(text):
    """Never ignored, never executed, and no text breaks the reader."""
    with pytest.raises(InvalidInputError) as caught:
        object_in("filters", text)
    assert caught.value.field == "filters"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=9,
)  # fmt: skip


@given(st.dictionaries(st.sampled_from(["AND", "OR", "NOT", "user_id", "metadata", "tag"]), VALUES))
def test_any_object_is_read_or_refused(said):
    """No other error comes of it, and an id is never lost."""
    try:
        found = meant(TENANT, {"agent_id": "x"}, said)
    except InvalidInputError:
        return
    assert found.ids["agent_id"] == "x"
    if isinstance(said.get("user_id"), str) and said["user_id"] != "*":
        assert found.ids["user_id"] == said["user_id"]
