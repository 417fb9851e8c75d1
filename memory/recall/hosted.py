"""What a recall finds beside the memories of a scope: what was said, and what is attached to it."""

from __future__ import annotations

import logging

from ..model.errors import StateError
from ..model.types import Scope
from .index.entry import (
    NO_STATEMENTS,
    NOTHING_LENT,
    LentMemories,
    RecentStatements,
    StatementSource,
)
from .lent import Lending

log = logging.getLogger(__name__)


class Hosted:
    """Both fail open: while the state fails, memories are recalled without them."""

    def __init__(self, said: StatementSource | None) -> None:
        """`said` finds what users said lately; None: nothing is recalled of it."""
        self.said = said
        self.lending: Lending | None = None
        """Finds what is attached to scopes; None: nothing ever is."""

    async def statements(self, scope: Scope) -> RecentStatements:
        """What the scope's user said and is no memory yet."""
        try:
            return NO_STATEMENTS if self.said is None else await self.said.get(scope)
        except StateError as error:
            log.warning("what was said is not recalled: %s", error)
            return NO_STATEMENTS

    async def lent(self, scope: Scope) -> LentMemories:
        """What is attached to the scope."""
        try:
            return NOTHING_LENT if self.lending is None else await self.lending.get(scope)
        except StateError as error:
            log.warning("what is attached is not recalled: %s", error)
            return NOTHING_LENT
