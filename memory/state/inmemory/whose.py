"""Whether something is meant when a scope or a tenant is named."""

from __future__ import annotations

from ...types import Scope, Whose


def takes(whose: Whose, scope: Scope) -> bool:
    """Whether what is stored under `scope` is among `whose`."""
    return whose.admits(scope) if isinstance(whose, Scope) else whose == scope.tenant
