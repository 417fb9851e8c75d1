"""Blocks for the tests of the room."""

from __future__ import annotations

from typing import Any

from recollect.memory.model.blocks import Author, Block
from recollect.memory.model.types import Scope
from tests.memory.state.samples import ALICE, NOON


def block(value: str = "", *, scope: Scope = ALICE, label: str = "plan", **fields: Any) -> Block:
    """A block's first version, written by a person at noon."""
    usual: dict[str, Any] = {
        "id": f"{scope} {label}",
        "description": "",
        "limit": 50,
        "read_only": False,
        "version": 1,
        "author": Author.PERSON,
        "created_at": NOON,
        "updated_at": NOON,
    }
    return Block(scope=scope, label=label, value=value, **(usual | fields))
