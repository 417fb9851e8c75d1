"""The in-memory state keeps the contracts."""

import pytest

from memory.state.inmemory import InMemoryConversations, InMemoryHistory, InMemoryJobs
from tests.memory.state.contract import ConversationContract, HistoryContract, JobContract


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
