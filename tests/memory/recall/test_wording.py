"""The wordings of a query and their vectors."""

import numpy as np

from recollect.memory.recall.finding import PreparedQuery
from recollect.memory.recall.own_name import AboutUser
from recollect.memory.recall.wording import naming_user, vectors_of
from tests.memory.learn.doubles import ALICE, NOON

from .test_recaller import EMBEDDER


async def test_the_wording_about_the_user_comes_first():
    """What the message means is read of it, and the query as it is still finds others."""
    vectors = await vectors_of(EMBEDDER, ["What does Ada do?"])
    query = ["What does Ada do?"]
    asked = PreparedQuery(ALICE, query, vectors, vectors[0], query[0], NOON, most=3)
    assert await naming_user(EMBEDDER, asked, None) is asked
    about = AboutUser("What does user do?", frozenset({"m1"}))
    found = await naming_user(EMBEDDER, asked, about)
    assert found.wordings == ["What does user do?", *query]
    assert np.array_equal(found.vectors, await vectors_of(EMBEDDER, found.wordings))
    assert found.own is not asked.own
    assert found.telling == {"m1"}
