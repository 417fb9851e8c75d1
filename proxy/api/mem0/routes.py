"""The routes of mem0's hosted service that its clients call, and `/v1/memory`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from recollect.memory.api.results import MemoryDict

from ...access.rights import Right
from .. import fields as ours
from ..fields import Field, in_query
from ..operations import Operation
from . import fields
from .entities import Mem0Entities
from .events import AdditionEvent, EventPage
from .exports import Exported, Issue, Mem0Exports, SummaryDict
from .fields import OLD, PROJECT, idle, unsupported
from .memories import Mem0Memories
from .profiles import Mem0Profiles, ProfileJob, ProfileSettings, UserProfile
from .shapes import (
    Added,
    BatchDone,
    EntityPage,
    FeedbackDone,
    FoundDict,
    PageDict,
    RemovedDict,
    SingleList,
)
from .single import SingleMemory

IDS = (*ours.SCOPE, fields.APP)
ADDED = (
    fields.MESSAGES,
    *ours.SCOPE,
    fields.FILTERS,
    ours.METADATA,
    ours.INFER,
    ours.PROMPT,
    ours.TIMESTAMP,
    *fields.NOT_STORED,
    *OLD,
    fields.IDLE_FORMAT,
    *PROJECT,
)
SEARCHED = (
    ours.text("query", "What is looked for."),
    *IDS,
    fields.FILTERS,
    fields.METADATA_IS,
    fields.TOP_K,
    fields.LIMIT,
    ours.THRESHOLD,
    fields.FIELDS,
    fields.CATEGORIES,
    fields.SHOW_EXPIRED,
    fields.LATEST_ONLY,
    *fields.RANKING,
    fields.REFERENCE,
    *OLD,
    fields.IDLE_FORMAT,
    *PROJECT,
)
_PAGES = (fields.PAGE, fields.PAGE_SIZE)
LISTED = (
    *IDS,
    fields.FILTERS,
    fields.METADATA_IS,
    *_PAGES,
    fields.START_DATE,
    fields.END_DATE,
    fields.FIELDS,
    fields.CATEGORIES,
    fields.SHOW_EXPIRED,
    fields.LATEST_ONLY,
    unsupported("limit", "use page and page_size"),
    unsupported("keywords", 'use filters: {"memory": {"icontains": "..."}}'),
    *OLD,
    fields.IDLE_FORMAT,
    *PROJECT,
)
_EXPORTED = (*IDS, fields.FILTERS, *PROJECT)
_ALL_PAGES = (
    fields.PAGE,
    replace(
        fields.PAGE_SIZE,
        description="Entities of a page; all of them if it is not given.",
        schema={"type": "integer", "minimum": 1, "maximum": fields.MAX_PAGE_SIZE},
        default=None,
    ),
)
_TYPES = Field(
    name="type",
    description="The memories of these types, separated by commas.",
    schema={"type": "string"},
    read=ours.PROMPT.read,
)


def made(
    method: str,
    path: str,
    handler: Any,
    summary: str,
    answer: Any,
    *,
    right: Right = Right.READ,
    query: tuple[Field, ...] = (),
    body: tuple[Field, ...] = (),
) -> Operation:
    """An operation; its body may be left out if no field of it is required."""
    needed = any(field.required for field in body)
    return Operation(
        method=method, path=path, handler=handler, right=right, summary=summary, answer=answer,
        query=query, body=body, needs_body=needed,
    )  # fmt: skip


OF_MEMORIES = (
    made(
        "POST", "/v3/memories/add", Mem0Memories.add_v3,
        "mem0: remember a conversation; it is stored when the answer comes",
        Added, right=Right.WRITE, body=ADDED,
    ),
    made(
        "POST", "/v2/memories/search", Mem0Memories.search_v2,
        "mem0: the memories that match a query, best first", FoundDict, body=SEARCHED,
    ),
    made(
        "POST", "/v3/memories/search", Mem0Memories.search_v3,
        "mem0: the memories that match a query, best first", FoundDict, body=SEARCHED,
    ),
    made(
        "POST", "/v2/memories", Mem0Memories.list_v2,
        "mem0: a page of memories, newest first", PageDict, query=_PAGES, body=LISTED,
    ),
    made(
        "POST", "/v3/memories", Mem0Memories.list_v3,
        "mem0: a page of memories, newest first", PageDict, query=_PAGES, body=LISTED,
    ),
    made(
        "PUT", "/v1/batch", Mem0Memories.batch_update,
        "mem0: change up to 1000 memories, each by itself",
        BatchDone, right=Right.WRITE, body=(fields.BATCH_UPDATES, *PROJECT),
    ),
    made(
        "DELETE", "/v1/batch", Mem0Memories.batch_delete,
        "mem0: remove up to 1000 memories, each by itself",
        BatchDone, right=Right.WRITE, body=(fields.BATCH_IDS, *PROJECT),
    ),
    made(
        "POST", "/v1/feedback", Mem0Memories.give_feedback, "mem0: judge a memory",
        FeedbackDone, right=Right.WRITE,
        body=(fields.MEMORY_ID, fields.FEEDBACK, fields.FEEDBACK_REASON, *PROJECT),
    ),
    made(
        "GET", "/v1/event/{event_id}", Mem0Memories.event,
        "mem0: what an addition did; ids and no text", AdditionEvent, query=PROJECT,
    ),
    made(
        "GET", "/v1/events", Mem0Memories.list_events,
        "mem0: the last additions of this process, newest first", EventPage, query=PROJECT,
    ),
)  # fmt: skip
OF_ENTITIES = (
    made(
        "GET", "/v1/entities", Mem0Entities.list_entities,
        "mem0: the users, agents and runs that have memories",
        EntityPage, query=(*_ALL_PAGES, *PROJECT),
    ),
    made(
        "DELETE", "/v1/entities/{entity_type}/{entity_name}", Mem0Entities.delete_entity_v1,
        "mem0: remove the memories of a user, an agent or a run",
        RemovedDict, right=Right.WRITE, query=PROJECT,
    ),
    made(
        "DELETE", "/v2/entities/{entity_type}/{entity_name}", Mem0Entities.delete_entity_v2,
        "mem0: remove the memories of a user, an agent or a run",
        RemovedDict, right=Right.WRITE, query=PROJECT,
    ),
)  # fmt: skip
OF_EXPORTS = (
    made(
        "POST", "/v1/exports", Mem0Exports.create_export,
        "mem0: an export, which is made when it is fetched", Issue,
        body=(
            fields.SCHEMA,
            *_EXPORTED,
            idle("export_instructions", "an export holds the memories as they are."),
        ),
    ),
    made(
        "POST", "/v1/exports/get", Mem0Exports.get_export,
        "mem0: the memories of an export as they are", Exported,
        body=(ours.text("memory_export_id", "An export of before."), *_EXPORTED),
    ),
    made(
        "POST", "/v1/summary", Mem0Exports.summarize,
        "mem0: the profile of somebody in lines; no model writes it", SummaryDict, body=_EXPORTED,
    ),
)  # fmt: skip
OF_PROFILES = (
    made(
        "GET", "/v2/entities/user/{entity_id}/profile", Mem0Profiles.get_profile,
        "mem0: what is known about a user as a person", UserProfile, query=PROJECT,
    ),
    made(
        "POST", "/v2/profiles/jobs", Mem0Profiles.generate_profiles,
        "mem0: a job that is done at once: profiles are computed on reading", ProfileJob,
        body=(
            fields.OPERATION,
            fields.ENTITY_TYPE,
            ours.text("entity_id", "The user, of the operation `trigger`."),
            ours.whole("limit", "Most users of the operation `sample`.", high=1000, default=10),
        ),
    ),
    made(
        "GET", "/v2/profiles/jobs/{profile_job_id}", Mem0Profiles.get_profile_job,
        "mem0: such a job, which is done", dict[str, dict[str, Any]],
    ),
    made(
        "GET", "/v2/profiles/settings", Mem0Profiles.profile_settings,
        "mem0: how profiles are made: always, on reading", ProfileSettings,
    ),
    made(
        "POST", "/v2/profiles/settings", Mem0Profiles.set_profile_settings,
        "mem0: accepts what is so anyway, and refuses everything else", ProfileSettings,
        right=Right.ADMIN, body=(fields.ENABLED, fields.ENTITIES),
    ),
)  # fmt: skip
OF_A_USER = (
    made(
        "GET", "/v1/memory", SingleMemory.list_single, "The newest memories of a user",
        SingleList, query=(*in_query(ours.SCOPE), ours.LIMIT, _TYPES, *PROJECT),
    ),
    made(
        "DELETE", "/v1/memory", SingleMemory.delete_single_all,
        "Remove the memories of a user, or those of some types",
        RemovedDict, right=Right.WRITE, query=in_query((*ours.SCOPE, fields.PROJECT_ID, _TYPES)),
    ),
    made(
        "GET", "/v1/memory/{memory_id}", SingleMemory.get_single, "One memory", MemoryDict,
        query=(*in_query(ours.SCOPE), *PROJECT),
    ),
    made(
        "DELETE", "/v1/memory/{memory_id}", SingleMemory.delete_single,
        "Remove a memory; its history is kept",
        RemovedDict, right=Right.WRITE, query=(*in_query(ours.SCOPE), *PROJECT),
    ),
)  # fmt: skip
