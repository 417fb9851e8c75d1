"""An engine as one tenant sees it, or one user of that tenant: what every delegate works with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from ..engine.engine import Engine
from ..engine.sharing import Lease
from ..model.errors import InvalidInputError
from ..model.owner import Owner
from ..model.ports import ChatModel
from ..model.types import OwnerRef, Scope
from ..operations.scope import ScopeIds, scope_apart
from ..query.arguments import MemorySelector, read_arguments
from ..query.filter_json import check_size
from ..query.naming import scope_in, taken_apart, together, unclear_id

CLOSED = "this memory is closed"
_EXACT_IDS = "the ids of an addition are exact, at the top or in AND"


class TenantView:
    """The scope that a call means, and the model that learns its memories."""

    def __init__(self, engine: Engine, owner: Owner, model: ChatModel | None) -> None:
        if not (model is None or callable(getattr(model, "complete", None))):
            raise InvalidInputError("model", f"expected a ChatModel or None, not {model!r:.80}")
        self.engine = engine
        self.lease: Lease | None = None
        """The lease of an engine that `AsyncMemory.open` opened."""
        self._owner = owner
        self._model = model

    @property
    def owner(self) -> Owner:
        """The owner of the memories. Raises RuntimeError after the engine was closed."""
        if self.lease is not None and self.lease.released:
            raise RuntimeError(CLOSED)
        return self._owner

    @property
    def chat_model(self) -> ChatModel:
        return self._model or self.engine.model_of(self._owner.tenant)

    @property
    def has_model(self) -> bool:
        """Whether a model was chosen for this view, or for all."""
        return self._model is not None or self.engine.has_model

    def scope(self, **ids: Unpack[ScopeIds]) -> Scope:
        """The scope with these ids. Raises ScopeError without any."""
        return self.owner.scope(**ids)

    def owner_ref(self, **ids: Unpack[ScopeIds]) -> OwnerRef:
        """The scope with these ids; without any, all that the program owns."""
        return self.owner.owner_ref(**ids)

    def meant(self, asked: Mapping[str, Any]) -> tuple[Scope, MemorySelector]:
        """The scope and the query of a call. Without ids the filters name the scope."""
        ids, which = scope_apart(asked)
        filters = which.get("filters")
        if filters is None or any(each is not None for each in (self.owner.user_id, *ids.values())):
            return self.scope(**ids), read_arguments(which)
        named = scope_in(filters)
        return self.owner.scope(**named.ids), read_arguments({**which, "filters": named.filters})

    def named(self, ids: Mapping[str, Any], filters: object) -> tuple[Scope, MemorySelector]:
        """The scope that ids, beside filters or within them, name together, and the rest of these.

        Raises as `scope`, and InvalidInputError if the rest is no filter, or has an id: where
        something is stored is exact.
        """
        if filters is None:
            return self.scope(**ids), read_arguments({})
        check_size(filters)
        taken = {name: value for name, value in ids.items() if value is not None}
        rest = taken_apart(filters, taken)
        if unclear := next(filter(None, map(unclear_id, rest)), ""):
            raise InvalidInputError("filters", f"{_EXACT_IDS}: {unclear}")
        return self.owner.scope(**taken), read_arguments({"filters": together(rest)})

    async def clean(self, scope: Scope, metadata: Mapping[str, Any] | None) -> dict[str, Any]:
        """The metadata without secrets, as the texts that it is kept with."""
        if not metadata:
            return {}
        return await self.engine.bulk.run(scope, lambda: self.engine.redact_values(metadata))
