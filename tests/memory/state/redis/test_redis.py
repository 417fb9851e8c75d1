"""The Redis state keeps the contracts, on a real server."""

from __future__ import annotations

import pytest

from recollect.memory.state.redis import RedisState
from recollect.memory.state.redis.conversations import RedisConversations
from recollect.memory.state.redis.jobs import RedisJobs
from recollect.memory.state.redis.ledger import RedisLedger
from recollect.memory.state.redis.offers import RedisOffers
from recollect.memory.state.redis.standings import RedisStandings
from recollect.memory.state.redis.tombstones import RedisTombstones
from tests.memory.state.contract import (
    ConversationContract,
    JobContract,
    LedgerContract,
    OffersContract,
    StandingsContract,
    TombstoneContract,
    UsageContract,
)


class TestConversations(ConversationContract):
    @pytest.fixture
    def conversations(self, state: RedisState) -> RedisConversations:
        return state.conversations


class TestJobs(JobContract):
    @pytest.fixture
    def jobs(self, state: RedisState) -> RedisJobs:
        return state.jobs


class TestTombstones(TombstoneContract):
    @pytest.fixture
    def tombstones(self, state: RedisState) -> RedisTombstones:
        return state.tombstones


class TestLedger(LedgerContract):
    @pytest.fixture
    def ledger(self, state: RedisState) -> RedisLedger:
        return state.ledger


class TestOffers(OffersContract):
    @pytest.fixture
    def offers(self, state: RedisState) -> RedisOffers:
        return state.offers


class TestStandings(StandingsContract):
    @pytest.fixture
    def standings(self, state: RedisState) -> RedisStandings:
        return state.standings


class TestUsage(UsageContract):
    """The fixture `state` is that of the folder."""
