"""`recollect worker`: what a person is told when it starts, or cannot."""

import pytest

from recollect.proxy.cli import main
from tests.support.folding import rows

ENOUGH = {
    "LEARN__LLM__MODEL": "m",
    "DATABASE__URL": "postgresql://user:password@127.0.0.1:1/recollect",
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
