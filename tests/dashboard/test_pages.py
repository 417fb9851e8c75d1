"""Each page in real Chromium while there is nothing to show, and the token."""

from tests.dashboard.browser import IN_BROWSER, opened
from tests.dashboard.fake_api import EMPTY, serving

pytestmark = IN_BROWSER
EMPTY_PAGES = {
    "overview": "No memories yet.",
    "person?user=ada": "This user has no memories.",
    "person?user=ada&tab=profile": "Nothing that always matters",
    "person?user=ada&tab=timeline": "Nothing was believed",
    "person?user=ada&tab=conflicts": "No conflicts",
    "review?user=ada": "Nothing waits for you.",
    "playground": "No message yet.",
    "chat": "Nothing was said yet.",
    "whynot": "No text yet.",
    "map?user=ada": "no memories to draw",
    "graph?user=ada": "no memories to draw",
    "graph": "Whose memories?",
    "jobs": "No job failed.",
    "upkeep": "No run yet.",
    "nothing": "There is no such page.",
}


async def test_every_page_says_what_it_means_that_nothing_is_there():
    """An empty page is no error, and tells what to do next.

    A slash goes to the search, and escape leaves it.
    """
    async with serving({}) as url, opened(f"{url}/dashboard") as (page, wrong):
        for path, said in EMPTY_PAGES.items():
            await page.evaluate("to => { location.hash = '#/' + to }", path)
            await page.get_by_text(said).first.wait_for()
        await page.evaluate("location.hash = '#/person'")
        await page.get_by_text("No user has memories yet.").wait_for()
        await page.keyboard.press("/")
        assert await page.evaluate("document.activeElement.name") == "asked"
        await page.keyboard.press("Escape")
        assert await page.evaluate("document.activeElement === document.body")
        assert wrong == []


async def test_ten_thousand_users_are_shown_a_page_at_a_time():
    """Ten of them on the first page, and the way to the others."""
    rows = [
        {"id": f"u{number}", "name": f"u{number}", "type": "user", "total_memories": 2,
         "updated_at": "2026-01-05T09:30:00+00:00"}
        for number in range(10)
    ]  # fmt: skip
    users = {"count": 10_000, "next": "x", "previous": None, "results": rows}
    state = EMPTY["/v1/memories/state"] | {"users": 10_000, "said": 1}
    answers = {"/v1/entities": users, "/v1/memories/state": state}
    async with serving(answers) as url, opened(f"{url}/dashboard") as (page, wrong):
        await page.get_by_text("Page 1 of 1,000").wait_for()
        assert await page.locator(".users li").count() == 10
        await page.get_by_role("button", name="Next").click()
        await page.get_by_text("Page 2 of 1,000").wait_for()
        assert wrong == []


async def test_the_token_is_asked_for_and_kept_in_the_tab():
    """It goes to this server as a bearer token, and into no address."""
    async with serving({}, token="secret") as url, opened(f"{url}/dashboard") as (page, _wrong):
        await page.get_by_label("Token", exact=True).fill("secret")
        await page.get_by_role("button", name="Use it").click()
        await page.get_by_text("No memories yet.").wait_for()
        assert "secret" not in page.url
        assert await page.evaluate("sessionStorage.getItem('recollect.token')") == "secret"
