"""What is in memory, of all siblings."""

from recollect.memory.engine.warm_indexes import WarmIndexes, Warmth
from recollect.memory.model.types import Scope
from recollect.memory.recall.index.key import IndexKey
from recollect.memory.util.sibling_messages import SiblingFailedError

ADA = Scope(tenant="t", user_id="ada")
BOB = Scope(tenant="t", user_id="bob")
OTHER = Scope(tenant="other", user_id="ada")
AGENT = Scope(tenant="t", agent_id="a")


class Indexes:
    def __init__(self, **sizes):
        scopes = {"ada": ADA, "bob": BOB, "other": OTHER, "agent": AGENT}
        self._sizes = {IndexKey.of(scopes[name]): size for name, size in sizes.items()}

    def sizes(self):
        return self._sizes


class Sibling:
    others = (1, 2)


class OneMesh:
    """Leads to one sibling; the other does not run."""

    sibling = Sibling()

    def __init__(self):
        self.heard = None

    def on(self, _topic, handler):
        self.handler = handler

    async def ask(self, number, _topic, **values):
        if number == 2:
            raise SiblingFailedError("it does not run")
        return await self.heard.handler(values)


async def test_of_a_scope_the_index_that_serves_it():
    """With an agent, the user's; nothing if it is not in memory."""
    warm = WarmIndexes(Indexes(ada=(3, 100), other=(9, 900)))
    with_agent = Scope(tenant="t", user_id="ada", agent_id="x")
    assert await warm.of(with_agent) == Warmth(users=1, memories=3, nbytes=100)
    assert await warm.of(BOB) == Warmth()


async def test_siblings_are_asked():
    """A user whom two have counts once, the room twice; who does not answer is left out."""
    sibling_messages, other = OneMesh(), OneMesh()
    WarmIndexes(Indexes(ada=(3, 90), bob=(2, 50), other=(9, 900)), other)
    sibling_messages.heard = other
    warm = WarmIndexes(Indexes(ada=(3, 100)), sibling_messages)
    assert await warm.of("t") == Warmth(users=2, memories=5, nbytes=240)
    assert await warm.of(ADA) == Warmth(users=1, memories=3, nbytes=190)
