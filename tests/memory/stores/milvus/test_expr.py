"""Filters say what they mean, whatever is in the values."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from milvus_lite.search.filter.tokens import TokenKind, tokenize

from recollect.memory.model.sight import Sight
from recollect.memory.model.types import MemoryStatus, Scope
from recollect.memory.stores.milvus import expr
from tests.support.folding import rows

ACTIVE = {MemoryStatus.ACTIVE}


def test_scope_with_a_user_names_its_partition():
    """The partition comes first, so that a server can prune by it; the tenant always."""
    scope = Scope(tenant="t", user_id="u", agent_id="a", run_id="r")
    assert expr.in_scope(scope, ACTIVE) == (
        'tenant == "t" and partition == "t/u" and user_id == "u" and agent_id == "a" '
        'and run_id == "r" and status in ["active"]'
    )


def test_a_sight_names_the_partition_and_both_kinds_of_rows():
    """Those of the agent, and those without one, which are kept with an empty text."""
    sight = Sight.of(Scope(tenant="t", user_id="u", agent_id='a"'))
    assert expr.in_scope(sight, ACTIVE) == (
        'tenant == "t" and partition == "t/u" and user_id == "u" and agent_id in ["a\\"", ""] '
        'and status in ["active"]'
    )


def test_scope_without_a_user_is_not_pruned():
    """Records of an agent lie in the partitions of all users."""
    assert expr.in_scope(Scope(tenant="t", agent_id="a"), ACTIVE) == (
        'tenant == "t" and agent_id == "a" and status in ["active"]'
    )


def test_statuses_are_in_order():
    """The same set is the same expression, which Milvus Lite caches."""
    every = set(MemoryStatus)
    condition = expr.in_scope(Scope(tenant="t", user_id="u"), every, after="x")
    assert 'status in ["active", "archived", "quarantined", "superseded"] and id > "x"' in condition


def test_ids_are_bound_to_the_tenant():
    """An id is looked up within its tenant only."""
    assert expr.by_ids("t", ["a", "b"]) == 'tenant == "t" and id in ["a", "b"]'
    assert expr.of_tenant("t") == 'tenant == "t"'


def test_upkeep_sees_every_tenant():
    """The one read without a tenant goes by id only, from the first one or from where it was."""
    assert expr.any_tenant(None) == 'id > ""'
    assert expr.any_tenant('a"') == r'id > "a\""'


@rows(
    "value, literal",
    [
        ('x" || user_id != "y', r'"x\" || user_id != \"y"'),
        ("\\", r'"\\"'),
        ('\\"', r'"\\\""'),
        ("a\nb\r\t", r'"a\nb\r\t"'),
        ("%_{x}$meta'", '"%_{x}$meta\'"'),
        ("日😀\u2028", '"日😀\u2028"'),
    ],
)
def test_values_are_escaped(value, literal):
    """Quotes, backslashes and line breaks are escaped; nothing else has a meaning."""
    assert expr.quoted(value) == literal


@given(st.text())
def test_any_text_is_one_literal_with_its_value(value):
    """Milvus Lite's own tokenizer reads exactly one string out of it: the value."""
    tokens = tokenize(expr.quoted(value))
    assert [token.kind for token in tokens] == [TokenKind.STRING, TokenKind.EOF]
    assert tokens[0].value == value
