"""`recollect repair`: put sound files in the place of damaged ones, which are kept."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from .terminal import confirmed, say, show

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory.upkeep import Found

    from .base import Commands

DESCRIPTION = """\
Look at the files of state, history and store, and say what is damaged. What can still be read of a
damaged state.db or history.db goes into a new file; the damaged one is kept beside it, under a name
with the time. The store is only looked at unless it is named: nothing can be saved from a damaged
one, so a copy is better. Stop Recollect first: files that somebody uses are refused."""

PARTS = ("state", "history", "store")
DEFAULT = ("state", "history")


def add_parser(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Register ``repair``."""
    parser = commands.add_parser(
        "repair",
        parents=[shared],
        help="put sound files in the place of damaged ones, which are kept",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "parts",
        nargs="*",
        type=_part,
        metavar="PART",
        help="what to repair: state, history, store (the first two)",
    )
    parser.add_argument("--dry-run", action="store_true", help="say what is damaged, no more")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def _part(name: str) -> str:
    # `choices` would refuse that none is named.
    if name not in PARTS:
        raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(PARTS)}")
    return name


def run(settings: Settings, options: argparse.Namespace) -> int:
    """0: all is sound, or is now; 1: something is damaged or in use; 2: not confirmed."""
    from recollect.memory.errors import RecollectError

    try:
        return _run(settings, options)
    except RecollectError as error:
        say(f"recollect: cannot repair: {error}")
        return 1


def _run(settings: Settings, options: argparse.Namespace) -> int:
    from recollect.memory.upkeep import look_at

    asked = options.parts or DEFAULT
    found = [look_at(settings, name) for name in PARTS]
    for each in found:
        show(f"{each.part:<8} {each.seen}")
    damaged = [each for each in found if each.damage is not None]
    wanted = [each for each in damaged if each.part in asked]
    used = [each for each in found if each.holder is not None and each.part in asked]
    if used:
        say(f"recollect: nothing was changed: stop {_holders(used)} first")
        return 1
    if not wanted:
        say("nothing to repair" if not damaged else _left(damaged))
        return 1 if damaged else 0
    for each in wanted:
        show(f"plan     {each.plan}")
    if options.dry_run:
        say("recollect: nothing was changed (--dry-run)")
        return 1
    if not options.yes and not confirmed("Go on?"):
        say("recollect: nothing was changed; answer y, or use --yes")
        return 2
    return _repair(settings, damaged, wanted)


def _repair(settings: Settings, damaged: list[Found], wanted: list[Found]) -> int:
    from recollect.memory.upkeep import mend

    for each in wanted:
        for line in mend(settings, each.part):
            show(f"{each.part:<8} {line}")
    say("done: start Recollect again; one that ran meanwhile has to be started again too")
    left = [each for each in damaged if each not in wanted]
    if left:
        say(_left(left))
    return 1 if left else 0


def _holders(found: list[Found]) -> str:
    return ", ".join(dict.fromkeys(each.holder or "" for each in found))


def _left(damaged: list[Found]) -> str:
    names = " ".join(each.part for each in damaged)
    return (
        f"left as it is: {names}. Restore a copy of it, or `recollect repair {names}` keeps it "
        "under another name and begins a new one"
    )
