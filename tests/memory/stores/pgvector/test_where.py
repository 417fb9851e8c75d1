"""Filters as SQL: what is said, and that no value is part of the text."""

import pytest

from recollect.memory.model.types import MemoryStatus, Scope
from recollect.memory.query import parse
from recollect.memory.stores.pgvector.sql import RowCondition, in_scope, owned
from recollect.memory.stores.pgvector.where import add_filter
from tests.support.folding import rows

EVIL = "x'); DROP TABLE memories; --"


def said(found):
    asked = RowCondition()
    exact = add_filter(parse(found), asked)
    return asked.condition, asked.values, exact


@rows(
    "found, condition, values",
    [
        ({"type": "semantic"}, "(type = ANY($1::text[]))", [["semantic"]]),
        ({"user_id": EVIL}, "(NULLIF(user_id, '') = ANY($1::text[]))", [[EVIL]]),
        ({"agent_id": "*"}, "(NULLIF(agent_id, '') IS NOT NULL)", []),
        (
            {"NOT": {"importance": {"gte": 0.5}}},
            "((importance::float8 >= $1::float8) IS NOT TRUE)",
            [0.5],
        ),
        ({EVIL: "x"}, "((facets -> $1::text) = ANY($2::jsonb[]))", [EVIL, ['"x"']]),
        (
            {"metadata.car.colour": "*"},
            "((facets -> $1::text -> $2::text) <> 'null'::jsonb)",
            ["car", "colour"],
        ),
        ({"memory": {"contains": "tea"}}, "(strpos(text, $1::text) > 0)", ["tea"]),
    ],
)
def test_what_sql_can_say_is_exact(found, condition, values):
    """The server answers it alone, and values are sent apart."""
    assert said(found) == (condition, values, True)


@pytest.mark.parametrize(
    "found",
    [
        {"memory": {"icontains": "tea"}},  # no server folds as Python does
        {"tag": {"gt": "2026-01-01"}},  # a text may be a time
        {"tag": {"contains": "0"}},  # half of an escaped character
        {"size": 2**60},  # floats are not written with all their digits
        {"hash": {"lt": "b"}},
    ],
)
def test_what_it_cannot_say_is_left_to_us(found):
    """Nothing is asked, so that nothing that passes is lost; no value is left without a place."""
    assert said(found) == ("TRUE", [], False)


def test_what_is_left_out_leaves_no_value_behind():
    """PostgreSQL refuses a statement with a value that nothing refers to."""
    condition, values, exact = said({"OR": [{"tag": "a"}, {"tag": {"gt": "b"}}]})
    assert (condition, values, exact) == ("TRUE", [], False)


def test_a_tenant_bounds_every_condition():
    """Whatever is asked, the tenant is the first thing that must be right."""
    scope = Scope(tenant="t", user_id="u")
    for asked in (in_scope(scope, list(MemoryStatus)), owned("t"), owned(scope)):
        add_filter(parse({"OR": [{"user_id": "other"}, {"type": "semantic"}]}), asked)
        assert asked.condition.startswith("tenant = $1::text AND")
        assert asked.values[0] == "t"
