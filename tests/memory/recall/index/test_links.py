"""What was said next to what."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.recall.index.links import NONE, SAME_SESSION_SECONDS, Links, taken_from

ROWS = st.lists(
    st.tuples(
        st.integers(0, 2),  # owner
        st.integers(NONE, 1),  # conversation
        st.sampled_from([0.0, 60.0, 1800.0, 1860.0, 3700.0, 9000.0]),  # moment
        st.integers(0, 2),  # sequence
    ),
    max_size=14,
)


def links_of(rows):
    columns = [list(column) for column in zip(*rows, strict=True)] or [[], [], [], []]
    owner, conversation, moment, sequence = columns
    return Links.of(
        np.array(owner, np.int64),
        np.array(conversation, np.int64),
        np.array(moment, np.float64),
        np.array(sequence, np.int64),
    )


def chains(rows):
    """The sessions, as lists of positions in order: the definition, without any cleverness."""
    groups = {}
    for at, (owner, conversation, moment, sequence) in enumerate(rows):
        groups.setdefault((owner, conversation), []).append((moment, sequence, at))
    found = []
    for (_, conversation), members in groups.items():
        members.sort()
        chain = []
        for moment, sequence, at in members:
            silent = chain and conversation == NONE and moment - chain[-1][0] > SAME_SESSION_SECONDS
            if silent:
                found.append(chain)
                chain = []
            chain.append((moment, sequence, at))
        found.append(chain)
    return [[at for _, _, at in chain] for chain in found]


@given(ROWS)
def test_it_is_what_the_definition_says(rows):
    """Neighbours at each distance and sessions, against lists that are sorted and cut by hand."""
    links = links_of(rows)
    expected = chains(rows)
    assert links.sessions == len(expected)
    for chain in expected:
        assert len({int(links.session[at]) for at in chain}) == 1
        for place, at in enumerate(chain):
            for distance in (1, -1, 2, -2):
                there = 0 <= place + distance < len(chain)
                other = chain[place + distance] if there else NONE
                assert links.at(distance)[at] == other
    numbers = {int(links.session[chain[0]]) for chain in expected}
    assert numbers == set(range(len(expected)))


def test_nobody_is_a_neighbour_of_somebody_else():
    """Not even in a conversation of the same name at the same moment."""
    links = links_of([(0, 0, 0.0, 0), (1, 0, 0.0, 1)])
    assert links.at(1).tolist() == links.at(-1).tolist() == [NONE, NONE]
    assert links.sessions == 2


def test_conversations_are_apart_and_have_no_clock():
    """A known conversation goes on however long it was silent; another one is never beside it."""
    links = links_of([(0, 0, 0.0, 0), (0, 1, 1.0, 0), (0, 0, 9e6, 0)])
    assert links.at(1).tolist() == [2, NONE, NONE]


def test_half_an_hour_of_silence_ends_a_session():
    """Up to it memories of no known conversation belong together, beyond it they do not."""
    gap = SAME_SESSION_SECONDS
    links = links_of([(0, NONE, 0.0, 0), (0, NONE, gap, 0), (0, NONE, 2 * gap + 1, 0)])
    assert links.at(1).tolist() == [1, NONE, NONE]
    assert links.session.tolist() == [0, 0, 1]


def test_order_is_that_of_moment_and_sequence():
    """Not that of the positions."""
    links = links_of([(0, 0, 5.0, 1), (0, 0, 5.0, 0), (0, 0, 4.0, 9)])
    assert links.at(1).tolist() == [NONE, 0, 1]
    assert links.at(-2).tolist() == [2, NONE, NONE]


def test_values_are_taken_from_neighbours():
    """0 where there is none, and nothing of nothing."""
    assert taken_from(np.array([1.0, 2.0, 3.0]), np.array([2, NONE, 0])).tolist() == [3, 0, 1]
    assert taken_from(np.array([]), np.array([], np.int64)).tolist() == []
