"""Moves memories: exports them as lines of JSON, and imports such lines again."""

from .audit_check import AuditBrokenError, AuditCheck
from .audit_log import audit_lines
from .exporting import Exporter
from .files import NewFile
from .importing import Importer
from .line_reader import check_header
from .lines import Header, end_line, header_line, unread_line
from .preparing import Reads
from .seals import Seals
from .state import EmbedWhen, ImportedDict, ImportOptions, ImportState, OnError

__all__ = [
    "AuditBrokenError",
    "AuditCheck",
    "EmbedWhen",
    "Exporter",
    "Header",
    "ImportOptions",
    "ImportState",
    "ImportedDict",
    "Importer",
    "NewFile",
    "OnError",
    "Reads",
    "Seals",
    "audit_lines",
    "check_header",
    "end_line",
    "header_line",
    "unread_line",
]
