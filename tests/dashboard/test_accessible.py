"""What axe-core finds on each page, in light and dark and on a phone: nothing serious."""

from importlib.resources import files

import pytest

from tests.dashboard.browser import opened, shown
from tests.dashboard.fake_api import serving
from tests.dashboard.full import FULL

pytestmark = pytest.mark.process
PAGES = (
    "overview", "live", "person", "person?user=ada", "person?user=ada&tab=profile",
    "person?user=ada&tab=timeline", "person?user=ada&tab=conflicts", "playground?user=ada&q=tea",
    "whynot?user=ada&text=tea", "map?user=ada", "jobs", "settings",
)  # fmt: skip
LOOKS = (
    {"color_scheme": "light"},
    {"color_scheme": "dark"},
    {"color_scheme": "dark", "viewport": {"width": 360, "height": 740}},
)
SERIOUS = ("serious", "critical")


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark", "phone"])
async def test_axe_finds_nothing_serious(look):
    """Names, contrast, roles and order are right on every page with something on it."""
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text()
    # The policy of the page forbids what a test injects; other tests keep it.
    async with (
        serving(FULL) as url,
        opened(f"{url}/dashboard", bypass_csp=True, **look) as (page, _),
    ):
        await page.evaluate(axe)
        for path in PAGES:
            await shown(page, path)
            found = (await page.evaluate("axe.run()"))["violations"]
            serious = [one for one in found if one["impact"] in SERIOUS]
            assert not serious, f"{path}: {told(serious)}"


def told(violations):
    """Which rules, and where."""
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in violations]


async def test_no_page_is_wider_than_a_phone():
    """At 360 pixels nothing is cut off, and nothing scrolls sideways but wide tables."""
    phone = {"viewport": {"width": 360, "height": 740}}
    async with serving(FULL) as url, opened(f"{url}/dashboard", **phone) as (page, wrong):
        for path in PAGES:
            await shown(page, path)
            assert await page.evaluate("document.documentElement.scrollWidth") <= 360, path
        assert wrong == []
