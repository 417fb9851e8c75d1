"""Somebody with a credential, as far as the gateway's ears have to know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from recollect.memory.model.types import Scope


class Sees(Protocol):
    """Sends these headers, and may see some."""

    @property
    def name(self) -> str: ...

    @property
    def headers(self) -> Mapping[str, str]: ...

    def may_see(self, scope: Scope) -> bool:
        """Whether this scope's memories are its own."""
