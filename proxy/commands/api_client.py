"""Calls the memory API of a running proxy; commands open the store themselves where none runs."""

from __future__ import annotations

import argparse
import http.client
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .base import INTERRUPTED, LINE, CommandError

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory import AsyncMemory
    from recollect.memory.model.types import Scope

_EVERY = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 - not a bind
"""Nobody can connect to an address that means every address of a machine."""
READY_SECONDS = 3.0
SLOW_SECONDS = 20.0
TIMEOUT_SECONDS = 60.0
"""The first query for a user with many memories loads all of them."""
Prepare = Callable[["Settings", Any], None]
"""Makes an engine that was opened ready for a call."""
_NO_ANSWER = (OSError, http.client.HTTPException, ValueError)


class ProxyRefusedError(CommandError):
    """A proxy runs but refuses to answer; the message says why."""


@dataclass(frozen=True, slots=True)
class Running:
    """What answers at `listen.host` and `listen.port`."""

    address: str
    ours: bool
    """Whether it is a Recollect, as its `/readyz` shows."""
    parts: Mapping[str, str] = field(default_factory=dict)
    advice: Mapping[str, str] = field(default_factory=dict)


def ask_running(settings: Settings, seconds: float = READY_SECONDS) -> Running | None:
    """The program that listens at the configured address; None if none does."""
    address = _where(settings)
    try:
        _, health = _call(settings, "GET", "/readyz", seconds=seconds)
    except (TimeoutError, ConnectionResetError, http.client.HTTPException, ValueError):
        return Running(address, ours=False)
    except OSError:
        return None
    parts = health.get("parts") if isinstance(health, dict) else None
    if not isinstance(parts, dict) or health.get("status") not in {"ok", "degraded"}:
        return Running(address, ours=False)
    return Running(address, "database" in parts, parts, health.get("advice") or {})


def runs(settings: Settings) -> bool:
    """Whether the server at the configured address is a Recollect."""
    running = ask_running(settings)
    return running is not None and running.ours


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
    """The scope that the arguments name. Raises ScopeError and InvalidInputError.

    Without any id it is the user of a chat that names none.
    """
    from recollect.config import is_loopback
    from recollect.memory.model.types import Scope

    named = (options.user, options.agent, options.run) != (None, None, None)
    personal = settings.identity.mode == "personal" and is_loopback(settings.listen.host)
    return Scope(
        tenant=options.tenant or settings.identity.tenant,
        user_id=options.user if named or not personal else settings.identity.default_user,
        agent_id=options.agent,
        run_id=options.run,
    )


def named(scope: Scope) -> str:
    """The scope in words."""
    ids = ", ".join(f"{name.removesuffix('_id')} {value}" for name, value in scope.ids().items())
    return f"{ids} (tenant {scope.tenant})"


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
    if (headers := headers_for(settings, tenant)) is None:
        return None
    try:
        status, answer = _call(
            settings, method, path, {**headers, **(also or {})}, body, seconds=seconds
        )
    except _NO_ANSWER:
        raise ProxyRefusedError(f"the proxy at {_where(settings)} did not answer") from None
    if status == http.HTTPStatus.OK:
        return answer
    raise _refusal(settings, status, answer)


def goes_on(settings: Settings, work: str, *, look: str, stop: str) -> CommandError:
    """What is told after Ctrl-C while the proxy works: paths, with other arguments of curl."""
    curl = "curl -H 'Authorization: Bearer TOKEN'" if settings.api.token else "curl"
    look, stop = (f"{curl} http://{_where(settings)}{path}" for path in (look, stop))
    told = f"stopped waiting; the proxy goes on with {work}"
    return CommandError(f"{told}\n  look: {look}\n  stop: {stop}", INTERRUPTED)


def headers_for(settings: Settings, tenant: str) -> dict[str, str] | None:
    """What authorises requests for a tenant; None if there is no proxy to ask."""
    # A server with its API disabled answers 404.
    asks = settings.api.enabled and _credential(settings, tenant) is not None and runs(settings)
    return _credential(settings, tenant) if asks else None


def reach(
    settings: Settings, tenant: str
) -> tuple[http.client.HTTPConnection, dict[str, str]] | None:
    """A connection to the proxy that `ask` would ask, and the headers; None without one."""
    headers = headers_for(settings, tenant)
    return None if headers is None else (connect(settings), headers)


def connect(settings: Settings, seconds: float = TIMEOUT_SECONDS) -> http.client.HTTPConnection:
    """A connection to the configured address."""
    host = reachable(settings.listen.host)
    return http.client.HTTPConnection(host, settings.listen.port, timeout=seconds)


def refused(settings: Settings, answer: http.client.HTTPResponse) -> ProxyRefusedError:
    """What an answer that is no success says."""
    try:
        parsed = json.loads(answer.read())
    except ValueError:
        parsed = None
    return _refusal(settings, answer.status, parsed)


def _refusal(settings: Settings, status: int, answer: Any) -> ProxyRefusedError:
    detail = answer.get("detail") if isinstance(answer, dict) else None
    text = detail or f"it answers {status}"
    hint = "; see api.token" if status == http.HTTPStatus.UNAUTHORIZED else ""
    wrong = status == http.HTTPStatus.BAD_REQUEST and not text.startswith(LINE)
    told = f"the proxy at {_where(settings)} says: {text}{hint}"
    return ProxyRefusedError(told, 2 if wrong else 1)


def _credential(settings: Settings, tenant: str) -> dict[str, str] | None:
    """The header that authorises requests for a tenant; None if no credential is known."""
    if tenant == settings.identity.tenant:
        token = settings.api.token
    elif settings.identity.mode == "gateway" and tenant in settings.identity.tenants:
        token = settings.identity.tenants[tenant]
    else:
        return None
    return {"Authorization": f"Bearer {token.get_secret_value()}"} if token else {}


def _call(
    settings: Settings,
    method: str,
    path: str,
    headers: Mapping[str, str] | None = None,
    body: Any = None,
    *,
    seconds: float,
) -> tuple[int, Any]:
    """Status and JSON value. Raises one of `_NO_ANSWER`."""
    connection = connect(settings, seconds)
    try:
        sent = None if body is None else json.dumps(body)
        typed = {} if body is None else {"content-type": "application/json"}
        connection.request(method, path, sent, {**typed, **(headers or {})})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def _where(settings: Settings) -> str:
    return authority(settings.listen.host, settings.listen.port)


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


@asynccontextmanager
async def opened(
    settings: Settings, tenant: str, *, makes: bool = False, prepare: Prepare | None = None
) -> AsyncIterator[AsyncMemory]:
    """The memories in the files, where no proxy runs. Raises RecollectError."""
    from recollect.config import known_models
    from recollect.memory import AsyncMemory
    from recollect.memory.engine.engine import Engine
    from recollect.memory.model.errors import StoreError

    if missing := nowhere_to_keep(settings) if makes else nothing_to_open(settings):
        raise StoreError(missing)
    async with Engine.open(settings) as engine:
        engine.withholding.known = known_models(settings)
        if prepare is not None:
            prepare(settings, engine)
        yield AsyncMemory(engine, tenant=tenant)


def reachable(host: str) -> str:
    """The host to connect to: loopback for a server that listens on every address."""
    return _EVERY.get(host, host)


def authority(host: str, port: int) -> str:
    """The part of a URL that names this server."""
    here = reachable(host)
    return f"[{here}]:{port}" if ":" in here else f"{here}:{port}"
