"""The routes about projects, members and webhooks: what is true of them, and refusals by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...access.rights import Right
from .. import fields as ours
from ..fields import Schema
from .fields import PROJECT, idle
from .project import SETTINGS, Mem0Project, Pong, WebhookDict
from .routes import made

_PROJECTS = "/api/v1/orgs/organizations/{organization}/projects"
_ONE = f"{_PROJECTS}/{{project}}"
_MEMBERS = f"{_ONE}/members"
_HOOKS = "/api/v1/webhooks"
_OBJECT = dict[str, Any]
_LISTED: Schema = {"type": "array", "items": {"type": "string"}}
_FIELDS = replace(
    ours.text("fields", "Names of settings to answer too; those without a value are null."),
    schema=_LISTED, read=lambda _name, value: value, repeated=True,
)  # fmt: skip
_NEVER = "such a request is always refused."
_CHANGED = (*(idle(name, _NEVER) for name in SETTINGS), *PROJECT)
_MEMBER = (idle("email", _NEVER), idle("role", _NEVER))
_HOOK = (idle("url", _NEVER), idle("name", _NEVER), idle("event_types", _NEVER))
OF_PROJECTS = (
    made(
        "GET", "/v1/ping", Mem0Project.ping, "mem0: who the credential is", Pong, query=PROJECT
    ),
    made(
        "GET", _ONE, Mem0Project.get_project, "mem0: the tenant", _OBJECT,
        query=(_FIELDS, *PROJECT),
    ),
    made(
        "PATCH", _ONE, Mem0Project.change_project, "mem0: refused; names the setting", _OBJECT,
        right=Right.ADMIN, body=_CHANGED,
    ),
    made(
        "DELETE", _ONE, Mem0Project.delete_project, "mem0: refused; POST /v1/reset", _OBJECT,
        right=Right.ADMIN, query=PROJECT,
    ),
    made(
        "POST", _PROJECTS, Mem0Project.create_project, "mem0: refused; identity.tenants", _OBJECT,
        right=Right.ADMIN, body=(idle("name", _NEVER), idle("description", _NEVER), *PROJECT),
    ),
    made(
        "GET", _MEMBERS, Mem0Project.members, "mem0: nobody; there are no accounts",
        list[_OBJECT], query=PROJECT,
    ),
    made(
        "POST", _MEMBERS, Mem0Project.add_member, "mem0: refused; there are no accounts", _OBJECT,
        right=Right.ADMIN, body=_MEMBER,
    ),
    made(
        "PUT", _MEMBERS, Mem0Project.change_member, "mem0: refused; there are no accounts", _OBJECT,
        right=Right.ADMIN, body=_MEMBER,
    ),
    made(
        "DELETE", _MEMBERS, Mem0Project.remove_member, "mem0: refused; there are no accounts",
        _OBJECT, right=Right.ADMIN, query=_MEMBER[:1],
    ),
    made(
        "GET", f"{_HOOKS}/projects/{{project}}", Mem0Project.webhooks,
        "mem0: the configured webhook, without its secret", list[WebhookDict], right=Right.ADMIN,
    ),
    made(
        "POST", f"{_HOOKS}/projects/{{project}}", Mem0Project.create_webhook,
        "mem0: refused; events.webhook", _OBJECT, right=Right.ADMIN, body=_HOOK,
    ),
    made(
        "PUT", f"{_HOOKS}/{{webhook_id}}", Mem0Project.change_webhook,
        "mem0: refused; events.webhook", _OBJECT, right=Right.ADMIN, body=_HOOK,
    ),
    made(
        "DELETE", f"{_HOOKS}/{{webhook_id}}", Mem0Project.delete_webhook,
        "mem0: refused; events.webhook", _OBJECT, right=Right.ADMIN,
    ),
)  # fmt: skip
