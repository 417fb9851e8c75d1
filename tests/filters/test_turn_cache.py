"""What is remembered of turns, and how it is forgotten."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.filters import turn_cache
from recollect.filters.capture import conversation_id_of, turn_id_of
from recollect.filters.turn_cache import TurnCache, TurnKey
from recollect.memory.blocks import RecalledBlock
from recollect.memory.model.types import Message, Scope
from recollect.memory.recall import Drop, Query, Selection
from tests.support.fence import FENCE
from tests.support.folding import rows

from .remembered import ALICE, hit, item, selection

BOB = Scope(tenant="local", user_id="bob")
ELSEWHERE = Scope(tenant="other", user_id="alice")
CODER = Scope(tenant="local", user_id="alice", agent_id="coder")
WRITER = Scope(tenant="local", user_id="alice", agent_id="writer")

IDS = st.none() | st.sampled_from(["a", "b"])
SCOPES = st.builds(
    lambda tenant, user, agent, run: Scope(
        tenant=tenant,
        user_id=user if agent or run else user or "a",
        agent_id=agent,
        run_id=run,
    ),
    st.sampled_from(["t", "u"]),
    IDS,
    IDS,
    IDS,
)


def block(*ids):
    return RecalledBlock.of([item(name) for name in ids], FENCE)


def filled():
    """Each of these scopes has had the turn `t` with the memory `m` and its own."""
    kept = TurnCache()
    for scope in (ALICE, BOB, ELSEWHERE, CODER, WRITER):
        own = f"of {scope.tenant} {scope.user_id} {scope.agent_id}"
        kept.blocks.put(TurnKey(scope, "t"), block("m", own))
        kept.selections.put(TurnKey(scope, "t"), selection("m", own))
    return kept


def left(kept):
    """Whose turns are still there; the two kinds always agree."""
    scopes = (ALICE, BOB, ELSEWHERE, CODER, WRITER)
    blocks = [scope for scope in scopes if kept.blocks.get(TurnKey(scope, "t"))]
    assert blocks == [s for s in scopes if kept.selections.get(TurnKey(s, "t"))]
    return blocks


@given(SCOPES, SCOPES, st.booleans())
def test_no_scope_gets_the_turns_of_another(one, other, named):
    """Also if both say the same in a session they call by the same name."""
    said = [Message(role="user", content="Where do I live?")]
    ids = []
    for scope in (one, other):
        ids.append(turn_id_of(conversation_id_of(scope, "s" if named else None, said), said))
    kept = TurnCache()
    kept.blocks.put(TurnKey(one, ids[0]), block("m"))
    kept.selections.put(TurnKey(one, ids[0]), selection("m"))
    for turn_id in ids:
        found = (
            kept.blocks.get(TurnKey(other, turn_id)),
            kept.selections.get(TurnKey(other, turn_id)),
        )
        assert (one == other) == (None not in found)
    assert (ids[0] == ids[1]) == (one == other)


@given(SCOPES, SCOPES, SCOPES)
def test_a_deleted_scope_leaves_no_turn_that_could_show_it(deleted, of_memory, of_turn):
    """Whatever turn could see a memory that is deleted is gone, and nothing of other tenants."""
    kept = TurnCache()
    kept.blocks.put(TurnKey(of_turn, "t"), block("m"))
    kept.forget(deleted)
    there = kept.blocks.get(TurnKey(of_turn, "t")) is not None
    if deleted.admits(of_memory) and of_turn.admits(of_memory):
        assert not there
    if deleted.tenant != of_turn.tenant:
        assert there


@rows(
    "owner_ref, memory_id, expected",
    [
        ("local", None, [ELSEWHERE]),
        ("local", "m", [ELSEWHERE]),
        ("local", "of local bob None", [ALICE, ELSEWHERE, CODER, WRITER]),
        ("local", "of other alice None", [ALICE, BOB, ELSEWHERE, CODER, WRITER]),
        (BOB, None, [ALICE, ELSEWHERE, CODER, WRITER]),
        (ALICE, None, [BOB, ELSEWHERE]),
        (CODER, None, [BOB, ELSEWHERE, WRITER]),
        (CODER, "m", [BOB, ELSEWHERE, WRITER]),
        (ALICE, "unknown", [ALICE, BOB, ELSEWHERE, CODER, WRITER]),
    ],
)
def test_what_is_forgotten(owner_ref, memory_id, expected):
    """Turns that may hold the memory, or any of the scope or tenant; nobody else's."""
    kept = filled()
    kept.forget(owner_ref, memory_id)
    assert left(kept) == expected


@rows("memory_id", [None, "m", "unknown"])
def test_queries_of_whoever_forgets_are_forgotten(memory_id):
    """Nobody knows which memory a query's words came from; nobody else's go."""
    kept = TurnCache()
    for scope in (ALICE, BOB, ELSEWHERE, CODER):
        kept.queries.put(TurnKey(scope, "t"), Query("which?"))
    kept.forget(CODER, memory_id)
    assert [kept.queries.get(TurnKey(s, "t")) is None for s in (ALICE, BOB, ELSEWHERE, CODER)] == [
        True,
        False,
        False,
        True,
    ]


def test_a_memory_that_was_found_but_not_chosen_is_forgotten_too():
    """A selection holds the text of what it dropped."""
    kept = TurnCache()
    dropped = Selection((hit("a"),), ((hit("m"), Drop.BUDGET),))
    kept.selections.put(TurnKey(ALICE, "t"), dropped)
    kept.forget("local", "m")
    assert kept.selections.get(TurnKey(ALICE, "t")) is None


def test_forgetting_is_counted_by_tenant():
    """Whoever was asking a store meanwhile can tell."""
    kept = TurnCache()
    kept.forget(ALICE, "m")
    kept.forget("local")
    assert (kept.times_forgotten("local"), kept.times_forgotten("other")) == (2, 0)


def test_it_is_bounded(monkeypatch):
    """Turns by number, blocks also by their characters."""
    size = len(block("m").text)
    bounds = {"QUERIES": 2, "SELECTIONS": 3, "BLOCKS": 5, "BLOCK_CHARS": 4 * size}
    for name, most in bounds.items():
        monkeypatch.setattr(turn_cache, f"MAX_{name}", most)
    kept = TurnCache()
    for number in range(9):
        kept.blocks.put(TurnKey(ALICE, str(number)), block("m"))
        kept.selections.put(TurnKey(ALICE, str(number)), selection("m"))
        kept.queries.put(TurnKey(ALICE, str(number)), Query("which?"))
    assert (len(kept.queries), len(kept.selections), len(kept.blocks)) == (2, 3, 4)
