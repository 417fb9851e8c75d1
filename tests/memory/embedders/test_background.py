import asyncio

from recollect.memory.embedders.background import in_background, is_background


async def test_only_the_task_that_said_so():
    """Others that run meanwhile are in no background, nor is the task afterwards."""
    seen = []

    async def other():
        seen.append(is_background())

    with in_background():
        assert is_background()
        await asyncio.to_thread(lambda: None)
        assert is_background()
    assert not is_background()
    await asyncio.gather(asyncio.ensure_future(other()))
    assert seen == [False]
