"""Why a memory did not come up for a message, in plain words. Pure.

It reads what `explain` says of the message: the same decision as a chat's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recollect.memory.api.whynot import Fate
from recollect.memory.recall import Drop

STORED = Fate(
    "stored",
    "It is stored and holds. Name the message (q) for which it did not come up to learn why.",
)
_DROPS = {
    Drop.THRESHOLD: ("below_evidence", "It is not sure enough to answer this message"),
    Drop.CONTRADICTED: ("contradicted", "The user said something else later"),
    Drop.REMEMBERED: ("told_by_memory", "A memory that was learned from it comes up instead"),
    Drop.VISIBLE: ("visible", "The model sees it in the conversation anyway"),
    Drop.DUPLICATE: ("duplicate", "A better memory says the same"),
    Drop.PRIVATE: ("private", "It is private, and the message does not ask for it"),
    Drop.UNSAFE: ("withheld", "It is an instruction that nobody validated"),
    Drop.LIMIT: ("cut", "Better memories took all places (recall.limit)"),
    Drop.BUDGET: ("cut", "Better memories took all tokens (recall.token_budget)"),
}
_NOT_COMPARED = Fate("below_evidence", "It was not near enough to be among those compared.")


def fate_for(memory_id: str, explained: Mapping[str, Any]) -> Fate:
    """What a chat with the explained message does with a memory that holds."""
    if any(row["id"] == memory_id for row in explained["profile"]):
        return Fate("used", "It is given to the model, because of who asks.")
    row = next((row for row in explained["memories"] if row["id"] == memory_id), None)
    if row is not None and row["chosen"]:
        return Fate("used", f"It is given to the model: {_figures(row)}.")
    if not explained["gate"]["recall"]:
        return Fate("not_asked", _gate(explained["gate"]["reason"]))
    if row is None:
        return _NOT_COMPARED
    if row["reason"] not in set(Drop):
        return Fate("not_asked", _gate(explained["chat"]["reason"]))
    verdict, told = _DROPS[Drop(row["reason"])]
    return Fate(verdict, f"{told}: {_figures(row)}.")


def _gate(reason: str) -> str:
    return f"A chat does not search memory for this message ({reason or 'nothing to ask'})."


def _figures(row: Mapping[str, Any]) -> str:
    """How near it is, as the ranking has it."""
    return (
        f"rank {row['rank']}, {round(row['cosine'], 2)} in meaning, "
        f"{round(row['coverage'] * 100)} % of the message's words"
    )
