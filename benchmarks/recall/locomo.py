"""LoCoMo (Maharana et al. 2024, CC BY-NC 4.0), as its files are: read, never kept.

A file is a list of conversations. Nothing here depends on which conversations it holds.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
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
class Turn:
    """What one of the two said, and the caption of the picture that came with it."""

    dia_id: str
    text: str


@dataclass(frozen=True)
class Session:
    """One sitting."""

    number: int
    at: datetime
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class Question:
    """What is asked, and the turns that answer it."""

    text: str
    evidence: frozenset[str]
    category: int


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


def read(paths: list[Path]) -> list[Conversation]:
    """All conversations of these files; questions without evidence in them are left out."""
    return [
        _conversation(sample, f"{path.stem}-{number}")
        for path in paths
        for number, sample in enumerate(json.loads(path.read_text("utf-8")))
    ]


def _conversation(sample: dict[str, Any], name: str) -> Conversation:
    talk = sample["conversation"]
    numbers = sorted(int(found[1]) for key in talk if (found := _SESSION.fullmatch(key)))
    sessions = tuple(_session(talk, number) for number in numbers if talk[f"session_{number}"])
    known = {turn.dia_id for session in sessions for turn in session.turns}
    asked = (_question(row, known) for row in sample["qa"])
    return Conversation(name, sessions, tuple(q for q in asked if q.evidence))


def _session(talk: dict[str, Any], number: int) -> Session:
    said = talk[f"session_{number}"]
    at = datetime.strptime(talk[f"session_{number}_date_time"].strip(), _DATE).replace(tzinfo=UTC)
    return Session(number, at, tuple(Turn(_plain_id(t["dia_id"]), _text(t)) for t in said))


def _text(turn: dict[str, Any]) -> str:
    caption = turn.get("blip_caption")
    image = f" [image: {caption}]" if caption else ""
    return f"{turn['speaker']}: {turn.get('text') or ''}{image}"


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
