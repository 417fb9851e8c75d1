"""`recollect serve`: run the proxy."""

from __future__ import annotations

import argparse
import errno
from collections.abc import Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from recollect.memory.util.heap import loading

from .base import CANNOT_START, CommandError
from .configured import settings_of
from .terminal import own_version, say

if TYPE_CHECKING:
    from recollect.config import Settings

    from ..reload import Read
    from .arguments import CommandLine

DESCRIPTION = """\
Run the proxy, until Ctrl-C. A client uses it as its base URL:
export OPENAI_BASE_URL=http://127.0.0.1:8787/v1"""
EPILOG = """\
Every setting is in docs/configuration.md: a key of FILE, or a variable such as
RECOLLECT_UPSTREAM__BASE_URL. A flag overrides both."""


def fill(parser: CommandLine) -> None:
    """Register ``serve``; `recollect.proxy.cli` turns its flags into settings."""
    parser.description = DESCRIPTION
    parser.epilog = EPILOG
    parser.set_defaults(starts=True)
    parser.add_argument("--host", help="address to bind (127.0.0.1)")
    parser.add_argument("--port", type=int, help="port to bind (8787)")
    parser.add_argument(
        "--workers", metavar="N", help="worker processes behind the port (1), or `all` cores"
    )
    parser.add_argument(
        "--upstream",
        metavar="URL",
        help="base URL of the model server, usually with /v1 (https://api.openai.com/v1)",
    )


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Serve until a signal stops the process."""
    from . import folder
    from .preflight import collisions

    if problems := collisions():
        raise CommandError("\n".join(problems))
    if unusable := folder.look(settings) or folder.in_use(settings):
        if unusable.fatal:
            raise CommandError(f"cannot start: {unusable}")
        say(f"recollect: {unusable}; chats go on, `recollect check` shows what does not work")
    return _serve(settings, partial(settings_of, options))


def _serve(settings: Settings, read: Read) -> int:
    from recollect.memory.model.errors import RecollectError

    with loading():
        from ..serve import CannotListenError
    from ..telemetry.logs import configure_logging
    from ..watchdog import run_watched

    configure_logging(settings.telemetry)
    try:
        run_watched(_served(settings, read))
    except RecollectError as error:
        raise CommandError(CANNOT_START.format(error)) from None
    except CannotListenError as error:
        raise CommandError(_cannot_listen(error.__cause__, settings)) from None
    return 0


def _served(settings: Settings, read: Read) -> Coroutine[Any, Any, None]:
    """The server: this process, or the parent of several."""
    from ..workers.worker_numbers import workers_of

    def ready(url: str) -> None:
        _welcome(url, settings)

    count = workers_of(settings.listen.workers)
    if count > 1:
        from ..workers.supervisor import supervise

        return supervise(settings, count, on_ready=ready, read=read)
    with loading():
        from ..serve import serve

    return serve(settings, on_ready=ready, read=read)


def _cannot_listen(error: BaseException | None, settings: Settings) -> str:
    from .api_client import runs

    host, port = settings.listen.host, settings.listen.port
    if not isinstance(error, OSError) or error.errno != errno.EADDRINUSE:
        reason = getattr(error, "strerror", None) or error
        return f"cannot listen on {host}:{port}: {reason}; see listen.host and listen.port"
    other = "choose another port with --port"
    if runs(settings):
        return f"{host}:{port} is in use by another Recollect: use that one, stop it, or {other}"
    return f"{host}:{port} is in use by another program; {other}"


def _welcome(url: str, settings: Settings) -> None:
    # Nobody can connect to the address that means every address.
    here = url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
    elsewhere = "" if here == url else " (elsewhere: with this machine's name or address)"
    api = settings.api.enabled
    say(
        f"Recollect {own_version()} is ready: {url} -> {settings.upstream.base_url}\n"
        f"  use it:      export OPENAI_BASE_URL={here}/v1{elsewhere}\n"
        f"  data:        {settings.data_dir}\n"
        f"  memory API:  {f'{here}/docs' if api else 'off (api.enabled)'}\n"
        f"  dashboard:   {f'{here}/dashboard' if api else 'off (api.enabled)'}"
    )
