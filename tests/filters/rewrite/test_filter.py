"""The rewrite without a model."""

from dataclasses import replace

import pytest

from recollect.filters import Exchange
from recollect.filters.rewrite import RewriteOptions
from recollect.filters.rewrite.filter import Rewrite
from recollect.memory.model.types import Message, Scope
from recollect.memory.recall import Query


@pytest.mark.parametrize(
    ("said", "query", "word"),
    [
        (["Teapots?", "and those?"], "Teapots and those?", "terms"),
        (["Teapots?", "Where is\n Marta's kettle?"], "Where is Marta's kettle?", "as_is"),
        (["and those?"], "and those?", "as_is"),
        ([], "", "as_is"),
    ],
)
async def test_it_says_whether_terms_were_added(said, query, word):
    """The query has no variants and nothing made up; the note is one word for traces."""
    exchange = Exchange(
        scope=Scope(tenant="local", user_id="alice"),
        messages=[Message(role="user", content=text) for text in said],
        model="m",
        conversation_id="c",
        turn_id="t",
    )
    await Rewrite(RewriteOptions()).request(exchange)
    assert exchange.query == Query(query)
    assert exchange.notes == {"rewrite": word}


async def test_a_conversation_that_the_upstream_keeps_is_read_like_a_resent_one():
    """The terms of earlier messages are added, whoever sends them."""
    said = [Message(role="user", content=text) for text in ("Teapots?", "and those?")]
    resent = Exchange(
        scope=Scope(tenant="local", user_id="alice"),
        messages=said,
        model="m",
        conversation_id="c",
        turn_id="t",
    )
    kept = replace(resent, messages=said[1:], earlier=said[:1])
    for exchange in (resent, kept):
        await Rewrite(RewriteOptions()).request(exchange)
        assert exchange.query == Query("Teapots and those?")
