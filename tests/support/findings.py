"""Where a text holds secrets and personal data, which a `Redactor` tells by taking them out."""

from __future__ import annotations

from collections.abc import Collection

from recollect.memory.trust.redact.formats.view import Finding, settle, view
from recollect.memory.trust.redact.prose.personal import personal_of
from recollect.memory.trust.redact.redactor import masked, secrets_of

ROUNDS = 8


def find_secrets(text: str) -> list[Finding]:
    """Sorted, without overlaps; positions are code points of `text`."""
    found: list[Finding] = []
    for _ in range(ROUNDS):
        more = secrets_of(view(masked(text, [(f.start, f.end) for f in found])))
        if not more:
            break
        found = settle([*found, *more])
    return found


def find_personal(text: str, kinds: Collection[str]) -> list[Finding]:
    return personal_of(view(text), kinds)
