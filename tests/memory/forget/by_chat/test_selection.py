"""What a request means among all that is stored."""

from types import SimpleNamespace

from recollect.memory.forget.by_chat.selection import TargetSelection
from recollect.memory.forget.query_matches import Nearest
from recollect.memory.forget.search import MatchesToForget
from recollect.memory.model.types import Scope

SCOPE = Scope(tenant="local", user_id="alice")
JOB, CAR, DOG = (SimpleNamespace(id=name) for name in ("job", "car", "dog"))


class Found:
    """A forgetter that finds what it is told to find."""

    def __init__(self, **found):
        self.found = found

    async def find(self, _scope, query, _most):
        meant, nearest = self.found.get(query, ([], []))
        return MatchesToForget(meant, [], [Nearest(*each) for each in nearest])

    async def items_of(self, _scope):
        return [JOB, CAR, DOG]

    async def propose_items(self, _scope, items, *, near=()):
        return [item.id for item in items]


async def test_what_is_named_is_meant_and_nothing_beside_it():
    """The nearest counts where nothing is named, and only of a wish that is sure."""
    far = [(CAR, 0.6), (DOG, 0.2)]
    choosing = TargetSelection(Found(work=([JOB], far), wheels=([], far)))
    assert await choosing.meant(SCOPE, "work", told=["wheels"]) == ["job"]
    assert await choosing.meant(SCOPE, "wheels", told=["wheels"]) == ["car"]
    assert await choosing.meant(SCOPE, "wheels") == []


async def test_two_wordings_that_mean_two_mean_none():
    """Nobody knows which."""
    clear = {"a": ([], [(CAR, 0.6), (DOG, 0.2)]), "b": ([], [(DOG, 0.6), (CAR, 0.2)])}
    assert await TargetSelection(Found(**clear)).meant(SCOPE, "it", told=["a", "b"]) == []
    assert await TargetSelection(Found(**clear)).meant(SCOPE, "it", told=["a"]) == ["car"]


async def test_each_of_two_things_is_meant_if_both_are_found():
    """Else what the whole of it means."""
    choosing = TargetSelection(Found(work=([JOB], []), wheels=([CAR], []), both=([CAR], [])))
    assert await choosing.meant(SCOPE, "both", each=["work", "wheels"]) == ["job", "car"]
    assert await choosing.meant(SCOPE, "both", each=["work", "boat"]) == ["car"]


async def test_what_is_excepted_stays():
    """The nearest to it, if nothing is named; without any nothing is proposed."""
    choosing = TargetSelection(Found(wheels=([], [(CAR, 0.3), (DOG, 0.25)]), all=([JOB, CAR], [])))
    assert await choosing.all_but(SCOPE, "wheels") == ["job", "dog"]
    assert await choosing.meant(SCOPE, "all", but="wheels") == ["job"]
    assert await choosing.all_but(SCOPE, "zebra") is None
