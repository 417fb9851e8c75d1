"""The weights of a ranking as they are configured: every reader goes by them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.surfaces.all import told_on
from tests.surfaces.place import a_place
from tests.surfaces.rest import Rest
from tests.surfaces.test_one_selection import ALICE, chatted, explained, fact_searched

BICYCLE, TEA = "bicycle has a flat tyre", "Earl Grey tea with milk at breakfast"
QUESTION = "my tea and my bicycle"
NEWEST = {"recall__ranking__recency": 1, "recall__ranking__half_life_days": 1}
USUAL = {"recency": 0.02, "half_life_days": 30}


@pytest.fixture(scope="module")
def shared_place():
    """A product in which nearly nothing counts but the age, and a chat is given one line."""
    with a_place(**NEWEST, recall__limit=1) as place:
        yield place


def tell(surface):
    """What has most words of the question was told long ago, the other today."""

    async def told():
        await surface.place.engine.recaller.prepare()
        memory, today = surface.place.memory(surface.tenant), datetime.now(UTC)
        for text, days in ((BICYCLE, 400), (TEA, 0)):
            when = today - timedelta(days=days)
            await memory.add(text, infer=False, timestamp=when, **ALICE)

    surface.place.call(told())


@told_on("add", "search")
def test_a_search_ranks_as_it_is_configured(surface):
    """The newer first; with the weights that are usual elsewhere the one that fits better."""
    tell(surface)
    found = surface.run("search", query=QUESTION, **ALICE)["results"]
    assert found[0]["memory"] == TEA
    if surface.name == "library":
        found = surface.run("search", query=QUESTION, fusion=USUAL, **ALICE)["results"]
        assert found[0]["memory"] == BICYCLE


@told_on("add", "explain")
def test_an_explanation_ranks_as_it_is_configured(surface):
    """It is that of a chat."""
    tell(surface)
    assert explained(surface, QUESTION) == [TEA]


def test_a_chat_and_a_tool_are_given_what_ranks_first(place):
    """Where there is room for one line, the weights tell which."""
    door = Rest(place, place.tenant())
    tell(door)
    assert fact_searched(door, QUESTION)[0] == TEA
    assert chatted(door, QUESTION) == [TEA]
