"""The conversation store that passes changes on; the contract holds for it as for any other."""

import pytest

from recollect.memory.state.inmemory import InMemoryConversations
from recollect.memory.statements.conversations import HeardConversations
from recollect.memory.statements.options import SaidOptions
from recollect.memory.statements.shelves import Embedding, SaidShelves
from recollect.memory.util.tokens import ApproximateCounter
from tests.memory.state.contract import ConversationContract
from tests.memory.state.samples import ALICE, turn


def heard(on_turn=lambda _, __: None):
    inner = InMemoryConversations()
    shelves = SaidShelves(inner, ApproximateCounter(), SaidOptions(), embedding=Embedding("e", 3))
    return HeardConversations(inner, shelves, on_turn), shelves


class TestContract(ConversationContract):
    @pytest.fixture
    def conversations(self):
        return heard()[0]


async def test_each_turn_is_heard_and_each_erasure_reads_again():
    """Whoever records or erases need not know of shelves; the first turn is told apart."""
    said = []
    conversations, shelves = heard(lambda one, begins: said.append((one.id, begins)))
    await conversations.record(turn("a"))
    await conversations.record(turn("b"))
    assert said == [("c1/a", True), ("c1/b", False)]
    for erase in (conversations.erase(ALICE), conversations.erase_turns(ALICE.tenant, ["c1/a"])):
        before = shelves.epoch(ALICE)
        await erase
        assert shelves.epoch(ALICE) != before
