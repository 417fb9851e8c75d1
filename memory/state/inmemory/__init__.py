"""All durable state in dictionaries: for tests and throw-away memories."""

from .conversations import InMemoryConversations
from .history import InMemoryHistory
from .jobs import InMemoryJobs
from .ledger import InMemoryLedger
from .offers import InMemoryOffers
from .standings import InMemoryStandings
from .tombstones import InMemoryTombstones
from .usage import InMemoryUsage

__all__ = [
    "InMemoryConversations",
    "InMemoryHistory",
    "InMemoryJobs",
    "InMemoryLedger",
    "InMemoryOffers",
    "InMemoryStandings",
    "InMemoryTombstones",
    "InMemoryUsage",
]
