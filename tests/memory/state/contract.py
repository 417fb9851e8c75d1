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
    "part",
    "record",
    "turn",
]


def part(name):
    """The fixture that is this part of the fixture `state`."""

    @pytest.fixture(name=name)
    def of_state(self, state):
        return getattr(state, name)

    return of_state


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

    tombstones, ledger, sums, standings, offers = map(
        part, ("tombstones", "ledger", "sums", "standings", "offers")
    )
    switches, accepted, attachments, blocks, runs, tasks = map(
        part, ("switches", "accepted", "attachments", "blocks", "runs", "tasks")
    )


class StateContract(ScriptedContract, ConversationContract, JobContract, UsageContract):
    """The contracts of all parts of the fixture `state`, which the module provides."""

    conversations, jobs = part("conversations"), part("jobs")
