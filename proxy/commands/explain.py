"""`recollect explain`: show which memories a message would get, and why."""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from .address import reachable
from .terminal import say, show

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory.options import StoreOptions
    from recollect.memory.types import Scope

    from .base import Commands

DESCRIPTION = """\
Show which memories a chat with the message QUERY would get: every ranked memory with its score, its
strongest signals, and the reason why it was chosen or left out.

The command asks the proxy at listen.host and listen.port, with api.token. If no proxy runs there,
it opens the store itself."""

READY_SECONDS = 3.0
TIMEOUT_SECONDS = 60.0
"""The first query for a user with many memories loads all of them."""


def add_parser(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Register ``explain``."""
    parser = commands.add_parser(
        "explain",
        parents=[shared],
        help="show which memories a message would get, and why",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--user",
        metavar="U",
        help="search memories of this user (default: the user of a chat that names none)",
    )
    parser.add_argument("--agent", metavar="A", help="only memories of this agent")
    parser.add_argument("--run", metavar="R", help="only memories of this run")
    parser.add_argument("--tenant", metavar="T", help="tenant (default: identity.tenant)")
    parser.add_argument("--json", action="store_true", help="print the whole explanation as JSON")
    parser.add_argument("query", metavar="QUERY", help="the message")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Ask the proxy or open the store, and show the answer; 1 if the scope has no memories."""
    from recollect.memory.errors import InvalidInputError, RecollectError, ScopeError
    from recollect.memory.types import Scope

    # A shell may pass arguments that are not UTF-8.
    query = options.query.encode("utf-8", "replace").decode()
    try:
        if not query.strip():
            raise InvalidInputError("query", "expected some text")
        scope = Scope(
            tenant=options.tenant or settings.identity.tenant,
            user_id=_user(settings, options),
            agent_id=options.agent,
            run_id=options.run,
        )
        answer = _ask_proxy(settings, scope, query)
        if answer is None:
            answer = asyncio.run(_look(settings, scope, query))
    except ScopeError:
        say("recollect: no scope given: use --user, --agent or --run")
        return 2
    except InvalidInputError as error:
        say(f"recollect: {error}")
        return 2
    except (RecollectError, ProxyRefusedError) as error:
        say(f"recollect: cannot explain: {error}{_why_not_asked(settings, scope)}")
        return 1
    if not answer["seen"]:
        say(f"recollect: nothing is stored for {_named(scope)}{_other_tenants(settings, options)}")
    return _show(answer, as_json=options.json)


class ProxyRefusedError(Exception):
    """A proxy runs but refuses to answer; the message says why."""


def _user(settings: Settings, options: argparse.Namespace) -> str | None:
    """The named user; without any id the user of a chat that names none."""
    from recollect.config import is_loopback

    named = (options.user, options.agent, options.run) != (None, None, None)
    personal = settings.identity.mode == "personal" and is_loopback(settings.listen.host)
    return options.user if named or not personal else settings.identity.default_user


def _other_tenants(settings: Settings, options: argparse.Namespace) -> str:
    if settings.identity.mode != "gateway" or options.tenant:
        return ""
    return (
        "; in gateway mode each credential has a tenant of its own: name it with --tenant "
        "(`recollect jobs list --json` shows the tenant of each job)"
    )


def _why_not_asked(settings: Settings, scope: Scope) -> str:
    """Why a proxy that runs was not asked, if it has the store that could not be opened."""
    if _credential(settings, scope.tenant) is not None or not _runs(settings):
        return ""
    others = " and those in identity.tenants" if settings.identity.mode == "gateway" else " only"
    tenants = f"the tenant {settings.identity.tenant}{others}"
    return f"; the proxy at {_where(settings)} has it, and answers for {tenants}"


def _show(answer: dict[str, Any], *, as_json: bool) -> int:
    if as_json:
        show(json.dumps(answer, ensure_ascii=False, indent=2))
    elif answer["seen"]:
        from .explain_table import render

        show(render(answer))
    return 0 if answer["seen"] else 1


def _named(scope: Scope) -> str:
    ids = ", ".join(f"{name.removesuffix('_id')} {value}" for name, value in scope.ids().items())
    return f"{ids} (tenant {scope.tenant})"


def _ask_proxy(settings: Settings, scope: Scope, query: str) -> dict[str, Any] | None:
    """The answer of the proxy with these settings; None if there is no proxy to ask.

    Only one process can open an embedded store, and an in-process store is visible to its own only.

    Raises:
        ProxyRefusedError: the proxy refuses, or gives no answer.
    """
    headers = _credential(settings, scope.tenant)
    # A server with its API disabled answers 404.
    if headers is None or not settings.api.enabled or not _runs(settings):
        return None
    path = "/v1/memories/explain?" + urlencode({"q": query, **scope.ids()}, errors="replace")
    found = _get(settings, path, headers, TIMEOUT_SECONDS)
    if found is None:
        raise ProxyRefusedError(f"the proxy at {_where(settings)} did not answer")
    status, answer = found
    if status == http.HTTPStatus.OK and "seen" in answer:
        return answer
    raise ProxyRefusedError(_refusal(settings, status, answer))


def _refusal(settings: Settings, status: int, answer: dict[str, Any]) -> str:
    said = answer.get("detail", f"it answers {status}")
    hint = "; see api.token" if status == http.HTTPStatus.UNAUTHORIZED else ""
    return f"the proxy at {_where(settings)} says: {said}{hint}"


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


def _runs(settings: Settings) -> bool:
    """Whether the server at the configured address is a Recollect."""
    found = _get(settings, "/readyz", {}, READY_SECONDS)
    return found is not None and "store" in found[1].get("parts", {})


def _get(
    settings: Settings, path: str, headers: dict[str, str], seconds: float
) -> tuple[int, dict[str, Any]] | None:
    """Status and JSON object; None without an answer or if it is no JSON object."""
    host, port = _address(settings)
    connection = http.client.HTTPConnection(host, port, timeout=seconds)
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        body = json.loads(answer.read())
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        connection.close()
    return (answer.status, body) if isinstance(body, dict) else None


def _address(settings: Settings) -> tuple[str, int]:
    """Host and port to connect to."""
    return reachable(settings.listen.host), settings.listen.port


def _where(settings: Settings) -> str:
    return ":".join(map(str, _address(settings)))


async def _look(settings: Settings, scope: Scope, query: str) -> dict[str, Any]:
    """Open the parts and explain in this process.

    Raises:
        InvalidInputError: the query is malformed.
        StoreError, EmbeddingError: a part cannot be opened or is in use.
    """
    from recollect.memory.engine import Engine
    from recollect.memory.errors import StoreError

    from ..explaining import Explainer

    if missing := _nothing_to_open(settings.store):
        raise StoreError(f"{missing}, and no proxy answers at {_where(settings)}")
    async with Engine.open(settings) as engine:
        explainer = Explainer(engine.recaller, engine.parts.tokens, settings.recall)
        return await explainer.explain(scope, query)


def _nothing_to_open(options: StoreOptions) -> str:
    """Why no store can be opened; empty if one can. Opening a missing store would create it."""
    if not options.lasting:
        return f"store.backend {options.backend} exists only in a running proxy"
    folder = options.folder
    missing = folder is not None and not folder.exists()
    return f"there are no memories yet: {folder} does not exist" if missing else ""
