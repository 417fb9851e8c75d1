"""Why a memory did not come up for a message, in plain words. Pure.

It reads what `explain` says of the message: the same decision as a chat's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import TypedDict

from ..recall import Drop
from .results import MemoryDict, memory_dict
from .whynot import Fate, NearDict, Sought


class WhyNotDict(TypedDict):
    """What became of what should have come up."""

    verdict: str
    """`never_stored`, `deleted`, `forgotten`, `withheld`, `archived`, `superseded`; of a memory
    that holds `stored`, or with a message `used`, `below_evidence`, `cut`, `not_asked`,
    `duplicate`, `contradicted`, `told_by_memory`, `private`, `kept_away`, `visible`."""
    why: str
    memory: MemoryDict | None
    """The memory that is meant."""
    nearest: list[NearDict]
    """Other memories that are near the text, best first."""


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
    Drop.NOT_NOW: ("not_now", "Somebody did not want it for such a question: undo that feedback"),
    Drop.WITHHELD: ("kept_away", "A policy keeps it from the model (trust.policy)"),
    Drop.UNSAFE: ("withheld", "It is an instruction that nobody validated"),
    Drop.LIMIT: ("cut", "Better memories took all places (recall.limit)"),
    Drop.BUDGET: ("cut", "Better memories took all tokens (recall.token_budget)"),
}
_NOT_COMPARED = Fate("below_evidence", "It was not near enough to be among those compared.")


def whynot_dict(sought: Sought, explained: Mapping[str, Any] | None = None) -> WhyNotDict:
    """What became of it; `explained` is what a chat makes of the message."""
    item = sought.item
    if sought.fate is None and item is not None and explained is not None:
        fate = fate_for(item.id, explained)
    else:
        fate = sought.fate or STORED
    return WhyNotDict(
        verdict=fate.verdict,
        why=fate.why,
        memory=None if item is None else memory_dict(item),
        nearest=list(sought.nearest),
    )


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
