"""What axe-core finds on each page, in light and dark and on a phone: nothing serious."""

from importlib.resources import files

from tests.dashboard.browser import IN_BROWSER, opened, shown
from tests.dashboard.fake_api import serving
from tests.dashboard.full import ANSWERED, FULL
from tests.support.budget import paired

pytestmark = IN_BROWSER
PAGES = (
    "overview", "chat", "live", "person", "person?user=ada", "person?user=ada&tab=profile",
    "person?user=ada&tab=timeline", "person?user=ada&tab=conflicts", "playground?user=ada&q=tea",
    "whynot?user=ada&text=tea", "map?user=ada", "graph?user=ada", "jobs", "upkeep", "settings", "person?user=ada&id=m1",
    "person?user=ada&tab=episodes", "map", "whynot", "nothing", "review", "review?user=ada",
    "bring?user=ada",
)  # fmt: skip
DESK, PHONE = {"width": 1280, "height": 720}, {"width": 360, "height": 740}
LOOKS = (("light", DESK), ("dark", DESK), ("dark", PHONE))
SERIOUS = ("serious", "critical")
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text()


async def test_axe_finds_nothing_serious_and_no_page_is_wider_than_a_phone():
    """Names, contrast, roles and order are right on every page with something on it.

    At 360 pixels nothing is cut off, and nothing scrolls sideways but wide tables.
    """
    # The policy of the page forbids what a test injects; other tests keep it.
    async with (
        serving(FULL | ANSWERED) as url,
        opened(f"{url}/dashboard", bypass_csp=True) as (page, wrong),
    ):
        await page.evaluate(AXE)
        for path, (scheme, size) in paired(PAGES, LOOKS, 1):
            await page.emulate_media(color_scheme=scheme)
            await page.set_viewport_size(size)
            await shown(page, path)
            assert await serious(page) == [], (path, scheme, size)
            await page.set_viewport_size(PHONE)
            assert await page.evaluate("document.documentElement.scrollWidth") <= 360, path
        assert wrong == []
        for scheme in ("light", "dark"):
            await page.emulate_media(color_scheme=scheme)
            await opened_parts(page)


async def opened_parts(page):
    """What a button opens within a page."""
    await shown(page, "person?user=ada")
    for name in ("History", "Edit", "Not true", "Forget"):
        await page.get_by_role("button", name=name, exact=True).first.click()
        await page.locator(".below > *").first.wait_for()
        assert await serious(page) == [], name
    await page.get_by_text("Forget everything of this person").click()
    assert await serious(page) == []
    await shown(page, "review?user=ada")
    await page.get_by_role("button", name="Edit").first.click()
    await page.get_by_role("button", name="Save and keep").wait_for()
    assert await serious(page) == []
    await shown(page, "graph?user=ada")
    await page.get_by_role("button", name="Memories").first.click()
    await page.get_by_text("Ada buys green tea").wait_for()
    assert await serious(page) == []
    await shown(page, "chat")
    await page.get_by_label("Model", exact=True).fill("m")
    await page.get_by_label("Message").fill("Which tea?")
    await page.get_by_role("button", name="Send").click()
    await page.get_by_text("Green tea.").first.wait_for()
    assert await serious(page) == []
    await shown(page, "upkeep")
    await page.get_by_role("button", name="Changes").first.click()
    await page.get_by_text("says the same").wait_for()
    assert await serious(page) == []


async def test_axe_finds_nothing_serious_where_a_token_is_asked_for():
    """A page that every reader off the machine sees first."""
    async with (
        serving(FULL, token="secret") as url,
        opened(f"{url}/dashboard", bypass_csp=True) as (page, _),
    ):
        await page.evaluate(AXE)
        await page.get_by_label("Token", exact=True).wait_for()
        assert await serious(page) == []


async def serious(page):
    """Which rules axe finds broken, and where."""
    found = (await page.evaluate("axe.run()"))["violations"]
    return [
        (one["id"], [node["html"] for node in one["nodes"]])
        for one in found
        if one["impact"] in SERIOUS
    ]
