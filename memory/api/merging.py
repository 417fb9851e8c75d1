"""Shows what a user did with several agents at a time as one episode. Pure.

Each agent's episode is kept by itself, in the scope of what was told to that agent: so another
agent recalls nothing of it, and it is forgotten with its scope. They are merged for whoever sees
them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import cast

from typing_extensions import TypedDict

from ..model.types import MemoryItem


class EpisodePart(TypedDict):
    """One agent's part of a merged episode."""

    id: str
    agent_id: str | None
    conversation_id: str | None


def grouped(items: Sequence[MemoryItem], gap: timedelta) -> list[list[int]]:
    """The places of episodes that are shown as one, in the order of the first of each.

    Together are those of different agents that ended within `gap` of each other. What tells no
    stretch of conversation stands alone.
    """
    groups: list[list[int]] = []
    for at, item in enumerate(items):
        group = next((one for one in groups if _belongs(item, [items[n] for n in one], gap)), None)
        if group is None:
            groups.append([at])
        else:
            group.append(at)
    return groups


def _belongs(item: MemoryItem, group: Sequence[MemoryItem], gap: timedelta) -> bool:
    if item.provenance.stretch is None or any(one.provenance.stretch is None for one in group):
        return False
    agents = {one.scope.agent_id for one in group}
    near = any(abs(_ended(one) - _ended(item)) <= gap for one in group)
    return near and item.scope.agent_id not in agents and _user(item) == _user(group[0])


def _ended(item: MemoryItem) -> timedelta:
    moment = item.valid_from or item.created_at
    return timedelta(seconds=moment.timestamp())


def _user(item: MemoryItem) -> tuple[str | None, str | None]:
    return item.scope.user_id, item.scope.run_id


def told_together(items: Sequence[MemoryItem]) -> str:
    """The texts of several agents' episodes, in the order in which they ended."""
    lines = [f"{one.scope.agent_id or 'no agent'}: {one.text}" for one in sorted(items, key=_ended)]
    return "\n".join(lines)


def parts_of(items: Sequence[MemoryItem]) -> list[EpisodePart]:
    """Where each text is from, in the same order."""
    return [
        EpisodePart(
            id=one.id,
            agent_id=one.scope.agent_id,
            conversation_id=one.provenance.conversation_id,
        )
        for one in sorted(items, key=_ended)
    ]


def merged_dict(
    shown: Sequence[dict[str, object]], items: Sequence[MemoryItem]
) -> dict[str, object]:
    """One episode as the API returns it, of those that are shown together, the first one first."""
    first = dict(shown[0])
    if len(items) == 1:
        return first
    for name in ("agent_id", "conversation_id"):
        first.pop(name, None)
    turns = [cast("list[str]", one["turn_ids"]) for one in shown]
    return {
        **first,
        "memory": told_together(items),
        "turn_ids": [turn for some in turns for turn in some],
        "importance": max(one.importance for one in items),
        "parts": parts_of(items),
    }
