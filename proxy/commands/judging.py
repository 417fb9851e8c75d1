"""The actions of `recollect memories` that the table has: what people say of memories."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .operated import PartCommand
from .terminal import folded, width


def _memory(row: Mapping[str, Any]) -> Iterator[str]:
    from .memories_table import memory

    yield memory(row)


def _conflict(row: Mapping[str, Any]) -> Iterator[str]:
    from .memories_table import listing

    yield listing([row["memory"]])
    yield "    may be about the same matter as:"
    yield listing(row["others"]) + "\n"


def _pending(found: Sequence[Any], _options: argparse.Namespace) -> tuple[str, int]:
    return f"{len(found)} pending; `recollect memories settle ID --replaces ID` settles one", 0


def _known(row: Mapping[str, Any]) -> Iterator[str]:
    """What a line tells of the user, its ids, and the text below."""
    yield "  ".join((", ".join(row["traits"]) or "known", *row["ids"]))
    yield from folded(row["memory"], width(), "    ")


def _said(row: Mapping[str, Any]) -> Iterator[str]:
    yield f"{row['created_at'][:19].replace('T', ' ')}  {row['id']}"
    yield from folded(row["said"], width(), "    ")


_ONE = ("validate", "invalidate", "restore", "settle", "versions")
COMMAND = PartCommand(
    part="",
    noun="earlier versions",
    help="",
    only=(*_ONE, "feedback", "conflicts", "profile", "said"),
    none={
        "conflicts": "nothing is pending",
        "profile": "no profile",
        "said": "nothing said is kept",
    },
    lines={
        **dict.fromkeys(_ONE, _memory),
        "conflicts": _conflict,
        "profile": _known,
        "said": _said,
    },
    ended={"conflicts": _pending},
)
ACTIONS = frozenset(COMMAND.only)
