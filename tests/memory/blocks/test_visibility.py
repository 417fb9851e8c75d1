"""Which blocks a request sees, and which of them it may write."""

from __future__ import annotations

from recollect.memory.blocks.visibility import seen_blocks
from recollect.memory.model.shares import Attachment, ShareKind, ShareRights
from recollect.memory.model.types import Scope
from tests.memory.blocks.blocks import block
from tests.memory.state.samples import ALICE, ALICE_WORK, BOB, NOON


def attached(block_id: str, rights: ShareRights, to: Scope = ALICE) -> Attachment:
    """A block of Bob's, attached by him."""
    return Attachment(
        kind=ShareKind.BLOCK, item_id=block_id, owner=BOB, to=to, rights=rights, created_at=NOON
    )


def test_of_one_label_the_nearest_is_seen() -> None:
    """That of more ids before that of fewer, and an own one before an attached one."""
    wide, near = block("wide"), block("near", scope=ALICE_WORK)
    strange = block("strange", scope=BOB)
    other = block("other", scope=BOB, label="news")
    shares = [attached(each.id, ShareRights.READ) for each in (strange, other)]
    seen = seen_blocks(ALICE_WORK, [wide, near], shares, [strange, other])
    assert [(each.block.value, each.shared) for each in seen] == [("other", True), ("near", False)]
    assert [each.block.value for each in seen_blocks(ALICE, [wide], shares[:1], [strange])] == [
        "wide"
    ]


def test_a_right_to_write_is_one_that_was_given() -> None:
    """By any of several attachments; what is not attached is not seen, whoever names it."""
    strange = block(scope=BOB)
    read, write = (attached(strange.id, rights) for rights in ShareRights)
    for shares in ([read, write], [write, read]):
        [seen] = seen_blocks(ALICE, [], shares, [strange])
        assert seen.writable
    [seen] = seen_blocks(ALICE, [], [read], [strange])
    assert not seen.writable
    assert seen_blocks(ALICE, [], [], [strange]) == []
