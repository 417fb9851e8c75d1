"""A procedure is learned from the messages of an agent's run, over HTTP."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, SkipValidation

from recollect.memory.api.results import AddResult
from recollect.memory.model.inputs import MAX_REASON_CHARS
from recollect.memory.model.messages import MAX_MESSAGES
from recollect.memory.operations.fields import Moment, Text, about, needed
from recollect.memory.operations.scope import ScopeFields

from ..access.rights import Right
from .answers import FAILURES, failed
from .models import Filters, MessageFields
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


PROCEDURE_OPERATIONS = operations_of(ProcedureApi)
