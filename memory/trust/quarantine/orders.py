"""Tells sentences that address the assistant or give it orders."""

from __future__ import annotations

from .reading import Utterance

_ORDERS = frozenset(
    {"standing", "condition", "promote", "send", "negation", "grant", "unconfirmed"}
)


def is_hostile(said: Utterance) -> bool:
    """Whether a foreign sentence addresses the assistant or its memory."""
    found = said.cues
    if found & {"assistant", "remember", "unbound"} or {"override", "rules"} <= found:
        return True
    return bool(found & {"user", "anyone"}) and bool(found & _ORDERS)


def is_order(said: Utterance) -> bool:
    """Whether a sentence tells the assistant to do or remember something."""
    found = said.cues
    if "unbound" in found or {"override", "rules"} <= found or {"remember", "user"} <= found:
        return True
    return "assistant" in found and bool(
        found & (_ORDERS | {"remember", "override", "you", "user"})
    )
