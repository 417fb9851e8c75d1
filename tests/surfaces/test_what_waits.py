"""What waits for a person is on no surface that tells a model or lists what is believed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.surfaces.place import a_place
from tests.surfaces.walks import ALICE, QUIET, SURFACES, Life

ALL = SURFACES | QUIET
RECORD = frozenset({"conversations", "conversation_search", "export", "what memory did"})
"""What was said and done, as it was."""
READ = frozenset({"memory", "history", "inspect", "explain", "map"})
"""What a person reads: one memory with its reasons, and the map, where it is marked."""
NAME = "Brelquintor"


@pytest.fixture(scope="module", params=[False, True], ids=["said", "learned"])
def life(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Life]:
    """Who told of an allergy, which waits; with and without a model that learned of it."""
    with a_place(trust__review={"health": 14}) as place:
        one = Life(place, NAME, tmp_path_factory.mktemp("export"))
        place.model.replies = [one._reply]
        one.chat(one.told, session="first")
        if request.param:
            one.rest.ask("flush", dict(ALICE))
        one.place.call(place.engine.indexer.settled(one.scope))
        [one.memory] = one.rest.run("review_queue", **ALICE)["results"]
        one.settle()
        yield one


@pytest.mark.parametrize("surface", sorted(ALL))
def test_it_is_nowhere_before_it_is_kept(life: Life, surface: str) -> None:
    """But in the record of what was said, and where a person reads it, marked."""
    found = str(ALL[surface](life))
    assert (NAME.lower() in found.lower()) <= (surface in RECORD | READ), found[:600]
