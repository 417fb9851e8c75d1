"""Work under a lease: who renews it, and what the loss of it ends."""

import asyncio

import pytest

from recollect.memory.jobs.lease import LeaseLostError, while_held
from recollect.memory.model.errors import StateError
from tests.support.clock import Stepped, settled

EVERY = 20.0


async def kept():
    return True


async def test_losing_the_lease_ends_the_work():
    """Work that nobody waits for any more is cancelled, and says so."""
    clock, cancelled = Stepped(), asyncio.Event()

    async def work():
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise

    async def lost():
        return False

    held = asyncio.ensure_future(while_held(work(), renew=lost, every=EVERY, clock=clock))
    await clock.slept(EVERY)
    with pytest.raises(LeaseLostError):
        await held
    assert cancelled.is_set()


async def test_a_renewal_that_fails_is_tried_again():
    """A state that does not answer for a moment costs no lease."""
    answers = [StateError("down"), StateError("down"), True]
    clock, seen = Stepped(), asyncio.Event()

    async def renew():
        answer = answers.pop(0) if answers else True
        if answer is not True:
            raise answer
        seen.set()
        return True

    async def work():
        await seen.wait()
        return 1

    held = asyncio.ensure_future(while_held(work(), renew=renew, every=EVERY, clock=clock))
    await settled()
    await clock.step(3 * EVERY)
    assert await held == 1
