"""Work under a lease: who renews it, and what the loss of it ends."""

import asyncio

import pytest

from recollect.memory.jobs.lease import LeaseLostError, while_held
from recollect.memory.model.errors import StateError
from tests.support.clock import Stepped, settled
from tests.support.folding import rows

EVERY = 20.0


async def kept():
    return True


async def test_work_that_ends_gives_its_result():
    """With a lease that holds, the work is all there is."""
    clock, renewals, enough = Stepped(), [], asyncio.Event()

    async def renew():
        renewals.append(clock.monotonic())
        return True

    async def work():
        await enough.wait()
        return "done"

    held = asyncio.ensure_future(while_held(work(), renew=renew, every=EVERY, clock=clock))
    await settled()
    await clock.step(3 * EVERY + 1)
    enough.set()
    assert await held == "done"
    assert renewals == [EVERY, 2 * EVERY, 3 * EVERY]
    assert clock.asleep == []


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


@rows("error", [ValueError("x"), TimeoutError("own"), StateError("y")])
async def test_errors_of_the_work_come_out_as_they_are(error):
    """Also a timeout of its own, which is not the loss of the lease."""

    async def work():
        raise error

    with pytest.raises(type(error)) as raised:
        await while_held(work(), renew=kept, every=EVERY)
    assert raised.value is error


async def test_cancelling_from_outside_cancels_the_work():
    """A shutdown reaches the work, and no renewal goes on after it."""
    clock, started, renewals = Stepped(), asyncio.Event(), []

    async def renew():
        renewals.append(1)
        return True

    async def work():
        started.set()
        await asyncio.Event().wait()

    task = asyncio.ensure_future(while_held(work(), renew=renew, every=EVERY, clock=clock))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await clock.step(10 * EVERY)
    assert renewals == []
