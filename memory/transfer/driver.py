"""The drivers of the room, made from the parts of an engine."""

from __future__ import annotations

from ..bulk import Bulk
from ..forget import Forgetter
from ..parts import Parts
from .exporting import Exporter, Pause
from .importing import Importer
from .reembedding import Reembedder
from .trusting import Redact


class Transfer:
    """Exports, imports, and embeds again."""

    def __init__(
        self, parts: Parts, forgetter: Forgetter, *, redact: Redact, bulk: Bulk, pause: Pause
    ) -> None:
        """`pause` is awaited between pages, so that chats go first."""
        self.exporter = Exporter(parts, bulk=bulk, pause=pause)
        self.importer = Importer(parts, forgetter, redact=redact, bulk=bulk, pause=pause)
        self.reembedder = Reembedder(parts, forgetter, pause=pause)
