"""The commands that are parts of the table of operations: how the answers of each look."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .graph_file import GraphCommand
from .operated import PartCommand
from .shapes import INDENT, Row, counted, moment, record, table
from .terminal import amount, folded, plain, width

if TYPE_CHECKING:
    from recollect.config import Settings

_WAIT = 600
_MARK = "_upto"
"""Ends the name of a figure that is a moment in seconds."""
_SIGNS = {"ADD": "+", "UPDATE": "~", "DELETE": "-", "ARCHIVE": "a", "QUARANTINE": "?"}


def _fence(settings: Settings, engine: Any) -> None:
    """The tags are those that a proxy on these files writes."""
    from ..access.installation_keys import fence_of

    engine.block_prompt.fenced_by(fence_of(settings))


def _about_block(row: Row) -> Iterator[str]:
    if not row["value"]:
        yield "(empty)"
    if row.get("shared"):
        yield f"(attached, to {row['rights']})"


_block = record("label version tokens limit read_only", "description value", _about_block)
BLOCKS = PartCommand(
    part="blocks",
    makes=("define",),
    noun="blocks",
    called={"get": "show", "compile": "compiled"},
    lines={
        **dict.fromkeys(("define", "list", "get", "append", "replace", "rewrite"), _block),
        "history": record("version author updated_at", "value", _about_block),
        "delete": lambda _: ["erased, with its versions"],
        "compile": lambda rows: [rows[0]["text"]],
    },
    before={"compile": _fence},
)


def _erased(rows: Sequence[Row]) -> Iterator[str]:
    yield f"erased: the texts of {amount(rows[0]['erased'], 'turn')}"
    if receipt := rows[0].get("receipt"):
        yield f"forgotten: {counted(receipt['erased'])} (receipt {receipt['id']})"


CONVERSATIONS = PartCommand(
    part="conversations",
    noun="conversations",
    none={"messages": "nothing more was said", "search": "nothing matches"},
    called={"messages": "show"},
    lines={
        "list": record("last_at id turns agents", "preview"),
        "messages": record("created_at role", "content"),
        "search": record("created_at conversation_id role hearsay score", "text"),
        "erase": _erased,
    },
)
_procedure = record("id status outcomes", "memory success")
_AT_A_TERMINAL = ("list", "get", "activate", "outcome")
"""The messages of a run are a program's to give."""
PROCEDURES = PartCommand(
    part="procedures",
    noun="procedures",
    only=_AT_A_TERMINAL,
    lines=dict.fromkeys(_AT_A_TERMINAL, _procedure),
)


def _way(row: Row) -> list[str]:
    return [f"{'to' if row['given'] else 'from its owner to'} {counted(row['to'])}"]


SHARES = PartCommand(
    part="shares",
    noun="shared memories",
    lines=dict.fromkeys(("list", "of", "attach"), record("created_at memory_id rights", more=_way)),
)


def _runs(rows: Sequence[Row]) -> Iterator[str]:
    yield from record("at kind state changes user_id agent_id run_id reason id", more=_rested)(
        [_run(row) for row in rows]
    )


