"""What every state backend must do: one contract per port, gathered here."""

from __future__ import annotations

from tests.memory.state.contracts.conversations import ConversationContract
from tests.memory.state.contracts.forgetting import TombstoneContract
from tests.memory.state.contracts.history import HistoryContract
from tests.memory.state.contracts.jobs import JobContract
from tests.memory.state.contracts.ledger import LedgerContract
from tests.memory.state.contracts.locks import LockContract
from tests.memory.state.contracts.offers import OffersContract
from tests.memory.state.contracts.standings import StandingsContract
from tests.memory.state.contracts.usage import UsageContract
from tests.memory.state.samples import ALICE, ALICE_WORK, BOB, NOON, OTHER_ALICE, job, record, turn

__all__ = [
    "ALICE",
    "ALICE_WORK",
    "BOB",
    "NOON",
    "OTHER_ALICE",
    "ConversationContract",
    "HistoryContract",
    "JobContract",
    "LedgerContract",
    "LockContract",
    "OffersContract",
    "StandingsContract",
    "TombstoneContract",
    "UsageContract",
    "job",
    "record",
    "turn",
]
