"""LoCoMo (Maharana et al. 2024, CC BY-NC 4.0), as its files are: read, never kept.

A file is a list of conversations. Nothing here depends on which conversations it holds. Each gives
two corpora: its turns, and the facts that a model read out of its sessions (`observation`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
ADVERSARIAL = 5
_DATE = "%I:%M %p on %d %B, %Y"
_SESSION = re.compile(r"session_(\d+)")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")


class MissingDataError(Exception):
    """There is no data where it was looked for; the message says where."""


@dataclass(frozen=True)
class Entry:
    """What becomes one memory: a turn (its id is its dia_id) or a fact."""

    id: str
    text: str


@dataclass(frozen=True)
class Session:
    """One sitting."""

    number: int
    at: datetime
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Question:
    """What is asked, and the ids of what answers it."""

    text: str
    evidence: frozenset[str]
    category: int

    @property
    def answerable(self) -> bool:
        """Whether the conversation holds an answer, not only what looks like one."""
        return self.category != ADVERSARIAL


@dataclass(frozen=True)
class Conversation:
    """Two people over months, and questions about it."""

    name: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]

    @property
    def asked_at(self) -> datetime:
        """The day after the last session."""
        return max(session.at for session in self.sessions) + timedelta(days=1)


def files(data: Path) -> list[Path]:
    """The file, or every `locomo*.json` of the folder.

    Raises:
        MissingDataError: there is none.
    """
    found = sorted(data.glob("locomo*.json")) if data.is_dir() else [data]
    if not found or not all(path.is_file() for path in found):
        raise MissingDataError(f"no LoCoMo file (locomo*.json) at {data}: name one with --data")
    return found


def samples(paths: Sequence[Path]) -> list[tuple[str, dict[str, Any]]]:
    """The conversations of these files as they are in them, each with a name."""
    return [
        (f"{path.stem}-{number}", sample)
        for path in paths
        for number, sample in enumerate(json.loads(path.read_text("utf-8")))
    ]


def turns(name: str, sample: dict[str, Any]) -> Conversation:
    """What was said, as memories; questions without evidence in it are left out."""
    talk = sample["conversation"]
    sessions = tuple(
        Session(number, at, tuple(_turn(row) for row in talk[f"session_{number}"]))
        for number, at in _times(talk)
        if talk[f"session_{number}"]
    )
    known = {entry.id for session in sessions for entry in session.entries}
    asked = (_question(row, known) for row in sample["qa"])
    return Conversation(name, sessions, tuple(q for q in asked if q.evidence))


def facts(name: str, sample: dict[str, Any]) -> Conversation:
    """The facts of each session as memories, in the order in which they were extracted.

    What answers a question are the facts that were read out of its evidence; questions without any
    are left out.
    """
    sessions, sources = [], {}
    for number, at in _times(sample["conversation"]):
        by_speaker = sample["observation"].get(f"session_{number}_observation") or {}
        rows = [row for rows in by_speaker.values() for row in rows]
        entries = [Entry(f"F{number}:{i}", str(row[0])) for i, row in enumerate(rows, 1)]
        sources |= {entry.id: _sources(row[1]) for entry, row in zip(entries, rows, strict=True)}
        if entries:
            sessions.append(Session(number, at, tuple(entries)))
    asked = (
        replace(q, evidence=frozenset(i for i, said in sources.items() if said & q.evidence))
        for q in turns(name, sample).questions
    )
    return Conversation(name, tuple(sessions), tuple(q for q in asked if q.evidence))


def _times(talk: dict[str, Any]) -> list[tuple[int, datetime]]:
    """Numbers of the sessions and when they began."""
    numbers = sorted(int(found[1]) for key in talk if (found := _SESSION.fullmatch(key)))
    return [(number, _time(talk[f"session_{number}_date_time"])) for number in numbers]


def _time(text: str) -> datetime:
    return datetime.strptime(text.strip(), _DATE).replace(tzinfo=UTC)


def _turn(row: dict[str, Any]) -> Entry:
    return Entry(_plain_id(row["dia_id"]), f"{row['speaker']}: {row.get('text') or ''}")


def _sources(named: str | list[str]) -> set[str]:
    """The turns a fact was read out of: one, or several in a string or in a list."""
    strings = [named] if isinstance(named, str) else named
    return {_plain_id(text) for string in strings for text in _ids(string)}


def _question(row: dict[str, Any], known: set[str]) -> Question:
    """Some rows name several turns in one string, and some turns that nobody said."""
    named = {_plain_id(text) for entry in row["evidence"] for text in _ids(entry)}
    return Question(str(row["question"]), frozenset(named & known), int(row["category"]))


def _ids(entry: str) -> list[str]:
    return [found[0] for found in _EVIDENCE.finditer(entry)]


def _plain_id(text: str) -> str:
    """``D30:05`` and ``D:30:5`` are ``D30:5``."""
    found = _EVIDENCE.fullmatch(text.strip())
    return f"D{int(found[1])}:{int(found[2])}" if found else text
