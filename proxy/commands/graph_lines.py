"""How entities, relations and merges are told at the terminal. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .terminal import folded, plain


def entity_lines(found: Sequence[Mapping[str, Any]], room: int) -> list[str]:
    """One for each, with its id below it: names of any length stand last."""
    many = max(len(f"{one['memories']:,}") for one in found)
    wide = max(len(one["type"] or "") for one in found)
    lines = []
    for one in found:
        also = f" (also {', '.join(one['aliases'])})" if one["aliases"] else ""
        first, *rest = folded(f"{one['name']}{also}", room - many - wide - 4)
        lines.append(f"{one['memories']:>{many},}  {one['type'] or '':<{wide}}  {first}")
        lines += [f"{'':{many + wide + 4}}{each}" for each in [*rest, f"id {plain(one['id'])}"]]
    return lines


def relation_lines(found: Sequence[Mapping[str, Any]], room: int) -> list[str]:
    """Each with its evidence below it."""
    return [line for one in found for line in _relation(one, room)]


def _relation(one: Mapping[str, Any], room: int) -> Iterator[str]:
    yield f"{plain(one['source'])} -{plain(one['relation'])}-> {plain(one['target'])}"
    yield from folded(f"{one['memory_id']}: {one['quote']}", room, "    ")


def merge_line(one: Mapping[str, Any]) -> str:
    """When, who is one with whom, who said so, and its id."""
    kept, gone = (plain(one[side]["name"] or one[side]["id"]) for side in ("kept", "gone"))
    undone = f"  undone {_minute(one['undone_at'])}" if "undone_at" in one else ""
    return f"{_minute(one['at'])}  {gone} is {kept}  {one['by']}{undone}  {plain(one['id'])}"


def checked_lines(checked: Mapping[str, int]) -> list[str]:
    """Each figure, and what to do about those that should be 0."""
    lines = [f"{name:<9}  {count:,}" for name, count in checked.items()]
    if checked["orphans"] or checked["stale"]:
        lines.append("`recollect graph rebuild` reads the memories again")
    return lines


def rebuilt_line(report: Mapping[str, Any]) -> str:
    """What a rebuild read and found, and how long it took."""
    return (
        f"{report['memories']:,} memories read in {report['seconds']:.1f} s: "
        f"{report['entities']:,} entities, {report['relations']:,} relations"
    )


def _minute(stamp: str) -> str:
    return stamp[:16].replace("T", " ")
