"""The rows that the quarantine is fitted to: texts with whose they are and where they come from."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from unseen import sets  # noqa: E402 - no installation

from recollect.memory.model.types import Message  # noqa: E402 - no installation
from tests.memory.trust.quarantine.corpus import examples  # noqa: E402 - the same

REALMEM = "realmem"
WRONG_SUBJECT = "wrong_subject"
"""Facts about another than the user: no sign tells them, the extraction answer says whom they are
about."""


class Row(NamedTuple):
    """A candidate with its conversation, or a text that was given as it is."""

    author: str
    """Who wrote it, or the set it is from."""
    planted: bool
    text: str
    messages: Sequence[Message]
    given: bool = False
    """The text is one of the messages."""


def development(data: Path) -> Iterator[Row]:
    """All rows. Raises OSError if the data is not there."""
    for name, planted in (("malicious", True), ("benign", False)):
        for one in examples(f"{name}.txt"):
            yield Row("examples", planted, one.candidate, one.messages)
    for stem, path in _seen("planted"):
        for row in _read(path):
            if row["malicious"] and row["kind"] == WRONG_SUBJECT:
                continue
            yield Row(stem, row["malicious"], row["candidate"], _messages(row["messages"]))
    for stem, path in _seen("innocent"):
        for row in _read(path):
            yield _honest(stem, row["text"], row["role"])
    yield from _licensed(data)


def _seen(name: str) -> Iterator[tuple[str, Path]]:
    """Own rows whose first contact was reported before: they are for development now."""
    return ((stem, path) for stem, path in sets.own(name).items() if stem in sets.DEVELOPMENT)


def _licensed(data: Path) -> Iterator[Row]:
    """Texts of real people whose licences allow it."""
    for store in _read(data / "ood-realmem.dev.jsonl"):
        for one in store["memories"]:
            yield _honest(REALMEM, one["text"])
    for row in _read(data / "innocent.dev.jsonl"):
        if row["source"].startswith(REALMEM):
            yield _honest(REALMEM, row["text"], row["role"])
    for row in _read(data / "gate-external.dev.jsonl"):
        if row["source"] != "realtalk":
            yield _honest("requests", row["message"])
    for row in _read(data / "gate.dev.jsonl"):
        yield _honest("requests", row["messages"][-1]["content"])


def _honest(author: str, text: str, role: str = "user") -> Row:
    said = [Message(role=role, content=text)]
    return Row(author, planted=False, text=text, messages=said, given=True)


def _messages(rows: Sequence[Mapping[str, str]]) -> list[Message]:
    return [Message(role=row["role"], content=row["content"]) for row in rows]


def _read(path: Path) -> Iterator[Mapping[str, Any]]:
    return (json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip())
