"""`recollect procedures`: how tasks are done, and how they went when they were done so again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .operated import PartCommand
from .terminal import folded, plain, width


def _procedure(row: Mapping[str, Any]) -> Iterator[str]:
    went = row["outcomes"]
    yield f"{plain(row['id'])}  {row['status']}  {went['success']} went well, {went['failure']} not"
    yield from folded(row["memory"], width(), "    ")


COMMAND = PartCommand(
    part="procedures",
    noun="procedures",
    help="list how tasks are done, let agents be told, say how it went",
    lines=dict.fromkeys(("list", "get", "activate", "outcome"), _procedure),
)
add_parser, run = COMMAND.add_parser, COMMAND.run
