"""One block, made anew for each request."""

import pytest

from recollect.filters import Exchange, Outcome, Place
from recollect.filters.inject import Inject
from recollect.filters.inject.blocks import versions_of
from recollect.filters.inject.render import render
from recollect.memory.model.types import Message
from recollect.memory.recall import Drop, Selection
from tests.support.fence import FENCE

from ..remembered import ALICE, hit, item, selection


def exchange(chosen, roles=("system", "user"), shown=(), place=Place.TAIL):
    return Exchange(
        scope=ALICE,
        messages=[Message(role=role, content=role) for role in roles],
        model="m",
        conversation_id="c",
        turn_id="t",
        place=place,
        selection=chosen,
        shown=versions_of(shown),
        notes={"gate": "personal"},
    )


async def test_what_was_chosen_is_injected():
    """Best first, in one message, with the outcome and the gate's reason."""
    asked = exchange(selection("first", "second"))
    await Inject(FENCE).request(asked)
    [injected] = asked.injections
    assert (injected.index, injected.place) == (1, Place.TAIL)
    assert injected.text == render([item("first"), item("second")], FENCE)
    assert asked.injected == versions_of([item("first"), item("second")])
    assert (asked.verdict.outcome, asked.verdict.reason) == (Outcome.INJECTED, "personal")


@pytest.mark.parametrize(("place", "index"), [(Place.USER, 1), (Place.START, 0)])
async def test_the_place_is_that_of_the_exchange(place, index):
    """Where the model server takes memories is not the filter's to decide."""
    asked = exchange(selection("first"), place=place)
    await Inject(FENCE).request(asked)
    [injected] = asked.injections
    assert (injected.index, injected.place) == (index, place)


@pytest.mark.parametrize("place", Place)
async def test_what_the_model_sees_anyway_is_left_out(place):
    """Memories in blocks that the upstream keeps are not repeated, but count as seen."""
    asked = exchange(selection("old", "new"), shown=[item("old"), item("other")], place=place)
    await Inject(FENCE).request(asked)
    [injected] = asked.injections
    assert injected.text == render([item("new")], FENCE)
    assert asked.injected == versions_of([item("old"), item("new")])


async def test_nothing_new_is_still_injected():
    """The model sees what was recalled; the request's bytes stay as they are."""
    asked = exchange(selection("old"), shown=[item("old")])
    await Inject(FENCE).request(asked)
    assert not asked.injections
    assert len(asked.injected) == 1
    assert (asked.verdict.outcome, asked.verdict.reason) == (Outcome.INJECTED, "replayed")


async def test_an_updated_memory_is_shown_again():
    """What stands in an earlier block is outdated."""
    asked = exchange(selection("home"), shown=[item("home", "lives in Oslo")])
    await Inject(FENCE).request(asked)
    assert [each.text for each in asked.injections] == [render([item("home")], FENCE)]


@pytest.mark.parametrize("chosen", [None, Selection((), ((hit("x"), Drop.BUDGET),))])
async def test_nothing_chosen_is_nothing_injected(chosen):
    """The exchange stays as it was."""
    asked = exchange(chosen)
    await Inject(FENCE).request(asked)
    assert not asked.injections
    assert asked.verdict is None


@pytest.mark.parametrize("place", Place)
async def test_without_a_user_message_nothing_is_injected(place):
    """There is nothing the memories could be about."""
    asked = exchange(selection("first"), roles=("system", "assistant", "tool"), place=place)
    await Inject(FENCE).request(asked)
    assert not asked.injections
    assert not asked.injected
    assert asked.verdict is None
