"""`recollect repair`: replace damaged files, keeping the damaged ones."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from .terminal import confirmed, say, show

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory.maintenance import Found

    from .base import Commands

DESCRIPTION = """\
Check the file of the database, and report damage. Readable rows of a damaged recollect.db are
copied into a new file; the damaged file is kept beside it under a name with the time. Stop
Recollect first: a file in use is refused. A vector index is never repaired: it is filled from the
memories.\
"""

PARTS = ("database",)


def add_parser(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Register ``repair``."""
    parser = commands.add_parser(
        "repair",
        parents=[shared],
        help="replace damaged files, keeping the damaged ones",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "parts",
        nargs="*",
        type=_part,
        metavar="PART",
        help="what to repair: database",
    )
    parser.add_argument("--dry-run", action="store_true", help="report damage, change nothing")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def _part(name: str) -> str:
    # `choices` would refuse an empty list.
    if name not in PARTS:
        raise argparse.ArgumentTypeError(f"{name!r} is not one of {', '.join(PARTS)}")
    return name


def run(settings: Settings, options: argparse.Namespace) -> int:
    """0: no damage, or all repaired; 1: something is damaged or in use; 2: not confirmed."""
    from recollect.memory.model.errors import RecollectError

    try:
        return _run(settings, options)
    except RecollectError as error:
        say(f"recollect: cannot repair: {error}")
        return 1


def _run(settings: Settings, options: argparse.Namespace) -> int:
    from recollect.memory.maintenance import look_at

    chosen = options.parts or PARTS
    found = [look_at(settings, name) for name in PARTS]
    for each in found:
        show(f"{each.part:<8} {each.seen}")
    damaged = [each for each in found if each.damage is not None]
    wanted = [each for each in damaged if each.part in chosen]
    used = [each for each in found if each.holder is not None and each.part in chosen]
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
    if not options.yes and not confirmed("Continue?"):
        say("recollect: nothing was changed; answer y, or use --yes")
        return 2
    return _repair(settings, damaged, wanted)


def _repair(settings: Settings, damaged: list[Found], wanted: list[Found]) -> int:
    from recollect.memory.maintenance import mend

    for each in wanted:
        for line in mend(settings):
            show(f"{each.part:<8} {line}")
    say("done: start Recollect again; restart it if it was running during the repair")
    left = [each for each in damaged if each not in wanted]
    if left:
        say(_left(left))
    return 1 if left else 0


def _holders(found: list[Found]) -> str:
    return ", ".join(dict.fromkeys(each.holder or "" for each in found))


def _left(damaged: list[Found]) -> str:
    names = " ".join(each.part for each in damaged)
    return (
        f"still damaged: {names}. Restore a backup, or run `recollect repair {names}`: it keeps "
        "the damaged files under another name and creates new ones"
    )
