import asyncio

from recollect.memory.util.quiet import Quiet, at_once
from tests.support.waiting import HANG_SECONDS


async def test_background_work_waits_for_a_gap():
    """While somebody waits for an answer a step does not begin; when nobody does, it does."""
    quiet, begun = Quiet(), []

    async def step():
        await quiet.gap()
        begun.append(1)

    with quiet.foreground(), quiet.foreground():
        task = asyncio.ensure_future(step())
        await asyncio.sleep(0.001)
        assert begun == []
    await asyncio.sleep(0.001)
    assert begun == [1]
    await task


async def test_others_run_in_between():
    """Also where nobody waits, a step lets others run first."""
    for pause in (Quiet().gap, at_once):
        ran = []
        asyncio.get_running_loop().call_soon(ran.append, 1)
        await pause()
        assert ran == [1]


async def test_a_request_that_fails_is_over():
    """An error ends the waiting like an answer does."""
    quiet = Quiet()
    try:
        with quiet.foreground():
            raise ValueError
    except ValueError:
        pass
    await asyncio.wait_for(quiet.gap(), HANG_SECONDS)
    assert not quiet._running
