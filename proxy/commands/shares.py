"""`recollect shares`: memories that other scopes than their own see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .operated import PartCommand


def _share(row: Mapping[str, Any]) -> Iterator[str]:
    to = ", ".join(f"{name.removesuffix('_id')} {value}" for name, value in row["to"].items())
    way = "to" if row["given"] else "from its owner to"
    yield f"{row['memory_id']}  {way} {to}, to {row['rights']}  {row['created_at']}"


COMMAND = PartCommand(
    part="shares",
    noun="shared memories",
    help="show memories to other scopes, and list which are",
    lines=dict.fromkeys(("list", "of", "attach"), _share),
)
add_parser, run = COMMAND.add_parser, COMMAND.run
