"""What filters mean, against a second implementation."""

from hypothesis import given, settings

from recollect.memory.model.types import Scope
from recollect.memory.query import parse, predicate
from tests.support.filtering import filters, holds, items

ALICE = Scope(tenant="t", user_id="alice", agent_id="helper")


@settings(max_examples=300)
@given(filters(), items(ALICE))
def test_any_filter_means_what_the_reference_says(said, item):
    """Of any memory, in both dialects."""
    assert predicate(parse(said))(item) is holds(said, item)
