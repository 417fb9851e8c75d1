"""Reads what other services export of somebody's chats, one conversation at a time."""

from .archive import Export
from .reading import SERVICES, read_export, read_open
from .said import ForeignConversation, ForeignTurn

__all__ = [
    "SERVICES",
    "Export",
    "ForeignConversation",
    "ForeignTurn",
    "read_export",
    "read_open",
]
