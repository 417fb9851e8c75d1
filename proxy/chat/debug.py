"""The response header that explains a chat's recall on request. Pure.

The request header ``x-recollect-debug: explain`` asks for it; ``x-recollect-explain`` is compact
ASCII JSON. It has ids and figures only, never the text of a memory or of the query;
``conversation`` and ``turn`` are as in `GET recent`, ``request`` is what the event log calls it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from recollect.filters import Exchange, Verdict
from recollect.memory.recall import Drop, Ranked, Selection
from recollect.memory.util.correlation import ID_CHARS

EXPLAIN_HEADER = "x-recollect-explain"

MAX_BYTES = 3000
"""Limit of the header's value: many clients and proxies accept 8 KB for all headers together."""
_DIGITS = 3
_NOTES = ("gate", "rewrite", "recall")
"""Keys of `Exchange.notes` that are copied; each value is one word."""


def explain_header(verdict: Verdict, exchange: Exchange | None) -> dict[str, str]:
    """The header; without a recall it has only the outcome and its reason.

    ``recall`` is ``asked``; ``kept`` for a request that continues a turn with a tool's result: it
    gets the memories of the turn's first request, and the figures are those of that recall; or
    ``none`` if there was no recall or it failed.
    """
    said: dict[str, Any] = {"memory": verdict.outcome.value, "reason": verdict.reason}
    if exchange is not None:
        said["conversation"] = exchange.conversation_id[:ID_CHARS]
        said["turn"] = exchange.turn_id[:ID_CHARS]
        said |= {name: exchange.notes[name] for name in _NOTES if name in exchange.notes}
        if exchange.request_id:
            said["request"] = exchange.request_id
        if exchange.injections:
            said["place"] = exchange.injections[0].place.value
    if exchange is None or exchange.selection is None:
        # A recall that began and failed has noted another word.
        return {EXPLAIN_HEADER: _compact(said | {"recall": "none"})}
    selection = exchange.selection
    return {EXPLAIN_HEADER: _fitted(said | _summary(selection), _rows(selection))}


def _summary(selection: Selection) -> dict[str, Any]:
    left_out = Counter(reason.value for _, reason in selection.dropped)
    behind = selection.seen - len(selection.chosen) - len(selection.dropped)
    return {
        "seen": selection.seen,
        "chosen": len(selection.chosen),
        "tokens": selection.tokens,
        "left_out": dict(left_out) | ({"rank": behind} if behind > 0 else {}),
    }


def _rows(selection: Selection) -> list[dict[str, Any]]:
    """Every ranked memory, best first."""
    fates: list[tuple[Ranked, Drop | None]] = [(hit, None) for hit in selection.chosen]
    fates += selection.dropped
    # The order of the ranking: relevant memories first; newer ones first among equals.
    fates.sort(key=lambda fate: (not fate[0].relevant, -fate[0].score, -fate[0].position))
    return [_row(hit, reason) for hit, reason in fates]


def _row(hit: Ranked, dropped: Drop | None) -> dict[str, Any]:
    """One memory; signals of zero are left out to save room."""
    signals = {name.value: round(value, _DIGITS) for name, value in hit.signals.items()}
    return {
        "id": hit.item.id,
        "score": round(hit.score, _DIGITS),
        "cosine": round(hit.cosine, _DIGITS),
        "coverage": round(hit.coverage, _DIGITS),
        "reason": "chosen" if dropped is None else dropped.value,
        "signals": {name: value for name, value in signals.items() if value},
    }


def _fitted(said: dict[str, Any], rows: Sequence[dict[str, Any]]) -> str:
    """The best memories, as many as fit, and the number of those that do not fit."""
    room = MAX_BYTES - len(_compact(said | {"more": len(rows), "memories": []}))
    kept = 0
    for row in rows:
        room -= len(_compact(row)) + 1
        if room < 0:
            break
        kept += 1
    return _compact(said | {"more": len(rows) - kept, "memories": rows[:kept]})


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))
