"""The handlers of the routes behind the dashboard."""

from __future__ import annotations

from typing import Any

from recollect.memory.api.state import StateDict, state_of
from recollect.memory.engine.engine import Engine

from ..models import ScopeFields
from ..operations import PREFIX, operation, operations_of
from ..request import ApiRequest


class StateApi:
    """The handlers of `STATE_OPERATIONS`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @operation("GET", f"{PREFIX}/state", StateDict, query=ScopeFields, tag="state")
    async def state(self, request: ApiRequest) -> Any:
        """How much is known, said and waiting: of a scope, or of all that the caller owns."""
        return await state_of(self._engine.census, request.owner_ref())


STATE_OPERATIONS = operations_of(StateApi)
