"""The project, the organization and the webhooks that mem0's clients ask for: what is true of them.

A project is a tenant, which the configuration makes. Nothing of it can be changed over HTTP: such
requests are refused, with the name of the setting.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typing_extensions import TypedDict
from yarl import URL

from recollect.config.server import WebhookOptions
from recollect.memory import InvalidInputError, NotFoundError

from ...access.rights import Right
from ..operations import Operation, endpoint, operations_of
from ..request import ApiRequest
from . import models
from .fields import ProjectFields

_PROJECTS = "/api/v1/orgs/organizations/{organization}/projects"
_ONE = f"{_PROJECTS}/{{project}}"
_MEMBERS = f"{_ONE}/members"
_HOOKS = "/api/v1/webhooks"
_TRUE = {"multilingual": True}
"""Settings of a project in mem0 that something true can be said of; the others are null."""


class Pong(TypedDict):
    """Who the credential is."""

    status: str
    org_id: str
    project_id: str
    """Both are the tenant."""


class WebhookDict(TypedDict):
    """The configured webhook, without its secret and without the query of its URL."""

    webhook_id: str
    name: str
    url: str
    event_types: list[str]
    """Empty: every kind."""
    is_active: bool
    project: str


class Mem0Project:
    """The handlers of the routes about the project."""

    def __init__(self, webhook: WebhookOptions) -> None:
        self._webhook = webhook

    @endpoint("GET", "/v1/ping", Pong, query=ProjectFields)
    async def ping(self, request: ApiRequest) -> Any:
        """mem0: who the credential is."""
        return Pong(status="ok", org_id=request.tenant, project_id=request.tenant)

    @endpoint("GET", _ONE, dict[str, Any], query=models.ProjectQuery)
    async def get_project(self, request: ApiRequest) -> Any:
        """mem0: the tenant.

        The tenant by its name, and the settings that were asked for.
        """
        own(request)
        project: dict[str, Any] = dict.fromkeys(
            ("id", "name", "project_id", "org_id"), request.tenant
        )
        names = request.values["fields"] or ()
        known = _TRUE | {"enable_graph": request.memory.graph.is_on}
        return project | {name: known.get(name) for name in names if name not in project}

    @endpoint("GET", _MEMBERS, list[dict[str, Any]], query=ProjectFields)
    async def members(self, request: ApiRequest) -> Any:
        """mem0: nobody; there are no accounts.

        There are no accounts, only credentials.
        """
        own(request)
        return []

    @endpoint("GET", f"{_HOOKS}/projects/{{project}}", list[WebhookDict], Right.ADMIN)
    async def webhooks(self, request: ApiRequest) -> Any:
        """mem0: the configured webhook, without its secret.

        The webhook of the configuration, if there is one: it is told of every tenant.
        """
        own(request)
        hook = self._webhook
        if hook.url is None:
            return []
        shown = URL(hook.url).with_query(None).with_fragment(None).with_user(None)
        return [
            WebhookDict(
                webhook_id="events.webhook",
                name="events.webhook",
                url=str(shown),
                event_types=list(hook.events),
                is_active=True,
                project=request.tenant,
            )
        ]


def own(request: ApiRequest) -> None:
    """Raises NotFoundError if the path names another organization or project than the tenant's."""
    tenant = request.owner.whole_tenant()
    for name in ("organization", "project"):
        if name in request.values and request.values[name] != tenant:
            raise NotFoundError(f"there is no {name} of this name for this credential")


def _refusing(why: str) -> Callable[..., Any]:
    async def refuse(_handlers: Mem0Project, request: ApiRequest) -> Any:
        own(request)
        raise InvalidInputError("body", f"cannot be done over HTTP: {why}")

    return refuse


def _refused(method: str, path: str, name: str, instead: str, why: str, **fields: Any) -> Operation:
    return Operation(
        method=method,
        path=path,
        handler=_refusing(why),
        answer=dict[str, Any],
        right=Right.ADMIN,
        name=name,
        summary=f"mem0: refused; {instead}",
        **fields,
    )


_NO_ACCOUNTS = (
    "there are no accounts",
    "there are no accounts: credentials are in identity.tenants and api.token",
)
_CONFIGURED = (
    "events.webhook",
    "the webhook is set in events.webhook, in the configuration of the server",
)
OF_PROJECTS = (
    *operations_of(Mem0Project),
    _refused(
        "PATCH", _ONE, "change_project", "names the setting",
        "extraction is set in learn.prompt and learn.llm; nothing else is per project",
        body=models.ProjectBody,
    ),
    _refused(
        "DELETE", _ONE, "delete_project", "POST /v1/reset",
        "POST /v1/reset removes all memories of a tenant", query=ProjectFields,
    ),
    _refused(
        "POST", _PROJECTS, "create_project", "identity.tenants",
        "a project is a tenant: add its name and credential to identity.tenants",
        body=models.NewProjectBody,
    ),
    _refused("POST", _MEMBERS, "add_member", *_NO_ACCOUNTS, body=models.MemberBody),
    _refused("PUT", _MEMBERS, "change_member", *_NO_ACCOUNTS, body=models.MemberBody),
    _refused("DELETE", _MEMBERS, "remove_member", *_NO_ACCOUNTS, query=models.MemberQuery),
    _refused(
        "POST", f"{_HOOKS}/projects/{{project}}", "create_webhook", *_CONFIGURED,
        body=models.WebhookBody,
    ),
    _refused(
        "PUT", f"{_HOOKS}/{{webhook_id}}", "change_webhook", *_CONFIGURED, body=models.WebhookBody
    ),
    _refused("DELETE", f"{_HOOKS}/{{webhook_id}}", "delete_webhook", *_CONFIGURED),
)  # fmt: skip
