"""Constants of the product that a test needs to be others: no setting changes them."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import fields, replace
from typing import Any
from unittest.mock import patch

from recollect.memory.recall.constants import Tuning
from recollect.memory.recall.options import RecallOptions
from tests.support.waiting import HANG_SECONDS

TUNED = {each.name for each in fields(Tuning)}
_LEARN = "recollect.memory.learn.options.LearnOptions"
_CONNECTIONS = "recollect.proxy.transport.connections"
PLACES = {
    "learn__add_seconds": "recollect.memory.learn.options.ADD_SECONDS",
    "learn__idle_check_seconds": "recollect.memory.jobs.learning.MAX_IDLE_CHECK_SECONDS",
    "learn__job_seconds": "recollect.memory.learn.options.JOB_SECONDS",
    "learn__lease_seconds": f"{_LEARN}.lease_seconds",
    "learn__max_attempts": f"{_LEARN}.max_attempts",
    "learn__max_retry_seconds": f"{_LEARN}.max_retry_seconds",
    "learn__retry_seconds": f"{_LEARN}.retry_seconds",
    "listen__body_idle_seconds": f"{_CONNECTIONS}.BODY_IDLE_SECONDS",
    "listen__head_seconds": f"{_CONNECTIONS}.HEAD_SECONDS",
    "index__call_seconds": "recollect.memory.index.options._Located.call_seconds",
    "tools__rounds": "recollect.proxy.chat.tooling.loop.ROUNDS",
    "upstream__idle_seconds": "recollect.proxy.transport.upstream.IDLE_SECONDS",
}
"""Where what was a setting once is now, as `pkgutil.resolve_name` reads it."""
PATIENT = (
    "filters.capture.filter.PREPARE_SECONDS",
    "filters.compress.filter.READ_SECONDS",
    "memory.learn.roles.SECONDS",
    "memory.recall.extra_sources.GRAPH_SECONDS",
    "memory.statements.indexer.SHOWN_SECONDS",
    "memory.upkeep.cascade.MOST_WAITED",
    "memory.util.sibling_messages.ANSWER_SECONDS",
    "proxy.access.limits.SHARED_SECONDS",
    "proxy.api.health.PING_SECONDS",
    "proxy.telemetry.scrape.SIBLING_SECONDS",
)
"""How long is waited for what may be done without: no busy machine is tested."""
_WORKER = """import sys
sys.path[:] = sys.argv[1:]
from tests.support.constants import worker
sys.exit(worker({constants!r}))
"""
"""What a parent of workers starts, as `supervisor._CHILD`."""


def made(model: Any, **values: Any) -> Any:
    """Options of a model, checked as always; its constants may be among the values."""
    constants = {name: values.pop(name) for name in [*values] if name in model.__class_vars__}
    return model(**values).model_copy(update=constants)


def recalling(model: Any = RecallOptions, **values: Any) -> Any:
    """Options of recall, with another tuning if the values have some of it."""
    tuning = {name: values.pop(name) for name in [*values] if name in TUNED}
    options = made(model, **values)
    return options.model_copy(update={"tuning": replace(options.tuning, **tuning)})


def apart(settings: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The settings among these, and the constants (`PLACES`)."""
    constants = {name: value for name, value in settings.items() if name in PLACES}
    return {name: value for name, value in settings.items() if name not in PLACES}, constants


@contextmanager
def patient() -> Iterator[None]:
    """Within, what may be done without is waited for; a test of what is late sets its own."""
    with ExitStack() as stack:
        for name in PATIENT:
            stack.enter_context(_other(f"recollect.{name}", HANG_SECONDS))
        yield


@contextmanager
def patched(constants: Mapping[str, Any]) -> Iterator[None]:
    """Within, these constants are others."""
    with ExitStack() as stack:
        for name, value in constants.items():
            stack.enter_context(_other(PLACES[name], value))
        yield


def _other(name: str, value: Any) -> AbstractContextManager[Any]:
    """Within, what has this dotted name is another value."""
    owner, _, attribute = name.rpartition(".")
    return patch.object(pkgutil.resolve_name(owner), attribute, value)


def command(arguments: list[str], constants: dict[str, Any]) -> int:
    """Run a command of the product with these constants, patiently; its workers have them, too."""
    from recollect.proxy.cli import main
    from recollect.proxy.workers import supervisor

    child = _WORKER.format(constants=constants)
    with patient(), patched(constants), patch.object(supervisor, "_CHILD", child):
        return main(arguments)


def worker(constants: dict[str, Any]) -> int:
    """One worker of such a command."""
    from recollect.proxy.workers.child import main

    with patient(), patched(constants):
        return main()
