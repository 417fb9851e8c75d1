"""Calls the memory API of a running proxy; commands open the store themselves where none runs."""

from __future__ import annotations

import argparse
import http.client
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .base import CommandError

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory.model.types import Scope

_EVERY = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 - not a bind
"""Nobody can connect to an address that means every address of a machine."""
READY_SECONDS = 3.0
TIMEOUT_SECONDS = 60.0
"""The first query for a user with many memories loads all of them."""


class ProxyRefusedError(CommandError):
    """A proxy runs but refuses to answer; the message says why."""


def add_scope_to(parser: argparse.ArgumentParser, *, ids: bool = True) -> None:
    """Register the arguments that say whose memories are meant; without `ids` the tenant only."""
    if ids:
        parser.add_argument(
            "--user",
            metavar="U",
            help="memories of this user (default: the user of a chat that names none)",
        )
        parser.add_argument("--agent", metavar="A", help="only memories of this agent")
        parser.add_argument("--run", metavar="R", help="only memories of this run")
    parser.add_argument("--tenant", metavar="T", help="tenant (default: identity.tenant)")
    parser.set_defaults(asks=True)


def scope_of(settings: Settings, options: argparse.Namespace) -> Scope:
    """The scope that the arguments name. Raises ScopeError and InvalidInputError."""
    from recollect.memory.model.types import Scope

    return Scope(
        tenant=options.tenant or settings.identity.tenant,
        user_id=_user(settings, options),
        agent_id=options.agent,
        run_id=options.run,
    )


def _user(settings: Settings, options: argparse.Namespace) -> str | None:
    """The named user; without any id the user of a chat that names none."""
    from recollect.config import is_loopback

    named = (options.user, options.agent, options.run) != (None, None, None)
    personal = settings.identity.mode == "personal" and is_loopback(settings.listen.host)
    return options.user if named or not personal else settings.identity.default_user


def other_tenants(settings: Settings, options: argparse.Namespace) -> str:
    """A hint where the memories may be, if nothing was found."""
    if settings.identity.mode != "gateway" or options.tenant:
        return ""
    return (
        "; in gateway mode each credential has a tenant of its own: name it with --tenant "
        "(`recollect jobs list --json` shows the tenant of each job)"
    )


def why_not_asked(settings: Settings, tenant: str) -> str:
    """Why a proxy that runs was not asked, if it has the store that could not be opened."""
    if _credential(settings, tenant) is not None or not runs(settings):
        return ""
    others = " and those in identity.tenants" if settings.identity.mode == "gateway" else " only"
    tenants = f"the tenant {settings.identity.tenant}{others}"
    return f"; the proxy at {_where(settings)} has it, and answers for {tenants}"


def named(scope: Scope) -> str:
    """The scope in words."""
    ids = ", ".join(f"{name.removesuffix('_id')} {value}" for name, value in scope.ids().items())
    return f"{ids} (tenant {scope.tenant})"


def ask(
    settings: Settings,
    tenant: str,
    path: str,
    method: str = "GET",
    body: Any = None,
    *,
    also: Mapping[str, str] | None = None,
    seconds: float = TIMEOUT_SECONDS,
) -> Any:
    """The answer of the proxy with these settings; None if there is no proxy to ask.

    `body` is sent as JSON, `also` are further headers.

    Only one process can open an embedded store, and an in-process store is visible to its own only.

    Raises:
        ProxyRefusedError: the proxy refuses, or gives no answer.
    """
    headers = _headers(settings, tenant)
    if headers is None:
        return None
    found = _call(settings, method, path, {**headers, **(also or {})}, seconds, body)
    if found is None:
        raise ProxyRefusedError(f"the proxy at {_where(settings)} did not answer")
    status, answer = found
    if status == http.HTTPStatus.OK:
        return answer
    raise ProxyRefusedError(_refusal(settings, status, answer))


def _headers(settings: Settings, tenant: str) -> dict[str, str] | None:
    """What authorises requests for a tenant; None if there is no proxy to ask."""
    # A server with its API disabled answers 404.
    asks = settings.api.enabled and _credential(settings, tenant) is not None and runs(settings)
    return _credential(settings, tenant) if asks else None


