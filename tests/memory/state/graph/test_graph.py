"""What scripts of the graph decide without a database; the rest is in the contract."""

from collections.abc import Iterable
from itertools import pairwise

import hypothesis.strategies as st
import pytest
from hypothesis import given

from recollect.memory.model.graph import GraphStore
from recollect.memory.model.types import Scope
from recollect.memory.state.graph.connecting import GraphWay, nearest
from recollect.memory.state.graph.merging import roots
from recollect.memory.state.graph.rows import (
    after_all,
    fullest,
    micros,
    moment_from,
    owner_key,
    seen,
)
from recollect.memory.state.sqlite import in_memory_graph
from tests.memory.state.samples import ALICE, ALICE_WORK, NOON

pairs = st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdefx")), max_size=9)


def reached(start: str, merges: Iterable[tuple[str, str]], known: str = "abcdef") -> set[str]:
    """All that one can go to from `start`."""
    found = {start}
    for _ in known:
        found |= {b for pair in merges for a, b in (pair, pair[::-1]) if a in found and b in known}
    return found


@given(pairs, st.randoms())
def test_the_oldest_of_each_group_stands_for_it(merges, random):
    """In whatever order and direction they were merged, also in circles; unknown ends join none."""
    created = dict(zip("abcdef", (3, 3, 1, 2, 2, 1), strict=True))
    found = roots(created, merges)
    for each in created:
        group = reached(each, [pair for pair in merges if set(pair) <= created.keys()])
        assert found[each] == min(group, key=lambda one: (created[one], one))
    shuffled = [pair[::-1] for pair in merges]
    random.shuffle(shuffled)
    assert roots(created, shuffled) == found


def test_a_long_chain_is_no_deep_one():
    """A thousand merges in a row have one root."""
    names = [f"{number:04}" for number in range(1_000)]
    created = dict.fromkeys(names, 0)
    assert set(roots(created, pairwise(names)).values()) == {"0000"}


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), st.text(max_size=4))
def test_what_is_greater_than_all_that_begin_so(prefix, rest):
    """In the order of UTF-8, in which databases compare."""
    rest = rest.encode("utf-8", "replace").decode()
    following = after_all(prefix)
    if following is None:
        assert set(prefix) <= {"\U0010ffff"}
        return
    assert prefix.encode() <= (prefix + rest).encode() < following.encode()
    assert not following.startswith(prefix) or not prefix


@pytest.mark.parametrize(
    ("prefix", "following"),
    [("a", "b"), ("a\U0010ffff", "b"), ("\ud7ff", "\ue000"), ("\U0010ffff", None), ("", None)],
)
def test_the_ends_of_the_alphabet(prefix, following):
    """The last character, and those that no text has."""
    assert after_all(prefix) == following


def test_the_fullest_name():
    """The longest key that is a name's; without one, what is most used; nothing of nothing."""
    described = [("my sister from Tbilisi", "@sister tbilisi"), ("Anna", "anna")]
    assert fullest(described) == ("Anna", "anna")
    assert fullest([("Anna", "anna"), ("Dr. Anna S.", "anna s")]) == ("Dr. Anna S.", "anna s")
    assert fullest(described[:1]) == described[0]
    assert fullest([]) == ("", "")


def test_owners_have_keys_of_their_own():
    """An agent named as a user, and ids that only look alike together, are apart."""
    scopes = [
        Scope(tenant="t", user_id="a"),
        Scope(tenant="t", agent_id="a"),
        Scope(tenant="t", run_id="a"),
        Scope(tenant="t", user_id="a", agent_id="a"),
        Scope(tenant="ta", user_id="a"),
    ]
    assert len({owner_key(scope) for scope in scopes}) == len(scopes)
    assert owner_key(ALICE) == owner_key(Scope(tenant="local", user_id="alice"))


@given(st.datetimes())
def test_moments_are_exact(moment):
    """To the microsecond."""
    moment = moment.replace(tzinfo=NOON.tzinfo)

    assert moment_from(micros(moment)) == moment


def test_who_may_see_a_row():
    """Each id of a scope is a condition; a tenant sees all of its own."""
    assert seen("local", "n") == "n.tenant = :tenant"
    assert seen(ALICE_WORK, "n", by_user=True) == (
        "n.tenant = :tenant AND n.user_id = :user_id AND n.agent_id = :agent_id"
    )


def test_the_best_way_to_each_memory():
    """Over the rarest entity, of equals what both speak of; what one begins with is not reached."""
    steps = [
        GraphWay("often", "1"),
        GraphWay("rare", "1", "likes"),
        GraphWay("rare", "2"),
        GraphWay("none", "1"),
    ]
    spread = {"often": 9, "rare": 2}
    speaking = {"often": ["1", "3", "4"], "rare": ["2", "3"]}
    found = nearest(steps, spread, speaking, without={"1", "2"})
    assert [(each.memory_id, each.source_id, each.relation, each.spread) for each in found] == [
        ("3", "2", None, 2),
        ("4", "1", None, 9),
    ]


async def test_it_is_a_graph_store():
    """The port is kept, by its types too."""
    store: GraphStore = in_memory_graph()
    await store.ping()
    await store.close()
