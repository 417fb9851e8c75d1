"""What a page shows if the server refuses its request, or cannot answer."""

from tests.dashboard.browser import IN_BROWSER, opened
from tests.dashboard.fake_api import serving

pytestmark = IN_BROWSER
DOWN = (503, {"detail": "the store does not answer"})
READ_ONLY = (403, {"detail": "the token lacks the right write"})


async def test_a_store_that_is_down_is_told_with_a_way_to_try_again():
    """The health stands above it, and the users are asked for all the same."""
    well = {
        "status": "degraded", "parts": {"store": "store_unavailable"},
        "advice": {"store": "start the store"},
    }  # fmt: skip
    answers = {"/readyz": (200, well), "/v1/memories/state": DOWN, "/v1/entities": DOWN}
    async with serving(answers) as url, opened(f"{url}/dashboard") as (page, _):
        await page.get_by_text("memory is degraded").wait_for()
        await page.get_by_text("start the store").wait_for()
        down = page.get_by_text("the store does not answer")
        await down.nth(1).wait_for()
        assert await down.count() == 2
        assert await page.get_by_role("button", name="Try again").count() == 2


async def test_a_token_that_may_only_read_is_told_so():
    """Where the button was pressed; the switch stays as it is."""
    answers = {"POST /v1/memories/switches": READ_ONLY}
    async with serving(answers) as url, opened(f"{url}/dashboard#/settings") as (page, _):
        switch = page.get_by_role("switch", name="Recall")
        await switch.click()
        await page.get_by_text("This token may not do that.").wait_for()
        assert await switch.get_attribute("aria-checked") == "true"
