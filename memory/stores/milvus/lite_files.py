"""Whether the files of an embedded Milvus are where they were opened; logs what changes."""

from __future__ import annotations

import logging
from collections.abc import Callable

log = logging.getLogger(__name__)


class LiteFiles:
    """Notices that the files are gone, and that they are back. Logs both once."""

    def __init__(self, gone: Callable[[], str], gone_log: Callable[[], str]) -> None:
        """Each says what happened, to the folder and to its log; empty if nothing did."""
        self._of_folder, self._of_log = gone, gone_log
        self._known = ""

    def look(self, *, log_too: bool = True) -> str:
        """What happened to them since they were opened; empty if they are there.

        `log_too`: also to its log, which a flush makes anew.
        """
        gone, known = self._of_folder(), self._known
        if not gone:
            if not log_too:
                return ""
            gone = self._of_log()
        if gone and not known:
            log.error("%s; no memory is written until it is back", gone)
        elif known and not gone:
            log.warning("the memories are back: they are written again")
        self._known = gone
        return gone
