"""The log of the process."""

import logging

from recollect.proxy.telemetry.logs import configure_logging


def test_logging_keeps_other_libraries_quiet():
    """Their information lines name requests of other services; our level is the configured one."""
    root = logging.getLogger()
    before, handlers = root.level, root.handlers[:]
    root.handlers.clear()
    try:
        configure_logging("debug")
        assert root.level == logging.DEBUG
        for name in ("httpx", "openai", "pymilvus", "aiohttp.access"):
            assert logging.getLogger(name).level == logging.WARNING
    finally:
        root.handlers[:] = handlers
        root.setLevel(before)
