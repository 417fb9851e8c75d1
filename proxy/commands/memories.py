"""`recollect memories`: the operations on memories, and their way into files and back."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import moving
from .operated import PartCommand
from .shapes import Lines, Row, counted, record

if TYPE_CHECKING:
    from recollect.config import Settings

    from .arguments import CommandLine

DESCRIPTION = """\
Show memories. Quarantined ones are shown with the reasons: the sign, the sentence, and whose words
it is. The command asks the proxy at listen.host and listen.port, with api.token. If no proxy runs
there, it opens the store itself."""
_REMOVED = "removed; its history is kept, `recollect memories history ID` shows it"
MOST_SHOWN = 600
"""Characters of a memory's text in a list; `memories get` shows all."""


def _about(row: Row) -> Iterator[str]:
    """Why a text is or was held back, and what it was taken from, or what was taken from it."""
    from recollect.memory.model.doubts import told

    origin = row["about"]
    label = "Held back" if origin["held"] else "Was held back"
    yield from (f"{label}: {reason}" for reason in told(origin.get("reasons", ()), row["memory"]))
    if "ended" in origin:
        yield f"Superseded ({origin['ended']}); `recollect memories restore` undoes it."
    if "taken_from" in origin:
        yield f"Taken out of the text of {origin['taken_from']}."
    if origin.get("withheld"):
        yield f"Sentences were taken out of it: {', '.join(origin['withheld'])}."


_record = record("created_at status id user_id agent_id run_id", "memory", _about)
_changed = record("event id", "memory", _about)
_happened = record("timestamp event stage reason", "memory", _about)


def memories(rows: Sequence[Row], most: int | None = None) -> Iterator[str]:
    """Each with its text, of at most so many characters, and with what is odd about it."""
    for row in rows:
        status = "said" if row.get("kind") == "said" else row["status"]
        about = {**row["provenance"], "held": row["status"] == "quarantined"}
        text = _cut(row["memory"], most)
        yield from _record([{**row, "status": status, "memory": text, "about": about}])


def listing(rows: Sequence[Row]) -> Iterator[str]:
    """Some, of long texts the beginning."""
    return memories(rows, MOST_SHOWN)


def _texts(show_: Lines, *names: str) -> Lines:
    """Rows whose text is that of the first of these fields that has one."""

    def lines(rows: Sequence[Row]) -> Iterator[str]:
        for row in rows:
            text = next((row[name] for name in names if row.get(name) is not None), "")
            about = {**row, "held": True}
            yield from show_([{**row, "memory": _cut(text, MOST_SHOWN), "about": about}])

    return lines


def _cut(text: str, most: int | None) -> str:
    return text if most is None or len(text) <= most else text[: most - 1] + "…"


def _conflicts(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        yield from listing([row["memory"]])
        yield "    may be about the same matter as:"
        yield from listing(row["others"])
        yield ""


_BESIDE = {
    "versions": "what it was before",
    "matter": "of the same matter",
    "conflicts": "of them nobody has judged",
    "cites": "what it was made of",
    "resting": "what rests on it",
}


def _inspected(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        yield from memories([row["memory"]])
        for name, heading in _BESIDE.items():
            if row[name]:
                yield ""
                yield f"{heading}:"
                yield from listing(row[name])


def _nothing_stored(answer: Any) -> str:
    reasons = [str(one["reason"]) for one in answer.get("skipped", ())]
    reasons += answer.get("rejected", {})
    return "nothing was stored" + (f": {', '.join(reasons)}" if reasons else "")


def _pending(found: Sequence[Row], *_: Any) -> tuple[str, int]:
    return f"{len(found)} pending; `recollect memories settle ID --replaces ID` settles one", 0


def _listed(found: Sequence[Row], options: argparse.Namespace, _: Any) -> tuple[str, int]:
    hint = "\n`recollect memories validate ID` lets one be recalled"
    held = options.status == "quarantined"
    return f"{len(found)} {options.status or 'found'}{hint if held else ''}", 0


def _rules(rows: Sequence[Row]) -> Iterator[str]:
    return (json.dumps(row, ensure_ascii=False) for row in rows)


def _waiting(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        yield from listing([row])
        waits = row["review"]
        if waits["left_out"]:
            yield "  left out: it waited too long, and can still be kept"
        elif "until" in waits:
            yield f"  waits until {waits['until']}, then it is left out"


def _judge(found: Sequence[Row], _: object, answer: Mapping[str, Any]) -> tuple[str, int]:
    told = f"{len(found)}{' and more' if 'next' in answer else ''} waiting"
    return f"{told}; `recollect memories review ID keep` lets one be recalled", 0


def _receipts(rows: Sequence[Row]) -> Iterator[str]:
    for receipt in rows:
        counts = counted(receipt["erased"]) or "nothing"
        if receipt.get("derived"):
            counts += f" ({receipt['derived']} of them made of the others)"
        verified = "; nothing of it is found any more" if receipt["verified"] else ""
        yield f"erased: {counts}{verified} (receipt {receipt['id']})"


def _as_ids(values: Row) -> dict[str, Any]:
    named = dict(values)
    return {"ids": [named.pop("memory_id")], **named}


def _erased(found: Sequence[Row], *_: Any) -> tuple[str, int]:
    return "", 0 if any(found[0]["erased"].values()) else 1


_ONE = (
    "get",
    "update",
    "revert",
    "validate",
    "invalidate",
    "restore",
    "settle",
    "versions",
    "review",
)
TABLE = PartCommand(
    part="",
    noun="memories",
    only=(
        *("get_all", "search", "add", "get", "history", "update", "revert", "delete", "forget"),
        *("conflicts", "profile", "said", "review_queue", "policy", "set_policy"),
    ),
    by_id=True,
    called={"get_all": "list", "review_queue": "waiting", "set_policy": "set-policy"},
    makes=("add", "set_policy"),
    clears=("set_policy",),
    none={
        "search": "nothing matches",
        "add": _nothing_stored,
        "history": "there is no history of it",
        "versions": "no earlier versions",
        "conflicts": "nothing is pending",
        "profile": "no profile",
        "said": "nothing said is kept",
        "review_queue": "nothing waits",
        "policy": "no rules of its own",
        "set_policy": "no rules any more",
    },
    defaults={"get_all": {"limit": 50}, "search": {"limit": 10}, "add": {"infer": False}},
    behind={"update": ("text",)},
    lines={
        **dict.fromkeys(_ONE, memories),
        **dict.fromkeys(("get_all", "search"), listing),
        "add": _texts(_changed, "new_memory", "old_memory"),
        "history": _texts(_happened, "new_value", "old_value"),
        "delete": lambda _: [_REMOVED],
        "forget": _receipts,
        "conflicts": _conflicts,
        "inspect": _inspected,
        "profile": record("traits ids", "memory"),
        "said": record("created_at id", "said"),
        "review_queue": _waiting,
        **dict.fromkeys(("policy", "set_policy"), _rules),
    },
    sent={"forget": _as_ids},
    ended={
        "conflicts": _pending,
        "get_all": _listed,
        "forget": _erased,
        "review_queue": _judge,
    },
)


def fill(parser: CommandLine) -> None:
    """Register the actions of ``memories``."""
    parser.description = DESCRIPTION
    actions = parser.actions()
    TABLE.add_actions(actions)
    moving.add_parsers(actions)


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Ask the proxy or open the store, and show the answer; 1 if there is nothing."""
    return (moving if options.action in moving.ACTIONS else TABLE).run(settings, options)
