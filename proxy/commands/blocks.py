"""`recollect blocks`: working blocks, which are in the prompt of every chat of their scope."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from .operated import PartCommand
from .terminal import plain

if TYPE_CHECKING:
    from recollect.config import Settings


def _fence(settings: Settings, engine: Any) -> None:
    """The tags are those that a proxy on these files writes."""
    from ..access.installation_keys import fence_of

    engine.block_prompt.fenced_by(fence_of(settings))


def _block(row: Mapping[str, Any]) -> Iterator[str]:
    marks = [
        f"version {row['version']}",
        f"{row['tokens']} of {row['limit']} tokens",
        *(["read-only"] if row["read_only"] else []),
        *([f"attached, to {row['rights']}"] if row["shared"] else []),
    ]
    yield f"{row['label']}  {', '.join(marks)}"
    if row["description"]:
        yield f"    ({plain(row['description'])})"
    yield from _indented(row["value"])


def _version(row: Mapping[str, Any]) -> Iterator[str]:
    yield f"version {row['version']}  {row['author']}  {row['updated_at']}"
    yield from _indented(row["value"])


def _indented(value: str) -> Iterator[str]:
    yield from (f"    {plain(line)}" for line in value.splitlines() or ["(empty)"])


_SHOWING = ("define", "list", "get", "append", "replace", "rewrite")
COMMAND = PartCommand(
    part="blocks",
    noun="blocks",
    help="list, define, write and delete working blocks",
    called={"get": "show", "compile": "compiled"},
    lines={
        **dict.fromkeys(_SHOWING, _block),
        "history": _version,
        "delete": lambda _: ["erased, with its versions"],
        "compile": lambda answer: [answer["text"]],
    },
    before={"compile": _fence},
)
add_parser, run = COMMAND.add_parser, COMMAND.run
