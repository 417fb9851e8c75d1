"""Upkeep by call: run a kind of it now, read what runs did, and take a run back."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, NotRequired, Unpack

from typing_extensions import TypedDict

from ..jobs.requested_upkeep import CalledJob
from ..model import inputs
from ..model.errors import InvalidInputError, NotFoundError, advice_about, code_in
from ..model.jobs import Job, JobKind, JobState
from ..model.owner import covers
from ..model.quantities import number_of
from ..model.types import Decision, EventKind, HistoryRecord, OwnerRef
from ..model.upkeep import RunChange, UpkeepRun
from ..operations.declaring import As, field, operation
from ..operations.fields import judged
from ..operations.operation import PREFIX
from ..operations.rights import Right
from ..operations.scope import ScopeIds
from ..upkeep import UpkeepPlan
from .showing import shown_as
from .view import TenantView

DEFAULT_RUNS = 20
MOST_RUNS = 100
MOST_OFFSET = 10_000
DEFAULT_WAIT = 60.0
MOST_WAIT = 3600.0
"""Seconds."""


class RunChangeDict(TypedDict):
    """What a run does to one memory."""

    id: str
    """Of the memory."""
    event: str
    """`ADD`, `UPDATE` (reworded), `DELETE` (ended: superseded), `ARCHIVE`, `QUARANTINE`."""
    memory: NotRequired[str | None]
    """Its text afterwards; None if it ended. Left out where texts are not told."""
    old_memory: NotRequired[str | None]
    """Its text before."""
    why: NotRequired[str]
    cites: NotRequired[list[str]]
    """The ids of the memories that it stands on."""


class UpkeepRunDict(TypedDict):
    """One run of a kind of upkeep in one scope."""

    id: str
    kind: str
    state: str
    """`done`; of a call also `ready` and `leased` (it goes on) and `dead` (it failed);
    `planned` of a dry run."""
    reason: str
    """What asked for it: `schedule`, `threshold`, `call` and others."""
    at: NotRequired[str]
    user_id: NotRequired[str]
    agent_id: NotRequired[str]
    run_id: NotRequired[str]
    changes: list[RunChangeDict]
    figures: dict[str, float]
    """What it counted, by name."""
    rested: NotRequired[str]
    """Why a part of it was left undone, as a reason word: no model could be asked."""
    undone_at: NotRequired[str]
    """When somebody took it back."""
    failure: NotRequired[str]
    """The reason word of a failure, of one that is dead or is tried again."""
    advice: NotRequired[str]


class UpkeepResults(TypedDict):
    """Runs; of a call one for each scope that holds something."""

    results: list[UpkeepRunDict]


class KeptChange(TypedDict):
    """A memory that was left as it is."""

    id: str
    why: str


class UndoneDict(TypedDict):
    """What was taken back of a run."""

    run: UpkeepRunDict
    undone: int
    """Memories that are as they were before the run since this call."""
    kept: list[KeptChange]
    already: bool
    """Whether somebody had taken it back before."""


def _waited(name: str, seconds: object) -> float:
    said = number_of(seconds)
    if said is None or not 0 <= said <= MOST_WAIT:
        raise InvalidInputError(name, f"expected seconds from 0 to {MOST_WAIT:g}")
    return float(said)


_ALL = f"{PREFIX}/upkeep"
_ONE = _ALL + "/{name}"
UpkeepKind = Literal["consolidate", "episode", "reflect", "judge"]
Kind = Annotated[str, As(UpkeepKind), field("Which of them.", title="a kind of upkeep")]
DryRun = Annotated[bool, field("Change nothing, and tell what would be done.")]
Wait = Annotated[
    float,
    judged(_waited),
    field(
        f"Seconds to wait for the end, from 0 to {MOST_WAIT:g}; it goes on afterwards.",
        ge=0,
        le=MOST_WAIT,
    ),
]
RunId = Annotated[str, field("The id of the run, as listed.")]


class Upkeep:
    """`AsyncMemory.upkeep`: what else looks after memories in the background, by call.

    Methods take ids of a scope as all methods of `AsyncMemory` do.
    """

    def __init__(self, view: TenantView) -> None:
        self._view = view

    @operation(f"POST {_ALL}", Right.WRITE, id="run_upkeep")
    async def run(
        self,
        kind: Kind,
        *,
        dry_run: DryRun = False,
        wait: Wait = DEFAULT_WAIT,
        **ids: Unpack[ScopeIds],
    ) -> UpkeepResults:
        """Run one kind of upkeep now, or tell what it would do.

        In each scope at and below this one, or each conversation. `kind` is `consolidate`,
        `episode`, `reflect` or `judge`. With `dry_run` nothing is changed, and the result is what
        would be; a model may be asked for it. Otherwise it is waited for up to `wait` seconds; what
        has not ended by then goes on.

        Raises InvalidInputError for an unknown kind.
        """
        background = self._view.engine.background
        chosen = background.calls.kind_of(kind, dry=dry_run)
        scope = self._view.scope(**ids)
        jobs = await background.calls.jobs(chosen, scope)
        return UpkeepResults(results=await self.carried_out(jobs, dry_run=dry_run, wait=wait))

    async def carried_out(
        self, jobs: Sequence[Job], *, dry_run: bool, wait: float
    ) -> builtins.list[UpkeepRunDict]:
        """Run these jobs, or tell what they would do; `wait` is in seconds."""
        background = self._view.engine.background
        if dry_run:
            shown = [_planned_dict(job, await background.calls.look(job)) for job in jobs]
        else:
            called = await background.calls.call(jobs, seconds=wait)
            shown = [await self._called(one) for one in called]
        return [await self._with_rest(each) for each in shown]

    @operation(f"GET {_ALL}", id="list_upkeep")
    async def list(
        self,
        *,
        kind: Annotated[str | None, As(UpkeepKind | None), field("Only runs of this kind.")] = None,
        limit: Annotated[int, field("Most runs.", high=MOST_RUNS)] = DEFAULT_RUNS,
        offset: Annotated[int, field("Leave out so many of the newest.", ge=0, le=MOST_OFFSET)] = 0,
        **ids: Unpack[ScopeIds],
    ) -> UpkeepResults:
        """The runs of a scope, or of all that the caller owns, newest first.

        Without texts. At most `limit` (1 to 100), after the first `offset`. They are kept for 90
        days.
        """
        owner_ref = self._view.owner_ref(**ids)
        found = await self._view.engine.parts.state.runs.newest(
            owner_ref,
            kind=None if kind is None else JobKind(kind),
            limit=limit,
            offset=offset,
        )
        return UpkeepResults(results=[_run_dict(run) for run in found])

    @operation(f"GET {_ONE}", id="get_upkeep", by_id=True)
    async def get(
        self,
        name: RunId,
        **ids: Unpack[ScopeIds],
    ) -> UpkeepRunDict:
        """One run: what it changed, with the texts before and after, and why.

        Raises NotFoundError. Texts of what was forgotten since are gone.
        """
        return await self._told(await self._existing(name, self._view.owner_ref(**ids)))

    @operation(f"POST {_ONE}/undo", Right.WRITE, id="undo_upkeep", by_id=True, ids_twice=True)
    async def undo(
        self,
        name: RunId,
        **ids: Unpack[ScopeIds],
    ) -> UndoneDict:
        """Take a run back, as far as nobody changed its memories since.

        Repeating it changes nothing. Raises NotFoundError, and InvalidInputError if it goes on.
        """
        engine = self._view.engine
        before = await self._existing(name, self._view.owner_ref(**ids))
        async with engine.bus.announce_after(before.scope):
            run, back = await engine.background.worker.upkeep.undo(before.scope.tenant, name)
        return UndoneDict(
            run=_run_dict(run),
            undone=len(back.decisions),
            kept=[KeptChange(id=one, why=why) for one, why in back.kept.items()],
            already=before.undone_at is not None,
        )

    async def _existing(self, name: object, owner_ref: OwnerRef) -> UpkeepRun:
        """The run, if it is the owner's: another's is not there."""
        if not isinstance(name, str) or not name:
            raise InvalidInputError("name", "expected the id of a run")
        inputs.check_unicode("name", name)
        run = await self._view.engine.parts.state.runs.get(self._view.owner.tenant, name)
        if run is None or not covers(owner_ref, run.scope):
            raise NotFoundError(f"there is no run {name!r}")
        return run

    async def _called(self, called: CalledJob) -> UpkeepRunDict:
        if called.run is not None:
            return await self._told(called.run)
        shown = _job_dict(called.job, called.state.value)
        if failure := code_in(called.error):
            shown["failure"] = failure
            if advice := advice_about(failure):
                shown["advice"] = advice
        return shown

    async def _told(self, run: UpkeepRun) -> UpkeepRunDict:
        ids = [change.memory_id for change in run.changes]
        history = self._view.engine.parts.history
        records = await history.of_many(run.scope.tenant, ids) if ids else {}
        stored = await self._view.engine.lookup.several(run.scope, ids) if ids else {}
        shown = _run_dict(run)
        shown["changes"] = [
            _told_change(
                change,
                record_of(run, change, records.get(change.memory_id, ())),
                stored[change.memory_id].provenance.cites if change.memory_id in stored else (),
            )
            for change in run.changes
        ]
        return shown

    async def _with_rest(self, shown: UpkeepRunDict) -> UpkeepRunDict:
        """With the reason why no model is asked now, where one was missing."""
        if "rested" in shown:
            extracting = self._view.engine.background.worker.extracting
            tenant, kind = self._view.owner.tenant, JobKind(shown["kind"])
            shown["rested"] = await extracting.why_no_model(tenant, kind) or shown["rested"]
        return shown


def record_of(
    run: UpkeepRun, change: RunChange, records: Iterable[HistoryRecord]
) -> HistoryRecord | None:
    """What the history says of a change; None if that is gone. Pure.

    Of several of the same kind it is the one that was written at the time of the run.
    """
    fits = [record for record in records if record.event is change.event]
    return min(fits, key=lambda record: abs(record.timestamp - run.at), default=None)


def _told_change(
    change: RunChange, record: HistoryRecord | None, cites: Sequence[str]
) -> RunChangeDict:
    shown = RunChangeDict(id=change.memory_id, event=change.event.value)
    if record is not None:
        shown["memory"] = record.new_value
        shown["old_memory"] = record.old_value
        shown["why"] = _why(record.stage, record.reason)
    if cites and change.event in _MADE:
        shown["cites"] = builtins.list(cites)
    return shown


_MADE = frozenset({EventKind.ADD, EventKind.QUARANTINE, EventKind.UPDATE})
_GONE = frozenset({EventKind.DELETE})


def _why(stage: str, reason: str) -> str:
    return ": ".join(filter(None, (stage, reason)))


def _job_dict(job: Job, state: str) -> UpkeepRunDict:
    return shown_as(UpkeepRunDict, job, state=state, changes=[], figures={}, **job.scope.ids())


UNASKED = "unasked"
"""The reason word of a run that lacked a model at its time, whatever the reason was."""


def _run_dict(run: UpkeepRun) -> UpkeepRunDict:
    changes = [RunChangeDict(id=one.memory_id, event=one.event.value) for one in run.changes]
    rested, ids = UNASKED if run.unasked else None, run.scope.ids()
    return shown_as(UpkeepRunDict, run, state=JobState.DONE, changes=changes, rested=rested, **ids)


def _planned_dict(job: Job, plan: UpkeepPlan) -> UpkeepRunDict:
    changes = [_decided(each) for each in plan.decisions if each.event is not EventKind.NONE]
    shown = _job_dict(job, "planned")
    shown |= {"figures": dict(plan.figures), "changes": changes}
    if plan.unasked:
        shown["rested"] = UNASKED
    return shown


def _decided(decision: Decision) -> RunChangeDict:
    shown = RunChangeDict(
        id=decision.memory_id,
        event=decision.event.value,
        memory=None if decision.event in _GONE else decision.text,
        old_memory=decision.old_text,
        why=_why(decision.stage, decision.reason),
    )
    if decision.cites:
        shown["cites"] = builtins.list(decision.cites)
    return shown
