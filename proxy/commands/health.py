"""`recollect health`: ask a running proxy for its health."""

from __future__ import annotations

import argparse
import http.client
from typing import TYPE_CHECKING

from .api_client import READY_SECONDS, authority, connect
from .base import CommandError
from .terminal import show

if TYPE_CHECKING:
    from recollect.config import Settings

    from .arguments import CommandLine


def fill(parser: CommandLine) -> None:
    """Register ``health``."""
    parser.add_argument("--live", action="store_true", help="only check that its event loop runs")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Show the proxy's answer; the exit status is 0 if it is 200."""
    connection = connect(settings, READY_SECONDS)
    try:
        connection.request("GET", "/healthz" if options.live else "/readyz")
        answer = connection.getresponse()
        show(answer.read().decode("utf-8", "replace"))
    except (OSError, http.client.HTTPException) as error:
        where = authority(settings.listen.host, settings.listen.port)
        raise CommandError(f"no answer from {where}: {error}") from None
    finally:
        connection.close()
    return 0 if answer.status == http.HTTPStatus.OK else 1
