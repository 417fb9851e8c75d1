"""The browser that the tests of the dashboard share."""

import pytest_asyncio

from tests.dashboard.browser import RUNNING, started


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser():
    """Starts when a page is opened first."""
    async with started() as running:
        RUNNING.append(running)
        yield running
        RUNNING.clear()
