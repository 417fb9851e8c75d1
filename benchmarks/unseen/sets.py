"""The evaluation sets, as their files are."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]
OWN = Path(__file__).resolve().parent / "rows"
"""Rows that were written for this benchmark by writers who had seen no term of the product. All
have been seen since: the last of them were read by the ablation of the packs."""
STORES = ("ood-realtalk", "ood-realmem")


def rows(data: Path, name: str) -> Sequence[Row]:
    """The rows of a development set."""
    return read(data / f"{name}.dev.jsonl")


def own(name: str) -> dict[str, Path]:
    """The own files of this judgement by their names: "planted", "planted-2" and so on."""
    return {path.stem: path for path in sorted(OWN.glob(f"{name}*.jsonl"))}


@cache
def read(path: Path) -> Sequence[Row]:
    """The rows of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def messages(row: Row) -> Sequence[Mapping[str, str]]:
    """The messages that the gate judges; the last is the user's."""
    if "messages" in row:
        return list(row["messages"])
    return [{"role": "user", "content": row["message"]}]


def stored(memory: Row) -> str:
    """A memory of a store as it is kept: chat lines have their speaker in front."""
    speaker = memory.get("speaker")
    return f"{speaker}: {memory['text']}" if speaker else str(memory["text"])
