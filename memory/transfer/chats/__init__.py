"""Reads what other services export of somebody's chats, one conversation at a time."""

from .reading import SERVICES, read_export
from .said import ForeignConversation, ForeignTurn

__all__ = ["SERVICES", "ForeignConversation", "ForeignTurn", "read_export"]
