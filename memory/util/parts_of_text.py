"""Whether a text holds one of several others."""

from __future__ import annotations

from collections.abc import Iterable


def holds_any(text: str, parts: Iterable[str]) -> bool:
    """Whether one of the parts is in the text, without a generator that is entered for each."""
    for part in parts:  # noqa: SIM110 - see above: every message is looked at
        if part in text:
            return True
    return False
