"""What filters mean, as predicates on memories. Pure, but for letting others go first."""

import asyncio
import time
from itertools import pairwise

from hypothesis import given

from recollect.memory.model.types import Scope
from recollect.memory.query import parse, predicate
from recollect.memory.query.evaluate import passing

from ...support.filtering import filters, holds, items

ALICE = Scope(tenant="t", user_id="alice", agent_id="helper")


@given(filters(), items(ALICE))
def test_any_filter_means_what_the_reference_says(said, item):
    """Of any memory, in both dialects."""
    assert predicate(parse(said))(item) is holds(said, item)


async def test_a_long_test_lets_others_go_first():
    """Nobody waits for more than a few of a hundred memories."""
    tested, seen = [], [0]

    async def others():
        while True:
            await asyncio.sleep(0)
            seen.append(len(tested))

    waiting = asyncio.ensure_future(others())
    await passing(range(100), lambda one: tested.append(one) or time.sleep(0.001) is None)
    waiting.cancel()
    assert tested == list(range(100))
    assert max(later - before for before, later in pairwise([*seen, 100])) <= 5
