"""Working blocks in a request, whatever else is in it."""

from recollect.filters import Exchange, Outcome, Position, Verdict
from recollect.filters.exchange import Injection, Place
from recollect.filters.inject.working import ONLY_BLOCKS, WorkingBlocks, together, with_blocks
from recollect.memory.blocks import BlockPage
from recollect.memory.model.errors import StateError
from recollect.memory.model.types import Message
from tests.support.folding import rows

from ..remembered import ALICE

PAGE = "the page"


class Known:
    """Blocks of everybody."""

    known = True

    def __init__(self, text=PAGE):
        self.text = text

    def knows(self, _scope):
        return self.known

    async def page(self, _scope):
        if isinstance(self.text, Exception):
            raise self.text
        return BlockPage(self.text, complete=True)


def exchange(*roles, place=Place.USER):
    return Exchange(
        scope=ALICE,
        messages=[Message(role=role, content=role) for role in roles],
        model="m",
        conversation_id="c",
        turn_id="t",
        place=place,
    )


async def passed(asked, pages=None, position=Position.AUTO):
    step = WorkingBlocks(pages or Known(), position)
    await step.request(asked)
    step.settle(asked)
    return asked.injections


@rows("place, index", [(Place.USER, 3), (Place.TAIL, 3), (Place.START, 0)])
async def test_they_stand_where_memories_do(place, index):
    """In the message that the request is about, or at the start."""
    asked = exchange("system", "user", "assistant", "user", place=place)
    assert await passed(asked) == [Injection(index, PAGE, place)]


async def test_they_stand_before_what_is_recalled():
    """In one text, which starts with the same bytes whatever is recalled."""
    asked = exchange("user")
    asked.injections = [Injection(0, "recalled", Place.USER)]
    assert await passed(asked) == [Injection(0, f"{PAGE}\n\nrecalled", Place.USER)]


async def test_replayed_conversations_begin_with_them():
    """Later turns add nothing before them, so that a prompt cache keeps all of it."""
    asked = exchange("user", "assistant", "user", place=Place.START)
    asked.injections = [Injection(2, "recalled", Place.USER)]
    placed = await passed(asked, position=Position.REPLAY)
    assert placed == [Injection(0, PAGE, Place.USER), Injection(2, "recalled", Place.USER)]


def test_texts_in_other_places_stay_apart():
    """In the order of their places."""
    ours, other = Injection(2, "a", Place.USER), Injection(1, "b", Place.USER)
    assert together(ours, [other]) == [other, ours]
    elsewhere = Injection(2, "b", Place.TAIL)
    assert together(ours, [elsewhere]) == [ours, elsewhere]


async def test_a_request_without_blocks_is_left_alone():
    """So is one without a message to put them into."""
    asked = exchange("user")
    assert await passed(asked, Known("")) == ()
    asked = exchange("system")
    assert await passed(asked) == ()
    assert asked.working == ""


async def test_a_state_that_fails_costs_the_blocks_only():
    """The recall goes on; only where blocks are not known is a part asked."""
    asked, pages = exchange("user"), Known(StateError("away"))
    assert await passed(asked, pages) == ()
    assert asked.verdict is None
    step = WorkingBlocks(pages, Position.AUTO)
    assert not step.calls_out(asked)
    pages.known = False
    assert step.calls_out(asked)


@rows(
    "outcome, reason",
    [
        (Outcome.SKIPPED, ONLY_BLOCKS),
        (Outcome.EMPTY, ONLY_BLOCKS),
        (Outcome.DEGRADED, "x"),
        (Outcome.INJECTED, "x"),
    ],
)
def test_the_outcome_says_that_something_was_injected(outcome, reason):
    """And still says that a recall failed."""
    asked = exchange("user")
    assert with_blocks(Verdict(outcome, "x"), asked).reason == "x"
    asked.working = PAGE
    assert with_blocks(Verdict(outcome, "x"), asked).reason == reason
