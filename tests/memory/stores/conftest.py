"""Notes which tests of stores passed, if `STORES_RECORD` names a file: `benchmarks/stores/record.py`."""

from __future__ import annotations

import json
import os
from pathlib import Path

_OUTCOMES: dict[str, str] = {}


def pytest_runtest_logreport(report):
    """The worst of set-up, call and end."""
    if report.when == "call" or report.outcome != "passed":
        _OUTCOMES[report.nodeid] = report.outcome


def pytest_sessionfinish(session):
    """Write them down, where all of them are known."""
    file = os.environ.get("STORES_RECORD")
    if file and not hasattr(session.config, "workerinput"):
        Path(file).write_text(json.dumps(_OUTCOMES), "utf-8")
