"""Tells the statements of users what learning did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ..learn import AfterLearning, SaidAfter
from ..model.types import Decision, Scope, Turn


class StatementsOfTurns(Protocol):
    """The statements of users, as they are recalled."""

    async def left(
        self,
        scope: Scope,
        turns: Sequence[Turn],
        after: AfterLearning,
        decisions: Sequence[Decision],
    ) -> SaidAfter:
        """What stays of `turns`, and of earlier ones of which something is believed now.

        Writes nothing. Raises StateError, StoreError and EmbeddingError.
        """

    async def changed(self, scope: Scope) -> None:
        """It is written: read the statements of a scope again. Raises StateError."""
