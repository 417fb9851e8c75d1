"""`recollect serve`: what a person is told when it starts, or cannot."""

import asyncio

import pytest

from recollect.proxy.cli import main


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(98, "Address already in use"), "--port"),
        (OSError(13, "Permission denied"), "Permission denied"),
    ],
)
def test_serve_that_cannot_listen(environ, capsys, error, said):
    """A taken port says how to choose another; every other refusal is told as it is."""

    async def refuse(_settings, **_):
        raise error

    environ.setattr("recollect.proxy.serve.serve", refuse)
    environ.setattr("recollect.proxy.telemetry.configure_logging", lambda _level: None)
    assert main(["serve"]) == 1
    assert said in capsys.readouterr().err


def test_serve_that_cannot_open_a_part(environ, capsys):
    """The reason, and the command that looks at every part."""
    from recollect.memory.errors import StoreError

    async def refuse(_settings, **_):
        raise StoreError("the store is locked")

    environ.setattr("recollect.proxy.serve.serve", refuse)
    environ.setattr("recollect.proxy.telemetry.configure_logging", lambda _level: None)
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

    async def served(_settings, on_ready):
        await asyncio.sleep(0)
        on_ready("http://127.0.0.1:8787")

    environ.setattr("recollect.proxy.serve.serve", served)
    environ.setattr("recollect.proxy.telemetry.configure_logging", lambda _level: None)
    assert main(["serve"]) == 0
    assert "OPENAI_BASE_URL=http://127.0.0.1:8787/v1" in capsys.readouterr().err
