"""`recollect serve`: what a person is told when it starts, or cannot."""

import asyncio
import errno
import re

import pytest

from recollect.proxy.cli import main
from recollect.proxy.serve import CannotListenError


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.EADDRINUSE, "Address already in use"), "--port"),
        (OSError(13, "Permission denied"), "Permission denied"),
    ],
)
def test_serve_that_cannot_listen(environ, capsys, error, said):
    """A taken port says how to choose another; every other refusal is told as it is."""

    async def refuse(_settings, **_):
        raise CannotListenError from error

    environ.setattr("recollect.proxy.serve.serve", refuse)
    environ.setattr("recollect.proxy.telemetry.logs.configure_logging", lambda _level: None)
    assert main(["serve"]) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("command", ["serve", "worker"])
def test_the_first_line_comes_before_anything_is_loaded(environ, capsys, command):
    """Whoever waits knows what for, even if the settings are wrong."""
    environ.setenv("RECOLLECT_LISTEN__PORT", "a lot")
    assert main([command]) == 2
    assert re.match(r"Recollect \S+ is starting\n", capsys.readouterr().err)


def test_ctrl_c_while_loading_is_one_line(environ, capsys):
    """No traceback; the status is that of an interrupted program."""

    def interrupt(**_):
        raise KeyboardInterrupt

    environ.setattr("recollect.config.load_settings", interrupt)
    assert main(["serve"]) == 130
    assert capsys.readouterr().err.endswith("recollect: stopped\n")


def test_serve_that_cannot_open_a_part(environ, capsys):
    """The reason, and the command that looks at every part."""
    from recollect.memory.model.errors import StoreError

    async def refuse(_settings, **_):
        raise StoreError("the store is locked")

    environ.setattr("recollect.proxy.serve.serve", refuse)
    environ.setattr("recollect.proxy.telemetry.logs.configure_logging", lambda _level: None)
    assert main(["serve"]) == 1
    shown = capsys.readouterr().err
    assert "the store is locked" in shown
    assert "recollect check" in shown


def test_serve_refuses_a_foreign_environment(environ, capsys):
    """A collision is told before anything is opened."""
    environ.setattr(
        "recollect.proxy.commands.preflight.collisions", lambda: ["the package `proxy` is taken"]
    )
    assert main(["serve"]) == 1
    assert "is taken" in capsys.readouterr().err


def test_serve_welcomes(environ, capsys):
    """Ready, it says what to set in the client and where the memories are."""

    async def served(_settings, on_ready, read):
        await asyncio.sleep(0)
        on_ready("http://127.0.0.1:8787")

    environ.setattr("recollect.proxy.serve.serve", served)
    environ.setattr("recollect.proxy.telemetry.logs.configure_logging", lambda _level: None)
    assert main(["serve"]) == 0
    assert "OPENAI_BASE_URL=http://127.0.0.1:8787/v1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("enabled", "told"),
    [("true", "http://127.0.0.1:8787/docs\n"), ("false", "off (api.enabled)\n")],
)
def test_the_welcome_names_the_page_of_the_memory_api(environ, capsys, enabled, told):
    """Where to look next; also of a server that listens on every address."""

    async def ready(_settings, *, on_ready, read):
        on_ready("http://0.0.0.0:8787")

    environ.setenv("RECOLLECT_API__ENABLED", enabled)
    environ.setattr("recollect.proxy.serve.serve", ready)
    environ.setattr("recollect.proxy.telemetry.logs.configure_logging", lambda _level: None)
    assert main(["serve"]) == 0
    assert f"memory API:  {told}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("enabled", "told"),
    [("true", "http://127.0.0.1:8787/dashboard\n"), ("false", "off (api.enabled)\n")],
)
def test_the_welcome_names_the_dashboard(environ, capsys, enabled, told):
    """A person who starts the server sees where to look at it."""

    async def ready(_settings, *, on_ready, read):
        on_ready("http://0.0.0.0:8787")

    environ.setenv("RECOLLECT_API__ENABLED", enabled)
    environ.setattr("recollect.proxy.serve.serve", ready)
    environ.setattr("recollect.proxy.telemetry.logs.configure_logging", lambda _level: None)
    assert main(["serve"]) == 0
    assert f"dashboard:   {told}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("url", "use"),
    [
        ("http://127.0.0.1:8787", "http://127.0.0.1:8787/v1\n"),
        ("http://0.0.0.0:8787", "http://127.0.0.1:8787/v1 (elsewhere: "),
        ("http://[::]:8787", "http://[::1]:8787/v1 (elsewhere: "),
    ],
)
def test_the_url_for_clients_is_one_that_they_can_reach(environ, capsys, url, use):
    """A server that listens on every address is not at 0.0.0.0."""

    async def ready(_settings, *, on_ready, read):
        on_ready(url)

    environ.setattr("recollect.proxy.serve.serve", ready)
    environ.setattr("recollect.proxy.telemetry.logs.configure_logging", lambda _level: None)
    assert main(["serve"]) == 0
    assert f"export OPENAI_BASE_URL={use}" in capsys.readouterr().err
