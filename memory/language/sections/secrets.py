"""How secrets are told in sentences."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import Terms, terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    """How secrets are told in sentences."""

    password: Terms = terms("Names of a password.")
    code: Terms = terms("Names of a PIN or a code of a lock.")
    key: Terms = terms("Names of a key for a program.")
    phrase: Terms = terms("Names of a secret phrase.")
