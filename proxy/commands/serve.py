"""`recollect serve`: run the proxy."""

from __future__ import annotations

import argparse
import asyncio
import errno
from typing import TYPE_CHECKING

from .terminal import own_version, say

if TYPE_CHECKING:
    from recollect.config import Settings

    from .base import Commands


def add_parser(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Register ``serve``; `recollect.proxy.cli` turns its flags into settings."""
    parser = commands.add_parser("serve", parents=[shared], help="run the proxy")
    parser.add_argument("--host", help="address to bind (127.0.0.1)")
    parser.add_argument("--port", type=int, help="port to bind (8787)")
    parser.add_argument("--upstream", metavar="URL", help="base URL of the model server")


def run(settings: Settings, _options: argparse.Namespace) -> int:
    """Serve until a signal stops the process."""
    from recollect.memory.errors import RecollectError

    from ..serve import serve
    from ..telemetry import configure_logging
    from .preflight import collisions

    if problems := collisions():
        say("recollect: " + "\n".join(problems))
        return 1
    configure_logging(settings.telemetry.log_level)
    try:
        asyncio.run(serve(settings, on_ready=lambda url: _welcome(url, settings)))
    except RecollectError as error:
        say(f"recollect: cannot start: {error}\nrun `recollect check` to see every part")
        return 1
    except OSError as error:
        say(f"recollect: {_cannot_listen(error, settings)}")
        return 1
    return 0


def _cannot_listen(error: OSError, settings: Settings) -> str:
    where = f"{settings.listen.host}:{settings.listen.port}"
    if error.errno == errno.EADDRINUSE:
        return f"{where} is in use by another program; choose another port with --port"
    return f"cannot listen on {where}: {error.strerror or error}"


def _welcome(url: str, settings: Settings) -> None:
    say(
        f"Recollect {own_version()} is ready: {url} -> {settings.upstream.base_url}\n"
        f"  use it:      export OPENAI_BASE_URL={url}/v1\n"
        f"  data:        {settings.data_dir}"
    )
