"""A title that a client asks one worker for, about a turn that another one answered."""

from __future__ import annotations

import asyncio
from pathlib import Path

from recollect.filters.exchange import Answer, Exchange, Manner
from recollect.filters.side_requests import LastTurns
from recollect.memory.model.types import Message, Scope
from recollect.memory.util.tasks import Tasks
from recollect.proxy.chat.shared_turns import share_turns
from tests.support.siblings import listening, meshes
from tests.support.waiting import HANG_SECONDS

ALICE = Scope(tenant="local", user_id="alice")
BOB = Scope(tenant="local", user_id="bob")
ASKED = "Which of the glazes for porcelain may be fired at cone ten in a gas kiln?"
TOLD = "Celadon, tenmoku and copper red are fired at cone ten, in reduction."
TITLE = f"Write a title of three words.\nUser: {ASKED}\nAssistant: {TOLD}"


def _exchange(text: str, scope: Scope = ALICE, **manner: bool) -> Exchange:
    return Exchange(
        scope=scope,
        messages=[Message(role="user", content=text)],
        model="m",
        conversation_id="c",
        turn_id=f"turn {text[:10]}",
        manner=Manner(**manner),
    )


async def test_a_title_is_recognised_by_the_other_worker(tmp_path: Path) -> None:
    """As by the one that answered the turn; for another user it is a turn."""
    one, two = meshes(tmp_path)
    here, there = LastTurns(), LastTurns()
    tasks = Tasks()
    share_turns(here, one, tasks)
    share_turns(there, two, tasks)
    turn = _exchange(ASKED, stream=True)
    async with asyncio.timeout(HANG_SECONDS), listening(two, one):
        here.note(turn)
        here.answered(turn, Answer(TOLD))
        while not there.tell(_exchange(TITLE)):
            await asyncio.sleep(0.01)
    await tasks.join()
    assert here.tell(_exchange(TITLE))
    assert not there.tell(_exchange(TITLE, BOB))
