"""An explanation as a text table. Pure."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from recollect.memory.model.doubts import told

from .shapes import aligned
from .terminal import folded, plain

MOST_LEFT_OUT = 10
"""Most rows of memories that were not chosen; ``--json`` prints all."""
STRONGEST = 3
"""Signals shown for each memory."""
LEAST = 0.005
"""Smallest contribution that is shown: less would be printed as 0.00."""
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
    "not_now": "not wanted for this",
    "unsafe": "not validated",
    "withheld": "kept from this model",
    "limit": "over the limit",
    "budget": "no tokens left",
    "rank": "ranked too low",
    "skipped": "not searched for",
}
"""What a person reads of the reason why a memory is left out; another one is shown as it is."""
_FIGURES = (True, True, True, True, False, False, False)


def render(answer: Mapping[str, Any], width: int | None = None) -> str:
    """The answer of `Explainer` as text of `width` columns (default: the terminal's)."""
    width = width or shutil.get_terminal_size((_WIDE, 24)).columns
    memories = answer["memories"]
    left_out = [one["rank"] for one in memories if not one["chosen"]][:MOST_LEFT_OUT]
    ranked = [one for one in memories if one["chosen"] or one["rank"] in left_out]
    rows = [*_standing(answer), *map(_row, ranked)]
    return "\n".join(
        [
            *_about_query(answer),
            "",
            *aligned([_HEAD, *rows], _FIGURES, width),
            "",
            *_held_back(answer.get("held_back", ()), width),
            _about_selection(answer, len(memories) - len(ranked)),
            _about_settings(answer),
        ]
    )


def _about_query(answer: Mapping[str, Any]) -> Iterator[str]:
    gate = answer["gate"]
    if gate["recall"]:
        only = f", {gate['only']} memories only" if "only" in gate else ""
        yield f"gate: recall ({gate['reason']}{only})"
    else:
        gets = "what is said about answers" if answer["chosen"] else "nothing"
        yield f"gate: skip ({gate['reason']}), a chat would get {gets}; a search finds the rest:"
    yield f"place: {answer['place'] or 'none, the model server refuses all'}"
    if answer["asks_model"]:
        yield _NOT_ASKED


def _standing(answer: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Rows of what is chosen for another reason than its rank."""
    ranked = {memory["id"] for memory in answer["memories"]}
    return [
        ("", "", "", str(line["tokens"]), line["role"], "", plain(line["memory"]))
        for line in answer["profile"]
        if line["id"] not in ranked
    ]


def _row(memory: Mapping[str, Any]) -> tuple[str, ...]:
    adding = sorted(memory["signals"].items(), key=lambda signal: -signal[1]["adds"])[:STRONGEST]
    return (
        str(memory["rank"]),
        f"{memory['score']:.3f}",
        f"{memory['cosine']:.2f}",
        str(memory["tokens"]),
        memory["role"] if memory["chosen"] else _why_not(memory["reason"]),
        ", ".join(f"{name} {each['adds']:.2f}" for name, each in adding if each["adds"] >= LEAST),
        plain(memory["memory"]),
    )


def _why_not(reason: str) -> str:
    return WHY_NOT.get(reason, reason)


def _held_back(memories: Sequence[Mapping[str, Any]], width: int) -> Iterator[str]:
    """The quarantined memories that would have matched, each with its reasons."""
    for memory in memories:
        yield from folded(f"held back: {memory['memory']}", width)
        for reason in told(memory["reasons"], memory["memory"]):
            yield from folded(reason, width, "    ")
        yield f"    To recall it: recollect memories validate {memory['id']}"
    if memories:
        yield ""


def _about_selection(answer: Mapping[str, Any], not_shown: int) -> str:
    left_out = [f"{count} {_why_not(reason)}" for reason, count in answer["left_out"].items()]
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
