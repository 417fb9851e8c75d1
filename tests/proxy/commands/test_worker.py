"""`recollect worker`: what a person is told when it starts, or cannot."""

import pytest

from recollect.memory.model.errors import StateError
from recollect.proxy.cli import main
from tests.support.folding import rows

ENOUGH = {
    "LEARN__LLM__MODEL": "m",
    "DATABASE__URL": "postgresql://user:password@127.0.0.1:1/recollect",
    "INDEX__BACKEND": "milvus",
    "INDEX__URI": "http://127.0.0.1:1",
}


@pytest.fixture
def configured(environ):
    """All that a worker needs, as settings."""
    for name, value in ENOUGH.items():
        environ.setenv(f"RECOLLECT_{name}", value)
    environ.setattr("recollect.proxy.telemetry.logs.configure_logging", lambda _level: None)
    return environ


@rows(
    "changes, key",
    [
        ({"LEARN__LLM__MODEL": None}, "learn.llm"),
        ({"DATABASE__URL": None}, "database.url"),
        ({"DATABASE__URL": ":memory:"}, "database.url"),
        ({"INDEX__URI": "memories.db"}, "index.uri"),
        ({"INDEX__BACKEND": "exact", "INDEX__URI": None}, "index.uri"),
    ],
)
def test_what_it_cannot_do_without(configured, capsys, changes, key):
    """A model of its own, and a database and a store that are shared: what is not is named."""
    with configured.context() as patch:
        for name, value in changes.items():
            if value is None:
                patch.delenv(f"RECOLLECT_{name}")
            else:
                patch.setenv(f"RECOLLECT_{name}", value)
        assert main(["worker"]) == 1
    shown = capsys.readouterr().err
    assert key in shown
    assert "recollect check" in shown
    assert "ready" not in shown


def test_a_part_that_cannot_be_opened(configured, capsys):
    """The reason, and the command that looks at every part; no trace."""

    async def refuse(_settings, **_):
        raise StateError("redis is away")

    configured.setattr("recollect.proxy.worker_process.run_worker", refuse)
    assert main(["worker"]) == 1
    shown = capsys.readouterr().err
    assert "redis is away" in shown
    assert "recollect check" in shown
    assert "Traceback" not in shown


def test_it_says_when_it_is_ready(configured, capsys):
    """Only then, so that whoever starts it can wait for the line."""

    async def run(_settings, *, on_ready, read):
        assert "ready" not in capsys.readouterr().err
        on_ready()

    configured.setattr("recollect.proxy.worker_process.run_worker", run)
    assert main(["worker"]) == 0
    assert "is ready to learn" in capsys.readouterr().err
