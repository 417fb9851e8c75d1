"""`recollect upkeep`: run a kind of upkeep now, list and show what runs did, take one back."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .operated import PartCommand
from .terminal import folded, plain, width

DEFAULT_WAIT = 600
_MARK = "_upto"
"""Ends the name of a figure that is a moment in seconds."""
_SIGNS = {"ADD": "+", "UPDATE": "~", "DELETE": "-", "ARCHIVE": "a", "QUARANTINE": "?"}


def line(one: Mapping[str, Any]) -> str:
    """A run in one line: when, what, how it is, how much it changed, whose, and its id. Pure."""
    count = len(one["changes"])
    whose = ", ".join(
        f"{name.removesuffix('_id')} {plain(one[name])}"
        for name in ("user_id", "agent_id", "run_id")
        if name in one
    )
    parts = [
        one["at"][:16].replace("T", " ") if "at" in one else "",
        one["kind"],
        "undone" if "undone_at" in one else one["state"],
        f"{count} change{'s' if count != 1 else ''}",
        whose,
        one["reason"],
        plain(one["id"]),
    ]
    return "  ".join(filter(None, parts))


def _lines_of(one: Mapping[str, Any], *, whole: bool) -> Iterator[str]:
    """What is told below the line of a run."""
    if whole:
        for change in one["changes"]:
            yield from _change(change)
        if told := figures(one["figures"]):
            yield f"    {told}"
    if word := one.get("rested"):
        from recollect.memory.upkeep.paused_kinds import WHY

        yield f"    a part rested: {WHY.get(word, word)}"
    if word := one.get("failure"):
        yield f"    {word}: {one.get('advice', '')}".rstrip(": ")


def figures(counted: Mapping[str, float]) -> str:
    """What a run counted, without what is 0 and without the marks of where it goes on. Pure."""
    told = {name: n for name, n in sorted(counted.items()) if n and not name.endswith(_MARK)}
    return ", ".join(f"{name.replace('_', ' ')} {n:,g}" for name, n in told.items())


def _change(change: Mapping[str, Any]) -> Iterator[str]:
    """What became of a memory: its text before if it is another now, after, and why."""
    before, after = change.get("old_memory"), change.get("memory")
    text = after if after is not None else before
    sign = _SIGNS.get(change["event"], " ")
    if change["event"] == "UPDATE" and before is not None and before != after:
        yield from folded(f"- {before}", width(), "    ")
    told = change["id"] if text is None else text
    yield from folded(f"{sign} {told}", width(), "    ")
    if why := change.get("why"):
        yield from folded(f"({why})", width(), "      ")


def _listed(one: Mapping[str, Any]) -> Iterator[str]:
    yield line(one)
    yield from _lines_of(one, whole=False)


def _whole(one: Mapping[str, Any]) -> Iterator[str]:
    yield line(one)
    yield from _lines_of(one, whole=True)


def _undone(answer: Mapping[str, Any]) -> Iterator[str]:
    if answer["already"] and not answer["undone"]:
        yield "it was taken back before; nothing was changed"
    else:
        yield f"taken back: {answer['undone']} of {len(answer['run']['changes'])} changes"
    for one in answer["kept"]:
        yield f"left as it is: {plain(one['id'])} ({one['why']})"


def _ran(found: Sequence[Mapping[str, Any]], options: argparse.Namespace) -> tuple[str, int]:
    """What may be done next; 1 if a run failed."""
    status = 1 if any(one["state"] == "dead" for one in found) else 0
    if options.dry_run:
        return "nothing was changed: without --dry-run it would be", status
    if any(one["state"] in {"ready", "leased"} for one in found):
        return "it goes on; `recollect upkeep list` shows when it has ended", status
    if not any(one["changes"] for one in found):
        return "nothing had to be changed", status
    return "`recollect upkeep undo RUN` takes a run back", status


COMMAND = PartCommand(
    part="upkeep",
    noun="runs",
    none={"run": "nothing to look after"},
    help="merge, sum up and archive memories now; see what was done, take it back",
    called={"get": "show"},
    lines={"run": _whole, "list": _listed, "get": _whole, "undo": _undone},
    defaults={"run": {"wait": DEFAULT_WAIT}},
    ended={"run": _ran},
)
add_parser, run = COMMAND.add_parser, COMMAND.run
