"""The table of mem0's routes: which of our operations each is, its fields, and its answer.

What its clients send to our own routes is in `ours.py`.
"""

from __future__ import annotations

from typing import Any

from recollect.memory.api.adding import NOT_ADDED
from recollect.memory.api.results import DELETED, MemoryDict, RemovedDict
from recollect.memory.model.inputs import DEFAULT_LIMIT, MAX_LIMIT
from recollect.memory.operations.scope import ScopeFields

from ...access.rights import Right
from ..operations import Operation
from . import fields, handlers, shapes
from .fields import NOT_STORED, PROJECT, VERSION, form, most, ours
from .handlers import ALL_DELETED, Handler, Mem0, calls, done, each, says

SERVER = "/mem0"
"""What mem0's own server has is below it."""
_WHO = "app_id filters"
_ADDED = ours("add", "metadata infer prompt includes excludes")
_FOUND = f"{_WHO} query top_k limit fields show_expired"
_THRESHOLD = ours("search", "threshold")
_RESULTS = f"{VERSION} {PROJECT} categories latest_only output_format"
_PAGE = "page page_size"
_IN_PROJECT = form(PROJECT)
_ADD = form(
    f"messages filters {NOT_STORED} {VERSION} {PROJECT} output_format",
    ScopeFields,
    **_ADDED,
    **ours("add", "timestamp"),
)
_ADD_TO_SERVER = form("messages app_id expiration_date memory_type", ScopeFields, **_ADDED)
_SEARCH = form(
    f"{_FOUND} {_RESULTS} rerank keyword_search filter_memories reference_date", ScopeFields,
    metadata=fields.CONDITIONS, **_THRESHOLD,
)  # fmt: skip
_SEARCH_SERVER = form(f"{_FOUND} explain", ScopeFields, top_k=most(1000, 20), **_THRESHOLD)
_LIST = form(
    f"{_WHO} {_PAGE} {_RESULTS} start_date end_date fields show_expired keywords", ScopeFields,
    metadata=fields.CONDITIONS, limit=fields.unsupported("use page and page_size"),
)  # fmt: skip
_PROFILES = form("operation entity_type entity_id", limit=most(1000, 10))
_SINGLE = form(f"{PROJECT} type", ScopeFields, limit=most(MAX_LIMIT, DEFAULT_LIMIT))
_ORG = "/api/v1/orgs/organizations/{organization}/projects"
_PROJECT = f"{_ORG}/{{project}}"
_HOOKS = "/api/v1/webhooks"
_HOOKS_OF_ONE = f"{_HOOKS}/projects/{{project}}"
_ENTITY = "entities/{entity_type}/{entity_name}"
_MEMORY = f"{SERVER}/memories/{{memory_id}}"
WRITE, ADMIN = Right.WRITE, Right.ADMIN


def _route(
    to: str, name: str, handler: Handler, answer: Any, summary: str, right: Right = Right.READ,
    **more: Any,
) -> Operation:  # fmt: skip
    """What a request `to` a path is."""
    method, path = to.split(" ")
    server = "'s server" if path.startswith(SERVER) else ""
    return Operation(
        method=method, path=path, name=name, handler=handler, answer=answer, right=right,
        summary=f"mem0{server}: {summary}", **more,
    )  # fmt: skip


def _refused(to: str, name: str, instead: str, why: str) -> Operation:
    handler = handlers.refusing(why)
    told = f"refused; {instead}"
    return _route(to, name, handler, dict[str, Any], told, ADMIN, any_fields=True)


