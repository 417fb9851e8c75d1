"""Finds the blocks that a request sees, and those that it may write. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..model.blocks import Block
from ..model.shares import Attachment, ShareRights
from ..model.types import Scope


@dataclass(frozen=True, slots=True)
class SeenBlock:
    """A block as one scope sees it."""

    block: Block
    writable: bool
    shared: bool
    """Whether it was attached to the scope, and is not its own."""


def seen_blocks(
    asking: Scope, own: Sequence[Block], attachments: Sequence[Attachment], named: Iterable[Block]
) -> list[SeenBlock]:
    """The blocks that a scope sees, by label: one for each label, the nearest.

    `own` are those whose scope admits it, `attachments` those of blocks to it, and `named` the
    blocks that these name.
    """
    found = [SeenBlock(block, may_write(asking, block.scope), shared=False) for block in own]
    rights = _rights(attachments)
    mine = {block.id for block in own}
    found += [
        SeenBlock(block, rights[block.id] is ShareRights.WRITE, shared=True)
        for block in named
        if block.id in rights and block.id not in mine
    ]
    found.sort(key=_distance, reverse=True)
    nearest = {seen.block.label: seen for seen in found}
    return [nearest[label] for label in sorted(nearest)]


def may_write(asking: Scope, owner: Scope) -> bool:
    """Whether a request may write a block of a scope that admits it.

    A block of an agent is seen by all of its users: none of them may write what the others read.
    """
    return owner.user_id == asking.user_id


def _rights(attachments: Iterable[Attachment]) -> Mapping[str, ShareRights]:
    """By block; of several attachments of one, the right to write if any has it."""
    found: dict[str, ShareRights] = {}
    for each in attachments:
        if found.get(each.item_id) is not ShareRights.WRITE:
            found[each.item_id] = each.rights
    return found


def _distance(seen: SeenBlock) -> tuple[bool, int, str]:
    """Own ones are nearer than attached ones, and those of more ids than those of fewer."""
    return seen.shared, -len(seen.block.scope.ids()), seen.block.id
