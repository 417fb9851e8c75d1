"""Detects foreign sentences that address the assistant or give it orders."""

from __future__ import annotations

from .cues import cues

_ORDERS = frozenset(
    {"standing", "condition", "promote", "send", "negation", "grant", "unconfirmed"}
)


def is_hostile(text: str) -> bool:
    """Whether a foreign sentence addresses the assistant or its memory."""
    found = cues(text)
    if found & {"assistant", "remember", "unbound"} or {"override", "rules"} <= found:
        return True
    return bool(found & {"user", "anyone"}) and bool(found & _ORDERS)


def is_order(text: str) -> bool:
    """Whether a sentence tells the assistant to do or remember something."""
    found = cues(text)
    if "unbound" in found or {"override", "rules"} <= found or {"remember", "user"} <= found:
        return True
    return "assistant" in found and bool(
        found & (_ORDERS | {"remember", "override", "you", "user"})
    )
