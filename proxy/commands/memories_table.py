"""Memories and their history as text. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recollect.memory.model.doubts import told

from . import terminal
from .terminal import folded, plain

MOST_SHOWN = 600
"""Characters of a memory's text in a list; `memories get` shows all."""
_INDENT = "    "


def listing(memories: Sequence[Mapping[str, Any]], width: int | None = None) -> str:
    """Memories, each with its text and, if it is quarantined, with the reasons."""
    wide = width or terminal.width()
    return "\n\n".join("\n".join(_memory(each, wide, MOST_SHOWN)) for each in memories)


def memory(one: Mapping[str, Any], width: int | None = None) -> str:
    """One memory with its whole text."""
    return "\n".join(_memory(one, width or terminal.width(), len(one["memory"])))


def events(records: Sequence[Mapping[str, Any]], width: int | None = None) -> str:
    """The history of a memory, in the given order."""
    wide = width or terminal.width()
    return "\n\n".join("\n".join(_event(each, wide)) for each in records)


def changes(made: Sequence[Mapping[str, Any]], width: int | None = None) -> str:
    """What an addition did, each with the new text, and with the reasons if it is held back."""
    wide = width or terminal.width()
    return "\n\n".join("\n".join(_change(each, wide)) for each in made)


def _change(one: Mapping[str, Any], width: int) -> list[str]:
    text = one.get("new_memory") or one.get("old_memory") or ""
    return [
        f"{one['event']}  {one['id']}",
        *folded(_cut(text, MOST_SHOWN), width, _INDENT),
        *_about(one, text, width, held=True),
    ]


def _memory(one: Mapping[str, Any], width: int, most: int) -> list[str]:
    origin = one["provenance"]
    ids = [f"{name[:-3]} {one[name]}" for name in ("user_id", "agent_id", "run_id") if name in one]
    head = (
        one["created_at"][:19].replace("T", " "),
        one["kind"] if one.get("kind") == "said" else one["status"],
        one["id"],
        plain(" ".join(ids)),
    )
    return [
        "  ".join(head),
        *folded(_cut(one["memory"], most), width, _INDENT),
        *_about(origin, one["memory"], width, held=one["status"] == "quarantined"),
    ]


def _event(record: Mapping[str, Any], width: int) -> list[str]:
    text = record["new_value"] if record["new_value"] is not None else record["old_value"]
    reason = f"{record.get('stage', '')} {record.get('reason', '')}".strip()
    head = (record["timestamp"][:19].replace("T", " "), record["event"], plain(reason))
    return [
        "  ".join(part for part in head if part),
        *folded(_cut(text or "", MOST_SHOWN), width, _INDENT),
        *_about(record, text or "", width, held=True),
    ]


def _about(origin: Mapping[str, Any], text: str, width: int, *, held: bool) -> list[str]:
    """Why a text is or was held back, and what it was taken from, or what was taken from it."""
    label = "Held back" if held else "Was held back"
    lines = [f"{label}: {reason}" for reason in told(origin.get("reasons", ()), text)]
    if "ended" in origin:
        lines.append(f"Superseded ({origin['ended']}); `recollect memories restore` undoes it.")
    if "taken_from" in origin:
        lines.append(f"Taken out of the text of {origin['taken_from']}.")
    if origin.get("withheld"):
        lines.append(f"Sentences were taken out of it: {', '.join(origin['withheld'])}.")
    return [line for one in lines for line in folded(one, width, _INDENT)]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
