"""The project, the organization and the webhooks that mem0's clients ask for: what is true of them.

A project is a tenant, which the configuration makes. Nothing of it can be changed over HTTP.
"""

from __future__ import annotations

from typing import Any, TypedDict

from yarl import URL

from recollect.config.server import WebhookOptions
from recollect.memory import InvalidInputError, NotFoundError

from ..call import ApiCall

SETTINGS = (
    "custom_instructions",
    "agent_custom_instructions",
    "custom_categories",
    "retrieval_criteria",
    "enable_graph",
    "multilingual",
    "decay",
    "version",
    "inclusion_prompt",
    "exclusion_prompt",
    "memory_depth",
    "usecase_setting",
)
"""Of a project in mem0."""
_TRUE = {"enable_graph": False, "multilingual": True}
"""Those that something true can be said of; the others are null."""


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

    async def ping(self, call: ApiCall) -> Any:
        return Pong(status="ok", org_id=call.tenant, project_id=call.tenant)

    async def get_project(self, call: ApiCall) -> Any:
        """The tenant by its name, and the settings that were asked for."""
        own(call)
        project: dict[str, Any] = {"id": call.tenant, "name": call.tenant}
        project |= {"project_id": call.tenant, "org_id": call.tenant}
        names = call.asked["fields"] or ()
        return project | {name: _TRUE.get(name) for name in names if name not in project}

    async def members(self, call: ApiCall) -> Any:
        """There are no accounts, only credentials."""
        own(call)
        return []

    async def change_project(self, call: ApiCall) -> Any:
        own(call)
        raise refused(
            "extraction is set in learn.prompt and learn.llm; nothing else is per project"
        )

    async def create_project(self, call: ApiCall) -> Any:
        own(call)
        raise refused("a project is a tenant: add its name and credential to identity.tenants")

    async def delete_project(self, call: ApiCall) -> Any:
        own(call)
        raise refused("POST /v1/reset removes all memories of a tenant")

    async def add_member(self, call: ApiCall) -> Any:
        own(call)
        raise refused(_NO_ACCOUNTS)

    async def change_member(self, call: ApiCall) -> Any:
        own(call)
        raise refused(_NO_ACCOUNTS)

    async def remove_member(self, call: ApiCall) -> Any:
        own(call)
        raise refused(_NO_ACCOUNTS)

    async def webhooks(self, call: ApiCall) -> Any:
        """The webhook of the configuration, if there is one: it is told of every tenant."""
        own(call)
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
                project=call.tenant,
            )
        ]

    async def create_webhook(self, call: ApiCall) -> Any:
        own(call)
        raise refused(_CONFIGURED)

    async def change_webhook(self, call: ApiCall) -> Any:
        call.owner.whole_tenant()
        raise refused(_CONFIGURED)

    async def delete_webhook(self, call: ApiCall) -> Any:
        call.owner.whole_tenant()
        raise refused(_CONFIGURED)


_NO_ACCOUNTS = "there are no accounts: credentials are in identity.tenants and api.token"
_CONFIGURED = "the webhook is set in events.webhook, in the configuration of the server"


def refused(why: str) -> InvalidInputError:
    """The refusal of a change, whatever it is."""
    return InvalidInputError("body", f"cannot be done over HTTP: {why}")


def own(call: ApiCall) -> None:
    """Raises NotFoundError if the path names another organization or project than the tenant's."""
    tenant = call.owner.whole_tenant()
    for name in ("organization", "project"):
        if name in call.asked and call.asked[name] != tenant:
            raise NotFoundError(f"there is no {name} of this name for this credential")
