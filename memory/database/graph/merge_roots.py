"""Which entities are one, by the merges that stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def roots(created: Mapping[str, int], merges: Iterable[tuple[str, str]]) -> dict[str, str]:
    """By entity: the one that it is seen as, the oldest (of equals by id) of those that are one.

    `created` tells the age of each; `merges` are pairs, in any order, also in circles.
    """
    members = {entity_id: [entity_id] for entity_id in created}
    for kept, gone in merges:
        if kept not in members or gone not in members or members[kept] is members[gone]:
            continue
        joined = members[kept] + members[gone]
        members |= dict.fromkeys(joined, joined)
    return {
        entity_id: min(its, key=lambda each: (created[each], each))
        for entity_id, its in members.items()
    }
