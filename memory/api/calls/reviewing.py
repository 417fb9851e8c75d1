"""The methods of `AsyncMemory` by which a person judges what waits for one."""

from __future__ import annotations

from typing import Annotated, Unpack

from pydantic import Field

from ...model import inputs
from ...model.errors import InvalidInputError
from ...model.row_kinds import MemoryKind
from ...model.types import MemoryStatus, utc_now
from ...operations.common import Cursor, Expected, Limit, MemoryId, Reason
from ...operations.declaring import As, field, operation
from ...operations.fields import judged
from ...operations.operation import PREFIX
from ...operations.rights import Right
from ...operations.scope import ScopeIds
from ..changes import Amendment
from ..results import MemoryDict, memory_dict
from ..reviews import ReviewDecision, ReviewQueue, checked_decision, waiting_dict
from .curating import CuratingCalls

_ONE = PREFIX + "/{memory_id}"
_KINDS = (MemoryKind.MEMORY,)


class ReviewingCalls(CuratingCalls):
    """The methods of `AsyncMemory` by which a person judges what waits for one."""

    @operation(f"GET {PREFIX}/review", id="review_queue", tag="review")
    async def review_queue(
        self,
        *,
        limit: Limit = inputs.DEFAULT_LIMIT,
        cursor: Cursor = None,
        **ids: Unpack[ScopeIds],
    ) -> ReviewQueue:
        """What waits for a person, newest first: everything that is quarantined, with the reasons.

        At most `limit`; `review` of each says since when it waits, and of the kinds of
        `trust.review` until when. What waited longer is `left_out`: it is recalled by nobody, and
        may still be kept. If there is more, `next` is the `cursor` of the next page.
        """
        scope, asked = self._view.meant(
            {**ids, "status": MemoryStatus.QUARANTINED, "kinds": _KINDS}
        )
        page = await self._engine.queries.page(scope, asked, limit=limit, cursor=cursor)
        days = self._engine.options.trust.review.days
        now = utc_now()
        queue = ReviewQueue(results=[waiting_dict(item, days, now) for item in page.items])
        if page.next is not None:
            queue["next"] = page.next
        return queue

    @operation(
        f"POST {_ONE}/review", Right.WRITE, id="review", by_id=True, ids_twice=True, tag="review"
    )
    async def review(
        self,
        memory_id: MemoryId,
        decision: Annotated[
            str,
            judged(checked_decision),
            field(
                "`keep`: it is true, and recalled from now on. `edit`: the same with another "
                "`text`. `refuse`: it is not; whoever says it again is asked again. "
                "`never_again`: nor is it learned again, whoever says the same.",
                json_schema_extra={"enum": [*ReviewDecision]},
            ),
        ],
        *,
        text: Annotated[
            str | None,
            As(Annotated[str, Field(min_length=1, max_length=inputs.MAX_TEXT_CHARS)] | None),
            field("What it says from now on, for `edit` only."),
        ] = None,
        reason: Annotated[
            str | None, As(Reason), field("Why it is refused, for its history.")
        ] = None,
        version: Expected = None,
        **ids: Unpack[ScopeIds],
    ) -> MemoryDict:
        """Judge a memory that waits: `keep`, `edit`, `refuse` or `never_again`.

        The `decision` `edit` needs a `text`; the others take none. A refusal may have a `reason`.
        What is refused stays listed as superseded; `revert` brings it back into the queue, and ends
        a `never_again`. `version` is as of `update`. Raises as `update`, and InvalidInputError for
        a memory that does not wait.
        """
        decided = ReviewDecision(decision)
        _check_given(decided, text, reason)
        inputs.check_version_number(version)
        owner_ref = self._view.owner_ref(**ids)
        item = await self._lookup.existing(owner_ref, memory_id)
        if item.status is not MemoryStatus.QUARANTINED:
            raise InvalidInputError(
                "memory_id", f"expected a memory that waits, this one is {item.status.value}"
            )
        # Of two who decide at once, the second decides about what no longer waits.
        version = item.version if version is None else version
        if decided is ReviewDecision.KEEP:
            return memory_dict(await self._believed(item, version))
        if decided is ReviewDecision.EDIT:
            amendment = Amendment(self._engine.redact(text or ""))
            reworded = await self._changes.amend(item, amendment, version)
            # What was said otherwise is not told beside what a person wrote.
            await self._denier.deny(item)
            return memory_dict(await self._changes.validate(reworded, reworded.version))
        never = decided is ReviewDecision.NEVER_AGAIN
        if never:
            await self._engine.switches.refuse()
        return await self._invalidated(owner_ref, memory_id, reason, None, version, never=never)


def _check_given(decided: ReviewDecision, text: str | None, reason: str | None) -> None:
    if decided is ReviewDecision.EDIT:
        inputs.check_text("text", text)
    elif text is not None:
        raise InvalidInputError("text", f"goes with edit only, not with {decided.value}")
    if reason is not None and decided in {ReviewDecision.KEEP, ReviewDecision.EDIT}:
        raise InvalidInputError("reason", f"goes without {decided.value}: only what ends has one")
