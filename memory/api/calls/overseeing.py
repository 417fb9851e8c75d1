"""The methods of `AsyncMemory` that tell what there is, what it costs, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Unpack

from pydantic import SkipValidation
from typing_extensions import TypedDict

from ...model import inputs
from ...model.errors import InvalidInputError
from ...model.types import utc_now
from ...operations.common import OptionalText
from ...operations.declaring import As, Named, field, operation
from ...operations.operation import PREFIX
from ...operations.rights import Right
from ...operations.scope import ScopeIds
from ..economics import (
    DEFAULT_DAYS,
    StatsResults,
    UsageDict,
    checked_days,
    stats_of,
    usage_of_today,
)
from ..explaining import explainer_of
from ..map import MAX_POINTS, MapDict, map_of
from ..state import StateDict, state_of
from ..users import EntityDict, TenantResults, UserResults, entities_of, tenants_of, user_results
from ..verdicts import WhyNotDict, whynot_dict
from ..whynot import sought_by_id, sought_by_text
from .base import MemoryCalls


class PolicyResults(TypedDict):
    """The rules of a user."""

    results: list[dict[str, Any]]
    """Each with what differs from a rule that changes nothing."""


class OverseeingCalls(MemoryCalls):
    """The methods of `AsyncMemory` that tell what there is, what it costs, what became of it."""

    @operation(
        f"GET {PREFIX}/users", id="list_users", tag="entities", answer=UserResults,
        told=user_results,
    )  # fmt: skip
    async def users(self) -> list[EntityDict]:
        """The users, agents and runs that have memories.

        Or that said something, by kind and name. Reads every memory of the store page by page: for
        administration, not for each request.
        """
        return await entities_of(self._store, self._engine.said_rows, self._view.owner)

    @operation(
        f"GET {PREFIX}/tenants", Right.ADMIN, id="tenants", of_all=True, every_tenant="lists them"
    )
    async def tenants(self) -> TenantResults:
        """The tenants that have memories; for an admin token for every tenant."""
        self._view.owner.whole_tenant()
        return await tenants_of(self._store, self._engine.said_rows)

    async def stats(self, days: int = DEFAULT_DAYS) -> StatsResults:
        """What memory took and gave in each of the last `days` (UTC), at most 62, and in all.

        Raises InvalidInputError.
        """
        self._view.owner.whole_tenant()
        checked_days(days)
        await self._engine.meter.flush()
        return await stats_of(self._engine.parts.state, self.tenant, days, now=utc_now())

    @operation(f"GET {PREFIX}/usage", id="usage")
    async def usage(self) -> UsageDict:
        """The cost of learning and of upkeep today (UTC)."""
        tenant, options = self._view.owner.whole_tenant(), self._engine.options
        ledger = self._engine.parts.state.ledger
        return await usage_of_today(ledger, tenant, options.learn, options.upkeep)

    @operation(f"GET {PREFIX}/state", id="state", tag="state")
    async def state(self, **ids: Unpack[ScopeIds]) -> StateDict:
        """How much is known, said and waiting: of a scope, or of all that the caller owns."""
        return await state_of(self._engine.owner_counts, self._view.owner_ref(**ids))

    @operation(f"GET {PREFIX}/policy", id="policy", tag="state")
    async def policy(self, **ids: Unpack[ScopeIds]) -> PolicyResults:
        """A user's own rules on what may go to which model; the configuration's count too."""
        scope = self._view.scope(**ids)
        return PolicyResults(results=self._engine.policies.of(scope))

    @operation(f"PUT {PREFIX}/policy", Right.WRITE, id="set_policy", tag="state")
    async def set_policy(
        self,
        rules: Annotated[
            Sequence[Mapping[str, Any]],
            As(SkipValidation[list[dict[str, Any]]]),
            field("The rules, as `trust.policy` has them; none removes all.", title="a list"),
        ],
        **ids: Unpack[ScopeIds],
    ) -> PolicyResults:
        """Set a user's own `rules`: beside the configuration's, so the stricter counts.

        Raises InvalidInputError, which names the field.
        """
        scope = self._view.scope(**ids)
        await self._engine.policies.set(scope, rules)
        return PolicyResults(results=self._engine.policies.of(scope))

    @operation(f"GET {PREFIX}/map", id="map", tag="state")
    async def map(
        self,
        limit: Annotated[int, field("Most points.", high=MAX_POINTS)] = MAX_POINTS,
        **ids: Unpack[ScopeIds],
    ) -> MapDict:
        """The memories of a scope as points of a plane, near each other if they are alike.

        At most `limit`, up to 2,000.
        """
        return await map_of(self._engine, self._view.scope(**ids), limit)

    @operation(f"GET {PREFIX}/whynot", id="whynot", tag="state")
    async def whynot(
        self,
        text: Annotated[
            str | None, OptionalText, field("A text that should have come up, in any words.")
        ] = None,
        memory_id: Annotated[
            str | None, OptionalText, field("The id of a memory that should have come up.")
        ] = None,
        message: Annotated[
            str | None, OptionalText, Named("q"), field("The message for which it did not.")
        ] = None,
        **ids: Unpack[ScopeIds],
    ) -> WhyNotDict:
        """Why a text or a memory did not come up for a message: one word, and why in plain words.

        One of `text` and `memory_id`. Without a `message`: whether it is stored, and still holds.
        """
        scope, asked = self._view.scope(**ids), (message or "").strip()
        visible_scope = self._engine.recaller.visible_scope(scope)
        said, name = (text or "").strip(), (memory_id or "").strip()
        if bool(said) == bool(name):
            raise InvalidInputError("text", "expected one of text and memory_id")
        if text is not None and said:
            inputs.check_query(text, "text")
            sought = await sought_by_text(self._engine, visible_scope, text)
        else:
            of_tenant = self._view.owner.user_id is None
            sought = await sought_by_id(
                self._engine, visible_scope, str(memory_id), of_tenant=of_tenant
            )
        if sought.fate is not None or sought.item is None or not asked:
            return whynot_dict(sought)
        return whynot_dict(sought, await explainer_of(self._engine).explain(scope, asked))
