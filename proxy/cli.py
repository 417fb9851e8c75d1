"""The `recollect` command."""

from __future__ import annotations

import argparse
import asyncio
import errno
import http.client
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

# Only what every command needs: `recollect health` runs every few seconds in a container.
if TYPE_CHECKING:
    from config import Settings

HEALTH_SECONDS = 3.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status is 0 if it did what it should, 2 for a wrong call."""
    parser = _parser()
    options = parser.parse_args(arguments)
    from config import ConfigError, load_settings

    flags = {
        "listen.host": getattr(options, "host", None),
        "listen.port": getattr(options, "port", None),
        "upstream.base_url": getattr(options, "upstream", None),
    }
    try:
        settings = load_settings(path=options.config, flags=flags)
    except ConfigError as error:
        _say(f"recollect: the configuration cannot be used\n{error}")
        return 2
    commands = {"serve": _serve, "check": _check, "health": _health, "models": _models}
    return commands[options.command](settings, options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="recollect", description="Long-term memory for any OpenAI client."
    )
    parser.add_argument("--version", action="version", version=_version())
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--config", type=Path, metavar="FILE", help="YAML file with settings")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    serve = commands.add_parser("serve", parents=[shared], help="run the proxy")
    serve.add_argument("--host", help="address to bind (127.0.0.1)")
    serve.add_argument("--port", type=int, help="port to bind (8787)")
    serve.add_argument("--upstream", metavar="URL", help="base URL of the model server")
    commands.add_parser("check", parents=[shared], help="say what works and how to mend the rest")
    health = commands.add_parser("health", parents=[shared], help="ask a running proxy if it is up")
    health.add_argument("--live", action="store_true", help="only whether its event loop turns")
    models = commands.add_parser("models", parents=[shared], help="the embedding model")
    models.add_argument("action", choices=["fetch"], help="fetch its weights if they are missing")
    return parser


def _serve(settings: Settings, _options: argparse.Namespace) -> int:
    from memory.errors import RecollectError

    from .preflight import collisions
    from .serve import serve
    from .telemetry import configure_logging

    if problems := collisions():
        _say("recollect: " + "\n".join(problems))
        return 1
    configure_logging(settings.telemetry.log_level)
    try:
        asyncio.run(serve(settings, on_ready=lambda url: _welcome(url, settings)))
    except RecollectError as error:
        _say(f"recollect: cannot start: {error}\nrun `recollect check` to see every part")
        return 1
    except OSError as error:
        where = f"{settings.listen.host}:{settings.listen.port}"
        if error.errno == errno.EADDRINUSE:
            _say(f"recollect: {where} is taken by another program; choose another with --port")
        else:
            _say(f"recollect: cannot listen on {where}: {error.strerror or error}")
        return 1
    return 0


def _welcome(url: str, settings: Settings) -> None:
    _say(
        f"Recollect {_version()} is ready: {url} -> {settings.upstream.base_url}\n"
        f"  use it:      export OPENAI_BASE_URL={url}/v1\n"
        f"  its memory:  {settings.data_dir}"
    )


def _check(settings: Settings, _options: argparse.Namespace) -> int:
    from .checks import check, render

    findings = asyncio.run(check(settings))
    print(render(findings))  # noqa: T201 - what was asked for
    return 0 if all(finding.ok for finding in findings) else 1


def _health(settings: Settings, options: argparse.Namespace) -> int:
    host = settings.listen.host
    # A bind to every address is asked for on this machine.
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - not a bind
    connection = http.client.HTTPConnection(host, settings.listen.port, timeout=HEALTH_SECONDS)
    try:
        connection.request("GET", "/healthz" if options.live else "/readyz")
        answer = connection.getresponse()
        print(answer.read().decode("utf-8", "replace"))  # noqa: T201 - what was asked for
    except (OSError, http.client.HTTPException) as error:
        _say(f"recollect: no answer from {host}:{settings.listen.port}: {error}")
        return 1
    finally:
        connection.close()
    return 0 if answer.status == http.HTTPStatus.OK else 1


def _models(settings: Settings, _options: argparse.Namespace) -> int:
    from memory.embedders import LocalEmbedderOptions
    from memory.errors import EmbeddingError

    from .models import fetch

    model_dir = (
        settings.embedder.model_dir if isinstance(settings.embedder, LocalEmbedderOptions) else None
    )
    if model_dir is None:
        _say(f"embedder.backend {settings.embedder.backend} needs no weights")
        return 0
    try:
        fetched = fetch(model_dir)
    except EmbeddingError as error:
        _say(f"recollect: {error}")
        return 1
    _say(f"embedding weights: {'fetched into' if fetched else 'are in'} {model_dir}")
    return 0


def _version() -> str:
    try:
        return version("recollect")
    except PackageNotFoundError:
        return "(not installed)"


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201 - for the person at the terminal