def _whole(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        told = record("at kind state changes user_id agent_id run_id reason id", more=_changes)
        yield from told([_run(row) | {"made": row["changes"]}])


def _run(row: Row) -> dict[str, Any]:
    state = "undone" if "undone_at" in row else row["state"]
    return {**row, "state": state, "changes": len(row["changes"])}


def _changes(row: Row) -> Iterator[str]:
    for change in row["made"]:
        yield from _change(change)
    figures = {n: value for n, value in sorted(row["figures"].items()) if not n.endswith(_MARK)}
    yield counted(figures)
    yield from _rested(row)


def _rested(row: Row) -> Iterator[str]:
    if word := row.get("rested"):
        from recollect.memory.upkeep.paused_kinds import WHY

        yield f"a part rested: {WHY.get(word, word)}"
    if word := row.get("failure"):
        yield f"{word}: {row.get('advice', '')}".rstrip(": ")


def _change(change: Mapping[str, Any]) -> Iterator[str]:
    """What became of a memory: its text before if it is another now, after, and why."""
    before, after = change.get("old_memory"), change.get("memory")
    if change["event"] == "UPDATE" and before not in (None, after):
        yield f"- {before}"
    text = after if after is not None else before
    yield f"{_SIGNS.get(change['event'], ' ')} {change['id'] if text is None else text}"
    if why := change.get("why"):
        yield f"({why})"


def _undone(rows: Sequence[Row]) -> Iterator[str]:
    [answer] = rows
    if answer["already"] and not answer["undone"]:
        yield "it was taken back before; nothing was changed"
    else:
        yield f"taken back: {answer['undone']} of {len(answer['run']['changes'])} changes"
    yield from (f"left as it is: {one['id']} ({one['why']})" for one in answer["kept"])


def _ran(found: Sequence[Row], options: argparse.Namespace, _: Any) -> tuple[str, int]:
    """What may be done next; 1 if a run failed."""
    status = 1 if any(one["state"] == "dead" for one in found) else 0
    if options.dry_run:
        return "nothing was changed: without --dry-run it would be", status
    if any(one["state"] in {"ready", "leased"} for one in found):
        return "it goes on; `recollect upkeep list` shows when it has ended", status
    if not any(one["changes"] for one in found):
        return "nothing had to be changed", status
    return "`recollect upkeep undo RUN` takes a run back", status


UPKEEP = PartCommand(
    part="upkeep",
    noun="runs",
    none={"run": "nothing to look after"},
    called={"get": "show"},
    lines={"run": _whole, "list": _runs, "get": _whole, "undo": _undone},
    defaults={"run": {"wait": _WAIT}},
    ended={"run": _ran},
)
TOPICS = PartCommand(
    part="topics",
    only=("graph",),
    alone=True,
    noun="topics",
    rows={"graph": lambda answer: answer["topics"]},
    lines={
        "graph": record(
            "size label id", more=lambda row: (f"{m['id']}: {m['memory']}" for m in row["members"])
        )
    },
)


def _also(row: Row) -> list[str]:
    also = [f"also {', '.join(row['aliases'])}"] if row["aliases"] else []
    return [*also, row["description"]] if row["description"] else also


_entities = record("memories type name id", more=_also)


def _relations(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        yield plain(f"{row['source']} -{row['relation']}-> {row['target']}")
        yield from folded(f"{row['memory_id']}: {row['quote']}", width(), INDENT)


def _merges(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        kept, gone = (row[side]["name"] or row[side]["id"] for side in ("kept", "gone"))
        undone = f"undone {moment(row['undone_at'])}" if "undone_at" in row else None
        told = {**row, "said": f"{gone} is {kept}", "undone": undone}
        yield from record("at said by undone id")([told])


def _joined(rows: Sequence[Row]) -> Iterator[str]:
    yield from _merges([row["merge"] for row in rows if "merge" in row])


def _one(rows: Sequence[Row], *_: Any) -> tuple[str, int]:
    [answer] = rows
    if answer["already"]:
        return "they were one already", 0
    return f"they are one; `recollect graph undo {answer['merge']['id']}` parts them again", 0


def _two(rows: Sequence[Row], *_: Any) -> tuple[str, int]:
    return "they were parted before" if rows[0]["already"] else "they are two again", 0


def _wrong(rows: Sequence[Row], *_: Any) -> tuple[str, int]:
    """1 if a figure is not 0 that should be."""
    if rows[0]["orphans"] or rows[0]["stale"]:
        return "`recollect graph rebuild` reads the memories again", 1
    return "", 0


GRAPH = GraphCommand(
    part="graph",
    only=("entities", "relations", "merges", "merge", "undo", "rebuild", "check", "export"),
    none={each: f"no {each}" for each in ("entities", "relations", "merges")},
    everybody=("merges", "undo", "rebuild", "check", "export"),
    seconds={"rebuild": 3600},
    lines={
        "entities": _entities,
        "relations": _relations,
        "merges": _merges,
        "merge": _joined,
        "undo": _joined,
        "rebuild": record("memories entities relations seconds"),
    },
    ended={"merge": _one, "undo": _two, "check": _wrong},
)


def _placed(settings: Settings, engine: Any) -> None:
    """Where memories go is told as a proxy with these settings would."""
    from recollect.filters.explaining import explainer_of

    from ..chat.placing.places import places_of

    engine.explainer = explainer_of(engine, places_of(settings).usual)


def _explained(rows: Sequence[Row]) -> Iterator[str]:
    from .explain_table import render

    yield from (render(row) for row in rows)


EXPLAIN = PartCommand(
    part="",
    only=("explain",),
    alone=True,
    none={"explain": "nothing is stored"},
    # All that matches may be held back.
    rows={"explain": lambda answer: [answer] if answer["seen"] or answer.get("held_back") else []},
    lines={"explain": _explained},
    before={"explain": _placed},
)
USERS = PartCommand(
    part="",
    only=("users",),
    alone=True,
    none={"users": "nobody has memories"},
    lines={
        "users": table(
            kind="type", memories="total_memories", latest_change="updated_at", name="name"
        )
    },
)
_days = table(
    day="day",
    chats="chats",
    recalled="recalled",
    lines="injected_lines",
    tokens="injected_tokens",
    extracted="extraction_calls",
    extraction_tokens="extraction_tokens",
    upkeep="upkeep_calls",
    upkeep_tokens="upkeep_tokens",
    embedded="embedded_texts",
    learned="learned",
    what_if="whatif_calls",
    what_if_tokens="whatif_tokens",
)
"""Some of the figures; `--json` has all."""
_BY_KIND = ("consolidate", "episode", "reflect")


def about_upkeep(totals: Mapping[str, int]) -> str:
    """Which kinds of upkeep asked a model, and what that took. Pure."""
    told = [f"{kind} {totals[f'{kind}_tokens']:,}" for kind in _BY_KIND if totals[f"{kind}_calls"]]
    return f"tokens of upkeep: {', '.join(told)}" if told else "no model was asked for upkeep"


def _about_caches(totals: Mapping[str, int]) -> str:
    """What model servers report of their prompt caches, which is no saving by memory."""
    answers, prompts = totals["cached_answers"], totals["prompt_tokens"]
    if not answers or not prompts:
        return "no model server reported its prompt cache"
    share = totals["cached_tokens"] / prompts
    return f"{answers:,} answers reported the prompt cache: {share:.0%} of their prompt tokens"


def _with_sums(rows: Sequence[Row]) -> Iterator[str]:
    counted = [name for name, value in rows[0].items() if isinstance(value, int)]
    sums = {name: sum(row[name] for row in rows) for name in counted}
    yield from _days([*rows, {"day": "all", **sums}])


def _about_days(_: Any, __: Any, answer: Any) -> tuple[str, int]:
    return f"{about_upkeep(answer['totals'])}\n{_about_caches(answer['totals'])}", 0


STATS = PartCommand(
    part="",
    only=("stats",),
    alone=True,
    none={"stats": "nothing was counted in these days"},
    rows={"stats": lambda answer: answer["days"]},
    lines={"stats": _with_sums},
    ended={"stats": _about_days},
)
PARTS = {
    "stats": STATS,
    "explain": EXPLAIN,
    "users": USERS,
    "graph": GRAPH,
    "blocks": BLOCKS,
    "conversations": CONVERSATIONS,
    "procedures": PROCEDURES,
    "shares": SHARES,
    "topics": TOPICS,
    "upkeep": UPKEEP,
}
