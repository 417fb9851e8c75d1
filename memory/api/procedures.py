"""Procedures: how tasks are done, and how they went when they were done so again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NotRequired, Unpack, cast

from pydantic import SkipValidation
from typing_extensions import TypedDict

from ..learn import CRITERION, CheckWhy, bounded_run, check_success, run_of, turns_of
from ..model import inputs
from ..model.errors import InvalidInputError, NotFoundError
from ..model.messages import MAX_RUN_MESSAGES, parse_messages
from ..model.types import MemoryItem, MemoryStatus, MemoryType, Source, utc_now
from ..model.usage import UNUSED, Feedback, ReuseOutcome, Usage, checked_outcome
from ..operations.common import Cursor, Limit, MemoryId, OptionalText, Reason, RunMessages
from ..operations.declaring import LEFT_OUT, As, field, operation
from ..operations.operation import PREFIX
from ..operations.rights import Right
from ..operations.scope import ScopeIds
from .adding import RECORD
from .changes import Changes
from .results import MemoryDict, memory_dict
from .usage_counts import usage_of
from .view import TenantView

MOST_FAILURES = 2
"""A procedure that failed this many times more than it succeeded is quarantined again."""
_STATUSES = (MemoryStatus.ACTIVE.value, MemoryStatus.QUARANTINED.value)


_COUNTED = {ReuseOutcome.SUCCESS: Feedback.POSITIVE, ReuseOutcome.FAILURE: Feedback.NEGATIVE}


class OutcomeCounts(TypedDict):
    """How often a procedure was said to have succeeded and failed."""

    success: int
    failure: int


class ProcedureDict(MemoryDict):
    """A memory that says how a task is done; `metadata.run` is the record of the run."""

    success: NotRequired[str]
    """How it is known that the task is done, if that was said."""
    outcomes: OutcomeCounts
    unfinished: NotRequired[bool]
    """Whether it is what a run that failed left to go on from."""


class CheckDict(TypedDict):
    """Whether a run did what a procedure is for."""

    id: str
    success: str
    """How one knows that the task is done: what was checked."""
    met: bool | None
    """None: the run shows neither."""
    why: CheckWhy
    quote: NotRequired[str]
    """The words of the run that show it."""
    outcomes: OutcomeCounts
    """With this run, if it was reported."""


class ProcedureResults(TypedDict):
    """Procedures, and the cursor of the next page if there is one."""

    results: list[ProcedureDict]
    next: NotRequired[str]


def is_failing(usage: Usage) -> bool:
    """Whether a procedure with these counters is not to be told any more."""
    return usage.negative - usage.positive >= MOST_FAILURES


_PROCEDURES: dict[str, Any] = {
    "types": [MemoryType.PROCEDURAL.value],
    "filters": {"source": Source.TOOL.value},
    "kinds": ["memory"],
}
"""What a memory is that a run has taught, as a search asks for it."""
_ALL = f"{PREFIX}/procedures"
_ONE = _ALL + "/{memory_id}"


class Procedures:
    """`AsyncMemory.procedures`: what `add_procedure` and runs in chats have taught.

    Methods take ids of a scope as all methods of `AsyncMemory` do. A memory that no run has taught
    is no procedure: NotFoundError.
    """

    def __init__(self, view: TenantView, changes: Changes, memory: Any) -> None:
        """`memory` is the `AsyncMemory` that they are a part of."""
        self._view = view
        self._changes = changes
        self._memory = memory

    @operation(f"GET {_ALL}", id="list_procedures")
    async def list(
        self,
        *,
        query: Annotated[
            str | None,
            OptionalText,
            field("What they are for; without it the newest come first."),
        ] = None,
        statuses: Annotated[
            Sequence[str],
            As(SkipValidation[list[MemoryStatus]]),
            LEFT_OUT,
            field("Procedures of any of these statuses. Default: active and quarantined."),
        ] = _STATUSES,
        limit: Limit = inputs.DEFAULT_LIMIT,
        cursor: Cursor = None,
        **ids: Unpack[ScopeIds],
    ) -> ProcedureResults:
        """The procedures of a scope, also those that wait for a person, with their outcomes.

        Newest first; with `query` those for it, best first. Also those that wait for `activate`
        (`status` is `quarantined`), unless `statuses` says otherwise. `next` is the `cursor` of the
        next page.
        """
        self._view.scope(**ids)
        asked = {"limit": limit, "cursor": cursor, "statuses": list(statuses)}
        which = _PROCEDURES | asked
        if query is None:
            page = await self._memory.get_all(**which, **ids)
        else:
            page = await self._memory.search(query, **which, **ids)
        found = page["results"]
        used = await self._used([each["id"] for each in found])
        results = ProcedureResults(
            results=[_shown(each, used.get(each["id"], UNUSED)) for each in found]
        )
        if "next" in page:
            results["next"] = page["next"]
        return results

    @operation(f"GET {_ONE}", id="get_procedure", by_id=True)
    async def get(
        self,
        memory_id: MemoryId,
        **ids: Unpack[ScopeIds],
    ) -> ProcedureDict:
        """One procedure, with the record of its run. Raises NotFoundError."""
        return await self._told(await self._existing(memory_id, ids))

    @operation(
        f"POST {_ONE}/activate", Right.WRITE, id="activate_procedure", by_id=True, ids_twice=True
    )
    async def activate(
        self,
        memory_id: MemoryId,
        **ids: Unpack[ScopeIds],
    ) -> ProcedureDict:
        """Let a quarantined procedure be told to agents.

        As `validate` does. Raises NotFoundError, and InvalidInputError if it is active or an
        earlier version.
        """
        item = await self._existing(memory_id, ids)
        return await self._told(await self._changes.validate(item))

    @operation(f"POST {_ONE}/outcome", Right.WRITE, id="report_outcome", by_id=True, ids_twice=True)
    async def outcome(
        self,
        memory_id: MemoryId,
        outcome: Annotated[
            str,
            As(SkipValidation[ReuseOutcome]),
            field("How it went.", title="success or failure"),
        ],
        *,
        reason: Annotated[
            str | None, As(Reason), field("Why, for the history of the procedure.")
        ] = None,
        **ids: Unpack[ScopeIds],
    ) -> ProcedureDict:
        """Say how a task went that was done by it; what keeps failing is quarantined.

        `outcome` is `success` or `failure`. Each call counts, as a feedback does; the `reason` is
        kept in the history. A procedure that failed twice more than it succeeded is quarantined
        until `activate`.
        """
        how = checked_outcome(outcome)
        item = await self._existing(memory_id, ids)
        said = self._view.engine.redact(reason or "")
        told = f"{how.value}: {said}" if said else how.value
        usage, _ = await self._changes.feedback(item, _COUNTED[how], told)
        self._view.engine.recaller.indexes.note_usage(item.scope, {item.id: usage})
        if how is ReuseOutcome.FAILURE and is_failing(usage):
            item = await self._changes.withdraw(item, said)
        return _shown(memory_dict(item), usage)

    @operation(
        f"POST {_ONE}/check",
        Right.WRITE,
        id="check_procedure",
        by_id=True,
        ids_twice=True,
        model_failure="nothing was checked: {failure}; the model is set in learn.llm",
    )
    async def check(
        self,
        memory_id: MemoryId,
        messages: RunMessages,
        *,
        report: Annotated[
            bool, field("Whether a verdict counts as an outcome of the procedure.")
        ] = False,
        **ids: Unpack[ScopeIds],
    ) -> CheckDict:
        """Check by a model whether a run did what a procedure is for.

        What is checked is its `success`. A verdict stands on words of the run, or on an error in
        the last result, for which no model is asked; else `met` is None. Of a long run the first
        and the last steps are read. With `report` a verdict counts as `outcome` counts one.

        Raises NotFoundError, InvalidInputError if the procedure has no `success`, ModelError and
        ExtractionError.
        """
        said = parse_messages(messages, most=MAX_RUN_MESSAGES)
        item = await self._existing(memory_id, ids)
        criterion = item.metadata.get(CRITERION)
        if not isinstance(criterion, str) or not criterion.strip():
            raise InvalidInputError("memory_id", "expected a procedure that says its `success`")
        turns = turns_of(said, item.scope, at=utc_now(), batch=item.id)
        if not turns:
            raise InvalidInputError("messages", "expected the messages of a run")
        redact, bulk = self._view.engine.redact, self._view.engine.bulk
        run = await bulk.run(item.scope, lambda: bounded_run(run_of(turns), redact))
        found = await check_success(self._view.chat_model, criterion, run, item)
        if report and found.met is not None:
            word = ReuseOutcome.SUCCESS if found.met else ReuseOutcome.FAILURE
            counted = await self.outcome(memory_id, word, reason=f"checked: {found.why}", **ids)
        else:
            counted = await self._told(item)
        checked = CheckDict(
            id=item.id,
            success=criterion,
            met=found.met,
            why=found.why,
            outcomes=counted["outcomes"],
        )
        if found.quote:
            checked["quote"] = found.quote
        return checked

    async def _existing(self, memory_id: str, ids: ScopeIds) -> MemoryItem:
        owner_ref = self._view.owner_ref(**ids)
        item = await self._view.engine.lookup.existing(owner_ref, memory_id)
        if item.type is not MemoryType.PROCEDURAL or item.provenance.source is not Source.TOOL:
            raise NotFoundError(f"there is no procedure {memory_id!r}")
        return item

    async def _told(self, item: MemoryItem) -> ProcedureDict:
        used = await self._used([item.id])
        return _shown(memory_dict(item), used.get(item.id, UNUSED))

    async def _used(self, ids: Sequence[str]) -> dict[str, Usage]:
        counters = self._view.engine.parts.state.usage
        return await usage_of(counters, self._view.owner.tenant, ids)


def _shown(memory: MemoryDict, usage: Usage) -> ProcedureDict:
    counts = OutcomeCounts(success=usage.positive, failure=usage.negative)
    shown = cast("ProcedureDict", {**memory, "outcomes": counts})
    criterion = memory["metadata"].get(CRITERION)
    if isinstance(criterion, str):  # an update of the metadata may have set anything
        shown["success"] = criterion
    record = memory["metadata"].get(RECORD)
    if isinstance(record, dict) and record.get("failed") is True:
        shown["unfinished"] = True
    return shown
