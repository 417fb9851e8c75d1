"""The verdict on a request that is no turn."""

import pytest

from recollect.filters import Exchange, Outcome, Verdict
from recollect.filters.aside import Aside
from recollect.memory.model.types import Scope


@pytest.mark.parametrize(
    ("aside", "verdict"), [(True, Verdict(Outcome.SKIPPED, "side_request")), (False, None)]
)
async def test_only_a_marked_request_is_skipped(aside, verdict):
    """Any other goes on to the gate."""
    scope = Scope(tenant="local", user_id="alice")
    exchange = Exchange(scope=scope, messages=(), model="m", conversation_id="c", turn_id="t")
    exchange.aside = aside
    await Aside().request(exchange)
    assert exchange.verdict == verdict
