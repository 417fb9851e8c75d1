"""The evaluation sets, as their files are."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

OWN = Path(__file__).resolve().parent / "rows"
"""Rows that were written for this benchmark by writers who had seen no term of the product."""
DEVELOPMENT = {
    "planted": "seen before issue 18",
    "secrets": "seen before issue 18",
    "conflict": "seen before issue 18",
    "innocent-2": "first contact reported in issue 18, then seen",
    "planted-2": "first contact reported in issue 18, then seen",
    "secrets-3": "first contact reported in issue 18, then seen",
    "recall": "written during issue 19, by whoever tuned",
    "recall-2": "first contact reported in issue 19, then seen",
    "gate-2": "written and reported in issue 19, by whoever tuned, then seen",
    "gate-3": "first contact reported in issue 19, then seen",
    "gate-4": "written after the gate of issue 35, by whoever tuned; reported, then seen",
    "conflict-2": "first contact reported in issue 19, then seen",
    "secrets-2": "first contact reported in issue 18, then seen",
    "tell": "written during issue 20, by whoever tuned",
    "tell-2": "first contact reported in issue 20, then seen",
    "tell-4": "written after the freeze of issue 20, by whoever tuned; reported, then seen",
    "tell-5": "first contact reported in issue 20, then seen",
    "tell-6": "first contact reported in issue 20, then seen",
    "noise": "first contact reported in issue 20, then seen",
    "constraints": "written during issue 20, by whoever tuned",
    "constraints-2": "first contact reported in issue 20, then seen",
    "noise-3": "first contact reported in issue 20, then seen",
    "parties": "written during issue 34, by whoever tuned",
    "learned-wishes": "written during issue 34, by whoever tuned",
    "wishes": "first contact reported in issue 20, then seen",
    "constraints-4": "first contact reported in issue 20, then seen",
    "general-3": "first contact reported in issue 20, then seen",
    "constraints-3": "first contact reported in issue 20, then seen",
    "general": "first contact reported in issue 20, then seen",
    "general-2": "first contact reported in issue 20, then seen",
    "recall-3": "first contact reported in issue 35, then seen",
    "recall-4": "first contact reported in issue 35, then seen",
    "pairs-2": "first contact reported in issue 34, then seen",
}
"""Own files that are no longer unseen, by their names without ending, and why. All others are."""
STORES = ("ood-realtalk", "ood-realmem")
FILES = (
    "gate", "gate-external", "rewrite", "conflict", "poison", "secrets", "innocent", *STORES,
)  # fmt: skip


def absent(data: Path) -> list[str]:
    """The files that are not there."""
    return [path.name for name in FILES if not (path := _path(data, name)).is_file()]


def rows(data: Path, name: str) -> Sequence[Mapping[str, Any]]:
    """The rows of a development set."""
    return read(_path(data, name))


def own(name: str) -> dict[str, Path]:
    """The own files of this judgement by their names: "planted", "planted-2" and so on."""
    return {path.stem: path for path in sorted(OWN.glob(f"{name}*.jsonl"))}


def standing(stem: str) -> str:
    """What the figures of an own file are worth."""
    why = DEVELOPMENT.get(stem)
    return f"development ({why})" if why else "unseen"


@cache
def read(path: Path) -> Sequence[Mapping[str, Any]]:
    """The rows of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def key(row: Mapping[str, Any]) -> str:
    """What names a row: its id, or the digest of its content."""
    if "id" in row:
        return str(row["id"])
    return hashlib.sha256(json.dumps(row, sort_keys=True).encode()).hexdigest()[:12]


def messages(row: Mapping[str, Any]) -> Sequence[Mapping[str, str]]:
    """The messages that the gate judges; the last is the user's."""
    if "messages" in row:
        return list(row["messages"])
    return [{"role": "user", "content": row["message"]}]


def stored(memory: Mapping[str, Any]) -> str:
    """A memory of a store as it is kept: chat lines have their speaker in front."""
    speaker = memory.get("speaker")
    return f"{speaker}: {memory['text']}" if speaker else str(memory["text"])


def _path(data: Path, name: str) -> Path:
    return data / f"{name}.dev.jsonl"
