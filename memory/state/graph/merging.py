"""Which entities are one, by the merges that stand."""

from __future__ import annotations

from collections.abc import Iterable


def roots(entity_ids: Iterable[str], merges: Iterable[tuple[str, str]]) -> dict[str, str]:
    """By entity: the one that it is seen as.

    `merges` are pairs (kept, gone) in the order in which they were made. What joins two that are
    one already changes nothing, so that leaving out one that joined parts exactly what it joined.
    """
    root = {entity_id: entity_id for entity_id in entity_ids}
    members = {entity_id: [entity_id] for entity_id in root}
    for kept, gone in merges:
        if kept not in root or gone not in root or root[kept] == root[gone]:
            continue
        into, away = root[kept], root[gone]
        moved = members.pop(away)
        members[into] += moved
        root |= dict.fromkeys(moved, into)
    return root
