"""What waits for a person is on no surface that tells a model or lists what is believed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest

from recollect.memory.api.portal import Portal
from recollect.memory.engine.doubtful_counts import doubtful_in
from tests.support.hearing import heard
from tests.support.postgres_server import empty_database
from tests.surfaces.place import Place, a_place
from tests.surfaces.walks import ALICE, QUIET, SURFACES, Life

ALL = SURFACES | QUIET
RECORD = frozenset({"conversations", "conversation_search", "export", "what memory did"})
"""What was said and done, as it was."""
READ = frozenset({"memory", "history", "inspect", "explain", "map"})
"""What a person reads: one memory with its reasons, and the map, where it is marked."""
NAME = "Brelquintor"


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.process)]
)
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    """A product in which what is said of health waits."""
    with ExitStack() as stack:
        url = None
        if request.param == "postgres":
            portal = stack.enter_context(closing(Portal()))
            database = empty_database(request.getfixturevalue("postgres"))
            url = portal.call(database.__aenter__())
            stack.callback(lambda: portal.call(database.__aexit__(None, None, None)))
        yield stack.enter_context(a_place(database__url=url, trust__review={"health": 14}))


@pytest.fixture(scope="module", params=[False, True], ids=["said", "learned"])
def life(
    request: pytest.FixtureRequest, place: Place, tmp_path_factory: pytest.TempPathFactory
) -> Life:
    """Who told of an allergy, which waits; with and without a model that learned of it."""
    one = Life(place, NAME, tmp_path_factory.mktemp("export"))
    place.model.replies = [one._reply]
    one.chat(one.told, session="first")
    if request.param:
        one.rest.ask("flush", dict(ALICE))
    place.call(heard(place.engine.indexer))
    [one.memory] = one.rest.run("review_queue", **ALICE)["results"]
    one.settle()
    return one


@pytest.mark.parametrize("surface", sorted(ALL))
def test_it_is_nowhere_before_it_is_kept(life: Life, surface: str) -> None:
    """But in the record of what was said, and where a person reads it, marked."""
    life.place.model.replies = [life._reply]
    found = str(ALL[surface](life))
    assert (NAME.lower() in found.lower()) <= (surface in RECORD | READ), found[:600]


def test_it_is_counted(place: Place, life: Life) -> None:
    """On the metrics of all tenants; nothing waited too long."""
    counted = place.call(doubtful_in(place.engine.parts.store))
    assert counted.quarantined >= 1
    assert counted.left_out == 0
    assert life.memory["review"]["kinds"] == ["health"]