def reach(
    settings: Settings, tenant: str
) -> tuple[http.client.HTTPConnection, dict[str, str]] | None:
    """A connection to the proxy that `ask` would ask, and the headers; None without one."""
    headers = _headers(settings, tenant)
    if headers is None:
        return None
    return http.client.HTTPConnection(*_address(settings), timeout=TIMEOUT_SECONDS), headers


def served(settings: Settings, tenant: str) -> tuple[str, dict[str, str]] | None:
    """The URL of the proxy that `ask` would ask, and the headers; None without one."""
    headers = _headers(settings, tenant)
    if headers is None:
        return None
    return f"http://{authority(settings.listen.host, settings.listen.port)}", headers


def refused(settings: Settings, answer: http.client.HTTPResponse) -> ProxyRefusedError:
    """What an answer that is no success says."""
    try:
        parsed = json.loads(answer.read())
    except ValueError:
        parsed = None
    return ProxyRefusedError(_refusal(settings, answer.status, parsed))


def _refusal(settings: Settings, status: int, answer: Any) -> str:
    detail = answer.get("detail") if isinstance(answer, dict) else None
    text = detail or f"it answers {status}"
    hint = "; see api.token" if status == http.HTTPStatus.UNAUTHORIZED else ""
    return f"the proxy at {_where(settings)} says: {text}{hint}"


def _credential(settings: Settings, tenant: str) -> dict[str, str] | None:
    """The header that authorises requests for a tenant; None if no credential is known."""
    token = None
    if tenant == settings.identity.tenant:
        token = settings.api.token
    elif settings.identity.mode == "gateway" and tenant in settings.identity.tenants:
        token = settings.identity.tenants[tenant]
    else:
        return None
    return {"Authorization": f"Bearer {token.get_secret_value()}"} if token else {}


def runs(settings: Settings) -> bool:
    """Whether the server at the configured address is a Recollect."""
    found = _call(settings, "GET", "/readyz", {}, READY_SECONDS)
    answer = found[1] if found else None
    return isinstance(answer, dict) and "database" in answer.get("parts", {})


def _call(
    settings: Settings,
    method: str,
    path: str,
    headers: dict[str, str],
    seconds: float,
    body: Any = None,
) -> tuple[int, Any] | None:
    """Status and JSON value; None without an answer or if it is no JSON."""
    host, port = _address(settings)
    connection = http.client.HTTPConnection(host, port, timeout=seconds)
    try:
        if body is None:
            connection.request(method, path, headers=headers)
        else:
            headers = {"content-type": "application/json", **headers}
            connection.request(method, path, json.dumps(body), headers)
        answer = connection.getresponse()
        parsed = json.loads(answer.read())
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        connection.close()
    return answer.status, parsed


def _address(settings: Settings) -> tuple[str, int]:
    """Host and port to connect to."""
    return reachable(settings.listen.host), settings.listen.port


def _where(settings: Settings) -> str:
    return ":".join(map(str, _address(settings)))


def no_proxy(settings: Settings, tenant: str) -> str:
    """Why nothing was asked of a proxy, for commands that need one."""
    if why := why_not_asked(settings, tenant):
        return why.removeprefix("; ")
    return f"no proxy answers at {_where(settings)}: start it with `recollect serve`"


def nowhere_to_keep(settings: Settings) -> str:
    """Why no memories can be opened or made; empty if they can."""
    if settings.database.kind != "inmemory":
        return ""
    return (
        "a database in memory (database.url) exists only in a running proxy, "
        f"and no proxy answers at {_where(settings)}"
    )


def nothing_to_open(settings: Settings) -> str:
    """Why no memories can be looked into; empty if they can. Opening would make what is missing."""
    file = settings.database.file
    if (nowhere := nowhere_to_keep(settings)) or file is None or file.exists():
        return nowhere
    return (
        f"there are no memories yet: {file} does not exist, "
        f"and no proxy answers at {_where(settings)}"
    )


def reachable(host: str) -> str:
    """The host to connect to: loopback for a server that listens on every address."""
    return _EVERY.get(host, host)


def authority(host: str, port: int) -> str:
    """The part of a URL that names this server."""
    here = reachable(host)
    return f"[{here}]:{port}" if ":" in here else f"{here}:{port}"
