"""`recollect graph`, whose export is a file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from .api_client import add_scope_to
from .moving import written_to
from .operated import PartCommand, operation_of
from .terminal import Progress, say

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory.operations.declaring import Declared

_EXPORT = "export"


class GraphCommand(PartCommand):
    """The operations on the graph; `export` writes all pages of its operation."""

    def _fill(self, action: argparse.ArgumentParser, asked: Declared) -> None:
        if asked.word != _EXPORT:
            super()._fill(action, asked)
            return
        add_scope_to(action, ids=True)
        action.add_argument("file", metavar="FILE", help="the file; - for standard output")

    def run(self, settings: Settings, options: argparse.Namespace) -> int:
        """As others; of an export, 1 if the file cannot be written."""
        if options.action != _EXPORT:
            return super().run(settings, options)
        self._write(settings, options)
        return 0

    def _write(self, settings: Settings, options: argparse.Namespace) -> None:
        from recollect.memory.api.cypher import HEAD

        asked, relations = operation_of("graph", _EXPORT), 0
        options.limit, options.offset = None, 0
        with written_to(options.file) as sink, Progress("exporting") as progress:
            sink.write(HEAD.encode())
            more = True
            while more:
                page = self._answer(settings, asked, options)
                sink.write(page["cypher"].encode())
                options.offset += page["entities"]
                relations += page["relations"]
                more = page["more"]
                progress(options.offset, None)
        say(f"{options.offset:,} entities and {relations:,} relations exported")
