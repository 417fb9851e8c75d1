"""What the routes behind the dashboard take."""

import pytest

from recollect.memory import InvalidInputError
from recollect.memory.operations.fields import values_of
from recollect.proxy.api.state.models import DEFAULT_CHATS, RecentQuery
from tests.support.folding import rows


def test_without_a_limit_there_are_fifty():
    """The ids of a scope may be left out."""
    assert values_of(RecentQuery, {})["limit"] == DEFAULT_CHATS == 50


@rows("limit", [0, 101, "many", True])
def test_a_wrong_limit_is_named(limit):
    """With its bounds."""
    with pytest.raises(InvalidInputError, match="limit: expected a whole number from 1 to 100"):
        values_of(RecentQuery, {"limit": limit})
