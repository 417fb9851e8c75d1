"""The routes of the memory API, each with the fields that it takes and the answer that it gives."""

from __future__ import annotations

from typing import Any

from recollect.memory.about_user import Profile, SaidResults
from recollect.memory.results import (
    AddResult,
    ChangeDict,
    CountDict,
    DeletedByQuery,
    DeleteResult,
    FeedbackDict,
    HistoryDict,
    MemoryDict,
    MemoryResults,
)

from ..api import fields
from .fields import in_query
from .flushing import FlushDict
from .memories import MemoryApi
from .operations import PREFIX, Operation
from .streams import EVENT_STREAM, LINES
from .which import CURSOR, DRY_RUN, ERASE, WHICH, WORDINGS, in_a_query

RESET = "/v1/reset"
_BY_ID = PREFIX + "/{memory_id}"
_OWNED = in_query(fields.SCOPE)
"""Of an operation on one memory: whose it must be. Without them, the tenant's."""
_SEARCHED = (
    fields.QUERY,
    *fields.SCOPE,
    fields.LIMIT,
    fields.THRESHOLD,
    CURSOR,
    *WORDINGS,
    *WHICH,
)
OPERATIONS = (
    Operation(
        method="POST",
        path=PREFIX,
        handler=MemoryApi.add,
        summary="Remember a conversation",
        body=(
            fields.MESSAGES,
            *fields.SCOPE,
            fields.METADATA,
            fields.INFER,
            fields.DEDUPE,
            fields.TIMESTAMP,
            fields.PROMPT,
            fields.TYPE,
            fields.IMPORTANCE,
        ),
        answer=AddResult,
    ),
    Operation(
        method="GET",
        path=PREFIX,
        handler=MemoryApi.get_all,
        summary="The newest memories of a scope, newest first",
        query=in_a_query((*fields.SCOPE, fields.LIMIT, CURSOR, *WHICH)),
        answer=MemoryResults,
    ),
    Operation(
        method="DELETE",
        path=PREFIX,
        handler=MemoryApi.delete_all,
        summary="Remove every memory of a scope; the history is kept",
        query=in_query(fields.SCOPE),
        answer=DeleteResult,
    ),
    Operation(
        method="GET",
        path=f"{PREFIX}/search",
        handler=MemoryApi.search,
        summary="The memories that match a query, best first",
        query=in_a_query((fields.Q, *_SEARCHED)),
        answer=MemoryResults,
    ),
    Operation(
        method="POST",
        path=f"{PREFIX}/search",
        handler=MemoryApi.search_posted,
        summary="The same, with filters as JSON",
        body=_SEARCHED,
        answer=MemoryResults,
    ),
    Operation(
        method="GET",
        path=f"{PREFIX}/count",
        handler=MemoryApi.count,
        summary="How many memories of a scope there are",
        query=in_a_query((*fields.SCOPE, *WHICH)),
        answer=CountDict,
    ),
    Operation(
        method="POST",
        path=f"{PREFIX}/delete",
        handler=MemoryApi.delete_by_query,
        summary="Remove the memories of a scope that a query describes, or show them",
        body=(*fields.SCOPE, DRY_RUN, ERASE, *WHICH),
        answer=DeletedByQuery,
    ),
    Operation(
        method="GET",
        path=f"{PREFIX}/explain",
        handler=MemoryApi.explain,
        summary="The memories that a chat with this message would get, and why",
        query=in_query((fields.Q, fields.QUERY, *fields.SCOPE)),
        answer=dict[str, Any],
    ),
    Operation(
        method="GET",
        path=f"{PREFIX}/profile",
        handler=MemoryApi.profile,
        summary="What is known about the user as a person, most important first",
        query=in_query(fields.SCOPE),
        answer=Profile,
    ),
    Operation(
        method="GET",
        path=f"{PREFIX}/said",
        handler=MemoryApi.said,
        summary="What the user said lately and is no memory yet; delete it by its id",
        query=in_query((*fields.SCOPE, fields.LIMIT)),
        answer=SaidResults,
    ),
    Operation(
        method="GET",
        path=f"{PREFIX}/events",
        handler=MemoryApi.events,
        streamed_as=(EVENT_STREAM, LINES),
        summary="The changes of memories as they are made, until the client leaves",
        query=_OWNED,
        answer=ChangeDict,
    ),
    Operation(
        method="POST",
        path=f"{PREFIX}/flush",
        handler=MemoryApi.flush,
        streamed_as=(LINES, EVENT_STREAM),
        summary="Learn captured turns now, for up to `seconds`; says what still waits",
        query=in_query((fields.SECONDS, fields.STREAM)),
        body=(*fields.SCOPE, fields.SECONDS, fields.STREAM),
        needs_body=False,
        answer=FlushDict,
    ),
    Operation(
        method="POST",
        path=f"{PREFIX}/forget",
        handler=MemoryApi.forget,
        summary="Erase in all stores, or propose what to erase: one of ids, query, confirm, all",
        body=(
            fields.IDS,
            fields.ABOUT,
            fields.PROPOSED,
            fields.CONFIRM,
            fields.KEEP,
            fields.ALL,
            *fields.SCOPE,
        ),
        answer=dict[str, Any],
    ),
    Operation(
        method="GET",
        path=f"{PREFIX}/usage",
        handler=MemoryApi.usage,
        summary="The cost of learning today (UTC)",
        answer=dict[str, Any],
    ),
    Operation(
        method="GET",
        path=f"{PREFIX}/jobs",
        handler=MemoryApi.list_jobs,
        summary="Waiting and failed jobs, newest first",
        query=(fields.JOB_LIMIT, fields.JOB_STATE),
        answer=dict[str, list[dict[str, Any]]],
    ),
    Operation(
        method="POST",
        path=f"{PREFIX}/jobs/{{job_id}}/retry",
        handler=MemoryApi.retry_job,
        summary="Retry a dead job",
        query=_OWNED,
        body=fields.SCOPE,
        needs_body=False,
        answer=dict[str, str],
    ),
    Operation(
        method="GET",
        path=_BY_ID,
        handler=MemoryApi.get,
        summary="One memory",
        query=_OWNED,
        answer=MemoryDict,
    ),
    Operation(
        method="PUT",
        path=_BY_ID,
        handler=MemoryApi.update,
        summary="Replace a memory's text; the old text is kept as superseded",
        if_match=True,
        query=_OWNED,
        body=(fields.TEXT, fields.MERGED, fields.IMPORTANCE, *fields.SCOPE),
        answer=MemoryDict,
    ),
    Operation(
        method="DELETE",
        path=_BY_ID,
        handler=MemoryApi.delete,
        summary="Remove a memory; its history is kept",
        if_match=True,
        query=_OWNED,
        answer=DeleteResult,
    ),
    Operation(
        method="GET",
        path=f"{_BY_ID}/history",
        handler=MemoryApi.history,
        summary="The history of a memory, oldest first; also after it was removed",
        query=_OWNED,
        answer=list[HistoryDict],
    ),
    Operation(
        method="POST",
        path=f"{_BY_ID}/feedback",
        handler=MemoryApi.feedback,
        summary="Say that a memory is useful, or wrong or useless",
        query=_OWNED,
        body=(fields.FEEDBACK_GIVEN, fields.REASON, *fields.SCOPE),
        answer=FeedbackDict,
    ),
    Operation(
        method="POST",
        path=f"{_BY_ID}/validate",
        handler=MemoryApi.validate,
        summary="Validate a quarantined memory, so that it is recalled",
        query=_OWNED,
        body=fields.SCOPE,
        needs_body=False,
        answer=MemoryDict,
    ),
    Operation(
        method="POST",
        path=f"{_BY_ID}/restore",
        handler=MemoryApi.restore,
        summary="Take a memory out of the archive; quarantined ones stay quarantined",
        query=_OWNED,
        body=fields.SCOPE,
        needs_body=False,
        answer=MemoryDict,
    ),
    Operation(
        method="POST",
        path=RESET,
        handler=MemoryApi.reset,
        summary="Remove all memories of the tenant; `confirm` must be the tenant's name",
        query=in_query((fields.CONFIRM_RESET,)),
        body=(fields.CONFIRM_RESET,),
        needs_body=False,
        answer=dict[str, bool],
    ),
)
"""All operations of the API; `openapi` documents them."""