_ACCOUNTS = "there are no accounts: credentials are in identity.tenants and api.token"
_HOOK = "the webhook is set in events.webhook, in the configuration of the server"
REFUSED = (
    _refused(f"PATCH {_PROJECT}", "change_project", "names the setting",
             "extraction is set in learn.templates and learn.llm; nothing else is per project"),
    _refused(f"DELETE {_PROJECT}", "delete_project", "POST /v1/reset",
             "POST /v1/reset removes all memories of a tenant"),
    _refused(f"POST {_ORG}", "create_project", "identity.tenants",
             "a project is a tenant: add its name and credential to identity.tenants"),
    _refused(f"POST {_PROJECT}/members", "add_member", "there are no accounts", _ACCOUNTS),
    _refused(f"PUT {_PROJECT}/members", "change_member", "there are no accounts", _ACCOUNTS),
    _refused(f"DELETE {_PROJECT}/members", "remove_member", "there are no accounts", _ACCOUNTS),
    _refused(f"POST {_HOOKS_OF_ONE}", "create_webhook", "events.webhook", _HOOK),
    _refused(f"PUT {_HOOKS}/{{webhook_id}}", "change_webhook", "events.webhook", _HOOK),
    _refused(f"DELETE {_HOOKS}/{{webhook_id}}", "delete_webhook", "events.webhook", _HOOK),
    _refused(f"POST {SERVER}/configure", "configure", "the configuration is a file",
             handlers.CONFIGURED),
)  # fmt: skip
"""What can only be set where the server is configured."""
_HOSTED = (
    _route("POST /v3/memories/add", "add_v3", Mem0.add, shapes.Added,
           "remember a conversation; it is stored when the answer comes", WRITE, body=_ADD,
           model_failure=NOT_ADDED),
    _route("POST /v2/memories/search", "search_v2", Mem0.search, shapes.Found,
           "the memories that match a query, best first", body=_SEARCH),
    _route("POST /v3/memories/search", "search_v3", Mem0.search, shapes.Found,
           "the memories that match a query, best first", body=_SEARCH),
    _route("POST /v2/memories", "list_v2", Mem0.list_page, shapes.Page,
           "a page of memories, newest first", query=form(_PAGE), body=_LIST),
    _route("POST /v3/memories", "list_v3", Mem0.list_page, shapes.Page,
           "a page of memories, newest first", query=form(_PAGE), body=_LIST),
    _route("PUT /v1/batch", "batch_update", each("update", "updated"), shapes.BatchDone,
           "change up to 1000 memories, each by itself", WRITE,
           body=form(PROJECT, memories=fields.CHANGED)),
    _route("DELETE /v1/batch", "batch_delete", each("delete", "deleted"), shapes.BatchDone,
           "remove up to 1000 memories, each by itself", WRITE,
           body=form(PROJECT, memories=fields.REMOVED)),
    _route("POST /v1/feedback", "give_feedback", Mem0.feedback, shapes.FeedbackDone,
           "judge a memory", WRITE, body=form(f"memory_id feedback feedback_reason {PROJECT}")),
    _route("GET /v1/event/{event_id}", "event", Mem0.event, shapes.Event,
           "what an addition did; ids and no text", query=_IN_PROJECT),
    _route("GET /v1/events", "list_events", Mem0.events, shapes.EventPage,
           "the last additions of this process, newest first", query=_IN_PROJECT),
    _route(f"DELETE /v1/{_ENTITY}", "delete_entity_v1", Mem0.delete_entity, RemovedDict,
           "remove the memories of a user, an agent or a run", WRITE, query=_IN_PROJECT),
    _route(f"DELETE /v2/{_ENTITY}", "delete_entity_v2", Mem0.delete_entity, RemovedDict,
           "remove the memories of a user, an agent or a run", WRITE, query=_IN_PROJECT),
    _route("GET /v1/memory", "list_single", Mem0.list_single, shapes.SingleList,
           "the newest memories of a user", query=_SINGLE),
    _route("DELETE /v1/memory", "delete_single_all", Mem0.delete_single, RemovedDict,
           "remove the memories of a user, or those of some types", WRITE,
           query=form("type", ScopeFields, project_id=fields.SAME_PROJECT)),
    _route("POST /v1/exports", "create_export", Mem0.create_export, shapes.Issue,
           "an export, which is made when it is fetched",
           body=form(f"{_WHO} {PROJECT} schema_ export_instructions", ScopeFields)),
    _route("POST /v1/exports/get", "get_export", Mem0.get_export, shapes.Exported,
           "the memories of an export as they are",
           body=form(f"{_WHO} {PROJECT} memory_export_id", ScopeFields)),
    _route("POST /v1/summary", "summarize", Mem0.summary, shapes.Summary,
           "the profile of somebody in lines; no model writes it",
           body=form(f"{_WHO} {PROJECT}", ScopeFields)),
    _route("GET /v2/entities/user/{entity_id}/profile", "get_profile",
           calls("profile", "user_id=entity_id", handlers.profile, whose=False),
           shapes.UserProfile, "what is known about a user as a person", query=_IN_PROJECT),
    _route("POST /v2/profiles/jobs", "generate_profiles", Mem0.generate_profiles,
           shapes.ProfileJob, "a job that is done at once: profiles are computed on reading",
           body=_PROFILES),
    _route("GET /v2/profiles/jobs/{profile_job_id}", "get_profile_job", Mem0.profile_job,
           dict[str, dict[str, Any]], "such a job, which is done"),
    _route("GET /v2/profiles/settings", "profile_settings", says(shapes.SETTINGS),
           shapes.ProfileSettings, "how profiles are made: always, on reading"),
    _route("POST /v2/profiles/settings", "set_profile_settings", Mem0.set_profile_settings,
           shapes.ProfileSettings, "accepts what is so anyway, and refuses everything else", ADMIN,
           body=form("enabled entities")),
    _route("GET /v1/ping", "ping", Mem0.ping, shapes.Pong, "who the credential is",
           query=_IN_PROJECT),
    _route(f"GET {_PROJECT}", "get_project", Mem0.project, dict[str, Any], "the tenant",
           query=form(PROJECT, fields=fields.SETTINGS)),
    _route(f"GET {_PROJECT}/members", "members", Mem0.members, list[dict[str, Any]],
           "nobody; there are no accounts", query=_IN_PROJECT),
    _route(f"GET {_HOOKS_OF_ONE}", "webhooks", Mem0.webhooks, list[shapes.Webhook],
           "the configured webhook, without its secret", ADMIN),
)  # fmt: skip
_SERVER = (
    _route(f"POST {SERVER}/memories", "server_add", Mem0.add, shapes.Added,
           "remember a conversation", WRITE, body=_ADD_TO_SERVER, model_failure=NOT_ADDED),
    _route(f"POST {SERVER}/search", "server_search", Mem0.search, shapes.Found,
           "the memories that match a query", body=_SEARCH_SERVER),
    _route(f"GET {SERVER}/entities", "server_entities",
           calls("list_users", "", handlers.entities, whose=False),
           list[shapes.EntityRow], "the users, agents and runs that have memories"),
    _route(f"DELETE {SERVER}/{_ENTITY}", "server_delete_entity", Mem0.delete_entity,
           RemovedDict, "remove the memories of one of them", WRITE),
    _route(f"GET {SERVER}/memories", "server_list",
           calls("get_all", "limit=top_k", handlers.found), shapes.Found,
           "the newest memories of a scope",
           query=form("show_expired", ScopeFields, top_k=most(MAX_LIMIT, 20))),
    _route(f"DELETE {SERVER}/memories", "server_delete_all",
           calls("delete_all", "", done(ALL_DELETED)), shapes.Done,
           "remove the memories of a scope", WRITE, query=ScopeFields),
    _route(f"GET {_MEMORY}", "server_get", Mem0.get, MemoryDict | None,
           "one memory, or null", query=ScopeFields),
    _route(f"PUT {_MEMORY}", "server_update", Mem0.update, shapes.Done, "change a memory", WRITE,
           query=ScopeFields,
           body=form("", ScopeFields, expiration_date=fields.CLEARED,
                     **ours("update", "text metadata"))),
    _route(f"DELETE {_MEMORY}", "server_delete", calls("delete", "memory_id", done(DELETED)),
           shapes.Done, "remove a memory", WRITE, query=ScopeFields),
    _route(f"GET {_MEMORY}/history", "server_history",
           calls("history", "memory_id", handlers.history), list[shapes.HistoryRow],
           "its history", query=ScopeFields),
    _route(f"POST {SERVER}/reset", "server_reset",
           Mem0.reset, shapes.Done,
           "remove all memories of the tenant", ADMIN),
    _route(f"GET {SERVER}/configure", "configuration", Mem0.configuration, dict[str, Any],
           "that the configuration is a file", ADMIN),
)  # fmt: skip
ROUTES = (*_HOSTED, *_SERVER, *REFUSED)
