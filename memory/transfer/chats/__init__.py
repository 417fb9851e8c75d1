"""Reads what other services export of somebody's chats, one conversation at a time."""

from .archive import Export
from .reading import read_export, read_open
from .said import ForeignConversation

__all__ = ["Export", "ForeignConversation", "read_export", "read_open"]
