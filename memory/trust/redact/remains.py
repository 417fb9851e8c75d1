"""Tells what is left of a text when its secrets are gone: nothing, or a label of nothing."""

from __future__ import annotations

import regex

from .formats.shapes import REMOVED
from .formats.view import view
from .prose.terms import prose_of

MARKERS = {
    "api_key": "[API key removed]",
    "token": "[token removed]",
    "password": "[password removed]",
    "code": "[code removed]",
    "phrase": "[secret phrase removed]",
    "private_key": "[private key removed]",
    "credit_card": "[card number removed]",
    "iban": "[IBAN removed]",
    "email": "[email removed]",
    "phone": "[phone number removed]",
    "address": "[address removed]",
    "birth_date": "[birth date removed]",
    "national_id": "[identity number removed]",
}
"""The replacement of each kind."""
MARKER = regex.compile("|".join(regex.escape(marker) for marker in MARKERS.values()))
_LABELS = (
    *(f"secrets.{name}" for name in ("password", "code", "key", "phrase", "login", "opens")),
    *(f"secrets.{name}" for name in ("lock", "coded", "service", "things", "keypad", "document")),
    "people.user", "people.first_person",
)  # fmt: skip
"""What a secret is called, what it is for, and whose it is if it is the user's."""
_LONGEST = 300
"""Characters of a text that may be a label; longer ones say something."""


def is_empty_remains(text: str) -> bool:
    """Whether a text has nothing to say but that something was removed.

    It has no letter or digit of its own, or only the label of what was there: "My PIN is [code
    removed]". Whoever keeps texts keeps no such remains.
    """
    left = MARKER.sub(REMOVED, text)
    return is_only_marks(text) or (REMOVED in left and len(left) <= _LONGEST and _is_label(left))


def is_only_marks(text: str) -> bool:
    """Whether a text has no letters or digits but those of replacements."""
    return not any(map(str.isalnum, MARKER.sub("", text)))


def _is_label(text: str) -> bool:
    read = prose_of(view(text))
    said = read.seen.covered(*_LABELS) | read.joins | read.links | read.cards
    raw = read.seen.words.raw
    return all(word in said or len(raw[word]) == 1 for word in range(len(raw)))
