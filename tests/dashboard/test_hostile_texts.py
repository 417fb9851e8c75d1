"""Hostile texts of memories are shown as text, in real Chromium."""

import pytest

from tests.dashboard.browser import opened
from tests.dashboard.fake_api import serving

pytestmark = pytest.mark.process
HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "</bdi></p><iframe src=//evil.example></iframe>",
    "javascript:alert(1)",
    "left \u202e right \u2066 hidden \u200b\U000e0041",
    "x" * 100_000,
)


def memory(number, text):
    return {
        "id": f"m{number}", "kind": "memory", "memory": text, "type": "semantic",
        "status": "quarantined", "created_at": "2026-01-05T09:30:00+00:00",
        "provenance": {"reasons": [{"kind": "planted", "why": text}]},
    }  # fmt: skip


async def test_they_stay_text():
    """No element is made of them, no dialog opens, nothing is asked of elsewhere."""
    results = [memory(number, text) for number, text in enumerate(HOSTILE)]
    async with serving({"/v1/memories/": {"results": results}}) as url:
        async with opened(f"{url}/dashboard#/person?user=ada&tab=memories") as (page, wrong):
            await page.wait_for_selector(".memory")
            shown = await page.inner_text("main")
            assert HOSTILE[0] in shown
            assert HOSTILE[1] in shown
            assert "U+202E" in shown
            assert len(shown) < 20_000
            assert await page.locator("main img, main script, main iframe").count() == 0
            await page.get_by_role("button", name="show all").first.click()
            await page.wait_for_function("document.body.innerText.length > 100000")
        assert wrong == []


async def test_a_user_with_a_hostile_name_is_a_link_within_the_page():
    """His name is text, and what it leads to begins with `#`."""
    row = {
        "type": "user", "id": HOSTILE[0], "name": HOSTILE[0], "total_memories": 1,
        "updated_at": "2026-01-05T09:30:00+00:00",
    }  # fmt: skip
    page_of = {"count": 1, "next": None, "previous": None, "results": [row]}
    async with serving({"/v1/entities": page_of}) as url:
        async with opened(f"{url}/dashboard") as (page, wrong):
            link = page.locator(".rows a")
            assert await link.inner_text() == HOSTILE[0]
            assert (await link.get_attribute("href")).startswith("#/person?user=%3Cimg")
        assert wrong == []
