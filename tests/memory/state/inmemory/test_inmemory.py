"""The in-memory state keeps the contracts."""

import pytest

from recollect.memory.state import State
from recollect.memory.state.inmemory import (
    InMemoryConversations,
    InMemoryHistory,
    InMemoryJobs,
    InMemoryLedger,
    InMemoryOffers,
    InMemoryStandings,
    InMemoryTombstones,
)
from tests.memory.state.contract import (
    ConversationContract,
    HistoryContract,
    JobContract,
    LedgerContract,
    OffersContract,
    StandingsContract,
    TombstoneContract,
    UsageContract,
)
from tests.support.parts import parts_of


class TestConversations(ConversationContract):
    @pytest.fixture
    def conversations(self) -> InMemoryConversations:
        return InMemoryConversations()


class TestJobs(JobContract):
    @pytest.fixture
    def jobs(self) -> InMemoryJobs:
        return InMemoryJobs()


class TestHistory(HistoryContract):
    @pytest.fixture
    def history(self) -> InMemoryHistory:
        return InMemoryHistory()


class TestTombstones(TombstoneContract):
    @pytest.fixture
    def tombstones(self) -> InMemoryTombstones:
        return InMemoryTombstones()


class TestLedger(LedgerContract):
    @pytest.fixture
    def ledger(self) -> InMemoryLedger:
        return InMemoryLedger()


class TestOffers(OffersContract):
    @pytest.fixture
    def offers(self) -> InMemoryOffers:
        return InMemoryOffers()


class TestStandings(StandingsContract):
    @pytest.fixture
    def standings(self) -> InMemoryStandings:
        return InMemoryStandings()


class TestUsage(UsageContract):
    @pytest.fixture
    def state(self) -> State:
        return parts_of().state
