"""Moves memories: exports them as lines of JSON, and imports such lines again."""

from .driver import Transfer
from .exporting import ExportPage
from .files import NewFile
from .lines import Header, end_line, header_line
from .reading import check_header
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
    "ExportPage",
    "Header",
    "ImportCounts",
    "ImportOptions",
    "ImportState",
    "ImportedDict",
    "NewFile",
    "OnError",
    "Seals",
    "Transfer",
    "check_header",
    "end_line",
    "header_line",
]
