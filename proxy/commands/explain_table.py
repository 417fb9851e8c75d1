"""An explanation as a text table. Pure."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from typing import Any

from recollect.memory.model.doubts import told

from .columns import columns, cut, left, right
from .terminal import folded, plain

MOST_LEFT_OUT = 10
"""Most rows of memories that were not chosen; ``--json`` prints all."""
STRONGEST = 3
"""Signals shown for each memory."""
LEAST = 0.005
"""Smallest contribution that is shown: less would be printed as 0.00."""
LEAST_TEXT = 24
_WIDE = 120
_NOT_ASKED = "a chat would also ask a model for search queries (recall.rewrite); that is left out"
_HEAD = ("#", "score", "cosine", "tokens", "role, or why not", "mostly for", "memory")
WHY_NOT = {
    "threshold": "no evidence",
    "contradicted": "said otherwise later",
    "remembered": "learned since",
    "visible": "in the conversation",
    "duplicate": "said twice",
    "private": "private",
    "unsafe": "not validated",
    "limit": "over the limit",
    "budget": "no tokens left",
    "rank": "ranked too low",
    "skipped": "not searched for",
}
"""What a person reads of the reason why a memory is left out; another one is shown as it is."""
_RIGHT = 4
"""Number of columns with figures, aligned to the right."""


def render(answer: Mapping[str, Any], width: int | None = None) -> str:
    """The answer of `Explainer` as text of `width` columns (default: the terminal's)."""
    width = width or shutil.get_terminal_size((_WIDE, 24)).columns
    rows = [*_standing(answer), *_rows(answer["memories"])]
    return "\n".join(
        [
            *_about_query(answer),
            "",
            *_table([_HEAD, *rows], width),
            "",
            *_held_back(answer.get("held_back", ()), width),
            _about_selection(answer, len(_rows(answer["memories"]))),
            _about_settings(answer),
        ]
    )


def _about_query(answer: Mapping[str, Any]) -> list[str]:
    reason = answer["gate"]["reason"]
    only = f", {answer['gate']['only']} memories only" if "only" in answer["gate"] else ""
    gate = f"gate: recall ({reason}{only})"
    if not answer["gate"]["recall"]:
        gets = "what is said about answers" if answer["chosen"] else "nothing"
        gate = f"gate: skip ({reason}), a chat would get {gets}; a search would find the rest:"
    place = f"place: {answer['place'] or 'none, the model server refuses all'}"
    return [gate, place, _NOT_ASKED] if answer["asks_model"] else [gate, place]


def _standing(answer: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Rows of what is chosen for another reason than its rank."""
    ranked = {memory["id"] for memory in answer["memories"]}
    return [
        ("", "", "", str(line["tokens"]), line["role"], "", plain(line["memory"]))
        for line in answer["profile"]
        if line["id"] not in ranked
    ]


def _rows(memories: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """Rows of all chosen memories and of the best others."""
    left_out = [memory["rank"] for memory in memories if not memory["chosen"]][:MOST_LEFT_OUT]
    return [
        _row(memory) for memory in memories if memory["chosen"] or memory["rank"] in set(left_out)
    ]


def _row(memory: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        str(memory["rank"]),
        f"{memory['score']:.3f}",
        f"{memory['cosine']:.2f}",
        str(memory["tokens"]),
        memory["role"] if memory["chosen"] else _why_not(memory["reason"]),
        _strongest(memory["signals"]),
        plain(memory["memory"]),
    )


def _why_not(reason: str) -> str:
    return WHY_NOT.get(reason, reason)


def _strongest(signals: Mapping[str, Mapping[str, Any]]) -> str:
    """The signals that add most to the score, with their contributions."""
    adding = sorted(signals.items(), key=lambda signal: -signal[1]["adds"])[:STRONGEST]
    return ", ".join(
        f"{name} {signal['adds']:.2f}" for name, signal in adding if signal["adds"] >= LEAST
    )


def _table(rows: Sequence[tuple[str, ...]], width: int) -> list[str]:
    """Lines with columns as narrow as possible; the last column gets the rest."""
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)][:-1]
    room = max(LEAST_TEXT, width - sum(widths) - 2 * len(widths))
    lines = []
    for *cells, text in rows:
        fitted = [
            right(cell, wide) if number < _RIGHT else left(cell, wide)
            for number, (cell, wide) in enumerate(zip(cells, widths, strict=True))
        ]
        lines.append("  ".join([*fitted, cut(text, room)]).rstrip())
    return lines


def _held_back(memories: Sequence[Mapping[str, Any]], width: int) -> list[str]:
    """The quarantined memories that would have matched, each with its reasons."""
    lines = []
    for memory in memories:
        lines += folded(f"held back: {memory['memory']}", width)
        for reason in told(memory["reasons"], memory["memory"]):
            lines += folded(reason, width, "    ")
        lines.append(f"    To recall it: recollect memories validate {memory['id']}")
    return [*lines, ""] if lines else []


def _about_selection(answer: Mapping[str, Any], shown: int) -> str:
    left_out = [f"{count} {_why_not(reason)}" for reason, count in answer["left_out"].items()]
    not_shown = len(answer["memories"]) - shown
    return (
        f"{answer['chosen']} of {answer['seen']} chosen, {answer['tokens']} tokens "
        f"+ {answer['frame_tokens']} around them, of {answer['bounds']['token_budget']}; "
        f"left out: {', '.join(left_out) or 'none'}"
        + (f" ({not_shown} of them not shown; --json has them)" if not_shown else "")
    )


def _about_settings(answer: Mapping[str, Any]) -> str:
    bounds, evidence = answer["bounds"], answer["evidence"]
    return (
        f"evidence: {evidence['best']:.0%} that anything stored bears on it, "
        f"{evidence['least']:.0%} needed; limit {bounds['limit']}; {answer['embedder']}"
    )
