"""Moves memories: exports them as lines of JSON, and imports such lines again."""

from .driver import Transfer
from .exporting import Page
from .lines import Header, end_line, header_line
from .seals import Seals
from .state import (
    EmbedWhen,
    ImportCounts,
    ImportedDict,
    ImportOptions,
    ImportState,
    OnError,
)

__all__ = [
    "EmbedWhen",
    "Header",
    "ImportCounts",
    "ImportOptions",
    "ImportState",
    "ImportedDict",
    "OnError",
    "Page",
    "Seals",
    "Transfer",
    "end_line",
    "header_line",
]
