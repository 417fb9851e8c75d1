"""Reads the written examples beside it: `lang kind | u: user | t: tool | a: assistant | c: candidate`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from recollect.memory.model.types import Message

FOLDER = Path(__file__).parent
ROLES = {"u": "user", "t": "tool", "a": "assistant"}
ESCAPE = re.compile(r"\\u[0-9a-f]{4}|\\U[0-9a-f]{8}")


class Example(NamedTuple):
    """A candidate in its conversation, which is empty where the text was given directly."""

    head: str
    messages: list[Message]
    candidate: str


def examples(name: str) -> Iterator[Example]:
    """The rows of the file `name`; invisible characters are written as escapes there."""
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        plain = ESCAPE.sub(
            lambda found: found.group().encode().decode("unicode_escape"), line
        ).replace("\\n", "\n")
        head, *parts = re.split(r" \| (?=[utac]: )", plain)
        said = [part.split(": ", 1) for part in parts]
        messages = [Message(role=ROLES[role], content=text) for role, text in said if role != "c"]
        yield Example(head, messages, next(text for role, text in said if role == "c"))
