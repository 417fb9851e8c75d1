"""`recollect conversations`: what was said in chats, by conversation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .operated import PartCommand
from .terminal import folded, plain, width


def _conversation(row: Mapping[str, Any]) -> Iterator[str]:
    agents = f"  {plain(', '.join(row['agents']))}" if row["agents"] else ""
    turns = f"{row['turns']} turn{'s' if row['turns'] != 1 else ''}"
    yield f"{_minute(row['last_at'])}  {plain(row['id'])}  {turns}{agents}"
    yield from folded(row["preview"], width(), "    ")


def _message(row: Mapping[str, Any]) -> Iterator[str]:
    yield f"{_minute(row['created_at'])}  {row['role']}"
    yield from folded(row["content"], width(), "    ")


def _found(row: Mapping[str, Any]) -> Iterator[str]:
    who = f"{row['role']} (hearsay)" if row["hearsay"] else row["role"]
    where = f"{_minute(row['created_at'])}  {plain(row['conversation_id'])}"
    yield f"{where}  {who}  {row['score']:.2f}"
    yield from folded(row["text"], width(), "    ")


def _erased(answer: Mapping[str, Any]) -> Iterator[str]:
    yield f"erased: the texts of {answer['erased']} turns"
    if receipt := answer.get("receipt"):
        counts = ", ".join(f"{count} {name}" for name, count in receipt["erased"].items() if count)
        yield f"forgotten: {counts} (receipt {receipt['id']})"


def _minute(stamp: str) -> str:
    return stamp[:16].replace("T", " ")


COMMAND = PartCommand(
    part="conversations",
    noun="conversations",
    none={"messages": "nothing more was said", "search": "nothing matches"},
    help="list, read, search and erase what was said in chats",
    called={"messages": "show"},
    lines={"list": _conversation, "messages": _message, "search": _found, "erase": _erased},
)
add_parser, run = COMMAND.add_parser, COMMAND.run
