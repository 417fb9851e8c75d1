"""What a message is shown beside what answers it."""

import pytest

from recollect.memory.recall.beside import BEST, MOST_FILL, NOTHING, beside
from tests.memory.recall.memories import hit, index_of, stored
from tests.memory.recall.test_rank import CALIBRATION, ranking

MINE = "What do I have?"


def found(index, query=MINE, *, private=(), evident=(), fill=True):
    def is_private(at):
        return index.entries[at].item.id in private

    return beside(
        index,
        ranking(index, query, evidence=0),
        CALIBRATION,
        lambda at: hit(index.entries[at].item.id, 0.0, position=at),
        is_private,
        [at for at, entry in enumerate(index.entries) if entry.item.id in evident],
        fill=fill,
    )


def names(hits):
    return [one.item.id for one in hits]


def test_nothing_stands_beside_nothing():
    """Without anything relevant there is no fill either."""
    assert found(index_of()) == NOTHING


def test_a_later_statement_that_is_near_comes_with_the_earlier_one():
    """And nothing that was said before it, or is far from it."""
    index = index_of(
        stored("Berlin", degrees=10, minutes=1),
        stored("before", degrees=10, minutes=0),
        stored("Lyon", degrees=20, minutes=2),
        stored("far", degrees=100, minutes=3),
    )
    assert names(found(index).later["Berlin"]) == ["Lyon"]


def test_the_fill_is_for_whoever_speaks_of_themselves():
    """An impersonal message gets none, nor does one of a user who wants none."""
    index = index_of(*[stored(f"m{d}", degrees=d, minutes=d) for d in (10, 40, 80)])
    assert sorted(names(found(index).fill)) == ["m10", "m40", "m80"]
    assert found(index, "Why is grass green?").fill == ()
    assert found(index, fill=False).fill == ()


@pytest.mark.parametrize(("evident", "shown"), [((), False), (("debt",), True)])
def test_what_is_private_fills_nothing_unless_it_is_evidence(evident, shown):
    """Nobody wants it brought up without need."""
    index = index_of(stored("job", degrees=10, minutes=0), stored("debt", degrees=80, minutes=1))
    lines = found(index, private=("debt",), evident=evident)
    assert ("debt" in names(lines.fill)) is shown


def test_of_many_memories_only_so_many_fill():
    """And only the best hits are asked for what is later."""
    index = index_of(*[stored(f"m{n}", degrees=n % 60, minutes=n) for n in range(3 * MOST_FILL)])
    lines = found(index)
    assert len(lines.fill) == MOST_FILL == len(set(names(lines.fill)))
    assert len(lines.later) <= BEST
