"""One request to the memory API, as its handler gets it."""

from __future__ import annotations

from dataclasses import dataclass

from aiohttp import web

from recollect.memory import AsyncMemory, Scope
from recollect.memory.model.owner import Owner
from recollect.memory.model.types import OwnerRef

from ..access.rights import Grant
from .operations import Parameters, scope_ids


@dataclass(frozen=True, slots=True)
class ApiCall:
    """What was asked, by whom, and the memories that it may be about."""

    asked: Parameters
    memory: AsyncMemory
    """The caller's own memories: other tenants' (and users', if it is one) are not in it."""
    grant: Grant
    request: web.Request
    headers: dict[str, str]
    """Headers of every answer: what a browser needs, and what is left of the tenant's limit."""

    @property
    def owner(self) -> Owner:
        """Whose memories the caller may act on."""
        return self.grant.owner

    @property
    def tenant(self) -> str:
        """Its tenant."""
        return self.grant.owner.tenant

    def scope(self) -> Scope:
        """The scope that the request names. Raises as `Owner.scope`."""
        return self.owner.scope(**scope_ids(self.asked))

    def whose(self) -> OwnerRef:
        """The same; if it names none, everything of the caller."""
        return self.owner.whose(**scope_ids(self.asked))
