"""The drivers of the room, made from the parts of an engine."""

from __future__ import annotations

from ..forget import Forgetter
from ..recall.index.statement_reader import StatementReader
from ..records.parts import Parts
from ..util.fair_thread_pool import FairThreadPool
from .exporting import Exporter, Pause
from .importing import Importer
from .line_trust import Redact


class Transfer:
    """Exports and imports."""

    def __init__(
        self,
        parts: Parts,
        forgetter: Forgetter,
        heard: StatementReader,
        *,
        redact: Redact,
        bulk: FairThreadPool,
        pause: Pause,
    ) -> None:
        """`heard` finds what was said. `pause` is awaited between pages, so that chats go first."""
        self.exporter = Exporter(parts, heard, bulk=bulk, pause=pause)
        self.importer = Importer(parts, forgetter, heard, redact=redact, bulk=bulk, pause=pause)
