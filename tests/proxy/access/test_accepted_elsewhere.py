"""What one replica learns of a credential the others know."""

from __future__ import annotations

from http import HTTPStatus

import pytest

from recollect.memory.model.admission import Judged
from recollect.memory.model.errors import StateError
from recollect.proxy.access.accepted import Accepted
from recollect.proxy.access.accepted_elsewhere import AcceptedElsewhere


class Shared:
    """An `Admission` in this process."""

    def __init__(self):
        self.moment = 10_000
        self.notes = {}
        self.down = False

    async def judge(self, tenant, *, accepted):
        if self.down:
            raise StateError("down")
        self.notes[tenant] = (accepted, self.moment)

    async def judged(self, since):
        if self.down:
            raise StateError("down")
        self.moment += 1_000
        new = {name: yes for name, (yes, at) in self.notes.items() if at >= since}
        return Judged(
            self.moment,
            [name for name, yes in new.items() if yes],
            [name for name, yes in new.items() if not yes],
        )


@pytest.fixture
def replicas():
    shared = Shared()
    seen = [Accepted(), Accepted()]
    return shared, seen, [AcceptedElsewhere(one, shared) for one in seen]


async def test_a_tenant_is_known_at_every_replica_and_forgotten_there(replicas):
    """After one round of each: first accepted, then refused."""
    _, (here, there), (telling, hearing) = replicas
    for status, known in ((HTTPStatus.OK, True), (HTTPStatus.UNAUTHORIZED, False)):
        here.note("t", status)
        await telling.round()
        await hearing.round()
        assert ("t" in there) is known
        assert ("t" in here) is known


async def test_what_could_not_be_told_is_told_later(replicas):
    """A state that is down loses no refusal, and meanwhile nothing older is taken over."""
    shared, (here, there), (telling, hearing) = replicas
    here.note("t", HTTPStatus.OK)
    await telling.round()
    await hearing.round()
    shared.down = True
    here.note("t", HTTPStatus.FORBIDDEN)
    with pytest.raises(StateError):
        await telling.round()
    assert "t" not in here
    shared.down = False
    await telling.round()
    await hearing.round()
    assert "t" not in here
    assert "t" not in there
