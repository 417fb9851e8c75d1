"""Conversations, jobs and history in dictionaries: for tests and throw-away memories."""

from .conversations import InMemoryConversations
from .history import InMemoryHistory
from .jobs import InMemoryJobs

__all__ = ["InMemoryConversations", "InMemoryHistory", "InMemoryJobs"]
