"""What every state backend must do: one contract per port, and all of them for a whole state."""

from __future__ import annotations

import pytest

from tests.memory.state.contracts.accepted import AcceptedContract
from tests.memory.state.contracts.attachments import AttachmentsContract
from tests.memory.state.contracts.blocks import BlocksContract
from tests.memory.state.contracts.conversations import ConversationContract
from tests.memory.state.contracts.counting import CountingContract
from tests.memory.state.contracts.forgetting import TombstoneContract
from tests.memory.state.contracts.graph import GraphContract
from tests.memory.state.contracts.history import HistoryContract
from tests.memory.state.contracts.jobs import JobContract
from tests.memory.state.contracts.runs import RunsContract
from tests.memory.state.contracts.tasks import TasksContract
from tests.memory.state.contracts.usage import UsageContract
from tests.memory.state.samples import ALICE, ALICE_WORK, BOB, NOON, OTHER_ALICE, job, record, turn

__all__ = [
    "ALICE",
    "ALICE_WORK",
    "BOB",
    "NOON",
    "OTHER_ALICE",
    "ConversationContract",
    "GraphContract",
    "HistoryContract",
    "JobContract",
    "ScriptedContract",
    "StateContract",
    "job",
    "record",
    "turn",
]


class ScriptedContract(
    TombstoneContract,
    CountingContract,
    AcceptedContract,
    AttachmentsContract,
    BlocksContract,
    RunsContract,
    TasksContract,
):
    """The contracts of what is written once for every SQL database; the module has `state`."""

    @pytest.fixture
    def tombstones(self, state):
        return state.tombstones

    @pytest.fixture
    def ledger(self, state):
        return state.ledger

    @pytest.fixture
    def sums(self, state):
        return state.sums

    @pytest.fixture
    def standings(self, state):
        return state.standings

    @pytest.fixture
    def offers(self, state):
        return state.offers

    @pytest.fixture
    def switches(self, state):
        return state.switches

    @pytest.fixture
    def accepted(self, state):
        return state.accepted

    @pytest.fixture
    def attachments(self, state):
        return state.attachments

    @pytest.fixture
    def blocks(self, state):
        return state.blocks

    @pytest.fixture
    def runs(self, state):
        return state.runs

    @pytest.fixture
    def tasks(self, state):
        return state.tasks


class StateContract(ScriptedContract, ConversationContract, JobContract, UsageContract):
    """The contracts of all parts of the fixture `state`, which the module provides."""

    @pytest.fixture
    def conversations(self, state):
        return state.conversations

    @pytest.fixture
    def jobs(self, state):
        return state.jobs
