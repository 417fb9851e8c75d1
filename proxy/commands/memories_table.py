"""How memories, their history, and what was done to them look at a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from recollect.memory.model.doubts import told

from .operated import PartCommand
from .shapes import Lines, Row, record

MOST_SHOWN = 600
"""Characters of a memory's text in a list; `memories get` shows all."""
_HEAD = "created_at status id user_id agent_id run_id"


def _as_memories(show: Lines, most: int | None = None) -> Lines:
    """Rows of memories as records that say why a memory is held back or superseded."""
    return lambda rows: show([_memory(row, most) for row in rows])


def _memory(row: Row, most: int | None) -> dict[str, Any]:
    status = "said" if row.get("kind") == "said" else row["status"]
    about = {**row["provenance"], "held": row["status"] == "quarantined"}
    return {**row, "status": status, "memory": _cut(row["memory"], most), "about": about}


def _change(row: Row) -> dict[str, Any]:
    text = row.get("new_memory") or row.get("old_memory") or ""
    return {**row, "memory": _cut(text, MOST_SHOWN), "about": {**row, "held": True}}


def _event(row: Row) -> dict[str, Any]:
    text = row["new_value"] if row["new_value"] is not None else row["old_value"] or ""
    return {**row, "memory": _cut(text, MOST_SHOWN), "about": {**row, "held": True}}


def _about(row: Row) -> Iterator[str]:
    """Why a text is or was held back, and what it was taken from, or what was taken from it."""
    origin = row["about"]
    label = "Held back" if origin["held"] else "Was held back"
    yield from (f"{label}: {reason}" for reason in told(origin.get("reasons", ()), row["memory"]))
    if "ended" in origin:
        yield f"Superseded ({origin['ended']}); `recollect memories restore` undoes it."
    if "taken_from" in origin:
        yield f"Taken out of the text of {origin['taken_from']}."
    if origin.get("withheld"):
        yield f"Sentences were taken out of it: {', '.join(origin['withheld'])}."


def _cut(text: str, most: int | None) -> str:
    return text if most is None or len(text) <= most else text[: most - 1] + "…"


_record = record(_HEAD, "memory", _about)
LISTING = _as_memories(_record, MOST_SHOWN)
MEMORY = _as_memories(_record)


def changes(rows: Sequence[Row]) -> Iterator[str]:
    """What an addition did, each with the new text, and with the reasons if it is held back."""
    yield from record("event id", "memory", _about)([_change(row) for row in rows])


def events(rows: Sequence[Row]) -> Iterator[str]:
    """The history of a memory, in the given order."""
    head = "timestamp event stage reason"
    yield from record(head, "memory", _about)([_event(row) for row in rows])


def _conflicts(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        yield from LISTING([row["memory"]])
        yield "    may be about the same matter as:"
        yield from LISTING(row["others"])
        yield ""


def _pending(found: Sequence[Row], *_: Any) -> tuple[str, int]:
    return f"{len(found)} pending; `recollect memories settle ID --replaces ID` settles one", 0


_ONE = ("validate", "invalidate", "restore", "settle", "versions")
JUDGING = PartCommand(
    part="",
    noun="earlier versions",
    only=(*_ONE, "feedback", "conflicts", "profile", "said"),
    none={
        "conflicts": "nothing is pending",
        "profile": "no profile",
        "said": "nothing said is kept",
    },
    lines={
        **dict.fromkeys(_ONE, MEMORY),
        "conflicts": _conflicts,
        "profile": record("traits ids", "memory"),
        "said": record("created_at id", "said"),
    },
    ended={"conflicts": _pending},
)
