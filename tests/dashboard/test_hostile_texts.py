"""Hostile texts of memories are shown as text, in real Chromium."""

from tests.dashboard import full
from tests.dashboard.browser import IN_BROWSER, opened, shown
from tests.dashboard.fake_api import serving
from tests.support.waiting import until

pytestmark = IN_BROWSER
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
    """No element is made of them, no dialog opens, nothing is asked of elsewhere.

    A user with such a name is a link within the page.
    """
    results = [memory(number, text) for number, text in enumerate(HOSTILE)]
    row = {
        "type": "user", "id": HOSTILE[0], "name": HOSTILE[0], "total_memories": 1,
        "updated_at": "2026-01-05T09:30:00+00:00",
    }  # fmt: skip
    users = {"count": 1, "next": None, "previous": None, "results": [row]}
    async with serving({"/v1/memories/": {"results": results}, "/v1/entities": users}) as url:
        async with opened(f"{url}/dashboard#/person?user=ada&tab=memories") as (page, wrong):
            await page.wait_for_selector(".memory")
            shown = await page.inner_text("main")
            assert HOSTILE[0] in shown
            assert HOSTILE[1] in shown
            assert "U+202E" in shown
            assert len(shown) < 20_000
            assert await page.locator("main img, main script, main iframe").count() == 0
            await page.get_by_role("button", name="show all").first.click()
            await until(lambda: page.evaluate("document.body.innerText.length > 100000"))
            await page.evaluate("location.hash = '#/person'")
            link = page.locator(".rows a")
            assert await link.inner_text() == HOSTILE[0]
            assert (await link.get_attribute("href")).startswith("#/person?user=%3Cimg")
        assert wrong == []


def recalled(number, text):
    return {"id": f"m{number}", "memory": text, "role": "answer", "why": text}


def everywhere():
    """Answers that have the hostile texts wherever a page shows a text of somebody else."""
    lines = [memory(number, text) for number, text in enumerate(HOSTILE)]
    every = list(enumerate(HOSTILE))
    rows = [full.ranked(number, chosen=number < 3, memory=text) for number, text in every]
    points = [
        {"id": f"m{number}", "x": number, "y": number, "at": full.AT, "type": "semantic",
         "status": "active", "memory": text}
        for number, text in every
    ]  # fmt: skip
    chat = full.EXCHANGE | {
        "user_id": HOSTILE[0], "model": HOSTILE[1],
        "recalled": [recalled(number, text) for number, text in every],
    }  # fmt: skip
    held = [{"id": "m9", "memory": text, "reasons": [{"why": text}]} for text in HOSTILE]
    job = full.JOB | {"user_id": HOSTILE[0], "error": HOSTILE[1]}
    setting = {"key": "a", "value": HOSTILE[0], "source": "file", "secret": False, "help": "x"}
    run = full.RUN | {"user_id": HOSTILE[0], "reason": HOSTILE[0], "failure": HOSTILE[1]}
    root = "/v1/memories"
    known = full.FULL[f"{root}/graph"]
    named = {"id": "e1", "name": HOSTILE[0], "type": "person", "memories": 1}
    related = known["relations"][0] | {"relation": HOSTILE[1], "target": HOSTILE[0]}
    topics = [full.TOPIC | {"id": text, "label": text} for text in HOSTILE]
    graph = known | {"topics": topics, "edges": [], "entities": [named], "relations": [related]}
    return full.FULL | {
        f"{root}/": {"results": lines},
        f"{root}/search": {"results": lines},
        f"{root}/conflicts": {"results": [{"memory": lines[0], "others": lines[1:]}]},
        f"{root}/recent": {"exchanges": [chat]},
        f"{root}/explain": full.EXPLAINED
        | {"query": HOSTILE[0], "block": "\n".join(HOSTILE), "memories": rows, "held_back": held},
        f"{root}/whynot": {
            "verdict": "cut",
            "why": HOSTILE[0],
            "memory": lines[0],
            "nearest": lines,
        },
        f"{root}/map": {"points": points, "axes": []},
        f"{root}/graph": graph,
        f"{root}/jobs": {"results": [job]},
        f"{root}/upkeep": {"results": [run]},
        f"{root}/settings": {"settings": [setting], "switches": {"recall": True, "learn": True}},
    }


PAGES = (
    "person?user=ada&q=x", "person?user=ada&tab=timeline", "person?user=ada&tab=episodes",
    "person?user=ada&tab=conflicts", "live", "playground?user=ada&q=tea",
    "whynot?user=ada&text=tea", "map?user=ada", "graph?user=ada", "jobs", "upkeep", "settings",
)  # fmt: skip


async def test_no_page_makes_an_element_of_them():
    """Wherever a text of somebody else stands, in lists, tables, pictures and forms."""
    async with serving(everywhere()) as url, opened(f"{url}/dashboard") as (page, wrong):
        for path in PAGES:
            await shown(page, path)
            await page.get_by_text("onerror=alert(1)").first.wait_for(state="attached")
            made = page.locator("main img, main script, main iframe, main b")
            assert await made.count() == 0, path
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert wrong == []
