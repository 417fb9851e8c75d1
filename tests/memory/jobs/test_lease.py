import asyncio

import pytest

from recollect.memory.jobs.lease import LeaseLostError, while_held
from recollect.memory.model.errors import StateError
from tests.support.folding import rows


async def kept():
    return True


async def test_work_that_ends_gives_its_result():
    """With a lease that holds, the work is all there is."""
    renewals = []

    async def renew():
        renewals.append(1)
        return True

    async def work():
        while len(renewals) < 3:
            await asyncio.sleep(0.001)
        return "done"

    assert await while_held(work(), renew=renew, every=0.001) == "done"


async def test_losing_the_lease_ends_the_work():
    """Work that nobody waits for any more is cancelled, and says so."""
    cancelled = asyncio.Event()

    async def work():
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    async def lost():
        return False

    with pytest.raises(LeaseLostError):
        await while_held(work(), renew=lost, every=0.001)
    assert cancelled.is_set()


async def test_a_renewal_that_fails_is_tried_again():
    """A state that does not answer for a moment costs no lease."""
    answers = [StateError("down"), StateError("down"), True]
    seen = asyncio.Event()

    async def renew():
        answer = answers.pop(0) if answers else True
        if answer is not True:
            raise answer
        seen.set()
        return True

    async def work():
        await seen.wait()
        return 1

    assert await while_held(work(), renew=renew, every=0.001) == 1


@rows("error", [ValueError("x"), TimeoutError("own"), StateError("y")])
async def test_errors_of_the_work_come_out_as_they_are(error):
    """Also a timeout of its own, which is not the loss of the lease."""

    async def work():
        raise error

    with pytest.raises(type(error)) as raised:
        await while_held(work(), renew=kept, every=0.001)
    assert raised.value is error


async def test_cancelling_from_outside_cancels_the_work():
    """A shutdown reaches the work, and no renewal goes on after it."""
    started = asyncio.Event()
    renewals = []

    async def renew():
        renewals.append(1)
        return True

    async def work():
        started.set()
        await asyncio.sleep(3600)

    task = asyncio.ensure_future(while_held(work(), renew=renew, every=0.001))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    count = len(renewals)
    await asyncio.sleep(0.01)
    assert len(renewals) == count
