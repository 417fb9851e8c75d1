"""One new block per request, the message that it belongs to, and working blocks."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.filters import Exchange, Outcome, Position, Verdict
from recollect.filters.exchange import Injection, Place
from recollect.filters.inject.filter import Inject, injection, places
from recollect.filters.inject.working import ONLY_BLOCKS, WorkingBlocks, together, with_blocks
from recollect.memory.blocks import BlockPage, render, versions_of
from recollect.memory.model.errors import StateError
from recollect.memory.model.types import Message
from recollect.memory.recall import Drop, Selection
from tests.filters.remembered import ALICE, hit, item, selection
from tests.support.fence import FENCE
from tests.support.folding import rows


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


@rows("place, index", [(Place.USER, 1), (Place.START, 0)])
async def test_the_place_is_that_of_the_exchange(place, index):
    """Where the model server takes memories is not the filter's to decide."""
    asked = exchange(selection("first"), place=place)
    await Inject(FENCE).request(asked)
    [injected] = asked.injections
    assert (injected.index, injected.place) == (index, place)


@rows("place", Place)
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


@rows("chosen", [None, Selection((), ((hit("x"), Drop.BUDGET),))])
async def test_nothing_chosen_is_nothing_injected(chosen):
    """The exchange stays as it was."""
    asked = exchange(chosen)
    await Inject(FENCE).request(asked)
    assert not asked.injections
    assert asked.verdict is None


ROUND = st.sampled_from(
    [
        ["user", "assistant"],
        ["user", "calls", "tool", "assistant"],
        ["user", "calls", "tool", "tool", "calls", "tool", "assistant"],
        ["user", "calls", "function"],
        ["user"],
        ["assistant"],
        ["developer"],
    ]
)
TALKS = st.tuples(st.booleans(), st.lists(ROUND, max_size=5)).map(
    lambda parts: ["system"] * parts[0] + [role for each in parts[1] for role in each]
)
ANY_ROLES = st.lists(
    st.sampled_from(["system", "developer", "user", "assistant", "tool", "function", "", "odd"]),
    max_size=12,
)


def messages(roles):
    return [Message(role=role.replace("calls", "assistant"), content=role) for role in roles]


def last(roles, role):
    return max((i for i, each in enumerate(roles) if each == role), default=None)


@given(TALKS)
def test_well_formed_talks_get_blocks_right_before_user_messages(roles):
    """Where no client put anything between a call and its result."""
    assert places(messages(roles), Place.TAIL) == [
        i for i, role in enumerate(roles) if role == "user"
    ]


@given(ANY_ROLES)
def test_calls_and_results_are_never_parted(roles):
    """Between a result and the assistant that asked for it there is no block, for any roles."""
    for place in places(messages(roles), Place.TAIL):
        for at, role in enumerate(roles):
            if role in {"tool", "function"}:
                caller = max((i for i in range(at) if roles[i] in {"assistant", ""}), default=None)
                assert caller is None or not caller < place <= at


@given(ANY_ROLES, st.sampled_from(Place))
def test_every_user_message_has_one_place_at_or_before_it(roles, where):
    """In the same order, so that several blocks can be put in at one go."""
    users = [i for i, role in enumerate(roles) if role == "user"]
    found = places(messages(roles), where)
    assert len(found) == len(users)
    assert found == sorted(found)
    assert all(0 <= place <= user for place, user in zip(found, users, strict=True))


@rows(
    "roles, expected",
    [
        (["user"], [0]),
        (["system", "user", "assistant", "user"], [1, 3]),
        (["system", "user", "calls", "tool"], [1]),
        (["user", "user"], [0, 1]),
        (["user", "calls", "user", "tool"], [0, 1]),
        (["user", "calls", "tool", "user", "tool"], [0, 1]),
        (["calls", "user", "user", "developer", "tool", "user"], [0, 0, 5]),
        (["calls", "user", "tool", "assistant", "user"], [0, 4]),
        (["user", "tool"], [0]),
        (["user", "", "", "tool", "user", "tool"], [0, 1]),
        (["user", "assistant", "", "user", "tool"], [0, 1]),
        (["system"], []),
        ([], []),
    ],
)
def test_the_places(roles, expected):
    """Calls of the Responses API are items without a role, several in a row are made at once."""
    assert places(messages(roles), Place.TAIL) == expected


@rows(
    "roles, tail, user",
    [
        (["user"], 0, 0),
        (["system", "user"], 1, 1),
        (["system", "user", "assistant", "user"], 3, 3),
        (["system", "user", "calls", "tool"], 1, 1),
        (["user", "calls", "user", "tool"], 1, 2),
    ],
)
def test_the_places_of_a_block(roles, tail, user):
    """`tail` parts no call from its result, `user` is the message itself, `start` the first one."""
    said = messages(roles)
    assert injection(said, "x", Place.TAIL) == Injection(tail, "x", Place.TAIL)
    assert injection(said, "x", Place.USER) == Injection(user, "x", Place.USER)
    assert injection(said, "x", Place.START) == Injection(0, "x", Place.START)


@rows("place", Place)
@rows("roles", [[], ["system"], ["assistant", "tool"]])
def test_without_a_user_message_there_is_no_block(roles, place):
    """Nobody asked anything that memories could help with."""
    assert injection(messages(roles), "x", place) is None


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


def exchange_working(*roles, place=Place.USER):
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
    asked = exchange_working("system", "user", "assistant", "user", place=place)
    assert await passed(asked) == [Injection(index, PAGE, place)]


async def test_they_stand_before_what_is_recalled():
    """In one text, which starts with the same bytes whatever is recalled."""
    asked = exchange_working("user")
    asked.injections = [Injection(0, "recalled", Place.USER)]
    assert await passed(asked) == [Injection(0, f"{PAGE}\n\nrecalled", Place.USER)]


async def test_replayed_conversations_begin_with_them():
    """Later turns add nothing before them, so that a prompt cache keeps all of it."""
    asked = exchange_working("user", "assistant", "user", place=Place.START)
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
    asked = exchange_working("user")
    assert await passed(asked, Known("")) == ()
    asked = exchange_working("system")
    assert await passed(asked) == ()
    assert asked.working == ""


async def test_a_state_that_fails_costs_the_blocks_only():
    """The recall goes on; only where blocks are not known is a part asked."""
    asked, pages = exchange_working("user"), Known(StateError("away"))
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
    asked = exchange_working("user")
    assert with_blocks(Verdict(outcome, "x"), asked).reason == "x"
    asked.working = PAGE
    assert with_blocks(Verdict(outcome, "x"), asked).reason == reason
