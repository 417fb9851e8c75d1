"""The operations on procedures: how tasks are done, over HTTP."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, SkipValidation

from recollect.memory.api.procedures import ProcedureDict, ProcedureResults, ReuseOutcome
from recollect.memory.api.results import AddResult
from recollect.memory.model.inputs import MAX_REASON_CHARS
from recollect.memory.model.messages import MAX_MESSAGES
from recollect.memory.model.types import MemoryStatus
from recollect.memory.operations.fields import Moment, Text, about, needed
from recollect.memory.operations.scope import ScopeFields

from ..access.rights import Right
from .answers import FAILURES, failed
from .models import Filters, MessageFields, PageFields, Reason
from .operations import PREFIX, endpoint, operations_of
from .request import ApiRequest

PROCEDURES = f"{PREFIX}/procedures"
_OF_ONE = PROCEDURES + "/{memory_id}"


class RunBody(ScopeFields):
    """An agent's successful run, and how it is known that it was one."""

    messages: SkipValidation[
        Annotated[list[MessageFields], Field(max_length=MAX_MESSAGES)]
    ] = needed(
        "The messages of the run, with `tool_calls` and their results (role `tool`).",
        title="a list of messages",
    )  # fmt: skip
    success: Text | None = about(
        f"How it is known that the task is done. At most {MAX_REASON_CHARS} characters."
    )
    metadata: Filters = about("Stored with the procedure; not `run`, which is the record.")
    prompt: Text | None = about("Instructions for the model; they replace the built-in ones.")
    timestamp: Moment = about("When it ran: ISO 8601 or seconds since the epoch. Default: now.")


class ProceduresQuery(PageFields, ScopeFields):
    """Of the procedures of a scope."""

    query: Text | None = about("What they are for; without it the newest come first.")
    statuses: SkipValidation[list[MemoryStatus]] = about(
        "Procedures of any of these statuses. Default: active and quarantined."
    )


class OutcomeBody(ScopeFields):
    """How a task went that was done by a procedure."""

    outcome: SkipValidation[ReuseOutcome] = needed("How it went.", title="success or failure")
    reason: Reason = about("Why, for the history of the procedure.")


class ProcedureApi:
    """The handlers of `PROCEDURE_OPERATIONS`."""

    @endpoint("POST", PROCEDURES, AddResult, Right.WRITE, body=RunBody, tag="procedures")
    async def add_procedure(self, request: ApiRequest) -> Any:
        """Remember how something is done, from the messages of an agent's run.

        It is quarantined until it is activated; a run that failed teaches nothing.
        """
        said = request.values.only("messages", "metadata", "success", "prompt", "timestamp")
        try:
            return await request.memory.add_procedure(**said, **request.ids)
        except FAILURES as error:
            return failed(error, "")

    @endpoint("GET", PROCEDURES, ProcedureResults, query=ProceduresQuery, tag="procedures")
    async def list_procedures(self, request: ApiRequest) -> Any:
        """The procedures of a scope, also those that wait for a person, with their outcomes."""
        asked = request.values.only("query", "limit", "cursor")
        if request.values["statuses"] is not None:
            asked["statuses"] = request.values["statuses"]
        return await request.memory.procedures.list(**asked, **request.ids)

    @endpoint("GET", _OF_ONE, ProcedureDict, query=ScopeFields, tag="procedures")
    async def get_procedure(self, request: ApiRequest) -> Any:
        """One procedure, with the record of its run."""
        return await request.memory.procedures.get(request.values["memory_id"], **request.ids)

    @endpoint(
        "POST", f"{_OF_ONE}/activate", ProcedureDict, Right.WRITE, query=ScopeFields,
        body=ScopeFields, tag="procedures",
    )  # fmt: skip
    async def activate_procedure(self, request: ApiRequest) -> Any:
        """Let a quarantined procedure be told to agents."""
        return await request.memory.procedures.activate(request.values["memory_id"], **request.ids)

    @endpoint(
        "POST", f"{_OF_ONE}/outcome", ProcedureDict, Right.WRITE, query=ScopeFields,
        body=OutcomeBody, tag="procedures",
    )  # fmt: skip
    async def report_outcome(self, request: ApiRequest) -> Any:
        """Say how a task went that was done by it; what keeps failing is quarantined."""
        said = request.values.only("memory_id", "outcome", "reason")
        return await request.memory.procedures.outcome(**said, **request.ids)


PROCEDURE_OPERATIONS = operations_of(ProcedureApi)
