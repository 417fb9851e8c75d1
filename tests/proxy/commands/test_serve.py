"""`recollect serve`: what a person is told when it starts, or cannot."""

import errno
import re

from recollect.memory.model.errors import StoreError
from recollect.proxy.cli import main
from recollect.proxy.serve import CannotListenError
from tests.support.folding import rows


@rows(
    "error, said",
    [
        (CannotListenError(OSError(errno.EADDRINUSE, "Address already in use")), "--port"),
        (CannotListenError(OSError(13, "Permission denied")), "Permission denied"),
        (StoreError("the store is locked"), "the store is locked"),
        (StoreError("the store is locked"), "recollect check"),
    ],
)
def test_a_start_that_fails_says_why_and_what_to_do(environ, capsys, error, said):
    """A taken port says how to choose another; a part that does not open, what looks at every part."""

    async def refuse(_settings, **_):
        raise error from error.args[0] if isinstance(error, CannotListenError) else None

    environ.setattr("recollect.proxy.serve.serve", refuse)
    environ.setattr("recollect.proxy.telemetry.logs.configure_logging", lambda _level: None)
    assert main(["serve"]) == 1
    assert said in capsys.readouterr().err


@rows("command", ["serve", "worker"])
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


def test_serve_refuses_a_foreign_environment(environ, capsys):
    """A collision is told before anything is opened."""
    environ.setattr(
        "recollect.proxy.commands.preflight.collisions", lambda: ["the package `proxy` is taken"]
    )
    assert main(["serve"]) == 1
    assert "is taken" in capsys.readouterr().err


@rows(
    "url, api, told",
    [
        (
            "http://127.0.0.1:8787",
            "true",
            ("export OPENAI_BASE_URL=http://127.0.0.1:8787/v1\n",),
        ),
        (
            "http://0.0.0.0:8787",
            "true",
            (
                "export OPENAI_BASE_URL=http://127.0.0.1:8787/v1 (elsewhere: ",
                "memory API:  http://127.0.0.1:8787/docs\n",
                "dashboard:   http://127.0.0.1:8787/dashboard\n",
            ),
        ),
        ("http://[::]:8787", "true", ("export OPENAI_BASE_URL=http://[::1]:8787/v1 (elsewhere: ",)),
        (
            "http://0.0.0.0:8787",
            "false",
            ("memory API:  off (api.enabled)\n", "dashboard:   off (api.enabled)\n"),
        ),
    ],
)
def test_the_welcome_says_what_to_set_and_where_to_look(environ, capsys, url, api, told):
    """Addresses that a client can reach: a server that listens on every address is not at 0.0.0.0."""

    async def ready(_settings, *, on_ready, read):
        on_ready(url)

    environ.setenv("RECOLLECT_API__ENABLED", api)
    environ.setattr("recollect.proxy.serve.serve", ready)
    environ.setattr("recollect.proxy.telemetry.logs.configure_logging", lambda _level: None)
    assert main(["serve"]) == 0
    shown = capsys.readouterr().err
    for words in told:
        assert words in shown
