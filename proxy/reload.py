"""Takes over a changed configuration while the product runs: the signal, the log, the values."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Callable, Mapping
from typing import Any

from recollect.config import ConfigError, Settings
from recollect.config.reload import adopt, changed, values_of
from recollect.memory.util.tasks import Tasks

log = logging.getLogger(__name__)

Read = Callable[[], Settings]
"""Reads the configuration again, from where it was read. Raises ConfigError."""
LOG_LEVEL = "telemetry.log_level"


class Reloading:
    """What a running product does when it is told to read its configuration again."""

    def __init__(
        self,
        settings: Settings,
        read: Read,
        told: Callable[[Mapping[str, Any]], None] = lambda _values: None,
    ) -> None:
        """`settings` are as `read` read them; `told` gets what counts now, for other processes."""
        self._settings = settings
        self._read = read
        self._told = told
        self._values = values_of(settings)
        self._tasks = Tasks()

    def listen(self) -> bool:
        """Reload at SIGHUP; False at a terminal, where it means that the terminal was closed."""
        if sys.stdin is not None and sys.stdin.isatty():
            return False
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, self.begin)
        return True

    def begin(self) -> None:
        """Read it, without holding up the loop."""
        self._tasks.start(self._reload(), name="reload")

    async def _reload(self) -> None:
        try:
            new = values_of(await asyncio.to_thread(self._read))
        except ConfigError as error:
            for line in str(error).splitlines():
                log.error("the configuration cannot be used, the old one stays: %s", line)  # noqa: TRY400 - the line says all
            return
        found = changed(self._values, new)
        values = {key: new[key] for key in found.now}
        take(self._settings, values)
        self._told(values)
        self._values |= values
        log.info("configuration read again; changed: %s", ", ".join(found.now) or "nothing")
        if found.later:
            log.warning("these keys count after a restart: %s", ", ".join(found.later))

    async def end(self) -> None:
        """Finish what has begun."""
        await self._tasks.drain(1.0)


def take(settings: Settings, values: Mapping[str, Any]) -> None:
    """Let these values count in this process."""
    adopt(settings, values)
    if LOG_LEVEL in values:
        logging.getLogger().setLevel(values[LOG_LEVEL].upper())
