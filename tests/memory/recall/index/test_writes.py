"""What a write to the store means for an index."""

import pytest

from recollect.memory.model.types import MemoryStatus, Scope
from recollect.memory.recall.index.key import IndexKey
from recollect.memory.recall.index.writes import Write
from tests.memory.learn.doubles import ALICE, BOB
from tests.memory.recall.memories import index_of, stored

HERS = IndexKey.of(ALICE)
OTHER = Scope(tenant="other", user_id="alice")


def texts(index):
    return sorted(entry.item.text for entry in index.entries if entry is not None)


@pytest.mark.parametrize(
    ("write", "left"),
    [
        (Write.put(stored("coffee", id="2"), 0), ["coffee", "tea"]),
        (Write.put(stored("green tea", id="1"), 0), ["green tea"]),
        (Write.put(stored("tea", id="1", status=MemoryStatus.SUPERSEDED), 0), []),
        (Write.put(stored("tea", id="2", status=MemoryStatus.QUARANTINED), 0), ["tea"]),
        (Write.put(stored("tea", BOB, id="1"), 0), []),
        (Write.put(stored("coffee", BOB, id="2"), 0), ["tea"]),
        (Write.put(stored("coffee", OTHER, id="1"), 0), ["tea"]),
        (Write.erased("1", ALICE.tenant, 0), []),
        (Write.erased("2", ALICE.tenant, 0), ["tea"]),
        (Write.erased("1", OTHER.tenant, 0), ["tea"]),
    ],
    ids=lambda value: None if isinstance(value, Write) else ",".join(value) or "nothing",
)
def test_an_index_after_a_write(write, left):
    """Added, replaced, gone or moved away; what is another user's or tenant's changes nothing."""
    index = index_of(stored("tea", id="1"))
    changed = write.carry_out(HERS, index)
    assert (texts(index), changed) == (left, left != ["tea"])


def test_twice_is_once():
    """A write that is told again leaves what the first one left."""
    write = Write.put(stored("tea", id="1"), 0)
    index = index_of()
    for _ in range(3):
        write.carry_out(HERS, index)
    assert len(index) == 1
